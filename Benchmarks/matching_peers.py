"""The peers over the traces of the matching benchmark: Valhalla and OSRM MLD, in process."""

import contextlib
import json
import os
import pathlib
import subprocess
import sys
import time

from matching_sets import PEERS, Case, cases, everies, mismatch, progress

# Fixes that a live client of a peer matches again at each fix.
WINDOW = 20


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


def settings(name):
    """Metres of sigma to tell the peers: none, and the set's true one; for real tracks that of kubicka_bench.py."""
    return None, float(name.split("-")[1]) if "-" in name else 10.0


def label(peer, told):
    return PEERS[peer] + (f" told {told:g} m" if told else " by default")


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
