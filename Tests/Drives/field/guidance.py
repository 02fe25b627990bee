"""Guidance and voice: no maneuver is left unsaid, nobody arrives too early or never, closed roads are gone round."""

import json

from field_stack import case, check, drive, trip_text


def at(lat_deg, lon_deg, **more):
    """A waypoint."""
    return {"lat_deg": lat_deg, "lon_deg": lon_deg, **more}


def trip(name, map_name, stops, track=None, start=None, bearing_deg=None, events=None, calls="", limit=None,
         **navigator):
    """Plays a drive to some stops: along a track, or as the simulator drives from a start."""
    folder = case(name)
    if track:
        location = {"source": track.split(".")[-1], "file": track, "rate": 1, "wait_for": "route"}
    else:
        location = {"source": "simulator", "start_at": start, "start_time": "2026-06-01T10:00:00Z"}
        if bearing_deg is not None:
            location["start_bearing_deg"] = bearing_deg
    if events is not None:
        (folder / "events.json").write_text(json.dumps({"feed": "scenario", "events": events}))
    (folder / "trip.yaml").write_text(trip_text(
        map_name, stops, location, navigator, traffic={"scenario": "events.json"} if events is not None else None, calls=calls))
    return drive(folder, "trip.yaml", limit=limit)


def said(played):
    """What the voice said, in order."""
    return [line.value("text") for line in played.of("voice/announcement")]


def told(played, kind):
    return [line.value("text") for line in played.of("voice/announcement") if line.value("kind") == kind]


def arrivals(played):
    return [line.value("rule") for line in played.of("guidance/arrival")]


def reroutes(played):
    return [line for line in played.of("guidance/reroute") if line.value("state") == "started"]


def check_no_deviation(played):
    check(not played.of("guidance/deviation"), "the vehicle is said to be off its route")
    check(not reroutes(played), "a reroute was started")


# Nothing is left unsaid

def test_second_of_two_equal_forks_is_said():
    played = trip("gd-same-words-twice", "forks", [at(48.9941724, 8.0383822)], start="49.0000000,7.9616178",
                  bearing_deg=90)
    check(told(played, "action").count("Keep right.") == 2, f"actions: {told(played, 'action')}")


def test_way_on_after_a_stop_is_said():
    played = trip("gd-which-way-after-a-stop", "town",
                  [at(48.9998921, 8.0123371, name="Bakery"), at(49.0125905, 8.0)],
                  start="49.0000000,7.9808089", bearing_deg=90)
    words = said(played)
    reached = words.index("You have reached your stop, Bakery.")
    check(words[reached + 1] == "Make a U turn onto East Road.", f"then: {words[reached + 1:reached + 3]}")


def test_straight_on_after_a_stop_is_said_when_one_sets_off():
    played = trip("gd-which-way-after-a-stop", "town",
                  [at(48.9998921, 8.0123371, name="Bakery"), at(49.0, 8.0180000)],
                  start="49.0000000,7.9808089", bearing_deg=90)
    check("Head east on East Road." in said(played), f"said: {said(played)}")
    check("Make a U turn onto East Road." not in said(played), "a turn back where there is none")


def test_exits_are_counted_from_within_a_roundabout():
    played = trip("gd-start-in-roundabout", "ring15", [at(49.0053959, 8.0)], start="48.9999046,7.9998546",
                  bearing_deg=135)
    check(any("take the third exit" in words.lower() for words in said(played)), f"said: {said(played)}")
    check(not [words for words in said(played) if "urn right" in words], "a bare turn within the ring")


def test_exits_that_were_passed_count_no_more():
    played = trip("gd-start-in-roundabout", "ring25", [at(49.0, 7.9917752)], start="48.9998410,7.9997577",
                  bearing_deg=135)
    words = said(played)
    check("take the fourth exit" in words[0], f"at the start: {words[0]}")
    check("Take the second exit." in words, f"said: {words}")


def test_missed_exit_is_counted_anew():
    played = trip("gd-start-in-roundabout", "ring15", [at(48.9946041, 8.0)], track="round15.csv")
    words = said(played)
    again = words[words.index("Rerouting.") + 1]
    check(again == "Take the third exit.", f"after the reroute: {again}")


# Arriving

LOOP = [at(49.0035973, 8.0137079), at(49.0071946, 8.0068540), at(49.0, 8.0041124)]


def test_round_trip_is_not_over_where_it_begins():
    for track in ("speed-other.csv", "past-depot30.csv"):
        played = trip("gd-loop-routes", "block", LOOP, track=track, limit=120)
        check(not arrivals(played), f"{track}: arrived at the start")
        check(not [line for line in played.of("guidance/milestone") if line.value("event") == "missed"],
              f"{track}: a stop is given up")


def test_round_trip_without_speeds_is_driven_to_its_end():
    played = trip("gd-loop-routes", "block", LOOP, track="round.gpx")
    reached = [line.value("waypoint") for line in played.of("guidance/milestone") if line.value("event") == "reached"]
    check(reached == ["1", "2", "3"], f"reached: {reached}")


def test_parked_on_the_place_itself():
    for track, stop in (("door45.csv", at(49.0004047, 8.0164495)), ("door90.csv", at(49.0008094, 8.0164495)),
                        ("far90.csv", at(49.0008094, 8.0164495))):
        played = trip("gd-parked-at-the-door", "town", [stop], track=track)
        check("standing_near" in arrivals(played), f"{track}: {arrivals(played)}")
        check("You have left the route." not in said(played), f"{track}: said to be off the route at the door")
        check("You have reached your destination." in said(played), f"{track}: said: {said(played)[-2:]}")


def test_car_park_and_yard_are_arrivals():
    for track, stop in (("carpark.gpx", at(49.0004047, 8.0143933)), ("yard.gpx", at(48.9996403, 8.0164495))):
        played = trip("gd-arrival-places", "town", [stop], track=track)
        check(arrivals(played) == ["standing_near"], f"{track}: {arrivals(played)}")
        check_no_deviation(played)


def test_garage_without_signal_is_an_arrival():
    played = trip("gd-underground-garage", "town", [at(49.0005396, 8.0094585)], track="in.csv")
    check(arrivals(played) == ["signal_lost"], f"{arrivals(played)}")


def test_nobody_leaves_a_route_before_being_on_it__PR_14():
    played = trip("gd-unmapped-yard-storm", "yard", [at(49.0071946, 8.0205619)], track="yard.gpx")
    words = said(played)
    check(words[0].startswith("Head north") and words.count("You have left the route.") <= 1, f"said: {words[:4]}")
    check(len(arrivals(played)) == 1, "no arrival")


# Closed roads

END = [at(49.0, 8.1905404)]
CLOSED = {"at_s": 30, "street": "Bridge Road",
          "incident": {"kind": "road_closed", "impact": "critical", "closed": True, "text": "Bridge closed"}}


def bridge(event, **navigator):
    return trip("gd-closure-ahead", "roads", END, start="49.0000000,7.9465390", bearing_deg=90, events=[event],
                **navigator)


def test_closed_road_ahead_is_gone_round_at_once__TR_8():
    for event in (CLOSED, {**CLOSED, "jam_factor": 10}, {"at_s": 30, "street": "Bridge Road", "jam_factor": 10}):
        played = bridge(event, adopt="auto")
        taken = [line.time for line in played.of("route/better") if line.value("state") == "accepted"]
        check(taken and taken[0] < "10:00:34", f"{event}: taken at {taken[:1]}")
        check("The road ahead is closed." in said(played), f"{event}: nobody says that the road is closed")
        check("Taking another route around the closed road." in said(played), f"{event}: said: {said(played)[:3]}")


def test_way_round_a_closed_road_is_proposed_until_it_is_taken__TR_8():
    played = bridge(CLOSED, adopt="ask")
    proposed = [line.time for line in played.of("route/better") if line.value("state") == "proposed"]
    # Every 90 s up to the last fork before the bridge; then a route that turns back.
    check(len(proposed) > 2 and proposed[0] < "10:00:34", f"proposed at {proposed[:3]}")
    withdrawn = [line.time for line in played.of("route/better") if line.value("state") == "withdrawn"]
    check(withdrawn and "10:02:30" < withdrawn[0] < "10:02:50", f"withdrawn at {withdrawn}")
    check(proposed[1] < withdrawn[0] < proposed[2], f"proposed at {proposed[:3]}, withdrawn at {withdrawn}")


def test_long_jam_by_an_incident_is_checked_at_once__TR_8():
    played = bridge({"at_s": 30, "street": "Bridge Road", "jam_factor": 9.5,
                     "incident": {"kind": "accident", "impact": "major", "text": "Accident"}}, adopt="auto")
    taken = [line.time for line in played.of("route/better") if line.value("state") == "accepted"]
    check(taken and taken[0] < "10:00:40", f"taken at {taken[:1]}")


def test_driver_who_turned_round_is_not_sent_back__PR_13():
    played = trip("gd-closed-road-ahead", "town", [at(49.0, 8.0397530)], track="turns.gpx", limit=400)
    lengths = [float(line.value("length_m")) for line in played.of("route/active") if line.value("reason") == "reroute"]
    check(lengths and lengths[0] > 4000, f"the first new route has {lengths[:1]} m: it leads on to the same place")


# Turning and setting off

def test_sharp_turn_onto_a_slow_road_is_no_deviation():
    for name, stop in (("t150-7", at(48.9978416, 7.9943017)), ("t165-10", at(48.9988827, 7.9936444))):
        played = trip("gd-sharp-turn-onto-a-slow-road", name, [stop], track=f"{name}.csv")
        check_no_deviation(played)
        check(len(arrivals(played)) == 1, f"{name}: no arrival")


def test_standing_vehicle_without_speed_may_set_off_either_way():
    for track in ("x450-1-none.csv", "x450-1-speed.csv"):
        played = trip("gd-standing-start-without-speed", "road", [at(49.0062953, 8.0)], track=track)
        check(said(played)[0].startswith("Head east on Long Road."), f"{track}: {said(played)[0]}")


# Stops passed on another road

STOPS = [at(48.9999550, 8.0178203, name="Baker"), at(49.0, 8.0397530)]


def test_stop_passed_on_the_next_street_is_reached():
    played = trip("gd-stop-passed-aside", "bypass", STOPS, track="old.gpx")
    reached = [line.value("waypoint") for line in played.of("guidance/milestone") if line.value("event") == "reached"]
    check("1" in reached and len(arrivals(played)) == 1, f"reached: {reached}, arrivals: {arrivals(played)}")


def test_stop_passed_far_aside_may_be_dropped():
    played = trip("gd-stop-passed-aside", "bypass", STOPS, track="far.gpx", on_missed="ask")
    offers = [line for line in played.of("guidance/reroute")
              if line.value("state") == "proposed" and line.value("reason") == "passed_stop"]
    check(offers, "nobody offers to drop the stop")
    played = trip("gd-stop-passed-aside", "bypass", STOPS, track="far.gpx", on_missed="ignore")
    missed = [line for line in played.of("guidance/milestone") if line.value("event") == "missed"]
    check(missed and len(arrivals(played)) == 1, "the stop is led back to though missed stops are to be ignored")


def test_wrong_turn_onto_a_later_part_skips_no_stop():
    stops = [at(49.0089932, 7.9835505, name="Two"), at(49.0134898, 8.0082248, name="Three"),
             at(49.0044966, 8.0082248, name="Four"), at(49.0044966, 8.0301575)]
    played = trip("gd-wrong-turn-onto-later-part", "town", stops, track="wrong.csv", limit=150)
    check(not [line for line in played.of("guidance/milestone") if line.value("event") == "missed"],
          "a stop is given up")
    check(len(reroutes(played)) <= 6, f"{len(reroutes(played))} reroutes")
