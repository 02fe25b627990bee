"""Fleets in one stack: hundreds of vehicles, and thousands, through one process of each stage, listened to from outside.

    fleet.py                                                          500 at 1 Hz, then 5,000 at 0.2 Hz
    fleet.py --vehicles 10000 --rate-hz 0.5 --fixes 8 --guided 0.02   such a fleet alone

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
    """Everything that is said of any vehicle, checked as it comes.

    A vehicle is served when it was matched `fixes` times, and led when it was told its progress `reports` times.
    """

    def __init__(self, fixes, reports):
        self.fixes_wanted, self.reports_wanted = fixes, reports
        self.served = self.led = 0
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
            told = self.progress[vehicle]
            told.append(msgpack.unpackb(payload))
            self.led += len(told) == self.reports_wanted

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
        if match["state"] == "matched":
            self.matched[vehicle] += 1
            self.served += self.matched[vehicle] == self.fixes_wanted
        else:
            self.unmatched[vehicle] += 1
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
        for beginning in (b"car", b"_node/"):
            socket.subscribe(beginning)
        socket.connect(navstack.endpoints(base)[1])
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline and launcher.poll() is None:
            if socket.poll(200):
                topic, header, payload = socket.recv_multipart()
                listener.take(topic.decode(), msgpack.unpackb(header), payload)
            if condition():
                return True
    return condition()


def losses(status):
    """What a node's status tells of messages that were lost on the way to it or dropped there."""
    return {topic: one for topic, one in status.get("subscriptions", {}).items() if one.get("lost") or one.get("queue_drops")}


def drive(results, vehicles, rate_hz, guided, fixes):
    """So many vehicles until each is matched `fixes` times."""
    led, reports = int(vehicles * guided), max(2, fixes // 4)
    listener, label = Listener(fixes, reports), f"fleet-{vehicles}"
    values = {"vehicles": vehicles, "rate_hz": rate_hz, "guided": guided, "stop_s": 0}
    settings = [word for name, value in values.items() for word in ("--set", f"simulator.{name}={value}")]

    def is_done():
        return listener.served == vehicles and listener.led >= 0.8 * led

    with stack.Stack(label, *settings, file=FLEET, name="fleet", rate=None, port=None) as fleet:
        done = listen(fleet.base, listener, is_done, 60 + 6 * fixes / rate_hz, fleet.process)
        log, count = fleet.log, sum(listener.matched.values())
        results.add(
            listener.served == vehicles,
            f"each of {vehicles} vehicles at {rate_hz:g} Hz is matched {fixes} times",
            f"{len(listener.matched)} vehicles, {listener.served} of them so often", log)
        share = count / max(1, count + sum(listener.unmatched.values()))
        results.add(share > 0.98, "nearly all fixes lie on a road", f"{share:.4f} of them", log)
        results.add(listener.lost == 0, f"nothing is lost on the way out of {sum(listener.last_seq.values())} messages",
                    f"{listener.lost}: {listener.example}", log)
        results.add(listener.disorder == 0, "each vehicle's messages come in their order",
                    f"{listener.disorder}: {listener.example}", log)
        results.add(listener.strange == 0, "no vehicle sees another's fixes",
                    f"{listener.strange}: {listener.example}", log)
        active = {vehicle: told for vehicle, told in listener.progress.items() if len(told) >= reports}
        ahead = [vehicle for vehicle, told in active.items()
                 if told[-1]["travelled_m"] > told[0]["travelled_m"]
                 or len({one["route_id"] for one in told}) > 1]
        results.add(len(ahead) >= 0.75 * led, f"those of the {led} led make progress",
                    f"{len(active)} were told of it, {len(ahead)} came forward", log)
        for name in ("matcher", "navigator"):
            status = listener.nodes.get(name, {})
            results.add(status.get("vehicles") == vehicles and not losses(status),
                        f"one process of the {name} serves all {vehicles} and has lost nothing",
                        f"{status.get('vehicles')} vehicles, lost {losses(status)}", log)
        lost = losses(listener.nodes.get("router", {}))
        results.add("router" in listener.nodes and not lost, "one router has answered all of them and has lost nothing", str(lost), log)
        results.add(done and fleet.process.poll() is None, "the stack keeps up", "it ended, or was too late", log)


def test_hundreds_of_vehicles_share_one_stack__BUS_8(results):
    """So often each second that the led ones come forward by whole streets."""
    drive(results, vehicles=500, rate_hz=1, guided=0.2, fixes=20)


def test_one_process_of_each_stage_serves_thousands__BUS_8(results):
    """A thousand fixes a second, as many as two cores bear beside other tests."""
    drive(results, vehicles=5_000, rate_hz=0.2, guided=0.02, fixes=8)


def main():
    options = stack.options(__doc__, vehicles=0, rate_hz=1.0, guided=0.2, fixes=20)
    results = stack.Results()
    if options.vehicles:
        drive(results, options.vehicles, options.rate_hz, options.guided, options.fixes)
    else:
        test_hundreds_of_vehicles_share_one_stack__BUS_8(results)
        test_one_process_of_each_stage_serves_thousands__BUS_8(results)
    results.end()


if __name__ == "__main__":
    main()
