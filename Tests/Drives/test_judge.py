"""Tests the judge itself: a good drive passes, and each fault is found by its rule."""

import copy
import json
import pathlib
import sys
import unittest

import msgpack

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "Launch"), str(ROOT / "clients/python")]
import navstack  # noqa: E402
from judging.record import DriveRecord  # noqa: E402
from judging.rules import judge  # noqa: E402


def example(name):
    return json.loads((ROOT / f"Protocols/examples/{name}.json").read_text())


class Bus:
    """Messages with numbers, as (topic, header, payload) in bytes."""

    def __init__(self):
        self.messages, self.numbers = [], {}

    def publish(self, topic, source, second, payload, run=1, **header):
        key = topic, source, run
        self.numbers[key] = self.numbers.get(key, 0) + 1
        head = {"seq": self.numbers[key], "stamp": int(second * 1e9), "src": source, "run": run}
        name = navstack.declaration(topic)
        head |= {"schema": navstack.TOPICS[name]["schema"] if name else "x/1.0"} | header
        data = payload if isinstance(payload, bytes) else msgpack.packb(payload)
        self.messages.append([topic, msgpack.packb(head), data])


def turn(second, offset, action="turn"):
    maneuver = example("route_active")["route"]["maneuvers"][0]
    return maneuver | {"action": action, "offset_m": offset, "lat_deg": 47 + offset / 111195}


def route(identity, turns, way=4417):
    route = example("route_active")["route"]
    route |= {"id": identity, "maneuvers": turns}
    route["segments"] = route["segments"] | {"way": [way] * len(route["segments"]["way"])}
    return route


def drive(change=lambda name, second, payload: payload):
    """A minute with a jam, a better route, a wrong turn and an arrival; `change` may spoil it."""
    bus = Bus()

    def publish(name, source, second, payload, **header):
        payload = change(name, second, payload)
        if payload is not None:
            bus.publish(f"ego/{name}" if not name.startswith("_") else name, source, second, payload, **header)

    turns = [turn(0, 0, "depart"), turn(20, 300), turn(40, 600), turn(60, 900, "arrive")]
    active = {"paused": False}
    publish("route/active", "navigator", 1, active | {"reason": "new", "route": route("r-1", turns)})
    flow = {"feed": "f", "observed_ns": 0, "flow": {
        "way": [4417], "from": [1001], "to": [1002], "speed_mmps": [1000], "jam_factor": [90], "until_s": [0]}}
    publish("traffic/flow", "traffic", 5, flow, key="f")
    better = example("route_better") | {"gain_s": 100.0}
    publish("route/better", "poller", 10, better | {"state": "found"})
    publish("route/active", "navigator", 10, active | {"reason": "better", "route": route("r-2", turns), "replaces": "r-1"})
    said = example("voice_announcement")

    def announce(second, identity, index, kind):
        payload = said | {"key": f"{identity}/{index}/{kind}", "kind": kind, "route_id": identity,
                          "maneuver_index": index, "expected_duration_s": 2.0}
        publish("voice/announcement", "voice", second, payload)

    progress, maneuver = example("guidance_progress"), example("guidance_maneuver")
    for second in range(1, 61):
        publish("location/raw", "location", second, {"lat_deg": 47 + second * 1e-4, "lon_deg": 9.5, "time_ns": int(second * 1e9)})
        raw = {"lat_deg": 47 + second * 1e-4, "lon_deg": 9.5, "time_ns": int(second * 1e9)}
        matched = {"state": "matched", "distance_m": 3.0, "path": [], "raw": raw}
        publish("location/matched", "matcher", second, matched)
        identity = "r-1" if second < 10 else "r-2" if second < 30 else "r-3"
        publish("guidance/progress", "navigator", second, progress | {"route_id": identity, "remaining_m": 1000.0 - 15 * second})
        if second == 14:
            announce(14, "r-2", 1, "action")
        if second == 20:
            publish("guidance/maneuver", "navigator", 20, maneuver | {"route_id": "r-2", "event": "done", "index": 1, "action": "turn"})
            publish("guidance/maneuver", "navigator", 20, maneuver | {"route_id": "r-2", "event": "next", "index": 2, "action": "turn"})
        if second == 28:
            publish("guidance/deviation", "navigator", 28, example("guidance_deviation") | {"route_id": "r-2", "first": True})
            publish("guidance/reroute", "navigator", 28, {"state": "started"})
        if second == 30:
            publish("guidance/reroute", "navigator", 30, {"state": "completed"})
            publish("route/active", "navigator", 30, active | {"reason": "reroute", "route": route("r-3", turns), "replaces": "r-2"})
        if second == 34:
            announce(34, "r-3", 2, "action")
        if second == 40:
            publish("guidance/maneuver", "navigator", 40, maneuver | {"route_id": "r-3", "event": "done", "index": 2, "action": "turn"})
    publish("guidance/arrival", "navigator", 60, example("guidance_arrival") | {"route_id": "r-3"})
    for node in ("location", "matcher", "navigator", "voice", "traffic", "poller"):
        publish(f"_node/{node}/status", node, 60, {"node": node, "state": "ready", "run": 1})
    return bus.messages


class JudgeTests(unittest.TestCase):
    def broken(self, messages, **options):
        record = DriveRecord()
        for message in messages:
            record.take(*message)
        self.rules = {rule.name: rule for rule in judge(record, demo=True, **options)}
        return [name for name, rule in self.rules.items() if rule.ok is False]

    def test_a_good_drive_passes(self):
        self.assertEqual(self.broken(drive()), [], getattr(self, "rules", None))

    def test_an_empty_drive_fails(self):
        self.assertIn("stages", self.broken([]))
        self.assertIn("map matcher", self.rules["stages"].text)

    def check(self, rule, change, **options):
        self.assertEqual(self.broken(drive(change), **options), [rule], self.rules[rule].text)

    def test_a_silent_maneuver(self):
        self.check("announced", lambda n, s, p: None if n == "voice/announcement" and s == 14 else p)

    def test_a_late_announcement(self):
        late = {34: 39.5}
        messages = drive()
        for message in messages:
            header = msgpack.unpackb(message[1])
            if message[0].endswith("announcement") and header["stamp"] == 34_000_000_000:
                message[1] = msgpack.packb(header | {"stamp": int(late[34] * 1e9)})
            if message[0].endswith("guidance/maneuver") and header["stamp"] == 40_000_000_000:
                known = msgpack.unpackb(message[2]) | {"event": "next"}
                before = msgpack.packb(header | {"stamp": 30_000_000_000, "seq": header["seq"]})
                after = msgpack.packb(header | {"seq": header["seq"] + 1})
                messages.insert(messages.index(message), [message[0], before, msgpack.packb(known)])
                message[1] = after
                break
        self.assertEqual(self.broken(messages), ["announced"])
        self.assertIn("too late", self.rules["announced"].text)

    def test_said_twice(self):
        messages = drive()
        again = next(m for m in messages if m[0].endswith("announcement"))
        header = msgpack.unpackb(again[1])
        messages.append([again[0], msgpack.packb(header | {"seq": 3}), again[2]])
        self.assertEqual(self.broken(messages), ["announced", "keys"])

    def test_progress_that_goes_back(self):
        self.check("progress", lambda n, s, p: p | {"remaining_m": 990.0} if n == "guidance/progress" and s == 25 else p)

    def test_an_estimate_that_is_taken_back_is_no_fault(self):
        def estimate(name, second, payload):
            if name != "guidance/progress" or second not in (24, 25):
                return payload
            return payload | {"remaining_m": 100.0, "estimated": second == 24}

        def too_far(name, second, payload):
            is_it = name == "guidance/progress" and second == 24
            return payload | {"remaining_m": 100.0, "estimated": True} if is_it else payload

        self.assertEqual(self.broken(drive(too_far)), [])
        self.check("progress", estimate)

    def test_unmatched_fixes(self):
        lost = {"state": "no_match", "reason": "outlier"}
        self.check("matched", lambda n, s, p: p | lost if n == "location/matched" and s % 10 == 0 else p)

    def test_hasty_reroutes(self):
        messages = drive()
        self.assertEqual(self.broken(messages), [])
        started = next(m for m in messages if m[0] == "ego/guidance/reroute")
        header = msgpack.unpackb(started[1])
        place = messages.index(started) + 1
        failed = [started[0], msgpack.packb(header | {"seq": 2, "stamp": 29_000_000_000}), msgpack.packb({"state": "failed"})]
        again = [started[0], msgpack.packb(header | {"seq": 3, "stamp": 34_000_000_000}), started[2]]
        for message in messages[place:]:
            if message[0] == started[0]:
                message[1] = msgpack.packb(msgpack.unpackb(message[1]) | {"seq": 4})
        messages[place:place] = [failed, again]
        self.assertEqual(self.broken(messages), ["reroutes"])
        self.assertIn("10 s wanted", self.rules["reroutes"].text)

    def test_gaps(self):
        messages = [m for m in drive() if m[0] != "ego/location/matched" or msgpack.unpackb(m[1])["seq"] != 30]
        self.assertEqual(self.broken(messages), ["gaps"])
        status = {"node": "navigator", "state": "ready", "run": 1, "subscriptions": {"location/matched": {"lost": 1}}}
        bus = Bus()
        bus.numbers["_node/navigator/status", "navigator", 1] = 1
        bus.publish("_node/navigator/status", "navigator", 61, status)
        self.assertEqual(self.broken(messages + bus.messages), [])

    def test_a_broken_contract(self):
        self.check("contract", lambda n, s, p: {"state": 7} if n == "guidance/reroute" and s == 99 else
                   b"\xc1" if n == "location/matched" and s == 50 else p)

    def test_strangers_may_send_what_they_like(self):
        bus = Bus()
        for payload in (b"", b"\xc1", msgpack.packb(17), msgpack.packb({"lat_deg": "x"})):
            bus.publish("ego/location/raw", "stranger", 5, payload)
        bus.publish("ego/guidance/arrival", "stranger", 5, example("guidance_arrival"), schema="guidance_arrival/2.0")
        junk = [["ego/x", b"\xff", b""], [b"\xff\xfe", b"", b""], ["", msgpack.packb({}), b""]]
        self.assertEqual(self.broken(drive() + bus.messages + junk), [])

    def test_restarts(self):
        messages = drive()
        bus = Bus()
        bus.publish("_node/voice/status", "voice", 61, {"node": "voice", "state": "ready", "run": 2}, run=2)
        self.assertEqual(self.broken(messages + bus.messages), ["nodes"])
        self.assertEqual(self.broken(messages + bus.messages, restarts=True), [])

    def test_what_only_the_demo_has(self):
        without = {
            "jam": lambda n, s, p: p | {"flow": {k: [] for k in p["flow"]}} if n == "traffic/flow" else p,
            "better": lambda n, s, p: p | {"reason": "refresh"} if n == "route/active" and s == 10 else p,
            "deviation": lambda n, s, p: p | {"first": False} if n == "guidance/deviation" else p,
            "reroute": lambda n, s, p: p | {"reason": "refresh"} if n == "route/active" and s == 30 else p,
            "arrival": lambda n, s, p: p | {"event": "off_road_destination_reached"} if n == "guidance/arrival" else p,
        }
        for rule, change in without.items():
            with self.subTest(rule):
                self.check(rule, change)


if __name__ == "__main__":
    unittest.main()
