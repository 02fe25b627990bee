"""Traffic that begins and ends: each road is priced for the moment at which it is reached."""

import datetime
import json

from field_stack import case, check, drive, run, trip_text

START = datetime.datetime(2026, 6, 1, 10, tzinfo=datetime.timezone.utc).timestamp()


def trip(name, map_name, start, stops, events, limit, interval_s=1, begin=None):
    """A drive with a scenario of traffic; also (seconds since the start, seconds from it to the ETA) of each progress in motion.

    With fixes that are far apart, a standing vehicle may be matched short of its stop, where its rest has not begun.
    """
    folder = case(name)
    (folder / "events.json").write_text(json.dumps({"feed": "scenario", "events": events}))
    location = {"source": "simulator", "start_at": start, "start_time": "2026-06-01T10:00:00Z",
                "start_bearing_deg": 90, "interval_s": interval_s}
    traffic = {"scenario": "events.json", **({"begin": begin} if begin else {})}
    (folder / "trip.yaml").write_text(trip_text(
        map_name, stops, location, navigator={"adopt": "auto", "warnings": []}, traffic=traffic))
    (folder / "trip.mcap").unlink(missing_ok=True)
    played = drive(folder, "trip.yaml", "--record", "trip.mcap", limit=limit)
    check(played.of("guidance/arrival"), f"the drive did not arrive: {played.errors.strip()[-300:]}")
    told = run("nav", "rec", "export", "trip.mcap", "--topics", "guidance/progress", folder=folder)
    check(told.returncode == 0, told.stderr)
    etas, before_m = [], None
    for line in told.stdout.splitlines():
        message = json.loads(line)
        if message["payload"]["remaining_m"] != before_m:
            etas.append((message["stamp"] / 1e9 - START, message["payload"]["eta_ns"] / 1e9 - START))
        before_m = message["payload"]["remaining_m"]
    check(len(etas) > 10, f"{len(etas)} messages of progress")
    return played, etas


def check_etas(etas, within_s):
    """Each ETA of a drive is the time of its last progress."""
    arrived = etas[-1][0]
    worst = max(etas, key=lambda eta: abs(eta[1] - arrived))
    check(abs(worst[1] - arrived) <= within_s,
          f"after {worst[0]:.0f} s the ETA is {worst[1] - arrived:+.0f} s off the arrival after {arrived:.0f} s")


def test_a_jam_that_is_over_before_it_is_reached__TR_10():
    # Short Road is reached after two hours. The other way is 20 minutes longer.
    for incident in [{"kind": "accident", "impact": "major", "text": "Accident"}, None]:
        jam = {"at_s": 0 if incident else 300, "until_s": 1200, "street": "Short Road", "jam_factor": 8.5}
        if incident:
            jam["incident"] = incident
        played, etas = trip("dy-jam-over-before-arrival", "roads", "47.0,-30.0065933",
                            [{"lat_deg": 47.0, "lon_deg": -28.4176132}], [jam], 20_000, interval_s=5, begin="clock")
        texts = [line.value("text") for line in played.of("voice/announcement")]
        check(not any("faster" in text.lower() for text in texts), f"a faster route is announced: {texts}")
        check(not any("Long Way Round" in text for text in texts), f"the longer way was taken: {texts}")
        check_etas(etas, 60)


def test_a_drive_of_27_hours__TR_10():
    # Over two joined maps and midnight, with a rest; the jam on Road 8 ends hours before it is reached.
    folder = case("dy-drive-of-27-hours")
    joined = run("nav", "map", "build", "a.navmap", "b.navmap", "-o", "ab.navmap", folder=folder)
    check(joined.returncode == 0, joined.stderr)
    _, etas = trip("dy-drive-of-27-hours", "ab", "47.0003597,-5.0",
                   [{"lat_deg": 47.0003597, "lon_deg": -1.044033, "rest_s": 2700},
                    {"lat_deg": 47.0003597, "lon_deg": 10.8238682}],
                   [{"at_s": 30_000, "until_s": 60_000, "street": "Road 8", "jam_factor": 5}], 120_000, interval_s=60)
    check_etas(etas, 300)
