"""A location provider: simulates a vehicle that stands until there is a route, and then follows it."""

import time

import navstack
from plane import place_at

TICK_S = 0.1

node = navstack.Node("location_provider", "Simulates a vehicle that follows its route.")
fix = node.output("location/raw")
clock = node.output("_clock")
start = node.parameter("start", "47.0,9.5", "Where the vehicle stands at first: latitude and longitude in degrees.")
speed = node.parameter("speed_mps", 20.0, "Speed on the route.", unit="m/s", minimum=0.1, maximum=70)
rate = node.parameter("rate", 10.0, "Event seconds per second of the machine.", minimum=0.1, maximum=100)

begin_ns = time.time_ns()
vehicle = {"now_ns": begin_ns, "line": [], "travelled_m": 0.0}


@node.input("route/active", optional=True)
def route(message):
    active = (message.payload or {}).get("route")
    line = navstack.polyline6(active["shape"]) if active else []
    if line != vehicle["line"]:
        vehicle.update(line=line, travelled_m=0.0)


@node.every(TICK_S)
def drive():
    vehicle["now_ns"] += int(TICK_S * rate.value * 1e9)
    now, is_driving = vehicle["now_ns"], len(vehicle["line"]) > 1
    clock({"now_ns": now, "rate": rate.value, "paused": False, "run": begin_ns // 1000}, stamp=now)
    if is_driving:
        vehicle["travelled_m"] += speed.value * TICK_S * rate.value
        (lat, lon), _, _, bearing = place_at(vehicle["line"], vehicle["travelled_m"])
        vehicle["last"] = {"lat_deg": lat, "lon_deg": lon, "bearing_deg": bearing, "speed_mps": speed.value}
    elif "last" not in vehicle:
        lat, lon = map(float, start.value.split(","))
        vehicle["last"] = {"lat_deg": lat, "lon_deg": lon}
    fix(vehicle["last"] | {"time_ns": now, "accuracy_m": 3.0, "provider": "python"}, stamp=now)


if __name__ == "__main__":
    node.main()
