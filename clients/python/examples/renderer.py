"""A renderer without a screen: publishes the camera of each frame, and logs a line for each maneuver."""

import navstack

node = navstack.Node("renderer", "Shows the drive as frames and lines of text.")
frame = node.output("scene/frame")
zoom = node.parameter("zoom", 16.5, "Zoom of the camera.", minimum=0, maximum=24)
routes = {}


@node.input("route/active", optional=True)
def route(message):
    routes[message.vehicle] = (message.payload or {}).get("route")


@node.input("guidance/progress", optional=True)
def progress(message):
    here, active = message.payload, routes.get(message.vehicle)
    if not active or active["id"] != here["route_id"]:
        return
    ahead = here.get("maneuvers") or []
    panel = {"remaining_m": here["remaining_m"], "remaining_s": here["remaining_s"], "eta_ns": here["eta_ns"]}
    if ahead:
        index = ahead[0]["index"]
        panel |= {"maneuver_index": index, "text": active["maneuvers"][index]["text"], "maneuver_remaining_m": ahead[0]["remaining_m"]}
    frame({"camera_lat_deg": here["lat_deg"], "camera_lon_deg": here["lon_deg"], "camera_zoom": zoom.value, "camera_tilt_deg": 50.0,
           "camera_bearing_deg": here.get("bearing_deg", 0.0), "camera_mode": "dynamic", "indicator_lat_deg": here["lat_deg"],
           "indicator_lon_deg": here["lon_deg"], "indicator_style": "car", "route_id": here["route_id"],
           "eat_up_shape_index": here["shape_index"], "eat_up_shape_fraction": here["shape_fraction"], "panel": panel})


@node.input("guidance/maneuver", optional=True)
def maneuver(message):
    node.log.info("%s: %s", message.vehicle, message.payload.get("text", message.payload["action"]))


if __name__ == "__main__":
    node.main()
