"""The simulated driver: what traffic, signals and the clock of the place do to a drive."""

import json

from field_stack import case, check, drive

STACK = """stack: case
map: {map}.navmap

nodes:
  location:
    run: nav-location-provider
    params: {location}
  matcher:
    run: nav-map-matcher
  router:
    run: nav-router
  navigator:
    run: nav-navigator
    params: {navigator}
  poller:
    run: nav-dynamic-routing
    params: {{poll_interval_s: 600}}
  voice:
    run: nav-voice-guidance
    params: {{sink: none}}
  traffic:
    run: nav-traffic
    params: {{scenario: events.json, begin: clock}}

start:
  - navigate/start: {{waypoints: [{{lat_deg: {to[0]}, lon_deg: {to[1]}}}]}}
until: {{topic: guidance/arrival}}
"""


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
    (folder / "trip.yaml").write_text(STACK.format(
        map=map_name, location=json.dumps(location), navigator=json.dumps({"adopt": "never"}), to=to))
    played = drive(folder, "trip.yaml")
    arrivals = played.of("guidance/arrival")
    check(arrivals, f"the drive does not arrive: {played.errors.strip()[-300:]}")
    return seconds(arrivals[0].time) - 36000


# dy-simulator-does-not-feel-jams


def test_jams_that_come_later_slow_the_driver():
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
