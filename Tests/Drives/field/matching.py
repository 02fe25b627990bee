"""What receivers report and what the matcher makes of it: frozen and leaping positions, values that cannot be true, turns within a road."""

import json
import math
import random
import re
import subprocess
import urllib.request

from field_stack import SCRATCH, check, drive, map_of, program, run

RADIUS_M = 6371008.8
START = 1782900000  # 2026-07-01T10:00:00Z


# Drawn roads and drives: places are metres east and north of an origin.

def degrees(place, origin=(47.0, 10.0)):
    lat, lon = origin
    east = lon + math.degrees(place[0] / (RADIUS_M * math.cos(math.radians(lat))))
    return lat + math.degrees(place[1] / RADIUS_M), (east + 180) % 360 - 180


def drawn_map(folder, ways, name="map", origin=(47.0, 10.0)):
    """A map of ways, each a list of places and its tags."""
    nodes, lines = {}, []
    for number, (places, tags) in enumerate(ways):
        references = [nodes.setdefault(place, len(nodes) + 1) for place in places]
        lines.append(f'<way id="{100 + number}" version="1">' + "".join(f'<nd ref="{node}"/>' for node in references)
                     + "".join(f'<tag k="{key}" v="{value}"/>' for key, value in tags.items()) + "</way>")
    points = []
    for place, node in nodes.items():
        lat, lon = degrees(place, origin)
        points.append(f'<node id="{node}" version="1" lat="{lat:.7f}" lon="{lon:.7f}"/>')
    osm = folder / f"{name}.osm"
    osm.write_text('<osm version="0.6">' + "".join(points + lines) + "</osm>", encoding="utf-8")
    return map_of(osm)


def town(folder):
    """Six by six streets, 200 m apart: Street k is way 100 + k, from west to east, Avenue k way 106 + k, to the north."""
    marks = [200 * k for k in range(6)]
    ways = [([(x, y) for x in marks], {"highway": "residential", "name": f"Street {k}"}) for k, y in enumerate(marks)]
    ways += [([(x, y) for y in marks], {"highway": "residential", "name": f"Avenue {k}"}) for k, x in enumerate(marks)]
    return drawn_map(folder, ways)


def driven(places, speed=12.0, step=1.0, noise=3.0, seed=1):
    """Fixes along a line, with an error that wanders (0.9 from one to the next)."""
    chance, fixes, at, part = random.Random(seed), [], 0.0, 0
    lengths = [0.0]
    for a, b in zip(places, places[1:]):
        lengths.append(lengths[-1] + math.dist(a, b))
    error = [chance.gauss(0, noise), chance.gauss(0, noise)]
    while at <= lengths[-1]:
        while part < len(places) - 2 and at > lengths[part + 1]:
            part += 1
        a, b = places[part], places[part + 1]
        share = (at - lengths[part]) / (lengths[part + 1] - lengths[part])
        fixes.append({"t": len(fixes) * step, "x": a[0] + share * (b[0] - a[0]) + error[0],
                      "y": a[1] + share * (b[1] - a[1]) + error[1], "speed_mps": speed,
                      "bearing_deg": math.degrees(math.atan2(b[0] - a[0], b[1] - a[1])) % 360})
        error = [0.9 * one + chance.gauss(0, noise * math.sqrt(0.19)) for one in error]
        at += speed * step
    return fixes


def trace(folder, name, fixes, columns=("speed_mps", "bearing_deg"), origin=(47.0, 10.0)):
    lines = [",".join(("time", "lat", "lon", *columns))]
    for fix in fixes:
        lat, lon = fix["place"] if "place" in fix else degrees((fix["x"], fix["y"]), origin)
        values = ["" if fix.get(column) is None else f"{fix[column]:.2f}" for column in columns]
        lines.append(",".join([f"{START + fix['t']:.1f}", f"{lat:.7f}", f"{lon:.7f}", *values]))
    file = folder / f"{name}.csv"
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return file


def scratch(name):
    folder = SCRATCH / name
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def matched(map_file, file, *words):
    """What `nav match` answers as JSON, and its remarks."""
    done = run("nav", "match", "--map", map_file, file, "--format", "json", *words)
    check(done.returncode == 0, f"{file.name}: {done.stderr.strip()[-300:]}")
    return json.loads(done.stdout), done.stderr


def lone_road(folder, hidden_tags=None):
    """Six kilometres to the east with side streets; from 0 to 1500 m the road may be a tunnel. Another road runs 1 km to the north."""
    road = {"highway": "primary", "maxspeed": "80"}
    sides = [-1500, -1000, -500, 2000, 2500, 3000]
    ways = [([(x, 0) for x in (-2000, -1500, -1000, -500, 0)], road | {"name": "Valley Road"}),
            ([(0, 0), (1500, 0)], road | {"name": "Hill Road"} | (hidden_tags or {})),
            ([(x, 0) for x in (1500, 2000, 2500, 3000, 4000)], road | {"name": "Plain Road"})]
    ways += [([(x, 0), (x, 400)], {"highway": "residential", "name": f"Lane {x}"}) for x in sides]
    ways.append(([(-1500, 400), (-1000, 400), (-500, 400), (-300, 600), (700, 900), (1700, 600), (2000, 400), (2500, 400), (3000, 400)],
                 {"highway": "tertiary", "maxspeed": "50", "name": "Old Pass"}))
    return drawn_map(folder, ways)


TUNNEL = {"tunnel": "yes", "layer": "-1"}


def played(folder, fixes, columns=("speed_mps", "bearing_deg"), end=3900):
    """Drives the lone road by these fixes to `end` and gives what was told."""
    trace(folder, "drive", fixes, columns)
    place = dict(zip(("lat_deg", "lon_deg"), degrees((end, 0))))
    (folder / "stack.yaml").write_text(f"""stack: t
map: map.osm
nodes:
  location: {{run: nav-location-provider, params: {{source: csv, file: drive.csv, wait_for: route}}}}
  matcher: {{run: nav-map-matcher}}
  router: {{run: nav-router}}
  navigator: {{run: nav-navigator}}
  voice: {{run: nav-voice-guidance, params: {{sink: none}}}}
external: [traffic/flow, traffic/incidents]
start:
  - navigate/start: {{to: {{lat_deg: {place["lat_deg"]:.7f}, lon_deg: {place["lon_deg"]:.7f}, name: End}}}}
""", encoding="utf-8")
    told = drive(folder, "stack.yaml")
    check(told.code == 0, f"the drive ends with {told.code}: {told.errors[-300:]}")
    return told


def stays_on_route(told, what):
    for topic in ("guidance/deviation", "guidance/reroute"):
        check(not told.of(topic), f"{what}: {topic} {told.of(topic)[:1]}")
    check(told.of("guidance/arrival"), f"{what}: no arrival")


def along(speed=20.0):
    return driven([(-1900, 0), (3900, 0)], speed=speed)


def hidden(fix):
    return 0 < fix["x"] < 1500


# Positions that say nothing of where the vehicle is.

def test_a_frozen_position_in_a_tunnel_is_no_position__PR_14__LOC_8():
    for speed in (20.0, 0.0, None):
        folder = scratch(f"frozen-tunnel-{speed}")
        lone_road(folder, TUNNEL)
        fixes = along()
        last = [fix for fix in fixes if fix["x"] <= 0][-1]
        told = played(folder, [dict(fix, x=last["x"], y=last["y"], speed_mps=speed) if hidden(fix) else fix for fix in fixes])
        stays_on_route(told, f"frozen with a speed of {speed}")
        check(told.errors.count("repeats its last position") == 1, f"the repeated position is not reported once: {told.errors[-300:]}")


def test_behind_a_frozen_receiver_the_location_is_lost_as_behind_a_silent_one():
    fixes = along()
    last = [fix for fix in fixes if fix["x"] <= 0][-1]
    drives = {}
    for name, kept in (("frozen", [dict(fix, x=last["x"], y=last["y"]) if hidden(fix) else fix for fix in fixes]),
                       ("silent", [fix for fix in fixes if not hidden(fix)])):
        folder = scratch(f"{name}-open")
        lone_road(folder)
        drives[name] = played(folder, kept)
        stays_on_route(drives[name], name)
    said = {name: [line.value("kind") for line in told.of("voice/announcement")] for name, told in drives.items()}
    check(said["frozen"] == said["silent"], f"not the same is said: {said}")


def test_a_position_that_is_repeated_at_a_stand_is_a_stand():
    folder = scratch("static-hold")
    lone_road(folder)
    fixes, stood = along(), []
    number = next(index for index, fix in enumerate(fixes) if fix["x"] > 500)
    speeds = [15.0, 10.0, 6.0, 3.0]
    for fix in fixes[:number]:
        stood.append(fix)
    x = fixes[number]["x"]
    for speed in speeds:
        x += speed
        stood.append(dict(fixes[number], t=stood[-1]["t"] + 1, x=x, speed_mps=speed))
    for _ in range(60):
        stood.append(dict(stood[-1], t=stood[-1]["t"] + 1, speed_mps=0.0))
    for fix in fixes[number + 2:]:
        stood.append(dict(fix, t=stood[-1]["t"] + 1))
    told = played(folder, stood)
    stays_on_route(told, "a stand of a minute")
    check("repeats" not in told.errors, "a stand is taken for a frozen receiver")
    check(not any("ignal" in (line.value("kind") or "") for line in told.of("voice/announcement")), "the location counts as lost")


def test_leaps_are_no_departure():
    far = {"place": (78.22, 15.65), "speed_mps": 0.0}
    null = {"place": (0.0, 0.0), "speed_mps": 0.0}
    for name, wrong in (("far", far), ("null-island", null)):
        for count in (1, 3, 15, 40):
            folder = scratch(f"leap-{name}-{count}")
            lone_road(folder, TUNNEL)
            fixes = [fix for fix in along() if not hidden(fix)]
            first = next(index for index, fix in enumerate(fixes) if fix["x"] >= 1500)
            told = played(folder, [fix | wrong if first <= index < first + count else fix for index, fix in enumerate(fixes)])
            stays_on_route(told, f"{count} fixes {name}")


def test_a_receiver_that_lies_aside_for_a_while_is_no_departure():
    for away in (30, 55, 90, 200, 600):
        for seconds in (8, 20):
            folder = scratch(f"aside-{away}-{seconds}")
            lone_road(folder)
            fixes = [fix | {"accuracy_m": 8.0} for fix in along()]
            first = next(index for index, fix in enumerate(fixes) if fix["x"] > 100)
            told = played(folder, [fix | {"y": fix["y"] + away} if first <= index < first + seconds else fix
                                   for index, fix in enumerate(fixes)], ("speed_mps", "bearing_deg", "accuracy_m"))
            stays_on_route(told, f"{away} m aside for {seconds} s")


def test_positions_of_transmitters_are_no_departure():
    folder = scratch("transmitter")
    lone_road(folder, TUNNEL)
    fixes = along()
    told = played(folder, [dict(fix, x=700, y=-600, speed_mps=None, bearing_deg=None) if hidden(fix) and fix["t"] % 5 == 0 else fix
                           for fix in fixes if not hidden(fix) or fix["t"] % 5 == 0])
    stays_on_route(told, "positions of a transmitter")


def test_who_really_leaves_is_told_at_once():
    folder = scratch("leaves")
    lone_road(folder)
    fixes = [fix | {"accuracy_m": 8.0} for fix in driven([(-1900, 0), (-1000, 0), (-1000, 390)], speed=14.0)]
    told = played(folder, fixes, ("speed_mps", "bearing_deg", "accuracy_m"))
    times = [line.time for line in told.of("guidance/deviation")]
    check(times, "no departure is told of who turns off")
    folder = scratch("leaves-the-roads")
    lone_road(folder)
    fixes = [fix | {"accuracy_m": 8.0} for fix in driven([(-1900, 0), (100, 0), (400, -300), (900, -300)], speed=14.0)]
    told = played(folder, fixes, ("speed_mps", "bearing_deg", "accuracy_m"))
    check(told.of("guidance/deviation"), "no departure is told of who drives off the roads")


# Turns within a road.

LONG = [([(0, 0), (3000, 0)], {"highway": "secondary", "maxspeed": "80", "name": "Long Road"}),
        ([(-400, 0), (0, 0)], {"highway": "secondary", "name": "West Road"}), ([(0, 0), (0, 300)], {"highway": "residential"}),
        ([(3000, 0), (3000, 300)], {"highway": "residential"}), ([(3000, 0), (3400, 0)], {"highway": "secondary"})]


def turned(folder, file, turn, words=(), within=30):
    answer, _ = matched(folder / "map.navmap", file, *words)
    check(abs(answer["length_m"] - 2 * (400 + turn)) < within, f"{file.name} {words}: {answer['length_m']:.0f} m for {2 * (400 + turn)}")
    east = max((lon - 10.0) * math.radians(1) * RADIUS_M * math.cos(math.radians(47)) for lon, _ in answer["path"])
    check(east < turn + 20, f"{file.name}: the line goes {east:.0f} m to the east")
    return answer


def test_a_turn_within_a_road_adds_no_metres():
    folder = scratch("out-and-back")
    drawn_map(folder, LONG)
    for turn in (300, 1000, 2500):
        fixes = driven([(-400, 0), (turn, 0), (-400, 0)], noise=2.0)
        for columns in ((), ("speed_mps", "bearing_deg")):
            file = trace(folder, f"turn{turn}-{len(columns)}", fixes, columns)
            turned(folder, file, turn)
            turned(folder, file, turn, ("--online",))
        turned(folder, trace(folder, f"turn{turn}-10s", fixes[::10], ()), turn, within=260)


def test_the_legs_of_a_turn_are_as_long_as_the_time_allows():
    folder = scratch("out-and-back-osrm")
    drawn_map(folder, LONG)
    file = trace(folder, "turn", driven([(-400, 0), (300, 0), (-400, 0)], noise=2.0), ())
    done = run("nav", "match", "--map", folder / "map.navmap", file, "--format", "osrm")
    matchings = json.loads(done.stdout)["matchings"]
    check(len(matchings) == 1 and abs(matchings[0]["distance"] - 1400) < 30, f"{[one['distance'] for one in matchings]}")
    longest = max(leg["distance"] for one in matchings for leg in one["legs"])
    check(longest < 40, f"a leg of one second has {longest:.0f} m")


def test_the_http_match_turns_where_the_vehicle_does():
    folder = scratch("out-and-back-http")
    roads = drawn_map(folder, LONG)
    for every in (2, 10):
        fixes = driven([(-390, 0), (300, 0), (-390, 0)], noise=1.0)[::every]
        places = [degrees((fix["x"], fix["y"])) for fix in fixes]
        question = ";".join(f"{lon:.6f},{lat:.6f}" for lat, lon in places)
        times = ";".join(str(int(START + fix["t"])) for fix in fixes)
        server = subprocess.Popen([program("nav-router"), "--http", "127.0.0.1:0", "--map", roads], stdout=subprocess.PIPE, text=True)
        try:
            port = re.search(r"http://127\.0\.0\.1:(\d+)/", server.stdout.readline())[1]
            url = f"http://127.0.0.1:{port}/match/v1/driving/{question}?timestamps={times}&overview=full&geometries=geojson"
            with urllib.request.urlopen(url, timeout=60) as answer:
                matchings = json.load(answer)["matchings"]
        finally:
            server.terminate()
            server.wait(10)
        length = sum(one["distance"] for one in matchings)
        check(abs(length - 1380) < 40 + 15 * every, f"{every} s: {length:.0f} m for 1380 in {len(matchings)} parts")
        longest = max(leg["distance"] for one in matchings for leg in one["legs"])
        check(longest < 25 * every, f"{every} s: a leg has {longest:.0f} m")


def test_a_walk_out_and_back_has_its_length():
    folder = scratch("two-ways")
    path = {"highway": "footway"}
    drawn_map(folder, [([(0, 0), (100, 0)], path), ([(100, 0), (220, 0)], path), ([(100, 2), (220, 2)], path),
                       ([(220, 0), (320, 0)], path), ([(100, 0), (100, 2)], path), ([(220, 0), (220, 2)], path)])
    file = trace(folder, "walk", driven([(0, 0), (280, 0), (0, 0)], speed=1.4, noise=0.5), ())
    answer, _ = matched(folder / "map.navmap", file, "--mode", "pedestrian")
    check(abs(answer["length_m"] - 560) < 15, f"{answer['length_m']:.0f} m for 560")


def test_who_turns_at_a_dead_end_has_been_there():
    folder = scratch("dead-end")
    drawn_map(folder, [([(-600, 0), (0, 0)], {"highway": "residential"}), ([(0, 0), (300, 0)], {"highway": "residential"}),
                       ([(0, 0), (0, 300)], {"highway": "residential"})])
    file = trace(folder, "back", driven([(-500, 0), (298, 0), (-500, 0)], speed=8.0, noise=1.0), ())
    answer, _ = matched(folder / "map.navmap", file)
    check(abs(answer["length_m"] - 1596) < 30, f"{answer['length_m']:.0f} m for 1596")


# Values that cannot be true.

TRIP = [(30, 200), (600, 200), (600, 600), (210, 600)]


def trip_length(answer, what, fixes):
    states = sum(fix["state"] == "matched" for fix in answer["fixes"])
    check(states == fixes, f"{what}: {states} of {fixes} matched, {sorted({str(fix['reason']) for fix in answer['fixes']})}")
    check(answer["ways"] == [101, 109, 103], f"{what}: ways {answer['ways']}")


def test_speeds_of_another_unit_are_told_by_name_and_not_used():
    folder = scratch("units")
    roads = town(folder)
    fixes = driven(TRIP)
    for factor, name in ((0.5, "times the speed"), (1.944, "knots"), (2.237, "mph"), (3.6, "km/h"), (5.0, "times the speed")):
        file = trace(folder, f"factor{factor}", [fix | {"speed_mps": 12.0 * factor} for fix in fixes])
        for words in ((), ("--online",)):
            answer, said = matched(roads, file, *words)
            trip_length(answer, f"{factor} {words}", len(fixes))
            check(said.count("speed_mps") == 1 and name in said, f"{factor}: {said}")
    for factor in (0.8, 1.0, 1.2):
        answer, said = matched(roads, trace(folder, f"factor{factor}", [fix | {"speed_mps": 12.0 * factor} for fix in fixes]))
        trip_length(answer, str(factor), len(fixes))
        check("speed_mps" not in said, f"{factor}: {said}")


def test_speeds_of_another_unit_bring_a_drive_to_its_end():
    for factor in (0.5, 2.237, 3.6):
        folder = scratch(f"unit-drive-{factor}")
        lone_road(folder)
        stays_on_route(played(folder, [fix | {"speed_mps": 20.0 * factor} for fix in along()]), f"speeds times {factor}")


def test_a_speed_that_is_always_0_is_no_stand():
    folder = scratch("zero")
    roads = lone_road(folder)
    for speed in (1.4, 8.0, 20.0):
        file = trace(folder, f"zero{speed}", [fix | {"speed_mps": 0.0} for fix in driven([(-1900, 0), (-1900 + 200 * speed, 0)], speed=speed)])
        for words in ((), ("--online",)):
            answer, said = matched(roads, file, *words)
            far = max(fix["distance_m"] for fix in answer["fixes"][-100:])
            check(far < 25, f"{speed} m/s {words}: held {far:.0f} m behind")
            check("speed_mps is 0" in said, f"{speed}: {said}")
    for values in ({"speed_mps": 0.0}, {"speed_mps": 0.0, "bearing_deg": 0.0}, {"bearing_deg": 0.0}):
        folder = scratch("zero-" + "-".join(values))
        lone_road(folder)
        stays_on_route(played(folder, [fix | values for fix in along()]), str(values))


def test_minus_1_is_not_known():
    folder = scratch("minus-1")
    roads = town(folder)
    fixes = driven(TRIP)
    for values in ({"bearing_deg": -1}, {"speed_mps": -1}, {"speed_mps": -1, "bearing_deg": -1}, {"accuracy_m": -1}):
        file = trace(folder, "minus-" + "-".join(values), [fix | values for fix in fixes], ("speed_mps", "bearing_deg", "accuracy_m"))
        for words in ((), ("--online",)):
            answer, said = matched(roads, file, *words)
            trip_length(answer, f"{values} {words}", len(fixes))
            check(not said, f"{values}: {said}")
        drive_folder = scratch("minus-drive-" + "-".join(values))
        lone_road(drive_folder)
        told = played(drive_folder, [fix | values for fix in along()], ("speed_mps", "bearing_deg", "accuracy_m"))
        stays_on_route(told, str(values))


def test_one_value_that_cannot_be_true_costs_no_fix():
    folder = scratch("impossible")
    roads = town(folder)
    fixes = driven(TRIP)
    file = trace(folder, "impossible", [fix | ({"bearing_deg": 4000.0} if index == 20 else {}) for index, fix in enumerate(fixes)])
    answer, said = matched(roads, file)
    trip_length(answer, "one bearing of 4000", len(fixes))
    check("bearing_deg" in said and "fix 20" in said, said)


def test_a_constant_accuracy_says_nothing():
    folder = scratch("accuracy")
    roads = town(folder)
    fixes = driven(TRIP)
    for accuracy in (0.0, 1.0, 50.0, 51.0, 65.0, 9999.0):
        answer, said = matched(roads, trace(folder, f"accuracy{accuracy}", [fix | {"accuracy_m": accuracy} for fix in fixes], ("accuracy_m",)))
        trip_length(answer, f"accuracy {accuracy}", len(fixes))
        check(("accuracy_m is always" in said) == (accuracy >= 50), f"{accuracy}: {said}")
    folder = scratch("accuracy-drive")
    lone_road(folder)
    stays_on_route(played(folder, [fix | {"accuracy_m": 9999.0} for fix in along()], ("accuracy_m",)), "accuracy 9999")


def test_what_is_said_of_unused_fixes_is_true():
    folder = scratch("unused")
    roads = town(folder)
    poor = [fix | {"accuracy_m": 60.0 + index % 7} for index, fix in enumerate(driven(TRIP))]
    _, said = matched(roads, trace(folder, "poor", poor, ("accuracy_m",)))
    check("no fix of the trace can be used" in said and "accuracy worse than 50 m" in said, said)
    _, said = matched(roads, trace(folder, "first-poor", [fix if index < 30 else fix | {"accuracy_m": 5.0} for index, fix in enumerate(poor)],
                                   ("accuracy_m",)))
    check("30 have an accuracy worse than 50 m" in said, said)
    twice = [one for fix in driven(TRIP) for one in (fix, fix)]
    answer, said = matched(roads, trace(folder, "twice", twice, ()))
    check(answer["fixes"][1]["reason"] == "repeated_time" and "have the same time as the previous fix" in said, f"{answer['fixes'][1]} {said}")


# The antimeridian.

def across(folder, name, text):
    (folder / f"{name}.osm").write_text(text, encoding="utf-8")
    return map_of(folder / f"{name}.osm")


def test_a_road_across_the_antimeridian_is_found_all_along():
    for lat in (-16.8, 0.0, 66.0):
        for half in (100, 1000):
            folder = scratch(f"antimeridian-{lat}-{half}")
            origin = (lat, 180.0)
            roads = drawn_map(folder, [([(-half - 400, 0), (-half, 0), (half, 0), (half + 400, 0)], {"highway": "primary"})], origin=origin)
            fixes = driven([(-half - 300, 0), (half + 300, 0)], speed=10.0, noise=1.0)
            answer, _ = matched(roads, trace(folder, "drive", fixes, (), origin))
            count = sum(fix["state"] == "matched" for fix in answer["fixes"])
            check(count == len(fixes) and abs(answer["length_m"] - 2 * half - 600) < 20, f"{lat} {half}: {count} of {len(fixes)}")


def test_roads_that_are_cut_at_the_antimeridian_are_joined():
    folder = scratch("antimeridian-cut")
    nodes = [(1, 179.98), (2, 179.99), (3, 180.0), (4, -180.0), (5, -179.99), (6, -179.98)]
    text = ('<osm version="0.6">' + "".join(f'<node id="{node}" version="1" lat="-16.8" lon="{lon}"/>' for node, lon in nodes)
            + "".join(f'<way id="{way}" version="1">' + "".join(f'<nd ref="{node}"/>' for node in ends)
                      + '<tag k="highway" v="primary"/></way>' for way, ends in ((1, (1, 2, 3)), (2, (4, 5, 6)))) + "</osm>")
    roads = across(folder, "cut", text)
    for start, end in (("-16.8,179.985", "-16.8,-179.985"), ("-16.8,-179.985", "-16.8,179.985"),
                       ("-16.8001,-179.9999", "-16.8,-179.985"), ("-16.8001,179.9999", "-16.8,-179.985")):
        done = run("nav", "route", "--map", roads, f"--from={start}", f"--to={end}")
        check(done.returncode == 0, f"{start} to {end}: {done.stderr.strip()}")
    fixes = driven([(-2000, 0), (2000, 0)], speed=12.0, noise=1.0)
    answer, _ = matched(roads, trace(folder, "drive", fixes, (), (-16.8, 180.0)))
    count = sum(fix["state"] == "matched" for fix in answer["fixes"])
    check(count == len(fixes) and abs(answer["length_m"] - 3990) < 30 and len(answer["starts"]) == 1,
          f"{count} of {len(fixes)}, {answer['length_m']:.0f} m in {len(answer['starts'])} parts")


# What was right, and stays so.

def test_loops_have_their_ways_and_lengths():
    folder = scratch("loops")
    roads = town(folder)
    once = [(30, 200), (400, 200), (400, 400), (200, 400), (200, 200), (250, 200)]
    for rounds, every in ((1, 1), (1, 10), (2, 1), (2, 15)):
        line = once[:-1] * rounds + [once[-1]] if rounds == 1 else once[:-1] + once[1:]
        fixes = driven(line, speed=10.0)[::every]
        answer, _ = matched(roads, trace(folder, f"loop{rounds}-{every}", fixes, ()))
        length = sum(math.dist(a, b) for a, b in zip(line, line[1:]))
        check(abs(answer["length_m"] - length) < 40 + 5 * every, f"{rounds} times, {every} s: {answer['length_m']:.0f} m for {length:.0f}")


def test_ten_minutes_of_silence_end_on_a_road():
    folder = scratch("silence")
    roads = town(folder)
    fixes = driven(TRIP)
    late = [fix if fix["t"] < 40 else fix | {"t": fix["t"] + 600} for fix in fixes if fix["t"] < 40 or fix["t"] > 75]
    answer, _ = matched(roads, trace(folder, "silence", late, ()))
    check(sum(fix["state"] == "matched" for fix in answer["fixes"]) == len(late), "fixes after a silence are not matched")


def test_who_leaves_the_map_is_matched_when_he_is_back():
    folder = scratch("beyond")
    roads = town(folder)
    fixes = driven([(30, 200), (1000, 200), (6000, 200), (1000, 210), (600, 200), (210, 200)], speed=20.0)
    answer, _ = matched(roads, trace(folder, "beyond", fixes, ()))
    reasons = [fix["reason"] for fix in answer["fixes"]]
    check("off_road" in reasons and "no_map_data" in reasons and reasons[0] is None and reasons[-1] is None, f"{set(reasons)}")


def test_times_that_go_back_are_told():
    folder = scratch("times")
    roads = town(folder)
    fixes = driven(TRIP)
    back = [fix | {"t": fix["t"] - 3600} if index >= 50 else fix for index, fix in enumerate(fixes)]
    answer, said = matched(roads, trace(folder, "hour-back", back, ()))
    check(sum(fix["state"] == "matched" for fix in answer["fixes"]) >= len(fixes) - 6 and "not later than the one before" in said, said)
    _, said = matched(roads, trace(folder, "newest-first", fixes[::-1], ()))
    check("newest first; they are read from the end" in said, said)
