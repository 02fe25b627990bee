#!/usr/bin/env python3
"""Swaps and scales the matcher of a fleet again and again, and counts what is lost and how long vehicles wait.

    handover.py                                   20,000 vehicles at 1 Hz: ten swaps, ten times 1, 2, 1 replicas
    handover.py --vehicles 5000 --times 3 --busy 2

Starts Launch/fleet.yaml with `replicas: 1` for the matcher and so many busy processes beside it. A reader in
this process follows about a thousand of the vehicles: each fix must have its match, and the longest time from a fix
to its match is reported for an idle phase and for the orders. Exits with 1 where an order failed, a fix has no
match, a process was restarted, or the memory afterwards is more than a tenth above that before.
Needs pyzmq and msgpack (.cache/python has them) and smaps_rollup (Linux 4.14).
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import threading
import time

import msgpack
import zmq

import stack  # beside this file

FLEET = stack.ROOT / "Launch/fleet.yaml"
LEAVES = (b"/location/raw", b"/location/matched")


class Watch(threading.Thread):
    """Follows some vehicles: which fixes have no match, and how long each fix waited for its own."""

    def __init__(self, base, prefixes):
        super().__init__(daemon=True)
        self.fixes, self.longest, self.answers, self.goes_on = {}, 0.0, 0, True
        self.doubled, self.lock = 0, threading.Lock()
        self.answered = set()
        self.socket = zmq.Context.instance().socket(zmq.SUB)
        self.socket.setsockopt(zmq.RCVHWM, 0)
        self.socket.setsockopt(zmq.LINGER, 0)
        for prefix in prefixes:
            for leaf in LEAVES:
                self.socket.subscribe(prefix.encode() + leaf)
        self.socket.connect(stack.navstack.endpoints(base)[1])
        self.start()

    def run(self):
        while self.goes_on:
            if not self.socket.poll(100):
                continue
            topic, header, payload = self.socket.recv_multipart()
            vehicle, leaf = topic.split(b"/", 1)
            header, now = msgpack.unpackb(header), time.monotonic()
            with self.lock:
                if leaf == b"location/raw":
                    self.fixes[vehicle, header["src"], header["run"], header["seq"]] = now
                elif not header.get("latched") and not msgpack.unpackb(payload).get("estimated"):
                    self.match(vehicle, tuple(header["cause"][1:]), now)

    def match(self, vehicle, cause, now):
        self.answers += 1
        identity = (vehicle, *cause)
        self.doubled += identity in self.answered
        self.answered.add(identity)
        self.longest = max(self.longest, now - self.fixes.pop(identity, now))

    def take_longest(self):
        """The longest time from a fix to its match since this was last asked, in seconds."""
        with self.lock:
            longest, self.longest = self.longest, 0.0
            return longest

    def unanswered(self, older_than_s):
        with self.lock:
            now = time.monotonic()
            return sum(now - moment > older_than_s for moment in self.fixes.values())


def call(base, name, request, seconds=900):
    begun = time.monotonic()
    try:
        return stack.navstack.call(base, name, request, timeout_s=seconds), None, time.monotonic() - begun
    except stack.navstack.CallError as error:
        return None, str(error), time.monotonic() - begun


def processes(base):
    return stack.navstack.call(base, "stack/nodes", {}, timeout_s=20)["processes"]


def matchers(base):
    return [process for process in processes(base) if process["node"] == "matcher" and process["role"] == "member"]


def memory_mib(base):
    return sum(stack.memory_mib(process["pid"])[0] for process in matchers(base))


def wait(condition, seconds):
    deadline = time.monotonic() + seconds
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.5)
    return condition()


def stack_file(options):
    text = options.file.read_text(encoding="utf-8")
    changed = text.replace("    run: nav-map-matcher\n", "    run: nav-map-matcher\n    replicas: 1\n    shard: vehicle\n")
    path = stack.ROOT / ".cache/fleet-replicas.yaml"
    path.write_text(changed.replace("../.cache/", str(stack.ROOT / ".cache") + "/"), encoding="utf-8")
    return path


def vehicles_known(base):
    for name in (process["name"] for process in matchers(base)):
        for _, _, status in stack.navstack.subscribe(base, f"_node/{name}/status", timeout_s=3, check=False):
            return status.get("vehicles", 0)
    return 0


def measure(options):
    settings = [f"simulator.vehicles={options.vehicles}", "simulator.guided=0", f"simulator.rate_hz={options.rate_hz}",
                "simulator.stop_s=0", f"simulator.joins_per_s={options.joins}", *options.set]
    fleet = stack.Stack("fleet", options.programs, settings=settings, file=stack_file(options))
    busy = [subprocess.Popen(["sh", "-c", "while :; do :; done"]) for _ in range(options.busy)]
    try:
        fleet.wait(300)
        step = max(1, options.vehicles // 1000)
        watch = Watch(fleet.base, [f"car{number:05d}" for number in range(step, options.vehicles + 1, step)])
        joined = wait(lambda: vehicles_known(fleet.base) >= 0.995 * options.vehicles, 120 + 5 * options.vehicles / options.joins)
        time.sleep(options.settle)
        watch.take_longest()
        time.sleep(options.idle)
        idle_s, before = watch.take_longest(), memory_mib(fleet.base)
        orders = []
        for number in range(options.times):
            orders.append(order(fleet, watch, f"swap {number + 1}", "stack/swap", {
                "node": "matcher", "run": str(options.programs / "nav-map-matcher"), "args": [], "params": {}}))
        for number in range(options.times):
            for count in (2, 1):
                orders.append(order(fleet, watch, f"scale {number + 1} to {count}", "stack/scale",
                                    {"node": "matcher", "replicas": count}))
        time.sleep(options.settle)
        watch.take_longest()
        time.sleep(options.idle)
        after, missing = memory_mib(fleet.base), watch.unanswered(options.settle)
        report = {
            "vehicles": options.vehicles, "rate_hz": options.rate_hz, "busy": options.busy, "load": os.getloadavg()[0],
            "joined": joined, "orders": orders, "failed": sum(not one["done"] for one in orders), "matches": watch.answers,
            "unanswered": missing, "doubled": watch.doubled, "idle_wait_s": round(idle_s, 2),
            "idle_wait_afterwards_s": round(watch.take_longest(), 2),
            "longest_wait_s": max((one["wait_s"] for one in orders), default=0),
            "memory_mib": [round(before), round(after)],
            "restarts": sum(process["restarts"] for process in processes(fleet.base)),
            "lost": sum(process["lost"] for process in processes(fleet.base))}
        watch.goes_on = False
        return report
    finally:
        for process in busy:
            process.kill()
        fleet.stop()


def order(fleet, watch, name, call_name, request):
    reply, error, seconds = call(fleet.base, call_name, request)
    one = {"order": name, "done": error is None, "seconds": round(seconds, 1), "wait_s": round(watch.take_longest(), 2),
           "error": error}
    if reply and "handovers" in reply and isinstance(reply["handovers"], list):
        one |= {"held_ms": round(max(handover["held_ms"] for handover in reply["handovers"])),
                "bytes": sum(handover["state_bytes"] for handover in reply["handovers"])}
    elif reply:
        one |= {"held_ms": round(reply["held_ms"]), "parts": reply["handovers"], "slots": reply["slots_moved"]}
    print(", ".join(f"{key} {value}" for key, value in one.items() if value is not None), flush=True)
    return one


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--programs", type=pathlib.Path, default=stack.ROOT / ".build/release")
    parser.add_argument("--vehicles", type=int, default=20_000)
    parser.add_argument("--rate-hz", type=float, default=1.0, help="fixes of each vehicle a second")
    parser.add_argument("--times", type=int, default=10, help="how many swaps, and how often 1, 2, 1 replicas")
    parser.add_argument("--busy", type=int, default=2, help="busy processes beside the stack")
    parser.add_argument("--joins", type=float, default=1_000, help="vehicles that come in a second")
    parser.add_argument("--file", type=pathlib.Path, default=FLEET, help="another stack file")
    parser.add_argument("--set", action="append", default=[], help="as with navlaunch, again and again")
    parser.add_argument("--settle", type=float, default=10, help="seconds before and after the orders")
    parser.add_argument("--idle", type=float, default=10, help="seconds to measure without an order")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    options.programs = options.programs.resolve()
    report = measure(options)
    if options.json:
        print(json.dumps(report, indent=1))
    else:
        print("; ".join(f"{key} {value}" for key, value in report.items() if key != "orders"))
    before, after = report["memory_mib"]
    is_good = not (report["failed"] or report["unanswered"] or report["doubled"] or report["restarts"] or after > 1.1 * before)
    sys.exit(0 if is_good else 1)


if __name__ == "__main__":
    main()
