"""Garbage on every topic and every call during the demo: counted, refused, and nothing stops."""

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
        requests = [b"\xc1\x00\xff", msgpack.packb(17), msgpack.packb({"a": 1})[:-1]]
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
    stack.options(__doc__)
    results = stack.Results()
    with stack.Stack("garbage") as run:
        ear = stack.Ear(run)
        started = ear.wait(lambda record: record.progress >= 5, 60, run)
        vandal = Vandal(run.base)
        vandalise_control(run.base)
        bad = vandalise_calls(run.base) if started else ["the drive did not begin"]
        results.add(not bad, "each call refuses garbage as invalid", "; ".join(bad[:5]))
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
