"""Places told at once of receivers that err otherwise than the sets do: with and without what roads show of their errors."""

import json
import math
import random
import subprocess

from matching_sets import bench, columns, everies, write_csv

METRES = 111195.08  # of a degree, as the matcher has it
# Likeness of an error to the one a second before, its sigma, the sigma of white noise beside it, and how far the
# vehicle drives to the right of the line of its road; all in metres.
NOISES = {
    "AR(1) of 0.7, 5 m": (0.7, 5, 0, 0),
    "AR(1) of 0.98, 5 m": (0.98, 5, 0, 0),
    "AR(1) of 0.995, 5 m": (0.995, 5, 0, 0),
    "AR(1) of 0.98, 5 m, and white 3 m": (0.98, 5, 3, 0),
    "AR(1) of 0.99, 8 m, white 4 m, 1.5 m to the right": (0.99, 8, 4, 1.5),
    "AR(1) of 0.9, 5 m, 3 m to the right": (0.9, 5, 0, 3),
    "AR(1) of 0.98, 3 m, 3 m to the left": (0.98, 3, 0, -3),
    "white 0.3 m, 3 m to the right": (0, 0.3, 0, 3),
}
# Where nobody says how far beside a road vehicles drive, it shows no error.
WITHOUT = "besideRoadM=1e6"


def erring(truth, seed, likeness, sigma, white, right):
    """Fixes of a drive: times with the places told and the true ones, which are on the line of the road."""
    draw = random.Random(seed)
    east, north = draw.gauss(0, sigma), draw.gauss(0, sigma)
    news, ahead = sigma * math.sqrt(1 - likeness * likeness), (0, 0)
    for index, (time, lat, lon) in enumerate(truth):
        scale = METRES * math.cos(math.radians(lat))
        before, behind = truth[max(0, index - 1)], truth[min(index + 1, len(truth) - 1)]
        step = ((behind[2] - before[2]) * scale, (behind[1] - before[1]) * METRES)
        if math.hypot(*step) > 1:
            ahead = tuple(part / math.hypot(*step) for part in step)
        told_east = east + draw.gauss(0, white) + right * ahead[1]
        told_north = north + draw.gauss(0, white) - right * ahead[0]
        yield time, lat + told_north / METRES, lon + told_east / scale, lat, lon
        east, north = likeness * east + news * draw.gauss(0, 1), likeness * north + news * draw.gauss(0, 1)


def noises(options):
    """Draws other errors over the true drives of the set ar-5, and prints how far places told at once are from the truth."""
    folder = options.work / "noises"
    folder.mkdir(exist_ok=True)
    lines = []
    for row in (options.work / "list.tsv").read_text().splitlines():
        kind, name, city, trace, way = row.split("\t")
        if kind != "ar-5":
            continue
        truth = columns(options.work / trace, "time", "true_lat", "true_lon")
        for number, noise in enumerate(NOISES.values()):
            path = f"noises/{name}.{number}.csv"
            write_csv(options.work / path, ("time", "lat", "lon", "true_lat", "true_lon"),
                      erring(truth, f"{name} {number}", *noise))
            lines.append("\t".join((f"noise-{number}", name, city, path, way)) + "\n")
    (options.work / "noises.tsv").write_text("".join(sorted(lines)))
    tables = []
    for setting in ([], ["--set", WITHOUT]):
        path = options.work / "noises.json"
        bench(options, "--every", everies(options)[0], "--modes", "filtered", "--json", path, *setting,
              listed="noises.tsv", output=subprocess.DEVNULL)
        tables.append({row["set"]: row for row in json.loads(path.read_text()) if row["half"] == "all"})
    print("| error of the newest fix, m, p50/p95 | without it | with it |\n|---|---|---|")
    for number, title in enumerate(NOISES):
        cells = [f"{row['errorP50M']:.2f}/{row['errorP95M']:.2f}"
                 for row in (table[f"noise-{number}"] for table in reversed(tables))]
        print(f"| {title} | {' | '.join(cells)} |")
