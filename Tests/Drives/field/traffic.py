"""Traffic feeds as they come: clocks that are wrong, pieces of edges, delays, places, dead feeds."""

import json
import time

import navstack

import stack
from field_stack import case, check, run

# ---- Feeds: which value counts, and where it lies

NODES = """stack: feeds
map: roads.navmap
external: [traffic/flow, traffic/incidents, route/active]
nodes:
  location:
    run: nav-location-provider
    params: {source: simulator, start_at: "47.0,-30.0", start_time: "2026-06-01T10:00:00Z", start_bearing_deg: 90, rate: 1}
  matcher: {run: nav-map-matcher}
  router: {run: nav-router}
"""
S = 1_000_000_000
FROM, TO = (47.0, -30.0), (47.0, -29.9209)
# Way 2 is Mid Road, 4 km; the way round is 4 km longer: 480 s and 815 s. Way 1 has the nodes 1, 2, 3; 2 is no junction.
MID = (2, 3, 4)


class Feeds(stack.Stack):
    """A router on a road with a way round, and feeds of one's own."""

    def __init__(self, label):
        folder = case("dy-feeds")
        file = folder / "feeds.yaml"
        file.write_text(NODES, encoding="utf-8")
        super().__init__(f"field-feeds-{label}", file=file, name="feeds", rate=None, port=None)

    def __enter__(self):
        def answers():
            try:
                return self.now() is not None and self.route() is not None
            except (navstack.CallError, OSError):
                return False
        check(stack.eventually(answers, 30), f"the router does not answer: {self.output[-600:]}")
        return self

    def now(self):
        for _, header, payload in navstack.subscribe(self.base, "_clock", timeout_s=3):
            return payload.get("now_ns", header["stamp"])
        return None

    def flow(self, feed, rows, observed, stamp=None, kind="live"):
        """Publishes rows (way, from, to, m/s)."""
        columns = {
            "way": [row[0] for row in rows], "from": [row[1] for row in rows], "to": [row[2] for row in rows],
            "speed_mmps": [int(row[3] * 1000) for row in rows], "jam_factor": [0 for _ in rows],
            "until_s": [0 for _ in rows]}
        navstack.publish(self.base, "ego/traffic/flow",
                         {"feed": feed, "observed_ns": observed, "speed_kind": kind, "flow": columns},
                         stamp=stamp or observed, key=feed)

    def incidents(self, *incidents):
        now = self.now()
        navstack.publish(self.base, "ego/traffic/incidents",
                         {"feed": "police", "observed_ns": now, "incidents": list(incidents)}, stamp=now, key="police")

    def route(self):
        request = {"waypoints": [{"lat_deg": lat, "lon_deg": lon} for lat, lon in (FROM, TO)]}
        return navstack.call(self.base, "route/calculate", request)["routes"][0]

    def traffic(self, handle):
        return navstack.call(self.base, "route/traffic", {"handle": handle})

    def until(self, wanted, why):
        """The first route for which `wanted` holds; the last one is in the sentence where none comes within 10 s."""
        last = {}

        def holds():
            last["route"] = self.route()
            return wanted(last["route"])
        check(stack.eventually(holds, 10), f"{why}: {seconds(last['route'])} s, {length(last['route'])} m")
        return last["route"]


def seconds(route):
    return round(route["duration_latest_s"])


def length(route):
    return round(route["length_m"])


def test_a_feed_whose_clock_is_ahead_wins_over_no_honest_one():
    with Feeds("clock") as feeds:
        now = feeds.now()
        feeds.flow("ahead", [(*MID, 13.0)], now + 3600 * S, stamp=now)
        feeds.until(lambda route: route.get("traffic_age_s") is not None, "the first feed does not count")
        feeds.flow("honest", [(*MID, 2.0)], feeds.now())
        route = feeds.until(lambda route: length(route) > 9000, "the jam of the later, honest feed is not gone round")
        check(seconds(route) == 815, f"{seconds(route)} s the way round, not 815")
        lines = [line for line in feeds.output.splitlines() if "traffic/flow ahead: its clock is" in line]
        check(len(lines) == 1, f"the log names the wrong clock {len(lines)} times")


def test_a_feed_of_last_month_is_not_believed():
    with Feeds("dead") as feeds:
        now = feeds.now()
        feeds.flow("old", [(*MID, 0.0)], now - 30 * 86_400 * S, stamp=now)
        feeds.flow("live", [(1, 1, 3, 5.0)], now)
        route = feeds.until(lambda route: route.get("traffic_age_s") is not None, "the live feed does not count")
        check(length(route) < 7000, f"a closure of last month is gone round: {length(route)} m")
        check("traffic/flow old: its values are" in feeds.output, "the log does not name the dead feed")


def test_measured_counts_before_forecast_and_typical():
    with Feeds("rank") as feeds:
        feeds.flow("live", [(*MID, 2.0)], feeds.now())
        feeds.until(lambda route: length(route) > 9000, "the jam is not gone round")
        for kind in ("predicted", "typical", "free_flow"):
            feeds.flow(kind, [(*MID, 13.0)], feeds.now(), kind=kind)
        feeds.flow("mark", [(4, 4, 7, 5.0)], feeds.now())
        route = feeds.until(lambda route: seconds(route) > 815 + 50, "the last feed does not count")
        check(length(route) > 9000, f"a later forecast replaces a measured speed: {length(route)} m")


def test_flow_on_pieces_of_an_edge_adds_up():
    with Feeds("pieces") as feeds:
        base = seconds(feeds.route())
        check(base == 480, f"{base} s without traffic, not 480")
        for rows, right in (([(1, 1, 3, 1.0)], 1400), ([(1, 2, 3, 1.0), (1, 1, 2, 1.0)], 1400),
                            ([(1, 2, 3, 1.0)], 1093)):
            feeds.flow("live", rows, feeds.now())
            feeds.until(lambda route, right=right: abs(seconds(route) - right) <= 2, f"{rows}: not {right} s")
        feeds.flow("live", [(1, 2, 3, 0.0)], feeds.now())
        feeds.until(lambda route: [each["kind"] for each in route["violations"]] == ["blocked_road"],
                    "a closed piece closes nothing")
        feeds.flow("live", [(9, 1, 2, 1.0), (1, 2, 3, 1.0)], feeds.now())
        check(stack.eventually(lambda: "way 9 from 1 to 2" in feeds.output, 10),
              "the log does not name the row of no road")


def test_a_delay_is_priced_once():
    with Feeds("delay") as feeds:
        base = feeds.route()
        piece = {"way": MID[0], "from": MID[1], "to": MID[2]}
        accident = {"id": "i1", "kind": "accident", "impact": "critical", "delay_s": 1800.0, "closed": False}
        feeds.incidents({**accident, "segments": [piece]})
        route = feeds.until(lambda route: length(route) > 9000, "the accident of 1800 s is not gone round")
        check(seconds(route) == 815, f"{seconds(route)} s the way round, not 815")
        answer = feeds.traffic(base["handle"])
        check(round(answer["delay_s"]) == 1800, f"delay of {answer['delay_s']} s on the old route, not 1800")
        feeds.flow("live", [(*MID, 10.0)], feeds.now())
        route = feeds.until(lambda route: length(route) < 7000, "flow that speaks of the road does not count")
        check(seconds(route) == 560, f"{seconds(route)} s with 10 m/s on 4 km, not 560")
        feeds.flow("live", [], feeds.now())
        feeds.incidents({**accident, "segments": [], "lat_deg": 47.0, "lon_deg": -29.96})
        feeds.until(lambda route: length(route) > 9000, "the accident with a place only is not gone round")
        feeds.incidents({**accident, "segments": [], "lat_deg": 40.0, "lon_deg": -29.96})
        feeds.until(lambda route: length(route) < 7000, "the accident far away is gone round")
        check(stack.eventually(lambda: "no road within 50 m of 40.0, -29.96" in feeds.output, 10),
              "the log does not name the incident of no road")


def test_a_speed_no_vehicle_drives_is_clipped():
    with Feeds("clip") as feeds:
        feeds.flow("fast", [(*MID, 60.0)], feeds.now())
        feeds.until(lambda route: abs(seconds(route) - 352) <= 1, "60 m/s on a road of 50 km/h is not clipped to 21")
        check("60 m/s to 21" in feeds.output, "the log does not name the implausible speed")


def test_a_row_of_a_speed_file_closes_its_own_road_only():
    folder = case("dy-feeds")
    table = folder / "speeds.csv"
    table.write_text("2,3,0\n8,9,30\n3,4,36\n", encoding="utf-8")

    def route(a, b):
        done = run("nav", "route", "--map", folder / "roads.navmap", "--from", "%s,%s" % a, "--to", "%s,%s" % b,
                   "--speeds", table, "--format", "osrm")
        check(done.returncode == 0, f"no route: {done.stderr}")
        return json.loads(done.stdout)["routes"][0], done.stderr
    found, errors = route((47.0, -29.985), (47.0, -29.9209))
    check("1 rows refer to segments that are not in the map: line 2: 8,9" in errors, f"the unused row is not named: {errors}")
    check(abs(found["duration"] - 467) < 15, f"{found['duration']} s with 36 km/h on 3.9 km")
    back, _ = route((47.0, -29.9209), (47.0, -29.999))
    check(back["duration"] < 500, f"{back['duration']} s against the closed direction")


def test_a_scenario_of_ten_thousand_events_starts_at_once():
    folder = case("dy-feeds")
    events = [{"at_s": number, "until_s": number + 60, "street": ["Mid Road", "Round Road", "End Road"][number % 3],
               "jam_factor": 5, "incident": {"kind": "accident"}} for number in range(10_000)]
    (folder / "many.json").write_text(json.dumps({"feed": "scenario", "events": events}), encoding="utf-8")
    (folder / "many.yaml").write_text(
        NODES.replace("stack: feeds", "stack: many").replace("traffic/flow, traffic/incidents, ", "")
        + "  traffic: {run: nav-traffic, params: {scenario: many.json, begin: clock}}\n", encoding="utf-8")
    with stack.Stack("field-feeds-many", file=folder / "many.yaml", name="many", rate=None, port=None) as many:
        begin = time.monotonic()
        for topic, _, payload in navstack.subscribe(many.base, "ego/traffic/flow", timeout_s=20):
            if payload["flow"]["way"]:
                break
        else:
            check(False, f"no flow within 20 s: {many.output[-600:]}")
        took = time.monotonic() - begin
        check(took < 15, f"the scenario took {took:.1f} s, the stack's start included")
