"""Synthetic drives with known truth and noise of several strengths, from routes of our own router, and Kubicka's tracks:
what the confidence of a matched trace is measured on."""

import contextlib
import json
import math
import os
import random
import re
import signal
import subprocess
import sys
import urllib.request

from matching_sets import kubicka, write_csv

METRES = 111195.08  # of a degree
# Standard deviations of the noise in metres, and how alike it is to that of a second before.
SIGMAS = (3, 6, 10, 15, 20, 30)
LIKENESS = 0.9
# Corners of the area in which drives begin and end, in Porto.
BOX = (-8.70, 41.10, -8.54, 41.22)


@contextlib.contextmanager
def router(options):
    """The address of a router with the map of Porto."""
    command = [options.programs / "nav-router", "--http", "127.0.0.1:0", "--map", options.data / "maps/porto.osm.pbf"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        found = re.search(r"http://[0-9.:]+/", process.stdout.readline())
        if not found:
            sys.exit("nav-router does not listen")
        yield found[0]
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(10)


def route(address, draw):
    """Points (lat, lon) and the speed in m/s on each piece between them; None where there is no such route."""
    ends = ";".join(f"{draw.uniform(BOX[0], BOX[2]):.6f},{draw.uniform(BOX[1], BOX[3]):.6f}" for _ in range(2))
    try:
        with urllib.request.urlopen(f"{address}route/v1/driving/{ends}?overview=full&geometries=geojson"
                                    "&annotations=speed") as answer:
            found = json.load(answer)["routes"][0]
    except OSError:
        return None
    if not 2000 <= found["distance"] <= 12000:
        return None
    points = [(lat, lon) for lon, lat in found["geometry"]["coordinates"]]
    return points, [max(2, speed) for speed in found["legs"][0]["annotation"]["speed"]]


def drive(points, speeds, draw):
    """Places (lat, lon) of a drive a second apart: at the speed of the road, slower at sharp turns, with halts at some."""
    places, rest = [points[0]], 1.0
    heading = None
    for (start, end), speed in zip(zip(points, points[1:]), speeds):
        scale = METRES * math.cos(math.radians(start[0]))
        east, north = (end[1] - start[1]) * scale, (end[0] - start[0]) * METRES
        length = math.hypot(east, north)
        if length < 0.05:
            continue
        last, heading = heading, math.atan2(east, north)
        turn = abs((heading - last + math.pi) % (2 * math.pi) - math.pi) if last is not None else 0
        if turn > 0.8:
            speed = min(speed, 5)
            if draw.random() < 0.2:
                places += [places[-1]] * draw.randint(5, 25)
        at, step = 0.0, 1 / (0.85 * speed)
        while (length - at) * step >= rest:
            at += rest / step
            places.append((start[0] + (end[0] - start[0]) * at / length, start[1] + (end[1] - start[1]) * at / length))
            rest = 1.0
        rest -= (length - at) * step
    return places


def noisy(places, sigma, draw):
    """Rows of time, place with noise, and true place."""
    error = [draw.gauss(0, sigma), draw.gauss(0, sigma)]
    news = sigma * math.sqrt(1 - LIKENESS * LIKENESS)
    for second, (lat, lon) in enumerate(places):
        scale = METRES * math.cos(math.radians(lat))
        yield second, f"{lat + error[0] / METRES:.7f}", f"{lon + error[1] / scale:.7f}", f"{lat:.7f}", f"{lon:.7f}"
        error = [LIKENESS * part + draw.gauss(0, news) for part in error]


def prepare_confidence(options, count=60):
    """Writes DIR/confidence.tsv: Kubicka's tracks, and drives over Porto with noise of each strength."""
    options.work.mkdir(parents=True, exist_ok=True)
    lines = list(kubicka(options))
    folder = options.work / "drives"
    folder.mkdir(exist_ok=True)
    city = os.path.relpath(options.data / "maps/porto.osm.pbf", options.work)
    draw, number = random.Random(31), 0
    with router(options) as address:
        while number < count:
            found = route(address, draw)
            if not found:
                continue
            write_csv(folder / f"{number:03}.truth.csv", ("lat", "lon"), [(f"{a:.7f}", f"{b:.7f}") for a, b in found[0]])
            places = drive(*found, draw)
            for sigma in SIGMAS:
                write_csv(folder / f"{number:03}.s{sigma}.csv", ("time", "lat", "lon", "true_lat", "true_lon"),
                          noisy(places, sigma, draw))
                lines.append((f"noise-{sigma}", f"{number:03}", city, f"drives/{number:03}.s{sigma}.csv",
                              f"drives/{number:03}.truth.csv"))
            number += 1
    with open(options.work / "confidence.tsv", "w") as file:
        file.writelines("\t".join(line) + "\n" for line in sorted(lines, key=lambda line: (line[0], line[1])))


def area(good, bad):
    """Area under the receiver operating characteristic: how often a good trace has more confidence than a bad one."""
    ranked = sorted([(value, 0) for value in bad] + [(value, 1) for value in good])
    wins = seen = index = 0
    while index < len(ranked):
        end = index
        while end < len(ranked) and ranked[end][0] == ranked[index][0]:
            end += 1
        tied_good = sum(kind for _, kind in ranked[index:end])
        tied_bad = end - index - tied_good
        wins += tied_good * (seen + tied_bad / 2)
        seen += tied_bad
        index = end
    return wins / (len(good) * len(bad)) if good and bad else float("nan")


def confidence(options):
    """Prints how well the confidence separates traces with a mismatch over 5 %, on the halves that it was not fitted on."""
    path = options.work / "confidence.json"
    every = options.every or "1,5,15,30"
    subprocess.run([options.programs / "bench-matching", "--list", options.work / "confidence.tsv", "--modes", "whole",
                    "--every", every, "--confidence", path], check=True, stdout=subprocess.DEVNULL)
    rows = json.loads(path.read_text())
    print("| set | traces, of these over 5 % | AUC, tuning half | AUC, held out |\n|---|---|---|---|")
    for title, wanted in (("Kubicka", lambda row: row["set"] == "kubicka"),
                          ("Kubicka, every 1 s", lambda row: row["set"] == "kubicka" and row["everyS"] == 1),
                          ("noisy drives", lambda row: row["set"] != "kubicka"),
                          ("noisy drives, every 1 s", lambda row: row["set"] != "kubicka" and row["everyS"] == 1)):
        chosen = [row for row in rows if wanted(row)]
        cells = []
        for half in ("tuning", "held-out"):
            part = [row for row in chosen if row["half"] == half]
            cells.append(area([row["confidence"] for row in part if row["mismatch"] <= 0.05],
                              [row["confidence"] for row in part if row["mismatch"] > 0.05]))
        bad = sum(row["mismatch"] > 0.05 for row in chosen)
        print(f"| {title} | {len(chosen)}, {bad} | {cells[0]:.3f} | {cells[1]:.3f} |")
