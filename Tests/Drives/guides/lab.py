"""Stacks that run for the tests of the guides, and vehicles that are driven by hand.

A stack here has no location provider: the test publishes fixes and the stack clock from outside. The clock stands
still between fixes, and a fix counts as done when each node reports that it has handled it (`_play/turn`), so a drive
runs as fast as the stages work and does not depend on the load of the machine.
"""

import bisect
import contextlib
import math
import os
import pathlib
import tempfile
import time
import uuid

import msgpack
import navstack
import stack
import zmq
from rows import Wrong, check

BEGIN_NS = 1_780_308_000_000_000_000  # 2026-06-01 10:00 UTC, a Monday
MADE_ON_DEMAND = {"location/interpolated", "scene/frame"}
TOPICS = [name for name in navstack.TOPICS if not name.startswith("_")]


class Line:
    """A line on the ground that is driven along; points are (lat_deg, lon_deg)."""

    def __init__(self, points):
        self.points, self.metres = [points[0]], [0.0]
        for point in points[1:]:
            step = distance_m(self.points[-1], point)
            if step > 0.01:
                self.points.append(point)
                self.metres.append(self.metres[-1] + step)

    @property
    def length_m(self):
        return self.metres[-1]

    def at(self, metres):
        """The place after so many metres, and the bearing there."""
        if len(self.points) == 1:
            return self.points[0], 0.0
        metres = min(max(metres, 0.0), self.length_m)
        index = min(max(bisect.bisect_right(self.metres, metres) - 1, 0), len(self.points) - 2)
        start, end = self.points[index], self.points[index + 1]
        share = (metres - self.metres[index]) / (self.metres[index + 1] - self.metres[index])
        place = tuple(a + (b - a) * share for a, b in zip(start, end))
        return place, bearing_deg(start, end)

    def nearest(self, place):
        """(metres along the line, distance) of its place nearest to a place."""
        best = (0.0, math.inf)
        for index in range(len(self.points) - 1):
            start, end = self.points[index], self.points[index + 1]
            scale = math.cos(math.radians(start[0]))
            dx, dy = (end[1] - start[1]) * scale, end[0] - start[0]
            px, py = (place[1] - start[1]) * scale, place[0] - start[0]
            share = min(max((px * dx + py * dy) / ((dx * dx + dy * dy) or 1), 0), 1)
            away = math.hypot(px - share * dx, py - share * dy) * 111_195
            if away < best[1]:
                best = (self.metres[index] + share * (self.metres[index + 1] - self.metres[index]), away)
        return best


def distance_m(a, b):
    """Metres between two places on a sphere."""
    lat1, lat2 = math.radians(a[0]), math.radians(b[0])
    h = math.sin((lat2 - lat1) / 2) ** 2 + math.cos(lat1) * math.cos(lat2) * math.sin(math.radians(b[1] - a[1]) / 2) ** 2
    return 2 * 6_371_008.8 * math.asin(math.sqrt(min(h, 1)))


def bearing_deg(a, b):
    lat1, lat2, dlon = math.radians(a[0]), math.radians(b[0]), math.radians(b[1] - a[1])
    y = math.sin(dlon) * math.cos(lat2)
    x = math.cos(lat1) * math.sin(lat2) - math.sin(lat1) * math.cos(lat2) * math.cos(dlon)
    return math.degrees(math.atan2(y, x)) % 360


def moved(place, metres, bearing):
    """The place so many metres from another in a direction."""
    lat, lon = place
    lat_step = metres * math.cos(math.radians(bearing)) / 111_195
    lon_step = metres * math.sin(math.radians(bearing)) / (111_195 * math.cos(math.radians(lat)))
    return lat + lat_step, lon + lon_step


def at(place, **more):
    """A place as a waypoint."""
    return {"lat_deg": place[0], "lon_deg": place[1], **more}


class Running:
    """A stack with a bus of its own that serves any vehicle; fixes and time come from the test."""

    def __init__(self, name, text, clock=True):
        self.folder = tempfile.TemporaryDirectory(prefix="nav-")
        file = pathlib.Path(self.folder.name) / f"{name}.yaml"
        file.write_text(text, encoding="utf-8")
        self.stack = stack.Stack(f"guides-{name}", file=file, name=name, rate=None, port=None)
        self.base, self.log = self.stack.base, self.stack.log
        self.now_ns, self.turn, self.vehicles, self.count = BEGIN_NS, 0, {}, 0
        self.nodes = set()
        self.token, self.heard, self.first_turn, self.statuses, self.others = 0, set(), 0, {}, []
        context = zmq.Context.instance()
        self.socket = context.socket(zmq.SUB)
        self.socket.setsockopt(zmq.RCVHWM, 0)
        self.socket.setsockopt(zmq.LINGER, 0)
        self.control = context.socket(zmq.DEALER)
        self.control.setsockopt(zmq.LINGER, 500)
        self.wait_for_broker()
        self.socket.connect(navstack.endpoints(self.base)[1])
        self.control.connect(navstack.endpoints(self.base)[2])
        self.publisher = navstack.Publisher(self.base, source="receiver")
        self.me = f"guides-{os.getpid()}-{name}"
        self.subscribe(f"_bus/sync/{self.me}", "_play/heard/", "_node/", "_log/")
        self.wait(lambda: self.is_ready(), 60, "the nodes of the stack are ready")
        if clock:
            self.publish_clock()

    def is_ready(self):
        """Whether every process that the launcher started is at work, degraded where a map or an input is missing."""
        with contextlib.suppress(navstack.CallError):
            processes = navstack.call(self.base, "stack/nodes", timeout_s=1)["processes"][1:]
            self.nodes = {process["name"] for process in processes}
            return all(process["state"] == "ready" for process in processes)
        return False

    def wait_for_broker(self):
        place = pathlib.Path(navstack.endpoints(self.base)[1].removeprefix("ipc://"))
        deadline = time.monotonic() + 60
        while not place.exists():
            if time.monotonic() > deadline or self.stack.process.poll() is not None:
                raise Wrong(f"the stack did not start: {self.stack.output[-600:]}")
            time.sleep(0.02)

    def close(self):
        self.publisher.close()
        self.socket.close()
        self.control.close()
        self.stack.__exit__()
        self.folder.cleanup()

    # Reading.

    def subscribe(self, *topics):
        """Subscribes, and returns when the broker sends what it is to send from now on."""
        for topic in topics:
            self.socket.subscribe(topic.encode())
        self.token += 1
        token = self.token
        self.synced = 0
        deadline = time.monotonic() + 30
        while self.synced < token:
            # The subscription to the echo itself may still be under way.
            self.control.send(msgpack.packb({"op": "sync", "token": token, "name": self.me}))
            self.read(0.2)
            if time.monotonic() > deadline:
                raise Wrong("the broker does not answer")

    def read(self, seconds=0.0):
        """Takes in what has come; waits for a first message for at most so long."""
        if not self.socket.poll(int(seconds * 1000)):
            return False
        with contextlib.suppress(zmq.Again):
            while True:
                self.take(*self.socket.recv_multipart(zmq.NOBLOCK))
        return True

    def take(self, topic, header, payload):
        topic = topic.decode()
        if topic == f"_bus/sync/{self.me}":
            self.synced = max(self.synced, msgpack.unpackb(payload)["token"])
            return
        header = msgpack.unpackb(header)
        payload = msgpack.unpackb(payload) if payload else None
        if topic.startswith("_play/heard/"):
            if payload["player"] == self.me and payload["number"] >= self.first_turn:
                self.heard.add(header["src"])
        elif topic.endswith("/status") and topic.startswith("_node/"):
            self.statuses[topic.split("/")[1]] = payload
        elif topic.startswith("_"):
            self.others.append((topic, header, payload))
        else:
            name, _, leaf = topic.partition("/")
            if name in self.vehicles:
                self.vehicles[name].take(leaf, header, payload)

    def wait(self, condition, seconds, what):
        """Reads until the condition holds; the test fails where it does not in time."""
        deadline = time.monotonic() + seconds
        while not (result := condition()):
            if time.monotonic() > deadline:
                raise Wrong(f"waited {seconds:g} s in vain until {what}")
            if self.stack.process.poll() is not None:
                raise Wrong(f"the stack ended: {self.stack.output[-600:]}")
            self.read(0.05)
        return result

    def logged(self, node, words):
        return [body["text"] for topic, _, body in self.others if topic == f"_log/{node}" and words in body["text"]]

    # Writing.

    def publish_clock(self, rate=1.0, paused=True):
        clock = {"now_ns": self.now_ns, "rate": float(rate), "paused": paused, "run": 1}
        self.publisher.publish("_clock", clock, self.now_ns)

    def settle(self, rounds=2):
        """Returns when what was published, and what it led to over as many stages, has been handled by every node."""
        for _ in range(rounds):
            self.first_turn = self.turn + 1
            self.heard = set()
            self.next_turn()
            asked = time.monotonic()

            def is_handled():
                nonlocal asked
                # A turn is an event: one that is sent while the broker starts again may be lost.
                if time.monotonic() - asked > 3:
                    asked = time.monotonic()
                    self.next_turn()
                return self.nodes <= self.heard

            self.wait(is_handled, 30, f"{', '.join(sorted(self.nodes))} handled all")

    def next_turn(self):
        """Asks every node to report when it has handled what came before."""
        self.turn += 1
        header = {"seq": 0, "stamp": 0, "src": self.me, "run": self.publisher.run,
                  "schema": navstack.TOPICS["_play/turn"]["schema"], "class": "event"}
        self.publisher.send("_play/turn", header, msgpack.packb({"number": self.turn}))

    def pass_time(self, seconds, step_s=1.0):
        """Lets time go on without a fix."""
        left = seconds
        while left > 0:
            self.now_ns += round(min(step_s, left) * 1e9)
            left -= step_s
            self.publish_clock()
            self.settle()

    def publish(self, topic, payload, key=None):
        self.publisher.publish(topic, payload, self.now_ns, key=key)
        self.settle()

    def call(self, name, request=None, vehicle="ego", timeout_s=None):
        return navstack.call(self.base, name, request, vehicle=vehicle, timeout_s=timeout_s)

    def refused(self, name, request=None, vehicle="ego", seconds=10):
        """The error of a call that must not succeed; the client does not check the request."""
        identity = uuid.uuid4().hex
        with zmq.Context.instance().socket(zmq.DEALER) as socket:
            socket.setsockopt(zmq.LINGER, 500)
            socket.connect(navstack.endpoints(self.base)[2])
            head = {"op": "call", "id": identity, "name": name, "vehicle": vehicle, "timeout_ms": int(seconds * 1000)}
            socket.send_multipart([msgpack.packb(head), msgpack.packb(request or {})])
            if not socket.poll(int(seconds * 1000) + 1000):
                raise Wrong(f"{name} did not answer")
            answer, *payload = socket.recv_multipart()
        answer = msgpack.unpackb(answer)
        if answer.get("ok"):
            raise Wrong(f"{name} was not refused: {str(msgpack.unpackb(payload[0]))[:200]}")
        return navstack.CallError(answer.get("code"), answer.get("message", ""), answer.get("field"))

    def route(self, *places, **more):
        """The best route over places."""
        return self.routes(*places, **more)[0]

    def routes(self, *places, car="ego", **more):
        waypoints = [place if isinstance(place, dict) else at(place) for place in places]
        return self.call("route/calculate", {"waypoints": waypoints, **more}, car)["routes"]

    def vehicle(self, *on_demand):
        """A new vehicle; it reads every topic but those that are made on demand, unless they are named."""
        self.count += 1
        vehicle = Vehicle(self, f"car{self.count}")
        self.vehicles[vehicle.name] = vehicle
        names = [name for name in TOPICS if name not in MADE_ON_DEMAND or name in on_demand]
        self.subscribe(*[f"{vehicle.name}/{name}" for name in names])
        if "scene/frame" in names:
            # The renderer makes frames of a vehicle that somebody watches: it finds readers within a second, and calls at once.
            vehicle.call("scene/control", {})
        return vehicle


class Vehicle:
    """A vehicle of a stack, and all that is published about it: `seen[topic]` lists (header, payload)."""

    def __init__(self, running, name):
        self.running, self.name, self.seen = running, name, {}
        self.place, self.bearing, self.speed = None, None, 0.0
        self.order = []

    def take(self, leaf, header, payload):
        self.seen.setdefault(leaf, []).append((header, payload))
        self.order.append((leaf, header, payload))

    def all(self, topic, since=0):
        """The payloads of a topic, from the `since`-th on."""
        return [payload for _, payload in self.seen.get(topic, ())[since:]]

    def count(self, topic):
        return len(self.seen.get(topic, ()))

    def last(self, topic):
        entries = self.seen.get(topic)
        return entries[-1][1] if entries else None

    @property
    def active(self):
        """The active route; None where there is none."""
        state = self.last("route/active")
        return state.get("route") if state else None

    @property
    def travelled_m(self):
        return (self.last("guidance/progress") or {}).get("travelled_m")

    def call(self, name, request=None, timeout_s=None):
        reply = self.running.call(name, request, self.name, timeout_s)
        self.running.settle()
        return reply

    def refused(self, name, request=None):
        return self.running.refused(name, request, self.name)

    def fix(self, place=None, speed=None, bearing=None, accuracy=5.0, after_s=1.0, settle=2, **more):
        """One fix, `after_s` seconds of event time after the one before; returns when it is handled."""
        running = self.running
        running.now_ns += round(after_s * 1e9)
        self.place = place or self.place
        self.speed = self.speed if speed is None else speed
        self.bearing = self.bearing if bearing is None else bearing
        raw = {"lat_deg": self.place[0], "lon_deg": self.place[1], "time_ns": running.now_ns, "accuracy_m": accuracy,
               "speed_mps": self.speed, "bearing_deg": self.bearing, "provider": "test", **more}
        running.publish_clock()
        running.publisher.publish(f"{self.name}/location/raw", {key: value for key, value in raw.items() if value is not None},
                                  running.now_ns)
        running.settle(settle)

    def stand(self, place=None, fixes=3, bearing=None):
        """Stands for some fixes, as before a start."""
        for _ in range(fixes):
            self.fix(place, speed=0.0, bearing=bearing)

    def drive(self, line, from_m=0.0, to_m=None, speed=13.0, until=None, step_s=1.0, each=None, **more):
        """Drives along a line, a fix each `step_s`; ends at `to_m`, or when `until()` holds. Returns the metres."""
        line = line if isinstance(line, Line) else Line(line)
        end_m = line.length_m if to_m is None else min(to_m, line.length_m)
        metres = from_m
        while True:
            place, bearing = line.at(metres)
            self.fix(place, **{"speed": speed, "bearing": bearing, "after_s": step_s, **more})
            if each:
                each()
            if metres >= end_m or (until and until()):
                return metres
            metres = min(metres + speed * step_s, end_m)

    def follow(self, to_m=None, speed=13.0, until=None, step_s=1.0, from_m=None, beyond=False, **more):
        """Drives along the active route, and along the one that takes its place; ends as `drive` does.

        `to_m` counts from the start of the route that is active at first.
        """
        route = self.active
        check(route is not None, "there is no active route")
        while True:
            line = Line(navstack.polyline6(route["shape"]))
            first, begin = route["id"], from_m
            if begin is None:
                begin = line.nearest(self.place)[0] if self.place else 0.0
                begin = min(begin + (speed * step_s if self.count("guidance/progress") else 0), line.length_m)
            self.drive(line, begin, to_m, speed, lambda: bool(until and until()) or self.other(first), step_s, **more)
            if not self.other(first) or (until and until()):
                return
            route, from_m, to_m = self.active, None, None

    def was_active(self, route_id):
        """Whether this route is or was the active one."""
        return any((state.get("route") or {}).get("id") == route_id for state in self.all("route/active"))

    def other(self, route_id):
        """Whether a route took the place of this one."""
        return self.active is not None and self.active["id"] != route_id

    def start(self, *places, stand=True, bearing=None, **more):
        """Stands at the first place and starts guidance to the others; returns the reply."""
        first = places[0]
        if stand:
            self.stand(first, bearing=bearing)
        waypoints = [place if isinstance(place, dict) else at(place) for place in places[1:]]
        target = {"to": waypoints[0]} if len(waypoints) == 1 else {"waypoints": waypoints}
        reply = self.call("navigate/start", {**target, **more})
        self.running.wait(lambda: self.was_active(reply["route_id"]), 10, "the route is active")
        return reply

    def set_route(self, route):
        reply = self.call("navigate/set_route", {"route": route})
        self.running.wait(lambda: self.was_active(reply["route_id"]), 10, "the route is active")
        return reply

    def wait(self, condition, seconds, what):
        return self.running.wait(condition, seconds, what)
