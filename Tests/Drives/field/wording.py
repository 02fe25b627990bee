"""What is said in drives, and when: words that are true, new to the driver, and in time."""

import datetime
import math
import random

from field_stack import case, check, drive, map_of, run

STACK = """stack: case
map: {map}

nodes:
  location:
    run: nav-location-provider
    params:
{params}
  matcher:
    run: nav-map-matcher
  router:
    run: nav-router
  navigator:
    run: nav-navigator
  poller:
    run: nav-dynamic-routing
  voice:
    run: nav-voice-guidance
    params:
      sink: none

external: [traffic/flow, traffic/incidents]

start:
  - navigate/start: {{waypoints: [{{lat_deg: {lat}, lon_deg: {lon}}}]}}

until: {{topic: guidance/arrival}}
"""


def said(folder, file, **options):
    """The announcements of a drive: kind, text, and whether it cut another one off."""
    played = drive(folder, file, **options)
    check(played.code == 0, f"{file} ended with {played.code}: {played.errors.strip()[-200:]}")
    return [(line.value("kind"), line.value("text"), line.value("interrupts") == "true", line.time)
            for line in played.of("voice/announcement")]


def texts(folder, file, **options):
    return [text for _, text, _, _ in said(folder, file, **options)]


def maneuver(folder, file):
    """The text of the first maneuver that is next."""
    lines = [line for line in drive(folder, file).of("guidance/maneuver") if line.value("event") == "next"]
    check(lines, f"{file}: no maneuver came")
    return lines[0].value("text")


def test_a_third_arm_is_a_sharp_turn():
    folder = case("sharp-left")
    for file in ["140-oneway-same", "152-oneway-same", "152-twoway-same", "168-oneway-same", "168-twoway-same"]:
        text = maneuver(folder, f"{file}.yaml")
        check(text == "Turn sharp left onto Saint Mary Street.", f"{file}: {text}")


def test_barred_exits_are_counted():
    folder = case("exits")
    for file in ["bus", "busway", "destination", "hgv", "motor_no", "pedestrian", "private"]:
        text = maneuver(folder, f"{file}.yaml")
        check("take the second exit onto East Road" in text, f"{file}: {text}")


def test_exits_of_service_roads_are_counted():
    folder = case("exits")
    for name, end, exit in [
            ("service-ring", "50.0026949,8.0000000", "second"), ("leave-by-service", "50.0017966,8.0027950", "third"),
            ("plain", "50.0026949,8.0000000", "second"), ("entry_only_oneway", "50.0026949,8.0000000", "second"),
            ("cycleway", "50.0026949,8.0000000", "second"), ("track", "50.0026949,8.0000000", "second"),
            ("driveway", "50.0026949,8.0000000", "second")]:
        built = map_of(folder / f"ring-{name}.osm")
        done = run("nav", "route", "--map", built, "--from=49.9973051,8.0000000", f"--to={end}")
        check(f"take the {exit} exit" in done.stdout, f"{name}: {done.stdout.strip()} {done.stderr.strip()}")


def test_letters_are_no_directions():
    heard = "\n".join(texts(case("letters"), "names.yaml"))
    for name in ["E Street", "Avenue N.", "Avenue S.", "Robert E Lee Boulevard", "John W Young Parkway", "Via S. Maria",
                 "Via E. Fermi", "Viale N. Sauro", "Rua de Costa e Almeida", "Rua Alegria e Paz", "Ave Maria Lane",
                 "Carrer W.", "Place Saint Ter",
                 "Saint Johns Court", "Main Street North", "1st Avenue Northeast", "East 5th Street", "Doctor Karl Weg"]:
        check(f"onto {name}" in heard, f"nobody said \"onto {name}\"")


def test_continue_names_the_way_itself():
    folder = case("continue-name")
    road = [text for kind, text, _, _ in said(folder, "road.yaml") if kind == "continue"]
    check(road == ["Continue for 12 kilometers on B 2, then turn right onto Dale Street."], f"road: {road}")
    leaves = [text for kind, text, _, _ in said(folder, "number-leaves.yaml") if kind == "continue"]
    check(leaves and "B 1" not in leaves[0] and "River Road" in leaves[0], f"number-leaves: {leaves}")


def test_a_number_that_turns_off_is_left_in_words():
    heard = texts(case("continue-name"), "number-leaves.yaml")
    check(len([text for text in heard if "continue on River Road" in text]) == 1, f"{heard}")


def test_a_destination_behind_a_turn_is_announced_once():
    heard = texts(case("short-trips"), "behind-a-turn.yaml")
    check(heard[-2:] == ["Turn left, then your destination is ahead.", "You have reached your destination."], f"{heard}")


def test_no_continue_onto_the_road_one_is_on():
    heard = texts(case("same-name"), "road.yaml")
    check(not [text for text in heard if "ontinue" in text], f"{heard}")
    check(heard[0] == "Head east on Mill Road.", f"{heard}")


def test_the_departure_is_one_sentence():
    folder = case("short-trips")
    for file, first in [
            ("behind30", "Head west on Long Road, then your destination is ahead."),
            ("corner", "Head east on Long Road, then turn left."),
            ("ahead30", "Head east on Long Road, then your destination is ahead.")]:
        heard = said(folder, f"{file}.yaml")
        check(heard[0][1] == first, f"{file}: {heard}")
        check(not any(interrupts for _, _, interrupts, _ in heard), f"{file}: something was cut off: {heard}")
    here = texts(folder, "here.yaml")
    check(here == ["You have reached your destination."], f"here: {here}")


def trace(folder, name, kmh, noise, speed, seconds=400, lon=8.003):
    """Writes a CSV of a drive east along 49 degrees north, and its stack."""
    start = datetime.datetime(2026, 6, 1, 10)
    step = 1 / (111_320 * math.cos(math.radians(49)))
    rows = ["time,lat,lon,speed_mps" if speed else "time,lat,lon"]
    metres = 0.0
    for second in range(seconds):
        now = kmh(second) / 3.6
        metres += now
        north, east = noise(second)
        row = f"{(start + datetime.timedelta(seconds=second)).isoformat()}Z,{49 + north / 111_200:.7f},{lon + (metres + east) * step:.7f}"
        rows.append(row + (f",{now:.2f}" if speed else ""))
    (folder / f"{name}.csv").write_text("\n".join(rows) + "\n")
    params = f"      source: csv\n      file: {name}.csv\n      rate: 1\n      wait_for: route"
    (folder / f"{name}.yaml").write_text(STACK.format(map="road1.osm", params=params, lat=49.0, lon=f"{lon + (metres - 300) * step:.7f}"))
    return f"{name}.yaml"


def speed_warnings(name, kmh, noise=lambda second: (0, 0), speed=True):
    folder = case("speed-warnings")
    file = trace(folder, name, kmh, noise, speed)
    return [text for kind, text, _, _ in said(folder, file) if kind == "speed"]


def test_the_limit_kept_is_no_speeding():
    dice = random.Random(7)
    white = [(dice.gauss(0, 2), dice.gauss(0, 2)) for _ in range(400)]
    for name, kmh, noise, speed in [
            ("white", lambda second: 45, lambda second: white[second], False),
            ("drift", lambda second: 45, lambda second: (3 * math.sin(second / 5), 3 * math.cos(second / 7)), False),
            ("swing", lambda second: 50 + math.sin(second / 4), lambda second: (0, 0), True),
            ("short", lambda second: 58 if second % 60 < 2 else 48, lambda second: (0, 0), True)]:
        heard = speed_warnings(name, kmh, noise, speed)
        check(not heard, f"{name}: {heard}")


def test_speeding_is_warned_of_once():
    dice = random.Random(8)
    white = [(dice.gauss(0, 2), dice.gauss(0, 2)) for _ in range(400)]
    for name, kmh, noise, speed in [
            ("fast", lambda second: 57 + math.sin(second / 4), lambda second: (0, 0), True),
            ("fast-white", lambda second: 62, lambda second: white[second], False)]:
        heard = speed_warnings(name, kmh, noise, speed)
        check(heard == ["Mind your speed. The limit is 50."], f"{name}: {heard}")


def test_sparse_fixes_are_no_loss():
    folder = case("sparse-fixes")
    for file in sorted(path.name for path in folder.glob("*.yaml")):
        heard = [text for kind, text, _, _ in said(folder, file) if kind in ("location_lost", "location_found")]
        check(not heard, f"{file}: {heard}")


def test_a_straight_trunk_road_is_silent():
    folder = case("straight-trunk")
    for file in sorted(path.name for path in folder.glob("*.yaml")):
        heard = [text for kind, text, _, _ in said(folder, file) if "eep" in text or "ontinue onto" in text]
        check(not heard, f"{file}: {heard}")


def test_a_chain_of_turns_is_named_in_time():
    heard = [text for kind, text, _, _ in said(case("chain-of-turns"), "stairs.yaml")]
    turns = "\n".join(heard)
    check("then" in turns and turns.count("urn") >= 4, turns)


def test_the_ring_of_left_hand_traffic():
    folder = case("left-hand")
    for file, word in [("first", "first"), ("second", "second"), ("third", "third")]:
        heard = "\n".join(texts(folder, f"{file}.yaml"))
        check(f"take the {word} exit" in heard, f"{file}: {heard}")


DRAWN_ROAD = """<?xml version="1.0" encoding="UTF-8"?>
<osm version="0.6" generator="drawn">
{nodes}
{ways}
</osm>
"""


def line_map(name, pieces, nodes=None, lat=49.0, lon=8.0):
    """A road to the east of pieces (metres, tags), with tags of places by their metres; its folder."""
    folder = case("speed-warnings")
    step = 1 / (111_320 * math.cos(math.radians(lat)))
    places = sorted({0.0} | {float(place) for place in (nodes or {})} |
                    {float(sum(metres for metres, _ in pieces[:end])) for end in range(1, len(pieces) + 1)})

    def tags(given):
        return "".join(f'<tag k="{key}" v="{value}"/>' for key, value in given.items())

    drawn, ways, begin = [], [], 0.0
    for number, place in enumerate(places, 1):
        given = tags((nodes or {}).get(int(place), {}))
        drawn.append(f'<node id="{number}" lat="{lat}" lon="{lon + place * step:.7f}" version="1">{given}</node>')
    for number, (metres, given) in enumerate(pieces):
        inside = [index for index, place in enumerate(places, 1) if begin - 0.5 <= place <= begin + metres + 0.5]
        refs = "".join(f'<nd ref="{index}"/>' for index in inside)
        ways.append(f'<way id="{1000 + number}" version="1">{refs}{tags(given)}</way>')
        begin += metres
    (folder / f"{name}.osm").write_text(DRAWN_ROAD.format(nodes="\n".join(drawn), ways="\n".join(ways)))
    params = (f"      source: simulator\n      start_at: {lat},{lon + 20 * step:.7f}\n"
              '      start_time: "2026-06-01T10:00:00Z"\n      start_bearing_deg: 90')
    stack = STACK.format(map=f"{name}.osm", params=params, lat=lat, lon=f"{lon + (begin - 30) * step:.7f}")
    (folder / f"{name}.yaml").write_text(stack)
    return folder, f"{name}.yaml"


def test_gates_are_no_tunnels():
    road = {"highway": "secondary", "name": "Long Road", "maxspeed": "50"}
    gate = {**road, "tunnel": "building_passage"}
    folder, file = line_map("gates", [(500, road), (20, gate), (700, road), (300, {**road, "tunnel": "yes"}), (500, road)])
    heard = [text for kind, text, _, _ in said(folder, file) if kind == "tunnel"]
    check(heard == ["Tunnel."], f"{heard}")


def test_two_tracks_are_one_crossing():
    road = {"highway": "secondary", "name": "Long Road", "maxspeed": "50"}
    rails = {"railway": "level_crossing"}
    folder, file = line_map("rails", [(3000, road)], {1000: rails, 1012: rails, 1130: rails, 2200: rails})
    heard = [text for kind, text, _, _ in said(folder, file) if kind == "warning"]
    check(len(heard) == 3 and heard[0] == "Railroad crossing in 500 meters." and heard[1] == "Railroad crossing in 200 meters."
          and heard[2] == "Railroad crossing in 500 meters.", f"{heard}")


def test_bare_numbers_are_roads():
    folder, file = line_map("bare", [(2000, {"highway": "primary", "ref": "7"})])
    heard = texts(folder, file)
    check(heard[0] == "Head east on road 7.", f"{heard}")
