#!/usr/bin/env python3
"""Map matching on traces whose true way is known (bench.md P5, P6): ours and the peers over the same sets.

    matching.py prepare --work DIR --peers PEERS  convert the Kubicka tracks, drive synthetic traces; write DIR/list.tsv
    matching.py ours --work DIR                   run bench-matching; write DIR/ours.json and DIR/errors.json
    matching.py check --work DIR                  score our lines with the peers' own script; must give the same figures
    matching.py peers --work DIR --peers PEERS    run Valhalla and OSRM MLD over the same traces; write DIR/peers.json
    matching.py table --work DIR                  print ours.json and peers.json as tables, with our errors by kind
    matching.py cost --work DIR --peers PEERS     CPU of whole traces beside OSRM, in rounds that take turns

`peers`, `table` and `cost` take --sets (of kubicka, ar-5, ar-10, white-5, white-10) and, as `ours` does, --every
(seconds between fixes, with commas between). `peers` keeps what DIR/peers.json holds of other sets and samplings.
Needs --data (the folder with kubicka/tracks.tar.xz and maps/porto.osm.pbf; default $NAV_DATA) and --scripts (the peers'
scripts: mktraces.py, engines.py, geo.py). PEERS is the folder that setup.sh and build.sh filled (venv/, porto/,
pairs.csv); steps that need its Python start themselves again with it.
Kubicka: the data set's own graph as an OSM file, each pair of arcs a two-way tertiary road, a lone arc a one-way; its
data for the peers is built once, in DIR/kubicka-peers. Synthetic: mktraces.py, 40 drives over Porto at 1 Hz, white
noise and AR(1) of 0.9, sigma 5 and 10 m. Long parts show progress.
"""

import argparse
import contextlib
import csv
import dataclasses
import json
import os
import pathlib
import subprocess
import sys
import tarfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
SAMPLINGS = "1,2,5,10,15,30,60"
SETS = {"kubicka": "Kubicka", "ar-5": "AR(1) 5 m", "ar-10": "AR(1) 10 m", "white-5": "white 5 m",
        "white-10": "white 10 m"}
MODES = ("whole", "agreed", "smoothed", "filtered")
PEERS = {"valhalla": "Valhalla", "osrm-mld": "OSRM MLD"}
# Fixes that a live client of a peer matches again at each fix.
WINDOW = 20


def rows(path, kind):
    return [[kind(x) for x in line.split()] for line in open(path) if line.strip()]


def write_osm(path, nodes, arcs):
    """The road graph of one track: nodes are (lon, lat), arcs pairs of their numbers."""
    have, seen, number = set(map(tuple, arcs)), set(), 0
    with open(path, "w") as file:
        file.write('<?xml version="1.0"?>\n<osm version="0.6" generator="matching.py">\n')
        for index, (lon, lat) in enumerate(nodes):
            file.write(f'<node id="{index + 1}" version="1" lat="{lat:.7f}" lon="{lon:.7f}"/>\n')
        for u, v in map(tuple, arcs):
            if u == v or (u, v) in seen:
                continue
            two_way = (v, u) in have
            seen |= {(u, v), (v, u)} if two_way else {(u, v)}
            number += 1
            oneway = "" if two_way else '<tag k="oneway" v="yes"/>'
            file.write(f'<way id="{number}" version="1"><nd ref="{u + 1}"/><nd ref="{v + 1}"/>'
                       f'<tag k="highway" v="tertiary"/>{oneway}</way>\n')
        file.write("</osm>\n")


def write_csv(path, header, lines):
    with open(path, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(header)
        writer.writerows(lines)


def kubicka(options, first=0):
    """Each track as map, trace and truth, or only the first so many; yields the lines of the list."""
    folder = options.work / "kubicka"
    tracks = options.work / "tracks"
    if not tracks.exists():
        with tarfile.open(options.data / "kubicka/tracks.tar.xz") as archive:
            archive.extractall(tracks, filter="data")
    folder.mkdir(exist_ok=True)
    names = sorted(p.name for p in tracks.iterdir() if p.is_dir())[: first or None]
    for count, name in enumerate(names):
        source = tracks / name / name
        nodes = rows(f"{source}.nodes", float)
        arcs = rows(f"{source}.arcs", int)
        route = [row[0] for row in rows(f"{source}.route", int)]
        truth = [nodes[arcs[route[0]][0]]]
        for arc in route:
            u, v = (nodes[end] for end in arcs[arc])
            if truth[-1] != u:
                truth.append(u)
            truth.append(v)
        if not (folder / f"{name}.osm").exists():
            write_osm(folder / f"{name}.osm", nodes, arcs)
        write_csv(folder / f"{name}.truth.csv", ("lat", "lon"), [(lat, lon) for lon, lat in truth])
        write_csv(folder / f"{name}.csv", ("time", "lat", "lon"),
                  [(t, lat, lon) for lon, lat, t in rows(f"{source}.track", float)])
        print(f"\rkubicka: {count + 1} of {len(names)}", end="", file=sys.stderr)
        yield ("kubicka", name, f"kubicka/{name}.osm", f"kubicka/{name}.csv", f"kubicka/{name}.truth.csv")
    print(file=sys.stderr)


def synthetic(options, noise, extra):
    folder = options.work / noise
    if not list(folder.glob("*.truth.csv")):
        subprocess.run([options.peers / "venv/bin/python", options.scripts / "mktraces.py", options.peers / "porto",
                        options.data / "maps/porto.osm.pbf", options.peers / "pairs.csv", folder, *extra], check=True)
    city = os.path.relpath(options.data / "maps/porto.osm.pbf", options.work)
    for truth in sorted(folder.glob("*.truth.csv")):
        name = truth.name.split(".")[0]
        for sigma in (5, 10):
            with open(folder / f"{name}.s{sigma}.csv") as file:
                fixes = list(csv.DictReader(file))
            write_csv(folder / f"{name}.s{sigma}.fixes.csv", ("time", "lat", "lon", "true_lat", "true_lon"),
                      [(f["t"], f["lat"], f["lon"], f["true_lat"], f["true_lon"]) for f in fixes])
            yield (f"{noise}-{sigma}", name, city, f"{noise}/{name}.s{sigma}.fixes.csv", f"{noise}/{truth.name}")


def prepare(options):
    options.work.mkdir(parents=True, exist_ok=True)
    lines = [*kubicka(options), *synthetic(options, "ar", ("--ar", "0.9")), *synthetic(options, "white", ())]
    with open(options.work / "list.tsv", "w") as file:
        file.writelines("\t".join(line) + "\n" for line in sorted(lines, key=lambda line: (line[0], line[1])))
    print(f"{len(lines)} traces in {options.work / 'list.tsv'}")


def bench(options, *arguments, output=None):
    subprocess.run([options.programs / "bench-matching", "--list", options.work / "list.tsv", *map(str, arguments)],
                   check=True, stdout=output)


def ours(options):
    every = options.every or SAMPLINGS
    bench(options, "--every", every, "--json", options.work / "ours.json")
    # Each fix for itself, so that it can be compared where a peer answers.
    bench(options, "--every", every, "--modes", "filtered", "--json", os.devnull,
          "--errors", options.work / "errors.json", output=subprocess.DEVNULL)


@dataclasses.dataclass
class Case:
    """A trace of the list as the peers' scripts take it, with where it truly was; places are (lat, lon)."""
    set: str
    id: str
    fixes: list[dict[str, float]]
    places: list[tuple[float, float]]  # of each fix; none where the set does not tell
    truth: list[tuple[float, float]]


def columns(path, *names):
    with open(path) as file:
        return [tuple(float(row[name]) for name in names) for row in csv.DictReader(file)]


def cases(options, sets, every=1) -> list[Case]:
    """The traces of some sets, every so many-th fix of each."""
    found = []
    for line in (options.work / "list.tsv").read_text().splitlines():
        kind, name, _, trace, truth = line.split("\t")
        if kind in sets:
            trace = options.work / trace
            fixes = [{"t": t, "lat": lat, "lon": lon} for t, lat, lon in columns(trace, "time", "lat", "lon")]
            places = [] if kind == "kubicka" else columns(trace, "true_lat", "true_lon")
            found.append(Case(kind, name, fixes[::every], places[::every], columns(options.work / truth, "lat", "lon")))
    return found


def check(options):
    """Scores our lines of whole traces at 1 Hz with geo.mismatch()."""
    import geo
    bench(options, "--modes", "whole", "--lines", options.work / "lines.json", "--json", options.work / "check.json")
    truths = {(case.set, case.id): case.truth for case in cases(options, SETS)}
    sums = {}
    for drawn in json.load(open(options.work / "lines.json")):
        added, missed, length = geo.mismatch(truths[drawn["set"], drawn["id"]], drawn["lines"])
        old = sums.get(drawn["set"], (0, 0))
        sums[drawn["set"]] = (old[0] + added + missed, old[1] + length)
    failed = False
    for row in json.load(open(options.work / "check.json")):
        if row["half"] == "all":
            wrong, length = sums[row["set"]]
            mine = mismatch(row)
            same = abs(wrong / length - mine) < 2e-4
            failed |= not same
            print(f"{'pass' if same else 'FAIL'}: {row['set']}: {100 * wrong / length:.3f} % by geo.mismatch, "
                  f"{100 * mine:.3f} % here")
    sys.exit(1 if failed else 0)


# MARK: The peers


def need_peers(options):
    """Returns where Python has the peers; else runs this program again with their own, and ends with it."""
    try:
        import osrm  # noqa: F401
        import valhalla  # noqa: F401
    except ImportError:
        environment = options.peers / "venv"
        if pathlib.Path(sys.prefix).resolve() == environment.resolve():
            raise
        sys.exit(subprocess.run([environment / "bin/python", *sys.argv]).returncode)


def peers_data(options, case: Case):
    """The folder with the peers' data of a trace's map; that of a Kubicka track is built once and kept."""
    if case.set != "kubicka":
        return options.peers / "porto"
    import engines
    folder = (options.work / "kubicka-peers" / case.id).resolve()
    # What the last command writes.
    if not (folder / "osrm-mld/map.osrm.cell_metrics").exists():
        for part in ("tiles", "osrm-mld"):
            (folder / part).mkdir(parents=True, exist_ok=True)
        config = json.loads((options.peers / "porto/valhalla.json").read_text())
        config["mjolnir"].update(tile_dir=str(folder / "tiles"), tile_extract="")
        # The longest tracks are longer than a public server would take.
        config["service_limits"]["trace"].update(max_distance=1e7, max_shape=10**6)
        (folder / "valhalla.json").write_text(json.dumps(config))
        valhalla, osrm = (pathlib.Path(engines.exe(module, "")) for module in ("valhalla", "osrm"))
        source, target = options.work / f"kubicka/{case.id}.osm", folder / "osrm-mld/map.osrm"
        commands = [
            (valhalla / "valhalla_build_tiles", "-c", folder / "valhalla.json", source),
            (osrm / "osrm-extract", "-p", osrm.parent / "share/profiles/car.lua", "-o", target, source),
            (osrm / "osrm-partition", target),
            (osrm / "osrm-customize", target),
        ]
        with open(folder / "build.log", "w") as log:
            for command in commands:
                subprocess.run(command, check=True, stdout=log, stderr=log)
    return folder


@contextlib.contextmanager
def silence():
    """Keeps what native code prints from standard output, which is for figures."""
    sys.stdout.flush()
    kept = os.dup(1)
    with open(os.devnull, "w") as nowhere:
        os.dup2(nowhere.fileno(), 1)
    try:
        yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)


class Timed:
    """Stands before a peer and knows the CPU seconds of the thread in its last call, without building the request."""

    def __init__(self, peer):
        self.peer, self.cpu_s = peer, 0.0

    def __getattr__(self, name):
        def call(request):
            start = time.thread_time()
            try:
                return getattr(self.peer, name)(request)
            finally:
                self.cpu_s = time.thread_time() - start
        return call


class Peer:
    """A peer with one setting (told: metres of sigma, None for its default) over the traces of a set."""

    def __init__(self, options, name, told):
        self.options, self.name, self.told = options, name, told
        self.engines = {}
        self.failed: dict[str, str] = {}  # why, by the trace

    def engine(self, case: Case):
        """The peer on the map of a trace, ready to be timed."""
        import engines
        folder = peers_data(self.options, case)
        if folder not in self.engines:
            if self.name == "valhalla":
                with silence():
                    engine = engines.ValhallaInProcess(folder, self.told)
                engine.a = Timed(engine.a)
            else:
                engine = engines.OsrmInProcess(folder, "mld")
                engine.e = Timed(engine.e)
            self.engines[folder] = engine
        return self.engines[folder]

    def match(self, engine, fixes):
        """The answer, and CPU seconds of the thread with building the request and without."""
        start = time.thread_time()
        answer = engine.match(fixes, self.told)
        return answer, time.thread_time() - start, (engine.a if self.name == "valhalla" else engine.e).cpu_s


def progress(text):
    print(f"\r{text}\x1b[K", end="", file=sys.stderr, flush=True)


def settings(name):
    """Metres of sigma to tell the peers: none, and the set's true one; for real tracks that of kubicka_bench.py."""
    return None, float(name.split("-")[1]) if "-" in name else 10.0


def label(peer, told):
    return PEERS[peer] + (f" told {told:g} m" if told else " by default")


def everies(options):
    return [int(every) for every in (options.every or "1").split(",")]


def peers(options):
    """Runs each peer with each setting over each set and sampling."""
    need_peers(options)
    path = options.work / "peers.json"
    rows = json.loads(path.read_text()) if path.exists() else []
    for every in everies(options):
        for name in options.sets.split(","):
            traces = cases(options, [name], every)
            for peer in PEERS:
                for told in settings(name):
                    row = {"set": name, "everyS": every, "engine": peer, "toldM": told}
                    rows = [old for old in rows if any(old[key] != row[key] for key in row)] + [row]
                    row |= peer_figures(Peer(options, peer, told), traces, options.stride)
                    print(peer_line(row), flush=True)
                    # As they come, so that a run that is stopped keeps what it has.
                    path.write_text(json.dumps(rows, indent=1))


def peer_figures(peer: Peer, traces: list[Case], stride: int):
    """What a peer makes of whole traces, and of the last fixes again at every `stride`-th fix."""
    import geo
    row = dict.fromkeys(("fixes", "unmatched", "split", "cpuS", "callCpuS", "truthM", "addedM", "missedM"), 0)
    errors, calls, bare, newest, asked, silent = [], [], [], [], 0, 0
    answered: dict[str, list[int]] = {}  # numbers of the fixes that a window told of, by the trace
    for count, case in enumerate(traces):
        progress(f"{case.set}, {label(peer.name, peer.told)}: {count + 1} of {len(traces)}")
        try:
            engine = peer.engine(case)
            if count == 0 and case.set != "kubicka":
                # What a process does once is no part of a rate.
                peer.match(engine, case.fixes)
            answer, cpu_s, call_s = peer.match(engine, case.fixes)
        except Exception as error:
            peer.failed[case.id] = str(error)
            continue
        lines, places = engine.parse_match(answer)
        added, missed, truth = geo.mismatch(case.truth, lines)
        matched = sum(place is not None for place in places)
        for key, value in (("fixes", len(case.fixes)), ("unmatched", len(case.fixes) - matched),
                           ("split", len(lines) > 1), ("cpuS", cpu_s), ("callCpuS", call_s), ("truthM", truth),
                           ("addedM", added), ("missedM", missed)):
            row[key] += value
        errors += [geo.dist(true, place) for true, place in zip(case.places, places) if place]
        for end in range(WINDOW, len(case.fixes), stride):
            asked += 1
            try:
                answer, cpu_s, call_s = peer.match(engine, case.fixes[end - WINDOW:end])
            except Exception:
                # OSRM raises where it finds no match: a client is left without an answer.
                silent += 1
                continue
            calls.append(1e6 * cpu_s)
            bare.append(1e6 * call_s)
            place = (engine.parse_match(answer)[1] or [None])[-1]
            if place is None:
                silent += 1
            elif case.places:
                newest.append(geo.dist(case.places[end - 1], place))
                answered.setdefault(case.id, []).append(end - 1)
        if case.set == "kubicka":
            # Each track has its own map, and all of them need not be in memory.
            peer.engines.clear()
    progress("")
    error, newest = geo.pct(errors), geo.pct(newest)
    return row | {
        "traces": len(traces), "failed": peer.failed, "errorP50M": error.get("p50"), "errorP95M": error.get("p95"),
        "window": {
            "fixes": WINDOW, "calls": asked, "noAnswer": silent, "cpuP50Us": geo.pct(calls).get("p50"),
            "callP50Us": geo.pct(bare).get("p50"), "errorP50M": newest.get("p50"), "errorP95M": newest.get("p95"),
            "answered": answered}}


def peer_line(row):
    fixes, length, window = max(1, row["fixes"]), max(1, row["truthM"]) / 100, row["window"]
    text = (f"{row['set']} every {row['everyS']} s, {label(row['engine'], row['toldM'])}: {row['fixes']} fixes of "
            f"{row['traces']} traces, {len(row['failed'])} failed, {1e6 * row['cpuS'] / fixes:.2f} us a fix (the call "
            f"alone {1e6 * row['callCpuS'] / fixes:.2f}), mismatch {100 * mismatch(row):.2f} % "
            f"(+{row['addedM'] / length:.2f} -{row['missedM'] / length:.2f}), unmatched {row['unmatched']}, "
            f"split {row['split']}")
    if row["errorP50M"] is not None:
        text += f", error {row['errorP50M']:.1f}/{row['errorP95M']:.1f} m"
    if window["cpuP50Us"] is not None:
        text += (f"; window of {window['fixes']}: {window['cpuP50Us']:.0f} us p50 (the call alone "
                 f"{window['callP50Us']:.0f}) of {window['calls']} calls, {window['noAnswer']} without answer")
    if window["errorP50M"] is not None:
        text += f", newest fix {window['errorP50M']:.1f}/{window['errorP95M']:.1f} m"
    return "\n  failed: ".join([text, *map(": ".join, row["failed"].items())])


# MARK: Tables


def mismatch(row):
    """(d+ + d-)/d0 of Newson and Krumm; infinite where nothing was matched."""
    return (row["addedM"] + row["missedM"]) / row["truthM"] if row["truthM"] else float("inf")


def rank(row):
    """The least is a peer's best setting: what it fails on is no merit."""
    return len(row["failed"]), mismatch(row)


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
            ourselves = [window and window["answered"] and dict(zip(keys, same(name, window)))
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


# MARK: Cost


def cost(options):
    """CPU of whole traces, the least of rounds in which OSRM and a fresh process of ours take turns."""
    need_peers(options)
    runs = []
    for every in everies(options):
        for name in options.sets.split(","):
            peer = Peer(options, "osrm-mld", best_told(options, name, every))
            runs.append((name, every, peer, cases(options, [name], every), {}))
    for count in range(options.rounds):
        for name, every, peer, traces, least in runs:
            progress(f"round {count + 1} of {options.rounds}: {SETS[name]}, every {every} s")
            if count == 0:
                # Its data is read before it is timed, as it is in a server.
                osrm_cost(peer, traces)
            for key, value in (osrm_cost(peer, traces) | our_cost(options, name, every)).items():
                least[key] = min(value, least.get(key, value))
    progress("")
    print("| microseconds a fix (times OSRM's rate) | OSRM MLD | ours, unknown streets | ours, known streets |")
    print("|---|---|---|---|")
    for name, every, peer, _, least in runs:
        cells = [f"{least[key]:.2f} ({least['call'] / least[key]:.1f})" if key in least else "–" for key in (1, 2)]
        told = f"told {peer.told:g} m" if peer.told else "default"
        print(f"| {SETS[name]}, every {every} s | {least['call']:.2f}, {told} | {' | '.join(cells)} |")
    added = ", ".join(f"{SETS[name]} {least['request']:.2f}" for name, _, _, _, least in runs)
    print(f"\nOSRM: the call alone. Building its request in Python adds (microseconds a fix): {added}.")
    for name, _, peer, _, _ in runs:
        for case, why in peer.failed.items():
            print(f"OSRM failed on {SETS[name]} {case}: {why}")


def best_told(options, name, every):
    """OSRM's best setting by peers.json; without one the true sigma, but the default for 5 m, which that is."""
    path = options.work / "peers.json"
    tried = [row for row in (json.loads(path.read_text()) if path.exists() else [])
             if (row["set"], row["everyS"], row["engine"]) == (name, every, "osrm-mld")]
    if tried:
        return min(tried, key=rank)["toldM"]
    return None if name.endswith("-5") else settings(name)[1]


def osrm_cost(peer: Peer, traces: list[Case]):
    """Microseconds of CPU a fix: of the call, and of building its request."""
    fixes = whole_s = call_s = 0
    for case in traces:
        try:
            _, whole, call = peer.match(peer.engine(case), case.fixes)
        except Exception as error:
            peer.failed[case.id] = str(error)
            continue
        fixes, whole_s, call_s = fixes + len(case.fixes), whole_s + whole, call_s + call
    if not fixes:
        sys.exit(f"OSRM failed on every trace: {peer.failed}")
    return {"call": 1e6 * call_s / fixes, "request": 1e6 * (whole_s - call_s) / fixes}


def our_cost(options, name, every):
    """Microseconds of CPU a fix by the pass over the traces: 1 knows no street yet, 2 all.

    Each in a process of its own: one that goes over the Kubicka tracks once drops the map of each behind it.
    """
    path = options.work / "cost.json"
    least = {}
    for passes in (1, 2):
        bench(options, "--modes", "whole", "--sets", name, "--every", every, "--passes", passes, "--json", path,
              output=subprocess.DEVNULL)
        least[passes] = next(1e6 * row["cpuS"] / row["fixes"] for row in json.loads(path.read_text())
                             if row["half"] == "all" and row["pass"] == passes)
    return least


def main():
    steps = {"prepare": prepare, "ours": ours, "check": check, "peers": peers, "table": table, "cost": cost}
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=steps)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--data", type=pathlib.Path, default=os.environ.get("NAV_DATA", ROOT.parent / "shared/data"))
    parser.add_argument("--scripts", type=pathlib.Path, default=ROOT.parent / "shared/peers")
    parser.add_argument("--peers", type=pathlib.Path)
    parser.add_argument("--programs", type=pathlib.Path, default=ROOT / ".build/release")
    parser.add_argument("--sets", default=",".join(SETS), help="peers, table, cost: sets, with commas between")
    parser.add_argument("--every", help=f"seconds between fixes, with commas between; ours {SAMPLINGS}, others 1")
    parser.add_argument("--stride", type=int, default=25, help="peers: fixes between two windows")
    parser.add_argument("--rounds", type=int, default=5, help="cost: the least of so many counts")
    options = parser.parse_args()
    if options.what in ("prepare", "peers", "cost") and not options.peers:
        parser.error(f"{options.what} needs --peers")
    sys.path.insert(0, str(options.scripts))
    steps[options.what](options)


if __name__ == "__main__":
    main()
