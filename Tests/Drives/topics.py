"""Every topic of the contract in a drive: which node writes it, and what leads to it.

Drives in one process are recorded and read message by message. Each message must come from a node whose manifest
declares the topic, and name a cause that the table below allows. A topic that no drive writes fails, unless the
table says which other program shows it.
"""

import collections
import json
import pathlib
import tempfile

import stack
import golden
import navstack
from navstack import recording

PROGRAMS = {
    "location": "nav-location-provider", "matcher": "nav-map-matcher", "router": "nav-router", "navigator": "nav-navigator",
    "poller": "nav-dynamic-routing", "traffic": "nav-traffic", "voice": "nav-voice-guidance", "renderer": "nav-renderer",
}
MATCHED, ROUTE = "location/matched", "route/active"
# Topic: (node, topics and calls that may lead to it). A tick of the stack clock is `_clock`.
WRITTEN = {
    "_clock": ({"location"}, None),
    "location/raw": ({"location"}, {"_clock", ROUTE}),
    "location/matched": ({"matcher"}, {"location/raw", "_clock"}),
    "location/smoothed": ({"matcher"}, {"location/raw", "_clock"}),
    "location/interpolated": ({"matcher"}, {"location/raw", "_clock"}),
    "route/active": ({"navigator"}, {"_svc/navigate/start", "_svc/route/calculate", "_svc/route/return", "_svc/route/traffic", "route/better", MATCHED}),
    "route/alternatives": ({"navigator"}, {"_svc/route/calculate", MATCHED}),
    "route/better": ({"poller", "navigator"}, {"_svc/route/calculate", "_svc/route/traffic", "route/better", MATCHED, "_clock"}),
    "route/error": ({"poller"}, {"guidance/deviation", "guidance/progress"}),
    "session": ({"navigator"}, {"_svc/route/calculate", "_svc/route/return", MATCHED}),
    "guidance/arrival": ({"navigator"}, {MATCHED}),
    "guidance/deviation": ({"navigator"}, {MATCHED}),
    "guidance/horizon": ({"navigator"}, {MATCHED}),
    "guidance/lanes": ({"navigator"}, {MATCHED, "_svc/route/calculate", "_svc/route/return", "route/better"}),
    "guidance/maneuver": ({"navigator"}, {MATCHED, "_svc/route/calculate", "_svc/route/return", "route/better"}),
    "guidance/milestone": ({"navigator"}, {MATCHED}),
    "guidance/offroad": ({"navigator"}, {MATCHED}),
    "guidance/progress": ({"navigator"}, {MATCHED, "_svc/route/calculate", "_svc/route/return", "route/better"}),
    "guidance/reroute": ({"navigator"}, {MATCHED, "_svc/route/calculate", "_svc/route/return"}),
    "guidance/road": ({"navigator"}, {MATCHED}),
    "guidance/speed": ({"navigator"}, {MATCHED}),
    "guidance/traffic": ({"navigator"}, {MATCHED, "traffic/incidents", ROUTE, "_svc/route/calculate"}),
    "guidance/warning": ({"navigator"}, {MATCHED}),
    "route/closures": ({"router"}, {"traffic/flow", "traffic/incidents", "_clock"}),
    "traffic/flow": ({"traffic"}, {"_clock", ROUTE}),
    "traffic/incidents": ({"traffic"}, {"_clock", ROUTE}),
    "voice/announcement": ({"voice"}, {"_clock", ROUTE, "route/better", "guidance/*"}),
    "scene/frame": ({"renderer"}, {MATCHED, "_clock", ROUTE, "guidance/*"}),
    "scene/settings": ({"renderer"}, {MATCHED, "_clock", ROUTE, "guidance/*"}),
}
# Topics that no drive in one process writes, and the program of this folder that shows each.
ELSEWHERE = {
    "_digest": "lockstep", "_journal/<node>": "replay", "_log/<node>": "hostile", "_node/<name>/status": "hostile",
    "_play/heard/<node>": "play", "_play/turn": "play", "_state/<node>": "killed", "_svc/<service>/<call>": "explain",
    "map/regions": "guides", "route/progress": "calculations", "voice/spoken": "outsiders",
}


def drives(folder):
    """Stack files that together make every topic, by what each shows."""
    town = folder / "town.osm"
    code, _, errors = stack.run("nav", "map", "town", "--output", town, seconds=60)
    if code != 0:
        raise RuntimeError(errors)
    arrives = "until: {topic: guidance/arrival}"

    # By the High Street, whose lanes have arrows, to the town hall and on to the stadium.
    golden.DRIVES["lanes"] = (golden.HOME, [(46.99941, -30.0002), golden.STADIUM], {"location.start_bearing_deg": 0})

    def drawn(label, drive, old, new):
        file = folder / f"{label}.yaml"
        file.write_text(golden.stack_file(drive, town).replace(old, new), encoding="utf-8")
        return label, file

    yield "demo", stack.DEMO, ["matcher.interpolate=always", "voice.sink=none"]
    yield *drawn("off_the_road", "to_the_cabin", arrives, "until: {topic: guidance/offroad}"), []
    yield *drawn("alternatives", "motorway", "navigate/start: {", "navigate/start: {alternatives: 2, "), []
    yield *drawn("off_the_route", "never_rerouted", arrives, "until: {topic: route/error}"), ["poller.poll_interval_s=5"]
    closed = folder / "closed.json"
    closed.write_text(json.dumps({"feed": "closed", "events": [{"at_s": 5, "street": "Crown Avenue", "incident": {
        "kind": "road_closed", "impact": "critical", "closed": True, "text": "Crown Avenue is closed"}}]}))
    yield *drawn("closed", "jam", str(stack.ROOT / "Launch/demo-traffic.json"), str(closed)), []
    yield *drawn("lanes", "lanes", arrives, "until: {topic: guidance/lanes}"), []


def allowed(cause, causes):
    return causes is None or cause in causes or ("guidance/*" in causes and cause.startswith("guidance/"))


def main():
    stack.options(__doc__)
    results = stack.Results()
    outputs = {node: set(json.loads(stack.run(program, "--describe")[1])["outputs"]) for node, program in PROGRAMS.items()}
    writers, odd = collections.defaultdict(set), collections.defaultdict(set)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for label, file, settings in drives(folder):
            record = folder / f"{label}.mcap"
            more = [word for setting in settings for word in ("--set", setting)]
            code, _, errors = stack.run("nav", "drive", file, *more, "--record", record, "--quiet", seconds=240)
            results.add(code == 0, f"{label}: the drive ends", errors.strip()[-600:])
            for topic, header, _ in recording.messages(record):
                topic = topic.removeprefix("ego/")
                writers[topic].add(header["src"])
                nodes, causes = WRITTEN.get(topic, (set(), set()))
                cause = (header.get("cause") or [None])[0]
                if header["src"] not in nodes:
                    odd[topic].add(f"{header['src']} writes it")
                elif not topic.startswith("_") and topic not in outputs[header["src"]]:
                    odd[topic].add(f"the manifest of {header['src']} does not declare it")
                elif cause is not None and not allowed(cause.removeprefix("ego/"), causes):
                    odd[topic].add(f"{cause} leads to it")
    declared = {topic for topic in navstack.TOPICS}
    for topic in sorted(declared):
        if topic in ELSEWHERE:
            program = pathlib.Path(__file__).parent / ELSEWHERE[topic]
            there = program.is_dir() or program.with_suffix(".py").exists()
            results.add(there, f"{topic}: shown by {ELSEWHERE[topic]}", "there is no such program")
        else:
            results.add(bool(writers[topic]) and not odd[topic], f"{topic}: written by {', '.join(sorted(WRITTEN.get(topic, [set()])[0]))}",
                        "; ".join(sorted(odd[topic])) or "no drive writes it")
    results.end()


if __name__ == "__main__":
    main()
