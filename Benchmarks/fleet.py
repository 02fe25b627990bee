#!/usr/bin/env python3
"""How many vehicles one stack carries at one fix a second: CPU, memory, losses, delays (P12 of docs/benchmarks.md).

    fleet.py                        20,000 vehicles of Launch/fleet.yaml, none of them led
    fleet.py --vehicles 5000 --guided 0.1
    fleet.py --find                 the largest number that the stack keeps up with
    NAV_DATA=/path/to/data fleet.py --porto

Starts the stack with navlaunch, waits until 995 of 1,000 vehicles are known to the matcher (the last ones took a minute), then reads /proc of each process
and the nodes' status before and after the window. A reader in this process hears every hundredth
vehicle; what it costs itself is not counted. A stack keeps up where nothing is lost, no queue grows, and
99 of 100 answers to a fix come within a second. On a machine that others use, trust the CPU
microseconds of a vehicle's second more than whether it kept up.
Needs pyzmq and msgpack (.cache/python has them) and smaps_rollup (Linux 4.14).
"""

import argparse
import json
import os
import pathlib
import sys
import time

import msgpack
import zmq

import stack  # beside this file

FLEET = stack.ROOT / "Launch/fleet.yaml"
OUTPUTS = ("location/matched", "guidance/progress")


class Fleet(stack.Stack):
    """A fleet under a launcher of its own."""

    def __init__(self, options, vehicles):
        settings = [f"simulator.vehicles={vehicles}", f"simulator.guided={options.guided}",
                    f"simulator.joins_per_s={options.joins}", *options.set]
        super().__init__("fleet", options.programs, settings=settings, file=options.file)


class Ear:
    """Delays of some vehicles' answers, by the senders' wall clock, and the last status of each node."""

    def __init__(self, base, prefixes):
        self.sent, self.fix_of, self.delays = {}, {}, {leaf: [] for leaf in OUTPUTS}
        self.status, self.told, self.measures = {}, {}, False
        self.socket = zmq.Context.instance().socket(zmq.SUB)
        self.socket.setsockopt(zmq.RCVHWM, 0)
        self.socket.setsockopt(zmq.LINGER, 0)
        for prefix in (*prefixes, "_node/"):
            self.socket.subscribe(prefix.encode())
        self.socket.connect(stack.navstack.endpoints(base)[1])

    def listen(self, condition, seconds):
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            if self.socket.poll(100):
                topic, header, payload = self.socket.recv_multipart()
                self.take(topic.decode(), msgpack.unpackb(header), payload)
            if condition():
                return True
        return condition()

    def take(self, topic, header, payload):
        if topic.startswith("_node/"):
            node = topic.split("/")[1]
            self.status[node], self.told[node] = msgpack.unpackb(payload), header["wall"] / 1e9
            return
        vehicle, leaf = topic.split("/", 1)
        if leaf not in (*OUTPUTS, "location/raw") or header.get("latched"):
            return
        identity = (vehicle, leaf, header["src"], header["run"], header["seq"])
        cause = (vehicle, *header["cause"]) if header.get("cause") else None
        if leaf == "location/raw":
            self.sent[identity] = header["wall"]
            return
        fix = cause if leaf == "location/matched" else self.fix_of.get(cause)
        if fix not in self.sent:
            return
        self.fix_of[identity] = fix
        if self.measures:
            self.delays[leaf].append((header["wall"] - self.sent[fix]) / 1e6)

    def losses(self):
        return sum(one.get("lost", 0) + one.get("queue_drops", 0) for status in self.status.values()
                   for one in status.get("subscriptions", {}).values())

    def queue(self):
        return max((status.get("queue", 0) for status in self.status.values()), default=0)


def measure(options, vehicles):
    fleet = Fleet(options, vehicles)
    try:
        fleet.wait(300)
        step = max(1, vehicles // 100)
        ear = Ear(fleet.base, [f"car{number:05d}/" for number in range(step, vehicles + 1, step)])
        began = time.monotonic()
        joined = ear.listen(
            lambda: ear.status.get("matcher", {}).get("vehicles", 0) >= 0.995 * vehicles,
            120 + 3 * vehicles / options.joins)
        joined_s = time.monotonic() - began
        ear.listen(lambda: False, options.settle)
        names = fleet.processes()
        before, lost, begun = {pid: stack.cpu_s(pid) for pid in names}, ear.losses(), time.monotonic()
        counted = counts(ear)
        ear.measures = True
        ear.listen(lambda: False, options.window)
        after, elapsed = {pid: stack.cpu_s(pid) for pid in names}, time.monotonic() - begun
        # A status is up to a second old: each rate is that between its own two.
        fixes, matches = (elapsed * (now[0] - then[0]) / max(1e-9, now[1] - then[1])
                          for now, then in zip(counts(ear), counted))
        rows = []
        for pid, name in sorted(names.items()):
            spent = after[pid] - before[pid]
            rows.append({"program": name, "cpu_percent": round(100 * spent / elapsed, 1),
                         "us_per_fix": round(1e6 * spent / max(1, min(fixes, matches)), 2),
                         "private_mib": round(stack.memory_mib(pid)[0], 1)})
        total = {key: round(sum(row[key] for row in rows), 2) for key in rows[0] if key != "program"}
        matched, progress = (stack.percentiles(ear.delays[leaf]) for leaf in OUTPUTS)
        slowest = max((one["p99"] for one in (matched, progress) if one), default=0)
        keeps_up = (joined and ear.losses() == lost == 0 and ear.queue() < max(1_000, vehicles)
                    and slowest < 1_000 and min(fixes, matches) > 0.97 * vehicles * elapsed)
        return {"vehicles": vehicles, "guided": options.guided, "load": os.getloadavg()[0],
                "joined_s": round(joined_s, 1), "window_s": round(elapsed, 1),
                "fixes_per_s": round(fixes / elapsed), "matches_per_s": round(matches / elapsed), "lost": ear.losses(), "queue": ear.queue(),
                "fix_to_matched_ms": matched, "fix_to_progress_ms": progress, "keeps_up": keeps_up,
                "two_cores_carry": round(2e6 / total["us_per_fix"]) if total["us_per_fix"] else None,
                "processes": rows, "all": total, "status": ear.status if options.verbose else None}
    finally:
        fleet.stop()


def counts(ear):
    """Fixes given and fixes answered, by the last statuses, and when these were given, in seconds."""
    return [(ear.status.get(node, {}).get("publications", {}).get(topic, {}).get("sent", 0), ear.told.get(node, 0))
            for node, topic in (("simulator", "location/raw"), ("matcher", "location/matched"))]


def show(report):
    print(f"{report['vehicles']} vehicles, {report['guided']:.0%} led, load {report['load']:.1f}: all there after "
          f"{report['joined_s']} s; {report['fixes_per_s']} fixes/s, {report['matches_per_s']} matched/s, lost {report['lost']}, longest queue "
          f"{report['queue']}; {'keeps up' if report['keeps_up'] else 'does not keep up'}")
    print(f"{'program':24}{'CPU %':>8}{'us a fix':>10}{'private MiB':>13}")
    for row in report["processes"] + [{"program": "all", **report["all"]}]:
        print(f"{row['program']:24}{row['cpu_percent']:8.1f}{row['us_per_fix']:10.2f}{row['private_mib']:13.1f}")
    print(f"fix to matched, ms: {report['fix_to_matched_ms']}; fix to progress, ms: {report['fix_to_progress_ms']}")
    print(f"by CPU, two cores carry {report['two_cores_carry']} vehicles at 1 Hz", flush=True)


def find(options):
    """Doubles until the stack does not keep up, then halves the interval until it is a tenth wide."""
    good, bad, reports = 0, None, []
    vehicles = options.vehicles
    while bad is None or bad - good > max(500, good // 10):
        report = measure(options, vehicles)
        reports.append(report)
        show(report)
        if report["keeps_up"]:
            good = vehicles
        else:
            bad = vehicles
        if bad is None and vehicles >= 50_000:
            break
        vehicles = min(50_000, 2 * good) if bad is None else (good + bad) // 2
    print(f"the largest number that kept up: {good}")
    return reports


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--programs", type=pathlib.Path, default=stack.ROOT / ".build/release")
    parser.add_argument("--vehicles", type=int, default=20_000)
    parser.add_argument("--guided", type=float, default=0.0, help="share of the vehicles that are led")
    parser.add_argument("--joins", type=float, default=1_000, help="vehicles that come in a second")
    parser.add_argument("--find", action="store_true", help="look for the largest number from --vehicles on")
    parser.add_argument("--porto", action="store_true", help="the map of Porto in place of the demo town")
    parser.add_argument("--file", type=pathlib.Path, default=FLEET, help="another stack file")
    parser.add_argument("--set", action="append", default=[], help="as with navlaunch, again and again")
    parser.add_argument("--window", type=float, default=30, help="seconds to measure")
    parser.add_argument("--settle", type=float, default=10, help="seconds before that")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--verbose", action="store_true", help="with the nodes' last status, in JSON")
    options = parser.parse_args()
    options.programs = options.programs.resolve()
    if options.porto:
        data = os.environ.get("NAV_DATA", str(stack.ROOT / "../shared/data"))
        text = FLEET.read_text(encoding="utf-8").replace("../.cache/town.osm", f"{data}/maps/porto.osm.pbf")
        options.file = stack.ROOT / ".cache/fleet-porto.yaml"
        options.file.write_text(text, encoding="utf-8")
    reports = find(options) if options.find else [measure(options, options.vehicles)]
    if options.json:
        print(json.dumps(reports, indent=1))
    elif not options.find:
        show(reports[0])
    sys.exit(0)


if __name__ == "__main__":
    main()
