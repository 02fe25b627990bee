#!/usr/bin/env python3
"""New traffic on every road of a city: what OSRM needs until it answers by it, in processor time.

    Benchmarks/peers_traffic.py PEERS CITY.osm.pbf PAIRS.csv [--rounds N]

Writes a speed for each piece of road between two nodes and each direction, lets osrm-customize take them in, loads the
data anew and asks for one route. PEERS as for peers_route.py. Prints CPU seconds of each; `bench-engines` tells ours.
"""

import argparse
import csv
import json
import os
import pathlib
import random
import resource
import shutil
import subprocess
import sys
import tempfile

LOADED = """
import json, sys, time
import osrm
begin = time.process_time()
engine = osrm.OSRM(storage_config=sys.argv[1], algorithm="MLD", use_shared_memory=False)
loaded = time.process_time()
a, b = json.loads(sys.argv[2])
route = engine.Route(osrm.RouteParameters(coordinates=[tuple(a), tuple(b)], overview="false"))
assert route["code"] == "Ok"
print(json.dumps([loaded - begin, time.process_time() - loaded, float(route["routes"][0]["duration"])]))
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("peers", type=pathlib.Path)
    parser.add_argument("extract")
    parser.add_argument("pairs")
    parser.add_argument("--scripts", default="../shared/peers", help="where osmpbf.py lies")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    venv = pathlib.Path(os.environ.get("VENV", options.peers.parent / "venv"))
    python = venv / "bin/python"
    if pathlib.Path(sys.executable).parent.absolute() != python.parent.absolute():
        os.execv(python, [python, *sys.argv])
    sys.path.insert(0, options.scripts)
    import osmpbf
    import osrm
    customize = pathlib.Path(osrm.__file__).parent / "bin/osrm-customize"
    ways, _ = osmpbf.read(options.extract)
    pieces = sorted({(a, b) for _, _, nodes in ways for a, b in zip(nodes, nodes[1:])})
    with open(options.pairs, encoding="utf-8") as file:
        row = next(csv.DictReader(file))
    ends = json.dumps([[float(row["o_lon"]), float(row["o_lat"])], [float(row["d_lon"]), float(row["d_lat"])]])
    dice = random.Random(1)
    print("| round | pieces, both ways | osrm-customize | load | route | all, CPU s |\n|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(options.peers / "osrm-mld", folder, dirs_exist_ok=True)
        speeds = pathlib.Path(folder) / "speeds.csv"
        for number in range(options.rounds):
            with open(speeds, "w", encoding="utf-8") as file:
                for a, b in pieces:
                    file.write(f"{a},{b},{dice.randint(8, 90)}\n{b},{a},{dice.randint(8, 90)}\n")
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            subprocess.run([customize, "--segment-speed-file", speeds, f"{folder}/map.osrm"], check=True, capture_output=True)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            customized = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            done = subprocess.run([python, "-c", LOADED, f"{folder}/map.osrm", ends], check=True, capture_output=True, text=True)
            load, route, _ = json.loads(done.stdout)
            print(f"| {number + 1} | {2 * len(pieces)} | {customized:.3f} | {load:.3f} | {route:.4f} | "
                  f"{customized + load + route:.3f} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
