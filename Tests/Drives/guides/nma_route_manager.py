"""HERE iOS SDK, NMARouteManager: one test for each row."""

import datetime
import threading
import time

import navstack
from lab import Line, at, distance_m, moved
from places import HARBOUR, HOME, ISLAND, MARKET, OFFICE, PIER, STADIUM, STATION, VILLAGE
from rows import check, equal, near, no_row, row
from slow_server import SlowServer
from traffic import flow, incidents, on_road, pieces, shape

TOLL_ROAD = (47.0060, -29.96738)
NOWHERE = (40.0, 10.0)


def kinds(route):
    return {violation["kind"] for violation in route["violations"]}


@row("at most 32 waypoints", "`route/calculate`: 2 to 32")
def test_2_to_32_waypoints__RT_1(lab):
    places = [moved((46.9895, -30.0237358), 20 * step, 0) for step in range(33)]
    equal(len(lab.town.route(*places[:32])["waypoints"]), 32, "waypoints of a route")
    for count in (1, 33):
        error = lab.town.refused("route/calculate", {"waypoints": [at(place) for place in places[:count]]})
        check(error.code == "invalid" and "waypoint" in f"{error.field} {error.message}", f"{count} waypoints: {error}")


no_row("one calculation at a time", "Requests are answered in parallel here, as guide 4 (NMACoreRouter) asks; see its first row.")


def slow_engine(lab, seconds):
    """A router that asks a server which takes so long for an answer, and then has none; no stack clock runs."""
    server = SlowServer(seconds)
    lab.servers.append(server)
    lab.end("engine")
    return lab.stack("engine", port=server.port, budget=0, clock=False)


@row("how far a calculation is", "`route/progress`")
def test_a_long_calculation_reports_progress__RT_18(lab):
    running = slow_engine(lab, 4)
    vehicle = running.vehicle()
    errors = []

    def calculate():
        try:
            running.call("route/calculate", {"waypoints": [at(HOME), at(OFFICE)], "request_id": "slow"}, vehicle.name)
        except navstack.CallError as error:
            errors.append(error.code)

    thread = threading.Thread(target=calculate)
    begin = time.monotonic()
    thread.start()
    times = []
    while thread.is_alive():
        running.read(0.05)
        while len(times) < vehicle.count("route/progress"):
            times.append(time.monotonic() - begin)
    thread.join()
    events = vehicle.all("route/progress")
    equal(errors, ["engine_unavailable"], "the end of the call")
    check(2 <= len(events) <= 5, f"{len(events)} reports in 4 s, at {[round(one, 1) for one in times]}")
    check(0.5 < times[0] < 2.5, f"the first after {times[0]:.1f} s")
    equal({(one["request_id"], one["call"], one["step"]) for one in events}, {("slow", "route/calculate", "asking")}, "request, call and step")
    shares = [one["share"] for one in events]
    check(shares == sorted(shares) and 0 < shares[-1] < 1, f"shares {shares}")


@row("fastest or shortest", "`optimisation`")
def test_fastest_and_shortest_differ__RT_3(lab):
    fastest, shortest = (lab.town.route(HOME, OFFICE, optimisation=aim) for aim in ("fastest", "shortest"))
    check(fastest["duration_latest_s"] < shortest["duration_latest_s"] - 10, "the fastest is not the fastest")
    check(shortest["length_m"] < fastest["length_m"] - 500, "the shortest is not the shortest")


@row("the mode of transport", "`mode`: seven of them")
def test_seven_modes_of_travel__RT_3(lab):
    found = {mode: lab.town.route(HOME, STADIUM, mode=mode) for mode in ("car", "truck", "bus", "taxi", "scooter", "bicycle", "pedestrian")}
    times = {mode: route["duration_latest_s"] for mode, route in found.items()}
    check(times["pedestrian"] > 2 * times["bicycle"] > 2 * times["car"], f"seconds by mode: {times}")
    check(not on_road(found["bicycle"], "Atlantic Motorway"), "a bicycle on the motorway")
    # Four metres high: not through the Low Arch.
    low = (47.0110, -30.02466)
    check("vehicle" in kinds(lab.town.route(HOME, low, mode="truck", vehicle={"height_m": 4.0})), "a truck of 4 m under the Low Arch is no violation")


@row("options: avoid kinds of road, areas, countries, pieces of road", "`avoid`, `wishes`, `avoid_countries`")
def test_options_avoid_roads_and_areas__RT_6(lab):
    running = lab.town
    plain = running.route(HOME, OFFICE)
    check(on_road(plain, "Atlantic Motorway"), "the plain route does not use the motorway")
    for options in ({"avoid": ["motorways"]}, {"wishes": [{"segment": dict(zip(("way", "from", "to"), on_road(plain, "Atlantic Motorway")[1]))}]},
                    {"wishes": [{"south_deg": 47.0130, "north_deg": 47.0139, "west_deg": -30.0, "east_deg": -29.99}]}):
        route = running.route(HOME, OFFICE, **options)
        check(not on_road(route, "Atlantic Motorway")[1:2] and not route["violations"], f"{options} changes nothing")
    across = [(47.0005, -30.0356), (47.0125, -30.0381)]  # along Westmark Road, in the other country
    check("XB" in {road["country"] for road in running.route(*across)["roads"]}, "the plain route does not go through Westmark")
    for name, places in (("tolls", ((47.0120, -29.9671), HARBOUR)), ("tunnels", ((46.9889, -29.98836), HARBOUR))):
        plain, other = running.route(*places), running.route(*places, avoid=[name])
        flag = {"tolls": "toll", "tunnels": "tunnel"}[name]
        check(any(road[flag] for road in plain["roads"]), f"the plain route has no {name}")
        check(kinds(other) == {name} or not any(road[flag] for road in other["roads"]), f"{name} are not avoided")


@row("the time of departure", "`departure_ns`: rules of time hold at the place and time of passing")
def test_rules_of_time_hold_at_the_departure__RT_4__RT_21(lab):
    # The Sunday Street, the only way there, is closed on Sundays from ten to six; the Night Lane of the town has a way around.
    running, drawing = lab.stack("mini"), lab.mini_drawing
    places = drawing.place(20, 1000), drawing.place(880, 1000)
    for day, wanted in (("2026-06-07", True), ("2026-06-08", False)):
        noon = int(datetime.datetime.fromisoformat(f"{day}T12:00:00+01:00").timestamp()) * 1_000_000_000
        route = running.route(*places, departure_ns=noon)
        near(route["length_m"], 860, 5, f"metres on {day}")
        equal(bool(route["violations"]), wanted, f"whether the closed street is a violation on {day}")
        noon += 3 * 3_600_000_000_000  # in the demo town, two hours behind UTC
        around = lab.town.route((47.0106990, -30.0246588), (47.0111, -30.0257138), departure_ns=noon)
        equal("Night Lane" in {road["name"] for road in around["roads"]}, not wanted, f"whether the Night Lane is used on {day}")


@row("a number of results, the best first", "`alternatives`")
def test_alternatives_come_best_first__RT_5(lab):
    routes = lab.town.routes(HOME, OFFICE, alternatives=3)
    check(2 <= len(routes) <= 4, f"{len(routes)} routes")
    times = [route["duration_latest_s"] for route in routes]
    check(min(times) == times[0] and max(times) <= 1.4 * times[0] + 1, f"seconds {times}")
    best = set(pieces(routes[0]))
    for other in routes[1:]:
        shared = sum(length for *place, length in zip(other["segments"]["way"], other["segments"]["from"], other["segments"]["to"],
                                                       other["segments"]["length_m"]) if tuple(place) in best)
        check(shared <= 0.81 * other["length_m"], f"{shared / other['length_m']:.0%} of an alternative is the best route")


@row("waypoints, start, destination, length, bounding box and geometry of a route", "`route`")
def test_a_route_has_its_places_length_and_box__RT_9(lab):
    route = lab.town.route(HOME, at(STATION, name="Station"), OFFICE)
    points = shape(route)
    equal([(point["original"]["lat_deg"], point["original"]["lon_deg"]) for point in route["waypoints"]], [HOME, STATION, OFFICE], "waypoints")
    near(Line(points).length_m, route["length_m"], route["length_m"] * 0.002, "length of the geometry")
    box = route["south_deg"], route["north_deg"], route["west_deg"], route["east_deg"]
    lats, lons = [lat for lat, _ in points], [lon for _, lon in points]
    for found, wanted in zip(box, (min(lats), max(lats), min(lons), max(lons))):
        near(found, wanted, 1e-5, "an edge of the bounding box")
    ends = [(route["waypoints"][n]["matched_lat_deg"], route["waypoints"][n]["matched_lon_deg"]) for n in (0, -1)]
    check(distance_m(points[0], ends[0]) < 1 and distance_m(points[-1], ends[1]) < 1, "the geometry does not lead from start to destination")


@row("the duration of the route and of each subleg", "durations of route and sections")
def test_durations_of_route_and_sections__RT_9(lab):
    route = lab.town.route(HOME, MARKET, STATION, OFFICE)
    equal(len(route["sections"]), 3, "sections")
    for name in ("duration_free_flow_s", "duration_traffic_s", "duration_latest_s", "length_m"):
        near(sum(section[name] for section in route["sections"]), route[name], 0.5, f"{name} of the sections in all")
    check(all(section["duration_latest_s"] > 20 for section in route["sections"]), "a section takes no time")


@row("details of the duration: car pools, turn restrictions, blocked roads", "`violations` with their spans")
def test_violations_name_their_spans__RT_7(lab):
    vehicle = lab.town.vehicle()
    vehicle.stand(HOME)
    plain = lab.town.route(HOME, PIER, car=vehicle.name)
    closed = on_road(plain, "Pier Road")
    flow(vehicle, closed, speed_mps=0, jam_factor=10)
    route = lab.town.route(HOME, PIER, car=vehicle.name)
    (violation,) = route["violations"]
    equal(violation["kind"], "blocked_road", "what could not be kept")
    names = {route["roads"][route["spans"]["road"][span]]["name"] for span in violation["spans"]}
    equal(names, {"Pier Road"}, "roads of its spans")
    pool = (47.01124, -30.0262)  # on the Pool Road, for car pools
    check("car_pool" in kinds(lab.town.route(HOME, pool, avoid=["car_pool"])), "a lane for car pools is no violation")


@row("a maneuver: place, action, distance, roads before and after, times, signpost", "`maneuver`")
def test_a_maneuver_has_all_that_a_driver_needs__RT_11(lab):
    route = lab.town.route(HOME, OFFICE)
    points = shape(route)
    for number, maneuver in enumerate(route["maneuvers"][:-1]):
        following = route["maneuvers"][number + 1]
        near(maneuver["length_m"], following["offset_m"] - maneuver["offset_m"], 0.5, "metres to the next maneuver")
        check(distance_m((maneuver["lat_deg"], maneuver["lon_deg"]), points[maneuver["shape_index"]]) < 1, "it is not at its point")
        check(maneuver["duration_s"] > 0 and maneuver["text"], "no time or no text")
    (leave,) = [maneuver for maneuver in route["maneuvers"] if maneuver["action"] == "exit"]
    equal((leave["signpost"]["exit_number"], leave["signpost"]["destinations"]), ("13", ["Harbour", "Ferry"]), "the sign at the exit")
    equal((leave["from_road"]["name"], leave["from_road"]["number"]), ("Atlantic Motorway", "M1"), "the road before it")
    (ring,) = [maneuver for maneuver in route["maneuvers"] if maneuver["action"] == "roundabout"]
    equal((ring["exit_count"], ring["onto_road"]["name"]), (2, "West Avenue"), "exit and road of the roundabout")
    near(sum(maneuver["duration_s"] for maneuver in route["maneuvers"]), route["duration_traffic_s"], 1, "seconds of all maneuvers")


@row("the pieces of road of a maneuver, each with what it is", "segment, last_segment, spans, roads")
def test_a_maneuver_leads_to_its_pieces_of_road__RT_11__RT_10(lab):
    route = lab.town.route((46.9890, -29.98836), HARBOUR)
    segments, spans = route["segments"], route["spans"]
    columns = zip(spans["first_segment"], spans["segment_count"], spans["road"])
    owner = {n: route["roads"][road] for first, count, road in columns for n in range(first, first + count)}
    for plan in (route, lab.town.route(HOME, OFFICE)):
        columns = zip(plan["spans"]["first_segment"], plan["spans"]["segment_count"], plan["spans"]["road"])
        roads = {n: plan["roads"][road] for first, count, road in columns for n in range(first, first + count)}
        for maneuver, following in zip(plan["maneuvers"], plan["maneuvers"][1:]):
            first = maneuver["segment"]
            check(first < following["segment"] or following["action"] == "arrive", f"“{maneuver['text']}” has no pieces of road")
            equal(plan["segments"]["shape_index"][first], maneuver["shape_index"], f"the point of the first piece after “{maneuver['text']}”")
            beyond = maneuver.get("last_segment", first)
            check(first <= beyond <= following["segment"], f"last_segment {beyond} of “{maneuver['text']}”")
            equal(roads[beyond]["name"], maneuver["onto_road"]["name"], f"the road after “{maneuver['text']}”")
    names = [owner[n]["name"] for n in range(len(segments["way"]))]
    check({"Harbour Approach", "Harbour Tunnel", "Harbour Front"} <= set(names), f"roads {names}")
    equal({name: owner[n]["tunnel"] for n, name in enumerate(names) if name.startswith("Harbour")},
          {"Harbour Approach": False, "Harbour Tunnel": True, "Harbour Front": False}, "which pieces are a tunnel")


@row("a route drawn on the map", "`route/active`, `scene/control` routes; page: test_the_overview_shows_the_whole_route, test_further_routes_have_colours_of_their_own")
def test_a_route_is_drawn_on_the_map_by_call__RN_10__RN_3(lab):
    vehicle = lab.town.vehicle("scene/settings")
    vehicle.stand(HOME)
    route = lab.town.route(HOME, OFFICE)
    vehicle.call("scene/control", {"routes": [{"id": "mine", "shape": route["shape"]}]})
    equal([(one["id"], one["shape"]) for one in vehicle.last("scene/settings")["routes"]], [("mine", route["shape"])], "lines on the map")
    vehicle.call("scene/control", {"routes": [{"id": "mine", "shape": ""}]})
    equal(vehicle.last("scene/settings")["routes"], [], "lines after it was removed")


@row("a route comes even where options are violated", "`violations`")
def test_a_violated_option_hides_no_route__RT_7(lab):
    route = lab.town.route(PIER, ISLAND, avoid=["ferries"])
    equal(kinds(route), {"ferries"}, "violations")
    (violation,) = route["violations"]
    check(all(route["roads"][route["spans"]["road"][span]]["ferry"] for span in violation["spans"]), "its spans are no ferry")


@row("options that a result violates come back with it", "`violations` of tolls, ferries, tunnels, areas, countries, pieces of road")
def test_each_option_comes_back_as_a_violation__RT_7__RT_6(lab):
    running = lab.town
    plain = running.route(PIER, ISLAND)
    boat = next(place for place in pieces(plain) if place[0] == 293)
    box = {"south_deg": VILLAGE[0] - 0.001, "north_deg": VILLAGE[0] + 0.001, "west_deg": VILLAGE[1] - 0.001, "east_deg": VILLAGE[1] + 0.001}
    for wanted, places, options in (
            ("tolls", ((47.0110, -29.96714), TOLL_ROAD), {"avoid": ["tolls"]}),
            ("ferries", (PIER, ISLAND), {"avoid": ["ferries"]}),
            ("tunnels", (HOME, (46.98650, -29.98783)), {"avoid": ["tunnels"]}),
            ("motorways", (HOME, (47.0133549, -29.9990)), {"avoid": ["motorways"]}),
            ("area", (HOME, VILLAGE), {"wishes": [box]}),
            ("country", (HOME, VILLAGE), {"avoid_countries": ["XB"]}),
            ("segment", (PIER, ISLAND), {"wishes": [{"segment": dict(zip(("way", "from", "to"), boat))}]})):
        equal(kinds(running.route(*places, **options)), {wanted}, f"violations of a route that cannot avoid {wanted}")


@row("blocked roads and turn restrictions among the violations", "blocked_road, turn_restriction")
def test_restrictions_and_closures_are_violations__RT_7(lab):
    running, drawing = lab.stack("mini"), lab.mini_drawing
    equal(kinds(running.route(drawing.place(20, 0), drawing.place(300, 280))), {"turn_restriction"}, "where the only turn is forbidden")
    vehicle = lab.town.vehicle()
    vehicle.stand(HOME)
    closed = on_road(lab.town.route(HOME, PIER, car=vehicle.name), "Pier Road")
    incidents(vehicle, ("i-1", "road_closed", closed, {"closed": True}))
    equal(kinds(lab.town.route(HOME, PIER, car=vehicle.name)), {"blocked_road"}, "where the only road is closed")


@row("errors as codes", "codes of `route/calculate`")
def test_errors_have_codes__RT_12(lab):
    running = lab.town
    for places, wanted in (((moved((46.9935, -30.0237358), 3000, 270), OFFICE), "could_not_match_origin"),
                           ((HOME, moved((46.9884, -30.0389), 15000, 270)), "could_not_match_destination"),
                           ((HOME, NOWHERE), "no_map_data")):
        equal(running.refused("route/calculate", {"waypoints": [at(place) for place in places]}).code, wanted, f"{places}")
    drawing = (lab.stack("mini"), lab.mini_drawing)[1]
    error = lab.stack("mini").refused("route/calculate", {"waypoints": [at(drawing.place(20, 0)), at(drawing.place(2020, 0))]})
    equal(error.code, "no_route_found", "two roads that nothing joins")
    equal(running.refused("route/calculate", {"waypoints": [at(HOME), at(OFFICE)], "mode": "rocket"}).code, "invalid", "an unknown mode")
