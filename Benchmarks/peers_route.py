#!/usr/bin/env python3
"""Our routes beside OSRM's and Valhalla's, on the same pairs, in one run.

    Benchmarks/peers_route.py PEERS MAP.navmap PAIRS.csv [--nav PATH] [--limit N] [--rounds N] [--only NAME,...]

PEERS is the folder that peers/build.sh filled (osrm-ch, valhalla.json, ...) and PEERS/../venv the environment of
peers/setup.sh, or $VENV. Prints milliseconds of processor time at the median, and ratios to OSRM CH. Each engine has
a process of its own and is measured in turn, as often as --rounds says (2); the least figure counts, and each one is
told on stderr. --only leaves out whose name does not begin with one of these words.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile


def ours(nav, chart, pairs, *flags):
    command = [nav, "bench", "route", "--map", chart, "--pairs", pairs, "--json", *flags]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


OURS = {
    "ours, lean": [],
    "ours, full": ["--full"],
    "ours, a box of 2 km avoided": ["--avoid-box", "2000"],
    "ours, two alternatives": ["--alternatives", "2"],
}


# Valhalla with a box of 2 km around the middle of each pair excluded, as `--avoid-box 2000` has it.
EXCLUDING = """
import csv, json, math, os, sys, time
import valhalla
rows = list(csv.DictReader(open(sys.argv[2])))[:int(sys.argv[3]) or None]
out = os.fdopen(os.dup(1), "w")
os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
actor = valhalla.Actor(sys.argv[1])
times, failed = [], 0
for index, row in enumerate(rows[:100] + rows):
    a, b = ((float(row[p + "_lat"]), float(row[p + "_lon"])) for p in "od")
    lat, lon = (a[0] + b[0]) / 2, (a[1] + b[1]) / 2
    n = 1000 / 111195
    e = n / math.cos(math.radians(lat))
    ring = [[lon - e, lat - n], [lon + e, lat - n], [lon + e, lat + n], [lon - e, lat + n], [lon - e, lat - n]]
    question = json.dumps({"locations": [{"lat": p[0], "lon": p[1]} for p in (a, b)], "costing": "auto",
                           "directions_type": "none", "shape_format": "no_shape", "exclude_polygons": [ring]})
    before = time.thread_time()
    try:
        actor.route(question)
    except RuntimeError:
        failed += index >= 100
        continue
    if index >= 100:
        times.append(1000 * (time.thread_time() - before))
times.sort()
print(json.dumps({"p50": times[len(times) // 2], "p95": times[len(times) * 95 // 100], "n": len(times),
                  "failed": failed}), file=out, flush=True)
"""


def excluding(python, data, pairs, limit):
    done = subprocess.run([python, "-c", EXCLUDING, f"{data}/valhalla.json", pairs, str(limit or 0)], check=True,
                          capture_output=True, text=True)
    return json.loads(done.stdout.splitlines()[-1])


def theirs(python, bench, data, pairs, engine, limit):
    with tempfile.NamedTemporaryFile(suffix=".json") as out:
        command = [python, bench, data, pairs, out.name, "--only", engine]
        if limit:
            command += ["--limit", str(limit)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return json.load(open(out.name))[0]["modes"]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("peers")
    parser.add_argument("map")
    parser.add_argument("pairs")
    parser.add_argument("--nav", default=".build/release/nav")
    parser.add_argument("--scripts", default="../shared/peers", help="where route_bench.py lies")
    parser.add_argument("--limit", type=int)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--only", default="ours,osrm-ch,valhalla")
    options = parser.parse_args()
    venv = os.environ.get("VENV", str(pathlib.Path(options.peers).parent / "venv"))
    python = f"{venv}/bin/python"
    bench = f"{options.scripts}/route_bench.py"
    wanted = tuple(options.only.split(","))
    rows = {}

    def add(name, *row):
        print(f"{name}: {row[0]:.3f}", file=sys.stderr)
        rows[name] = min(rows.get(name, row), row)

    for _ in range(options.rounds):
        for name, flags in OURS.items():
            if name.startswith(wanted):
                figures = ours(options.nav, options.map, options.pairs, *flags)
                add(name, figures["cpu_ms_p50"], figures["cpu_ms_p95"], figures["n"], figures["failed"])
        name = "valhalla, lean, the same box excluded"
        if name.startswith(wanted):
            said = excluding(python, options.peers, options.pairs, options.limit)
            add(name, said["p50"], said["p95"], said["n"], said["failed"])
        for engine in ("osrm-ch", "valhalla"):
            if not engine.startswith(wanted):
                continue
            modes = theirs(python, bench, options.peers, options.pairs, engine, options.limit)
            for mode, figures in modes.items():
                cpu = figures["cpu_ms"]
                add(f"{engine}, {mode}", cpu["p50"], cpu["p95"], figures["n"], figures["failed"])
    base = {mode: rows.get(f"osrm-ch, {mode}", (None,))[0] for mode in ("lean", "full")}
    print("| engine | CPU ms p50 | p95 | n | failed | to OSRM lean | full |\n|---|---|---|---|---|---|---|")
    for name, (p50, p95, n, failed) in rows.items():
        ratios = [f"{p50 / base[mode]:.2f}" if base[mode] else "" for mode in ("lean", "full")]
        print(f"| {name} | {p50:.3f} | {p95:.3f} | {n} | {failed} | {ratios[0]} | {ratios[1]} |")
    boxes = [rows[name][0] for name in ("ours, a box of 2 km avoided", "valhalla, lean, the same box excluded") if name in rows]
    if len(boxes) == 2:
        print(f"The box: {boxes[0] / boxes[1]:.2f} of Valhalla's")
    return 0


if __name__ == "__main__":
    sys.exit(main())
