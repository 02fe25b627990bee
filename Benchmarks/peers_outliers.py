#!/usr/bin/env python3
"""Where our routes differ from OSRM's and Valhalla's, and why, pair by pair.

    Benchmarks/peers_outliers.py PEERS MAP.navmap PAIRS.csv [--router PATH] [--limit N] [--list FILE]

PEERS is the folder that peers/build.sh filled; PEERS/../venv (or $VENV) holds the wheels. Prints a table of the ratios
of length and duration, ours to theirs, and for the pairs that differ by more than a fifth (the duration after
division by the median of all pairs) what the reason is:

  ferry            without the time on ferries they agree
  other end        the two begin or end on different roads, 15 m apart or more
  closed to us     along the other's way ours must leave it: a road or turn is not open in our map
  closed to them   the same the other way round
  tie              one of the two engines finds both ways within a tenth of one another
  same way         nine tenths of the way are one; only what speed is believed differs
  speeds           the ways differ, and each engine believes its own to be faster

Each engine is asked for the other's way by points on it, every few hundred metres, with their directions.
"""

import argparse
import collections
import csv
import http.client
import json
import math
import os
import pathlib
import re
import subprocess
import sys
import time

PERCENTILES = (1, 5, 25, 50, 75, 95, 99)
KINDS = ("ferry", "other end", "closed to us", "closed to them", "tie", "same way", "speeds")


class Way:
    """A route as any of the engines tells it."""

    def __init__(self, seconds, metres, shape, ends, legs, ferry_s=0.0):
        self.seconds, self.metres, self.shape, self.ends, self.legs = seconds, metres, shape, ends, legs
        self.ferry_s = ferry_s


class Server:
    """A server of OSRM's HTTP API: ours or OSRM's own."""

    def __init__(self, command, port=None):
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        if port is None:
            line = self.process.stdout.readline()
            port = int(re.search(r"http://127\.0\.0\.1:(\d+)/", line)[1])
        self.port = port
        self.link = None
        for _ in range(600):
            try:
                self.ask("/nearest/v1/driving/0,0")
                return
            except OSError:
                time.sleep(0.1)
        raise SystemExit(f"{command[0]} does not answer")

    def ask(self, target):
        for again in (True, False):
            self.link = self.link or http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
            try:
                self.link.request("GET", target)
                return json.loads(self.link.getresponse().read())
            except (http.client.HTTPException, ConnectionError):
                self.link.close()
                self.link = None
                if not again:
                    raise
        return None

    def way(self, points, bearings=None):
        places = ";".join(f"{p[1]:.6f},{p[0]:.6f}" for p in points)
        more = ""
        if bearings:
            more = "&bearings=" + ";".join("" if b is None else f"{b:.0f},40" for b in bearings)
        said = self.ask(f"/route/v1/driving/{places}?overview=full&geometries=polyline6&steps=true{more}")
        if said.get("code") != "Ok":
            return None
        route = said["routes"][0]
        ends = [(w["location"][1], w["location"][0]) for w in said["waypoints"]]
        ferry_s = sum(step["duration"] for leg in route["legs"] for step in leg["steps"] if step["mode"] == "ferry")
        return Way(route["duration"], route["distance"], geo.decode(route["geometry"]), ends,
                   [leg["distance"] for leg in route["legs"]], ferry_s)

    def end(self):
        self.process.terminate()
        self.process.wait(10)


class Valhalla:
    def __init__(self, config):
        import valhalla
        self.actor = valhalla.Actor(str(config))

    def way(self, points, bearings=None):
        places = []
        for index, point in enumerate(points):
            place = {"lat": point[0], "lon": point[1], "type": "break"}
            if bearings and bearings[index] is not None:
                place |= {"heading": round(bearings[index]), "heading_tolerance": 40, "type": "break_through"}
            places.append(place)
        try:
            trip = json.loads(self.actor.route(json.dumps({"locations": places, "costing": "auto"})))["trip"]
        except RuntimeError:
            return None
        shape = [p for leg in trip["legs"] for p in geo.decode(leg["shape"])]
        return Way(trip["summary"]["time"], 1000 * trip["summary"]["length"], shape, [shape[0], shape[-1]],
                   [1000 * leg["summary"]["length"] for leg in trip["legs"]],
                   sum(m["time"] for leg in trip["legs"] for m in leg["maneuvers"] if m["type"] == 28))

    def end(self):
        pass


def bearing(a, b):
    east = (b[1] - a[1]) * math.cos(math.radians(a[0]))
    return math.degrees(math.atan2(east, b[0] - a[0])) % 360


def along(way, places=16, least=300.0):
    """Points on a way in the midst of its longer straight pieces, with their directions and metres from the start."""
    # Valhalla takes 20 places at most.
    step = max(least, way.metres / places)
    found, done, last = [], 0.0, 0.0
    pieces = list(zip(way.shape, way.shape[1:]))
    best = None
    for a, b in pieces:
        length = geo.dist(a, b)
        middle = ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)
        at = done + length / 2
        done += length
        if at - last > step / 2 and (best is None or length > best[0]):
            best = (length, middle, bearing(a, b), at)
        if best and done - last > step:
            if way.metres - best[3] > min(50, step / 4):
                found.append(best[1:])
            last, best = done, None
    return found


def cut(way, begin_m, end_m):
    """The part of a way between two distances from its start."""
    shape, done = [], 0.0
    for a, b in zip(way.shape, way.shape[1:]):
        length = geo.dist(a, b)
        for at in (begin_m, end_m):
            if done <= at < done + length:
                share = (at - done) / length
                shape.append((a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])))
        done += length
        if begin_m < done < end_m:
            shape.append(b)
    return Way(0, end_m - begin_m, shape or way.shape[:1], [], [])


def driven_by(engine, way, ends, **how):
    """`way` as `engine` would drive it, and where it leaves it most: (Way, metres more, (from, to) in metres); None where it cannot."""
    marks = along(way, **how)
    points = [ends[0], *(m[0] for m in marks), ends[1]]
    got = engine.way(points, [None, *(m[1] for m in marks), None])
    if got is None:
        return None
    at = [0.0, *(m[2] for m in marks), way.metres]
    more = [(leg - (b - a), (a, b)) for leg, a, b in zip(got.legs, at, at[1:])]
    return got, *max(more)


def closed(engine, way, begin_m, end_m):
    """Where `engine` cannot drive a part of a way, however closely it is led along: a place; None where it can."""
    part = cut(way, begin_m, end_m)
    if len(part.shape) < 2:
        return None
    ends = (part.shape[0], part.shape[-1])
    found = driven_by(engine, part, ends, places=14, least=40.0)
    if found is None:
        return ends
    _, more, (a, b) = found
    piece = cut(part, a, b)
    return (piece.shape[0], piece.shape[-1]) if more > 60 else None


def shared(a, b):
    """Share of `a` that lies within 15 m of `b`, by length."""
    plane = geo.Plane(*a.shape[0])
    cells = collections.defaultdict(list)
    line = [plane.xy(p) for p in b.shape]
    for x, y, _, _, _ in geo.samples(line, 10):
        cells[int(x // 20), int(y // 20)].append((x, y))
    both = total = 0.0
    for x, y, _, _, length in geo.samples([plane.xy(p) for p in a.shape], 20):
        total += length
        cx, cy = int(x // 20), int(y // 20)
        near = (q for i in (-1, 0, 1) for j in (-1, 0, 1) for q in cells.get((cx + i, cy + j), ()))
        if any((q[0] - x) ** 2 + (q[1] - y) ** 2 < 225 for q in near):
            both += length
    return both / total if total else 1.0


def reason(us, them, ours, theirs):
    """Why two ways of one pair differ: (kind, place or None)."""
    for mine, other in zip((ours.ends[0], ours.ends[-1]), (theirs.ends[0], theirs.ends[-1])):
        if geo.dist(mine, other) > 15:
            return "other end", other
    if min(shared(ours, theirs), shared(theirs, ours)) > 0.9:
        return "same way", None
    ends = (ours.ends[0], ours.ends[-1])
    here, there = driven_by(us, theirs, ends), driven_by(them, ours, ends)
    for kind, engine, way, found in (("closed to us", us, theirs, here), ("closed to them", them, ours, there)):
        if found is None:
            return kind, None
        # Between two marks an engine may go elsewhere because that is faster: only who cannot follow finds it closed.
        if found[1] > max(100, 0.02 * way.metres):
            place = closed(engine, way, *found[2])
            if place:
                return kind, place
    if here[0].seconds < 1.1 * ours.seconds or there[0].seconds < 1.1 * theirs.seconds:
        return "tie", None
    return "speeds", None


def at(values, share):
    values = sorted(values)
    return values[min(len(values) - 1, int(len(values) * share / 100))]


def compare(name, us, them, pairs, listing):
    both = []
    for number, start, end in pairs:
        ours, theirs = us.way([start, end]), them.way([start, end])
        if ours is None or theirs is None or not theirs.metres or not theirs.seconds:
            print(f"{name}: pair {number}: {'we have' if ours is None else 'it has'} no way", file=sys.stderr)
            continue
        both.append((number, ours, theirs))
    lengths = [o.metres / t.metres for _, o, t in both]
    times = [o.seconds / t.seconds for _, o, t in both]
    level = at(times, 50)
    for what, values in (("length", lengths), ("duration", times)):
        cells = " | ".join(f"{at(values, p):.3f}" for p in PERCENTILES)
        print(f"| {name}, {what} | {cells} |", flush=True)
    counts = {"length": collections.Counter(), "duration": collections.Counter()}
    for (number, ours, theirs), by_length, by_time in zip(both, lengths, times):
        off = {"length": by_length, "duration": by_time / level}
        off = {what for what, ratio in off.items() if not 1 / 1.2 <= ratio <= 1.2}
        if not off:
            continue
        ashore = (ours.seconds - ours.ferry_s) / max(1, theirs.seconds - theirs.ferry_s) / level
        if off == {"duration"} and theirs.ferry_s and 1 / 1.2 <= ashore <= 1.2:
            kind, place = "ferry", None
        else:
            kind, place = reason(us, them, ours, theirs)
        for what in off:
            counts[what][kind] += 1
        if listing:
            listing.writerow([name, number, kind, f"{by_length:.3f}", f"{by_time:.3f}", f"{ours.metres:.0f}",
                              f"{theirs.metres:.0f}", place])
    return len(both), counts


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("peers", type=pathlib.Path)
    parser.add_argument("map")
    parser.add_argument("pairs")
    parser.add_argument("--router", default=".build/release/nav-router")
    parser.add_argument("--scripts", default="../shared/peers", help="where geo.py lies")
    parser.add_argument("--limit", type=int)
    parser.add_argument("--list", help="a CSV of the pairs that differ")
    options = parser.parse_args()
    venv = pathlib.Path(os.environ.get("VENV", options.peers.parent / "venv"))
    python = venv / "bin/python"
    if pathlib.Path(sys.executable).parent.absolute() != python.parent.absolute():
        os.execv(python, [python, *sys.argv])
    sys.path.insert(0, options.scripts)
    global geo
    import geo
    import osrm
    # Valhalla writes a line for each question to standard output.
    sys.stdout = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    with open(options.pairs, encoding="utf-8") as file:
        rows = list(csv.DictReader(file))[:options.limit]
    pairs = [(r["id"], (float(r["o_lat"]), float(r["o_lon"])), (float(r["d_lat"]), float(r["d_lon"]))) for r in rows]
    routed = pathlib.Path(osrm.__file__).parent / "bin/osrm-routed"
    us = Server([options.router, "--http", "127.0.0.1:0", "--map", options.map])
    port = 20000 + os.getpid() % 20000
    them = {
        "OSRM": Server([str(routed), "-i", "127.0.0.1", "-p", str(port), "-t", "1", "-l", "ERROR", "-a", "CH",
                        str(options.peers / "osrm-ch/map.osrm")], port),
        "Valhalla": Valhalla(options.peers / "valhalla.json"),
    }
    listing = None
    if options.list:
        file = open(options.list, "w", newline="", encoding="utf-8")
        listing = csv.writer(file)
        listing.writerow("peer pair kind length_ratio duration_ratio ours_m theirs_m place".split())
    print(f"| ours to | {' | '.join(f'p{p}' for p in PERCENTILES)} |\n|{'---|' * (len(PERCENTILES) + 1)}")
    found = {name: compare(name, us, engine, pairs, listing) for name, engine in them.items()}
    print(f"\n| beyond a fifth | pairs | {' | '.join(KINDS)} |\n|{'---|' * (len(KINDS) + 2)}")
    for name, (count, kinds) in found.items():
        for what, counter in kinds.items():
            total = sum(counter.values())
            print(f"| {name}, {what} | {total} of {count} | {' | '.join(str(counter[k]) for k in KINDS)} |")
    for engine in (us, *them.values()):
        engine.end()
    return 0


if __name__ == "__main__":
    sys.exit(main())
