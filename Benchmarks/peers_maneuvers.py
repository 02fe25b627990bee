#!/usr/bin/env python3
"""Our maneuvers beside OSRM's and Valhalla's, on the same path, junction by junction.

    peers_maneuvers.py prepare --work DIR --city porto --extract porto.osm.pbf
    peers_maneuvers.py ask --work DIR --city porto [--pairs PAIRS.csv]     OSRM's routes; Valhalla's words for the same lines
    peers_maneuvers.py ours --work DIR --city porto [--programs .build/release]
    peers_maneuvers.py compare --work DIR --city porto [--show KIND] [--json]

`prepare`, `ask` need the environment of the peers' setup.sh (osrm, valhalla, osmium) as the Python that runs this, and
their scripts (--scripts, mkpairs.py). `prepare` builds OSRM (MLD) and Valhalla with the side on which the country drives, which their
guidance needs: Valhalla by a made boundary of one country (OSRM knows it by itself). The path is OSRM's, by the
OSM nodes that it names; we take it node by node, Valhalla by `trace_route` along its line. A route of which Valhalla drives
another line is left out and counted.
"""

import argparse
import collections
import csv
import json
import math
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "Benchmarks"))
import maneuver_classes as classes  # noqa: E402

# Name, code, and a box (west, south, east, north) that holds all of the extract.
COUNTRIES = {
    "porto": ("Portugal", "PT", (-10, 40, -7, 43)),
    "heidelberg": ("Germany", "DE", (7, 48, 10, 51)),
    "rhein-neckar-roads": ("Germany", "DE", (7, 48, 10, 51)),
    "malta": ("Malta", "MT", (13, 35, 16, 37.5)),
}


def folder(options):
    path = options.work / options.city
    path.mkdir(parents=True, exist_ok=True)
    return path


# MARK: The peers' data


def write_country(path, name, code, box):
    import osmium
    from osmium.osm import mutable

    west, south, east, north = box
    corners = [(west, south), (east, south), (east, north), (west, north)]
    tags = {"boundary": "administrative", "admin_level": "2"}
    writer = osmium.SimpleWriter(str(path), overwrite=True)
    for index, place in enumerate(corners):
        writer.add_node(mutable.Node(id=index + 1, location=place, version=1))
    for index in range(4):
        nodes = [index + 1, (index + 1) % 4 + 1]
        writer.add_way(mutable.Way(id=index + 1, nodes=nodes, tags=tags, version=1))
    tags |= {"type": "boundary", "name": name, "name:en": name, "ISO3166-1": code, "ISO3166-1:alpha2": code}
    members = [("w", index + 1, "outer") for index in range(4)]
    writer.add_relation(mutable.Relation(id=1, version=1, members=members, tags=tags))
    writer.close()


def program(module, name):
    import importlib

    return str(pathlib.Path(importlib.import_module(module).__file__).parent / "bin" / name)


def prepare(options):
    name, code, box = COUNTRIES[options.city]
    work = folder(options)
    write_country(work / "country.osm.pbf", name, code, box)

    def run(*words):
        print("  " + " ".join(map(str, words))[:150], flush=True)
        subprocess.run([str(word) for word in words], check=True, stdout=subprocess.DEVNULL)

    tiles = work / "valhalla_tiles"
    words = ["--mjolnir-tile-dir", tiles, "--mjolnir-admin", work / "admins.sqlite", "--mjolnir-timezone", "",
             "--mjolnir-concurrency", "1", "--service-limits-trace-max-shape", "100000",
             "--service-limits-trace-max-distance", "1000000"]
    made = subprocess.run(
        [sys.executable, str(pathlib.Path(sys.executable).parent / "valhalla_build_config"), *map(str, words)],
        check=True, capture_output=True, text=True)
    config = json.loads(made.stdout)
    for part in config.values():
        if isinstance(part, dict) and "logging" in part:
            part["logging"]["type"] = ""
    (work / "valhalla.json").write_text(json.dumps(config))
    run(program("valhalla", "valhalla_build_admins"), "-c", work / "valhalla.json", work / "country.osm.pbf")
    run(program("valhalla", "valhalla_build_tiles"), "-c", work / "valhalla.json", options.extract)
    import osrm

    profile = pathlib.Path(osrm.__file__).parent / "share/profiles/car.lua"
    (work / "osrm").mkdir(exist_ok=True)
    base = work / "osrm/map.osrm"
    run(program("osrm", "osrm-extract"), "-t", 1, "-p", profile, "-o", base, options.extract)
    run(program("osrm", "osrm-partition"), "-t", 1, base)
    run(program("osrm", "osrm-customize"), "-t", 1, base)
    if not options.pairs:
        run(sys.executable, options.scripts / "mkpairs.py", options.extract, work / "pairs.csv", "--seed", 1,
            "--osrm", base, "--algorithm", "MLD", "--valhalla", work / "valhalla.json")


# MARK: Asking them


def decode(text, digits=1e6):
    """Places of an encoded polyline, in units of its precision."""
    places, index, last = [], 0, [0, 0]
    while index < len(text):
        for axis in (0, 1):
            shift = value = 0
            while True:
                byte = ord(text[index]) - 63
                index += 1
                value |= (byte & 31) << shift
                shift += 5
                if byte < 32:
                    break
            last[axis] += ~(value >> 1) if value & 1 else value >> 1
        places.append((last[0], last[1]))
    return places


def metres(a, b):
    """Between two places in 1e-6 degrees."""
    north = (b[0] - a[0]) * 0.111195
    east = (b[1] - a[1]) * 0.111195 * math.cos(math.radians(a[0] / 1e6))
    return math.hypot(north, east)


def plain(value):
    """OSRM's objects as Python's own."""
    return json.loads(str(value)) if not isinstance(value, (dict, list)) else value


def osrm_route(engine, module, pair):
    answer = engine.Route(module.RouteParameters(
        coordinates=[(pair[1], pair[0]), (pair[3], pair[2])], steps=True, overview="full", geometries="polyline6",
        annotations=["nodes"], generate_hints=False))
    leg = answer["routes"][0]["legs"][0]
    line, steps = [], []
    for step in leg["steps"]:
        places = decode(str(step["geometry"]))
        maneuver = step["maneuver"]
        told = {"at": max(0, len(line) - 1), "type": str(maneuver["type"])}
        for key in ("modifier", "exit", "bearing_before", "bearing_after"):
            try:
                value = maneuver[key]
                told[key] = str(value) if key == "modifier" else int(float(value))
            except (IndexError, KeyError, ValueError):
                pass
        steps.append(told)
        line += places if not line else places[1:]
    return line, [int(float(node)) for node in leg["annotation"]["nodes"]], steps


def valhalla_words(actor, line):
    """Maneuvers along a line, by the line's own places; None where it drives another."""
    question = {
        "shape": [{"lat": a / 1e6, "lon": b / 1e6} for a, b in line], "costing": "auto",
        "shape_match": "walk_or_snap", "search_radius": 5, "gps_accuracy": 3,
        "costing_options": {"auto": {"ignore_access": False}}}
    leg_list = json.loads(actor.trace_route(json.dumps(question)))["trip"]["legs"]
    if len(leg_list) != 1:
        return None
    shape = decode(leg_list[0]["shape"])
    where, at = [], 0
    for place in shape:
        found = next((i for i in range(at, min(len(line), at + 40)) if metres(line[i], place) < 1.2), None)
        where.append(found)
        at = at if found is None else found
    # Ends may lie elsewhere on their piece of road; between them all places are the line's.
    if sum(place is None for place in where[2:-2]) > 0 or not where:
        return None
    kept = {i for i in where if i is not None}
    if len(kept) < 0.98 * len(line) - 4:
        return None
    told = []
    for maneuver in leg_list[0]["maneuvers"]:
        at = where[maneuver["begin_shape_index"]]
        one = {"at": at if at is not None else (0 if not told else len(line) - 1), "type": maneuver["type"]}
        for key in ("roundabout_exit_count", "bearing_before", "bearing_after"):
            if key in maneuver:
                one[key] = maneuver[key]
        told.append(one)
    return told


def ask(options):
    import osrm
    import valhalla

    work = folder(options)
    pairs = options.pairs or work / "pairs.csv"
    rows = [[float(row[key]) for key in ("o_lat", "o_lon", "d_lat", "d_lon")] for row in csv.DictReader(open(pairs))]
    out = os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # Valhalla in process prints a line a route.
    engine = osrm.OSRM(storage_config=str(work / "osrm/map.osrm"), algorithm="MLD", use_shared_memory=False)
    actor = valhalla.Actor(str(work / "valhalla.json"))
    counts = collections.Counter()
    with open(work / "asked.jsonl.part", "w") as file:
        for index, pair in enumerate(rows[:options.limit]):
            if index % 200 == 0:
                print(f"  {options.city}: {index} of {len(rows)}", file=out, flush=True)
            try:
                line, nodes, steps = osrm_route(engine, osrm, pair)
            except RuntimeError:
                counts["without a route of OSRM"] += 1
                continue
            try:
                told = valhalla_words(actor, line)
            except RuntimeError:
                told = None
            if told is None:
                counts["driven otherwise by Valhalla"] += 1
                continue
            if len(nodes) != len(line):
                counts["whose nodes and line differ"] += 1
                continue
            counts["asked"] += 1
            file.write(json.dumps({"id": index, "nodes": nodes, "line": line, "osrm": steps, "valhalla": told}) + "\n")
    os.replace(work / "asked.jsonl.part", work / "asked.jsonl")
    print(f"{options.city}: " + ", ".join(f"{count} {kind}" for kind, count in counts.items()), file=out, flush=True)


def ours(options):
    work = folder(options)
    with open(work / "ours.jsonl.part", "w") as file:
        subprocess.run(
            [str(options.programs / "bench-maneuvers"), "--map", str(options.map or work / "map.navmap"),
             str(work / "asked.jsonl")], check=True, stdout=file)
    os.replace(work / "ours.jsonl.part", work / "ours.jsonl")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("step", choices=["prepare", "ask", "ours", "compare"])
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--city", choices=list(COUNTRIES), required=True)
    parser.add_argument("--extract", type=pathlib.Path)
    parser.add_argument("--pairs", type=pathlib.Path)
    parser.add_argument("--scripts", type=pathlib.Path, default=ROOT / "../shared/peers")
    parser.add_argument("--programs", type=pathlib.Path, default=ROOT / ".build/release")
    parser.add_argument("--map", type=pathlib.Path)
    parser.add_argument("--limit", type=int)
    parser.add_argument("--show", help="print the places of one kind of difference")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    if options.step == "compare":
        classes.compare(folder(options), options)
    else:
        {"prepare": prepare, "ask": ask, "ours": ours}[options.step](options)


if __name__ == "__main__":
    main()
