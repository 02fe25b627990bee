"""Garbage on every topic and every call during the demo: counted, refused, and nothing stops.

    garbage.py                     some thousand messages
    garbage.py --frames 1000000    a million
"""

import json
import random
import threading
import time
import uuid

import msgpack
import zmq

import stack  # first: it tells where ours are
import navstack


def wrong_types(structure):
    """A map in which each known field has a type that it may not have."""
    payload = {}
    for field, (kind, _, _, _) in navstack.STRUCTURES[structure].items():
        head = kind.partition(":")[0]
        payload[field] = 17 if head in ("struct", "list", "gaps", "map", "packed", "bytes", "str", "words") else {"x": 1}
    return payload


def example(name):
    path = stack.ROOT / "Protocols/examples" / f"{name.split('/1.')[0]}.msgpack"
    return path.read_bytes() if path.exists() else msgpack.packb({})


def payloads(name, dice):
    """(what it is, schema, payload) of bad messages of a topic."""
    schema = navstack.TOPICS[name]["schema"]
    yield "random bytes", schema, dice.randbytes(dice.randrange(1, 400))
    yield "no map", schema, msgpack.packb([1, 2, 3])
    yield "wrong types", schema, msgpack.packb(wrong_types(name))
    yield "nothing in it", schema, msgpack.packb({})
    yield "another major version", schema.replace("/1.", "/2."), example(schema)
    yield "a truncated one", schema, example(schema)[:-3]


class Vandal(threading.Thread):
    """Publishes what nobody should take."""

    def __init__(self, base):
        super().__init__(daemon=True)
        self.socket = zmq.Context.instance().socket(zmq.PUSH)
        self.socket.setsockopt(zmq.LINGER, 0)
        self.socket.connect(navstack.endpoints(base)[0])
        self.dice, self.sent, self.round, self.goes_on = random.Random(7), 0, 0, True
        self.start()

    def run(self):
        while self.goes_on:
            self.round += 1
            for name in navstack.TOPICS:
                number = 6 * self.round
                leaf = name.replace("<name>", "vandal").replace("<node>", "vandal")
                topic = leaf if leaf.startswith("_") else f"ego/{leaf}"
                for _, schema, payload in payloads(name, self.dice):
                    number += 1
                    header = {"seq": number, "stamp": time.time_ns(), "src": "vandal", "run": 1, "schema": schema}
                    header["class"] = navstack.TOPICS[name]["class"]
                    self.send([topic.encode(), msgpack.packb(header), payload])
                self.send([topic.encode(), self.dice.randbytes(30), b"\x80"])
                self.send([topic.encode(), msgpack.packb({"seq": "one", "src": 5}), b"\x80"])
                self.send([topic.encode()])
                self.send([topic.encode(), b"", b"", b"", b""])
            self.send([self.dice.randbytes(90), self.dice.randbytes(20), self.dice.randbytes(20)])
            self.send([b"", b"", b""])
            time.sleep(0.5)
        self.socket.close()

    def send(self, frames):
        try:
            self.socket.send_multipart(frames, zmq.DONTWAIT)
            self.sent += 1
        except zmq.Again:
            pass


def counters(base):
    """What the broker has dropped, by reason."""
    with zmq.Context.instance().socket(zmq.DEALER) as socket:
        socket.setsockopt(zmq.LINGER, 0)
        socket.connect(navstack.endpoints(base)[2])
        socket.send_multipart([msgpack.packb({"op": "list", "token": 1, "what": "bus"})])
        return msgpack.unpackb(socket.recv_multipart()[0])["counters"] if socket.poll(10_000) else {}


def no_messages(dice):
    """Frames that the broker must take for no message, each in its own way."""
    header = {"seq": 1, "stamp": 1, "src": "vandal", "run": 1, "schema": "location_raw/1.0"}
    good = [b"ego/location/raw", msgpack.packb(header), b"\x80"]
    while True:
        yield [good[0], dice.randbytes(dice.randrange(1, 60)) + b"\xc1", good[2]]
        yield [good[0], msgpack.packb({**header, "seq": dice.choice([0, -1, "x", None, 1.5, [1]])}), good[2]]
        yield [good[0], good[1][:dice.randrange(len(good[1]))], good[2]]
        yield [dice.randbytes(dice.randrange(1, 300)) + b"\xff", *good[1:]]
        yield [b"ego//" + b"a" * dice.randrange(300), *good[1:]]
        yield [b"", *good[1:]]
        yield good[:dice.randrange(1, 3)]
        yield good + [b""] * dice.randrange(1, 9)


def flood(base, count):
    """Sends what is no message as fast as the broker takes it; why it was not counted whole."""
    def malformed():
        return sum(number for reason, number in counters(base).items() if reason.startswith("malformed"))

    before, dice = malformed(), random.Random(13)
    with zmq.Context.instance().socket(zmq.PUSH) as socket:
        socket.setsockopt(zmq.LINGER, 20_000)
        socket.setsockopt(zmq.SNDTIMEO, 20_000)
        socket.connect(navstack.endpoints(base)[0])
        for number, frames in zip(range(count), no_messages(dice)):
            socket.send_multipart(frames)
            if number % 100_000 == 99_999:
                print(f"   {number + 1} sent, {malformed() - before} counted", flush=True)
        deadline, counted = time.monotonic() + 60, 0
        while time.monotonic() < deadline and (counted := malformed() - before) < count:
            time.sleep(0.1)
    return "" if counted == count else f"{counted} of {count} were counted"


def flood_matcher(base, ear, count):
    """Sends fixes that are none; why the matcher did not count each one."""
    head = {"stamp": 1, "src": "flood", "run": 1, "schema": navstack.TOPICS["location/raw"]["schema"]}
    dice, counted = random.Random(17), 0
    with zmq.Context.instance().socket(zmq.PUSH) as socket:
        socket.setsockopt(zmq.LINGER, 20_000)
        socket.setsockopt(zmq.SNDTIMEO, 20_000)
        socket.connect(navstack.endpoints(base)[0])
        for number in range(1, count + 1):
            socket.send_multipart([b"ego/location/raw", msgpack.packb({"seq": number, **head}),
                                   b"\xc1" + dice.randbytes(dice.randrange(40))])
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and counted < count:
            status = ear.record.statuses.get("matcher", {})
            read = status.get("subscriptions", {}).get("location/raw", {})
            # What it was too slow for is counted, too.
            counted = read.get("refused", 0) + read.get("queue_drops", 0) + read.get("lost", 0)
            time.sleep(0.1)
    return "" if counted >= count else f"{counted} of {count} were counted"


def answer(base, name, payload, wait_s=8):
    """The code with which a call with a raw payload ends."""
    identity = uuid.uuid4().hex
    head = {"op": "call", "id": identity, "name": name, "vehicle": "ego", "timeout_ms": 5000}
    with zmq.Context.instance().socket(zmq.DEALER) as socket:
        socket.setsockopt(zmq.LINGER, 0)
        socket.connect(navstack.endpoints(base)[2])
        socket.send_multipart([msgpack.packb(head), payload])
        deadline = time.monotonic() + wait_s
        while socket.poll(max(0, int((deadline - time.monotonic()) * 1000))):
            reply = msgpack.unpackb(socket.recv_multipart()[0])
            if reply.get("id", identity) == identity and reply.get("op") in ("reply", "error"):
                return "ok" if reply.get("ok") else reply.get("code")
    return "no answer"


def vandalise_calls(base):
    """The calls that took garbage for a request, or gave no answer, with what they said."""
    bad = []
    for name, call in navstack.CALLS.items():
        # What varies by node, is asked of processes in lock-step, or fetches maps has no server in the demo.
        if "<" in name or name == "map/fetch":
            continue
        requests = [b"\xc1\x00\xff", msgpack.packb(17), msgpack.packb({"a": 1})[:-1], msgpack.packb({"no_such_field": 1})]
        if navstack.STRUCTURES[call["request"]]:
            requests.append(msgpack.packb(wrong_types(call["request"])))
        for payload in requests:
            code = answer(base, name, payload)
            if code != "invalid":
                bad.append(f"{name}: {code} for {payload[:12].hex()}")
    if (code := answer(base, "no/such_call", b"\x80")) != "no_such_service":
        bad.append(f"no/such_call: {code}")
    return bad


def vandalise_control(base):
    """Garbage in the place of a head."""
    dice = random.Random(11)
    with zmq.Context.instance().socket(zmq.DEALER) as socket:
        socket.setsockopt(zmq.LINGER, 200)
        socket.connect(navstack.endpoints(base)[2])
        heads = [{"op": 5}, {"op": "register"}, {"op": "register", "name": "", "run": -1}, {"op": "reply", "id": 9},
                 {"op": "snapshot", "patterns": 3}, {"op": "refill", "topic": None}, {"op": "nonsense"}, []]
        for _ in range(30):
            socket.send_multipart([dice.randbytes(dice.randrange(60)) for _ in range(dice.randrange(1, 5))])
        for head in heads:
            socket.send_multipart([msgpack.packb(head)])


def main():
    stack.options(__doc__, frames=20_000)
    results = stack.Results()
    with stack.Stack("garbage") as run:
        ear = stack.Ear(run)
        started = ear.wait(lambda record: record.progress >= 5, 60, run)
        frames = stack.OPTIONS.frames
        found = flood(run.base, frames * 9 // 10)
        results.add(not found, f"the broker counts each of {frames * 9 // 10} frames that are no message", found)
        found = flood_matcher(run.base, ear, frames // 10)
        results.add(not found, f"the matcher counts each of {frames // 10} fixes that are none", found)
        vandal = Vandal(run.base)
        vandalise_control(run.base)
        bad = vandalise_calls(run.base) if started else ["the drive did not begin"]
        results.add(not bad, "each call refuses garbage as invalid", "; ".join(bad))
        has_arrived = ear.wait(lambda record: record.arrivals, 150, run)
        vandal.goes_on = False
        record = ear.end()
        found = stack.faults(record, demo=True) if has_arrived else "no arrival"
        results.add(not found, f"the demo goes on under {vandal.sent} messages of garbage", found, run.log)
        refused = {topic: status["refusals"] for topic, status in record.statuses.items() if status.get("refusals")}
        results.add("matcher" in refused, "stages count what they refuse", json.dumps(refused)[:300])
    results.end()


if __name__ == "__main__":
    main()
