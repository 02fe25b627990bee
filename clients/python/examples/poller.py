"""A poller for faster routes: prices the rest of the active route, asks for another one, and proposes it if it is faster."""

import navstack

node = navstack.Node("poller", "Looks for faster routes.")
found = node.output("route/better")
calculate, price = node.uses("route/calculate"), node.uses("route/traffic")
interval = node.parameter("poll_interval_s", 5.0, "Event seconds between two checks.", unit="s", minimum=1, maximum=600)
least = node.parameter("min_time_difference_s", 5.0, "Gains below are not proposed.", unit="s", minimum=0, maximum=3600)
routes, checked_ns, proposals = {}, {}, {}


@node.input("route/active", required=True)
def route(message):
    routes[message.vehicle] = (message.payload or {}).get("route")
    checked_ns[message.vehicle] = message.stamp


@node.input("guidance/progress")
def progress(message):
    here, vehicle = message.payload, message.vehicle
    active = routes.get(vehicle)
    if not active or active["id"] != here["route_id"] or message.stamp < checked_ns[vehicle] + interval.value * 1e9:
        return
    checked_ns[vehicle] = message.stamp
    try:
        now = price({"handle": active["handle"], "travelled_on_section_m": here["travelled_m"]}, vehicle)
        start = {"lat_deg": here["lat_deg"], "lon_deg": here["lon_deg"]}
        other = calculate({"waypoints": [start, active["request"]["waypoints"][-1]]}, vehicle)["routes"][0]
    except navstack.CallError as error:
        node.log.warning("no check: %s", error)
        return
    gain = now["duration_latest_s"] - other["duration_latest_s"]
    if gain >= least.value:
        proposals[vehicle] = proposals.get(vehicle, 0) + 1
        found({"id": f"b-{active['id']}-{proposals[vehicle]}", "state": "found", "route_id": active["id"], "route": other, "gain_s": gain,
               "longer_m": other["length_m"] - here["remaining_m"], "shape_changed": True, "threshold_s": least.value})


if __name__ == "__main__":
    node.main()
