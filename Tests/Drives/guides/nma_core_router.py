"""HERE iOS SDK, NMACoreRouter: one test for each row."""

import contextlib
import shutil
import threading
import time

import navstack
import stack
from here_navigate import argb, engine, town_map
from lab import Running, at, distance_m
from nma_route_manager import kinds, slow_engine
from places import HARBOUR, HOME, MARKET, OFFICE, PIER, STADIUM, STATION, TOWN_HALL, VILLAGE
from rows import check, equal, near, row
from stacks import MINI, TOWN_MAP
from traffic import flow, incidents, on_road, pieces, shape


def together(calls):
    """Runs functions at the same time; what each returned or raised."""
    results = [None] * len(calls)

    def run(number, one):
        try:
            results[number] = one()
        except navstack.CallError as error:
            results[number] = error

    threads = [threading.Thread(target=run, args=(number, one)) for number, one in enumerate(calls)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


@row("several requests at the same time", "`route/calculate`, in parallel")
def test_requests_are_answered_in_parallel__RT_1(lab):
    alone = shape(lab.town.route(HOME, OFFICE))
    routes = together([lambda: lab.town.route(HOME, OFFICE) for _ in range(16)])
    check(all(isinstance(route, dict) and shape(route) == alone for route in routes), "16 requests at once do not get the same route")
    # One request that takes 3 s must not hold up the others.
    running = slow_engine(lab, 3)
    waiting = threading.Thread(target=lambda: running.refused("route/calculate", {"waypoints": [at(HOME), at(OFFICE)]}))
    waiting.start()
    begin = time.monotonic()
    check(running.route(HOME, OFFICE, connectivity="offline"), "no route")
    took = time.monotonic() - begin
    check(took < 1 and waiting.is_alive(), f"a second request waited {took:.1f} s for the first")
    waiting.join()


@row("watch a calculation, and cancel it", "`route/progress`, `route/cancel`")
def test_calculations_are_cancelled_at_once__RT_18(lab):
    running = slow_engine(lab, 4)
    ended = {}

    def ask(number):
        with contextlib.suppress(navstack.CallError):
            try:
                running.call("route/calculate", {"waypoints": [at(HOME), at(OFFICE)], "request_id": f"q{number}"}, "ego")
            except navstack.CallError as error:
                ended[number] = (error.code, time.monotonic())
                raise

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(12)]
    for thread in threads:
        thread.start()
    time.sleep(1)  # all are under way, or wait for one that is
    begin = time.monotonic()
    replies = [running.call("route/cancel", {"request_id": f"q{number}"})["cancelled"] for number in (0, 11)]
    equal(replies, [True, True], "what route/cancel replies")
    for thread in threads:
        thread.join()
    for number in (0, 11):
        code, moment = ended[number]
        check(code == "cancelled" and moment - begin < 1.5, f"request {number} ended with {code} after {moment - begin:.1f} s")
    equal(running.call("route/cancel", {"request_id": "q0"})["cancelled"], False, "cancelling what has ended")


# A policy for all routes.


@contextlib.contextmanager
def policy(running, **more):
    """A policy that holds for all routes of a stack as long as the block."""
    reply = running.call("route/policy", {"policy": more})
    try:
        yield reply["policy"]
    finally:
        running.call("route/policy", {"policy": {}})


MOTORWAY_BOX = {"south_deg": 47.0130, "north_deg": 47.0139, "west_deg": -30.0, "east_deg": -29.99}


@row("a policy of penalties that holds for every route of the router", "`route/policy`; every option in `navigate/start`, kept by reroutes")
def test_a_policy_holds_for_all_routes_of_the_stack__RT_22__RT_6(lab):
    running = lab.other
    equal(running.call("route/policy").get("policy", {}).get("avoid", []), [], "the policy at first")
    plain = running.route(HOME, OFFICE)
    check(on_road(plain, "Atlantic Motorway"), "the plain route does not use the motorway")
    with policy(running, avoid=["motorways"], speed_cap_mps=10.0):
        route = running.route(HOME, OFFICE)
        check(not on_road(route, "Atlantic Motorway"), "a route under the policy uses the motorway")
        check(route["duration_latest_s"] >= route["length_m"] / 10, "it goes faster than the policy's cap")
        vehicle = running.vehicle()
        vehicle.start(HOME, OFFICE)
        check(not on_road(vehicle.active, "Atlantic Motorway"), "guidance under the policy uses the motorway")
        first = vehicle.active["id"]
        vehicle.drive([HOME, (46.9960, -30.0237358), (46.9895, -30.0237358)], until=lambda: vehicle.other(first))
        check(vehicle.other(first) and not on_road(vehicle.active, "Atlantic Motorway"), "a reroute under the policy uses the motorway")
        running.call("stack/restart", {"node": "router"})
        running.wait(lambda: answers(running, "route/policy"), 20, "the router is back")
        equal(running.call("route/policy")["policy"]["avoid"], ["motorways"], "the policy after a restart of the router")
    equal(shape(running.route(HOME, OFFICE)), shape(plain), "the route after the policy has ended")
    vehicle = running.vehicle()
    options = {"traffic": "off", "alternatives": 2, "language": "de", "avoid_countries": ["XB"], "speed_cap_mps": 12.0, "connectivity": "offline",
               "wishes": [MOTORWAY_BOX], "first_maneuver_clearance_m": 20.0}
    reply = vehicle.start(HOME, OFFICE, **options)
    request = vehicle.active["request"]
    equal({name: request.get(name) for name in options if name not in ("wishes", "alternatives")},
          {name: value for name, value in options.items() if name not in ("wishes", "alternatives")}, "options of the active route's request")
    check(not on_road(vehicle.active, "Atlantic Motorway")[1:2], "a wish of navigate/start is not kept")
    check(reply["alternatives"] >= 1 and len(vehicle.last("route/alternatives")["routes"]) == reply["alternatives"], "alternatives of navigate/start")
    error = vehicle.refused("navigate/start", {"to": at(OFFICE), "alternative": 2})
    check(error.code == "invalid" and "alternative" in f"{error.field} {error.message}", f"an unknown option: {error}")


def answers(running, name):
    try:
        running.call(name, timeout_s=1)
    except navstack.CallError:
        return False
    return True


@row("an area that is 50 % slower; roads", "`wishes` with speed_factor")
def test_an_area_is_slowed_by_half__RT_6(lab):
    places = (46.9900, -30.0237358), (46.9960, -30.0237358)
    box = {"south_deg": 46.98, "north_deg": 46.9995, "west_deg": -30.03, "east_deg": -29.97, "speed_factor": 0.5}
    plain, slowed = lab.town.route(*places), lab.town.route(*places, wishes=[box])
    near(slowed["duration_latest_s"] / plain["duration_latest_s"], 2, 0.15, "times the usual time in a slowed area")
    corridor = {"corridor": polyline([(47.0133549, -30.0170), (47.0133549, -29.9830)]), "width_m": 40, "speed_factor": 0.2}
    check(on_road(lab.town.route(HOME, OFFICE), "Atlantic Motorway")[1:], "the plain route does not use the motorway")
    check(not on_road(lab.town.route(HOME, OFFICE, wishes=[corridor]), "Atlantic Motorway")[1:], "a slowed road is still used")


def polyline(points):
    """Points as a polyline of six decimals."""
    text, before = "", [0, 0]
    for point in points:
        for axis, value in enumerate(point):
            difference, before[axis] = round(value * 1e6) - before[axis], round(value * 1e6)
            rest = ~(difference << 1) if difference < 0 else difference << 1
            while rest >= 0x20:
                text += chr((0x20 | rest & 0x1F) + 63)
                rest >>= 5
            text += chr(rest + 63)
    return text


@row("how traffic counts", "`traffic`: off, flow, flow_and_closures")
def test_a_request_chooses_how_traffic_counts__RT_17(lab):
    vehicle = lab.jam.vehicle()
    vehicle.stand(HOME)
    ask = lambda how: lab.jam.route(HOME, OFFICE, car=vehicle.name, traffic=how)
    motorway = on_road(ask("off"), "Atlantic Motorway")
    incidents(vehicle, ("i-1", "road_closed", motorway[1:2], {"closed": True}))
    flow(vehicle, on_road(ask("off"), "East Avenue"), speed_mps=16, jam_factor=2)
    routes = {how: ask(how) for how in ("off", "flow", "flow_and_closures")}
    times = {how: route["duration_latest_s"] for how, route in routes.items()}
    check("live" not in routes["off"]["spans"]["traffic_kind"], "traffic counts although it is off")
    check("live" in routes["flow"]["spans"]["traffic_kind"] and motorway[1] in pieces(routes["flow"]), "flow alone respects the closure, or no flow")
    check(motorway[1] not in pieces(routes["flow_and_closures"]), "the closed road is used")
    check(times["off"] < times["flow"] <= times["flow_and_closures"], f"seconds {times}")


@row("places, their access points, and waypoints with details", "`place/find`; `waypoint` access_lat_deg, bearing_deg, rest_s, name")
def test_places_are_found_and_led_to__RT_20__RT_12(lab):
    running = lab.town
    for text, wanted in (("town hall", TOWN_HALL), ("High Street / Station Road", (47.0, -30.0)), ("47.00287, -29.97645", OFFICE)):
        place = running.call("place/find", {"text": text})["places"][0]
        check(distance_m((place["lat_deg"], place["lon_deg"]), wanted) < 30, f"{text}: {place}")
    hall = running.call("place/find", {"text": "Town Hall"})["places"][0]
    gate = (47.0, -30.0035)
    route = running.route(HOME, at((hall["lat_deg"], hall["lon_deg"]), name=hall["name"], access_lat_deg=gate[0], access_lon_deg=gate[1],
                                   access_name="Side entrance"))
    last = route["waypoints"][-1]
    equal((last["original"]["name"], last["original"]["access_name"], last["road_name"]), ("Town Hall", "Side entrance", "High Street"), "the last waypoint")
    check(distance_m((last["matched_lat_deg"], last["matched_lon_deg"]), gate) < 5, "the route does not lead to the access")


@row("at a stopover one may turn back, at a pass-through one goes on", "`waypoint.kind`")
def test_stopovers_may_turn_back__RT_2(lab):
    there, back = (47.0030, -30.0237358), (47.0060, -30.0237358)
    routes = {kind: lab.town.route(at(back, bearing_deg=180), at(there, kind=kind), back) for kind in ("stopover", "pass_through")}
    equal([len(routes[kind]["sections"]) for kind in routes], [2, 1], "sections")
    lengths = {kind: route["length_m"] for kind, route in routes.items()}
    check(lengths["pass_through"] > lengths["stopover"] + 100, f"metres {lengths}")
    turns = [maneuver["action"] for maneuver in routes["pass_through"]["maneuvers"] if abs(maneuver["offset_m"] - 333) < 30]
    check("u_turn" not in turns, "it turns back at the pass-through")


@row("pass-through waypoints for cars only", "`invalid` on foot and by bicycle, with its name")
def test_pass_through_is_for_motor_vehicles__RT_2(lab):
    for mode in ("pedestrian", "bicycle"):
        error = lab.town.refused("route/calculate", {"waypoints": [at(HOME), at(STATION, kind="pass_through"), at(OFFICE)], "mode": mode})
        check(error.code in ("invalid", "unsupported_option") and "pass" in f"{error.field} {error.message}", f"by {mode}: {error}")


@row("the direction in which a route starts, any by default", "`waypoint.bearing_deg`")
def test_a_start_direction_is_kept__RT_4(lab):
    starts = {bearing: lab.town.route(at(HOME, **({} if bearing is None else {"bearing_deg": bearing})), OFFICE) for bearing in (None, 0, 180)}
    found = {bearing: route["maneuvers"][0]["bearing_after_deg"] for bearing, route in starts.items()}
    near(min(found[0], 360 - found[0]), 0, 5, "the first bearing of a start to the north")
    near(found[180], 180, 5, "the first bearing of a start to the south")
    equal(starts[None]["duration_latest_s"], min(route["duration_latest_s"] for route in starts.values()), "any direction is the fastest")


@row("fastest, shortest, balanced", "`optimisation`")
def test_balanced_lies_between_fastest_and_shortest__RT_3(lab):
    found = {aim: lab.town.route(HOME, OFFICE, optimisation=aim) for aim in ("fastest", "balanced", "shortest")}
    times, lengths = ([round(route[name], 1) for route in found.values()] for name in ("duration_latest_s", "length_m"))
    check(times == sorted(times) and times[0] < times[2], f"seconds {times}")
    check(lengths == sorted(lengths, reverse=True) and lengths[0] > lengths[2], f"metres {lengths}")


@row("three times for each subleg: without traffic, with that of the calculation, with the latest",
     "duration_free_flow_s, duration_traffic_s (never changes), duration_latest_s")
def test_three_times_for_each_section__RT_9(lab):
    vehicle = lab.jam.vehicle()
    vehicle.start(HOME, MARKET, OFFICE)
    vehicle.follow(to_m=50)
    first = vehicle.active
    flow(vehicle, pieces(first, first["sections"][1]["start_m"] + 200, first["sections"][1]["start_m"] + 900), speed_mps=3)
    vehicle.follow(to_m=600)
    answer = vehicle.call("route/traffic", {"handle": first["handle"]})
    for number, (before, now, after) in enumerate(zip(first["sections"], answer["sections"], vehicle.active["sections"])):
        near(now["duration_free_flow_s"], before["duration_free_flow_s"], 0.05, f"seconds without traffic of section {number}")
        near(after["duration_traffic_s"], before["duration_traffic_s"], 0.05, f"seconds as calculated of section {number}")
    changed = [now["duration_latest_s"] - before["duration_latest_s"] for before, now in zip(first["sections"], answer["sections"])]
    check(abs(changed[0]) < 1 and changed[1] > 60, f"the latest times change by {changed} s")


@row("routes in primary, secondary and own colours (ARGB)", "`scene/control` routes with colour and outline, colours ahead and alternative; page: test_further_routes_have_colours_of_their_own")
def test_routes_are_drawn_in_colours_of_their_own__RN_10__RN_3(lab):
    vehicle = lab.town.vehicle("scene/settings")
    vehicle.stand(HOME)
    line = lab.town.route(HOME, OFFICE)["shape"]
    routes = [{"id": "mine", "shape": line, "colour": "#80cc00aa", "outline": "#ff330022", "width_px": 9.0},
              {"id": "other", "shape": line, "colour": "#00aa88"}]
    vehicle.call("scene/control", {"routes": routes})
    shown = {one["id"]: one for one in vehicle.last("scene/settings")["routes"]}
    equal((shown["mine"]["shape"], argb(shown["mine"]["colour"]), argb(shown["mine"]["outline"]), shown["mine"]["width_px"]),
          (line, "#80cc00aa", "#ff330022", 9.0), "a line with colours of its own")
    equal((argb(shown["other"]["colour"]), shown["other"]["width_px"]), ("#ff00aa88", 6.0), "a line with the default width")
    vehicle.call("scene/control", {"routes": [{**routes[0], "colour": "#ff0000ff"}]})
    equal({one["id"]: argb(one["colour"]) for one in vehicle.last("scene/settings")["routes"]}, {"mine": "#ff0000ff", "other": "#ff00aa88"},
          "colours after a change")
    equal(vehicle.refused("scene/control", {"routes": [{"id": "bad", "shape": line, "colour": "red"}]}).code, "invalid", "what is no colour")


@row("the map set to the bounding box of the route", "south_deg … east_deg; page: test_the_overview_shows_the_whole_route")
def test_the_bounding_box_holds_the_route__RT_9(lab):
    for places in ((HOME, OFFICE), (VILLAGE, HARBOUR), (STADIUM, PIER)):
        route = lab.town.route(*places)
        lats, lons = zip(*shape(route))
        found = [route[f"{side}_deg"] for side in ("south", "north", "west", "east")]
        for one, wanted in zip(found, (min(lats), max(lats), min(lons), max(lons))):
            near(one, wanted, 1e-6, "an edge of the box")


@row("traffic events on a route", "`guidance/traffic`, `route/traffic` incidents")
def test_incidents_on_the_route_are_listed__TR_5(lab):
    vehicle = lab.jam.vehicle()
    vehicle.start(HOME, OFFICE)
    vehicle.follow(to_m=100)
    there, elsewhere = on_road(vehicle.active, "East Avenue")[:1], on_road(lab.jam.route(HOME, HARBOUR, car=vehicle.name), "Harbour Approach")[:1]
    incidents(vehicle, ("i-1", "accident", there, {"text": "Accident"}), ("i-2", "construction", elsewhere, {}))
    vehicle.follow(to_m=200)
    (one,) = vehicle.last("guidance/traffic")["incidents"]
    begin = next(start for *place, start in zip(*(vehicle.active["segments"][name] for name in ("way", "from", "to", "start_m"))) if tuple(place) == there[0])
    equal((one["id"], one["kind"], one["text"], one["feed"]), ("i-1", "accident", "Accident", "test"), "the incident")
    near(one["start_m"], begin, 1, "metres to where it begins")
    incidents(vehicle)
    vehicle.follow(to_m=300)
    equal(vehicle.last("guidance/traffic")["incidents"], [], "incidents after they have ended")


@row("traffic events on the elements of a route", "`route/traffic` span_incidents")
def test_incidents_name_their_spans__TR_5(lab):
    vehicle = lab.jam.vehicle()
    vehicle.stand(HOME)
    route = lab.jam.route(HOME, OFFICE, car=vehicle.name)
    place = on_road(route, "East Avenue")[:1]
    incidents(vehicle, ("i-1", "accident", place, {}))
    (entry,) = vehicle.call("route/traffic", {"handle": route["handle"]})["span_incidents"]
    equal(route["roads"][route["spans"]["road"][entry["span"]]]["name"], "East Avenue", "the road of its span")


@row("with traffic a route may violate more options", "blocked_road with closures only")
def test_closures_add_violations__RT_7__RT_17(lab):
    vehicle = lab.jam.vehicle()
    vehicle.stand(HOME)
    ask = lambda how: lab.jam.route(HOME, PIER, car=vehicle.name, traffic=how)
    incidents(vehicle, ("i-1", "road_closed", on_road(ask("off"), "Pier Road"), {"closed": True}))
    equal([kinds(ask(how)) for how in ("off", "flow", "flow_and_closures")], [set(), set(), {"blocked_road"}], "violations by how traffic counts")


# Offline.


@row("routes offline over several installed regions", "a list of maps in the stack file: joined once")
def test_a_route_leads_from_region_to_region__OF_1(lab):
    west, east = lab.path / "west.navmap", lab.path / "east.navmap"
    for target, box in ((west, "46,-31,48,-30"), (east, "46,-30,48,-29")):
        code, out, errors = stack.run("nav", "map", "cut", TOWN_MAP, "-o", target, "--box", box)
        check(code == 0, out + errors)
    running = Running("regions", MINI.replace("stack: mini", "stack: regions").format(mini=f"[{west}, {east}]"))
    try:
        route = running.route(HOME, OFFICE)
        check(route["west_deg"] < -30 < route["east_deg"], "the route does not cross the border of the regions")
        near(route["length_m"], lab.town.route(HOME, OFFICE)["length_m"], 1, "metres, as on the whole map")
        equal(running.refused("route/calculate", {"waypoints": [at(HOME), at((47.0, -10.0))]}).code, "no_map_data", "a missing region")
    finally:
        running.close()


@row("the connectivity of a request: default, online, offline", "`connectivity`, `router.engine`")
def test_each_request_chooses_its_engine__RT_15(lab):
    running, server = engine(lab)
    address = f"http://127.0.0.1:{server.port}"
    engines = {how: running.call("route/calculate", {"waypoints": [at(HOME), at(OFFICE)], "connectivity": how})["engine"]
               for how in ("default", "online", "offline", "hybrid")}
    equal(engines, {"default": address, "online": address, "offline": "offline", "hybrid": address}, "engines that answered")
    equal([one["kind"] for one in running.call("route/engines")["engines"]], ["offline", "osrm"], "engines")


@row("no fallback by itself", "engine_unavailable; hybrid says fell_back")
def test_nothing_falls_back_in_silence__RT_15(lab):
    running, server = engine(lab)
    server.__exit__()
    lab.servers.remove(server)
    request = {"waypoints": [at(HOME), at(OFFICE)]}
    for how in ("default", "online"):
        equal(running.refused("route/calculate", {**request, "connectivity": how}).code, "engine_unavailable", f"{how} without the server")
    reply = running.call("route/calculate", {**request, "connectivity": "hybrid"})
    check(reply["engine"] == "offline" and str(server.port) in reply["fell_back"], f"hybrid: {reply['engine']}, {reply.get('fell_back')}")


@row("without traffic, no blocked road proves nothing", "traffic_age_s absent, traffic_used false")
def test_an_answer_reports_whether_traffic_was_used__RT_7(lab):
    vehicle = lab.jam.vehicle()
    vehicle.stand(HOME)
    route = lab.jam.route(HOME, OFFICE, car=vehicle.name)
    check("traffic_age_s" not in route, "traffic_age_s without traffic")
    ask = {"handle": route["handle"]}
    equal(vehicle.call("route/traffic", ask)["traffic_used"], False, "traffic_used without a feed")
    flow(vehicle, [])
    equal(vehicle.call("route/traffic", ask)["traffic_used"], False, "traffic_used with an empty feed")
    flow(vehicle, on_road(route, "East Avenue"), speed_mps=15, jam_factor=2)
    for _ in range(20):
        vehicle.fix(speed=0)
    reply = vehicle.call("route/traffic", ask)
    equal(reply["traffic_used"], True, "traffic_used with a feed")
    near(reply["traffic_age_s"], 20, 2, "seconds since it was observed")


@row("an update of the map data", "`nav map use`, under the running stack")
def test_the_map_is_replaced_under_the_running_stack__OF_2(lab):
    place = lab.path / "used.navmap"
    shutil.copy(lab.once(town_map), place)
    running = Running("used", MINI.replace("stack: mini", "stack: used").format(mini=place))
    try:
        before = running.route(HOME, OFFICE)
        check(on_road(before, "Atlantic Motorway"), "the route does not use the motorway")
        text, less = TOWN_MAP.read_text(encoding="utf-8"), lab.path / "less.osm"
        for way in (240, 241):
            begin = text.index(f'<way id="{way}"')
            text = text[:begin] + text[text.index("</way>", begin) + 6:]
        less.write_text(text, encoding="utf-8")
        code, out, errors = stack.run("nav", "map", "use", less, place)
        check(code == 0, out + errors)
        running.wait(lambda: running.statuses["router"]["counters"].get("maps_replaced"), 20, "the router has gone over to the new map")
        check(not on_road(running.route(HOME, OFFICE), "Atlantic Motorway")[1:], "the route uses a road that the new map has not")
        equal(running.statuses["router"]["restarts"] if "restarts" in running.statuses["router"] else 0, 0, "restarts")
    finally:
        running.close()
