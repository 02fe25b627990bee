"""A router for a town of two streets between any places: first north or south, then east or west, or the other way round.

A message on `jam/begin` with a longitude slows the street there down.
"""

import itertools

import navstack
from plane import bearing_deg, distance_m

node = navstack.Node("router", "Routes along two straight streets.")
speed = node.parameter("speed_mps", 20.0, "Speed of all streets.", unit="m/s", minimum=1, maximum=70)
jam = node.parameter("jam_factor", 4.0, "So many times slower are jammed streets.", minimum=1, maximum=100)
NAMES = ["Meridian Street", "Parallel Street"]
numbers, routes, jams = itertools.count(1), {}, {}


@node.input("jam/begin", optional=True)
def begin(message):
    jams[message.vehicle] = message.payload["lon_deg"]


@node.call("route/calculate", threaded=True)
def calculate(request, vehicle, call):
    places = [(point["lat_deg"], point["lon_deg"]) for point in request.get("waypoints", [])]
    if len(places) != 2:
        raise navstack.CallError("invalid", "This router takes two waypoints.", "waypoints")
    (lat, lon), (to_lat, to_lon) = places
    corners = {0: (to_lat, lon), 1: (lat, to_lon)}
    found = [made(request, vehicle, [places[0], corner, places[1]], first) for first, corner in corners.items()]
    best = sorted(found, key=lambda route: route["duration_latest_s"])[:1 + request.get("alternatives", 0)]
    for route in best:
        routes[route["handle"]] = route
    return {"routes": best, "engine": "router.py"}


@node.call("route/traffic", threaded=True)
def price(request, vehicle, call):
    route = routes.get(request["handle"])
    if route is None:
        raise navstack.CallError("unknown_handle", "This route is not known here.", "handle")
    passed = request.get("travelled_on_section_m", 0.0)
    spans, shape, seconds = route["spans"], navstack.polyline6(route["shape"]), 0.0
    for start, length, a, b in zip(spans["start_m"], spans["length_m"], shape, shape[1:]):
        seconds += max(0.0, start + length - max(start, passed)) / pace(a, b, vehicle)
    return {"route_id": route["id"], "priced_ns": node.now_ns or 0, "length_m": max(0.0, route["length_m"] - passed),
            "duration_latest_s": seconds, "delay_s": 0.0, "spans": {}}


def pace(a, b, vehicle):
    """Speed between two corners."""
    is_jammed = vehicle in jams and max(abs(a[1] - jams[vehicle]), abs(b[1] - jams[vehicle])) < 1e-4
    return speed.value / (jam.value if is_jammed else 1.0)


def made(request, vehicle, shape, first):
    """The route along a shape of three points, whose first leg is on the street `first`."""
    streets, ids = [first, 1 - first], [next(numbers) for _ in range(3)]
    lengths = [distance_m(a, b) for a, b in zip(shape, shape[1:])]
    paces = [pace(a, b, vehicle) for a, b in zip(shape, shape[1:])]
    times, free = [length / pace for length, pace in zip(lengths, paces)], [length / speed.value for length in lengths]
    total, identity = sum(lengths), f"python-{ids[0]}"
    bearings = [bearing_deg(a, b) for a, b in zip(shape, shape[1:])]
    turn = (bearings[1] - bearings[0] + 180) % 360 - 180
    side = "right" if turn > 0 else "left"
    durations = {"duration_free_flow_s": sum(free), "duration_traffic_s": sum(times), "duration_latest_s": sum(times)}

    def maneuver(action, index, metres, length, seconds, text, **more):
        before, after = bearings[max(0, index - 1)], bearings[min(1, index)]
        leg = min(1, index)
        return {"action": action, "lat_deg": shape[index][0], "lon_deg": shape[index][1], "offset_m": metres, "section": 0,
                "segment": leg, "shape_index": index, "bearing_before_deg": before, "bearing_after_deg": after, "length_m": length,
                "duration_s": seconds, "from_road": {"name": NAMES[streets[max(0, index - 1)]]},
                "onto_road": {"name": NAMES[streets[leg]]}, "text": text, **more}

    waypoints = [
        {"original": point, "matched_lat_deg": point["lat_deg"], "matched_lon_deg": point["lon_deg"], "offset_m": metres, "section": 0,
         "shape_index": index, "user_index": number}
        for number, (point, metres, index) in enumerate(zip(request["waypoints"], (0.0, total), (0, 2)))]
    lats, lons = zip(*shape)
    return {
        "id": identity, "handle": f"handle-{identity}", "request": request, "waypoints": waypoints, "length_m": total, **durations,
        "south_deg": min(lats), "north_deg": max(lats), "west_deg": min(lons), "east_deg": max(lons),
        "shape": navstack.polyline6_text(shape),
        "segments": {"way": [1 + street for street in streets], "from": ids[:2], "to": ids[1:], "start_m": [0.0, lengths[0]],
                     "length_m": lengths, "entry_offset_m": [0.0, 0.0], "shape_index": [0, 1], "duration_s": times},
        "sections": [{"first_waypoint": 0, "last_waypoint": 1, "start_m": 0.0, "length_m": total, **durations, "first_shape_index": 0,
                      "last_shape_index": 2, "first_span": 0, "span_count": 2, "first_maneuver": 0, "maneuver_count": 3}],
        "roads": [{"name": name} for name in NAMES],
        "spans": {"start_m": [0.0, lengths[0]], "length_m": lengths, "first_shape_index": [0, 1], "first_segment": [0, 1],
                  "segment_count": [1, 1], "duration_free_flow_s": free, "duration_traffic_s": times, "duration_latest_s": times,
                  "road": streets, "base_speed_mps": [speed.value] * 2, "traffic_speed_mps": paces,
                  "traffic_kind": ["live"] * 2, "jam_factor": [0.0, 0.0]},
        "maneuvers": [
            maneuver("depart", 0, 0.0, lengths[0], times[0], f"Drive along {NAMES[first]}."),
            maneuver("turn", 1, lengths[0], lengths[1], times[1], f"Turn {side} onto {NAMES[1 - first]}.", grade=side, turn_angle_deg=turn),
            maneuver("arrive", 2, total, 0.0, 0.0, "You have arrived.")],
        "computed_ns": node.now_ns or 0, "engine": "router.py"}


if __name__ == "__main__":
    node.main()
