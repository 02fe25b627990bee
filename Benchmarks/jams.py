#!/usr/bin/env python3
"""What live traffic gains: 20 drives into a jam that begins after the departure, with and without better routes.

    NAV_DATA=/path/to/data jams.py --programs .build/release

The drives of eta.py on Heidelberg and Porto. Two minutes after the departure the middle of the map is jammed. With live traffic
the navigator adopts better routes by itself; without it, it never does, and the simulated driver stands in the jam. Each drive
runs in one process with drawn time. Printed are both times, what the adopted routes promised to gain, and what was gained.
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
import eta  # noqa: E402
from navstack import recording  # noqa: E402


def drive(options, folder, city, number, adopt):
    """Seconds that a drive takes, and the gains that its adopted routes promised."""
    (south, west, north, east), drives = eta.DRIVES[city]
    # A quarter of the area that eta.py jams, so that there are ways round it.
    box = [south + (north - south) / 4, west + (east - west) / 4, north - (north - south) / 4, east - (east - west) / 4]
    file, record, events = (folder / f"{city}-{number}-{adopt}.{ending}" for ending in ("yaml", "mcap", "json"))
    events.write_text(json.dumps({"feed": "scenario", "events": [{"at_s": 120, "box": box, "jam_factor": options.factor}]}))
    traffic = f"  traffic:\n    run: nav-traffic\n    params: {{scenario: {events}, begin: clock}}\n"
    text = eta.STACK.format(map=folder / f"{city}.navmap", start=drives[number], factor=1, poll=60, traffic=traffic)
    file.write_text(text.replace("adopt: auto", f"adopt: {adopt}"))
    done = subprocess.run([options.programs / "nav", "drive", file, "--record", record, "--limit", "14400"],
                          capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{city} {number}: {done.stderr.strip()[-200:]}")
    gains, begin, end = [], None, None
    for topic, header, payload in recording.messages(record):
        leaf = topic.split("/", 1)[-1]
        begin = begin or (header["stamp"] if leaf == "guidance/progress" else None)
        if leaf == "guidance/arrival":
            end = end or header["stamp"]
        elif leaf == "route/better":
            told = msgpack.unpackb(payload, strict_map_key=False)
            if told.get("state") == "accepted":
                gains.append(told["gain_s"])
    record.unlink()
    return (end - begin) / 1e9, gains


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=pathlib.Path, default=ROOT / ".build/release")
    parser.add_argument("--data", type=pathlib.Path, default=pathlib.Path(os.environ.get("NAV_DATA", ROOT.parent / "shared/data")))
    parser.add_argument("--factor", type=float, default=7, help="jam factor, 0 to 10")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="nav-jams-") as name, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        folder = pathlib.Path(name)
        for city in ("heidelberg", "porto"):
            subprocess.run([options.programs / "nav", "map", "build", options.data / f"maps/{city}.osm.pbf", "-o", folder / f"{city}.navmap"],
                           check=True, capture_output=True)
        cases = [(city, number) for city in ("heidelberg", "porto") for number in range(10)]
        runs = {(case, adopt): pool.submit(drive, options, folder, *case, adopt) for case in cases for adopt in ("auto", "never")}
        print("| drive | without, s | with, s | gained | promised | changes |\n|---|---|---|---|---|---|")
        gained, promised = [], []
        for case in cases:
            (with_s, gains), (without_s, _) = runs[case, "auto"].result(), runs[case, "never"].result()
            print(f"| {case[0]} {case[1]} | {without_s:.0f} | {with_s:.0f} | {without_s - with_s:.0f} | {sum(gains):.0f} | {len(gains)} |", flush=True)
            if gains:
                gained.append(without_s - with_s)
                promised.append(sum(gains))
        if not gained:
            sys.exit("no drive changed its route")
        print(f"\n{len(gained)} of {len(cases)} drives changed their route: gained {statistics.mean(gained):.0f} s in the mean, "
              f"promised {statistics.mean(promised):.0f} s ({sum(gained) / sum(promised):.0%})")


if __name__ == "__main__":
    main()
