"""ArcGIS Maps SDK, RouteTracker: one test for each row."""

import re

import navstack
import osrm_http
import stack
from here_navigate import town_map
from lab import Line, at, distance_m, moved
from places import HOME, MARKET, OFFICE, STADIUM, TOWN_HALL, VILLAGE, tour
from rows import check, equal, near, no_row, row
from slow_server import SlowServer
from traffic import shape


def us_tour(lab, name="us"):
    """A drive with a voice that speaks of miles, through a town of the United States."""
    running, drawing = lab.stack(name), None
    drawing = lab.us_drawing
    vehicle = running.vehicle()
    vehicle.start(drawing.place(-400, 0), at(drawing.place(4400, 1800), name="Market Hall"))
    vehicle.route = vehicle.active
    vehicle.follow(until=lambda: vehicle.count("guidance/arrival"), speed=15)
    running.settle(4)
    return vehicle


def chatty_tour(lab):
    return us_tour(lab, "chatty")


def on_way(vehicle):
    """Progress on the route of a tour."""
    return [one for one in vehicle.all("guidance/progress") if one["route_id"] == vehicle.route["id"]]


def as_printed(entry, unit_m):
    """Whether text, number and unit of a distance fit each other and the metres."""
    text, number, unit = entry["remaining_text"], entry["remaining_number"], entry["remaining_unit"]
    check(re.fullmatch(r"[\d.,]+ (m|km|ft|mi|yd)", text), f"a distance is printed as {text!r}")
    figure, printed = text.replace(",", "").rsplit(" ", 1)
    equal((float(figure), printed), (number, unit), "text against number and unit")
    metres = number * unit_m[unit]
    check(abs(metres - entry["remaining_m"]) <= max(0.11 * entry["remaining_m"], unit_m[unit] * 0.06, 15), f"{text} for {entry['remaining_m']:.0f} m")


METRIC, IMPERIAL = {"m": 1, "km": 1000}, {"ft": 0.3048, "mi": 1609.344}


@row("progress to the next stop", "`guidance/progress` sections[0]: metres, seconds, text, unit, ETA")
def test_progress_to_the_next_stop__PR_2__PR_15(lab):
    vehicle = lab.once(tour)
    for progress in on_way(vehicle)[::7]:
        stop, section = progress["sections"][0], vehicle.route["sections"][progress["section"]]
        equal(stop["section"], progress["section"], "the section of the next stop")
        near(stop["remaining_m"], section["length_m"] - progress["travelled_on_section_m"], 0.5, "metres to it")
        as_printed(stop, METRIC)
        near(stop["eta_ns"] / 1e9, progress["eta_ns"] / 1e9 - (progress["remaining_s"] - stop["remaining_s"]), 0.01, "its ETA")
        equal(len(progress["sections"]), 3 - progress["section"], "sections left")


@row("progress to the next maneuver", "`guidance/progress` maneuvers[0]: metres, seconds, text, unit")
def test_progress_to_the_next_maneuver__PR_3__PR_15(lab):
    vehicle = lab.once(tour)
    for progress in on_way(vehicle)[::7]:
        for entry in progress["maneuvers"]:
            near(entry["remaining_m"], vehicle.route["maneuvers"][entry["index"]]["offset_m"] - progress["travelled_m"], 0.5, "metres to it")
            as_printed(entry, METRIC)
    for progress in on_way(lab.once(us_tour))[::7]:
        as_printed(progress["maneuvers"][0], IMPERIAL)


@row("progress along the route: distance as text and unit, time", "`guidance/progress` remaining_text, remaining_unit, remaining_s")
def test_progress_along_the_route__PR_4(lab):
    for vehicle, units in ((lab.once(tour), METRIC), (lab.once(us_tour), IMPERIAL)):
        found = on_way(vehicle)
        for progress in found:
            as_printed(progress, units)
            near(progress["remaining_m"], vehicle.route["length_m"] - progress["travelled_m"], 0.5, "metres left")
        check(len({progress["remaining_unit"] for progress in found}) == 2, "only one unit all the way")
        times = [progress["remaining_s"] for progress in found]
        check(times[0] > times[-1] and times[-1] < 10, f"seconds from {times[0]} to {times[-1]}")


@row("remaining and traversed geometry: to the stop, to the maneuver, along the route", "`navstack.lines(route, progress)`")
def test_geometry_to_stop_maneuver_and_destination__PR_4__PR_15(lab):
    vehicle = lab.once(tour)
    whole = Line(shape(vehicle.route)).points
    for progress in on_way(vehicle)[::11]:
        lines = navstack.lines(vehicle.route, progress)
        here = progress["lat_deg"], progress["lon_deg"]
        left = {"route": progress["remaining_m"], "stop": progress["sections"][0]["remaining_m"]}
        if progress["maneuvers"]:
            left["maneuver"] = progress["maneuvers"][0]["remaining_m"]
        for name, metres in left.items():
            traversed, remaining = lines[name]
            equal(traversed[-1], remaining[0], f"where the parts to the {name} meet")
            check(distance_m(traversed[-1], here) < 2, f"they meet {distance_m(traversed[-1], here):.1f} m from the location")
            near(Line(remaining).length_m, metres, max(2, metres * 0.003), f"metres of the line to the {name}")
        both = Line(lines["route"][0][:-1] + lines["route"][1][1:]).points
        equal((both[0], both[-1], len(both)), (whole[0], whole[-1], len(whole)), "traversed and remaining in one")


@row("whether one is on the route", "`guidance/progress` on_route; `guidance/deviation`")
def test_off_the_route_there_is_a_deviation__PR_1__PR_6(lab):
    vehicle = lab.town.vehicle()
    vehicle.start(HOME, OFFICE)
    vehicle.call("navigate/set_rerouting", {"policy": "off"})
    vehicle.follow(to_m=200)
    equal(vehicle.last("guidance/progress")["on_route"], "yes", "on the route")
    seen = vehicle.count("guidance/progress")
    vehicle.fix((47.0, -30.0230), after_s=15)
    vehicle.drive([(47.0, -30.0230), (47.0, -30.0160)])
    events = vehicle.all("guidance/deviation")
    equal([one["first"] for one in events[:3]], [True, False, False], "first of the deviations")
    check(len(events) > 20 and events[0]["evidence"]["fixes"] >= 3, f"{len(events)} deviations")
    check(all(one["on_route"] != "yes" for one in vehicle.all("guidance/progress", seen)[6:]), "progress says that it is on the route")


@row("the index of the current maneuver", "`guidance/progress` maneuvers[0].index")
def test_the_current_maneuver_has_its_index__PR_3(lab):
    vehicle = lab.once(tour)
    indices = [progress["maneuvers"][0]["index"] for progress in on_way(vehicle) if progress["maneuvers"]]
    check(indices == sorted(indices), "an index goes back")
    wanted = {index for index, maneuver in enumerate(vehicle.route["maneuvers"]) if maneuver["action"] != "depart"}
    equal(set(indices) - {0}, wanted, "indices of maneuvers other than departures")


@row("stops at the same place are skipped", "`navigator.skip_coincident_stops`")
def test_coincident_stops_are_skipped__PR_12(lab):
    for running, wanted in ((lab.other, ["A", "End"]), (lab.town, ["A", "B", "End"])):
        vehicle = running.vehicle()
        vehicle.start(HOME, at((46.9990, -30.0237358), name="A"), at((46.9990, -30.0237358), name="B"), at((47.0015, -30.0237358), name="End"))
        vehicle.follow(until=lambda: vehicle.count("guidance/arrival"))
        equal([one["name"] for one in vehicle.all("guidance/milestone")], wanted, f"stops reached in {running.stack.label}")


no_row("whether the route task supports rerouting", "The built-in engine always does; `route/engines` lists what a server can do.")


def leave(vehicle, until, seconds=60):
    """Drives on northwards where the route turns, past the roundabout into the High Street."""
    vehicle.drive([(47.0, -30.0230), (47.0, -30.0005)], until=until)


@row("rerouting is switched on and off", "`navigate/set_rerouting`: automatic, ask, off")
def test_rerouting_is_switched_on_and_off__PR_8__PR_10(lab):
    for policy, wanted in (("off", []), ("ask", ["started", "proposed"]), ("automatic", ["started", "completed"])):
        vehicle = lab.town.vehicle()
        vehicle.start(HOME, OFFICE)
        vehicle.call("navigate/set_rerouting", {"policy": policy})
        vehicle.follow(to_m=200)
        leave(vehicle, lambda: vehicle.count("guidance/deviation") > 8 or vehicle.last("route/active")["reason"] == "reroute")
        equal([one["state"] for one in vehicle.all("guidance/reroute")][:2], wanted, f"reroutes with {policy}")
        if policy == "ask":
            before = vehicle.active["id"]
            vehicle.call("navigate/accept_reroute")
            check(vehicle.last("route/active")["reason"] == "reroute" and vehicle.other(before), "an accepted reroute is not followed")
            equal(vehicle.refused("navigate/reject_reroute").code, "no_proposal", "rejecting when nothing is proposed")


@row("strategies: to the next stop, to the next waypoint, stops in another order", "`navigate/set_rerouting` strategy")
def test_strategies_of_rerouting__PR_8__MS_5(lab):
    found = {}
    for strategy in ("next_stop", "next_waypoint", "resequence"):
        vehicle = lab.town.vehicle()
        vehicle.start(HOME, at((47.0103422, -30.0160), kind="pass_through", name="Pass"), at(STADIUM, name="Stadium"),
                      at(TOWN_HALL, name="Town Hall"), at(OFFICE, name="Office"))
        first = vehicle.active
        vehicle.call("navigate/set_rerouting", {"policy": "automatic", "strategy": strategy})
        vehicle.follow(to_m=200)
        leave(vehicle, lambda: vehicle.other(first["id"]))
        check(vehicle.other(first["id"]), f"no new route with {strategy}")
        found[strategy] = vehicle.active
        names = {point["original"]["name"]: point.get("user_index") for point in vehicle.active["waypoints"][1:]}
        wanted = {"Pass": 1, "Stadium": 2, "Town Hall": 3, "Office": 4}
        equal(names, {name: wanted[name] for name in names}, f"places in the user's list with {strategy}")
    order = {strategy: [point["original"]["name"] for point in route["waypoints"][1:]] for strategy, route in found.items()}
    equal(order["next_stop"], ["Stadium", "Town Hall", "Office"], "waypoints to the next stop")
    equal(order["next_waypoint"], ["Pass", "Stadium", "Town Hall", "Office"], "waypoints to the next waypoint")
    equal((order["resequence"][-1], sorted(order["resequence"])[-2:]), ("Office", ["Stadium", "Town Hall"]), "waypoints in another order")
    check(found["resequence"]["length_m"] < found["next_stop"]["length_m"] - 500, "another order is not shorter")


@row("the first stop is visited on a start elsewhere", "`navigator.visit_first_stop_on_start`")
def test_the_first_stop_is_visited_where_wanted__PR_8(lab):
    for running, wanted in ((lab.other, True), (lab.town, False)):
        vehicle = running.vehicle()
        # A route from the village, and the vehicle is on the Poplar Road in the south of the town.
        vehicle.stand((46.99419, -30.0050), bearing=90)
        vehicle.set_route(running.route(at(VILLAGE, name="Village"), at(OFFICE, name="Office"), car=vehicle.name))
        first = vehicle.active["id"]
        vehicle.drive([(46.99419, -30.0050), (46.99411, -30.0002), (46.99411, -29.9900)], until=lambda: vehicle.other(first))
        check(vehicle.other(first), f"no reroute in {running.stack.label}")
        names = [point["original"]["name"] for point in vehicle.active["waypoints"][1:]]
        equal("Village" in names, wanted, f"whether the reroute leads to the first stop in {running.stack.label}")


def slow_reroute(lab, seconds, fails=False):
    """A vehicle off its route, whose reroute is being computed by a server that takes so long, or then fails."""
    real = osrm_http.Router(lab.once(town_map))
    server = SlowServer(0, real.port)
    lab.servers += [server, real]
    lab.end("engine")
    running = lab.stack("engine", port=server.port, budget=0)
    vehicle = running.vehicle()
    vehicle.start(HOME, OFFICE)
    vehicle.follow(to_m=200)
    server.seconds = seconds
    if fails:
        server.forward = None
    leave(vehicle, lambda: vehicle.count("guidance/reroute"))
    equal([one["state"] for one in vehicle.all("guidance/reroute")], ["started"], "reroutes before the server answers")
    return vehicle


@row("a reroute is cancelled while it is computed", "`navigate/cancel_reroute`")
def test_a_reroute_is_cancelled_while_it_is_computed__PR_8__PR_10(lab):
    vehicle = slow_reroute(lab, 3)
    vehicle.call("navigate/cancel_reroute")
    equal([one["state"] for one in vehicle.all("guidance/reroute")], ["started", "cancelled"], "reroutes")
    equal(vehicle.refused("navigate/cancel_reroute").code, "no_reroute", "cancelling when none is computed")
    equal(vehicle.active["waypoints"][-1]["original"]["lat_deg"], OFFICE[0], "the route that stays")


@row("events when a reroute begins and ends, with the route or the error", "`guidance/reroute` started, completed, failed, cancelled")
def test_reroutes_begin_and_end_with_events__PR_8(lab):
    vehicle = lab.town.vehicle()
    vehicle.start(HOME, OFFICE)
    first = vehicle.active["id"]
    vehicle.follow(to_m=200)
    leave(vehicle, lambda: vehicle.other(first))
    begun, done = vehicle.all("guidance/reroute")[:2]
    equal((begun["state"], begun["reason"], begun["route_id"], done["state"], done["new_route_id"]),
          ("started", "deviation", first, "completed", vehicle.active["id"]), "a reroute")
    check(begun["evidence"]["fixes"] >= 3, "it does not say why")
    vehicle = slow_reroute(lab, 1, fails=True)
    vehicle.wait(lambda: vehicle.count("guidance/reroute") > 1, 10, "the reroute ends")
    failed = vehicle.all("guidance/reroute")[1]
    equal((failed["state"], failed["error_code"]), ("failed", "engine_unavailable"), "a reroute that fails")
    check(failed["error_text"] and failed["next_try_s"] > 0, f"{failed}")


@row("the display shows the location on the road", "`location/matched`; the indicator of `scene/frame`")
def test_the_indicator_stands_on_the_road__RN_1__MM_6(lab):
    vehicle = lab.town.vehicle("scene/frame")
    street = (46.9985, -30.0237358)
    for step in range(8):
        vehicle.fix(moved(moved(street, 10 * step, 0), 9, 90), speed=10, bearing=0)
    frame = vehicle.last("scene/frame")
    near(frame["indicator_lon_deg"], street[1], 2e-6, "the longitude of the street, 9 m beside the fixes")


@row("the map pans by itself in navigation", "camera tracking; page: test_the_indicator_moves_between_fixes_and_stands_at_its_anchor")
def test_the_camera_follows_with_the_indicator_low__RN_2(lab):
    for frame in lab.once(tour).all("scene/frame")[50:60]:
        equal((frame["anchor_x"], frame["anchor_y"]), (0.5, 0.775), "the indicator's place on the screen")
        check(distance_m((frame["camera_lat_deg"], frame["camera_lon_deg"]), (frame["indicator_lat_deg"], frame["indicator_lon_deg"])) < 1, "it is left behind")


@row("a rest break as a waypoint", "`waypoint.rest_s`: in each ETA")
def test_rests_are_part_of_each_eta__RT_2__PR_15(lab):
    vehicle = lab.town.vehicle()
    vehicle.start(HOME, at(MARKET, name="Market", rest_s=900), OFFICE)
    route = vehicle.active
    equal(route["rest_s"], 900, "rests of the route")
    near(route["waypoints"][2]["arrival_s"] - route["waypoints"][1]["arrival_s"], 900 + route["sections"][1]["duration_latest_s"], 1, "seconds between stops")
    vehicle.follow(to_m=100)
    progress = vehicle.last("guidance/progress")
    driving = progress["remaining_s"] - progress["rest_s"]
    equal(progress["rest_s"], 900, "rests left")
    near(driving, route["duration_latest_s"] * progress["remaining_m"] / route["length_m"], 30, "seconds of driving left")
    near((progress["eta_ns"] - lab.town.now_ns) / 1e9, progress["remaining_s"], 1, "seconds to the ETA")
    first, last = progress["sections"]
    equal((first["rest_s"], last["rest_s"]), (0, 900), "rests before the stop, and before the destination")


# Voice.


def announced(vehicle, kind=None):
    return [one for one in vehicle.all("voice/announcement") if kind in (None, one["kind"])]


@row("long: right after a maneuver, what road to follow, how far, and what comes then", "`voice.announcements: talkative`, kind range")
def test_long_announcements_come_after_the_maneuver__VO_10__VO_1(lab):
    vehicle = lab.once(chatty_tour)
    texts = [one["text"] for one in announced(vehicle) if re.match(r"Go straight along .+, and in .+, turn (left|right) onto .+\.$", one["text"])]
    check(len(texts) >= 2, f"said: {[one['text'] for one in announced(vehicle)]}")
    check(any("along Southeast 3rd Street" in text and "Martin Luther King Junior Boulevard" in text for text in texts), f"{texts}")
    second = [one for one in announced(vehicle) if one.get("maneuver_index") == 2][0]
    check(second["kind"] == "range" and second["distance_m"] > 800, f"the first words of a maneuver 900 m on come at {second.get('distance_m')} m")


@row("moderate: 20 to 30 s before", "kind distance")
def test_moderate_announcements_come_20_to_30_s_before__VO_1(lab):
    times = [one["time_s"] for one in announced(lab.once(us_tour), "distance")]
    check(len(times) >= 3 and all(18 <= time <= 30 for time in times), f"seconds before the maneuver: {times}")


@row("short: about 10 s before, with the street", "`announcements: talkative`, kind action")
def test_short_announcements_name_the_street__VO_10__VO_2(lab):
    found = [one for one in announced(lab.once(chatty_tour), "action") if "urn" in one["text"]]
    check(len(found) >= 3, f"{len(found)} short announcements of turns")
    for one in found:
        check(re.match(r"Turn (left|right) onto .+\.$", one["text"]), one["text"])
        check(7 <= one["time_s"] <= 13, f"{one['text']} {one['time_s']:.1f} s before")


@row("combined: two maneuvers that follow each other", "one sentence: …, then …")
def test_two_close_maneuvers_are_one_sentence__VO_3(lab):
    messages = lab.recording(stack.DEMO, "voice.sink=none", "navigator.adopt=never", "location.wrong_turn_at_m=99999", without=["renderer"])
    texts = [body["text"] for topic, _, body in messages if topic == "voice/announcement"]
    joined = [text for text in texts if re.search(r", then (turn|take|keep)", text)]
    check(joined, f"said: {texts}")


@row("speed, distance and the time to say it decide when and what", "due times move; an action ends 1.5 s before its maneuver at the latest")
def test_the_time_to_say_it_moves_an_announcement__VO_2(lab):
    running, drawing, spoken = lab.us, lab.us_drawing, {}
    for speed in (8, 22):
        vehicle = running.vehicle()
        vehicle.start(drawing.place(600, 0), drawing.place(1500, 800))
        vehicle.follow(until=lambda: vehicle.count("guidance/arrival"), speed=speed)
        running.settle(4)
        spoken[speed] = [one for one in announced(vehicle) if one.get("maneuver_index") == 1]
        for one in spoken[speed]:
            if one["kind"] == "action":
                check(one["time_s"] - one["expected_duration_s"] >= 1.5, f"{one['text']} ends {one['time_s'] - one['expected_duration_s']:.1f} s before")
            found = re.match(r"In (\d+) feet", one["text"])
            if found:
                left = one["distance_m"] - speed * one["expected_duration_s"]
                near(int(found[1]) * 0.3048, left, max(20, left * 0.12), f"metres left when “{one['text']}” has been said")
    first = {speed: spoken[speed][0]["distance_m"] for speed in spoken}
    last = {speed: spoken[speed][-1]["distance_m"] for speed in spoken}
    check(first[22] > first[8] + 50 and last[22] > last[8] + 20, f"metres of the first and last words by speed: {first}, {last}")


@row("abbreviations are expanded", "the text for the ear")
def test_abbreviations_are_expanded_for_the_ear__VO_7(lab):
    texts = " ".join(one["text"] for one in announced(lab.once(us_tour)))
    for wanted in ("West Carolina Avenue", "Southeast 3rd Street", "Martin Luther King Junior Boulevard", "North Main Street", "Fort Worth Lane"):
        check(wanted in texts, f"{wanted} is not said: {texts}")
    left = re.findall(r"\b(?:SE|W|N|Jr|St|Ave|Blvd|Ln)\b\.?", texts)
    equal(left, [], "abbreviations that are said")


@row("slashes, dashes and brackets are not spoken", "the text for the ear")
def test_slashes_and_dashes_are_not_spoken__VO_7(lab):
    vehicle = lab.once(us_tour)
    check(any("/" in road["name"] and "(" in road["name"] for road in vehicle.route["roads"]), "no name has a slash and brackets")
    wrong = [one["text"] for one in announced(vehicle) if re.search(r"[/()–]|\s-\s", one["text"])]
    equal(wrong, [], "texts with signs that nobody says")


@row("the text for the screen as well", "`voice/announcement`; page: test_rerouting_speech_and_arrival_are_told")
def test_announcements_are_text_and_ssml__VO_9(lab):
    for one in announced(lab.once(us_tour)):
        check(one["text"] and one["language"] == "en-US" and one["expected_duration_s"] > 0.5, f"{one}")
        check(one.get("ssml", "<speak>").startswith("<speak"), one.get("ssml"))


@row("a message when the vehicle is off the route", "`guidance/deviation`, kinds deviation and reroute of `voice/announcement`")
def test_the_voice_announces_that_the_route_was_left__VO_5(lab):
    vehicle = lab.town.vehicle()
    vehicle.start(HOME, OFFICE)
    vehicle.call("navigate/set_rerouting", {"policy": "off"})
    vehicle.follow(to_m=200)
    leave(vehicle, lambda: vehicle.count("guidance/deviation") > 5)
    lab.town.settle(4)
    check(vehicle.count("guidance/deviation") > 5, "no deviation")
    texts = [one["text"] for one in announced(vehicle, "deviation")]
    check(len(texts) == 1 and "left the route" in texts[0], f"said: {[one['text'] for one in announced(vehicle)]}")
