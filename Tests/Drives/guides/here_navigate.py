"""HERE SDK Navigate, "Optimize navigation": one test for each row."""

import json
import re
import shutil
import subprocess
import time
import urllib.request

import navstack
import osrm_http
import stack
from lab import Line, at, bearing_deg, distance_m, moved
from places import (CABIN, FARM, HARBOUR, HOME, HOSPITAL, MARKET, OFFICE, STADIUM, STATION, TOWN_HALL, VILLAGE, cabin, crossing, tour)
from region_server import RegionServer
from rows import check, equal, near, row
from stacks import TOWN_MAP
from traffic import flow, on_road, pieces, shape


def frames(vehicle, since=0):
    return vehicle.all("scene/frame", since)


def page(running, path=""):
    """What the renderer of a stack serves at a path of its page."""
    address = re.search(r"page: (http://[^?\s]+)(?:\?(\S+))?", running.stack.output)
    check(address, "the renderer reports no address")
    base, token = address.groups()
    with urllib.request.urlopen(f"{base}{path}{'&' if '?' in path else '?'}{token}", timeout=10) as answer:
        return answer.read()


# The map view.


@row("each location event gives a location that is matched to the map", "`location/matched` for each `location/raw`")
def test_each_fix_gives_a_matched_location__LOC_1__MM_6(lab):
    vehicle, street = lab.town.vehicle(), (46.9985, -30.0237358)  # on the West Avenue
    for step in range(5):
        vehicle.fix(moved(street, 10 * step, 0), speed=10, bearing=0, speed_accuracy_mps=0.4)
    beside = moved(street, 8, 90)
    vehicle.fix(moved(beside, 50, 0), speed=10, bearing=0, speed_accuracy_mps=0.4)
    equal(vehicle.count("location/matched"), vehicle.count("location/raw"), "matched locations for as many fixes")
    header, last = vehicle.seen["location/matched"][-1]
    raw_header, raw = vehicle.seen["location/raw"][-1]
    equal(header["cause"][:1] + [header["cause"][3]], ["location/raw", raw_header["seq"]], "the cause")
    equal(last["state"], "matched", "its state")
    near(last["lon_deg"], street[1], 1e-6, "the longitude on the street")
    near(last["distance_m"], 8, 0.5, "metres between fix and street")
    near(last["bearing_deg"], 0, 1, "the course of the street")
    equal(last["raw"], raw, "the fix as it came")


@row("the map follows the location, an arrow shows where one heads, and the map turns with it", "`scene/frame`: camera, indicator")
def test_the_map_follows_and_turns_with_the_location__RN_2__RN_5(lab):
    vehicle = lab.once(tour)
    shown = [frame for frame in frames(vehicle) if frame.get("indicator_lat_deg") is not None and frame.get("route_id")]
    check(len(shown) > 300, f"only {len(shown)} frames show the indicator")
    for frame in shown:
        camera, indicator = [(frame[f"{one}_lat_deg"], frame[f"{one}_lon_deg"]) for one in ("camera", "indicator")]
        check(distance_m(camera, indicator) < 1, f"the camera is {distance_m(camera, indicator):.0f} m from the indicator")
        near((frame["camera_bearing_deg"] - frame["indicator_bearing_deg"] + 180) % 360 - 180, 0, 0.5, "heading against what is up")
    check(len({round(frame["camera_bearing_deg"] / 45) for frame in shown}) >= 4, "the map never turned")


@row("movement between locations is interpolated smoothly", "`location/interpolate`, `location/interpolated`; the page does it by itself")
def test_movement_between_fixes_is_interpolated__TU_5__RN_1(lab):
    vehicle = lab.town.vehicle("location/interpolated")
    reply = vehicle.call("location/interpolate", {"for_s": 60})
    check(reply["hz"] >= 20, f"{reply['hz']} locations a second")
    line, begin = Line([(46.9985, -30.0237358), (47.0, -30.0237358)]), time.monotonic()
    for second in range(4):
        place, bearing = line.at(13 * second)
        lab.town.now_ns += 1_000_000_000
        lab.town.publish_clock(paused=False)
        raw = at(place, time_ns=lab.town.now_ns, speed_mps=13.0, bearing_deg=bearing, accuracy_m=4.0)
        lab.town.publisher.publish(f"{vehicle.name}/location/raw", raw, lab.town.now_ns)
        while time.monotonic() < begin + second + 1:
            lab.town.read(0.02)
    lab.town.now_ns += 1_000_000_000
    lab.town.publish_clock()
    places = [line.nearest((one["lat_deg"], one["lon_deg"]))[0] for one in vehicle.all("location/interpolated") if "lat_deg" in one]
    check(len(places) >= 60, f"{len(places)} interpolated locations in 4 s at {reply['hz']} Hz")
    # A receiver that has reported no other bearing than 0 is believed when it has moved north.
    places = places[70:]
    steps = [after - before for before, after in zip(places, places[1:])]
    check(min(steps) > -1 and max(steps) < 5, f"steps of {min(steps):.2f} to {max(steps):.2f} m")
    check(sum(step > 0.02 for step in steps) > len(steps) * 0.8, "most of them do not move")


@row("one line starts rendering", "a node `renderer: {run: nav-renderer}` in the stack file serves the page")
def test_one_line_in_the_stack_file_serves_the_page__RN_1(lab):
    text = page(lab.town).decode()
    check("<html" in text.lower() and "maplibre" in text.lower(), "the page is no map page")
    style = json.loads(page(lab.town, "style.json?theme=day"))
    check({"road", "name"} <= {layer["id"] for layer in style["layers"]}, "the style draws no roads, or no names")
    tile = re.search(r'tiles/[^"]*', json.dumps(style))
    check(tile, "the style names no tiles")
    check(len(page(lab.town, "tiles/14/6826/5763.mvt")) > 500, "the tile of the town is empty")


@row("camera tracking is switched off and on by the program", "`scene/control` tracking; `scene/settings`, `scene/frame`; page: test_the_camera_is_switched_off_and_on_over_the_bus")
def test_tracking_is_switched_off_and_on_by_call__RN_10__RN_2(lab):
    vehicle = lab.town.vehicle("scene/frame")
    vehicle.drive([(46.9985, -30.0237358), (46.9990, -30.0237358)])
    settings = vehicle.call("scene/control", {"tracking": False})
    equal(settings["tracking"], False, "tracking in the reply")
    stays = frames(vehicle)[-1]
    seen = vehicle.count("scene/frame")
    vehicle.drive([(46.9990, -30.0237358), (46.9995, -30.0237358)])
    later = frames(vehicle, seen)
    check(later, "no frame while the camera is free")
    for frame in later:
        equal(frame["camera_mode"], "free", "the camera's mode")
        near(frame["camera_lat_deg"], stays["camera_lat_deg"], 1e-7, "the free camera's latitude")
    check(later[-1]["indicator_lat_deg"] > later[0]["indicator_lat_deg"] + 2e-4, "the indicator does not go on")
    vehicle.call("scene/control", {"tracking": True})
    vehicle.fix(speed=13)
    vehicle.fix(moved(vehicle.place, 13, 0), speed=13, bearing=0)
    last = frames(vehicle)[-1]
    check(last["camera_mode"] != "free", "the camera is still free")
    near(last["camera_lat_deg"], last["indicator_lat_deg"], 1e-6, "the camera's latitude, back at the indicator")


@row("tracking is on at first; a pan frees the camera while the arrow goes on",
     "`scene/settings` tracking; page: test_a_drag_frees_the_camera_and_one_tap_brings_it_back")
def test_tracking_is_on_at_first__RN_2__RN_10(lab):
    vehicle = lab.town.vehicle("scene/frame", "scene/settings")
    equal(vehicle.call("scene/control", {})["tracking"], True, "tracking of a vehicle that nobody changed")
    vehicle.drive([(46.9985, -30.0237358), (46.9990, -30.0237358)])
    frame = frames(vehicle)[-1]
    near(frame["camera_lat_deg"], frame["indicator_lat_deg"], 1e-6, "the camera at the indicator")
    equal(vehicle.last("scene/settings")["tracking"], True, "tracking on scene/settings")


@row("a fixed camera with zoom, tilt and principal point, changed while it runs",
     "`scene/control` camera, fixed_zoom, tilt_deg, anchor_x, anchor_y; page: test_zoom_tilt_heading_and_principal_point_follow_a_call")
def test_a_fixed_camera_is_changed_while_it_runs__RN_10__RN_2(lab):
    vehicle = lab.town.vehicle("scene/frame")
    for zoom, tilt, x, y in ((15.25, 30.0, 0.4, 0.6), (17.5, 0.0, 0.5, 0.5)):
        vehicle.call("scene/control", {"camera": "fixed", "fixed_zoom": zoom, "tilt_deg": tilt, "anchor_x": x, "anchor_y": y})
        vehicle.drive([(46.9985, -30.0237358), (46.9987, -30.0237358)], speed=5)
        frame = frames(vehicle)[-1]
        equal(frame["camera_mode"], "fixed", "the camera's mode")
        found = tuple(frame[name] for name in ("camera_zoom", "camera_tilt_deg", "anchor_x", "anchor_y"))
        equal(found, (zoom, tilt, x, y), "zoom, tilt and principal point")
    error = vehicle.refused("scene/control", {"tilt_deg": 90})
    check(error.code == "invalid" and "tilt_deg" in f"{error.field} {error.message}", f"a tilt of 90 degrees: {error}")
    settings = vehicle.call("scene/control", {"reset": True})
    equal((settings["camera"], settings["tilt_deg"]), ("dynamic", 50.0), "camera and tilt after a reset")


@row("an auto-zoom camera comes closer before maneuvers", "`renderer.camera: dynamic`; `scene/frame` camera_zoom")
def test_the_dynamic_camera_comes_closer_before_maneuvers__RN_2(lab):
    vehicle = lab.once(tour)
    far, close = [], []
    for frame in frames(vehicle):
        left = frame.get("panel", {}).get("maneuver_remaining_m")
        if frame["camera_mode"] == "dynamic" and left is not None:
            (close if left < 60 else far if left > 400 else []).append(frame["camera_zoom"])
    check(len(close) > 5 and len(far) > 20, f"{len(close)} frames close to a maneuver, {len(far)} far from one")
    check(sum(close) / len(close) > sum(far) / len(far) + 0.5, f"zoom {sum(close) / len(close):.2f} close, {sum(far) / len(far):.2f} far")


@row("a camera that goes by speed, for driving without a route", "`camera: speed_based`, taken without a route by itself")
def test_without_a_route_the_camera_goes_by_speed__RN_2(lab):
    vehicle, zooms = lab.town.vehicle("scene/frame"), {}
    for speed in (5, 30):
        vehicle.drive([(46.9895, -30.0237358), (46.9995, -30.0237358)], speed=speed, to_m=speed * 8)
        equal(frames(vehicle)[-1]["camera_mode"], "speed_based", "the camera's mode without a route")
        zooms[speed] = frames(vehicle)[-1]["camera_zoom"]
    check(zooms[30] < zooms[5] - 0.5, f"zoom by speed: {zooms}")


PICTURE = b'<svg xmlns="http://www.w3.org/2000/svg" width="32" height="32"><circle cx="16" cy="16" r="12"/></svg>'


@row("an own location indicator, an own model, or none",
     "`scene/control` indicator, indicator_picture; `scene/frame`; page: test_the_indicator_takes_a_style_or_a_picture_or_is_hidden")
def test_the_indicator_is_replaced_or_hidden_by_call__RN_10__RN_7(lab):
    vehicle = lab.town.vehicle("scene/frame", "scene/settings")
    vehicle.drive([(46.9985, -30.0237358), (46.9988, -30.0237358)])
    own = {"indicator": "picture", "indicator_picture": PICTURE, "indicator_picture_type": "svg"}
    vehicle.call("scene/control", own)
    settings = vehicle.last("scene/settings")
    equal({key: settings.get(key) for key in own}, own, "the indicator on scene/settings")
    error = vehicle.refused("scene/control", {"indicator": "picture", "indicator_picture": b"x" * (256 * 1024 + 1), "indicator_picture_type": "png"})
    equal(error.code, "invalid", "a picture of more than 256 KiB")
    vehicle.call("scene/control", {"indicator": "hidden"})
    seen = vehicle.count("scene/frame")
    vehicle.drive([(46.9988, -30.0237358), (46.9991, -30.0237358)])
    later = frames(vehicle, seen)
    check(later and all(frame.get("indicator_lat_deg") is None for frame in later), "a hidden indicator is still in the frames")
    vehicle.call("scene/control", {"indicator": "auto"})
    vehicle.fix(moved(vehicle.place, 13, 0), speed=13, bearing=0)
    check(frames(vehicle)[-1].get("indicator_lat_deg") is not None, "the indicator does not come back")


@row("the style of the indicator goes by the mode of travel, that of the route where there is one", "`scene/frame` indicator_style")
def test_the_indicator_goes_by_the_mode_of_the_route__RN_7(lab):
    for mode, places in (("car", (HOME, OFFICE)), ("pedestrian", (HOME, (46.9985, -30.0237358)))):
        vehicle = lab.town.vehicle("scene/frame")
        vehicle.start(*places, mode=mode)
        vehicle.follow(to_m=30, speed=5)
        equal(frames(vehicle)[-1]["indicator_style"], mode, f"the indicator on a route of mode {mode}")


@row("another indicator once navigation has stopped", "`indicator_style: tracking`")
def test_the_indicator_changes_when_navigation_stops__RN_7(lab):
    vehicle = lab.town.vehicle("scene/frame")
    vehicle.start(HOME, OFFICE)
    vehicle.follow(to_m=40)
    equal(frames(vehicle)[-1]["indicator_style"], "car", "the indicator under way")
    vehicle.call("navigate/stop")
    vehicle.fix(moved(vehicle.place, 13, 0), speed=13)
    equal(frames(vehicle)[-1]["indicator_style"], "tracking", "the indicator after navigate/stop")


@row("route and indicator are not drawn by the SDK",
     "`scene/control` layers; page: test_layers_are_hidden_and_drawn_again, test_a_hidden_layer_is_not_in_the_picture")
def test_layers_are_hidden_and_drawn_by_call__RN_10__RN_7(lab):
    vehicle = lab.town.vehicle("scene/settings")
    vehicle.stand(HOME)
    vehicle.call("scene/control", {"layers": [{"name": "route", "visible": False}, {"name": "indicator", "visible": False}]})
    vehicle.call("scene/control", {"layers": [{"name": "indicator", "visible": True}]})
    layers = {layer["name"]: layer["visible"] for layer in vehicle.last("scene/settings")["layers"]}
    equal(layers.get("route"), False, "the hidden layer")
    equal(layers.get("indicator", True), True, "the layer that is drawn again")
    equal(vehicle.refused("scene/control", {"layers": [{"name": "nothing", "visible": False}]}).code, "invalid", "an unknown layer")


@row("navigation without any rendering", "a stack without a renderer")
def test_guidance_needs_no_renderer__BUS_1__PR_1(lab):
    vehicle = lab.other.vehicle()
    check("renderer" not in lab.other.nodes, "a renderer runs")
    vehicle.start(HOME, TOWN_HALL)
    vehicle.follow(until=lambda: vehicle.count("guidance/arrival"))
    equal([one["event"] for one in vehicle.all("guidance/arrival")], ["destination_reached"], "arrivals")


@row("60 frames a second, 30 in guidance, and both can be set",
     "`scene/control` frame_rate_hz, guidance_frame_rate_hz; page: test_the_page_draws_at_the_frame_rate_of_the_call")
def test_frame_rates_are_set_while_it_runs__RN_6__RN_10(lab):
    vehicle = lab.town.vehicle("scene/settings")
    vehicle.stand(HOME)
    settings = vehicle.call("scene/control", {})
    equal((settings["frame_rate_hz"], settings["guidance_frame_rate_hz"]), (60, 30), "frames a second at first")
    vehicle.call("scene/control", {"frame_rate_hz": 50, "guidance_frame_rate_hz": 60})
    settings = vehicle.last("scene/settings")
    equal((settings["frame_rate_hz"], settings["guidance_frame_rate_hz"]), (50, 60), "frames a second as set")
    equal(vehicle.refused("scene/control", {"frame_rate_hz": 0}).code, "invalid", "no frame a second")


@row("the interpolated listener follows the frame rate", "`location/interpolated` at the rate of `scene/settings`")
def test_interpolated_locations_follow_the_frame_rate__RN_10__TU_5(lab):
    vehicle = lab.town.vehicle()
    vehicle.stand(HOME)
    vehicle.call("scene/control", {"frame_rate_hz": 40, "guidance_frame_rate_hz": 25})
    equal(vehicle.call("location/interpolate", {"for_s": 10})["hz"], 40, "locations a second without a route")
    vehicle.start(HOME, OFFICE)
    equal(vehicle.call("location/interpolate", {"for_s": 10})["hz"], 25, "locations a second with one")


@row("what is driven of the route has a colour of its own",
     "`scene/frame` eat_up_shape_index, eat_up_shape_fraction; page: test_the_route_is_eaten_up")
def test_the_route_is_eaten_up_behind_the_vehicle__RN_3(lab):
    vehicle = lab.once(tour)
    line = shape(vehicle.route)
    places = []
    for frame in frames(vehicle):
        if frame.get("route_id") == vehicle.route["id"] and "eat_up_shape_index" in frame:
            here = navstack.split_line(line, frame["eat_up_shape_index"], frame["eat_up_shape_fraction"])[0][-1]
            indicator = frame["indicator_lat_deg"], frame["indicator_lon_deg"]
            check(distance_m(here, indicator) < 3, f"eaten up to {distance_m(here, indicator):.0f} m from the indicator")
            places.append(frame["eat_up_shape_index"] + frame["eat_up_shape_fraction"])
    check(len(places) > 300 and places == sorted(places), "it does not grow all the way")


@row("the progress on the route line is not shown", "`scene/control` eat_up: false; page: test_the_eat_up_is_switched_while_it_runs")
def test_eat_up_is_switched_off_by_call__RN_10__RN_3(lab):
    vehicle = lab.town.vehicle("scene/frame", "scene/settings")
    vehicle.start(HOME, OFFICE)
    vehicle.follow(to_m=40)
    check("eat_up_shape_index" in frames(vehicle)[-1], "the route is not eaten up at first")
    equal(vehicle.call("scene/control", {"eat_up": False})["eat_up"], False, "eat_up in the reply")
    equal(vehicle.last("scene/settings")["eat_up"], False, "eat_up on scene/settings")


@row("colours of the route ahead and behind, of outlines and arrows, by day and by night",
     "`scene/control` colours, theme; page: test_themes_and_colours_change_while_it_runs, test_night_colours")
def test_colours_are_set_by_call__RN_10__RN_7__RN_3(lab):
    vehicle = lab.town.vehicle("scene/settings")
    vehicle.stand(HOME)
    names = ("ahead", "behind", "ahead-edge", "behind-edge", "arrow")
    colours = [{"name": name, "value": f"#ff11{number}{number}cc"} for number, name in enumerate(names)]
    vehicle.call("scene/control", {"colours": colours, "theme": "night"})
    settings = vehicle.last("scene/settings")
    equal(colours_of(settings), {(one["name"], None): one["value"] for one in colours}, "colours as set")
    equal(settings["theme"], "night", "the theme")
    vehicle.call("scene/control", {"colours": [{"name": names[0], "value": ""}]})
    check((names[0], None) not in colours_of(vehicle.last("scene/settings")), "a colour is not taken back")
    error = vehicle.refused("scene/control", {"colours": [{"name": "ahed", "value": "#ff0000"}]})
    check(error.code == "invalid" and "ahead" in error.message, f"an unknown name: {error}")
    equal(vehicle.refused("scene/control", {"colours": [{"name": "ahead", "value": "blue"}]}).code, "invalid", "no colour")


def colours_of(settings):
    """Colours of scene/settings by name and mode, as #aarrggbb."""
    return {(one["name"], one.get("mode")): argb(one["value"]) for one in settings["colours"]}


def argb(text):
    """A colour as #aarrggbb in small letters."""
    return text.lower() if len(text) == 9 else f"#ff{text[1:].lower()}"


@row("colours of the route for a single mode of travel", "`scene/control` colours with mode")
def test_colours_are_set_for_one_mode__RN_10__RN_3(lab):
    vehicle = lab.town.vehicle("scene/settings")
    vehicle.stand(HOME)
    for mode, value in (("car", "#ff2266cc"), ("pedestrian", "#ff22cc66")):
        vehicle.call("scene/control", {"colours": [{"name": "ahead", "value": value, "mode": mode}]})
    wanted = {("ahead", "car"): "#ff2266cc", ("ahead", "pedestrian"): "#ff22cc66"}
    equal(colours_of(vehicle.last("scene/settings")), wanted, "colours by mode")


@row("maneuver icons and a maneuver panel to build upon",
     "`scene/frame` panel; page: test_the_page_shows_the_drive_and_asks_nobody_else")
def test_the_panel_shows_the_next_maneuver__RN_1__RN_5(lab):
    vehicle = lab.once(tour)
    maneuvers, seen = vehicle.route["maneuvers"], set()
    for frame in frames(vehicle):
        panel = frame.get("panel", {})
        if frame.get("route_id") == vehicle.route["id"] and panel.get("maneuver_index") is not None:
            maneuver = maneuvers[panel["maneuver_index"]]
            seen.add(panel["maneuver_index"])
            for name in ("action", "grade", "exit_count", "text"):
                equal(panel.get(name), maneuver.get(name), f"{name} of maneuver {panel['maneuver_index']}")
            check(re.fullmatch(r"\d+ m|\d+(\.\d)? km", panel["maneuver_distance_text"]), panel["maneuver_distance_text"])
    wanted = {index for index, maneuver in enumerate(maneuvers) if maneuver["action"] != "depart"}
    check(seen >= wanted, f"maneuvers {sorted(wanted - seen)} were never on the panel")


# Events and notifications.


@row("events answer location updates", "headers name their `cause`; no fix, no event")
def test_without_fixes_there_are_no_events__LOC_1__DR_1(lab):
    vehicle = lab.jam.vehicle()
    vehicle.start(HOME, OFFICE)
    vehicle.follow(to_m=100)
    seen = len(vehicle.order)
    lab.jam.pass_time(15)  # for 5 s the location is estimated
    measured = [payload for leaf, _, payload in vehicle.order[seen:] if leaf == "guidance/progress" and not payload.get("estimated")]
    equal(measured, [], "progress that nothing measured")
    seen = len(vehicle.order)
    lab.jam.pass_time(60, step_s=5)
    equal({leaf for leaf, _, _ in vehicle.order[seen:]}, set(), "topics in a minute without locations")
    caused = [header.get("cause") for leaf, header, _ in vehicle.order if leaf.startswith("guidance/")]
    check(caused and all(caused), f"{caused.count(None)} of {len(caused)} messages do not name their cause")


@row("attributes and texts of the road, and lanes, come on change only", "`guidance/road`, `guidance/lanes`")
def test_road_and_lanes_come_on_change_only__EV_1__EV_6(lab):
    vehicle = lab.once(tour)
    roads, fixes = vehicle.all("guidance/road"), vehicle.count("location/raw")
    check(5 <= len(roads) < fixes / 10, f"{len(roads)} roads for {fixes} fixes")
    check(all(before != after for before, after in zip(roads, roads[1:])), "one came twice")
    check({"West Avenue", "High Street"} <= {road["road"]["name"] for road in roads if road.get("road")}, "names of roads are missing")
    lanes = vehicle.all("guidance/lanes")
    check(all(before != after for before, after in zip(lanes, lanes[1:])), "lanes came twice")
    shown = [one["lanes"] for one in lanes if one["lanes"]]
    check(shown and not lanes[-1]["lanes"], "no lanes were shown, or they were never taken away")
    equal([lane["directions"] for lane in shown[0]], [["left"], ["through"], ["through", "right"]], "the lanes of the High Street")
    equal([lane["recommendation"] == "not_recommended" for lane in shown[0]], [True, True, False], "lanes that do not lead right")


@row("when notifications come, and how far ahead one warns, can be set", "`voice.*_action_m`, `navigator.warn_slow_m`, …")
def test_times_of_notifications_and_warnings_are_parameters__VO_1__EV_4(lab):
    def distances(*settings):
        messages = lab.recording(stack.DEMO, "voice.sink=none", *settings, without=["renderer"])
        spoken = [body["distance_m"] for topic, _, body in messages if topic == "voice/announcement" and body["kind"] == "action"]
        warned = [body["distance_m"] for topic, _, body in messages if topic == "guidance/warning" and body["event"] == "ahead"]
        return max(spoken), max(warned)
    spoken, warned = distances()
    earlier, farther = distances("voice.action_s=15", "voice.slow_action_m=150", "voice.regular_action_m=250", "navigator.warn_slow_m=600",
                                 "navigator.warn_regular_m=1200")
    check(earlier > spoken + 30, f"the last words before a maneuver at {spoken:.0f} m, with other times at {earlier:.0f} m")
    check(farther > warned + 50, f"warned at {warned:.0f} m, with other distances at {farther:.0f} m")


@row("a notification at the destination", "`guidance/arrival` destination_reached")
def test_the_destination_is_reached_once__MS_3__PR_9(lab):
    vehicle = lab.once(tour)
    (arrival,) = vehicle.all("guidance/arrival")
    equal((arrival["event"], arrival["name"], arrival["route_id"]), ("destination_reached", "Office", vehicle.route["id"]), "the arrival")
    check(arrival["distance_m"] <= 20, f"{arrival['distance_m']} m from it")


@row("milestones for stopovers and the destination, never for the first waypoint", "`guidance/milestone`")
def test_stopovers_and_the_destination_are_milestones__MS_1(lab):
    found = [(one["event"], one["kind"], one["name"]) for one in lab.once(tour).all("guidance/milestone")]
    wanted = [("reached", "stopover", "Town Hall"), ("reached", "stopover", "Stadium"), ("reached", "destination", "Office")]
    equal(found, wanted, "milestones")


@row("a milestone's index is the place in the list that the user gave", "`guidance/milestone` index, kept through reroutes")
def test_an_index_stays_the_users_through_a_reroute__MS_5__MS_1(lab):
    vehicle = lab.town.vehicle()
    # From here (place 0) over the town hall (1) and the stadium (2) to the office (3).
    vehicle.start(MARKET, at(TOWN_HALL, name="Town Hall"), at(STADIUM, name="Stadium"), at(OFFICE, name="Office"))
    first = vehicle.active["id"]
    vehicle.follow(until=lambda: vehicle.count("guidance/milestone"))
    # On along the Station Road, wherever the route goes.
    side = vehicle.place
    vehicle.drive([side, (46.9955, -30.0), (46.9905, -30.0)], from_m=10, until=lambda: vehicle.other(first))
    check(vehicle.other(first), f"no new route: {[one['state'] for one in vehicle.all('guidance/reroute')]}")
    equal([point.get("user_index") for point in vehicle.active["waypoints"][1:]], [2, 3], "user_index in the new route")
    vehicle.follow(until=lambda: vehicle.count("guidance/arrival"))
    found = [(one["name"], one.get("index")) for one in vehicle.all("guidance/milestone")]
    equal(found, [("Town Hall", 1), ("Stadium", 2), ("Office", 3)], "indices")


@row("coordinates of a milestone, as given and as matched", "lat_deg, matched_lat_deg")
def test_a_milestone_has_both_coordinates__MS_1(lab):
    for milestone, place in zip(lab.once(tour).all("guidance/milestone"), (TOWN_HALL, STADIUM, OFFICE)):
        equal((milestone["lat_deg"], milestone["lon_deg"]), place, "the place as given")
        matched = milestone["matched_lat_deg"], milestone["matched_lon_deg"]
        check(0.5 < distance_m(matched, place) < 40, f"{distance_m(matched, place):.1f} m from the road")


@row("waypoints that the router adds, as for a ferry, are milestones without an index", "`guidance/milestone` kind added")
def test_boarding_a_ferry_is_a_milestone_without_an_index__MS_1(lab):
    vehicle = lab.once(crossing)
    added = [one for one in vehicle.all("guidance/milestone") if one["kind"] == "added"]
    equal([(one["event"], one["boards"], one.get("index")) for one in added], [("reached", "ferry", None)], "added milestones")
    stop = vehicle.route["added_stops"][added[0]["added_stop"]]
    check(distance_m((added[0]["lat_deg"], added[0]["lon_deg"]), (stop["lat_deg"], stop["lon_deg"])) < 1, "it is not where one boards")


@row("pass-through waypoints are no milestones, but with a flag", "`navigator.report_pass_through`")
def test_pass_through_waypoints_are_milestones_where_wanted__MS_1(lab):
    for running, wanted in ((lab.town, ["destination"]), (lab.other, ["pass_through", "destination"])):
        vehicle = running.vehicle()
        vehicle.start(HOME, at((46.9999, -30.0155), kind="pass_through"), MARKET)
        vehicle.follow(until=lambda: vehicle.count("guidance/arrival"))
        equal([one["kind"] for one in vehicle.all("guidance/milestone")], wanted, f"milestones in the stack {running.stack.label}")


@row("a missed milestone, once", "`guidance/milestone` missed")
def test_a_stop_that_is_driven_past_is_missed_once__MS_2(lab):
    vehicle = lab.town.vehicle()
    # The stop lies up a side street; the vehicle stays on the High Street.
    vehicle.start(at_street(0), at((47.0030, -30.0119), name="Side"), at((47.0, -29.9935), name="End"))
    vehicle.call("navigate/set_rerouting", {"policy": "off"})
    vehicle.drive([at_street(0), at_street(3)])
    missed = [(one["event"], one["name"]) for one in vehicle.all("guidance/milestone") if one["name"] == "Side"]
    equal(missed, [("missed", "Side")], "milestones of the stop")


def at_street(place):
    """Places along the High Street from west to east."""
    return [(47.0, -30.0200), (47.0, -30.0121), (47.0, -30.0050), (47.0, -29.9905)][place]


def in_the_second_section(running):
    """A vehicle that begins a route with a stop at Village where that already lies behind."""
    vehicle = running.vehicle()
    route = running.route(at(HOME), at(VILLAGE, name="Village"), at((46.9885, -30.0150), name="South"), car=vehicle.name)
    section = route["sections"][1]
    line = Line(navstack.polyline6(route["shape"]))
    begin = section["start_m"] + section["length_m"] - 250
    place, bearing = line.at(begin)
    vehicle.stand(place, bearing=bearing)
    vehicle.set_route(route)
    vehicle.drive(line, begin, begin + 100)
    running.settle(4)
    return vehicle


@row("a first location beyond the first section: what lies before is missed", "`guidance/milestone` missed at the first progress")
def test_a_start_in_a_later_section_misses_what_lies_before__MS_2(lab):
    vehicle = in_the_second_section(lab.town)
    found = [(one["event"], one["name"]) for one in vehicle.all("guidance/milestone")]
    equal(found, [("missed", "Village")], "milestones after 100 m")
    check(vehicle.last("guidance/progress")["section"] == 1, "progress is not in the second section")


@row("sections that overlap: earlier milestones are reached or missed", "`guidance/milestone`; a place on the later section's road is no deviation")
def test_overlapping_sections_are_distinguished__MS_2__PR_5(lab):
    # West along the High Street to a stop in a side street, back, and on southwards over the same crossing.
    running, vehicle = lab.town, lab.town.vehicle()
    route = running.route(at((47.0, -30.0060)), at((47.0030, -30.01185), name="North"), at((46.9960, -30.01168), name="South"),
                          car=vehicle.name)
    line = Line(shape(route))
    crossing_m = line.nearest((47.0, -30.01185))[0]
    vehicle.stand(line.at(0)[0], bearing=line.at(0)[1])
    vehicle.set_route(route)
    # At the crossing it turns left at once, onto the road of the second section.
    vehicle.drive(line, 0, crossing_m)
    vehicle.drive([(47.0, -30.01185), (46.9995, -30.01175), (46.9962, -30.01168)], from_m=13,
                  until=lambda: vehicle.count("guidance/arrival") or vehicle.count("guidance/reroute"))
    found = [(one["event"], one["name"]) for one in vehicle.all("guidance/milestone")]
    check(found[:1] == [("missed", "North")], f"milestones {found}, reroutes {[one['state'] for one in vehicle.all('guidance/reroute')]}")
    # Straight on along the High Street, where both sections meet at the crossing.
    vehicle = running.vehicle()
    vehicle.start(at_street(0), at((47.0030, -30.0119), name="Side"), at((47.0, -29.9935), name="End"))
    vehicle.drive([at_street(0), at_street(3)], until=lambda: vehicle.count("guidance/reroute") or vehicle.count("guidance/milestone"))
    found = [(one["event"], one["name"]) for one in vehicle.all("guidance/milestone")]
    check(found[:1] == [("missed", "Side")], f"milestones {found}, reroutes {[(one['state'], one['reason']) for one in vehicle.all('guidance/reroute')]}")


@row("after a miss the route is computed again", "`navigator.on_missed: reroute | ask | ignore`")
def test_a_missed_stop_is_led_back_to__MS_4(lab):
    for running, wanted in ((lab.other, "completed"), (lab.town, "proposed")):
        vehicle = in_the_second_section(running)
        states = [(one["state"], one["reason"]) for one in vehicle.all("guidance/reroute")]
        check((wanted, "missed_stop") in states, f"reroutes in {running.stack.label}: {states}")
    # Only proposed: the voice must not claim that it is done (it is when the driver accepts).
    said = [one["text"] for one in vehicle.all("voice/announcement")]
    check(not any(text.startswith("Rerouting") for text in said), f"said before it was accepted: {said}")
    vehicle.call("navigate/accept_reroute")
    equal(vehicle.active["waypoints"][1]["original"]["name"], "Village", "the next stop after it was accepted")


# Road shields.


def span_at(route, shape_index):
    """Index of the span that a point of the shape begins or lies in."""
    starts = route["spans"]["first_shape_index"]
    return max(index for index, start in enumerate(starts) if start <= shape_index)


def road_of(route, span):
    return route["roads"][route["spans"]["road"][span]]


def us_route(lab):
    drawing = (lab.us, lab.us_drawing)[1]
    return lab.us.route(drawing.place(-400, 0), drawing.place(2300, 0))


def numbers_route(lab, language="en-US"):
    drawing = (lab.numbers, lab.numbers_drawing)[1]
    return lab.numbers.route(drawing.place(10, 0), drawing.place(5900, 0), language=language)


@row("the road's shield at the next maneuver and on the map",
     "`scene/frame` panel.next_road with its numbers; the page draws their shields in panel and map")
def test_the_shield_at_the_next_maneuver_is_that_of_its_road__RN_4(lab):
    running, drawing = lab.us, lab.us_drawing
    vehicle = running.vehicle("scene/frame")
    vehicle.start(drawing.place(1500, 700), drawing.place(-400, 0))
    vehicle.follow(to_m=100)
    panel = frames(vehicle)[-1]["panel"]
    maneuver = vehicle.active["maneuvers"][panel["maneuver_index"]]
    equal(maneuver["onto_road"]["number"], "US 101;CA 1", "the number after the next maneuver")
    equal([one["text"] for one in panel["next_road"]["numbers"]], ["US 101", "CA 1"], "numbers on the panel")
    shield = vehicle.call("scene/shield", {"span": span_at(vehicle.active, maneuver["shape_index"]), "scheme": "panel"})
    check("101" in shield["description"], f"the shield of the next road: {shield['description']}")


@row("a shield as a picture, made offline, from a span or from properties by hand", "`scene/shield`")
def test_a_shield_is_a_picture_by_call__RN_11__RN_4(lab):
    running, drawing = lab.us, lab.us_drawing
    vehicle = running.vehicle()
    vehicle.start(drawing.place(-400, 0), drawing.place(2300, 0))
    by_span = vehicle.call("scene/shield", {"span": 0})
    check(by_span["picture"].lstrip().startswith(b"<svg") or b"<svg" in by_span["picture"][:200], "no SVG")
    check(b"101" in by_span["picture"], "the picture shows another text than 101")
    by_hand = vehicle.call("scene/shield", {"number": "US 101", "level": 2, "country": "US", "shield_text": "101"})
    check(b"101" in by_hand["picture"], "the picture by hand shows another text")
    picture = vehicle.call("scene/shield", {"number": "A 5", "level": 1, "country": "DE", "format": "png"})
    check(picture["picture"].startswith(b"\x89PNG\r\n") and picture["format"] == "png", "no PNG")
    width, height = (int.from_bytes(picture["picture"][begin:begin + 4], "big") for begin in (16, 20))
    equal((width, height), (picture["width_px"], picture["height_px"]), "size of the PNG")


@row("the road's level from 1 to 6, country and state of the span", "`road.numbers[].level`, `country`, `state_code`")
def test_levels_country_and_state_of_a_span__RT_10__RN_4(lab):
    route = numbers_route(lab)
    found = {number["text"]: number.get("level") for road in route["roads"] for number in road["numbers"]}
    wanted = {"A 5": 1, "B 3": 2, "L 600a": 4, "K 9710": 5}
    equal({text: found.get(text) for text in wanted}, wanted, "levels of numbers")
    equal({(road["country"], road["state_code"]) for road in route["roads"]}, {("DE", "DE-BW")}, "country and state")


@row("the text of the shield", "`road.numbers[].shield_text`")
def test_numbers_have_the_text_of_their_shield__RT_10__RN_4(lab):
    found = {number["text"]: number.get("shield_text") for road in numbers_route(lab)["roads"] + us_route(lab)["roads"] for number in road["numbers"]}
    wanted = {"A 5": "5", "B 3": "3", "US 101": "101", "CA 1": "1"}
    equal({text: found.get(text) for text in wanted}, wanted, "texts of shields")


@row("all numbers of a road, with their languages", "`road.numbers`")
def test_road_numbers_are_a_list_with_languages__RT_10(lab):
    equal([number["text"] for number in road_of(us_route(lab), 0)["numbers"]], ["US 101", "CA 1"], "numbers of one road")
    # The one in the language asked for first, then the local one.
    for language, wanted in (("en-US", ["C 7", "S 7"]), ("de", ["S 7"])):
        numbers = [road for road in numbers_route(lab, language)["roads"] if road["number"].endswith(" 7")][0]["numbers"]
        equal([number["text"] for number in numbers], wanted, f"numbers asked for in {language}")


@row("the cardinal direction of a numbered road", "`road.numbers[].direction`")
def test_numbers_have_their_direction__RT_10(lab):
    equal([number.get("direction") for number in road_of(us_route(lab), 0)["numbers"]], ["north", "west"], "directions")


@row("the size that a shield must fit into, its description, an error without a country, and colours by day and night",
     "`scene/shield` width_px, height_px, description, key, scheme, night")
def test_shields_fit_a_box_and_have_a_description__RN_11__RN_4(lab):
    running = lab.us
    interstate = {"number": "I 80", "level": 1, "country": "US", "direction": "west", "shield_text": "80"}
    small = running.call("scene/shield", {**interstate, "width_px": 60, "height_px": 24})
    large = running.call("scene/shield", {**interstate, "width_px": 600, "height_px": 240})
    check(small["width_px"] <= 60 and small["height_px"] <= 24, f"{small['width_px']} by {small['height_px']} in a box of 60 by 24")
    check(24 in (small["height_px"], 0) or small["width_px"] == 60, "it does not fill its box")
    near(large["width_px"] / large["height_px"], small["width_px"] / small["height_px"], 0.1, "width by height")
    check("80" in small["description"] and "west" in small["description"].lower(), f"description: {small['description']}")
    equal(running.call("scene/shield", {**interstate, "width_px": 60, "height_px": 24}), small, "the same shield again")
    others = [running.call("scene/shield", {**interstate, "width_px": 60, "height_px": 24, **more}) for more in (
        {"night": True}, {"scheme": "panel"}, {"number": "I 5", "shield_text": "5"})]
    check(all(other["key"] != small["key"] for other in others), "keys of other shields are the same")
    check(others[0]["picture"] != small["picture"], "by night it looks the same")
    equal(running.refused("scene/shield", {"number": "I 80", "level": 1}).code, "no_country", "without a country")


@row("roads without a number have no shield", "`scene/shield`: no_number")
def test_without_a_number_there_is_no_shield__RN_4(lab):
    vehicle = lab.us.vehicle()
    drawing = lab.us_drawing
    vehicle.start(drawing.place(1500, 200), drawing.place(1500, 800))
    equal(vehicle.active["roads"][vehicle.active["spans"]["road"][0]]["numbers"], [], "numbers of a street without one")
    equal(vehicle.refused("scene/shield", {"span": 0}).code, "no_number", "the shield of a street without a number")


@row("a maneuver lies on the first point of a span, the arrival on the last point of the route", "`maneuver.shape_index`, `spans.first_shape_index`")
def test_maneuvers_begin_spans__RT_11(lab):
    running, count = lab.town, 0
    places = [HOME, OFFICE, HARBOUR, VILLAGE, STADIUM, FARM, MARKET]
    for start, end in zip(places, places[1:]):
        route = running.route(start, STATION, end)
        starts, last = set(route["spans"]["first_shape_index"]), len(navstack.polyline6(route["shape"])) - 1
        for maneuver in route["maneuvers"]:
            is_end = maneuver["action"] == "arrive"
            ends = {section["last_shape_index"] for section in route["sections"]}
            check(maneuver["shape_index"] in (ends if is_end else starts), f"{maneuver['text']} at point {maneuver['shape_index']}")
            count += 1
        equal(route["maneuvers"][-1]["shape_index"], last, "the point of the arrival")
    check(count > 40, f"only {count} maneuvers")


# Map matching.


@row("a matcher of its own that goes by past locations, speed and course", "a stack with the matcher alone; `match/trace`")
def test_the_matcher_alone_goes_by_past_speed_and_course__MM_3__MM_4__MM_13(lab):
    # Off both streets where the Crown Avenue begins at the West Avenue.
    running, crossing = lab.solo, moved(moved((47.0045819, -30.0237358), 9, 90), 9, 0)
    equal(running.nodes, {"matcher"}, "nodes of the stack")
    for bearing, road in ((0, 0), (90, 90)):
        vehicle = running.vehicle()
        vehicle.fix(crossing, speed=12, bearing=bearing)
        vehicle.fix(moved(crossing, 12, bearing), speed=12, bearing=bearing)
        near((vehicle.last("location/matched")["bearing_deg"] - road + 180) % 360 - 180, 0, 20, f"the street at a course of {bearing}")
    vehicle, street = running.vehicle(), (46.9985, -30.0237358)
    for step in range(8):
        vehicle.fix(moved(street, 10 * step, 0), speed=10, bearing=0)
    vehicle.fix(moved(moved(street, 80, 0), 300, 90), speed=10, bearing=0)  # an outlier
    vehicle.fix(moved(street, 90, 0), speed=10, bearing=0)
    outlier, after = vehicle.all("location/matched")[-2:]
    equal((outlier["state"], outlier["reason"], after["state"]), ("no_match", "outlier", "matched"), "an outlier and what comes after it")
    near(after["lon_deg"], street[1], 1e-5, "the street after it")
    fixes = [at(moved(street, 13 * step, 0), time_ns=running.now_ns + step * 1_000_000_000) for step in range(10)]
    reply = vehicle.call("match/trace", {"fixes": fixes})
    equal([match["state"] for match in reply["matches"]], ["matched"] * 10, "matches of a trace")
    near(reply["length_m"], 117, 3, "metres of its path")


@row("a location without time is not matched", "no_match, no_time")
def test_without_time_there_is_no_match__MM_2__MM_5(lab):
    vehicle = lab.solo.vehicle()
    vehicle.fix((46.9985, -30.0237358), speed=10, bearing=0, time_ns=None)
    equal((vehicle.last("location/matched")["state"], vehicle.last("location/matched")["reason"]), ("no_match", "no_time"), "state and reason")
    check(lab.solo.logged("matcher", "time"), "nothing is logged")


@row("farther than 50 m from any road: not matched", "no_match, off_road")
def test_farther_than_50_m_there_is_no_match__MM_1__MM_5(lab):
    for metres, wanted in ((40, "matched"), (60, "no_match")):
        vehicle = lab.solo.vehicle()
        vehicle.stand(moved((46.9935, -30.0237358), metres, 270), fixes=3)
        equal(vehicle.last("location/matched")["state"], wanted, f"{metres} m west of the West Avenue")
    equal(vehicle.last("location/matched")["reason"], "off_road", "the reason")


@row("the attributes of the matched piece of road", "`map/segment`")
def test_a_matched_piece_of_road_has_its_attributes__MM_14(lab):
    vehicle = lab.town.vehicle()
    vehicle.drive([(46.99985, -30.0150), (47.0, -30.0140)], to_m=40)
    segment = vehicle.last("location/matched")["segment"]
    reply = vehicle.call("map/segment", {"segment": segment})
    road = reply["road"]
    equal((road["name"], road["number"], road["road_class"], road["country"], road["state"]), ("High Street", "A1", "primary", "XA", "Harbourshire"),
          "name, number, class, country and state")
    near(road["speed_limit_mps"], 50 / 3.6, 0.01, "the limit")
    equal((reply["lanes"], reply["one_way"]), (2, False), "lanes, one-way")
    check(reply["surface"] in ("asphalt", "paved"), f"surface {reply['surface']}")
    check({"car", "bicycle"} <= set(reply["access"]) and reply["length_m"] > 10, f"access {reply['access']}, {reply['length_m']} m")


MIDDLE_DEG = -30.0  # where the two regions of the town meet


def built_of(lab, day, target):
    """The town as a map whose data are of that day."""
    osm = lab.path / f"town-{day}.osm"
    osm.write_text(TOWN_MAP.read_text(encoding="utf-8").replace("<way id=", f'<way timestamp="{day}T12:00:00Z" id='), encoding="utf-8")
    code, out, errors = stack.run("nav", "map", "build", osm, "-o", target, "--quiet")
    check(code == 0, out + errors)
    return target


def regions_lab(lab):
    """A stack that has an old map of the west of the town; its source offers newer ones of west and east."""
    if "regions" not in lab.kept:
        source, maps = lab.path / "source", lab.path / "maps"
        source.mkdir()
        maps.mkdir()
        old, new = (built_of(lab, day, lab.path / f"{day}.navmap") for day in ("2025-11-01", "2026-05-01"))
        west, east = f"46.9,-30.1,47.1,{MIDDLE_DEG}", f"46.9,{MIDDLE_DEG},47.1,-29.9"
        for whole, box, target in ((new, west, source / "west.navmap"), (new, east, source / "east.navmap"), (old, west, maps / "west.navmap")):
            code, out, errors = stack.run("nav", "map", "cut", whole, "--box", box, "-o", target)
            check(code == 0, out + errors)
        code, out, errors = stack.run("nav", "map", "catalogue", source)
        check(code == 0 and "east" in out and "2026-05-01" in out, out + errors)
        lab.kept["regions"] = RegionServer(source), maps
        lab.servers.append(lab.kept["regions"][0])
    server, maps = lab.kept["regions"]
    return server, maps, lab.stack("regions", maps=maps, port=server.port)


@row("the age of the map", "`nav map info`, `map/regions`, the page's attribution")
def test_the_age_of_the_map_is_shown__OF_3(lab):
    _, maps, running = regions_lab(lab)
    code, out, errors = stack.run("nav", "map", "info", "--json", maps / "west.navmap")
    equal(json.loads(out)["data_time"], "2025-11-01T12:00:00Z", "the time of the data")
    vehicle = running.vehicle()
    vehicle.fix((47.0, -30.015))
    running.wait(lambda: (vehicle.last("map/regions") or {}).get("offered") == 2, 20, "the catalogue is read")
    west = vehicle.last("map/regions")["installed"][0]
    times = [time.strftime("%Y-%m-%d", time.gmtime(west[key] / 1e9)) for key in ("data_ns", "newer_data_ns")]
    equal(times, ["2025-11-01", "2026-05-01"], "the times of the installed and the offered data")
    style = page(running, "style.json?theme=day").decode()
    check("OpenStreetMap contributors, data of 2025-11-01" in style, "the page does not show the age")


@row("missing map data is fetched in the background; what is installed stays", "`nav-regions`, `map/fetch`, `map/regions`")
def test_missing_regions_are_fetched_in_the_background__OF_3(lab):
    server, maps, running = regions_lab(lab)
    vehicle = running.vehicle()
    vehicle.fix((47.0, -30.015))
    running.wait(lambda: (vehicle.last("map/regions") or {}).get("offered") == 2, 20, "the catalogue is read")
    regions = vehicle.last("map/regions")
    equal(([one["name"] for one in regions["installed"]], regions["missing"]), (["west"], []), "installed and missing")
    for request, code, field in (({"name": "north"}, "no_such_region", "name"), ({"lat_deg": 10.0, "lon_deg": 10.0}, "no_such_region", "lat_deg"),
                                 ({}, "invalid", "name"), ({"name": "east", "lat_deg": 47.0, "lon_deg": -30.0}, "invalid", "name")):
        error = vehicle.refused("map/fetch", request)
        equal((error.code, error.field), (code, field), f"the answer to {request}")
    server.fails = True
    equal(vehicle.call("map/fetch", {"lat_deg": 47.0, "lon_deg": -29.98}), {"regions": ["east"]}, "what is asked for")
    failed = running.wait(lambda: next((one for one in vehicle.last("map/regions")["missing"] if one["state"] == "failed"), None), 20, "the failure is told")
    check("503" in failed["problem"], failed["problem"])
    before = (maps / "west.navmap").stat()
    # The first download breaks off; the next one requests the rest.
    server.fails, server.breaks = False, 1
    vehicle.fix((47.0, -30.0151), after_s=2)
    running.wait(lambda: server.breaks == 0 and vehicle.last("map/regions")["missing"][0]["state"] == "failed", 20, "the download breaks off")
    vehicle.fix((47.0, -30.0152), after_s=2)
    running.wait(lambda: len(vehicle.last("map/regions")["installed"]) == 2, 30, "the region is installed")
    check(server.ranges and server.ranges[-1] > 0, f"the download was not resumed: {server.ranges}")
    equal((maps / "west.navmap").stat().st_ino, before.st_ino, "what was installed")
    check(not [one for one in maps.iterdir() if one.name.endswith(".part")], "a part is left behind")




@row("driving against a one-way road; never on a two-way one; without a route", "`location/matched` wrong_way")
def test_the_wrong_way_is_known_without_a_route__MM_7(lab):
    one_way = shape(lab.town.route((46.9977549, -30.0058168), (46.9978164, -29.9959024)))  # the Hop Avenue
    two_way = shape(lab.town.route((47.0, -29.9975), (47.0, -29.9885)))
    for line, wanted in ((one_way, False), (one_way[::-1], True), (two_way, False), (two_way[::-1], False)):
        vehicle = lab.solo.vehicle()
        vehicle.drive(line, from_m=100, to_m=400, speed=10)
        wrong = [one["wrong_way"] for one in vehicle.all("location/matched")[5:]]
        check(sum(one == wanted for one in wrong) >= len(wrong) - 1, f"{sum(wrong)} of {len(wrong)} against the one-way, wanted {wanted}")


@row("speed and its accuracy as measured", "`location/matched` raw")
def test_speed_and_its_accuracy_are_untouched__MM_6(lab):
    vehicle = lab.solo.vehicle()
    vehicle.drive([(46.9985, -30.0237358), (46.9990, -30.0237358)], speed=11.25, speed_accuracy_mps=0.75)
    raw = vehicle.last("location/matched")["raw"]
    equal((raw["speed_mps"], raw["speed_accuracy_mps"]), (11.25, 0.75), "speed and accuracy")


# Destinations off the road.


@row("a place off the road is marked", "`waypoint.off_road`, `off_road_lat_deg`")
def test_a_destination_off_the_road_is_marked__OR_1__RT_12(lab):
    route = lab.town.route(HOME, CABIN)
    equal((route["off_road_lat_deg"], route["off_road_lon_deg"]), CABIN, "the place that no road leads to")
    equal([point["off_road"] for point in route["waypoints"]], [False, True], "off_road of the waypoints")
    near(route["waypoints"][-1]["distance_m"], 1295, 30, "metres from the road")
    check("off_road_lat_deg" not in lab.town.route(HOME, OFFICE), "a destination at the road counts as off-road")


@row("a start off the road begins at the next road, or at an access point", "`waypoint.access_lat_deg`; the matched place")
def test_a_start_off_the_road_begins_at_the_next_road__RT_12(lab):
    start = moved((46.9935, -30.0237358), 600, 270)
    route = lab.town.route(start, OFFICE)
    near(route["waypoints"][0]["distance_m"], 560, 45, "metres to the nearest road")
    gate = (46.9883088, -30.0180)
    route = lab.town.route(at(start, access_lat_deg=gate[0], access_lon_deg=gate[1], access_name="Gate"), OFFICE)
    begin = route["waypoints"][0]["matched_lat_deg"], route["waypoints"][0]["matched_lon_deg"]
    check(distance_m(begin, gate) < 5, f"it begins {distance_m(begin, gate):.0f} m from the gate")


@row("a start too far from any road", "could_not_match_origin")
def test_a_start_too_far_from_any_road_is_refused__RT_12(lab):
    error = lab.town.refused("route/calculate", {"waypoints": [at(moved((46.9935, -30.0237358), 3000, 270)), at(OFFICE)]})
    equal(error.code, "could_not_match_origin", "3 km off the road")


@row("a message that the destination lies off the road", "`guidance/arrival` off_road, the maneuver's text, the voice; page: test_nothing_is_reached_before_the_off_road_end")
def test_texts_state_that_the_destination_is_off_the_road__OR_2__VO_5(lab):
    vehicle = lab.once(cabin)
    equal(vehicle.all("guidance/arrival")[0]["off_road"], True, "off_road at the end of the road")
    end = vehicle.seen["guidance/arrival"][0][0]["stamp"]
    said = [(header["stamp"], body) for header, body in vehicle.seen["voice/announcement"]]
    texts = [vehicle.route["maneuvers"][-1]["text"]] + [body["text"] for stamp, body in said if stamp <= end]
    texts += [frame["panel"].get("text", "") for frame in frames(vehicle) if frame.get("panel")]
    wrong = {text for text in texts if re.search(r"reach(ed)? (your destination|Old Cabin)|on the (left|right)", text)}
    equal(wrong, set(), "texts that claim that it is reached")
    check(any("road ends" in body["text"] for _, body in said), f"nothing says that the road ends: {[body['text'] for _, body in said]}")


@row("off-road guidance begins after the end of the road only", "`guidance/offroad` after `guidance/arrival`")
def test_offroad_guidance_begins_after_the_arrival__OR_2(lab):
    order = [leaf for leaf, _, body in lab.once(cabin).order if leaf in ("guidance/arrival", "guidance/offroad")]
    equal(order[0], "guidance/arrival", "what came first")
    check(order.count("guidance/offroad") > 20, f"{order.count('guidance/offroad')} off-road events")


@row("no route progress again until a new route is set", "`guidance/progress`")
def test_progress_does_not_come_back_after_the_road__OR_2(lab):
    vehicle = lab.once(cabin)
    order = [leaf for leaf, _, _ in vehicle.order]
    after = order[order.index("guidance/arrival"):]
    equal(after.count("guidance/progress"), 0, "progress after the end of the road")


@row("metres and bearing to the destination, from true north", "`guidance/offroad` remaining_m, bearing_deg; page: test_nothing_is_reached_before_the_off_road_end")
def test_offroad_progress_has_distance_and_bearing__OR_2(lab):
    vehicle = lab.once(cabin)
    events = vehicle.all("guidance/offroad")
    for event in events:
        here = event["lat_deg"], event["lon_deg"]
        near(event["remaining_m"], distance_m(here, CABIN), 1, "metres left")
        if event["remaining_m"] > 50:
            near((event["bearing_deg"] - bearing_deg(here, CABIN) + 180) % 360 - 180, 0, 0.5, "bearing")
    check(events[0]["remaining_m"] > 1200 and events[-1]["remaining_m"] < 60, f"{events[0]['remaining_m']} to {events[-1]['remaining_m']} m")


@row("a notification at the destination off the road", "`guidance/arrival` off_road_destination_reached")
def test_the_destination_off_the_road_is_reached__OR_2(lab):
    found = [one["event"] for one in lab.once(cabin).all("guidance/arrival")]
    equal(found, ["destination_reached", "off_road_destination_reached"], "arrivals")


@row("the dashed line, its colour, and whether it is shown",
     "`scene/control` layer offroad, colour off-road; page: test_the_straight_line_to_a_place_off_the_road_is_shown")
def test_the_line_off_the_road_can_be_hidden_and_coloured__RN_10__OR_1(lab):
    vehicle = lab.town.vehicle("scene/settings")
    vehicle.stand(HOME)
    vehicle.call("scene/control", {"layers": [{"name": "offroad", "visible": False}], "colours": [{"name": "off-road", "value": "#ff884400"}]})
    settings = vehicle.last("scene/settings")
    check({"name": "offroad", "visible": False} in settings["layers"], f"layers {settings['layers']}")
    equal(colours_of(settings), {("off-road", None): "#ff884400"}, "colours")


@row("a warning of what may lie on the straight line", "`voice/announcement`")
def test_the_voice_warns_of_the_straight_line__OR_2__VO_5(lab):
    said = [one["text"] for one in lab.once(cabin).all("voice/announcement")]
    check(any("may cross" in text for text in said), f"said: {said}")


# Faster routes.


def better(vehicle, *states):
    return [one for one in vehicle.all("route/better") if not states or one["state"] in states]


def wait_for(vehicle, *states, seen=0):
    """Drives on until the search has published one of these states; the last answer may come after the last fix.

    Every node handles a fix before the next one comes: on a slow machine the vehicle would be past the fork when the answer comes.
    """
    there = lambda: any(one["state"] in states for one in vehicle.all("route/better", seen))
    vehicle.follow(to_m=(vehicle.travelled_m or 0) + 300, until=there, each=vehicle.running.settle)
    vehicle.wait(there, 5, f"a faster route is {' or '.join(states)}")


def jammed(lab, **more):
    """A vehicle on its way to the office by the motorway, which jams; it is not on it yet."""
    vehicle = lab.jam.vehicle()
    vehicle.start(HOME, OFFICE, **more)
    vehicle.follow(to_m=60)
    vehicle.route = vehicle.active
    vehicle.jam = on_road(vehicle.route, "Atlantic Motorway")
    check(len(vehicle.jam) >= 3, "the route does not use the motorway")
    flow(vehicle, vehicle.jam)
    return vehicle


def found_gains(lab, seconds, share):
    """What the poller finds in the demo with two thresholds."""
    messages = lab.recording(stack.DEMO, "voice.sink=none", "navigator.adopt=never", f"poller.min_time_difference_s={seconds}",
                             f"poller.min_time_difference_percentage={share}", without=["renderer"])
    return [body for topic, _, body in messages if topic == "route/better" and body["state"] == "found"]


@row("two thresholds: the smaller one decides", "`poller.min_time_difference_s`, `min_time_difference_percentage`")
def test_of_two_thresholds_the_smaller_decides__DR_2(lab):
    for seconds, share in ((120, 0.1), (20, 0.5), (1000, 0.01)):
        found = found_gains(lab, seconds, share)
        check(len(found) > 3, f"{len(found)} faster routes found")
        for one in found:
            left = one["route"]["duration_latest_s"] + one["gain_s"]
            near(one["threshold_s"], min(seconds, share * left), 0.5, f"the threshold of {seconds} s and {share:.0%} of {left:.0f} s")
            check(one["gain_s"] >= one["threshold_s"], f"{one['gain_s']} s gained")


@row("0 switches a threshold off; with both off nothing is found", "the same parameters")
def test_0_switches_a_threshold_off__DR_2(lab):
    equal(found_gains(lab, 0, 0), [], "found with both thresholds off")
    check(found_gains(lab, 45, 0) and found_gains(lab, 0, 0.1), "nothing is found with one threshold")
    equal(found_gains(lab, 86_000, 0), [], "found with a threshold of a day")


@row("an interval between checks, which location updates trigger", "`poller.poll_interval_s`; 0: at every location")
def test_checks_come_by_interval_and_location__DR_1(lab):
    for interval in (120, 0):
        messages = lab.recording(stack.DEMO, "voice.sink=none", "navigator.adopt=never", f"poller.poll_interval_s={interval}",
                                 "location.wrong_turn_at_m=99999", without=["renderer"])
        checks = [header["stamp"] for topic, header, body in messages if topic.startswith("_svc/") and body["phase"] == "request"
                  and body.get("source") == "poller"]
        places = [header["stamp"] for topic, header, body in messages if topic == "guidance/progress"]
        if interval:
            steps = {(after - before) / 1e9 for before, after in zip(sorted(set(checks)), sorted(set(checks))[1:])}
            check(len(set(checks)) >= 2 and steps == {120.0}, f"seconds between checks: {steps}")
        else:
            check(len(set(checks)) > 0.8 * len(places), f"{len(set(checks))} checks at {len(places)} locations")


@row("without a route handle: an error", "route_handle_missing, at once")
def test_a_route_without_a_handle_is_refused_at_once__DR_9__DR_4__RT_16(lab):
    vehicle = lab.jam.vehicle()
    vehicle.stand(HOME)
    route = lab.jam.route(HOME, OFFICE, car=vehicle.name)
    route.pop("handle")
    try:
        vehicle.call("navigate/set_route", {"route": route})
        codes = [one["code"] for one in vehicle.all("route/error")]
    except navstack.CallError as error:
        codes = [error.code]
    equal(codes, ["route_handle_missing"], "errors before the next location")


def engine(lab, budget=0):
    """A stack whose router asks a server, and that server: a router of ours with OSRM's API."""
    server = osrm_http.Router(lab.once(town_map))
    lab.servers.append(server)
    lab.end("engine")
    return lab.stack("engine", port=server.port, budget=budget), server


def town_map(lab):
    target = lab.path / "town.navmap"
    code, _, errors = stack.run("nav", "map", "build", TOWN_MAP, "-o", target, "--quiet")
    check(code == 0, errors)
    return target


@row("offline: an error, and it goes on", "`route/error` engine_unavailable")
def test_a_server_that_is_gone_is_an_error_event__DR_4__RT_15(lab):
    running, server = engine(lab)
    vehicle = running.vehicle()
    vehicle.start(HOME, OFFICE)
    vehicle.follow(to_m=50)
    server.__exit__()
    lab.servers.remove(server)
    vehicle.follow(to_m=500, until=lambda: any(one["code"] == "engine_unavailable" for one in vehicle.all("route/error")))
    codes = [one["code"] for one in vehicle.all("route/error")]
    check("engine_unavailable" in codes, f"errors {codes}")
    seen = vehicle.count("guidance/progress")
    vehicle.follow(to_m=600)
    check(vehicle.count("guidance/progress") > seen, "guidance does not go on")


@row("checks ask a routing backend during guidance", "`router.engine: online`; the poller asks only for what the server can do")
def test_the_poller_asks_a_server_while_driving__DR_9__RT_15(lab):
    running, _ = engine(lab)
    vehicle = running.vehicle()
    vehicle.start(HOME, OFFICE)
    before = running.call("route/engines")["engines"][1]["calls"]
    vehicle.follow(to_m=600)
    running.settle(6)
    equal([one["code"] for one in vehicle.all("route/error")], [], "errors of the poller")
    calls = running.call("route/engines")["engines"][1]["calls"] - before
    check(calls >= 3, f"{calls} calls to the server in 45 s with an interval of 10 s")


@row("a new route starts the search again with it", "`route/active`; DR-6")
def test_a_new_route_restarts_the_search__DR_6(lab):
    vehicle = jammed(lab)
    wait_for(vehicle, "proposed")
    vehicle.call("navigate/accept_better")
    vehicle.start(None, HOSPITAL, stand=False)
    last, seen = vehicle.active["id"], vehicle.count("route/better")
    # Now the new route jams, and only a way around that is faster than it is of use.
    flow(vehicle, pieces(vehicle.active, 500, 1500))
    wait_for(vehicle, "found", seen=seen)
    found = [one["route_id"] for one in vehicle.all("route/better", seen) if one["state"] == "found"]
    equal(set(found), {last}, "routes that the search began with")


@row("seconds and metres of difference", "`route/better` gain_s, longer_m")
def test_a_faster_route_reports_what_it_gains__DR_3(lab):
    vehicle = jammed(lab)
    wait_for(vehicle, "found")
    one = better(vehicle, "found")[0]
    old = vehicle.call("route/traffic", {"handle": vehicle.route["handle"], "section": 0,
                                         "travelled_on_section_m": vehicle.last("guidance/progress")["travelled_on_section_m"]})
    near(one["longer_m"], one["route"]["length_m"] - old["length_m"], 30, "metres more")
    near(one["gain_s"], old["duration_latest_s"] - one["route"]["duration_latest_s"], 12, "seconds gained")
    check(one["gain_s"] > 300 and one["longer_m"] < 0 and one["shape_changed"], f"{one['gain_s']} s, {one['longer_m']} m")


@row("the application decides, and sets the new route",
     "`navigate/accept_better`, `reject_better`, `navigator.adopt`; page: test_a_proposal_can_be_answered_and_the_end_of_the_call_is_told")
def test_proposals_are_accepted_rejected_and_end__DR_5__DR_9__PR_10(lab):
    vehicle = jammed(lab)
    wait_for(vehicle, "proposed")
    equal(vehicle.call("navigate/reject_better")["route_id"], vehicle.route["id"], "the route after a rejection")
    rejected = segments(better(vehicle, "proposed")[0]["route"])
    vehicle.follow(to_m=500)
    again = [one for one in better(vehicle, "proposed")[1:] if segments(one["route"]) <= rejected]
    equal(len(again), 0, "proposals of what was rejected")
    equal(vehicle.refused("navigate/accept_better", {"id": better(vehicle, "proposed")[0]["id"]}).code, "expired", "taking a rejected one")
    opened = {one["id"] for one in better(vehicle, "proposed")}
    ended = {one["id"] for one in better(vehicle, "accepted", "rejected", "expired", "withdrawn")}
    check(len(opened - ended) <= 1, f"{sorted(opened - ended)} never ended")
    other = jammed(lab)
    wait_for(other, "proposed")
    other.call("navigate/accept_better", {"id": better(other, "proposed")[-1]["id"]})
    equal((other.last("route/active")["reason"], other.last("route/active")["replaces"]), ("better", other.route["id"]), "the route that was accepted")
    equal(other.refused("navigate/accept_better").code, "no_proposal", "accepting nothing")


def segments(route):
    columns = route["segments"]
    return set(zip(columns["way"], columns["from"], columns["to"]))


@row("off the route the search cannot start", "`route/error` could_not_match_origin")
def test_off_the_route_the_search_has_no_origin__DR_4(lab):
    vehicle = lab.jam.vehicle()
    vehicle.start(HOME, OFFICE)
    vehicle.call("navigate/set_rerouting", {"policy": "off"})
    vehicle.follow(to_m=200)
    # At the roundabout it turns into the High Street instead of going on northwards.
    vehicle.drive([(47.0, -30.0230), (47.0, -30.0125)], until=lambda: vehicle.count("route/error"))
    equal({(one["code"], one["during"]) for one in vehicle.all("route/error")}, {("could_not_match_origin", "better")}, "errors")


@row("the search ends at the destination and when it is stopped", "no checks after `guidance/arrival`, nor after `navigate/stop`")
def test_the_search_ends_with_guidance__DR_6(lab):
    running = lab.jam
    vehicle = running.vehicle()
    running.subscribe("_svc/route/")
    vehicle.start(HOME, (46.9990, -30.02392))
    vehicle.follow(until=lambda: vehicle.count("guidance/arrival"))
    other = running.vehicle()
    other.start(HOME, OFFICE)
    other.follow(to_m=150)
    other.call("navigate/stop")

    def asked(name):
        return sum(topic.startswith("_svc/") and body["phase"] == "request" and body["vehicle"] == name and body.get("source") == "poller"
                   for topic, _, body in running.others)
    before = asked(vehicle.name), asked(other.name)
    check(before[1] > 0, "no check while driving")
    for one in (vehicle, other):
        one.drive([one.place, moved(one.place, 300, 0)], from_m=13)
    equal((asked(vehicle.name), asked(other.name)), before, "checks after the arrival, and after navigate/stop")


@row("compare shapes: whether only the times changed", "`route/better` shape_changed; `route/refresh` better: true")
def test_a_changed_shape_is_not_only_changed_times__DR_3(lab):
    vehicle = jammed(lab)
    request = {"handle": vehicle.route["handle"], "better": True}
    jam = vehicle.call("route/refresh", request)
    equal(jam["shape_changed"], True, "with a jam on the way")
    flow(vehicle, [])
    free = vehicle.call("route/refresh", request)
    equal((free["shape_changed"], free["route"]["shape"]), (False, vehicle.route["shape"]), "without one")


@row("a planned route is watched before the start", "`route/watch`")
def test_a_planned_route_is_watched__DR_7(lab):
    running, vehicle = lab.jam, lab.jam.vehicle()
    vehicle.stand(HOME)
    route = running.route(HOME, OFFICE, car=vehicle.name)
    equal(vehicle.call("route/watch", {"route": route}), {"route_id": route["id"]}, "the reply")
    flow(vehicle, on_road(route, "Atlantic Motorway"))
    for _ in range(25):
        vehicle.fix(speed=0)
    vehicle.wait(lambda: better(vehicle, "found"), 5, "a faster route is found")
    found = better(vehicle, "found")
    check(found and found[0]["route_id"] == route["id"] and found[0]["gain_s"] > 300, f"found: {[(one['state'], one['gain_s']) for one in found]}")


@row("calls to the backend may cost money: the application decides how many", "`router.engine_calls_per_hour`, `poller.budget`; engine_budget_spent")
def test_calls_to_a_server_have_a_budget__DR_8(lab):
    running, _ = engine(lab, budget=3)
    vehicle = running.vehicle()
    vehicle.start(HOME, OFFICE)
    vehicle.follow(to_m=700, until=lambda: any(one["code"] == "engine_budget_spent" for one in vehicle.all("route/error")))
    check("engine_budget_spent" in [one["code"] for one in vehicle.all("route/error")], f"{vehicle.all('route/error')}")
    server = running.call("route/engines")["engines"][1]
    equal((server["calls"], server["budget_left"]), (3, 0), "calls made, and left")


@row("a refresh keeps the shape", "`route/refresh`: the shape is the end of the old one")
def test_a_refresh_keeps_the_shape__RT_14(lab):
    vehicle = lab.jam.vehicle()
    vehicle.start(HOME, OFFICE)
    vehicle.follow(to_m=300)
    old = navstack.polyline6(vehicle.active["shape"])
    progress = vehicle.last("guidance/progress")
    reply = vehicle.call("route/refresh", {"handle": vehicle.active["handle"], "section": 0, "travelled_on_section_m": progress["travelled_on_section_m"]})
    new = navstack.polyline6(reply["route"]["shape"])
    equal(new[1:], old[-len(new) + 1:], "the shape after its first point")
    near(reply["route"]["length_m"], progress["remaining_m"], 1, "its length")


# Traffic on the map, offline use.


@row("traffic on the whole map",
     "the page's traffic button; `scene/control` layers flow; page: test_the_flow_of_the_whole_map_is_drawn, test_incidents_have_signs_and_a_card")
def test_the_traffic_layer_is_hidden_by_call__RN_8__RN_7(lab):
    vehicle = lab.town.vehicle("scene/settings")
    vehicle.stand(HOME)
    vehicle.call("scene/control", {"layers": [{"name": "flow", "visible": False}]})
    equal(vehicle.last("scene/settings")["layers"], [{"name": "flow", "visible": False}], "the hidden layer")
    vehicle.call("scene/control", {"layers": [{"name": "flow", "visible": True}]})
    equal(vehicle.last("scene/settings")["layers"], [], "the layers, drawn again")


@row("traffic on the line of the route, from a jam factor of 4 on, of this moment", "`route/active` with reason traffic; page: test_new_traffic_colours_the_route_and_moves_nothing")
def test_new_traffic_reaches_the_route_that_is_drawn__RN_3__TR_3(lab):
    vehicle = jammed(lab)
    vehicle.follow(to_m=800, until=lambda: (vehicle.last("guidance/progress") or {}).get("traffic_ns", 0) > vehicle.seen["route/active"][-1][0]["stamp"])
    state = vehicle.last("route/active")
    equal((state["reason"], state["route"]["id"]), ("traffic", vehicle.route["id"]), "the active route after traffic changed")
    spans = state["route"]["spans"]
    check(max(spans["jam_factor"]) >= 8, f"jam factors {sorted(set(spans['jam_factor']))}")
    equal(state["route"]["shape"], vehicle.route["shape"], "the shape")


@row("map data along a corridor, fetched before the trip", "`nav map cut --corridor`")
def test_a_corridor_is_cut_out_and_routes__OF_2(lab):
    route = lab.town.route(HOME, OFFICE)
    line, target = lab.path / "line.txt", lab.path / "cut.navmap"
    line.write_text("".join(f"{lat},{lon}\n" for lat, lon in shape(route)))
    whole = lab.once(town_map)
    code, out, errors = stack.run("nav", "map", "cut", whole, "--corridor", line, "-o", target)
    check(code == 0, out + errors)
    check(target.stat().st_size < 0.8 * whole.stat().st_size, "the corridor is as large as the map")
    code, out, errors = stack.run("nav", "map", "verify", target)
    check(code == 0, out + errors)
    code, out, errors = stack.run("nav", "route", "--map", target, "--from", "%.5f,%.5f" % HOME, "--to", "%.5f,%.5f" % OFFICE)
    check(code == 0 and "6.5 km" in out, out + errors)


@row("regions are loaded by themselves while driving", "`nav-regions`: what comes within `around_m`, and what the route crosses")
def test_regions_are_loaded_while_driving__OF_3(lab):
    server, maps, _ = regions_lab(lab)
    lab.end("regions")
    for file in maps.glob("east*"):
        file.unlink()
    _, _, running = regions_lab(lab)
    vehicle = running.vehicle()
    line = [(47.0, -30.0200), (47.0, -29.9850)]
    vehicle.drive(line, to_m=200)
    equal([one["name"] for one in vehicle.last("map/regions")["installed"]], ["west"], "installed at the start")
    vehicle.drive(line, from_m=200, to_m=1300)
    running.wait(lambda: len(vehicle.last("map/regions")["installed"]) == 2, 30, "the region ahead is installed")
    for node in ("matcher", "router", "navigator"):
        running.wait(lambda: running.statuses.get(node, {}).get("counters", {}).get("maps_replaced", 0) >= 1, 60, f"{node} has the joined map")
    vehicle.drive(line, from_m=1300, to_m=2400)
    equal({one["state"] for one in vehicle.all("location/matched")[-60:]}, {"matched"}, "in the east")
    route = vehicle.call("route/calculate", {"waypoints": [at(line[0]), at(line[-1])]})["routes"][0]
    near(route["length_m"], distance_m(*line), 100, "the way from west to east")


@row("navigation without a network", "the whole drive in a network namespace without one")
def test_a_drive_without_a_network__OF_1(lab):
    words = ["unshare", "--user", "--map-root-user", "--net", str(stack.OPTIONS.programs / "nav"), "drive", str(stack.DEMO), "--quiet",
             "--set", "voice.sink=none", "--without", "renderer", "--digest", str(lab.path / "offline")]
    done = subprocess.run(words, capture_output=True, text=True, timeout=60)
    check(done.returncode == 0, done.stderr[-300:])
    digest = (lab.path / "offline").read_text()
    check("guidance/arrival" in digest and "route/better" in digest, "the drive did not arrive, or found no faster route")


# Tunnels.

TUNNEL = [(46.98830, -29.98836), (46.9874095, -29.9880951), (46.9856109, -29.9875676), (46.9838572, -29.9840073)]


def tunnel_drive(lab, *settings):
    """A simulated drive through the Harbour Tunnel, where the receiver gives nothing; recorded in one process."""
    file = lab.path / "tunnel.yaml"
    file.write_text(f"""
stack: tunnel
map: {TOWN_MAP}
nodes:
  location:
    run: nav-location-provider
    params: {{source: simulator, start_at: "46.9890000,-29.9883588", start_bearing_deg: 180, noise_m: 2}}
  matcher: {{run: nav-map-matcher}}
  router: {{run: nav-router}}
  navigator: {{run: nav-navigator}}
  voice: {{run: nav-voice-guidance, params: {{sink: none}}}}
  renderer: {{run: nav-renderer, params: {{port: 0}}}}
external: [traffic/flow, traffic/incidents, route/better]
start:
  - navigate/start: {{to: {{lat_deg: {HARBOUR[0]}, lon_deg: {HARBOUR[1]}}}}}
until: {{topic: guidance/arrival, where: {{event: destination_reached}}}}
""")
    return lab.recording(file, *settings)


def estimates(messages, topic="location/matched"):
    return [body for name, _, body in messages if name == topic and body and body.get("estimated")]


@row("in a tunnel the location goes on along the route", "estimated locations; no deviation")
def test_the_location_goes_on_in_a_tunnel__TU_1__TU_4(lab):
    messages = tunnel_drive(lab)
    inside = estimates(messages)
    check(len(inside) >= 30 and sum(one["in_tunnel"] for one in inside) >= 25, f"{len(inside)} estimates")
    check(all(one["state"] == "matched" for one in inside), "an estimate is not on the road")
    progress = estimates(messages, "guidance/progress")
    travelled = [one["travelled_m"] for one in progress]
    check(len(travelled) >= 30 and travelled == sorted(travelled) and travelled[-1] - travelled[0] > 300, f"progress: {travelled}")
    equal([body for name, _, body in messages if name == "guidance/deviation"], [], "deviations")
    check(any(name == "guidance/arrival" for name, _, _ in messages), "no arrival")


@row("an estimated location has neither time stamp nor speed", "`location/matched` without raw; no speed_mps in progress and scene; page: test_an_estimated_location_shows_no_speed_and_moves_on")
def test_an_estimate_has_no_measured_speed__TU_2__PR_15(lab):
    vehicle = lab.town.vehicle("scene/frame")
    vehicle.start((46.9888, -29.98836), HARBOUR, bearing=180)
    line = Line(navstack.polyline6(vehicle.active["shape"]))
    vehicle.drive(line, 0, line.nearest(TUNNEL[1])[0], speed=12)
    lab.town.settle(4)  # the frame of the last fix has come
    seen = vehicle.count("location/matched"), vehicle.count("guidance/progress"), vehicle.count("scene/frame")
    lab.town.pass_time(20)
    matched, progress, shown = (vehicle.all(topic, begin) for topic, begin in zip(("location/matched", "guidance/progress", "scene/frame"), seen))
    check(len(matched) >= 15 and all(one["estimated"] and one.get("raw") is None for one in matched), f"{len(matched)} estimates")
    check(len(progress) >= 15 and all(one["estimated"] for one in progress), f"{len(progress)} progress events")
    equal({one.get("speed_mps") for one in progress}, {None}, "speeds in progress")
    equal({one["panel"].get("speed_mps") for one in shown if one.get("panel")}, {None}, "speeds in frames")
    last = [one["uncertainty_m"] for one in matched]
    check(last == sorted(last) and last[-1] > last[0] + 5, f"uncertainty {last[0]:.1f} to {last[-1]:.1f} m")


@row("whether a location is estimated (the guide has no way to tell)", "`estimated: true`")
def test_estimates_are_marked__TU_2(lab):
    messages = tunnel_drive(lab)
    for name in ("location/matched", "guidance/progress"):
        check(estimates(messages, name), f"no estimate on {name}")
    wrong = [body for name, _, body in messages if name == "location/matched" and bool(body.get("raw")) == body["estimated"]]
    equal(wrong, [], "fixes marked as estimates, or estimates as fixes")


@row("switches for the extrapolation in tunnels, and for all of it", "`matcher.tunnel_extrapolation`, `matcher.extrapolation`")
def test_extrapolation_is_switched_off__TU_3(lab):
    count = {settings: len(estimates(tunnel_drive(lab, *settings))) for settings in (
        (), ("matcher.tunnel_extrapolation=false",), ("matcher.extrapolation=false", "matcher.tunnel_extrapolation=false"))}
    both, short, none = count.values()
    check(both >= 30 and 0 < short <= 6 and none == 0, f"estimates: {both} with both, {short} without tunnels, {none} without any")


@row("interpolated locations also outside of tunnels", "`location/interpolated`, for as long as somebody asks")
def test_interpolated_locations_lapse_unless_asked_for__TU_5(lab):
    vehicle = lab.town.vehicle("location/interpolated")
    vehicle.drive([(46.9985, -30.0237358), (46.9987, -30.0237358)], step_s=0.5)
    equal(vehicle.count("location/interpolated"), 0, "interpolated locations that nobody asked for")
    vehicle.call("location/interpolate", {"for_s": 3})
    vehicle.drive([(46.9987, -30.0237358), (46.9991, -30.0237358)], step_s=0.05)
    made = vehicle.count("location/interpolated")
    check(made > 20, f"{made} interpolated locations")
    vehicle.drive([(46.9991, -30.0237358), (46.9996, -30.0237358)], step_s=0.5)
    lapsed = vehicle.count("location/interpolated")
    vehicle.drive([(46.9996, -30.0237358), (46.9999, -30.0237358)], step_s=0.5)
    equal(vehicle.count("location/interpolated"), lapsed, "interpolated locations after the time has run out")
