#!/usr/bin/env python3
"""Map matching on traces whose true way is known (bench.md P5, P6).

    matching.py prepare --work DIR        convert the Kubicka tracks, drive synthetic traces; write DIR/list.tsv
    matching.py ours --work DIR           run bench-matching; write DIR/ours.json
    matching.py check --work DIR          score our lines with the peers' own script; must give the same figures

Needs `--data` (the folder with kubicka/tracks.tar.xz and maps/porto.osm.pbf; default $NAV_DATA), `--scripts` (the peers'
scripts, which also match the same traces with the peers: kubicka_bench.py, match_bench.py), and for `prepare` also `--peers`: the
folder that setup.sh and build.sh filled (venv/, porto/, pairs.csv).
Kubicka: the data set's own graph as an OSM file, each pair of arcs a two-way tertiary road, a lone arc a one-way. Synthetic:
mktraces.py, 40 drives over Porto at 1 Hz, white noise and AR(1) of 0.9, sigma 5 and 10 m. Long parts show progress.
"""

import argparse
import csv
import json
import os
import pathlib
import subprocess
import sys
import tarfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
SAMPLINGS = "1,2,5,10,15,30,60"


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


def bench(options, *arguments):
    subprocess.run([options.programs / "bench-matching", "--list", options.work / "list.tsv", *map(str, arguments)],
                   check=True)


def ours(options):
    bench(options, "--every", SAMPLINGS, "--json", options.work / "ours.json")


def check(options):
    """Scores our lines of whole traces at 1 Hz with geo.mismatch()."""
    sys.path.insert(0, str(options.scripts))
    import geo
    bench(options, "--modes", "whole", "--lines", options.work / "lines.json", "--json", options.work / "check.json")
    truths = {}
    with open(options.work / "list.tsv") as file:
        for line in file:
            kind, name, _, _, truth = line.rstrip("\n").split("\t")
            truths[kind, name] = options.work / truth
    sums = {}
    for drawn in json.load(open(options.work / "lines.json")):
        with open(truths[drawn["set"], drawn["id"]]) as file:
            truth = [(float(r["lat"]), float(r["lon"])) for r in csv.DictReader(file)]
        added, missed, length = geo.mismatch(truth, drawn["lines"])
        old = sums.get(drawn["set"], (0, 0))
        sums[drawn["set"]] = (old[0] + added + missed, old[1] + length)
    failed = False
    for row in json.load(open(options.work / "check.json")):
        if row["half"] == "all":
            wrong, length = sums[row["set"]]
            mine = (row["addedM"] + row["missedM"]) / row["truthM"]
            same = abs(wrong / length - mine) < 2e-4
            failed |= not same
            print(f"{'pass' if same else 'FAIL'}: {row['set']}: {100 * wrong / length:.3f} % by geo.mismatch, "
                  f"{100 * mine:.3f} % here")
    sys.exit(1 if failed else 0)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["prepare", "ours", "check"])
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--data", type=pathlib.Path, default=os.environ.get("NAV_DATA", ROOT.parent / "shared/data"))
    parser.add_argument("--scripts", type=pathlib.Path, default=ROOT.parent / "shared/peers")
    parser.add_argument("--peers", type=pathlib.Path)
    parser.add_argument("--programs", type=pathlib.Path, default=ROOT / ".build/release")
    options = parser.parse_args()
    {"prepare": prepare, "ours": ours, "check": check}[options.what](options)


if __name__ == "__main__":
    main()
