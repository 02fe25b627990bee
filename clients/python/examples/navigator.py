"""A minimal navigator: starts and stops guidance, reports progress and maneuvers, adopts better routes, arrives."""

import navstack
from plane import place_at, project

node = navstack.Node("navigator", "Guides along a route.")
active = node.output("route/active")
progress = node.output("guidance/progress")
maneuver = node.output("guidance/maneuver")
arrival = node.output("guidance/arrival")
calculate = node.uses("route/calculate")
near = node.parameter("arrival_m", 15.0, "Nearer to the destination the vehicle has arrived.", unit="m", minimum=1, maximum=200)
locations = {}


@node.call("navigate/start")
def start(request, vehicle):
    if vehicle not in locations:
        raise navstack.CallError("no_location", "There is no location yet.")
    here = {"lat_deg": locations[vehicle][0], "lon_deg": locations[vehicle][1]}
    target = request.get("to") or (request.get("waypoints") or [None])[-1]
    if target is None:
        raise navstack.CallError("invalid", "A destination is missing.", "to")
    route = calculate({"waypoints": [here, target]}, vehicle)["routes"][0]
    adopt(vehicle, route, "new")
    return {"route_id": route["id"], "length_m": route["length_m"], "duration_s": route["duration_latest_s"]}


@node.call("navigate/stop")
def stop(request, vehicle):
    node.state(vehicle).clear()
    active({"reason": "cleared"}, vehicle=vehicle)


@node.input("route/better", optional=True)
def better(message):
    route = node.state(message.vehicle).get("route")
    if message.payload["state"] == "found" and route and message.payload["route_id"] == route["id"]:
        adopt(message.vehicle, message.payload["route"], "better")


def adopt(vehicle, route, reason):
    node.state(vehicle).update(route=route, next=-1)
    active({"reason": reason, "route": route}, vehicle=vehicle)


@node.input("location/matched", required=True)
def location(message):
    here, vehicle = message.payload, message.vehicle
    place = (here.get("lat_deg", here["raw"]["lat_deg"]), here.get("lon_deg", here["raw"]["lon_deg"]))
    locations[vehicle] = place
    state = node.state(vehicle)
    if "route" not in state or here["state"] != "matched":
        return
    route = state["route"]
    line = navstack.polyline6(route["shape"])
    travelled, _ = project(line, place)
    _, index, fraction, _ = place_at(line, travelled)
    left = max(0.0, route["length_m"] - travelled)
    share = left / route["length_m"] if route["length_m"] else 0.0
    ahead = [number for number, one in enumerate(route["maneuvers"]) if one["offset_m"] > travelled]
    seconds = share * route["duration_latest_s"]
    progress({
        "route_id": route["id"], "on_route": "yes", "section": 0, "travelled_on_section_m": travelled, "travelled_m": travelled,
        "remaining_m": left, "remaining_s": seconds, "remaining_text": f"{left:.0f} m", "remaining_number": round(left),
        "remaining_unit": "m", "eta_ns": message.stamp + int(seconds * 1e9), "shape_index": index, "shape_fraction": fraction,
        "lat_deg": place[0], "lon_deg": place[1], "sections": [{"section": 0, "remaining_m": left, "remaining_s": seconds}],
        "maneuvers": [{"index": number, "remaining_m": route["maneuvers"][number]["offset_m"] - travelled, "remaining_s": 0.0}
                      for number in ahead]})
    if ahead and ahead[0] != state["next"]:
        state["next"] = ahead[0]
        one = route["maneuvers"][ahead[0]]
        maneuver({"route_id": route["id"], "event": "next", "index": ahead[0], "action": one["action"],
                  "remaining_m": one["offset_m"] - travelled, "text": one["text"]})
    if left <= near.value:
        arrival({"route_id": route["id"], "event": "destination_reached", "rule": "passed_within", "lat_deg": place[0],
                 "lon_deg": place[1], "distance_m": left})
        state.clear()
        active({"reason": "cleared"})


if __name__ == "__main__":
    node.main()
