"""Route shapes: polylines of 6 decimals, and the traversed and remaining part of a route."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

Point = tuple[float, float]
Parts = tuple[list[Point], list[Point]]


def polyline6(text: str) -> list[Point]:
    """The points (lat_deg, lon_deg) of a polyline of 6 decimals."""
    points: list[Point] = []
    place, index = [0, 0], 0
    while index < len(text):
        for axis in (0, 1):
            shift = result = 0
            while True:
                byte = ord(text[index]) - 63
                index += 1
                result |= (byte & 0x1F) << shift
                shift += 5
                if byte < 0x20:
                    break
            place[axis] += ~(result >> 1) if result & 1 else result >> 1
        points.append((place[0] / 1e6, place[1] / 1e6))
    return points


def polyline6_text(points: Iterable[Point]) -> str:
    """Points (lat_deg, lon_deg) as a polyline of 6 decimals."""
    text, before = [], [0, 0]
    for point in points:
        for axis, degrees in enumerate(point):
            value = round(degrees * 1e6)
            difference, before[axis] = value - before[axis], value
            rest = ~(difference << 1) if difference < 0 else difference << 1
            while rest >= 0x20:
                text.append(chr((0x20 | rest & 0x1F) + 63))
                rest >>= 5
            text.append(chr(rest + 63))
    return "".join(text)


def split_line(points: Sequence[Point], index: int, fraction: float) -> Parts:
    """The traversed and the remaining part of a route's shape, cut where `guidance/progress` says.

    `points` are those of `polyline6(route["shape"])`, `index` and `fraction` its `shape_index` and `shape_fraction`.
    Both parts contain the place at which they meet, and together they are the route.
    """
    if len(points) < 2:
        return list(points), list(points)
    index = max(0, min(index, len(points) - 2))
    (lat, lon), (to_lat, to_lon) = points[index], points[index + 1]
    here = (lat + (to_lat - lat) * fraction, lon + (to_lon - lon) * fraction)
    return list(points[:index + 1]) + [here], [here] + list(points[index + 1:])


def lines(route: dict[str, Any], progress: dict[str, Any]) -> dict[str, Parts | None]:
    """The traversed and the remaining geometry at a `guidance/progress`, as {name: (traversed, remaining)}.

    `route`: from the start to the destination. `stop`: from the stop before to the next one, which ends the section.
    `maneuver`: from the maneuver before to the next one; None after the last. Each pair meets at the location, and
    together it is the whole piece; points are (lat_deg, lon_deg). Raises ValueError when the progress is of another
    route. The cost is linear in the points of the shape.
    """
    if progress["route_id"] != route["id"]:
        raise ValueError(f"the progress is of route {progress['route_id']}, not of {route['id']}")
    points = polyline6(route["shape"])
    section = route["sections"][progress["section"]]
    index, fraction = progress["shape_index"], progress["shape_fraction"]
    maneuver = None
    if progress["maneuvers"]:
        number = progress["maneuvers"][0]["index"]
        first = route["maneuvers"][number - 1]["shape_index"] if number else 0
        maneuver = _split_piece(points, first, route["maneuvers"][number]["shape_index"], index, fraction)
    return {
        "route": split_line(points, index, fraction),
        "stop": _split_piece(points, section["first_shape_index"], section["last_shape_index"], index, fraction),
        "maneuver": maneuver,
    }


def _split_piece(points: Sequence[Point], first: int, last: int, index: int, fraction: float) -> Parts:
    """Cuts the points from `first` to `last` at a place; at its ends rounding may put the place just outside."""
    here = split_line(points, index, fraction)[1][0]
    index = max(0, min(index, len(points) - 2))
    traversed = list(points[first:index + 1]) or [points[first]]
    return traversed + [here], [here] + (list(points[index + 1:last + 1]) or [points[last]])
