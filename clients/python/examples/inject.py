"""Publishes the fixes of a CSV (columns time_s, lat_deg, lon_deg) at their pace: python inject.py FILE."""

import csv
import sys
import time

import navstack

with navstack.Bus(name="inject") as bus, open(sys.argv[1], newline="", encoding="utf-8") as file:
    begin, first = time.time_ns(), None
    for row in csv.DictReader(file):
        second = float(row["time_s"])
        first = second if first is None else first
        stamp = begin + int((second - first) * 1e9)
        time.sleep(max(0, (stamp - time.time_ns()) / 1e9))
        fix = {"lat_deg": float(row["lat_deg"]), "lon_deg": float(row["lon_deg"])}
        bus.publish("ego/location/raw", fix | {"time_ns": stamp, "provider": "inject"}, stamp)
