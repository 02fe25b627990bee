"""Feeds the fixes of a CSV to a stack: python inject.py BASE FILE; docs/guides/injecting.md lists the columns."""
import csv
import datetime
import sys
import time

import navstack

# Fields of location/raw, and the columns that fill them: the usual name first, then others.
COLUMNS = {"lat_deg": ("lat", "lat_deg"), "lon_deg": ("lon", "lon_deg"), "speed_mps": ("speed_mps",),
           "bearing_deg": ("bearing_deg",), "accuracy_m": ("accuracy_m",), "altitude_m": ("altitude_m",)}


def seconds(text):
    """Seconds of a time: a number, or ISO 8601 (UTC where it names no zone)."""
    try:
        return float(text)
    except ValueError:
        moment = datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))
        return moment.replace(tzinfo=moment.tzinfo or datetime.timezone.utc).timestamp()


def fixes(path):
    """Yields (vehicle, second, fix) of each row; without a column `vehicle` all are of `ego`."""
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            fix = {field: float(row[name]) for field, names in COLUMNS.items() for name in names if row.get(name)}
            yield row.get("vehicle") or "ego", seconds(row.get("time") or row["time_s"]), fix


if __name__ == "__main__":
    base, path = sys.argv[1:3]
    with navstack.Bus(base, name="inject") as bus:
        begin, first = time.time_ns(), None
        for vehicle, second, fix in sorted(fixes(path), key=lambda row: row[1]):
            first = second if first is None else first
            stamp = begin + int((second - first) * 1e9)
            time.sleep(max(0, (stamp - time.time_ns()) / 1e9))
            bus.publish(f"{vehicle}/location/raw", fix | {"time_ns": stamp, "provider": "inject"}, stamp)
