"""Geometry on a plane around the points, good for some kilometres: what the example stages share."""

import math

METRES_PER_DEG = 111_195.0


def _offset_m(origin, place):
    """Metres east and north of the origin."""
    east = (place[1] - origin[1]) * METRES_PER_DEG * math.cos(math.radians(origin[0]))
    return east, (place[0] - origin[0]) * METRES_PER_DEG


def distance_m(a, b):
    return math.hypot(*_offset_m(a, b))


def bearing_deg(a, b):
    return math.degrees(math.atan2(*_offset_m(a, b))) % 360


def length_m(points):
    return sum(distance_m(a, b) for a, b in zip(points, points[1:]))


def place_at(points, metres):
    """(place, index, fraction, bearing) at so many metres of a line; its end after the last one."""
    for index, (a, b) in enumerate(zip(points, points[1:])):
        length = distance_m(a, b)
        if metres <= length or index == len(points) - 2:
            fraction = min(1.0, metres / length) if length else 1.0
            place = (a[0] + (b[0] - a[0]) * fraction, a[1] + (b[1] - a[1]) * fraction)
            return place, index, fraction, bearing_deg(a, b)
        metres -= length
    raise ValueError("a line has two points at least")


def project(points, place):
    """(metres along the line, distance in metres) of the point of a line that is nearest to a place."""
    best, before = (0.0, math.inf), 0.0
    for a, b in zip(points, points[1:]):
        length, (east, north) = distance_m(a, b), _offset_m(a, place)
        to_east, to_north = _offset_m(a, b)
        share = min(1.0, max(0.0, (east * to_east + north * to_north) / length**2)) if length else 0.0
        distance = math.hypot(east - to_east * share, north - to_north * share)
        if distance < best[1]:
            best = (before + length * share, distance)
        before += length
    return best
