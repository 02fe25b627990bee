"""Injects the fixes of thousands of vehicles and reads their roads: python inject_fleet.py BASE FILE [VEHICLES [SECONDS]].

All vehicles drive the first trip of FILE, and their fixes are spread evenly over each second. Your service puts its own
fixes in their place.
"""
import os, sys, threading, time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), ".."))
import inject
import navstack

base, path = sys.argv[1:3]
count, duration = (int(word) for word in (sys.argv[3:5] + ["2000", "60"][len(sys.argv) - 3:]))
rows = list(inject.fixes(path))
trip = [(second - rows[0][1], fix) for vehicle, second, fix in rows if vehicle == rows[0][0]]
names = [f"van{number:05}" for number in range(count)]
roads, matched = {}, 0


def read():
    """Keeps the last road of each vehicle."""
    global matched
    for topic, header, payload in navstack.subscribe(base, *(f"{name}/location/matched" for name in names), check=False,
                                                     timeout_s=3):
        if payload["state"] == "matched" and not payload["estimated"]:
            matched += 1
            roads[topic.split("/")[0]] = payload["segment"]["way"]


reader = threading.Thread(target=read)
reader.start()
time.sleep(1)  # until the subscriptions are in place; fixes that come earlier are matched, but not read here
sent, begin = 0, time.time_ns()
with navstack.Publisher(base, source="fleet-service") as publisher:
    for second, fix in trip:
        if second > duration:
            break
        for number, name in enumerate(names):
            stamp = begin + int((second + number / count) * 1e9)
            time.sleep(max(0, (stamp - time.time_ns()) / 1e9))
            publisher.publish(f"{name}/location/raw", fix | {"time_ns": stamp, "provider": "fleet-service"}, stamp)
            sent += 1
took = (time.time_ns() - begin) / 1e9
reader.join()
print(f"{sent} fixes of {count} vehicles in {took:.0f} s, {matched} matched; {names[-1]} is on way {roads.get(names[-1])}")
