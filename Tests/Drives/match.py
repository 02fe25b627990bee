"""nav match on recorded traces: what is left out is reported, many traces are matched as each alone, a bad file costs no other
its answer, ways add up to the path, and OSRM's fields are real."""

import json
import os
import pathlib
import subprocess
import tempfile

import stack


def north(count, metres=10):
    """Fixes a second apart, north along Station Road."""
    return [(second, 46.9900 + metres * second / 111_200, -30.0) for second in range(count)]


def csv(rows, trip=None):
    lines = [f"{time},{lat:.7f},{lon:.7f}" + (f",{trip}" if trip else "") for time, lat, lon in rows]
    return "\n".join(lines) + "\n"


def sentence(body):
    check = 0
    for character in body.encode():
        check ^= character
    return f"${body}*{check:02X}\n"


def rmc(second, lat, is_right=True):
    minutes = (lat - 46) * 60
    line = sentence(f"GPRMC,1200{second:02d},A,46{minutes:08.5f},N,03000.00000,W,19.44,0.0,221126,,,A")
    return line if is_right else line.replace(",A,", ",B,", 1)


def test_a_trace_is_matched_and_nothing_is_left_out_in_silence__MM_13(results, folder, town):
    def match(text, *words, name="trace.csv"):
        file = folder / name
        file.write_text(text, encoding="utf-8")
        return stack.run("nav", "match", file, "--map", town, *words)

    head = "time,lat,lon\n"
    code, output, errors = match(head + csv(north(60)), "--format", "json")
    fixes = json.loads(output)["fixes"] if code == 0 else []
    results.add(len(fixes) == 60 and all(one["state"] == "matched" for one in fixes) and not errors,
                "a plain trace is matched without a word", errors or str(fixes[:2]))

    rows = north(60)
    rows[20] = (20, 91.0, -30.0)
    rows[30] = ("", *rows[30][1:])
    rows[40] = (10, *rows[40][1:])
    code, output, errors = match(head + csv(rows), "--format", "json")
    fixes = json.loads(output)["fixes"] if code == 0 else []
    results.add(len(fixes) == 60 and fixes[59]["state"] == "matched", "three bad fixes of 60 are left out", errors)
    results.add(all(word in errors for word in ("implausible: 1", "fix 20", "without a time", "fix 30",
                                                "not later than the one before: 1", "fix 40")),
                "and each is named with its kind", errors)

    code, _, errors = match(head + csv([(0, 46.99, -30.0)]) + "1,nan,-30.0\n")
    results.add(code == 0 and "line 3, column 3" in errors, "a place that is no number is left out, and its line named", errors)
    code, _, errors = match(head + "1,nan,-30.0\n")
    results.add(code != 0 and "trace.csv:2:3" in errors, "a trace without any place is an error with its line", errors)

    code, _, errors = match("time,lat,lon,trip\n" + csv(north(20), "a") + csv(north(20), "b"))
    results.add(code == 0 and "2 trips" in errors and '"a"' in errors, "of two trips the one that is matched is named", errors)

    log = "".join(rmc(second, lat, second % 5) for second, lat, _ in north(50))
    code, _, errors = match(log, name="trace.nmea")
    results.add(code == 0 and "wrong checksum are left out: 10" in errors, "NMEA sentences that are left out are counted", errors)

    code, _, errors = match(head + csv([(second, lat + 5, lon) for second, lat, lon in north(20)]))
    results.add("the trace lies outside the map, " in errors and errors.count("outside") == 1, "a trace off the map says so, with both boxes", errors)

    for form in ("text", "json", "geojson", "csv", "gpx", "osrm"):
        with open("/dev/full", "w") as full:
            done = subprocess.run([stack.OPTIONS.programs / "nav", "match", folder / "trace.csv", "--map", town,
                                   "--format", form], stdout=full, stderr=subprocess.PIPE, text=True, timeout=60)
        results.add(done.returncode not in (0, None) and "cannot be written" in done.stderr,
                    f"{form} onto a full disk is an error", f"{done.returncode}: {done.stderr}")


def test_smoothed_answers_wait_as_they_are_told__MM_8(results, folder, town):
    file = folder / "trace.csv"
    file.write_text("time,lat,lon\n" + csv(north(60)), encoding="utf-8")

    def places(*words):
        code, output, errors = stack.run("nav", "match", file, "--map", town, "--format", "json", *words)
        results.add(code == 0, f"nav match {' '.join(words)} ends well", errors)
        return [(one["matched_lat"], one["matched_lon"]) for one in json.loads(output)["fixes"]] if code == 0 else []

    whole, agreed = places(), places("--online", "--smoothing", "agreed")
    results.add(len(agreed) == 60 and agreed == whole, "where ways agree it is what the whole trace tells")
    results.add(len(places("--online", "--lag-fixes", "12", "--lag-s", "20")) == 60, "a lag of one's own tells each fix")
    for words, wanted in ((("--online", "--smoothing", "soon"), "lag or agreed"), (("--lag-fixes", "5"), "--online"),
                          (("--online", "--lag-s", "0"), "greater than 0")):
        code, _, errors = stack.run("nav", "match", file, "--map", town, *words)
        results.add(code != 0 and wanted in errors, f"{' '.join(words)} is refused in words", errors)


def test_osrm_fields_are_real__MM_13(results, folder, town):
    file = folder / "sure.csv"
    file.write_text("time,lat,lon\n" + csv(north(60)), encoding="utf-8")
    code, output, errors = stack.run("nav", "match", file, "--map", town, "--format", "osrm")
    sure = json.loads(output) if code == 0 else {"matchings": [], "tracepoints": []}
    # One fix alone says nothing of the direction, nor how far along its road the vehicle is.
    file.write_text("time,lat,lon,accuracy_m\n0,46.9930000,-30.0000000,40\n20,46.9931000,-30.0000000,40\n", encoding="utf-8")
    code, output, more = stack.run("nav", "match", file, "--map", town, "--format", "osrm")
    vague = json.loads(output) if code == 0 else {"matchings": [], "tracepoints": []}
    first = sure["matchings"][0]["confidence"] if sure["matchings"] else None
    second = vague["matchings"][0]["confidence"] if vague["matchings"] else None
    results.add(first is not None and second is not None and 0 < second < first <= 1,
                "a sure trace has more confidence than a vague one", f"{first} {second} {errors} {more}")
    inner = [one["alternatives_count"] for one in sure["tracepoints"][:40] if one]
    results.add(inner and not any(inner), "early fixes of a sure trace leave nothing open", str(inner))
    left = [one["alternatives_count"] for one in vague["tracepoints"] if one]
    results.add(any(left), "a vague trace leaves other places open", str(left))


def nav(*words, given=""):
    """Exit code, standard output in bytes and messages of `nav match` with some words."""
    done = subprocess.run([stack.OPTIONS.programs / "nav", "match", *map(str, words)], input=given.encode(),
                          capture_output=True, timeout=120)
    return done.returncode, done.stdout, done.stderr.decode()


def east(count):
    """Fixes a second apart, east from Station Road."""
    return [(second, 46.9930, -30.0 + 10 * second / 75_900) for second in range(count)]


def test_many_traces_are_matched_as_each_alone__MM_13(results, folder, town):
    many = folder / "many.csv"
    rows = {"a": north(60), "b": east(40), "far": [(second, lat + 5, lon) for second, lat, lon in north(20)],
            "c": north(30, 14)}
    many.write_text("time,lat,lon,trip\n" + "".join(csv(one, name) for name, one in rows.items()))

    for form in ("json", "csv", "geojson", "gpx", "osrm", "text"):
        words = ("--map", town, "--format", form)
        alone = []
        for name in rows:
            code, output, errors = nav(many, "--trip", name, *words)
            results.add(code == 0, f"{form}: trip {name} alone", errors)
            alone.append(output)
        code, whole, errors = nav(many, "--trip", "all", *words)
        results.add(code == 0 and "4 traces: " in errors, f"{form}: all trips, with a summary", errors)
        for threads in (1, 5):
            results.add(nav(many, "--trip", "all", *words, "--threads", threads)[1] == whole,
                        f"{form}: {threads} threads answer the same bytes")
        if form in ("json", "osrm", "text"):
            results.add(whole == b"".join(alone), f"{form}: all trips are the single answers one after the other")
        elif form == "csv":
            head = alone[0].split(b"\n")[0] + b"\n"
            results.add(whole == head + b"".join(one[len(head):] for one in alone), "csv: with one header")
        elif form == "geojson":
            features = [feature for one in alone for feature in json.loads(one)["features"]]
            results.add(json.loads(whole)["features"] == features, "geojson: the features of each in one collection")
        else:
            inner = [one[one.index(b"<trk>"):one.index(b"</gpx>")] for one in alone]
            results.add(b"".join(inner) in whole and whole.count(b"</gpx>") == 1, "gpx: the tracks of each in one document")

    code, output, errors = nav("-", "--trip", "b", "--map", town, "--format", "json", given=many.read_text())
    results.add(code == 0 and json.loads(output)["file"] == "-" and len(json.loads(output)["fixes"]) == 40,
                "a trace comes from standard input", errors)


def test_a_bad_file_costs_no_other_its_answer__MM_13(results, folder, town):
    good, bad, none = folder / "good.csv", folder / "bad.gpx", folder / "none.csv"
    good.write_text("time,lat,lon\n" + csv(north(60)))
    bad.write_text("<gpx><trk><trkseg><trkpt lat='")
    code, output, errors = nav(good, bad, none, good, "--map", town, "--format", "jsonl")
    lines = output.splitlines()
    results.add(code == 1 and len(lines) == 2 and lines[0] == lines[1], "both good files are answered", errors)
    results.add("failed: 2" in errors and "bad.gpx:1" in errors and "none.csv cannot be read" in errors,
                "each bad file is named with its place", errors)
    code, output, errors = nav(bad, "--map", town, "--format", "geojson")
    results.add(code == 1 and not output and "bad.gpx:1" in errors, "a bad file alone has no answer", errors)


def test_ways_have_times_and_add_up_to_the_length__MM_13(results, folder, town):
    file = folder / "ways.csv"
    file.write_text("time,lat,lon\n" + csv(north(60)))
    words = (file, "--map", town)
    one = json.loads(nav(*words, "--format", "json")[1])
    ways = one["matched_ways"]
    results.add(ways and [way["way"] for way in ways] == one["ways"], "each way once, in order", str(ways))
    results.add(abs(sum(way["length_m"] for way in ways) - one["length_m"]) < 1e-6, "lengths add up", str(ways))
    results.add(ways[0]["from_time"] == 0 and ways[-1]["to_time"] == 59
                and all(a["to_time"] == b["from_time"] for a, b in zip(ways, ways[1:])), "times join", str(ways))
    results.add(all("name" in way for way in ways) and any(way["name"] for way in ways), "ways have names", str(ways))
    rows = [line.split(",") for line in nav(*words, "--format", "csv", "--rows", "ways")[1].decode().splitlines()]
    results.add([[int(row[1]), float(row[5])] for row in rows[1:]] == [[way["way"], way["length_m"]] for way in ways],
                "the same as rows of csv", str(rows))
    features = json.loads(nav(*words, "--format", "geojson")[1])["features"]
    layers = {name: [one["properties"] for one in features if one["properties"]["layer"] == name]
              for name in ("path", "way", "fix")}
    results.add(len(layers["path"]) == 1 and layers["path"][0]["length_m"] == one["length_m"]
                and [way["length_m"] for way in layers["way"]] == [way["length_m"] for way in ways]
                and len(layers["fix"]) == 60, "and as layers of geojson", str(layers)[:300])

    # One confidence, whatever the format.
    osrm = json.loads(nav(*words, "--format", "osrm")[1])
    gpx = nav(*words, "--format", "gpx")[1].decode()
    text = nav(*words)[1].decode()
    csv_row = nav(*words, "--format", "csv")[1].decode().splitlines()[1].split(",")
    confidence = one["confidence"]
    results.add(confidence == layers["path"][0]["confidence"] == osrm["matchings"][0]["confidence"] == float(csv_row[15])
                and f"confidence {confidence:.4f}" in gpx and f"confidence {confidence:.2f}" in text,
                "all formats have the same confidence", f"{confidence} {osrm['matchings'][0]['confidence']} {csv_row}")
    results.add(one["parameters"] == osrm["parameters"] == {"mode": "car", "online": False} and "&quot;mode&quot;" in gpx,
                "the parameters are in the answer", f"{one['parameters']} {osrm['parameters']}")
    online = json.loads(nav(*words, "--format", "json", "--online", "--sigma", "4.5")[1])["parameters"]
    results.add(online == {"mode": "car", "sigma_m": 4.5, "online": True, "smoothing": "lag", "lag_fixes": 5, "lag_s": 10},
                "with sigma and lag where given", str(online))
    digest = one["map_digest"]
    results.add(len(digest) == 16 and one["program"].startswith("nav ") and osrm["data_version"] == digest
                and digest in gpx and digest in text, "program and map are named", f"{one['program']} {digest}")


def test_the_noise_of_a_receiver_can_be_given__MM_13(results, folder, town):
    file = folder / "sigma.csv"
    # Some 20 m from the road: whether that is far depends on the noise.
    file.write_text("time,lat,lon\n" + csv([(second, lat, lon + 20 / 75_900) for second, lat, lon in north(60)]))

    def confidence(*words):
        code, output, errors = nav(file, "--map", town, "--format", "json", *words)
        results.add(code == 0, f"nav match {' '.join(words)} ends well", errors)
        return json.loads(output)["confidence"] if code == 0 else None

    results.add(confidence("--sigma", "3") != confidence("--sigma", "15"), "a sigma counts")
    for wrong in ("0", "1000", "x"):
        code, _, errors = nav(file, "--map", town, "--sigma", wrong)
        results.add(code != 0 and "sigma" in errors, f"--sigma {wrong} is refused", errors)


def main():
    stack.options(__doc__)
    results = stack.Results()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        os.environ["XDG_CACHE_HOME"] = str(folder / "cache")
        town = folder / "town.osm"
        stack.run("nav", "map", "town", "-o", town, "--seed", "1")
        test_a_trace_is_matched_and_nothing_is_left_out_in_silence__MM_13(results, folder, town)
        test_smoothed_answers_wait_as_they_are_told__MM_8(results, folder, town)
        test_osrm_fields_are_real__MM_13(results, folder, town)
        test_many_traces_are_matched_as_each_alone__MM_13(results, folder, town)
        test_a_bad_file_costs_no_other_its_answer__MM_13(results, folder, town)
        test_ways_have_times_and_add_up_to_the_length__MM_13(results, folder, town)
        test_the_noise_of_a_receiver_can_be_given__MM_13(results, folder, town)
    results.end()


if __name__ == "__main__":
    main()
