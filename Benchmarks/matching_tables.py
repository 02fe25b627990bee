"""The tables of the matching benchmark, of what ours and the peers wrote."""

import json

from matching_peers import WINDOW
from matching_sets import MODES, PEERS, SETS, everies, mismatch, rank


def markdown(title, names, lines):
    """A table: `lines` are a label and a cell for each of the sets `names`; None is no figure."""
    print(f"| {title} | {' | '.join(SETS[name] for name in names)} |\n|{'---|' * (len(names) + 1)}")
    for first, *cells in lines:
        print(f"| {first} | {' | '.join(cell or '–' for cell in cells)} |")
    print()


def figure(value, limit=None):
    """A figure to three digits, or to hundredths; bold where it is less than `limit`."""
    text = f"{value:.{2 if value < 10 else 1 if value < 100 else 0}f}"
    return f"**{text}**" if limit is not None and value < limit else text


def table(options):
    """Prints mismatch, CPU, errors of the newest fix and kinds of errors, a column for each set."""
    mine = {(row["set"], row["everyS"], row["mode"]): row
            for row in json.loads((options.work / "ours.json").read_text()) if row["half"] == "all"}
    theirs = json.loads((options.work / "peers.json").read_text())
    errors = {(row["set"], row["everyS"], row["id"]): row["errorsM"]
              for row in json.loads((options.work / "errors.json").read_text())}
    names = options.sets.split(",")
    print("Ours is told no sigma. CPU of the peers is that of the call, without building its request in Python.\n"
          "Bold is what a peer does better: whole traces than ours whole, the newest fix than ours filtered.\n")
    for every in everies(options):
        our = {mode: [mine.get((name, every, mode)) for name in names] for mode in MODES}
        tried = {peer: [[row for row in theirs if (row["set"], row["everyS"], row["engine"]) == (name, every, peer)]
                        for name in names] for peer in PEERS}
        best = {peer: [min(rows, key=rank, default=None) for rows in tried[peer]] for peer in PEERS}
        print_mismatch(names, every, our, best)
        print_cpu(names, every, our, best, tried)
        print_newest(names, every, our, tried, errors)
        print_kinds(names, every, our)


def print_mismatch(names, every, our, best):
    def cell(row, limit=None):
        lost = f" ({len(row['failed'])} failed)" if row and row.get("failed") else ""
        return row and figure(100 * mismatch(row), limit and 100 * mismatch(limit)) + lost

    lines = [(mode, *map(cell, our[mode])) for mode in MODES]
    lines += [(f"{title}, best setting", *map(cell, best[peer], our["whole"])) for peer, title in PEERS.items()]
    markdown(f"mismatch, %, every {every} s", names, lines)


def print_cpu(names, every, our, best, tried):
    """Peers without building the request; of their windows the least of the settings."""
    def rate(row, key):
        return row and row["fixes"] and 1e6 * row[key] / row["fixes"]

    def cell(value, limit=None):
        return value and figure(value, limit)

    whole, filtered = ([rate(row, "cpuS") for row in our[mode]] for mode in ("whole", "filtered"))
    lines = [(mode, *(cell(rate(row, "cpuS")) for row in our[mode])) for mode in MODES]
    for peer, title in PEERS.items():
        lines.append((f"{title}, whole traces", *map(cell, [rate(row, "callCpuS") for row in best[peer]], whole)))
    for peer, title in PEERS.items():
        least = [min((row["window"]["callP50Us"] for row in rows if row["window"]["callP50Us"]), default=None)
                 for rows in tried[peer]]
        lines.append((f"{title}, last {WINDOW} fixes at each, p50", *map(cell, least, filtered)))
    markdown(f"CPU, microseconds a fix, every {every} s", names, lines)


def print_newest(names, every, our, tried, errors):
    """p50/p95 in metres; a peer's are of the fixes that it answers, each setting for itself, and ours of the same."""
    import geo
    keys = ("errorP50M", "errorP95M")

    def same(name, window):
        parts = geo.pct([error for case, numbers in window["answered"].items()
                         for error in (errors[name, every, case][number] for number in numbers) if error is not None])
        return parts["p50"], parts["p95"]

    def cell(row, limit=None):
        if not row or row.get(keys[0]) is None:
            return None
        text = "/".join(figure(row[key], limit and limit[key]) for key in keys)
        return text + (f" ({figure(100 * row['noAnswer'] / row['calls'])} %)" if "noAnswer" in row else "")

    lines = [("filtered, all fixes", *map(cell, our["filtered"]))]
    for peer, title in PEERS.items():
        for told in (False, True):
            windows = [next((row["window"] for row in rows if bool(row["toldM"]) == told), None)
                       for rows in tried[peer]]
            ourselves = [window and window.get("answered") and dict(zip(keys, same(name, window)))
                         for name, window in zip(names, windows)]
            first = f"{title}, last {WINDOW} fixes, {'told sigma' if told else 'default'} (no answer)"
            lines.append((first, *map(cell, windows, ourselves)))
            lines.append(("filtered, the same fixes", *map(cell, ourselves)))
    markdown(f"error of the newest fix, m, p50/p95, every {every} s", names, lines)


def print_kinds(names, every, our):
    lines = []
    for mode in MODES:
        kinds = {kind for row in our[mode] if row for kind in row["kinds"]}
        lines += [(f"{mode}: {kind}", *(row and figure(100 * row["kinds"].get(kind, 0) / row["truthM"])
                                        for row in our[mode])) for kind in sorted(kinds)]
    markdown(f"ours by kind of error, % of the truth, every {every} s", names, lines)
