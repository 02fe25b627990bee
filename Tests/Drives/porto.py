"""Twenty real taxi trips through the real processes: 15 s between fixes, and drivers with ways of their own.

Needs maps/porto.osm.pbf and traces/porto-taxi.csv in $NAV_DATA or ../shared/data, and says so where
they are not there.
"""

import concurrent.futures
import csv
import os
import pathlib
import re
import sys

import stack  # first: it tells where ours are
from judging.roads import Roads

PORTO = stack.ROOT / "Launch/porto.yaml"
RULES = ("stages", "route", "keys", "progress", "reroutes", "gaps", "contract", "nodes")


def data_folder():
    for path in (os.environ.get("NAV_DATA"), stack.ROOT / "../shared/data"):
        if path and (pathlib.Path(path) / "maps/porto.osm.pbf").exists():
            return pathlib.Path(path).resolve()
    print("skip: no maps/porto.osm.pbf in $NAV_DATA or ../shared/data: the trips of Porto are not driven")
    sys.exit(0)


def trips(data):
    """The last place of each trip."""
    ends = {}
    with open(data / "traces/porto-taxi.csv", newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            ends[row["trip"]] = float(row["lat"]), float(row["lon"])
    return ends


def stack_file(trip, end):
    """porto.yaml for another trip; beside the original, so that its paths hold."""
    text = PORTO.read_text(encoding="utf-8")
    text = re.sub(r'trip: ".*?"', f'trip: "{trip}"', text)
    text = re.sub(r"lat_deg: [-0-9.]+, lon_deg: [-0-9.]+", f"lat_deg: {end[0]}, lon_deg: {end[1]}", text)
    path = PORTO.with_name(f".porto-{trip}.yaml")
    path.write_text(text, encoding="utf-8")
    return path


def drive(trip, end, data):
    """What was seen of a trip, and the log of the stack."""
    file = stack_file(trip, end)
    try:
        with stack.Stack(f"porto-{trip}", file=file, name="porto", rate=stack.OPTIONS.rate,
                         environment={"NAV_DATA": str(data)}) as run:
            ear = stack.Ear(run)
            ear.wait(lambda record: record.arrivals or is_over(record), 240, run)
            record = ear.end()
    finally:
        file.unlink(missing_ok=True)
    return record, run.log


def is_over(record):
    """Whether the recording has ended: the clock goes on for a minute without a fix."""
    fixes = max(record.fixes.values(), key=len, default={})
    return bool(fixes) and record.newest - max(fixes) > 60e9


def main():
    stack.options(__doc__, rate=60.0, trips=20)
    results = stack.Results()
    data = data_folder()
    ends = trips(data)
    chosen = list(ends)[:: max(1, len(ends) // stack.OPTIONS.trips)][: stack.OPTIONS.trips]
    roads = Roads(str(data / "maps/porto.osm.pbf"))
    arrived = near = hits = maneuvers = unannounced = 0
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for trip, (record, log) in zip(chosen, pool.map(lambda trip: drive(trip, ends[trip], data), chosen)):
            found = stack.faults(record, only=RULES, roads=roads)
            by_name = {rule.name: rule.figures for rule in stack.judge(record, roads=roads)}
            figures, said = by_name["matched"], by_name["announced"]
            near, hits = near + figures.get("near", 0), hits + figures.get("matched", 0)
            maneuvers, unannounced = maneuvers + said["maneuvers"], unannounced + said["faults"]
            arrived += bool(record.arrivals)
            states = [event.state for event in record.reroutes]
            told = f"{figures.get('matched', 0)} of {figures.get('near', 0)} matched, {states.count('completed')} reroutes"
            told += ", arrived" if record.arrivals else ", did not arrive"
            results.add(not found, f"trip {trip}: {told}", found, log)
    wanted = round(0.9 * len(chosen))
    results.add(arrived >= wanted, f"{arrived} of {len(chosen)} trips arrive", f"{wanted} are wanted")
    share = hits / near if near else 0
    results.add(share >= 0.95, f"{share:.1%} of {near} fixes within 25 m of a car road are matched", "95 % are wanted")
    # No rule: with 200 m between fixes a turn may be behind before anything told of it.
    print(f"      {maneuvers - unannounced} of {maneuvers} maneuvers were announced in time")
    results.end()


if __name__ == "__main__":
    main()
