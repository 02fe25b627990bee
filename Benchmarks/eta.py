#!/usr/bin/env python3
"""How far the time of arrival is off: 40 simulated drives on four maps, at the start and on the way.

    NAV_DATA=/path/to/data eta.py --programs .build/release
    eta.py --factors 0.8,1,1.2 --traffic both
    eta.py --only heidelberg --drives 3

Each drive runs in one process with drawn time, so the figures are the same on each machine. The error is the time of arrival of
`guidance/progress` less that of the arrival, at the start and after 25, 50, 75 and 90 % of the drive's time: positive where the
stack expected the arrival too late. Shares are of the time that the drive took. With traffic, the middle of the map is jammed
(jam factor 5) for the first 15 minutes and eases to `--rest` after them, which the feed does not foretell; the driver drives as
the traffic of the moment lets him.
Needs msgpack (.cache/python has it) and the maps of the data folder.
"""

import argparse
import concurrent.futures
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

import msgpack

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "clients/python"))
from navstack import recording  # noqa: E402

MARKS = (0, 0.25, 0.5, 0.75, 0.9)

# Map: the box that is jammed (south, west, north, east), and drives (from lat, lon, to lat, lon), drawn by a seed from the middles
# of streets that are 4 to 18 km apart.
DRIVES = {
    "heidelberg": ((49.39649, 8.67495, 49.42331, 8.73622), [
        (49.35984, 8.69167, 49.43058, 8.69204),
        (49.41422, 8.76136, 49.4352, 8.68159),
        (49.36684, 8.67958, 49.45103, 8.67286),
        (49.4757, 8.65533, 49.46472, 8.76248),
        (49.39349, 8.78167, 49.38608, 8.69046),
        (49.45476, 8.67429, 49.38277, 8.6755),
        (49.37481, 8.76941, 49.40939, 8.68761),
        (49.41534, 8.76171, 49.38617, 8.80473),
        (49.48011, 8.67111, 49.39309, 8.79092),
        (49.49708, 8.65854, 49.37871, 8.68878),
    ]),
    "porto": ((41.1496, -8.61532, 41.22683, -8.54054), [
        (41.20783, -8.64788, 41.08127, -8.60144),
        (41.17236, -8.52165, 41.21984, -8.54722),
        (41.11002, -8.53174, 41.07777, -8.613),
        (41.1788, -8.5701, 41.22412, -8.55274),
        (41.12064, -8.61236, 41.03064, -8.5587),
        (41.10947, -8.61122, 41.15535, -8.66068),
        (41.03198, -8.61918, 41.1507, -8.67686),
        (41.02227, -8.56641, 41.09611, -8.57053),
        (41.22409, -8.55673, 41.15242, -8.59873),
        (41.16813, -8.60922, 41.03056, -8.55454),
    ]),
    "milan": ((45.46067, 9.17353, 45.49448, 9.22406), [
        (45.47169, 9.12314, 45.42237, 9.26361),
        (45.40508, 9.1228, 45.49686, 9.18557),
        (45.52219, 9.28484, 45.48526, 9.18849),
        (45.42024, 9.23883, 45.53369, 9.14629),
        (45.41227, 9.13362, 45.4426, 9.27296),
        (45.47708, 9.15066, 45.44294, 9.09955),
        (45.45727, 9.17074, 45.50222, 9.2423),
        (45.46975, 9.22754, 45.50054, 9.19926),
        (45.47095, 9.10564, 45.51289, 9.23681),
        (45.47383, 9.11469, 45.4636, 9.18389),
    ]),
    "malta": ((35.8784, 14.44025, 35.91001, 14.48941), [
        (35.85424, 14.43957, 35.87308, 14.53904),
        (35.89492, 14.34644, 35.87514, 14.51147),
        (36.02992, 14.23395, 35.95415, 14.38478),
        (35.87447, 14.50417, 35.95803, 14.36667),
        (35.88835, 14.39374, 35.8859, 14.54634),
        (35.87874, 14.51868, 35.83912, 14.45933),
        (35.9368, 14.45775, 35.86135, 14.56036),
        (35.89463, 14.44652, 35.87624, 14.54464),
        (35.8848, 14.53985, 35.90201, 14.46746),
        (35.86185, 14.50537, 35.85188, 14.39259),
    ]),
}

STACK = """stack: eta
map: {map}
external: [traffic/flow, traffic/incidents]
nodes:
  location:
    run: nav-location-provider
    params: {{source: simulator, start_at: "{start[0]},{start[1]}", start_time: "2026-06-01T10:00:00Z", speed_factor: {factor}}}
  matcher: {{run: nav-map-matcher}}
  router: {{run: nav-router}}
  navigator:
    run: nav-navigator
    params: {{adopt: auto, traffic_interval_s: 120}}
  poller:
    run: nav-dynamic-routing
    params: {{poll_interval_s: {poll}}}
{traffic}
start:
  - navigate/start: {{waypoints: [{{lat_deg: {start[2]}, lon_deg: {start[3]}}}]}}
until: {{topic: guidance/arrival}}
"""


def measure(options, folder, city, number, factor, jammed):
    """The errors of one drive in seconds at each mark and its time; None where it does not arrive."""
    box, drives = DRIVES[city]
    name = f"{city}-{number}-{factor}-{'jam' if jammed else 'free'}"
    file, record = folder / f"{name}.yaml", folder / f"{name}.mcap"
    traffic = ""
    if jammed:
        events = folder / f"{name}.json"
        jams = [{"at_s": 0, "until_s": 900, "box": box, "jam_factor": 5}]
        if options.rest > 0:
            jams.append({"at_s": 900, "box": box, "jam_factor": options.rest})
        events.write_text(json.dumps({"feed": "scenario", "events": jams}))
        traffic = f"  traffic:\n    run: nav-traffic\n    params: {{scenario: {events}, begin: clock}}\n"
    file.write_text(STACK.format(map=folder / f"{city}.navmap", start=drives[number], factor=factor,
                                 poll=120 if jammed else 600, traffic=traffic))
    done = subprocess.run([options.programs / "nav", "drive", file, "--record", record, "--limit", "7200"],
                          capture_output=True, text=True, check=False)
    if done.returncode != 0:
        print(f"{name}: {done.stderr.strip()[-200:]}", file=sys.stderr)
        return None
    progress, end = [], None
    for topic, header, payload in recording.messages(record):
        leaf = topic.split("/", 1)[-1]
        if leaf == "guidance/progress":
            progress.append((header["stamp"], msgpack.unpackb(payload, strict_map_key=False)["eta_ns"]))
        elif leaf == "guidance/arrival":
            end = end or header["stamp"]
    record.unlink()
    begin = progress[0][0]
    errors = [next((eta - end) / 1e9 for stamp, eta in progress if stamp >= begin + mark * (end - begin)) for mark in MARKS]
    if options.each:
        print(f"{name}: {(end - begin) / 1e9:.0f} s, " + ", ".join(f"{error:+.1f}" for error in errors), flush=True)
    return (end - begin) / 1e9, errors


def table(title, drives):
    """Prints a row for each mark: mean, absolute mean and 95th percentile, in seconds and as shares of the drives."""
    print(f"\n{title}: {len(drives)} drives of {statistics.mean(time for time, _ in drives):.0f} s")
    print("| driven | bias | abs mean | p95 | bias | abs mean | p95 |\n|---|---|---|---|---|---|---|")
    for place, mark in enumerate(MARKS):
        seconds = [errors[place] for _, errors in drives]
        shares = [100 * errors[place] / time for time, errors in drives]
        row = []
        for values, unit in ((seconds, "s"), (shares, "%")):
            sizes = sorted(map(abs, values))
            row += [f"{statistics.mean(values):+.1f} {unit}", f"{statistics.mean(sizes):.1f} {unit}",
                    f"{sizes[max(0, -(-95 * len(sizes) // 100) - 1)]:.1f} {unit}"]
        print(f"| {mark:.0%} | {' | '.join(row)} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=pathlib.Path, default=ROOT / ".build/release")
    parser.add_argument("--data", type=pathlib.Path, default=pathlib.Path(os.environ.get("NAV_DATA", ROOT.parent / "shared/data")))
    parser.add_argument("--only", default=",".join(DRIVES), help="maps, with commas between")
    parser.add_argument("--drives", type=int, default=10, help="drives on each map")
    parser.add_argument("--factors", default="1", help="the driver's speeds as multiples of the usual ones, with commas between")
    parser.add_argument("--traffic", choices=["none", "jams", "both"], default="none")
    parser.add_argument("--rest", type=float, default=3, help="jam factor after the first 15 minutes; 0 for none")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--each", action="store_true", help="print each drive as well")
    parser.add_argument("--maps", type=pathlib.Path, help="a folder with built maps, not to build them")
    options = parser.parse_args()
    options.programs = options.programs.resolve()
    cities = options.only.split(",")
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        for city in cities:
            if options.maps:
                (folder / f"{city}.navmap").symlink_to(options.maps.resolve() / f"{city}.navmap")
                continue
            subprocess.run([options.programs / "nav", "map", "build", options.data / f"maps/{city}.osm.pbf",
                            "-o", folder / f"{city}.navmap"], check=True, capture_output=True)
        failed = 0
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            for jammed in {"none": [False], "jams": [True], "both": [False, True]}[options.traffic]:
                for factor in options.factors.split(","):
                    runs = {city: [pool.submit(measure, options, folder, city, number, factor, jammed)
                                   for number in range(min(options.drives, len(DRIVES[city][1])))] for city in cities}
                    found = {city: [run.result() for run in runs[city]] for city in cities}
                    failed += sum(drive is None for drives in found.values() for drive in drives)
                    title = f"speed factor {factor}, {'with' if jammed else 'without'} traffic"
                    good = {city: [drive for drive in drives if drive] for city, drives in found.items()}
                    for city in cities if len(cities) > 1 else []:
                        if good[city]:
                            table(f"{title}, {city}", good[city])
                    table(title, [drive for drives in good.values() for drive in drives])
        if failed:
            sys.exit(f"eta: {failed} drives did not arrive")


if __name__ == "__main__":
    main()
