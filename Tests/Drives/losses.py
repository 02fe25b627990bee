"""Restarts the matcher of a fleet: `lost` in its status is the number of fixes without a match, in one log line.

    losses.py                    500 vehicles at 2 Hz, a kill and an orderly restart
    losses.py --vehicles 5000 --rate-hz 1
"""

import os
import re
import signal
import threading
import time

import msgpack
import zmq

import stack  # first: it tells where ours are
import navstack

FLEET = stack.ROOT / "Launch/fleet.yaml"


class Watch(threading.Thread):
    """Follows the fixes of a fleet and their matches; a fix is open until its match comes."""

    def __init__(self, base):
        super().__init__(daemon=True)
        self.open, self.count, self.goes_on, self.lock = {}, 0, True, threading.Lock()
        self.matcher = None
        self.socket = zmq.Context.instance().socket(zmq.SUB)
        self.socket.setsockopt(zmq.RCVHWM, 0)
        self.socket.setsockopt(zmq.LINGER, 0)
        for prefix in (b"car", b"_node/matcher/status"):
            self.socket.subscribe(prefix)
        self.socket.connect(base + "/out")
        self.start()

    def run(self):
        while self.goes_on:
            if not self.socket.poll(100):
                continue
            topic, header, payload = self.socket.recv_multipart()
            if topic.startswith(b"_node/"):
                self.matcher = msgpack.unpackb(payload)
                continue
            vehicle, leaf = topic.split(b"/", 1)
            if leaf not in (b"location/raw", b"location/matched"):
                continue
            header = msgpack.unpackb(header)
            with self.lock:
                if leaf == b"location/raw":
                    self.open[vehicle, header["seq"]] = time.monotonic()
                    self.count += 1
                elif header.get("cause", [""])[0] == "location/raw":
                    self.open.pop((vehicle, header["cause"][3]), None)

    def unmatched(self, since):
        """The fixes since a moment that have no match and are older than 2 s."""
        now = time.monotonic()
        with self.lock:
            return sum(since < moment < now - 2 for moment in self.open.values())

    def unused(self):
        """The fixes that the present process of the matcher has refused or not used."""
        counts = {**self.matcher.get("counters", {}), **self.matcher.get("refusals", {})}
        return sum(count for name, count in counts.items()
                   if name.startswith("location/raw ") and not name.endswith(("_left_out", "_not_believed")))


def test_lost_is_the_number_of_fixes_without_a_match__BUS_4__BUS_6(results, fleet, watch, name, act):
    """Restarts the matcher with `act`, and compares what it counts with what was not matched."""
    old, since, lines = watch.matcher["pid"], time.monotonic(), len(fleet.output.splitlines())
    act(old)
    stack.eventually(lambda: watch.matcher["pid"] != old, 20)
    lost = []

    def is_settled():
        lost.append(watch.matcher.get("subscriptions", {}).get("location/raw", {}).get("lost", 0))
        return watch.matcher["pid"] != old and len(lost) > 6 and lost[-1] > 0 and len(set(lost[-6:])) == 1

    deadline = time.monotonic() + 30
    while not is_settled() and time.monotonic() < deadline:
        time.sleep(0.5)
    missing, counted = watch.unmatched(since), lost[-1] + watch.unused()
    results.add(missing > 0 and abs(counted - missing) <= max(2, 0.01 * missing),
                f"{name}: `lost` is the number of fixes without a match, within 1 %",
                f"{missing} without a match, {lost[-1]} lost, {watch.unused()} not used")
    reports = [line for line in fleet.output.splitlines()[lines:] if re.search(r"location/raw: \d+ messages .*lost", line)]
    results.add(len(reports) == 1, f"{name}: one line of the log reports the losses", "; ".join(reports) or "none")
    print(f"   {missing} fixes without a match, {lost[-1]} counted as lost")


def main():
    options = stack.options(__doc__, vehicles=500, rate_hz=2.0)
    results = stack.Results()
    values = {"vehicles": options.vehicles, "rate_hz": options.rate_hz, "guided": 0, "stop_s": 0}
    settings = [word for name, value in values.items() for word in ("--set", f"simulator.{name}={value}")]
    with stack.Stack("losses", *settings, file=FLEET, name="fleet", rate=None, port=None) as fleet:
        stack.eventually(lambda: "all ready" in fleet.output, 60)
        watch = Watch(fleet.base)
        joined = stack.eventually(lambda: (watch.matcher or {}).get("vehicles", 0) >= options.vehicles, 60)
        results.add(joined, f"{options.vehicles} vehicles drive", str((watch.matcher or {}).get("vehicles")))
        if joined:
            time.sleep(2)
            test_lost_is_the_number_of_fixes_without_a_match__BUS_4__BUS_6(
                results, fleet, watch, "after a kill", lambda pid: os.kill(pid, signal.SIGKILL))
            test_lost_is_the_number_of_fixes_without_a_match__BUS_4__BUS_6(
                results, fleet, watch, "after a restart",
                    lambda _: navstack.call(fleet.base, "stack/restart", {"node": "matcher"}, timeout_s=20))
        watch.goes_on = False
        if not results.failed:
            fleet.log.unlink(missing_ok=True)
    results.end()


if __name__ == "__main__":
    main()
