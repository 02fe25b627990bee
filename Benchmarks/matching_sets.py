"""The traces that the matching benchmark runs over, and what all of its steps need."""

import csv
import dataclasses
import os
import pathlib
import subprocess
import sys
import tarfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
SAMPLINGS = "1,2,5,10,15,30,60"
SETS = {"kubicka": "Kubicka", "ar-5": "AR(1) 5 m", "ar-10": "AR(1) 10 m", "white-5": "white 5 m",
        "white-10": "white 10 m"}
MODES = ("whole", "agreed", "smoothed", "filtered")
PEERS = {"valhalla": "Valhalla", "osrm-mld": "OSRM MLD"}


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


def bench(options, *arguments, listed="list.tsv", output=None):
    subprocess.run([options.programs / "bench-matching", "--list", options.work / listed, *map(str, arguments)],
                   check=True, stdout=output)


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


def everies(options):
    return [int(every) for every in (options.every or "1").split(",")]


def mismatch(row):
    """(d+ + d-)/d0 of Newson and Krumm; infinite where nothing was matched."""
    return (row["addedM"] + row["missedM"]) / row["truthM"] if row["truthM"] else float("inf")


def rank(row):
    """The least is a peer's best setting: what it fails on is no merit."""
    return len(row["failed"]), mismatch(row)


def progress(text):
    print(f"\r{text}\x1b[K", end="", file=sys.stderr, flush=True)
