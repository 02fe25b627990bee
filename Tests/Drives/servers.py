"""A router in Python that thinks for a long time: its calls end with its answers, not with a false restart."""

import contextlib
import pathlib
import tempfile
import threading
import time
import uuid

import msgpack
import zmq

import stack  # first: it adds the folder of the client
import navstack
from navstack import recording

HOME = {"lat_deg": 46.99714, "lon_deg": -30.02392}
OFFICE = {"lat_deg": 47.00287, "lon_deg": -29.97645, "name": "Office"}

STACK = """
stack: demo
map: {town}
nodes:
  location:
    run: nav-location-provider
    params: {{source: simulator, start_at: "46.99714,-30.02392"}}
  matcher:
    run: nav-map-matcher
  navigator:
    run: nav-navigator
    params: {{call_timeout_s: 30}}
external: [route/better, traffic/flow, traffic/incidents, route/calculate, route/return, route/traffic]
"""


def first_route():
    """The first route of the demo, as it runs in one process."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "drive.mcap"
        code, _, errors = stack.run("nav", "drive", stack.DEMO, "--record", file, "--quiet", seconds=120)
        if code != 0:
            raise RuntimeError(errors)
        for topic, _, payload in recording.messages(file):
            if topic == "ego/route/active" and msgpack.unpackb(payload).get("route"):
                return msgpack.unpackb(payload)["route"]
    raise RuntimeError("the demo has no route")


@contextlib.contextmanager
def stack_without_router(label):
    """The vehicle of the demo, standing at home, with no router and nobody to start its guidance."""
    with tempfile.TemporaryDirectory(prefix="nav-") as folder:
        file = pathlib.Path(folder) / "stack.yaml"
        file.write_text(STACK.format(town=stack.ROOT / ".cache/town.osm"), encoding="utf-8")
        with stack.Stack(label, file=file, port=None) as run:
            yield run


class SlowRouter(threading.Thread):
    """Answers route/calculate after as many seconds as `think_s` says for the vehicle."""

    def __init__(self, base, route, think_s):
        super().__init__(daemon=True)
        self.base, self.route, self.think_s, self.goes_on = base, route, think_s, True
        self.order, self.ended, self.at_once, self.most_at_once = [], {}, 0, 0
        self.lock, self.failure = threading.Lock(), None
        self.start()

    def run(self):
        handlers = {"route/calculate": self.calculate, "route/traffic": self.price}
        try:
            navstack.Server(self.base, "router", handlers).run(until=lambda: not self.goes_on)
        except navstack.CallError as error:
            self.failure = error

    def calculate(self, request, vehicle, call):
        with self.lock:
            self.order.append((vehicle, request.get("request_id")))
            self.at_once += 1
            self.most_at_once = max(self.at_once, self.most_at_once)
        is_cancelled = call.cancelled.wait(self.think_s.get(vehicle, 0))
        with self.lock:
            self.at_once -= 1
            self.ended[vehicle] = "cancelled" if is_cancelled else "answered"
        return {"routes": [self.route]}

    def price(self, request, _vehicle):
        return {"route_id": self.route["id"], "priced_ns": 0, "length_m": 1000.0, "duration_latest_s": 100.0,
                "delay_s": 0.0, "spans": {}}


class Question(threading.Thread):
    """A call on a thread of its own: its reply or its error, and how long it took."""

    def __init__(self, base, vehicle, name="route/calculate", request=None, timeout_s=30):
        super().__init__(daemon=True)
        self.details = base, name, request or {"waypoints": [HOME, OFFICE]}, vehicle, timeout_s
        self.reply = self.error = self.took_s = None
        self.start()

    def run(self):
        started = time.monotonic()
        base, name, request, vehicle, timeout_s = self.details
        try:
            self.reply = navstack.call(base, name, request, vehicle=vehicle, timeout_s=timeout_s)
        except navstack.CallError as error:
            self.error = error
        self.took_s = time.monotonic() - started


def cancel(base, vehicle, after_s):
    """Makes a call, gives it up after `after_s`, and returns the code that it ends with."""
    identity = uuid.uuid4().hex
    with zmq.Context.instance().socket(zmq.DEALER) as socket:
        socket.setsockopt(zmq.LINGER, 500)
        socket.connect(navstack.endpoints(base)[2])
        head = {"op": "call", "id": identity, "name": "route/calculate", "vehicle": vehicle, "timeout_ms": 30000}
        socket.send_multipart([msgpack.packb(head), msgpack.packb({"waypoints": [HOME, OFFICE]})])
        socket.poll(int(after_s * 1000))
        socket.send(msgpack.packb({"op": "cancel", "id": identity}))
        if not socket.poll(5000):
            return "nothing"
        return msgpack.unpackb(socket.recv_multipart()[0]).get("code")


def nodes(base):
    """What the broker knows of each node, by name."""
    with zmq.Context.instance().socket(zmq.DEALER) as socket:
        socket.setsockopt(zmq.LINGER, 500)
        socket.connect(navstack.endpoints(base)[2])
        socket.send(msgpack.packb({"op": "list", "token": 1, "what": "nodes"}))
        if not socket.poll(5000):
            return {}
        listing = msgpack.unpackb(socket.recv_multipart()[0])
        return {node["name"]: node for node in listing.get("nodes", ())}


def test_a_python_router_may_think_as_long_as_its_calls_allow__BUS_1(results):
    route = first_route()
    with stack_without_router("slow-router") as run:
        ear = stack.Ear(run)
        if not ear.wait(lambda record: record.matches, 30, run):
            return results.add(False, "a stack without a router starts", "no location was matched", run.log)
        router = SlowRouter(run.base, route, {"ego": 10, "slow": 20, "given-up": 25, "in-turn": 1})
        stack.eventually(lambda: nodes(run.base).get("router", {}).get("alive"), 10)
        start = Question(run.base, "ego", "navigate/start", {"to": OFFICE}, timeout_s=45)
        slow, code = Question(run.base, "slow"), []
        giving_up = threading.Thread(target=lambda: code.append(cancel(run.base, "given-up", 2)))
        giving_up.start()
        quick = []
        for number in range(20):
            request = {"waypoints": [HOME, OFFICE], "request_id": str(number)}
            quick.append(Question(run.base, "quick", request=request))
            quick[-1].join()
        turns = []
        for number in range(3):
            turns.append(Question(run.base, "in-turn", request={"waypoints": [HOME, OFFICE], "request_id": str(number)}))
            stack.eventually(lambda: turns[-1].took_s is not None, 0.2)
        for question in (start, slow, *turns):
            question.join()
        giving_up.join()

        results.add(
            start.reply is not None and stack.eventually(lambda: any(entry.route == route["id"] for entry in ear.record.active), 5),
            "a Python router that thinks for 10 s starts the guidance of a running stack", start.error or start.reply, run.log)
        results.add(slow.reply is not None and slow.took_s >= 20, "and thinks for 20 s", slow.error or slow.took_s)
        node = nodes(run.base).get("router", {})
        results.add(
            node.get("alive") and not node.get("restarts") and not router.failure, "without a false restart", router.failure or node)
        took_s = max(question.took_s for question in quick)
        results.add(
            all(question.reply for question in quick) and took_s < 1, "calls of other vehicles are answered meanwhile",
            [question.error for question in quick if question.error] or f"{took_s:.2f} s")
        stack.eventually(lambda: "given-up" in router.ended, 2)
        ended = router.ended.get("given-up")
        results.add(
            code == ["cancelled"] and ended == "cancelled", "a call that its caller gives up reaches its handler", f"{code}, {ended}")
        order = [number for vehicle, number in router.order if vehicle == "in-turn"]
        in_turn = [question.took_s for question in turns]
        results.add(
            order == ["0", "1", "2"] and in_turn[2] > 2.5, "calls of one vehicle run one at a time, in their order", f"{order}, {in_turn}")
        router.goes_on = False
        router.join()
        ear.end()


def test_a_parallel_server_answers_calls_of_one_vehicle_at_the_same_time__BUS_1(results):
    with stack_without_router("parallel-server") as run:
        together = threading.Barrier(4)

        def handle(_request, _vehicle):
            together.wait(10)  # breaks unless four of them run at once
            return {"cancelled": True}

        goes_on = [True]
        server = navstack.Server(run.base, "router", {"route/cancel": handle}, parallel=True)
        stack.eventually(lambda: "router" not in nodes(run.base) and nodes(run.base), 20)
        thread = threading.Thread(target=lambda: server.run(until=lambda: not goes_on[0]), daemon=True)
        thread.start()
        stack.eventually(lambda: nodes(run.base).get("router", {}).get("alive"), 10)
        questions = [Question(run.base, "ego", "route/cancel", {"request_id": str(number)}) for number in range(4)]
        for question in questions:
            question.join()
        results.add(
            all(question.reply for question in questions), "a parallel server answers calls of one vehicle at the same time",
            [question.error for question in questions], run.log)
        goes_on[0] = False
        thread.join(5)
        results.add(not thread.is_alive(), "and ends within a second of being asked to", "it goes on")


def main():
    stack.options(__doc__)
    results = stack.Results()
    test_a_python_router_may_think_as_long_as_its_calls_allow__BUS_1(results)
    test_a_parallel_server_answers_calls_of_one_vehicle_at_the_same_time__BUS_1(results)
    results.end()


if __name__ == "__main__":
    main()
