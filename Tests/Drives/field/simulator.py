"""The simulated driver: what traffic, signals and the clock of the place do to a drive."""

import json

import msgpack
from navstack import recording

from field_stack import case, check, drive, run, trip_text

SCENARIO = {"scenario": "events.json", "begin": "clock"}


def seconds(text):
    """The time of day of an event, s."""
    hours, minutes, rest = text.split(":")
    return 3600 * int(hours) + 60 * int(minutes) + float(rest)


def arrival_s(name, map_name, start, to, events, **location):
    """Seconds from the start of a simulated drive to its arrival; better routes are never taken."""
    folder = case(name)
    (folder / "events.json").write_text(json.dumps({"feed": "scenario", "events": events}))
    location |= {"source": "simulator", "start_at": start, "start_bearing_deg": 90,
                 "start_time": "2026-06-01T10:00:00Z"}
    (folder / "trip.yaml").write_text(trip_text(
        map_name, [dict(zip(("lat_deg", "lon_deg"), to))], location, navigator={"adopt": "never"}, traffic=SCENARIO))
    played = drive(folder, "trip.yaml")
    arrivals = played.of("guidance/arrival")
    check(arrivals, f"the drive does not arrive: {played.errors.strip()[-300:]}")
    return seconds(arrivals[0].time) - 36000


# dy-simulator-does-not-feel-jams


def test_jams_that_come_later_slow_the_driver__LOC_10():
    name, start, to = "simulator-feels-jams", "47.0,-28.75", (47.0, -28.4176132)
    free = arrival_s(name, "roads", start, to, [])
    jam = {"street": "Short Road", "jam_factor": 8.5}
    # Short Road begins 349 s after the start: of a jam until 700 s, 351 s are felt at 2.25 instead of 15 m/s.
    late = arrival_s(name, "roads", start, to, [jam | {"at_s": 100, "until_s": 700}]) - free
    check(abs(late - 351 * (1 - 2.25 / 15)) < 8, f"a jam of 351 s costs {late} s instead of 298 s")
    over = arrival_s(name, "roads", start, to, [jam | {"at_s": 100, "until_s": 300}]) - free
    check(abs(over) <= 1, f"a jam that ended before the driver came costs {over} s")
    whole = arrival_s(name, "roads", start, to, [jam | {"at_s": 100}]) - free
    # 5,999 m of it.
    check(abs(whole - (5999 / 2.25 - 5999 / 15)) < 15, f"the whole jam costs {whole} s instead of 2266 s")


# dy-page-eta-of-another-zone


def test_the_eta_has_the_clock_of_the_destination__PR_15():
    folder = case("simulator-clock-of-the-place")
    location = {"source": "simulator", "start_at": "42.0280,-8.6440", "start_time": "2026-06-01T10:00:00Z"}
    (folder / "events.json").write_text(json.dumps({"feed": "scenario", "events": []}))
    # From Valença in Portugal over the river to Tui in Spain.
    (folder / "trip.yaml").write_text(trip_text(
        "border", [{"lat_deg": 42.0478, "lon_deg": -8.6440}], location, traffic=SCENARIO))
    played = drive(folder, "trip.yaml", "--record", "trip.mcap")
    check(played.of("guidance/arrival"), f"the drive does not arrive: {played.errors.strip()[-300:]}")
    progress = [msgpack.unpackb(payload, strict_map_key=False)
                for topic, _, payload in recording.messages(folder / "trip.mcap") if topic == "ego/guidance/progress"]
    clocks = {(one.get("eta_zone"), one.get("eta_utc_offset_s")) for one in progress}
    check(clocks == {("Europe/Madrid", 7200)}, f"the clock of the destination is {clocks}")
    check(progress[0]["eta_zone_differs"], "in Portugal the clock of Spain is not marked")
    check(not progress[-1]["eta_zone_differs"], "in Spain the clock of Spain is marked")


# dy-clock-of-place-in-extracts


def test_typical_speeds_hold_by_the_clock_of_the_place__TR_10():
    folder = case("simulator-clock-of-the-place")
    (folder / "typical.csv").write_text("profile,p,25,Mo-Su 08:00-09:00\n1,1,2,p\n")
    for departure, jammed in (("2026-06-01T08:30:00+01:00", True), ("2026-06-01T09:30:00+01:00", False),
                              # The hour ends while the vehicle is on the road.
                              ("2026-06-01T08:59:00+01:00", False),
                              ("2026-12-01T08:30:00+00:00", True), ("2026-12-01T09:30:00+00:00", False)):
        done = run("nav", "route", "--map", "border.navmap", "--from=42.0281,-8.6440", "--to=42.0330,-8.6440",
                   "--typical", "typical.csv", "--depart", departure, folder=folder)
        check(done.returncode == 0, done.stderr.strip()[-300:])
        check(("3 min" in done.stdout.splitlines()[0]) == jammed, f"departure {departure}: {done.stdout.splitlines()[0]}")
