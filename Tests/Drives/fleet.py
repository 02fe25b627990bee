"""A fleet in one stack: hundreds of vehicles through the same processes, listened to from outside.

All are matched, each vehicle's messages come in their order and without loss, none sees what is
another's, and those that are led make progress. The vehicles drive in real time.
"""

import collections
import time

import msgpack
import zmq

import stack  # first: it tells where ours are
import navstack

FLEET = stack.ROOT / "Launch/fleet.yaml"


class Listener:
    """Everything that is said of any vehicle, checked as it comes."""

    def __init__(self):
        self.last_seq, self.last_stamp = {}, {}
        self.lost = self.disorder = self.strange = 0
        self.example = ""
        self.fixes = {}  # (vehicle, src, run, seq) of a fix: its place
        self.matched, self.unmatched, self.estimated = (collections.Counter() for _ in range(3))
        self.progress = collections.defaultdict(list)
        self.nodes = {}

    def take(self, topic, header, payload):
        if topic.startswith("_node/"):
            self.nodes[topic.split("/")[1]] = msgpack.unpackb(payload)
            return
        if topic.startswith("_") or not payload:
            return
        vehicle, leaf = topic.split("/", 1)
        if not self._follows(topic, header):
            return
        self._is_in_order(topic, header)
        if leaf == "location/raw":
            fix = msgpack.unpackb(payload)
            self.fixes[vehicle, header["src"], header["run"], header["seq"]] = (fix["lat_deg"], fix["lon_deg"])
        elif leaf == "location/matched":
            self._match(vehicle, header, msgpack.unpackb(payload))
        elif leaf == "guidance/progress":
            self.progress[vehicle].append(msgpack.unpackb(payload))

    def _follows(self, topic, header):
        """Whether the message is a new one; counts what is missing before it."""
        writer = topic, header["src"], header["run"]
        last = self.last_seq.get(writer)
        if last is not None and header["seq"] <= last:
            return False
        if last is not None and header["seq"] != last + 1:
            self.lost += header["seq"] - last - 1
            self.example = self.example or f"{topic}: {last} then {header['seq']}"
        self.last_seq[writer] = header["seq"]
        return True

    def _is_in_order(self, topic, header):
        if header["stamp"] < self.last_stamp.get(topic, 0):
            self.disorder += 1
            self.example = self.example or f"{topic}: {header['stamp']} after {self.last_stamp[topic]}"
        self.last_stamp[topic] = header["stamp"]

    def _match(self, vehicle, header, match):
        if match["estimated"]:
            # Said where a fix is late; answers none.
            self.estimated[vehicle] += 1
            return
        (self.matched if match["state"] == "matched" else self.unmatched)[vehicle] += 1
        _, source, run, sequence = header["cause"]
        own = self.fixes.get((vehicle, source, run, sequence))
        raw = match["raw"]["lat_deg"], match["raw"]["lon_deg"]
        if own is not None and own != raw:
            self.strange += 1
            self.example = self.example or f"{vehicle}: matched {raw}, its fix was {own}"


def listen(base, listener, condition, seconds, launcher):
    """Takes in all that is said until `condition()` holds, the time is over or the stack has ended."""
    with zmq.Context.instance().socket(zmq.SUB) as socket:
        socket.setsockopt(zmq.RCVHWM, 0)
        socket.setsockopt(zmq.LINGER, 0)
        socket.subscribe(b"")
        socket.connect(navstack.endpoints(base)[1])
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline and launcher.poll() is None:
            if socket.poll(200):
                topic, header, payload = socket.recv_multipart()
                listener.take(topic.decode(), msgpack.unpackb(header), payload)
            if condition():
                return True
    return condition()


def main():
    options = stack.options(__doc__, vehicles=500, seconds=20.0, guided=0.2)
    results, listener = stack.Results(), Listener()
    led = int(options.vehicles * options.guided)
    fixes = int(options.seconds)
    settings = ("--set", f"simulator.vehicles={options.vehicles}", "--set", f"simulator.guided={options.guided}",
                "--set", "simulator.stop_s=0")

    def is_done():
        return (len(listener.matched) == options.vehicles
                and min(listener.matched.values()) >= fixes
                and len([values for values in listener.progress.values() if len(values) >= fixes // 4]) >= 0.8 * led)

    with stack.Stack("fleet", *settings, file=FLEET, name="fleet", rate=None, port=None) as fleet:
        done = listen(fleet.base, listener, is_done, 60 + 6 * options.seconds, fleet.process)
        log = fleet.log
        least = min(listener.matched.values(), default=0)
        results.add(
            len(listener.matched) == options.vehicles and least >= fixes,
            f"each of {options.vehicles} vehicles is matched {fixes} times",
            f"{len(listener.matched)} vehicles, the least {least} times", log)
        share = sum(listener.matched.values()) / max(1, sum(listener.matched.values()) + sum(listener.unmatched.values()))
        results.add(share > 0.98, "nearly all fixes lie on a road", f"{share:.4f} of them", log)
        results.add(listener.lost == 0, "nothing is lost on the way out", f"{listener.lost}: {listener.example}", log)
        results.add(listener.disorder == 0, "each vehicle's messages come in their order",
                    f"{listener.disorder}: {listener.example}", log)
        results.add(listener.strange == 0, "no vehicle sees another's fixes",
                    f"{listener.strange}: {listener.example}", log)
        active = {vehicle: values for vehicle, values in listener.progress.items() if len(values) >= fixes // 4}
        ahead = [vehicle for vehicle, values in active.items()
                 if values[-1]["travelled_m"] > values[0]["travelled_m"]
                 or len({value["route_id"] for value in values}) > 1]
        results.add(len(ahead) >= 0.75 * led, f"those of the {led} led make progress",
                    f"{len(active)} were told of it, {len(ahead)} came forward", log)
        ours = {name: listener.nodes.get(name, {}) for name in ("matcher", "navigator")}
        for name, status in ours.items():
            losses = {topic: one for topic, one in status.get("subscriptions", {}).items()
                      if one.get("lost") or one.get("queue_drops")}
            results.add(status.get("vehicles") == options.vehicles and not losses,
                        f"the {name} serves all of them and has lost nothing",
                        f"{status.get('vehicles')} vehicles, lost {losses}", log)
        results.add(done and fleet.process.poll() is None, "the stack keeps up", "it ended, or was too late", log)
    results.end()


if __name__ == "__main__":
    main()
