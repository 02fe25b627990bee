"""The car roads of an OpenStreetMap file (.osm, .osm.pbf), and how far a place is from them.

Reads the file itself, with the standard library alone, so that a judgement about the stack's map
does not rest on the stack's own reading of it.
"""

import math
import struct
import xml.etree.ElementTree
import zlib

CAR_ROADS = {"motorway", "trunk", "primary", "secondary", "tertiary", "unclassified", "residential",
             "living_street", "service", "road"}
CAR_ROADS |= {f"{word}_link" for word in ("motorway", "trunk", "primary", "secondary", "tertiary")}
CLOSED = {"no", "private", "agricultural", "forestry"}
CELL_M = 100


def is_car_road(tags):
    """Whether anybody may drive a car there."""
    if tags.get("highway") not in CAR_ROADS or tags.get("area") == "yes":
        return False
    for key in ("motorcar", "motor_vehicle", "vehicle", "access"):
        if key in tags:
            return tags[key] not in CLOSED
    return True


class Roads:
    """Pieces of road in square cells of 100 m."""

    def __init__(self, path):
        nodes, ways = _read(path)
        self.south = min((lat for lat, _ in nodes.values()), default=0)
        self.west = min((lon for _, lon in nodes.values()), default=0)
        middle = (self.south + max((lat for lat, _ in nodes.values()), default=0)) / 2
        self.metres_lat = 111_195.0
        self.metres_lon = self.metres_lat * math.cos(math.radians(middle))
        self.cells = {}
        for way in ways:
            points = [self._plane(*nodes[node]) for node in way if node in nodes]
            for a, b in zip(points, points[1:]):
                for cell in self._cells(a, b):
                    self.cells.setdefault(cell, []).append((*a, *b))

    def _plane(self, lat, lon):
        return (lon - self.west) * self.metres_lon, (lat - self.south) * self.metres_lat

    @staticmethod
    def _cells(a, b):
        xs = sorted((int(a[0] // CELL_M), int(b[0] // CELL_M)))
        ys = sorted((int(a[1] // CELL_M), int(b[1] // CELL_M)))
        return [(x, y) for x in range(xs[0], xs[1] + 1) for y in range(ys[0], ys[1] + 1)]

    def distance_m(self, lat, lon):
        """Metres to the nearest road; infinite beyond 100 m at the least."""
        x, y = self._plane(lat, lon)
        column, row = int(x // CELL_M), int(y // CELL_M)
        best = math.inf
        for i in (column - 1, column, column + 1):
            for j in (row - 1, row, row + 1):
                for ax, ay, bx, by in self.cells.get((i, j), ()):
                    best = min(best, _distance2(x, y, ax, ay, bx, by))
        return math.sqrt(best)


def _distance2(x, y, ax, ay, bx, by):
    dx, dy = bx - ax, by - ay
    length2 = dx * dx + dy * dy
    share = ((x - ax) * dx + (y - ay) * dy) / length2 if length2 else 0
    share = min(1, max(0, share))
    return (x - ax - share * dx) ** 2 + (y - ay - share * dy) ** 2


def _read(path):
    """Places of nodes by id, and the node ids of each car road."""
    return _read_xml(path) if path.endswith(".osm") else _read_pbf(path)


def _read_xml(path):
    nodes, ways = {}, []
    for _, element in xml.etree.ElementTree.iterparse(path):
        if element.tag == "node":
            nodes[element.get("id")] = float(element.get("lat")), float(element.get("lon"))
        elif element.tag == "way":
            tags = {tag.get("k"): tag.get("v") for tag in element.iter("tag")}
            if is_car_road(tags):
                ways.append([nd.get("ref") for nd in element.iter("nd")])
        if element.tag in ("node", "way", "relation"):
            element.clear()
    return nodes, ways


# OSM PBF: https://wiki.openstreetmap.org/wiki/PBF_Format


def _read_pbf(path):
    nodes, ways = {}, []
    with open(path, "rb") as file:
        while head := file.read(4):
            fields = dict(_fields(file.read(struct.unpack(">I", head)[0])))
            blob = dict(_fields(file.read(fields[3])))
            if fields[1] != b"OSMData":
                continue
            _read_block(zlib.decompress(blob[3]) if 3 in blob else blob[1], nodes, ways)
    return nodes, ways


def _read_block(data, nodes, ways):
    strings, groups, scale = [], [], {17: 100, 19: 0, 20: 0}
    for number, value in _fields(data):
        if number == 1:
            strings = [text.decode(errors="replace") for _, text in _fields(value)]
        elif number == 2:
            groups.append(value)
        elif number in scale:
            scale[number] = value
    for group in groups:
        for number, value in _fields(group):
            if number == 2:
                _read_dense(value, scale, nodes)
            elif number == 3:
                _read_way(value, strings, ways)


def _read_dense(data, scale, nodes):
    columns = {number: value for number, value in _fields(data) if number in (1, 8, 9)}
    unit = scale[17] * 1e-9
    ids, lats, lons = (_running(columns.get(number, b"")) for number in (1, 8, 9))
    for identity, lat, lon in zip(ids, lats, lons):
        nodes[identity] = scale[19] * 1e-9 + unit * lat, scale[20] * 1e-9 + unit * lon


def _read_way(data, strings, ways):
    columns = {number: value for number, value in _fields(data) if number in (2, 3, 8)}
    keys, values = (list(_varints(columns.get(number, b""))) for number in (2, 3))
    tags = {strings[key]: strings[value] for key, value in zip(keys, values)}
    if is_car_road(tags):
        ways.append(list(_running(columns.get(8, b""))))


def _fields(data):
    """(number, value) of each field of a protobuf message; bytes or integers."""
    place = 0
    while place < len(data):
        key, place = _varint(data, place)
        if key & 7 == 0:
            value, place = _varint(data, place)
        elif key & 7 == 2:
            length, place = _varint(data, place)
            value, place = data[place:place + length], place + length
        else:
            length = 8 if key & 7 == 1 else 4
            value, place = data[place:place + length], place + length
        yield key >> 3, value


def _varint(data, place):
    result = shift = 0
    while True:
        byte = data[place]
        place += 1
        result |= (byte & 0x7F) << shift
        if byte < 0x80:
            return result, place
        shift += 7


def _varints(data):
    result = shift = 0
    for byte in data:
        result |= (byte & 0x7F) << shift
        if byte < 0x80:
            yield result
            result = shift = 0
        else:
            shift += 7


def _running(data):
    """The sums of differences in zigzag."""
    total = 0
    for value in _varints(data):
        total += (value >> 1) ^ -(value & 1)
        yield total
