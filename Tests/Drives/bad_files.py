"""Empty, truncated and corrupt maps, traces and stack files, and options that contradict each other: one clear sentence, and
an exit code."""

import json
import os
import pathlib
import random
import tempfile

import stack

GPX = """<?xml version="1.0"?>
<gpx version="1.1"><trk><trkseg>
<trkpt lat="47.0" lon="-30.0"><time>2026-01-01T08:00:00Z</time></trkpt>
<trkpt lat="47.001" lon="-30.0"><time>2026-01-01T08:00:05Z</time></trkpt>
</trkseg></trk></gpx>
"""
CSV = "trip,time,lat,lon\n1,1372640943,41.15,-8.61\n1,1372640958,41.151,-8.612\n"


def spoil(data, how):
    dice = random.Random(how)
    if how == "empty":
        return b""
    if how == "truncated":
        return data[:len(data) * 2 // 3]
    if how == "corrupt":
        # The middle goes wrong: what is written of a file's length and beginning still holds.
        start = len(data) // 3
        return data[:start] + dice.randbytes(len(data) // 3) + data[start + len(data) // 3:]
    return dice.randbytes(4000)


def check(results, what, path, code, errors):
    lines = [line for line in errors.splitlines() if line.strip()]
    why = ""
    if code == 0:
        why = "exit code 0"
    elif code < 0 or code >= 128:
        why = f"it crashed ({code}): {' | '.join(lines[-3:])}"
    elif not 1 <= len(lines) <= 2:
        why = f"{len(lines)} lines: {' | '.join(lines[:4])}"
    elif path.name not in errors:
        why = f"the file is not named: {lines[0]}"
    results.add(not why, what, why)


def main():
    stack.options(__doc__)
    results = stack.Results()
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        os.environ["XDG_CACHE_HOME"] = str(folder / "cache")
        town, navmap = folder / "town.osm", folder / "town.navmap"
        stack.run("nav", "map", "town", "-o", town, "--seed", "1")
        stack.run("nav", "map", "build", town, "-o", navmap)
        for how in ("empty", "truncated", "corrupt", "random"):
            for good in (navmap, town):
                bad = folder / f"{how}{good.suffix}"
                bad.write_bytes(spoil(good.read_bytes(), how))
                if good is navmap:
                    code, _, errors = stack.run("nav", "map", "info", bad)
                    check(results, f"nav map info: {how} map", bad, code, errors)
                else:
                    code, _, errors = stack.run("nav", "map", "build", bad, "-o", folder / "out.navmap")
                    check(results, f"nav map build: {how} OSM file", bad, code, errors)
                    is_there = (folder / "out.navmap").exists()
                    results.add(not is_there, f"no map is left of a {how} OSM file", "out.navmap is there")
                node(results, folder, "nav-map-matcher", f"matcher: {how} {good.suffix}", bad, {"map": str(bad)})
            for source, text in (("gpx", GPX), ("csv", CSV)):
                bad = folder / f"{how}.{source}"
                data = spoil(text.encode(), how)
                if source == "csv" and how == "truncated":
                    data = CSV.encode()[:-14]
                bad.write_bytes(data)
                if how == "truncated":
                    # What was recorded before it breaks off is a drive, too.
                    code, _, errors = stack.run("nav", "match", "--map", navmap, bad)
                    results.add(code == 0 and any(word in errors for word in ("truncated", "left out")),
                                f"nav match: a {how} {source} is read up to there, and that is said", errors)
                    continue
                node(results, folder, "nav-location-provider", f"location: {how} {source}", bad,
                     {"source": source, "file": str(bad)})
            bad = folder / f"{how}.yaml"
            data = spoil(stack.DEMO.read_bytes(), how)
            bad.write_bytes(data)
            code, _, errors = stack.run("navlaunch", bad, XDG_RUNTIME_DIR=str(folder))
            if how == "truncated":
                results.add(code == 2 and errors, "navlaunch: truncated stack file", f"{code}: {errors}")
            else:
                check(results, f"navlaunch: {how} stack file", bad, code, errors.replace("1 error; nothing was started.", ""))
        contradictions(results, navmap)
    results.end()


def contradictions(results, navmap):
    """What is to be avoided, and what is excluded, by one route."""
    _, said, _ = stack.run("nav", "map", "info", navmap, "--json")
    south, west, north, east = json.loads(said)["bounding_box"]
    box = f"{south},{west},{north},{east}"
    ends = [f"{south + share * (north - south):.6f},{west + share * (east - west):.6f}" for share in (0.3, 0.7)]
    route = ("nav", "route", "--map", navmap, "--from", ends[0], "--to", ends[1], "--exclude", "tolls")
    code, _, errors = stack.run(*route)
    results.add(code == 0, "nav route: --exclude alone", f"{code}: {errors}")
    for option, value in (("--avoid", "ferries"), ("--avoid-box", box), ("--avoid-polygon", "_p~iF~ps|U_ulLnnqC"),
                          ("--avoid-segment", "1,2,3"), ("--avoid-country", "FR")):
        code, said, errors = stack.run(*route, option, value)
        is_clear = code == 1 and not said and errors.count("\n") == 1 and f"{option} and --exclude" in errors
        results.add(is_clear, f"nav route: {option} beside --exclude", f"{code}: {errors}")


def node(results, folder, program, what, bad, parameters):
    """Starts a node that must refuse its parameters; no bus is there, and none is needed."""
    file = folder / "params.json"
    file.write_text(json.dumps(parameters))
    code, output, errors = stack.run(program, "--params", file, "--name", "alone", seconds=20,
                                     NAV_BUS=f"ipc://{folder}/bus")
    check(results, what, bad, code, errors or output)


if __name__ == "__main__":
    main()
