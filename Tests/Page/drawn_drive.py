"""A drive drawn on an OSM file: a route, and what the stages say while it is driven.

Knows nothing of sockets: `Drive` gives (topic, stamp_ns, payload) in their order, payloads as
Protocols/ describes them. Good enough to test a screen, not to navigate by.
"""

import heapq
import math
import xml.etree.ElementTree as ElementTree

DRIVEN = {"motorway", "trunk", "primary", "secondary", "tertiary", "unclassified", "residential", "living_street"}
SPEED_KMH = {"motorway": 110, "trunk": 80, "primary": 50, "secondary": 50, "tertiary": 50}
EARTH_M = 6371008.8


def distance_m(a, b):
    (lat1, lon1), (lat2, lon2) = a, b
    x = math.radians(lon2 - lon1) * math.cos(math.radians((lat1 + lat2) / 2))
    return EARTH_M * math.hypot(x, math.radians(lat2 - lat1))


def bearing_deg(a, b):
    (lat1, lon1), (lat2, lon2) = a, b
    east = math.radians(lon2 - lon1) * math.cos(math.radians((lat1 + lat2) / 2))
    return math.degrees(math.atan2(east, math.radians(lat2 - lat1))) % 360


def turn_deg(before, after):
    return (after - before + 540) % 360 - 180


def polyline6(points):
    out, last = [], [0, 0]
    for point in points:
        for axis in (0, 1):
            value = round(point[axis] * 1e6)
            delta, last[axis] = value - last[axis], value
            delta = ~(delta << 1) if delta < 0 else delta << 1
            while delta >= 32:
                out.append(chr((32 | delta & 31) + 63))
                delta >>= 5
            out.append(chr(delta + 63))
    return "".join(out)


class Roads:
    """The drivable roads of an OSM XML file, as a graph of its nodes."""

    def __init__(self, path):
        self.places, self.links = {}, {}
        for element in ElementTree.parse(path).getroot():
            if element.tag == "node":
                self.places[int(element.get("id"))] = (float(element.get("lat")), float(element.get("lon")))
            elif element.tag == "way":
                self.add(element)
        self.links = {node: links for node, links in self.links.items() if links}

    def add(self, way):
        tags = {tag.get("k"): tag.get("v") for tag in way.iter("tag")}
        kind = tags.get("highway", "").removesuffix("_link")
        if kind not in DRIVEN:
            return
        road = {
            "name": tags.get("name", ""), "number": tags.get("ref", ""), "road_class": kind,
            "speed_limit_mps": SPEED_KMH.get(kind, 30) / 3.6, "link": tags["highway"].endswith("_link"),
            "tunnel": tags.get("tunnel", "no") != "no", "bridge": tags.get("bridge", "no") != "no",
        }
        nodes = [int(nd.get("ref")) for nd in way.iter("nd")]
        nodes = [node for node in nodes if node in self.places]
        is_one_way = tags.get("oneway") in ("yes", "1") or kind == "motorway" or tags.get("junction") == "roundabout"
        for a, b in zip(nodes, nodes[1:]):
            metres = distance_m(self.places[a], self.places[b])
            link = (metres, road, int(way.get("id")))
            self.links.setdefault(a, []).append((b, *link))
            self.links.setdefault(b, [])
            if not is_one_way:
                self.links[b].append((a, *link))

    def nearest(self, lat, lon):
        return min(self.links, key=lambda node: distance_m(self.places[node], (lat, lon)))

    def tree(self, start):
        """Seconds and the way back to `start` of every node that can be reached."""
        cost, back, queue = {start: 0.0}, {}, [(0.0, start)]
        while queue:
            seconds, node = heapq.heappop(queue)
            if seconds > cost[node]:
                continue
            for other, metres, road, way in self.links.get(node, []):
                total = seconds + metres / road["speed_limit_mps"]
                if total < cost.get(other, math.inf):
                    cost[other], back[other] = total, (node, road, way)
                    heapq.heappush(queue, (total, other))
        return cost, back

    def path(self, start, goal=None):
        """Nodes and roads to `goal`, or to the place that takes longest to reach."""
        cost, back = self.tree(start)
        node = goal if goal in cost else max(cost, key=cost.get)
        nodes, roads = [node], []
        while node != start:
            node, road, _ = back[node]
            nodes.append(node)
            roads.append(road)
        return nodes[::-1], roads[::-1]


def grade(turn):
    for limit, word in ((-120, "sharp_left"), (-55, "left"), (-20, "slight_left"), (20, "straight"),
                        (55, "slight_right"), (120, "right")):
        if turn < limit:
            return word
    return "sharp_right"


def lanes_for(turn):
    lanes = [{"directions": [word], "recommendation": "not_recommended"} for word in ("left", "through", "through;right")]
    lanes[2]["directions"] = ["through", "right"]
    lanes[2 if turn > 0 else 0]["recommendation"] = "highly_recommended"
    return lanes


class Drive:
    """A route along a path, and the messages of driving it."""

    def __init__(self, roads, start, goal=None, route_id="r-1", begins_ns=1_790_000_000_000_000_000):
        self.nodes, self.roads = roads.path(start, goal)
        self.shape = [roads.places[node] for node in self.nodes]
        self.offsets = [0.0]
        for a, b in zip(self.shape, self.shape[1:]):
            self.offsets.append(self.offsets[-1] + distance_m(a, b))
        self.length_m = self.offsets[-1]
        self.route_id, self.now_ns = route_id, begins_ns
        self.maneuvers = self.find_maneuvers()
        self.travelled_m, self.speed_mps = 0.0, 0.0

    def find_maneuvers(self):
        found = [self.maneuver(0, "depart", 0)]
        for i in range(1, len(self.nodes) - 1):
            turn = turn_deg(bearing_deg(self.shape[i - 1], self.shape[i]), bearing_deg(self.shape[i], self.shape[i + 1]))
            is_other = self.roads[i - 1]["name"] != self.roads[i]["name"]
            if abs(turn) > 30 and (is_other or abs(turn) > 60) and self.offsets[i] - found[-1]["offset_m"] > 15:
                found.append(self.maneuver(i, "turn", turn))
        found.append(self.maneuver(len(self.nodes) - 1, "arrive", 0))
        for maneuver, after in zip(found, found[1:]):
            maneuver["length_m"] = after["offset_m"] - maneuver["offset_m"]
        return found

    def maneuver(self, i, action, turn):
        last = len(self.roads) - 1
        before, after = self.roads[max(i - 1, 0)], self.roads[min(i, last)]
        name = after["name"] or after["number"]
        word = grade(turn).replace("_", " ")
        text = {"depart": f"Start on {name}.", "arrive": "You will reach your destination."}.get(
            action, f"Turn {word} onto {name}." if name else f"Turn {word}.")
        maneuver = {
            "action": action, "lat_deg": self.shape[i][0], "lon_deg": self.shape[i][1], "offset_m": self.offsets[i],
            "section": 0, "segment": min(i, last), "shape_index": i, "bearing_before_deg": 0.0,
            "bearing_after_deg": 0.0, "from_road": before, "onto_road": after, "lanes": [], "length_m": 0.0,
            "duration_s": 0.0, "text": text,
        }
        if action == "turn":
            maneuver |= {"grade": grade(turn), "turn_angle_deg": turn, "lanes": lanes_for(turn)}
        return maneuver

    def route(self, jam=None):
        """The route as it travels; `jam` is a range of offsets in metres that is jammed."""
        shape_lat, shape_lon = zip(*self.shape)
        cuts = sorted({0.0, *(jam or ())})
        spans = {
            "start_m": cuts, "length_m": [b - a for a, b in zip(cuts, [*cuts[1:], self.length_m])],
            "first_shape_index": [self.index_at(cut) for cut in cuts], "first_segment": [self.index_at(cut) for cut in cuts],
            "segment_count": [1] * len(cuts), "road": [0] * len(cuts), "traffic_kind": ["live"] * len(cuts),
            "jam_factor": [8.5 if jam and jam[0] <= cut < jam[1] else 0.5 for cut in cuts],
        }
        for name in ("duration_free_flow_s", "duration_traffic_s", "duration_latest_s", "base_speed_mps", "traffic_speed_mps"):
            spans[name] = [10.0] * len(cuts)
        count = len(self.roads)
        seconds = self.length_m / 11
        return {
            "id": self.route_id, "request": {"waypoints": [self.waypoint(0), self.waypoint(-1)], "mode": "car"},
            "waypoints": [self.route_waypoint(0), self.route_waypoint(-1)], "length_m": self.length_m,
            "duration_free_flow_s": seconds, "duration_traffic_s": seconds, "duration_latest_s": seconds,
            "south_deg": min(shape_lat), "north_deg": max(shape_lat), "west_deg": min(shape_lon), "east_deg": max(shape_lon),
            "shape": polyline6(self.shape),
            "segments": {"way": [1] * count, "from": self.nodes[:-1], "to": self.nodes[1:], "start_m": self.offsets[:-1],
                         "length_m": [b - a for a, b in zip(self.offsets, self.offsets[1:])], "entry_offset_m": [0.0] * count,
                         "shape_index": list(range(count)), "duration_s": [1.0] * count},
            "sections": [{
                "first_waypoint": 0, "last_waypoint": 1, "start_m": 0.0, "length_m": self.length_m, "duration_free_flow_s": seconds,
                "duration_traffic_s": seconds, "duration_latest_s": seconds, "first_shape_index": 0,
                "last_shape_index": len(self.shape) - 1, "first_span": 0, "span_count": len(cuts), "first_maneuver": 0,
                "maneuver_count": len(self.maneuvers)}],
            "roads": [self.roads[0]], "spans": spans, "maneuvers": self.maneuvers, "violations": [], "computed_ns": self.now_ns,
        }

    def waypoint(self, i):
        return {"lat_deg": self.shape[i][0], "lon_deg": self.shape[i][1]}

    def route_waypoint(self, i):
        lat, lon = self.shape[i]
        return {"original": self.waypoint(i), "matched_lat_deg": lat, "matched_lon_deg": lon,
                "offset_m": self.offsets[i], "section": 0, "side": "right"}

    def index_at(self, metres):
        return max(i for i, offset in enumerate(self.offsets[:-1]) if offset <= metres or i == 0)

    def place(self, metres):
        i = self.index_at(metres)
        span = self.offsets[i + 1] - self.offsets[i]
        share = min(max((metres - self.offsets[i]) / span, 0), 1) if span else 0
        (lat1, lon1), (lat2, lon2) = self.shape[i], self.shape[i + 1]
        return i, share, (lat1 + (lat2 - lat1) * share, lon1 + (lon2 - lon1) * share)

    def starts(self, jam=None):
        yield "route/active", self.now_ns, {"reason": "new", "paused": False, "route": self.route(jam)}

    def step(self, seconds=1.0):
        """Drives on for `seconds`: a location, and the progress that follows from it."""
        index = self.index_at(self.travelled_m)
        wish = self.roads[index]["speed_limit_mps"]
        ahead = next((m for m in self.maneuvers if m["offset_m"] > self.travelled_m + 0.5), self.maneuvers[-1])
        if ahead["offset_m"] - self.travelled_m < 60:
            wish = min(wish, 6.0)
        self.speed_mps += max(-3.0 * seconds, min(2.2 * seconds, wish - self.speed_mps))
        self.travelled_m = min(self.travelled_m + self.speed_mps * seconds, self.length_m)
        self.now_ns += int(seconds * 1e9)
        yield from self.messages()

    def messages(self):
        index, share, place = self.place(self.travelled_m)
        heading = bearing_deg(self.shape[index], self.shape[index + 1])
        road = self.roads[index]
        yield "location/matched", self.now_ns, {
            "state": "matched", "lat_deg": place[0], "lon_deg": place[1], "bearing_deg": heading, "path": [],
            "probability": 0.98, "wrong_way": False, "estimated": False, "in_tunnel": False, "teleport": False,
            "speed_mps": self.speed_mps, "consecutive": 5,
        }
        left = self.length_m - self.travelled_m
        coming = [(i, m) for i, m in enumerate(self.maneuvers) if m["offset_m"] > self.travelled_m - 0.5 and i > 0][:2]
        yield "guidance/progress", self.now_ns, {
            "route_id": self.route_id, "on_route": "yes", "section": 0, "travelled_on_section_m": self.travelled_m,
            "travelled_m": self.travelled_m, "remaining_m": left, "remaining_s": left / 11, "remaining_text": f"{left:.0f} m",
            "remaining_number": left, "remaining_unit": "m", "eta_ns": self.now_ns + int(left / 11 * 1e9), "sections": [],
            "maneuvers": [{"index": i, "remaining_m": max(m["offset_m"] - self.travelled_m, 0.0), "remaining_s": 9.0}
                          for i, m in coming],
            "shape_index": index, "shape_fraction": share, "lat_deg": place[0], "lon_deg": place[1], "bearing_deg": heading,
            "speed_mps": self.speed_mps, "speed_limit_mps": road["speed_limit_mps"], "estimated": False,
        }
        yield "guidance/road", self.now_ns, {"road": road}
        if coming:
            i, maneuver = coming[0]
            is_near = maneuver["offset_m"] - self.travelled_m < 300
            yield "guidance/lanes", self.now_ns, {
                "route_id": self.route_id, "maneuver_index": i, "lanes": maneuver["lanes"] if is_near else []}
