"""Runs complete drives, and compares the text that `nav drive` prints with the texts in golden/.

The text has one line per event. If a drive differs, the difference is printed as a patch. If the change is intended,
`--accept` writes the new text, which becomes part of the commit. `--only NAME` runs one drive.
"""

import difflib
import pathlib
import tempfile

import stack

FOLDER = pathlib.Path(__file__).resolve().parent / "golden"
HOME, OFFICE, STATION = (46.99714, -30.02392), (47.00287, -29.97645), (47.00183, -29.9998)
MALL, HOSPITAL, STADIUM = (46.99127, -29.98796), (47.0062, -30.01195), (47.00744, -29.98835)
SCHOOL, ISLAND, FARM = (46.99723, -30.01071), (46.97756, -29.95932), (47.01632, -29.98813)
VILLAGE, CABIN = (47.00022, -30.0356), (46.98291, -30.0389)

LONGEST_PATCH = 60  # lines of a patch that are printed

# Name: start, stops with the destination last, and parameters as NODE.PARAM.
DRIVES = {
    "motorway": (HOME, [OFFICE], {}),
    "wrong_turn": (HOME, [OFFICE], {"location.wrong_turn_at_m": 1200, "location.wrong_turn_length_m": 800}),
    "never_rerouted": (HOME, [STATION], {
        "location.wrong_turn_at_m": 1000, "location.wrong_turn_length_m": 900, "navigator.rerouting": '"off"'}),
    "two_stops": (SCHOOL, [HOSPITAL, MALL, STADIUM], {"location.stopover_s": 20}),
    "to_the_cabin": (VILLAGE, [CABIN], {}),
    "ferry": (MALL, [ISLAND], {}),
    "jam": (HOME, [OFFICE], {"traffic": True, "navigator.adopt": "auto", "poller.poll_interval_s": 15,
                             "navigator.quiet_before_maneuver_s": 0, "navigator.quiet_before_end_s": 0}),
    "noise": (HOME, [MALL], {"location.noise_m": 8, "location.noise_drift_m": 6, "location.noise_dropout_share": 0.02,
                             "location.noise_outlier_share": 0.01, "location.seed": 3}),
    "lorry": (STADIUM, [FARM], {"location.mode": "truck", "navigator.mode": "truck"}),
    # School Lane continues as Star Road for 610 m, which NameChangeRule reports.
    "new_name": (SCHOOL, [HOME], {}),
    "bicycle": (STATION, [STADIUM], {"location.mode": "bicycle", "navigator.mode": "bicycle", "matcher.mode": "bicycle"}),
}


def stack_file(name, town):
    """The stack file of a drive: every stage that makes decisions, and none that only displays them."""
    start, to, settings = DRIVES[name]
    nodes = {"location": {"source": "simulator", "start_at": f"{start[0]},{start[1]}", "start_time": '"2026-06-01T10:00:00Z"'},
             "matcher": {}, "router": {}, "navigator": {}, "poller": {}}
    nodes["voice"] = {"sink": "none", "warnings": "[safety_camera, school_zone, railway_crossing, jam_end, traffic_signals]"}
    programs = {"location": "location-provider", "matcher": "map-matcher", "poller": "dynamic-routing",
                "voice": "voice-guidance"}
    if settings.get("traffic"):
        nodes["traffic"] = {"scenario": stack.ROOT / "Launch/demo-traffic.json"}
    for key, value in settings.items():
        if "." in key:
            node, parameter = key.split(".")
            nodes[node][parameter] = value
    text = f"stack: {name.replace('_', '-')}\nmap: {town}\n\nnodes:\n"
    for node, parameters in nodes.items():
        text += f"  {node}:\n    run: nav-{programs.get(node, node)}\n"
        if parameters:
            text += "    params:\n" + "".join(f"      {key}: {value}\n" for key, value in parameters.items())
    stops = ", ".join(f"{{lat_deg: {lat}, lon_deg: {lon}}}" for lat, lon in to)
    return (text + "\nexternal: [traffic/flow, traffic/incidents]\n"
            f"\nstart:\n  - navigate/start: {{waypoints: [{stops}]}}\n"
            "\nuntil: {topic: guidance/arrival}\n")


def main():
    options = stack.options(
        __doc__,
        accept={"action": "store_true", "help": "write the new texts to golden/ where a drive differs"},
        only={"choices": list(DRIVES), "metavar": "NAME", "help": f"run one drive: {', '.join(DRIVES)}"})
    results = stack.Results()
    with tempfile.TemporaryDirectory() as folder:
        town = pathlib.Path(folder) / "town.osm"
        code, _, errors = stack.run("nav", "map", "town", "--output", town, seconds=60)
        if code != 0:
            results.add(False, "nav map town", errors)
        for name in DRIVES if code == 0 else []:
            if options.only in (None, name):
                drive(results, name, pathlib.Path(folder), town, options.accept)
    results.end()


def drive(results, name, folder, town, accepts):
    file = folder / f"{name}.yaml"
    file.write_text(stack_file(name, town), encoding="utf-8")
    code, text, errors = stack.run("nav", "drive", file, "--limit", "300" if name == "never_rerouted" else "1800", seconds=240)
    # Without a reroute the vehicle never arrives: the drive ends at its limit, and reports that.
    never_arrives = name == "never_rerouted"
    if code != int(never_arrives) or (never_arrives and "guidance/arrival did not arrive" not in errors):
        results.add(False, f"{name}: the drive did not end as expected", f"exit code {code}: {errors.strip()[-1000:]}")
        return
    golden = FOLDER / f"{name}.txt"
    before = golden.read_text(encoding="utf-8") if golden.exists() else ""
    if accepts and text != before:
        golden.write_text(text, encoding="utf-8")
        results.add(True, f"{name}: golden/{name}.txt is written, {counted(text.splitlines(), 'line')}")
    elif text == before:
        results.add(True, f"{name}: the drive equals golden/{name}.txt, {counted(text.splitlines(), 'line')}")
    else:
        results.add(False, f"{name}: the drive differs from golden/{name}.txt", difference(name, before, text))


def difference(name, before, after):
    """The changed lines between two texts: their number, and a patch that is cut if it is long."""
    patch = list(difflib.unified_diff(before.splitlines(), after.splitlines(), f"golden/{name}.txt", "now", lineterm="", n=1))
    changed = [line for line in patch[2:] if line.startswith(("+", "-"))]
    cut = patch[LONGEST_PATCH:]
    rest = [f"… {counted(cut, 'more line')}"] if cut else []
    return "\n".join([counted(changed, "changed line"), *patch[:LONGEST_PATCH], *rest])


def counted(lines, word):
    return f"{len(lines)} {word}{'' if len(lines) == 1 else 's'}"


if __name__ == "__main__":
    main()
