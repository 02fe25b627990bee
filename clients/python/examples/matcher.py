"""A map matcher whose only roads are those of the active route."""

import navstack
from plane import place_at, project

node = navstack.Node("matcher", "Snaps locations to the active route.")
matched = node.output("location/matched")
snap = node.parameter("max_snap_m", 40.0, "Farther from the route a location is off road.", unit="m", minimum=1, maximum=500)
routes = {}


@node.input("route/active", optional=True)
def route(message):
    routes[message.vehicle] = (message.payload or {}).get("route")


@node.input("location/raw", required=True)
def fix(message):
    raw, active = message.payload, routes.get(message.vehicle)
    here = {"state": "no_match", "reason": "no_map_data", "raw": raw}
    if active:
        line = navstack.polyline6(active["shape"])
        metres, distance = project(line, (raw["lat_deg"], raw["lon_deg"]))
        here["reason"] = "off_road"
        if distance <= snap.value:
            (lat, lon), index, fraction, bearing = place_at(line, metres)
            segments = active["segments"]
            here = {"state": "matched", "lat_deg": lat, "lon_deg": lon, "bearing_deg": bearing, "distance_m": distance, "raw": raw,
                    "segment": {key: segments[key][index] for key in ("way", "from", "to")},
                    "offset_m": fraction * segments["length_m"][index], "probability": 1.0}
            here |= {"speed_mps": raw["speed_mps"]} if "speed_mps" in raw else {}
    matched(here)


if __name__ == "__main__":
    node.main()
