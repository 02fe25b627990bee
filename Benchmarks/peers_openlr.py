#!/usr/bin/env python3
"""OpenLR lines with a known truth, decoded by `nav openlr` and by PyPI's openlr-decoder on the same edges.

    Benchmarks/peers_openlr.py MAP.navmap… [--nav .build/release/nav] [--count N] [--seed N] [--only SET]

Needs a Python with openlr-decoder and pyarrow (`--python PATH` names another one). `nav map edges` dumps the directed edges
that motor vehicles may use; the script encodes random paths as OpenLR line locations (binary format 3), and both programs
decode them. A line counts as right where 95 % of the metres of the truth and of the answer are common to both.

Sets: `same`, two points on the same map; `moved 4 m` and `moved 10 m`, each point moved in a random direction; `offsets`,
the line begins and ends between its points; `points`, one to four more points; `winding`, random walks, with a point wherever
the shortest path would leave the line; `five classes`, a publisher with five levels of roads instead of eight; `inside`, a
publisher whose first and last point lie between two junctions of this map; `mixed`, of all these something at once.
"""

import argparse
import base64
import heapq
import json
import math
import os
import random
import struct
import subprocess
import sys
import tempfile
import time

FORMS = ["undefined", "motorway", "multiple_carriageway", "single_carriageway", "roundabout", "traffic_square",
         "slip_road", "other"]
CLASSES = ["motorway", "trunk", "primary", "secondary", "tertiary", "unclassified", "residential", "living_street"]
FIVE = [0, 1, 1, 2, 3, 4, 4, 4]
STEP_M = 15000 / 256
SETS = ["same", "moved 4 m", "moved 10 m", "offsets", "points", "winding", "five classes", "inside", "mixed"]


def metres(a, b):
    k = 6371008.8 * math.pi / 180
    return math.hypot((b[0] - a[0]) * math.cos(math.radians((a[1] + b[1]) / 2)), b[1] - a[1]) * k


def bearing(a, b):
    east = (b[0] - a[0]) * math.cos(math.radians((a[1] + b[1]) / 2))
    return math.degrees(math.atan2(east, b[1] - a[1])) % 360


def moved(at, dice, by):
    angle, k = dice.uniform(0, 2 * math.pi), 6371008.8 * math.pi / 180
    return (at[0] + by * math.sin(angle) / k / math.cos(math.radians(at[1])), at[1] + by * math.cos(angle) / k)


class Graph:
    """The directed edges of a map that motor vehicles may use."""

    def __init__(self, lines):
        self.edges, self.leaving, self.at = {}, {}, {}
        for line in lines:
            feature = json.loads(line)
            edge = feature["properties"]
            if not edge["motor"]:
                continue
            edge["shape"] = [tuple(point) for point in feature["geometry"]["coordinates"]]
            edge["frc"] = CLASSES.index(edge["class"]) if edge["class"] in CLASSES else 7
            self.edges[edge["edge"]] = edge
            self.leaving.setdefault(edge["tail"], []).append(edge)
            self.at[edge["tail"]] = edge["shape"][0]
            self.at[edge["head"]] = edge["shape"][-1]
        self.nodes = sorted(self.leaving)
        # Some data has a road twice; either is right.
        first = {}
        self.same = {number: first.setdefault((edge["tail"], edge["head"], tuple(edge["shape"])), number)
                     for number, edge in self.edges.items()}

    def tree(self, start, limit_m, goal=None):
        """The edge that reaches each node by the shortest path, and its metres."""
        best, before, queue = {start: 0.0}, {}, [(0.0, start)]
        while queue:
            length, node = heapq.heappop(queue)
            if length > best[node] or node == goal:
                if node == goal:
                    break
                continue
            for edge in self.leaving.get(node, []):
                there = length + edge["length_m"]
                if there <= limit_m and there < best.get(edge["head"], math.inf):
                    best[edge["head"]], before[edge["head"]] = there, edge
                    heapq.heappush(queue, (there, edge["head"]))
        return best, before

    @staticmethod
    def trace(before, goal):
        path = []
        while goal in before:
            path.append(before[goal])
            goal = before[goal]["tail"]
        return path[::-1]

    def shortest(self, dice):
        """A shortest path of 300 m to 4 km between random nodes."""
        while True:
            best, before = self.tree(dice.choice(self.nodes), dice.uniform(600, 4000))
            ends = sorted(node for node, length in best.items() if length >= 300)
            if ends:
                return self.trace(before, dice.choice(ends))

    def walk(self, dice):
        """A random walk of 300 m to 3 km without turning around."""
        while True:
            goal_m, seen = dice.uniform(300, 3000), set()
            node, path, length = dice.choice(self.nodes), [], 0
            while length < goal_m and node not in seen:
                seen.add(node)
                ways = [edge for edge in self.leaving.get(node, []) if edge["head"] not in seen]
                if not ways:
                    break
                path.append(dice.choice(ways))
                length, node = length + path[-1]["length_m"], path[-1]["head"]
            if length >= goal_m:
                return path


def line_of(edges):
    shape = list(edges[0]["shape"])
    for edge in edges[1:]:
        shape += edge["shape"][1:]
    return shape


def direction(shape):
    """Bearing from the beginning of a line to its point after 20 m."""
    left = 20.0
    for a, b in zip(shape, shape[1:]):
        length = metres(a, b)
        if length >= left:
            share = left / length
            return bearing(shape[0], (a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])))
        left -= length
    return bearing(shape[0], shape[-1])


def cuts_of_walk(graph, path):
    """Places in a path where a point is needed for the shortest path between points to be the line."""
    cuts, start = [0], 0
    while start < len(path):
        end, sums = start + 1, [0]
        for edge in path[start:]:
            sums.append(sums[-1] + edge["length_m"])
        while end < len(path) and sums[end + 1 - start] < 14000:
            best, before = graph.tree(path[start]["tail"], sums[end + 1 - start] + 0.01, path[end]["head"])
            way = graph.trace(before, path[end]["head"])
            if [e["edge"] for e in way] != [e["edge"] for e in path[start:end + 1]]:
                break
            end += 1
        if end == start:
            end += 1
        cuts.append(end)
        start = end
    return cuts


def encode(path, cuts, levels=None, move=None, positive=None, negative=None):
    """Base64 of a line with points at the places `cuts` of a path; `positive` and `negative` are shares of its end legs."""
    points = []
    for number, cut in enumerate(cuts):
        last = number == len(cuts) - 1
        at = path[cut - 1]["shape"][-1] if last else path[cut]["shape"][0]
        line = path[cut - 1] if last else path[cut]
        leg = [] if last else path[cut:cuts[number + 1]]
        shape = line_of(path[cuts[number - 1]:])[::-1] if last else line_of(path[cut:])
        frc = [edge["frc"] if levels is None else levels[edge["frc"]] for edge in [line, *leg]]
        points.append((move(at) if move else at, frc[0], FORMS.index(line["form"]), direction(shape),
                       max(frc[1:], default=7), sum(edge["length_m"] for edge in leg)))
    data, known = bytearray([0x0B]), None
    for number, (at, frc, form, degrees, least, length) in enumerate(points):
        if known is None:
            whole = [int(value * (1 << 24) / 360 + math.copysign(0.5, value)) for value in at]
            data += b"".join(struct.pack(">i", value)[1:] for value in whole)
            known = [(value - math.copysign(0.5, value)) * 360 / (1 << 24) for value in whole]
        else:
            steps = [round((at[k] - known[k]) * 1e5) for k in (0, 1)]
            data += struct.pack(">hh", *steps)
            known = [known[k] + steps[k] / 1e5 for k in (0, 1)]
        data.append(frc << 3 | form)
        sector = int(degrees / 11.25) & 31
        if number < len(points) - 1:
            data += bytes([least << 5 | sector, min(255, int(length / STEP_M))])
        else:
            data.append((positive is not None) << 6 | (negative is not None) << 5 | sector)
    for share in (positive, negative):
        if share is not None:
            data.append(min(255, int(share * 256)))
    return base64.b64encode(bytes(data)).decode()


def offsets_of(code):
    """The offsets of a code of two points, as shares of the leg between them."""
    data = base64.b64decode(code)
    if len(data) > 18:
        return 0.0, 0.0
    shares = iter((byte + 0.5) / 256 for byte in data[16:])
    return next(shares) if data[15] & 0x40 else 0.0, next(shares) if data[15] & 0x20 else 0.0


def cut_ends(path, start_m, end_m):
    """The parts of a path without metres at its ends: (edge, from, to)."""
    total, done, parts = sum(edge["length_m"] for edge in path), 0.0, []
    for edge in path:
        low, high = max(0.0, start_m - done), min(edge["length_m"], total - end_m - done)
        if high > low:
            parts.append((edge["edge"], low, high))
        done += edge["length_m"]
    return parts


def make(graph, kind, dice):
    """A code and the parts of edges that it means."""
    path = graph.walk(dice) if kind == "winding" else graph.shortest(dice)
    cuts, ends, options = [0, len(path)], (0.0, 0.0), {}
    if kind == "mixed":
        return mixed(path, dice)
    if kind.startswith("moved"):
        options["move"] = lambda at: moved(at, dice, float(kind.split()[1]))
    elif kind == "five classes":
        options["levels"] = FIVE
    elif kind == "offsets":
        shares = [dice.uniform(0, 0.45), dice.uniform(0, 0.45)]
        options = {"positive": shares[0], "negative": shares[1]}
        length = sum(edge["length_m"] for edge in path)
        ends = (shares[0] * length, shares[1] * length)
    elif kind == "points":
        between = range(1, len(path))
        cuts = sorted({0, len(path), *dice.sample(between, min(len(between), dice.randint(1, 4)))})
    elif kind == "winding":
        cuts = cuts_of_walk(graph, path)
    elif kind == "inside":
        return shortened(path, cuts, dice, options)
    return encode(path, cuts, **options), cut_ends(path, *ends)


def part_of(edge, low, high):
    """A piece of an edge as an edge: its shape and length between two places."""
    shape, done, points = edge["shape"], 0.0, []
    scale = edge["length_m"] / max(1e-9, sum(metres(a, b) for a, b in zip(shape, shape[1:])))

    def at(place):
        walked = 0.0
        for a, b in zip(shape, shape[1:]):
            length = metres(a, b) * scale
            if place <= walked + length and length > 0:
                share = (place - walked) / length
                return (a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1]))
            walked += length
        return shape[-1]

    points.append(at(low))
    for a, b in zip(shape, shape[1:]):
        done += metres(a, b) * scale
        if low < done < high:
            points.append(b)
    points.append(at(high))
    return {**edge, "shape": points, "length_m": high - low}


def shortened(path, cuts, dice, options):
    """A path whose first and last edge are cut somewhere, where the publisher's map has nodes."""
    start, end = path[0]["length_m"] * dice.uniform(0.1, 0.9), path[-1]["length_m"] * dice.uniform(0.1, 0.9)
    if len(path) == 1:
        start, end = sorted((start, end + 1))
        start, end = min(start, end - 1), path[0]["length_m"] - end
        own = [part_of(path[0], start, path[0]["length_m"] - end)]
    else:
        own = [part_of(path[0], start, path[0]["length_m"]), *path[1:-1],
               part_of(path[-1], 0, path[-1]["length_m"] - end)]
    return encode(own, cuts, **options), cut_ends(path, start, end)


def mixed(path, dice):
    """Points moved by up to 8 m, five or eight classes, up to two more points, and in half of the lines cut end edges."""
    between = range(1, len(path))
    cuts = sorted({0, len(path), *dice.sample(between, min(len(between), dice.randint(0, 2)))})
    by = dice.uniform(0, 8)
    options = {"move": lambda at: moved(at, dice, by), "levels": dice.choice([None, FIVE])}
    if dice.random() < 0.5:
        return shortened(path, cuts, dice, options)
    return encode(path, cuts, **options), cut_ends(path, 0, 0)


def length_of(parts):
    return sum(high - low for _, low, high in parts)


def is_right(truth, found, same):
    """Whether 95 % of the metres of both are common."""
    common = 0.0
    for edge, low, high in truth:
        common += sum(max(0.0, min(high, b) - max(low, a)) for other, a, b in found if same[other] == same[edge])
    return common >= 0.95 * max(length_of(truth), length_of(found))


def ours(nav, path, codes):
    """Parts for each code, or the reason against it; and processor seconds."""
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.write("\n".join(codes) + "\n")
        file.flush()
        begin = os.times()
        done = subprocess.run([nav, "openlr", path, "--file", file.name, "--json"], capture_output=True, text=True)
        end = os.times()
    if done.returncode not in (0, 1):
        sys.exit(f"nav openlr: {done.stderr}")
    found = []
    for line in done.stdout.splitlines():
        answer = json.loads(line)
        found.append(answer["reason"] if "reason" in answer
                     else [(part["edge"], part["from_m"], part["to_m"]) for part in answer["parts"]])
    return found, end.children_user + end.children_system - begin.children_user - begin.children_system


class Peer:
    """PyPI's openlr-decoder over the same edges, each direction an edge of its own."""

    def __init__(self, graph):
        import openlr_decoder
        import pyarrow
        rows = list(graph.edges.values())
        highway = [edge["class"] + ("_link" if edge["link"] else "") for edge in rows]

        def wkb(shape):
            return struct.pack("<BII", 1, 2, len(shape)) + b"".join(struct.pack("<dd", *point) for point in shape)

        table = pyarrow.table({
            "stableEdgeId": pyarrow.array([edge["edge"] for edge in rows], pyarrow.uint64()),
            "startOsmNode": pyarrow.array([edge["tail"] for edge in rows], pyarrow.int64()),
            "endOsmNode": pyarrow.array([edge["head"] for edge in rows], pyarrow.int64()),
            "startLat": [edge["shape"][0][1] for edge in rows], "startLon": [edge["shape"][0][0] for edge in rows],
            "endLat": [edge["shape"][-1][1] for edge in rows], "endLon": [edge["shape"][-1][0] for edge in rows],
            "highway": highway,
            "lanes": pyarrow.array([None] * len(rows), pyarrow.int64()),
            "geometry": pyarrow.array([wkb(edge["shape"]) for edge in rows], pyarrow.binary())})
        network = openlr_decoder.RoadNetwork.from_arrow(table)
        # As it comes, and with roads of all classes: its own levels of streets differ from the eight of the sets.
        self.usual = openlr_decoder.Decoder(network)
        self.tolerant = openlr_decoder.Decoder(network, openlr_decoder.DecoderConfig(frc_tolerance=7))
        self.version = openlr_decoder.__version__
        self.edges = graph.edges

    def decode(self, codes, decoder):
        begin = time.process_time()
        batch = decoder.decode_batch(codes).to_pylist()
        seconds = time.process_time() - begin
        found = []
        for code, row in zip(codes, batch):
            if row["error"] is not None:
                found.append(row["error"])
                continue
            path = [self.edges[edge] for edge in row["edge_ids"]]
            start_m, end_m = row["positive_offset"], row["negative_offset"]
            # It leaves the offsets of the code to its callers; codes with offsets have two points here.
            leg_m = sum(edge["length_m"] for edge in path) - start_m - end_m
            positive, negative = offsets_of(code)
            found.append(cut_ends(path, start_m + positive * leg_m, end_m + negative * leg_m))
        return found, seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("maps", nargs="+")
    parser.add_argument("--nav", default=".build/release/nav")
    parser.add_argument("--python", help="a Python with openlr-decoder and pyarrow, where this one has neither")
    parser.add_argument("--count", type=int, default=300, help="lines of each set")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=SETS)
    parser.add_argument("--wrong", help="writes the lines that are not right to this file")
    options = parser.parse_args()
    if options.python:
        arguments = [word for word in sys.argv if word not in ("--python", options.python)]
        os.execv(options.python, [options.python, *arguments])
    wrong = open(options.wrong, "w", encoding="utf-8") if options.wrong else None
    behind = 0
    print("| map | set | ours: decoded | right | peer: decoded | right | peer, any class: decoded | right | CPU ms a line, ours | peer |\n"
          "|---|---|---|---|---|---|---|---|---|---|")
    for path in options.maps:
        dump = subprocess.run([options.nav, "map", "edges", path], check=True, capture_output=True, text=True)
        graph = Graph(dump.stdout.splitlines())
        peer = Peer(graph)
        name = os.path.basename(path).split(".")[0]
        # Reading the map is not decoding.
        idle = min(ours(options.nav, path, ["AAAA"])[1] for _ in range(3))
        for kind in [options.only] if options.only else SETS:
            dice = random.Random(f"{options.seed} {kind}")
            cases = [make(graph, kind, dice) for _ in range(options.count)]
            codes = [code for code, _ in cases]
            row, shares = f"| {name} | {kind} |", []
            times = []
            for who, (found, seconds) in (
                    ("ours", ours(options.nav, path, codes)), ("peer", peer.decode(codes, peer.usual)),
                    ("peer", peer.decode(codes, peer.tolerant))):
                assert len(found) == len(cases), f"{who}: {len(found)} answers to {len(cases)} codes"
                rights = [not isinstance(answer, str) and is_right(truth, answer, graph.same)
                          for (_, truth), answer in zip(cases, found)]
                decoded = sum(not isinstance(answer, str) for answer in found)
                shares.append(sum(rights) / len(cases))
                times.append(1000 * max(0, seconds - (idle if who == "ours" else 0)) / len(cases))
                row += f" {100 * decoded / len(cases):.1f} % | {100 * shares[-1]:.1f} % |"
                if wrong and who == "ours":
                    for (code, truth), answer, right in zip(cases, found, rights):
                        if not right:
                            wrong.write(json.dumps({"map": name, "set": kind, "code": code, "truth": truth,
                                                    "found": answer}) + "\n")
            behind += shares[0] < max(shares[1:])
            print(f"{row} {times[0]:.2f} | {times[2]:.2f} |", flush=True)
    print(f"openlr-decoder {peer.version}; {options.count} lines of each set; "
          + (f"behind the peer in {behind} sets" if behind else "at or above the peer in each set"))
    return 1 if behind else 0


if __name__ == "__main__":
    sys.exit(main())
