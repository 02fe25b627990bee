"""Files from the world: times, formats, odd values, command lines, logs and recordings of others."""

import random
import re
import subprocess
import time

from field_stack import INPUTS, SCRATCH, case, check, drive, program, run

FIRST_S = 1_782_900_000


def folder(name):
    """A new folder for the files of a test."""
    made = SCRATCH / "formats" / name
    made.mkdir(parents=True, exist_ok=True)
    return made


def town():
    return case("recordings") / "town.navmap"


def rows():
    """Time in s since 1970, latitude and longitude of each fix of the drive, as text."""
    lines = (INPUTS / "recordings" / "s.csv").read_text(encoding="utf-8").splitlines()[1:]
    return [tuple(line.split(",")) for line in lines]




def all_match(name, text, *words, of=114, options=()):
    """Checks that all fixes of a file of this text are matched, and that the remarks have these words."""
    file = folder("match") / name
    if isinstance(text, bytes):
        file.write_bytes(text)
    else:
        file.write_text(text, encoding="utf-8", newline="")
    done = run("nav", "match", "--map", town(), file, *options)
    head = done.stdout.splitlines()[:1] or [done.stderr.strip()]
    check(re.match(rf"(trip \S+: )?{of} of {of} fixes matched", head[0]), f"{name}: {head[0]}")
    for word in words:
        check(word in done.stderr, f"{name}: {word!r} is not in the remarks: {done.stderr.strip()}")
    return done.stderr


def refused(file, *words):
    done = run("nav", "match", "--map", town(), file)
    check(done.returncode != 0, f"{file.name} was read")
    for word in words:
        check(word in done.stderr, f"{file.name}: {word!r} is not in {done.stderr.strip()!r}")


def gpx(points, head=""):
    return (f'<?xml version="1.0"?>\n{head}<gpx version="1.1" creator="drawn"><trk><name>t</name><trkseg>\n'
            + "\n".join(points) + "\n</trkseg></trk></gpx>\n")


def iso(seconds):
    done = seconds - FIRST_S
    return f"2026-07-01T10:{done // 60:02d}:{done % 60:02d}Z"


def points(*odd, at=5, times=None):
    """The track points of the drive; the one at `at` has the odd text too."""
    made = []
    for number, (second, lat, lon) in enumerate(rows()):
        moment = times(number) if times else iso(int(second))
        extra = "".join(odd) if number == at else ""
        made.append(f'<trkpt lat="{lat}" lon="{lon}"><time>{moment}</time>{extra}</trkpt>')
    return made


# Times


def test_epochs_in_finer_units_are_read__LOC_8():
    for name, factor in [("s", 1), ("ms", 10**3), ("us", 10**6), ("ns", 10**9)]:
        text = "time,lat,lon\n" + "".join(f"{int(t) * factor},{a},{o}\n" for t, a, o in rows())
        all_match(f"{name}.csv", text)


def test_a_time_that_nothing_can_mean_is_refused():
    file = folder("match") / "far.csv"
    file.write_text("time,lat,lon\n" + "".join(f"{int(t) * 10**11},{a},{o}\n" for t, a, o in rows()), encoding="utf-8")
    refused(file, "is not a time")


STACK = """stack: f
map: {map}
nodes:
  location:
    run: nav-location-provider
    params: {{source: recording, file: {file}, rate: {rate}, loop: {loop}}}
  matcher: {{run: nav-map-matcher}}
external: [route/active]
"""


def replayed(name, text, loop="false", rate=1, limit=150):
    """A stack's drive that plays a recording to its end, and how many messages each topic had."""
    where = folder(name)
    (where / name).write_text(text, encoding="utf-8")
    (where / "stack.yaml").write_text(
        STACK.format(map=town(), file=name, rate=rate, loop=loop), encoding="utf-8")
    played = drive(where, "stack.yaml", "--digest", "digest", limit=limit, seconds=60)
    digest = where / "digest"
    lines = digest.read_text(encoding="utf-8").splitlines() if digest.exists() else []
    return played, {words[0].removeprefix("ego/"): int(words[2]) for words in map(str.split, lines)}


def test_wrong_dates_hold_no_replay_up():
    def early(year):
        return lambda number: (f"{year}-01-06T00:00:{number:02d}Z" if number < 5 else iso(FIRST_S + number))

    def ahead(number):
        return f"2027-07-01T10:00:{number:02d}Z" if number == 30 else iso(FIRST_S + number)

    for name, times in [("1980", early(1980)), ("1999", early(1999)), ("ahead", ahead)]:
        played, counts = replayed(f"{name}.gpx", gpx(points(times=times)))
        check(played.code == 0, f"{name}: ended with {played.code}: {played.errors[-200:]}")
        check(counts.get("location/raw") == 114, f"{name}: of 114 fixes came {counts}")
        check(counts.get("_clock", 0) < 300, f"{name}: the clock was told {counts}")
        check("wrong date or time" in played.errors, f"{name}: nothing is said: {played.errors!r}")
        check(counts.get("location/matched", 0) >= 105, f"{name}: of 114 fixes were matched {counts}")


def test_a_pause_of_two_days_is_skipped():
    def times(number):
        return iso(FIRST_S + number).replace("07-01", "07-01" if number < 57 else "07-03")

    _, counts = replayed("days.gpx", gpx(points(times=times)))
    check(counts.get("location/raw") == 114, f"of 114 fixes came {counts}")
    check(counts.get("_clock", 0) < 300, f"the clock was told {counts}")


def test_a_recording_without_length_is_no_loop():
    one, _ = replayed("one.gpx", gpx(points()[:1]), loop="true")
    check(one.code != 0 and "cannot be looped" in one.errors, f"one point: {one.errors[-200:]}")
    same, _ = replayed("same.gpx", gpx(points(times=lambda _: iso(FIRST_S))), loop="true")
    check(same.code != 0 and "cannot be looped" in same.errors, f"one time: {same.errors[-200:]}")
    # A first track of one point hides no drive.
    text = gpx(points()).replace("<trk>", "<trk><trkseg>" + points()[0] + "</trkseg></trk><trk>", 1)
    tiny, counts = replayed("tiny.gpx", text, loop="true", limit=300)
    check(tiny.code == 0, f"a tiny first track: {tiny.errors[-200:]}")
    check(250 < counts.get("location/raw", 0) < 400, f"in 300 s came {counts}")


def test_points_without_a_time_lead_up_to_the_first_that_has_one():
    made = points()
    for number in (0, 1, 113):
        made[number] = made[number].replace(f"<time>{iso(FIRST_S + number)}</time>", "")
    played, counts = replayed("some.gpx", gpx(made))
    check(counts.get("location/raw") == 114, f"of 114 fixes came {counts}")
    check(counts.get("_clock", 0) > 100, f"all came at once: {counts}, {played.errors[-200:]}")


def test_tiny_traces_are_survived():
    head, fix = "time,lat,lon\n", ",".join(rows()[0]) + "\n"
    all_match("one.csv", head + fix, of=1)
    all_match("same.csv", head + "".join(f"{FIRST_S + n},{rows()[0][1]},{rows()[0][2]}\n" for n in range(100)), of=100)
    for name, text in [("none.csv", ""), ("head.csv", head), ("none.gpx", "<gpx/>")]:
        (folder("match") / name).write_text(text, encoding="utf-8")
        refused(folder("match") / name, name)


def test_newest_first_is_turned_round():
    text = "time,lat,lon\n" + "".join(f"{t},{a},{o}\n" for t, a, o in reversed(rows()))
    all_match("newest.csv", text, "newest first")


def sentence(body):
    total = 0
    for byte in body.encode():
        total ^= byte
    return f"${body}*{total:02X}"


def nmea():
    return (INPUTS / "recordings" / "good.nmea").read_text(encoding="utf-8").splitlines()


def test_weeks_that_rolled_over_are_named_and_added__LOC_8():
    old = [sentence(line[1:line.index("*")].replace(",010726,", ",151106,")) for line in nmea()]
    all_match("old.nmea", "\n".join(old) + "\n", "--nmea-add-weeks 1024")
    text = all_match("old.nmea", "\n".join(old) + "\n", options=["--nmea-add-weeks", "1024"])
    check("2006" not in text, f"the dates are still of 2006: {text}")


# Files


def test_one_odd_value_refuses_no_drive__LOC_8():
    for odd in ["<ele></ele>", "<ele/>", "<ele>nan</ele>", "<ele>512,5</ele>", "<speed/>", "<course>NaN</course>",
                "<extensions><accuracy>high</accuracy></extensions>", "<extensions><time>123</time></extensions>"]:
        all_match("odd.gpx", gpx(points(odd)))
    bad = points()
    bad[5] = '<trkpt lat="" lon=""><time>2026-07-01T10:00:05Z</time></trkpt>'
    all_match("lat.gpx", gpx(bad), "points without readable coordinates", of=113)
    done = run("nav", "match", "--map", town(), folder("match") / "lat.gpx", "--trip", "7")
    check("there is no trip" in done.stderr, f"trip 7: {done.stderr}")


def test_a_quoted_cell_is_one_cell():
    for note in ["Bus 7, 100, 12, 0, x", "7,8", "two\nlines", 'a ""word""']:
        text = "time,lat,lon,note,accuracy_m,speed_mps\n" + "".join(
            f'{t},{a},{o},"{note}",4,12.0\n' for t, a, o in rows())
        all_match("quoted.csv", text, "ignored columns: note")


def test_columns_by_any_usual_name__LOC_9():
    for header in ["Time,Lat,Lon", "timestamp,latitude,longitude", "GPS Time,GPS Latitude,GPS Longitude"]:
        for separator, end in [(",", "\n"), (";", "\r\n"), ("\t", "\r")]:
            text = "".join(
                separator.join(cells) + end for cells in [tuple(header.split(",")), *rows()])
            all_match("names.csv", text)
    decimal = "time;lat;lon;speed_kmh\n" + "".join(
        f"{t};{a};{o};43,2\n".replace(".", ",") for t, a, o in rows())
    all_match("comma.csv", decimal)
    unknown = "time,lat,lon,speed\n" + "".join(f"{t},{a},{o},43.2\n" for t, a, o in rows())
    all_match("unit.csv", unknown, "its unit is unknown")
    cut = "time,lat,lon\n" + "".join(f"{t},{a},{o}\n" for t, a, o in rows()) + "1782900114,47.00"
    all_match("cut.csv", cut, "lines without readable coordinates are left out")


def test_logs_of_nmea_with_words_around__LOC_9():
    lines = nmea()
    for name, shape in [("gnss.nmea", "NMEA,{},1782900000000"), ("suffix.txt", "{} [17]"),
                        ("prefix.log", "2026-07-01T10:00:00.000Z\t{}"), ("tag.nmea", "\\s:gps,c:1*00\\{}")]:
        all_match(name, "".join(shape.format(line) + "\n" for line in lines))
    all_match("header.log", "# a comment\n" + "\n".join(lines) + "\n")


def test_noise_between_sentences_costs_none():
    dice = random.Random(7)
    noisy = b"".join(dice.randbytes(dice.randrange(40)).replace(b"$", b"") + b"\n" + line.encode() + b"\r\n"
                     + line.encode()[:dice.randrange(1, 30)] + b"\n" for line in nmea())
    all_match("noise.nmea", noisy)


def test_sentences_without_checksum_are_an_option():
    plain = "\n".join(line[:line.index("*")] for line in nmea()) + "\n"
    file = folder("match") / "plain.nmea"
    file.write_text(plain, encoding="utf-8")
    refused(file, "--nmea-checksum optional")
    all_match("plain.nmea", plain, options=["--nmea-checksum", "optional"])


def test_tracks_of_one_name_are_told_apart_by_number():
    made = points()
    parts = [made[:28], made[28:57], made[57:]]
    text = gpx(["</trkseg></trk><trk><name>t</name><trkseg>".join("\n".join(part) for part in parts)])
    for number, part in enumerate(parts):
        all_match("names.gpx", text, of=len(part), options=["--trip", str(number + 1)])
    all_match("names.gpx", text, "3 trips are named", of=28, options=["--trip", "t"])


def test_waypoints_with_times_are_read():
    made = [point.replace("trkpt", "wpt") for point in points()]
    all_match("wpt.gpx", '<gpx version="1.1">' + "".join(made) + "</gpx>", "its waypoints are read")


def test_encodings_and_document_types():
    text = gpx(points(), head="<!DOCTYPE gpx>\n")
    all_match("type.gpx", text)
    all_match("wide.gpx", text.encode("utf-16"))
    all_match("zeros.gpx", text.encode() + b"\0" * 5000, "was not closed")
    bomb = gpx(points(), head='<!DOCTYPE gpx [<!ENTITY a "b">]>\n')
    file = folder("match") / "bomb.gpx"
    file.write_text(bomb, encoding="utf-8")
    refused(file, "document type with declarations")


def test_a_file_that_breaks_off_is_read_up_to_there():
    text = gpx(points())
    all_match("broken.gpx", text[:text.index("<trkpt", text.index("10:01:00Z")) + 20], "truncated", of=61)


def test_other_formats_are_read_or_named__LOC_9():
    where = case("recordings")
    for name in ["t.kml", "t.tcx", "t.geojson", "t.plt", "owntracks.rec"]:
        done = run("nav", "match", "--map", town(), where / name)
        check(re.match(r"(trip \S+: )?49 of 49 fixes matched", done.stdout), f"{name}: {done.stdout[:60]}{done.stderr}")
    refused(where / "t.fit", "FIT")
    headless = folder("match") / "headless.txt"
    headless.write_text("".join(f"1,{t},{o},{a}\n" for t, a, o in rows()), encoding="utf-8")
    refused(headless, "instead of column names")


# Launcher and tools


def test_southern_latitudes_are_no_options():
    go = run("nav", "go", "-33.86,151.2")
    check("Missing" not in go.stderr and "Unknown" not in go.stderr, f"nav go: {go.stderr}")
    route = run("nav", "route", "--map", town(), "--from", "-33.86,151.2", "--to", "-33.9,151.2", "--via", "-33.8,151",
                "--pass", "-33.8,151", "--avoid-box", "-34,150,-33,151", "--bearing", "-10")
    check("lies outside the map" in route.stderr, f"nav route: {route.stderr}")
    for words in [["-33.86,151.2"], ["-33.86 151.2"], ["-33.86", "151.2"]]:
        place = run("nav", "place", "--map", town(), *words, "--near", "-33.8,151.2")
        check(place.stdout.startswith("-33.860000,151.200000"), f"nav place {words}: {place.stdout}{place.stderr}")
    cut = run("nav", "map", "cut", town(), "-o", folder("cut") / "x.navmap", "--box", "-34,150,-33,151")
    check("no roads" in cut.stderr, f"nav map cut: {cut.stderr}")


def test_a_log_that_cannot_be_written_is_an_error():
    where = folder("log")
    (where / "stack.yaml").write_text(
        STACK.format(map=town(), file=INPUTS / "recordings" / "s.csv", rate=1, loop="false")
        + "log: {to: no/such/run.log}\n", encoding="utf-8")
    done = run("navlaunch", "stack.yaml", "--print", folder=where)
    check(done.returncode != 0 and "log.to" in done.stderr + done.stdout, f"{done.stdout}{done.stderr}")


def test_a_log_keeps_what_the_run_before_wrote():
    where = folder("kept")
    (where / "stack.yaml").write_text(
        STACK.format(map=town(), file=INPUTS / "recordings" / "s.csv", rate=1000, loop="false")
        .replace("stack: f", "stack: kept") + "log: {to: run.log}\n", encoding="utf-8")
    (where / "run.log").write_text("the run before\n", encoding="utf-8")
    running = subprocess.Popen([program("navlaunch"), "stack.yaml"], cwd=where, stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
    try:
        until = time.monotonic() + 30
        while time.monotonic() < until and "ready" not in (where / "run.log").read_text(encoding="utf-8"):
            time.sleep(0.1)
    finally:
        running.terminate()
        running.wait(timeout=30)
    text = (where / "run.log").read_text(encoding="utf-8")
    check(text.startswith("the run before\n") and len(text) > 50, f"the log holds {text[:200]!r}")


def test_keys_that_explode_and_unset_variables_are_refused():
    where = folder("yaml")
    names = "abcdefgh"
    bomb = "a: &a [x,x,x,x,x,x,x,x,x]\n" + "".join(
        f"{b}: &{b} [{','.join([f'*{a}'] * 9)}]\n" for a, b in zip(names, names[1:])) + "i:\n  ? *h\n  : 1\nstack: y\n"
    (where / "bomb.yaml").write_text(bomb, encoding="utf-8")
    done = run("navlaunch", "bomb.yaml", "--print", folder=where, seconds=20)
    check("a key must be a plain word" in done.stdout + done.stderr, f"{done.stdout}{done.stderr}")
    unset = '{run: nav-map-matcher, args: ["${env:NO_SUCH}"]}'
    (where / "env.yaml").write_text(
        STACK.format(map=town(), file="x.csv", rate=1, loop="false").replace("{run: nav-map-matcher}", unset),
        encoding="utf-8")
    done = run("navlaunch", "env.yaml", "--print", folder=where, seconds=20)
    check("the environment variable NO_SUCH is not set" in done.stdout + done.stderr, f"{done.stdout}{done.stderr}")


def test_playing_what_is_not_there_is_refused():
    where = folder("play")
    (where / "stack.yaml").write_text(
        STACK.format(map=town(), file=INPUTS / "recordings" / "s.csv", rate=1, loop="false"), encoding="utf-8")
    made = run("nav", "drive", "stack.yaml", "--record", "r.mcap", "--quiet", folder=where)
    check((where / "r.mcap").exists(), f"no recording: {made.stderr}")
    for words, expected in [(["--loop", "--duration", "0.5"], "lasts less than a second"),
                            (["--rename-vehicle", "ego=Ego"], "is not a vehicle name"),
                            (["--rename-vehicle", "bus=ego"], "contains no vehicle"),
                            (["--remap", "no/such=a/b"], "contains no topic"),
                            (["--topics", "nosuch/"], "select no topic of the recording")]:
        done = run("nav", "play", "r.mcap", "--rate", "max", *words, folder=where, seconds=30)
        check(done.returncode != 0 and expected in done.stderr, f"{words}: {done.returncode} {done.stderr}")
    for words in [["--start-offset", "1e300"], ["--duration", "inf"], ["--until", "1e300"]]:
        done = run("nav", "play", "r.mcap", "--rate", "max", *words, folder=where, seconds=30)
        check(0 <= done.returncode < 128, f"{words}: it crashed with {done.returncode}: {done.stderr[-200:]}")


def test_recordings_of_others():
    where = case("mcap-of-others")
    empty = run("nav", "rec", "verify", where / "empty.mcap")
    check(empty.returncode == 0 and "sound" in empty.stdout, f"empty: {empty.stdout}")
    packed = run("nav", "rec", "verify", where / "lz4.mcap")
    check("1 problem," in packed.stdout and "lz4" in packed.stdout, f"lz4: {packed.stdout}")
    times = run("nav", "rec", "export", where / "strange_times.mcap")
    check(len(times.stdout.splitlines()) == 7, f"{len(times.stdout.splitlines())} of 7 messages are exported")
