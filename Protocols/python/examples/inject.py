"""Feeds fixes from a CSV (time_s,lat_deg,lon_deg with a head line): python inject.py BASE FILE."""
import csv, os, sys, time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
import navstack

base, path = sys.argv[1:3]
with navstack.Publisher(base, source="inject") as publisher, open(path, newline="") as file:
    begin, first = time.time_ns(), None
    for row in csv.DictReader(file):
        second = float(row["time_s"])
        first = second if first is None else first
        stamp = begin + int((second - first) * 1e9)
        time.sleep(max(0, (stamp - time.time_ns()) / 1e9))
        fix = {"lat_deg": float(row["lat_deg"]), "lon_deg": float(row["lon_deg"])}
        publisher.publish("ego/location/raw", fix | {"time_ns": stamp, "provider": "inject"}, stamp)
