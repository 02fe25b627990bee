"""Better routes and the clock: a route that was found is followed only where the driver can, and gains what is said."""

import json
import threading
import time

import navstack
import stack
from field_stack import case, check, drive, trip_text
from processes import Small

FORK = ("dy-better-behind-the-fork", "roads", -29.5516571)
LONG = ("dy-proposal-outlives-its-gain", "drive", -29.4725377)


def without_ends(events):
    """The same jams, whose ends nothing foretells: each ends by a report that its street is free.

    A jam with a known end that is over before it is reached leads to no better route.
    """
    jams = [{key: value for key, value in event.items() if key != "until_s"} for event in events]
    ends = [{"at_s": event["until_s"], "street": event["street"], "jam_factor": 0} for event in events if "until_s" in event]
    return sorted(jams + ends, key=lambda event: (event["at_s"], event["jam_factor"]))


def played(place, events, poll_s, location=None, limit=900, **navigator):
    """A drive along Main Road, where the ways by South Road and by Top Road part at 16 km or 12 km."""
    name, map_name, lon = place
    folder = case(name)
    (folder / "events.json").write_text(json.dumps({"feed": "scenario", "events": without_ends(events)}))
    location = location or {"source": "simulator", "start_at": "47.0,-30.0026373", "start_time": "2026-06-01T10:00:00Z",
                            "start_bearing_deg": 90}
    (folder / "case.yaml").write_text(trip_text(
        map_name, [{"lat_deg": 46.9640272, "lon_deg": lon}], location, navigator, {"poll_interval_s": poll_s},
        {"scenario": "events.json"}))
    return drive(folder, "case.yaml", limit=limit)


def states(run):
    return [line.value("state") for line in run.of("route/better")]


def at(run, state):
    """Times of a state, after the hour."""
    return [line.time[3:8] for line in run.of("route/better") if line.value("state") == state]


# Better routes

def test_a_held_route_whose_fork_is_passed_is_dropped():
    for adopt in ("auto", "ask"):
        run = played(FORK, [{"at_s": 560, "street": "Bottom Road", "jam_factor": 5}], 600, adopt=adopt)
        check(states(run) == ["found"], f"{adopt}: {states(run)}")
        check(not run.of("guidance/deviation"), f"{adopt}: the vehicle is off its route")
        check(not [words for words in run.said if "faster" in words], f"{adopt}: said: {run.said}")


def test_a_route_that_is_found_in_time_is_followed():
    run = played(FORK, [{"at_s": 460, "street": "Bottom Road", "jam_factor": 5}], 500, adopt="auto")
    check(states(run) == ["found", "accepted"], f"{states(run)}")
    check(not run.of("guidance/deviation"), "the vehicle is off its route")
    check(sum("Taking a faster route." in words for words in run.said) == 1, f"said: {run.said}")


def test_a_proposal_is_withdrawn_when_its_gain_is_gone():
    for more in ([], [{"at_s": 310, "street": "Top Road", "jam_factor": 8}]):
        run = played(LONG, [{"at_s": 270, "until_s": 310, "street": "Bottom Road", "jam_factor": 7}, *more], 15,
                     limit=500, adopt="ask")
        check(at(run, "proposed") == ["04:30"], f"proposed at {at(run, 'proposed')}")
        check(len(at(run, "withdrawn")) == 1 and "05:10" <= at(run, "withdrawn")[0] <= "05:25",
              f"withdrawn at {at(run, 'withdrawn')}")
        check("expired" not in states(run), f"{states(run)}")


def test_a_proposal_is_priced_between_the_usual_checks():
    run = played(LONG, [{"at_s": 300, "until_s": 330, "street": "Bottom Road", "jam_factor": 7}], 600, limit=700,
                 adopt="ask")
    check(at(run, "proposed") == ["05:01"], f"proposed at {at(run, 'proposed')}")
    check(len(at(run, "withdrawn")) == 1 and "05:30" <= at(run, "withdrawn")[0] <= "05:50",
          f"withdrawn at {at(run, 'withdrawn')}")


def test_a_proposal_that_is_not_answered_is_not_repeated_within_ten_minutes():
    run = played(LONG, [{"at_s": 100, "street": "Bottom Road", "jam_factor": 7}], 15, limit=700, adopt="ask")
    check(at(run, "proposed") == ["01:41"], f"proposed at {at(run, 'proposed')}")
    check(at(run, "expired") == ["02:41"], f"expired at {at(run, 'expired')}")
    check(sum("There is a faster route." in words for words in run.said) == 1, f"said: {run.said}")


def test_jams_that_come_and_go_do_not_lead_to_and_fro():
    ways = [("Bottom Road", "Top Road")[number % 2] for number in range(12)]
    events = [{"at_s": 60 + 45 * number, "until_s": 105 + 45 * number, "street": way, "jam_factor": 7}
              for number, way in enumerate(ways)]
    run = played(LONG, events, 15, limit=640, adopt="auto")
    changes = states(run).count("accepted")
    check(1 <= changes <= 2, f"{changes} changes in ten minutes")


def test_no_stop_is_reached_twice_lost_or_out_of_order():
    folder = case("dy-stop-reached-twice")
    jams = json.loads((folder / "jam.json").read_text())
    (folder / "jam.json").write_text(json.dumps({**jams, "events": without_ends(jams["events"])}))
    run = drive(folder, "s.yaml", limit=9000)
    reached = [int(line.value("index")) for line in run.of("guidance/milestone") if line.value("event") == "reached"]
    check(reached == list(range(1, 32)), f"reached: {reached}")
    check("accepted" in states(run), "no better route was followed")
    check(not [line for line in run.of("guidance/milestone") if line.value("event") == "missed"], "a stop is missed")


MID = [(2, 3, 4), (2, 4, 3)]
ROUND = [(3, 3, 5), (3, 5, 6), (3, 6, 4)]


def flow(bus, pieces, speed_mps):
    observed = next(payload["now_ns"] for _, _, payload in navstack.subscribe(bus, "_clock", timeout_s=5))
    columns = {"way": [p[0] for p in pieces], "from": [p[1] for p in pieces], "to": [p[2] for p in pieces],
               "speed_mmps": [int(speed_mps * 1000)] * len(pieces), "jam_factor": [0] * len(pieces),
               "until_s": [0] * len(pieces)}
    navstack.publish(bus, "ego/traffic/flow", {"feed": "live", "observed_ns": observed, "speed_kind": "live",
                                               "flow": columns}, stamp=observed, key="live")


def quickest_s(bus):
    """Seconds of the quickest route from the start to the destination, by the latest traffic."""
    places = [{"lat_deg": 47.0, "lon_deg": -30.0}, {"lat_deg": 47.0, "lon_deg": -29.9155}]
    return round(navstack.call(bus, "route/calculate", {"waypoints": places})["routes"][0]["duration_latest_s"])


def test_accepting_reports_the_gain_that_holds_now():
    """Accepted at once it is followed; accepted after the jam has moved to the new way, it is refused."""
    roads = case("dy-proposal-outlives-its-gain") / "roads.navmap"
    nodes = """  location:
    run: nav-location-provider
    params: {source: simulator, rate: 1, start_at: "47.0,-30.0", start_time: "2026-06-01T10:00:00Z", start_bearing_deg: 90}
  matcher: {run: nav-map-matcher}
  router: {run: nav-router}
  navigator: {run: nav-navigator, params: {adopt: ask}}
  poller: {run: nav-dynamic-routing, params: {poll_interval_s: 5}}
"""
    for moves in (False, True):
        with Small("better", nodes=nodes, rest="external: [traffic/flow, traffic/incidents]\n", town=roads) as running:
            running.wait_for("all ready")
            heard, listens, found = [], threading.Event(), threading.Event()

            def listen(bus=running.base, heard=heard, listens=listens, found=found):
                for topic, _, payload in navstack.subscribe(bus, "ego/route/better", "ego/location/matched", timeout_s=60):
                    if topic.endswith("matched"):
                        listens.set()
                        continue
                    heard.append(payload)
                    if payload and payload["state"] == "proposed":
                        found.set()

            threading.Thread(target=listen, daemon=True).start()
            check(listens.wait(20), "no location is matched")
            navstack.call(running.base, "navigate/start", {"waypoints": [{"lat_deg": 47.0, "lon_deg": -29.9155}]})
            flow(running.base, MID[:1], 2)
            check(found.wait(30), f"nothing is proposed: {heard}")
            if moves:
                before = quickest_s(running.base)
                flow(running.base, ROUND, 1.5)
                # The call must not come before the router counts the traffic.
                check(stack.eventually(lambda: quickest_s(running.base) != before, 20), "the traffic does not count")
            try:
                reply = navstack.call(running.base, "navigate/accept_better", {})
            except navstack.CallError as error:
                check(moves and error.code in ("no_gain", "expired"), f"refused: {error.code}")
                continue
            check(not moves, "what gains nothing was accepted")
            check(1000 < reply["gain_s"] < 1700, f"gains {reply['gain_s']} s")


# The clock

def track(folder, name, step_s, at_fix):
    """A thousand fixes along Main Road at 16 m/s, with a clock that is set at one of them."""
    rows = ["time,lat,lon,speed_mps,bearing_deg"]
    for number in range(1000):
        seconds = 1_780_308_000 + number + (step_s if number >= at_fix else 0)
        rows.append(f"{seconds},47.0,{-30.0026373 + number * 0.000210982:.7f},16,90")
    (folder / f"{name}.csv").write_text("\n".join(rows) + "\n")
    return {"source": "csv", "file": f"{name}.csv", "wait_for": "route"}


def since_start(run, topic, wanted):
    """Seconds after the first line at which lines of a topic come."""
    def seconds(line):
        hours, minutes, rest = line.time.split(":")
        return int(hours) * 3600 + int(minutes) * 60 + float(rest)
    begin = seconds(run.lines[0])
    return [seconds(line) - begin for line in run.of(topic) if wanted(line)]


def test_a_clock_that_is_set_during_a_drive_changes_nothing():
    folder = case(LONG[0])
    events = [{"at_s": 70, "street": "Bottom Road", "jam_factor": 8}]

    def run(name, step_s, at_fix):
        went = played(LONG, events, 60, track(folder, name, step_s, at_fix), limit=200_000, adopt="auto")
        return (since_start(went, "route/better", lambda line: line.value("state") == "accepted"),
                since_start(went, "voice/announcement", lambda line: True), went.said)

    usual = run("none", 0, 0)
    check(len(usual[0]) == 1, f"adopted at {usual[0]}")
    for name, step_s, at_fix in [("back", -1800, 90), ("back-late", -1800, 600), ("little", -20, 90),
                                 ("day", 86_400, 90), ("day-late", 86_400, 985), ("hours", 7_200, 300)]:
        check(run(name, step_s, at_fix) == usual, f"{name}: {run(name, step_s, at_fix)} and not {usual}")
