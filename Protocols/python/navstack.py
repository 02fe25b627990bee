"""Read, write and call a navstack bus from Python; needs pyzmq and msgpack, nothing else.

    import navstack
    for topic, header, payload in navstack.subscribe("ipc:///run/user/1000/navstack/demo", "ego/"):
        print(topic, payload)

A base address stands for three endpoints: `subscribe` reads at one, `publish` writes at another,
`call` asks at the third. Payloads are plain dicts, checked against the contract both ways.
"""

import collections
import contextlib
import difflib
import inspect
import os
import queue
import re
import threading
import time
import uuid
from socket import socketpair

import msgpack
import zmq


class ContractError(ValueError):
    """A payload that is not what the contract says; `path` names the place."""

    def __init__(self, path, text):
        super().__init__(f"{path or 'payload'}: {text}")
        self.path = path


class CallError(Exception):
    """A call that ended without a reply payload; `code` is a word for programs."""

    def __init__(self, code, message, field=None):
        super().__init__(f"{code}: {message}")
        self.code, self.message, self.field = code, message, field


def run_number():
    """The number of what starts now: greater than that of anything that started before in the same stack."""
    epoch_us = os.environ.get("NAV_RUN_EPOCH")
    return time.time_ns() // 1000 if epoch_us is None else int(epoch_us) + time.monotonic_ns() // 1000


def endpoints(base):
    """The endpoints (in, out, control) of a base address."""
    tcp = re.fullmatch(r"tcp://(.+):(\d+)", base)
    if tcp:
        host, port = tcp[1], int(tcp[2])
        return tuple(f"tcp://{host}:{port + n}" for n in range(3))
    return tuple(f"{base}/{name}" for name in ("in", "out", "control"))


def subscribe(base, *topics, context=None, timeout_s=None, check=True):
    """Yields (topic, header, payload) for ever, or until `timeout_s` passes without a message.

    `topics` are whole names (`ego/location/matched`) or prefixes that end in `/`; none means all.
    The last value of each state topic comes first, with `latched` in its header. A payload that
    breaks the contract raises ContractError, unless `check` is False. A deleted key of a state has
    the payload None.
    """
    with (context or zmq.Context.instance()).socket(zmq.SUB) as socket:
        socket.setsockopt(zmq.SNDHWM, 0)
        socket.setsockopt(zmq.LINGER, 0)
        for topic in topics or ("",):
            socket.subscribe(topic.encode())
        socket.connect(endpoints(base)[1])
        while socket.poll(None if timeout_s is None else int(timeout_s * 1000)):
            topic, header, payload = socket.recv_multipart()
            topic = topic.decode()
            if topic.startswith("_bus"):
                continue
            header = msgpack.unpackb(header)
            payload = msgpack.unpackb(payload) if payload else None
            if check and payload is not None:
                declared = declaration(topic)
                if declared:
                    payload = checked(declared, payload)
            yield topic, header, payload


class Publisher:
    """Publishes on one bus under one name; several topics, numbered each."""

    def __init__(self, base, source=None, context=None):
        self.source = source or f"python.{os.getpid()}"
        self.run = run_number()
        self._numbers = collections.Counter()
        self._socket = (context or zmq.Context.instance()).socket(zmq.PUSH)
        self._socket.setsockopt(zmq.LINGER, 2000)
        self._socket.connect(endpoints(base)[0])

    def publish(self, topic, payload, stamp=None, key=None, cause=None):
        """Checks and sends; `topic` with its vehicle, `stamp` the event time in ns (now, if absent)."""
        name = declaration(topic)
        header = {"seq": self._next(topic, key), "stamp": time.time_ns() if stamp is None else stamp}
        header |= {"src": self.source, "run": self.run}
        header["schema"] = TOPICS[name]["schema"] if name else "unknown/1.0"
        if cause:
            header["cause"] = cause
        if key is not None:
            header["key"] = key
        if name:
            header["class"] = TOPICS[name]["class"]
            payload = checked(name, payload, to_wire=True)
        self._socket.send_multipart([topic.encode(), msgpack.packb(header), msgpack.packb(payload)])

    def _next(self, topic, key):
        self._numbers[topic] += 1
        return self._numbers[topic]

    def close(self):
        """Waits up to 2 s until all is sent."""
        self._socket.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


_publishers = {}
_publishers_lock = threading.Lock()


def publish(base, topic, payload, stamp=None, key=None):
    """Publishes one message; the connection is kept for the next one."""
    with _publishers_lock:
        publisher = _publishers.get(base)
        if publisher is None:
            publisher = _publishers[base] = Publisher(base)
        publisher.publish(topic, payload, stamp, key)


def call(base, name, request=None, vehicle="ego", timeout_s=None, context=None):
    """Asks a stage and returns its reply; raises CallError with the stage's or the bus's code."""
    declared = CALLS.get(name)
    request = {} if request is None else request
    if declared:
        request = checked(declared["request"], request, to_wire=True)
    wait_s = timeout_s or (declared["timeout_s"] if declared else 10)
    identity = uuid.uuid4().hex
    head = {"op": "call", "id": identity, "name": name, "vehicle": vehicle}
    head["timeout_ms"] = int(wait_s * 1000)
    with (context or zmq.Context.instance()).socket(zmq.DEALER) as socket:
        socket.setsockopt(zmq.LINGER, 500)
        socket.connect(endpoints(base)[2])
        socket.send_multipart([msgpack.packb(head), msgpack.packb(request)])
        deadline = time.monotonic() + wait_s + 1
        while socket.poll(max(0, int((deadline - time.monotonic()) * 1000))):
            frames = socket.recv_multipart()
            answer = msgpack.unpackb(frames[0])
            if answer.get("op") == "error":
                raise CallError(answer.get("code", "invalid"), answer.get("message", ""))
            if answer.get("op") == "reply" and answer.get("id") == identity:
                return _reply(declared, answer, frames[1] if len(frames) > 1 else b"")
    raise CallError("timeout", f"no answer from the bus within {wait_s + 1:g} s")


def _reply(declared, answer, payload):
    if not answer.get("ok"):
        raise CallError(answer.get("code", "internal"), answer.get("message", ""), answer.get("field"))
    reply = msgpack.unpackb(payload) if payload else {}
    return checked(declared["reply"], reply) if declared else reply


class Call:
    """One call that a handler answers.

    `vehicle` and `source` name the vehicle and the caller, `deadline` is the `time.monotonic()` after which nobody
    waits for the reply. `cancelled` is a `threading.Event`: set when the caller gave up or the server ends.
    """

    def __init__(self, head):
        self.id, self.name = head["id"], head["name"]
        self.vehicle, self.source = head.get("vehicle"), head.get("src")
        self.deadline = time.monotonic() + head.get("timeout_ms", 0) / 1000
        self.cancelled = threading.Event()

    @property
    def is_over(self):
        """Whether the reply would be dropped: the caller gave up, or the deadline has passed."""
        return self.cancelled.is_set() or time.monotonic() >= self.deadline


class _Workers:
    """Daemon threads that run jobs; jobs of one key run one at a time, in the order in which they were added.

    A key of None orders nothing.
    """

    def __init__(self, count):
        self._ready, self._queues, self._lock = queue.SimpleQueue(), {}, threading.Lock()
        self._count = count
        for _ in range(count):
            threading.Thread(target=self._work, daemon=True).start()

    def add(self, key, job):
        with self._lock:
            if key is not None and key in self._queues:
                self._queues[key].append(job)  # the job before it hands it on
                return
            if key is not None:
                self._queues[key] = collections.deque()
        self._ready.put((key, job))

    def end(self):
        """Ends each thread after its current job; jobs that wait are never run."""
        with self._lock:
            self._queues.clear()
        with contextlib.suppress(queue.Empty):
            while True:
                self._ready.get_nowait()
        for _ in range(self._count):
            self._ready.put(None)

    def _work(self):
        while (entry := self._ready.get()) is not None:
            key, job = entry
            job()
            with self._lock:
                waiting = self._queues.get(key)
                if waiting:
                    self._ready.put((key, waiting.popleft()))
                elif waiting is not None:
                    del self._queues[key]


class Server:
    """Answers calls as a node of the bus, as a stage does.

        navstack.Server(bus, "voice", {"voice/repeat": lambda request, vehicle: {"text": "Turn left."}}).run()

    A handler gets the request and the vehicle, and returns the reply or raises CallError. One that takes a third
    argument also gets the `Call`, which says when the caller gave up and until when the reply is of use.

    Handlers run on `workers` threads, so a handler may take as long as its call allows: the thread of `run` goes on
    pinging. Calls of one vehicle run one at a time, in the order in which they came, so that what a stage keeps of a
    vehicle needs no lock; calls of different vehicles run at the same time. With `parallel` every call runs as soon as
    a thread is free: for servers like a router, where one call of a vehicle must not wait for another, as route/cancel
    for route/calculate. Only a handler that never releases the interpreter (a long C function) stops the pings.

    A request of the contract with an unknown field, or one that is too large, is refused before it gets to a handler.
    """

    _PING_S = 0.5

    def __init__(self, base, node, handlers, context=None, workers=8, parallel=False):
        self.node, self.handlers, self.run_number = node, handlers, run_number()
        self._takes_call = {name: _takes_three(handler) for name, handler in handlers.items()}
        self._worker_count, self._parallel = workers, parallel
        self._calls, self._replies = {}, queue.SimpleQueue()
        self._socket = (context or zmq.Context.instance()).socket(zmq.DEALER)
        self._socket.setsockopt(zmq.LINGER, 500)
        self._socket.connect(endpoints(base)[2])

    def run(self, until=lambda: False):
        """Serves for ever, or until `until()` holds; asked at least twice a second.

        At the end, calls under way are cancelled, and the broker reports them to their callers.
        """
        workers = _Workers(self._worker_count)
        # Sockets of ZeroMQ belong to one thread: workers leave replies in a queue and wake this one by a byte.
        wake, self._waker = socketpair()
        wake.setblocking(False)
        self._waker.setblocking(False)
        poller = zmq.Poller()
        poller.register(self._socket, zmq.POLLIN)
        poller.register(wake, zmq.POLLIN)
        try:
            self._register()
            next_ping = time.monotonic() + self._PING_S
            while not until():
                ready = dict(poller.poll(max(0, int((next_ping - time.monotonic()) * 1000))))
                if wake.fileno() in ready:
                    with contextlib.suppress(BlockingIOError):
                        wake.recv(4096)
                    self._send_replies()
                if self._socket in ready:
                    self._take(self._socket.recv_multipart(), workers)
                if time.monotonic() >= next_ping:
                    next_ping = time.monotonic() + self._PING_S
                    self._send({"op": "ping"})
            self._send_replies()
            self._send({"op": "bye"})
        finally:
            for call in self._calls.values():
                call.cancelled.set()
            workers.end()
            for end in (wake, self._waker, self._socket):
                end.close()

    def _register(self):
        head = {"op": "register", "name": self.node, "run": self.run_number, "kind": "node"}
        self._send(head | {"pid": os.getpid(), "serves": sorted(self.handlers)})

    def _take(self, frames, workers):
        head = msgpack.unpackb(frames[0])
        if head["op"] == "pong" and not head.get("known"):
            self._register()  # a new broker does not know us
        elif head["op"] == "rejected" or head.get("code") == "second_server":
            raise CallError(head.get("code", "invalid"), head.get("message", ""))
        elif head["op"] == "cancel":
            if head.get("id") in self._calls:
                self._calls[head["id"]].cancelled.set()
        elif head["op"] == "call" and head["id"] not in self._calls:  # a new broker repeats calls under way
            call = self._calls[head["id"]] = Call(head)
            data = frames[1] if len(frames) > 1 else b""
            key = None if self._parallel else (call.vehicle or "")
            workers.add(key, lambda: self._answer(call, data))

    def _answer(self, call, data):
        """Handles a call on a worker's thread, and leaves its end to the thread of `run`."""
        self._replies.put(self._outcome(call, data))
        with contextlib.suppress(OSError):  # full: it is awake; closed: nobody serves any more
            self._waker.send(b"\0")

    def _outcome(self, call, data):
        """The head and the payload of the reply to a call; no payload where it failed."""
        answer = {"op": "reply", "id": call.id, "ok": True}
        payload = {}
        declared = CALLS.get(call.name)
        try:
            if call.is_over:
                raise CallError("cancelled", "nobody waits for the answer any more")
            if declared and len(data) > declared["max_size"]:
                raise ContractError("", f"has {len(data)} bytes; at most {declared['max_size']} are allowed")
            request = msgpack.unpackb(data) if data else {}
            if declared:
                request = checked(declared["request"], request, strict=True)
            more = (call,) if self._takes_call[call.name] else ()
            payload = self.handlers[call.name](request, call.vehicle, *more) or {}
            if declared:
                payload = checked(declared["reply"], payload, to_wire=True)
            payload = msgpack.packb(payload)
        except CallError as error:
            answer |= {"ok": False, "code": error.code, "message": error.message}
            answer |= {"field": error.field} if error.field else {}
        except (ContractError, msgpack.UnpackException, ValueError) as error:
            answer |= {"ok": False, "code": "invalid", "message": str(error)}
            if path := getattr(error, "path", ""):
                answer["field"] = path
        except Exception as error:  # a defect of the handler must not leave the caller waiting
            answer |= {"ok": False, "code": "internal", "message": f"{type(error).__name__}: {error}"}
        return answer, payload if answer["ok"] else None

    def _send_replies(self):
        with contextlib.suppress(queue.Empty):
            while True:
                answer, payload = self._replies.get_nowait()
                self._calls.pop(answer["id"], None)
                self._send(answer, payload)

    def _send(self, head, payload=None):
        parts = [msgpack.packb(head)]
        self._socket.send_multipart(parts + ([] if payload is None else [payload]))


def _takes_three(handler):
    """Whether a handler takes the call in addition to the request and the vehicle."""
    try:
        inspect.signature(handler).bind(None, None, None)
    except (TypeError, ValueError):
        return False
    return True


def lockstep(handle):
    """A handler of the call `_lockstep/<node>`, for a node that a conductor leads (NAV_LOCKSTEP=1).

        navstack.Server(bus, "voice", {"_lockstep/voice": navstack.lockstep(handle)}).run()

    `handle(event)` gets one event after the other, dicts of type `lockstep_event` with payloads as
    bytes, and returns the outputs, dicts of type `lockstep_output`; CallError refuses the event.
    Nothing else may decide what it says: no clock, no random numbers, no thread.
    """
    declared = CALLS["_lockstep/<node>"]

    def answer(request, _vehicle):
        answers = []
        for event in checked(declared["request"], request, strict=True)["events"]:
            try:
                answers.append({"outputs": list(handle(event) or ())})
            except CallError as error:
                refusal = {"code": error.code, "message": error.message}
                answers.append({"refusal": refusal | ({"field": error.field} if error.field else {})})
        return checked(declared["reply"], {"answers": answers}, to_wire=True)

    return answer


def declaration(topic):
    """The name in the contract of a topic with or without its vehicle; None if it is not there."""
    parts = topic.split("/")
    for leaf in (parts, parts[1:]):
        name = "/".join(leaf)
        if name in TOPICS:
            return name
        for pattern in TOPICS:
            want = pattern.split("/")
            if len(want) == len(leaf) and all(w == h or w[0] == "<" for w, h in zip(want, leaf)):
                return pattern
    return None


def check(structure, payload):
    """Raises ContractError unless `payload` is what the contract says of `structure`."""
    checked(structure, payload)


def checked(structure, payload, path="", to_wire=False, strict=False):
    """`payload`, or ContractError; packed columns become lists, or bytes `to_wire`.

    Unknown keys stay as they are; `strict` refuses them by name, as stages do in requests.
    """
    if not isinstance(payload, dict):
        raise ContractError(path, "expected a map")
    fields = STRUCTURES[structure]
    if strict:
        _refuse_unknown(fields, payload, path)
    result = dict(payload)
    for name, (kind, required, low, high) in fields.items():
        place = f"{path}.{name}" if path else name
        value = payload.get(name)
        if value is None:
            if required:
                raise ContractError(place, "is missing")
            continue
        result[name] = _value(kind, value, low, high, place, to_wire, strict)
    if structure in COLUMNS:
        lengths = {len(_column(payload.get(name) or ())) for name in fields}
        if len(lengths) > 1:
            raise ContractError(path, "its columns have different lengths")
    return result


def _refuse_unknown(fields, payload, path):
    for name in payload:
        if name in fields:
            continue
        near = difflib.get_close_matches(str(name), fields, 1)
        known = f"known fields are {', '.join(fields)}" if fields else "no fields are known here"
        hint = f'did you mean "{near[0]}"?' if near else known
        raise ContractError(f"{path}.{name}" if path else str(name), f'unknown field "{name}"; {hint}')


def _column(value):
    return unpacked(value) if isinstance(value, (bytes, bytearray)) else value


_PLAIN = {"bool": bool, "str": str, "bytes": (bytes, bytearray)}


def _value(kind, value, low, high, path, to_wire, strict=False):
    kind, _, rest = kind.partition(":")
    if kind in _PLAIN:
        if not isinstance(value, _PLAIN[kind]):
            raise ContractError(path, f"expected {kind}")
        return value
    if kind in ("i64", "u64", "f64", "stamp"):
        return _number(kind, value, low, high, path)
    if kind == "packed":
        column = _column(value)
        if not all(isinstance(number, int) for number in column):
            raise ContractError(path, "expected integers")
        return packed(column) if to_wire else column
    if kind == "struct":
        return checked(rest, value, path, to_wire, strict)
    if kind == "words":
        is_open, words = WORDS[rest]
        if not isinstance(value, str) or not (is_open or value in words):
            raise ContractError(path, f"{value!r} is none of {', '.join(words)}")
        return value
    if kind == "map":
        if not isinstance(value, dict):
            raise ContractError(path, "expected a map")
        return {
            k: _value(rest, v, None, None, f"{path}.{k}", to_wire, strict) for k, v in value.items()
        }
    if not isinstance(value, (list, tuple)):
        raise ContractError(path, "expected a list")
    return [
        None
        if v is None and kind == "gaps"
        else _value(rest, v, None, None, f"{path}[{n}]", to_wire, strict)
        for n, v in enumerate(value)
    ]


_BOUNDS = {"i64": (-(2**63), 2**63 - 1), "stamp": (-(2**63), 2**63 - 1), "u64": (0, 2**64 - 1)}


def _number(kind, value, low, high, path):
    wanted = (int, float) if kind == "f64" else int
    if isinstance(value, bool) or not isinstance(value, wanted):
        raise ContractError(path, f"expected {kind}")
    least, greatest = _BOUNDS.get(kind, (-1.7976931348623157e308, 1.7976931348623157e308))
    least = least if low is None else low
    greatest = greatest if high is None else high
    if not least <= value <= greatest:
        raise ContractError(path, f"{value} is outside {least} to {greatest}")
    return value


def packed(values):
    """A column of integers as bytes: zigzag differences as varints."""
    result, previous = bytearray(), 0
    for value in values:
        difference, previous = value - previous, value
        rest = (difference << 1) ^ (difference >> 63)
        while rest > 0x7F:
            result.append(rest & 0x7F | 0x80)
            rest >>= 7
        result.append(rest)
    return bytes(result)


def unpacked(data):
    """The column of integers that `packed` wrote."""
    values, previous, rest, shift = [], 0, 0, 0
    for byte in data:
        rest |= (byte & 0x7F) << shift
        if byte & 0x80:
            shift += 7
            continue
        previous += (rest >> 1) ^ -(rest & 1)
        values.append(previous)
        rest = shift = 0
    return values


def polyline6(text):
    """The points (lat_deg, lon_deg) of a polyline of 6 decimals."""
    points, place, index = [], [0, 0], 0
    while index < len(text):
        for axis in (0, 1):
            shift = result = 0
            while True:
                byte = ord(text[index]) - 63
                index += 1
                result |= (byte & 0x1F) << shift
                shift += 5
                if byte < 0x20:
                    break
            place[axis] += ~(result >> 1) if result & 1 else result >> 1
        points.append((place[0] / 1e6, place[1] / 1e6))
    return points


def split_line(points, index, fraction):
    """The traversed and the remaining part of a route's shape, cut where `guidance/progress` says.

    `points` are those of `polyline6(route["shape"])`, `index` and `fraction` its `shape_index` and `shape_fraction`.
    Both parts hold the place at which they meet, and together they are the route.
    """
    if len(points) < 2:
        return list(points), list(points)
    index = max(0, min(index, len(points) - 2))
    (lat, lon), (to_lat, to_lon) = points[index], points[index + 1]
    here = (lat + (to_lat - lat) * fraction, lon + (to_lon - lon) * fraction)
    return list(points[:index + 1]) + [here], [here] + list(points[index + 1:])


def lines(route, progress):
    """The traversed and the remaining geometry at a `guidance/progress`, as {name: (traversed, remaining)}.

    `route`: from the start to the destination. `stop`: from the stop before to the next one, which ends the section.
    `maneuver`: from the maneuver before to the next one; None after the last. Each pair meets at the location, and
    together it is the whole piece; points are (lat_deg, lon_deg). Raises ValueError when the progress is of another
    route. The cost is linear in the points of the shape.
    """
    if progress["route_id"] != route["id"]:
        raise ValueError(f"the progress is of route {progress['route_id']}, not of {route['id']}")
    points = polyline6(route["shape"])
    section, maneuver = route["sections"][progress["section"]], None
    place = progress["shape_index"], progress["shape_fraction"]
    if progress["maneuvers"]:
        index = progress["maneuvers"][0]["index"]
        first = route["maneuvers"][index - 1]["shape_index"] if index else 0
        maneuver = _split_piece(points, first, route["maneuvers"][index]["shape_index"], *place)
    return {
        "route": split_line(points, *place),
        "stop": _split_piece(points, section["first_shape_index"], section["last_shape_index"], *place),
        "maneuver": maneuver,
    }


def _split_piece(points, first, last, index, fraction):
    """Cuts the points from `first` to `last` at a place; at its ends rounding may put the place just outside."""
    here = split_line(points, index, fraction)[1][0]
    index = max(0, min(index, len(points) - 2))
    traversed = list(points[first:index + 1]) or [points[first]]
    return traversed + [here], [here] + (list(points[index + 1:last + 1]) or [points[last]])


# --- generated by `nav-schema build`: begin ---
STRUCTURES = {
    "added_stop": {
        "kind": ("words:added_stop.kind", True, None, None),
        "name": ("str", False, None, None),
        "lat_deg": ("f64", True, -90, 90),
        "lon_deg": ("f64", True, -180, 180),
        "offset_m": ("f64", True, 0, None),
        "length_m": ("f64", False, 0, None),
        "section": ("i64", False, 0, None),
        "shape_index": ("i64", False, 0, None),
    },
    "deviation_evidence": {
        "rule": ("words:deviation_evidence.rule", True, None, None),
        "fixes": ("i64", True, 1, None),
        "span_s": ("f64", True, 0, None),
        "probability": ("f64", False, 0, 1),
        "distance_m": ("f64", False, 0, None),
        "accuracy_m": ("f64", False, 0, None),
        "since_ns": ("stamp", False, None, None),
    },
    "fetched_region": {
        "name": ("str", True, None, None),
        "bytes": ("u64", True, None, None),
        "received_bytes": ("u64", True, None, None),
        "state": ("words:fetched_region.state", True, None, None),
        "problem": ("str", False, None, None),
    },
    "flow_columns": {
        "way": ("packed", False, None, None),
        "from": ("packed", False, None, None),
        "to": ("packed", False, None, None),
        "speed_mmps": ("packed", False, None, None),
        "jam_factor": ("packed", False, None, None),
        "until_s": ("packed", False, None, None),
    },
    "found_place": {
        "name": ("str", True, None, None),
        "kind": ("words:found_place.kind", True, None, None),
        "detail": ("str", False, None, None),
        "lat_deg": ("f64", True, -90, 90),
        "lon_deg": ("f64", True, -180, 180),
        "distance_m": ("f64", False, 0, None),
    },
    "horizon_piece": {
        "segment": ("struct:segment", True, None, None),
        "parent": ("i64", False, 0, None),
        "level": ("i64", True, 0, None),
        "start_m": ("f64", True, None, None),
        "length_m": ("f64", True, 0, None),
        "probability": ("f64", True, 0, 1),
        "turn_angle_deg": ("f64", False, -180, 180),
        "shape": ("str", True, None, None),
        "road": ("struct:road", True, None, None),
        "lane_count": ("i64", False, 1, None),
        "free_flow_mps": ("f64", False, 0, None),
        "traffic_signals": ("bool", False, None, None),
    },
    "incident": {
        "id": ("str", True, None, None),
        "kind": ("words:incident.kind", True, None, None),
        "impact": ("words:incident.impact", False, None, None),
        "text": ("str", False, None, None),
        "lat_deg": ("f64", False, -90, 90),
        "lon_deg": ("f64", False, -180, 180),
        "bearing_deg": ("f64", False, 0, 360),
        "openlr": ("str", False, None, None),
        "segments": ("list:struct:segment", False, None, None),
        "closed": ("bool", False, None, None),
        "delay_s": ("f64", False, None, None),
        "from_ns": ("stamp", False, None, None),
        "until_ns": ("stamp", False, None, None),
    },
    "installed_region": {
        "name": ("str", True, None, None),
        "bytes": ("u64", True, None, None),
        "data_ns": ("stamp", False, None, None),
        "newer_data_ns": ("stamp", False, None, None),
    },
    "lane": {
        "directions": ("list:str", False, None, None),
        "active": ("str", False, None, None),
        "recommendation": ("words:lane.recommendation", False, None, None),
        "access": ("list:str", False, None, None),
    },
    "lockstep_answer": {
        "outputs": ("list:struct:lockstep_output", False, None, None),
        "refusal": ("struct:lockstep_error", False, None, None),
    },
    "lockstep_error": {
        "code": ("str", True, None, None),
        "message": ("str", False, None, None),
        "field": ("str", False, None, None),
    },
    "lockstep_event": {
        "kind": ("words:lockstep_event.kind", True, None, None),
        "vehicle": ("str", True, None, None),
        "stamp_ns": ("stamp", False, None, None),
        "topic": ("str", False, None, None),
        "src": ("str", False, None, None),
        "run": ("u64", False, None, None),
        "seq": ("u64", False, None, None),
        "key": ("str", False, None, None),
        "latched": ("bool", False, None, None),
        "payload": ("bytes", False, None, None),
        "id": ("str", False, None, None),
        "name": ("str", False, None, None),
        "token": ("u64", False, None, None),
        "error": ("struct:lockstep_error", False, None, None),
    },
    "lockstep_output": {
        "kind": ("words:lockstep_output.kind", True, None, None),
        "stamp_ns": ("stamp", False, None, None),
        "topic": ("str", False, None, None),
        "payload": ("bytes", False, None, None),
        "key": ("str", False, None, None),
        "ttl_ms": ("u64", False, None, None),
        "cause_topic": ("str", False, None, None),
        "cause_src": ("str", False, None, None),
        "cause_run": ("u64", False, None, None),
        "cause_seq": ("u64", False, None, None),
        "name": ("str", False, None, None),
        "timeout_ms": ("u64", False, None, None),
        "token": ("u64", False, None, None),
        "id": ("str", False, None, None),
        "error": ("struct:lockstep_error", False, None, None),
        "level": ("words:lockstep_output.level", False, None, None),
        "text": ("str", False, None, None),
        "amount": ("i64", False, None, None),
        "rate": ("f64", False, 0, None),
        "paused": ("bool", False, None, None),
        "run": ("u64", False, None, None),
        "vehicle": ("str", False, None, None),
        "next_s": ("f64", False, 0, None),
    },
    "lockstep_state": {
        "vehicle": ("str", True, None, None),
        "state": ("bytes", False, None, None),
    },
    "maneuver": {
        "action": ("words:maneuver_action", True, None, None),
        "grade": ("words:turn_grade", False, None, None),
        "side": ("words:side", False, None, None),
        "exit_count": ("i64", False, 0, None),
        "lat_deg": ("f64", True, -90, 90),
        "lon_deg": ("f64", True, -180, 180),
        "offset_m": ("f64", True, 0, None),
        "section": ("i64", True, 0, None),
        "segment": ("i64", True, 0, None),
        "shape_index": ("i64", True, 0, None),
        "turn_angle_deg": ("f64", False, -180, 180),
        "roundabout_angle_deg": ("f64", False, -360, 360),
        "bearing_before_deg": ("f64", True, 0, 360),
        "bearing_after_deg": ("f64", True, 0, 360),
        "from_road": ("struct:road", True, None, None),
        "onto_road": ("struct:road", True, None, None),
        "signpost": ("struct:signpost", False, None, None),
        "lanes": ("list:struct:lane", False, None, None),
        "length_m": ("f64", True, 0, None),
        "duration_s": ("f64", True, 0, None),
        "duration_free_flow_s": ("f64", False, 0, None),
        "duration_latest_s": ("f64", False, 0, None),
        "last_segment": ("i64", False, 0, None),
        "passed_exits": ("list:i64", False, None, None),
        "plain": ("bool", False, None, None),
        "arrival_side": ("words:side", False, None, None),
        "text": ("str", True, None, None),
    },
    "maneuver_progress": {
        "index": ("i64", True, 0, None),
        "remaining_m": ("f64", True, 0, None),
        "remaining_s": ("f64", True, 0, None),
        "remaining_text": ("str", False, None, None),
        "remaining_number": ("f64", False, 0, None),
        "remaining_unit": ("words:distance_unit", False, None, None),
    },
    "navigator_state": {
        "route": ("bytes", False, None, None),
        "travelled_m": ("f64", False, 0, None),
        "seen_m": ("f64", False, 0, None),
        "seen": ("bool", False, None, None),
        "next_milestone": ("i64", False, 1, None),
        "next_maneuver": ("i64", False, 0, None),
        "done_maneuvers": ("i64", False, 0, None),
        "paused": ("bool", False, None, None),
        "arrived": ("bool", False, None, None),
        "rerouting": ("words:navigator_state.rerouting", False, None, None),
        "strategy": ("words:navigator_state.strategy", False, None, None),
        "next_token": ("u64", False, None, None),
        "stamp_ns": ("stamp", True, None, None),
        "sessions": ("i64", False, 0, None),
        "session": ("bytes", False, None, None),
        "speeding": ("bool", False, None, None),
        "priced_ns": ("stamp", False, None, None),
        "warnings": ("list:struct:told_warning", False, None, None),
        "lanes_of": ("i64", False, 0, None),
        "incidents_shown": ("bool", False, None, None),
        "better": ("bytes", False, None, None),
        "reroute": ("bytes", False, None, None),
        "reroute_reason": ("words:navigator_state.reroute_reason", False, None, None),
        "reroute_expires_ns": ("stamp", False, None, None),
        "rejected": ("list:struct:rejected_route", False, None, None),
        "rest_since_ns": ("stamp", False, None, None),
        "last_index": ("i64", False, 0, None),
        "next_added_stop": ("i64", False, 0, None),
        "pace_driven_s": ("f64", False, 0, None),
        "pace_usual_s": ("f64", False, 0, None),
    },
    "poller_state": {
        "planned": ("bytes", False, None, None),
        "refused": ("str", False, None, None),
    },
    "publication_status": {
        "sent": ("u64", False, None, None),
        "refused": ("u64", False, None, None),
        "last_seq": ("u64", False, None, None),
    },
    "rejected_route": {
        "until_ns": ("stamp", True, None, None),
        "way": ("packed", False, None, None),
        "from": ("packed", False, None, None),
        "to": ("packed", False, None, None),
        "least_gain_s": ("f64", False, None, None),
    },
    "road": {
        "name": ("str", False, None, None),
        "number": ("str", False, None, None),
        "road_class": ("words:road_class", False, None, None),
        "speed_limit_mps": ("f64", False, 0, None),
        "tunnel": ("bool", False, None, None),
        "bridge": ("bool", False, None, None),
        "toll": ("bool", False, None, None),
        "ferry": ("bool", False, None, None),
        "unpaved": ("bool", False, None, None),
        "roundabout": ("bool", False, None, None),
        "link": ("bool", False, None, None),
        "left_hand": ("bool", False, None, None),
        "country": ("str", False, None, None),
        "state": ("str", False, None, None),
        "state_code": ("str", False, None, None),
        "car_pool": ("bool", False, None, None),
        "toward": ("list:str", False, None, None),
        "local_name": ("str", False, None, None),
        "number_level": ("i64", False, 1, 6),
        "number_direction": ("str", False, None, None),
        "numbers": ("list:struct:road_number", False, None, None),
        "surface": ("str", False, None, None),
    },
    "road_number": {
        "text": ("str", True, None, None),
        "level": ("i64", False, 1, 6),
        "direction": ("str", False, None, None),
        "language": ("str", False, None, None),
        "network": ("str", False, None, None),
        "shield_text": ("str", False, None, None),
    },
    "road_wish": {
        "south_deg": ("f64", False, -90, 90),
        "west_deg": ("f64", False, -180, 180),
        "north_deg": ("f64", False, -90, 90),
        "east_deg": ("f64", False, -180, 180),
        "polygon": ("str", False, None, None),
        "corridor": ("str", False, None, None),
        "width_m": ("f64", False, 0.1, None),
        "segment": ("struct:segment", False, None, None),
        "speed_factor": ("f64", False, 0.01, 10),
    },
    "route": {
        "id": ("str", True, None, None),
        "handle": ("str", False, None, None),
        "request": ("struct:route_request", True, None, None),
        "waypoints": ("list:struct:route_waypoint", False, None, None),
        "length_m": ("f64", True, 0, None),
        "duration_free_flow_s": ("f64", True, 0, None),
        "duration_traffic_s": ("f64", True, 0, None),
        "duration_latest_s": ("f64", True, 0, None),
        "rest_s": ("f64", False, 0, None),
        "south_deg": ("f64", True, -90, 90),
        "west_deg": ("f64", True, -180, 180),
        "north_deg": ("f64", True, -90, 90),
        "east_deg": ("f64", True, -180, 180),
        "shape": ("str", True, None, None),
        "segments": ("struct:route_segments", True, None, None),
        "sections": ("list:struct:route_section", False, None, None),
        "roads": ("list:struct:road", False, None, None),
        "spans": ("struct:route_spans", True, None, None),
        "span_until_ns": ("list:i64", False, None, None),
        "maneuvers": ("list:struct:maneuver", False, None, None),
        "violations": ("list:struct:violation", False, None, None),
        "traffic_age_s": ("f64", False, 0, None),
        "off_road_lat_deg": ("f64", False, -90, 90),
        "off_road_lon_deg": ("f64", False, -180, 180),
        "computed_ns": ("stamp", True, None, None),
        "engine": ("str", False, None, None),
        "map": ("str", False, None, None),
        "added_stops": ("list:struct:added_stop", False, None, None),
    },
    "route_engine": {
        "name": ("str", True, None, None),
        "kind": ("words:route_engine.kind", True, None, None),
        "modes": ("list:words:travel_mode", False, None, None),
        "options": ("list:str", False, None, None),
        "max_waypoints": ("i64", True, 2, None),
        "alternatives": ("i64", True, 0, None),
        "calls": ("i64", True, 0, None),
        "failures": ("i64", True, 0, None),
        "budget_left": ("i64", False, 0, None),
    },
    "route_incident": {
        "id": ("str", True, None, None),
        "feed": ("str", True, None, None),
        "kind": ("words:route_incident.kind", True, None, None),
        "text": ("str", False, None, None),
        "start_m": ("f64", True, 0, None),
        "length_m": ("f64", True, 0, None),
        "section": ("i64", True, 0, None),
        "spans": ("list:i64", False, None, None),
        "until_ns": ("stamp", False, None, None),
    },
    "route_policy": {
        "avoid": ("list:words:avoidance", False, None, None),
        "avoid_countries": ("list:str", False, None, None),
        "wishes": ("list:struct:road_wish", False, None, None),
        "traffic": ("words:route_policy.traffic", False, None, None),
        "speed_cap_mps": ("f64", False, 0.5, 150),
    },
    "route_request": {
        "waypoints": ("list:struct:waypoint", False, None, None),
        "mode": ("words:travel_mode", False, None, None),
        "optimisation": ("words:route_request.optimisation", False, None, None),
        "avoid": ("list:words:avoidance", False, None, None),
        "traffic": ("words:route_request.traffic", False, None, None),
        "departure_ns": ("stamp", False, None, None),
        "first_maneuver_clearance_m": ("f64", False, 0, None),
        "alternatives": ("i64", False, 0, 8),
        "language": ("str", False, None, None),
        "wishes": ("list:struct:road_wish", False, None, None),
        "avoid_countries": ("list:str", False, None, None),
        "speed_cap_mps": ("f64", False, 0.5, 150),
        "vehicle": ("struct:vehicle", False, None, None),
        "connectivity": ("words:route_request.connectivity", False, None, None),
        "request_id": ("str", False, None, None),
    },
    "route_section": {
        "first_waypoint": ("i64", True, 0, None),
        "last_waypoint": ("i64", True, 0, None),
        "start_m": ("f64", True, 0, None),
        "length_m": ("f64", True, 0, None),
        "duration_free_flow_s": ("f64", True, 0, None),
        "duration_traffic_s": ("f64", True, 0, None),
        "duration_latest_s": ("f64", True, 0, None),
        "first_shape_index": ("i64", True, 0, None),
        "last_shape_index": ("i64", True, 0, None),
        "first_span": ("i64", True, 0, None),
        "span_count": ("i64", True, 0, None),
        "first_maneuver": ("i64", True, 0, None),
        "maneuver_count": ("i64", True, 0, None),
    },
    "route_segments": {
        "way": ("list:i64", False, None, None),
        "from": ("list:i64", False, None, None),
        "to": ("list:i64", False, None, None),
        "start_m": ("list:f64", False, None, None),
        "length_m": ("list:f64", False, None, None),
        "entry_offset_m": ("list:f64", False, None, None),
        "shape_index": ("list:i64", False, None, None),
        "duration_s": ("list:f64", False, None, None),
    },
    "route_spans": {
        "start_m": ("list:f64", False, None, None),
        "length_m": ("list:f64", False, None, None),
        "first_shape_index": ("list:i64", False, None, None),
        "first_segment": ("list:i64", False, None, None),
        "segment_count": ("list:i64", False, None, None),
        "duration_free_flow_s": ("list:f64", False, None, None),
        "duration_traffic_s": ("list:f64", False, None, None),
        "duration_latest_s": ("list:f64", False, None, None),
        "road": ("list:i64", False, None, None),
        "base_speed_mps": ("list:f64", False, None, None),
        "traffic_speed_mps": ("list:f64", False, None, None),
        "traffic_kind": ("list:words:speed_kind", False, None, None),
        "jam_factor": ("list:f64", False, None, None),
    },
    "route_waypoint": {
        "original": ("struct:waypoint", True, None, None),
        "matched_lat_deg": ("f64", True, -90, 90),
        "matched_lon_deg": ("f64", True, -180, 180),
        "offset_m": ("f64", True, 0, None),
        "section": ("i64", True, 0, None),
        "road_name": ("str", False, None, None),
        "side": ("words:side", False, None, None),
        "user_index": ("i64", False, 0, None),
        "distance_m": ("f64", False, 0, None),
        "shape_index": ("i64", False, 0, None),
        "segment": ("struct:segment", False, None, None),
        "segment_offset_m": ("f64", False, 0, None),
        "off_road": ("bool", False, None, None),
        "arrival_s": ("f64", False, 0, None),
    },
    "scene_colour": {
        "name": ("str", True, None, None),
        "value": ("str", True, None, None),
        "mode": ("words:travel_mode", False, None, None),
    },
    "scene_layer": {
        "name": ("words:scene_layer.name", True, None, None),
        "visible": ("bool", True, None, None),
    },
    "scene_panel": {
        "maneuver_index": ("i64", False, 0, None),
        "action": ("words:maneuver_action", False, None, None),
        "grade": ("words:turn_grade", False, None, None),
        "side": ("words:side", False, None, None),
        "exit_count": ("i64", False, 0, None),
        "text": ("str", False, None, None),
        "maneuver_remaining_m": ("f64", False, 0, None),
        "maneuver_distance_text": ("str", False, None, None),
        "next_road": ("struct:road", False, None, None),
        "signpost": ("struct:signpost", False, None, None),
        "lanes": ("list:struct:lane", False, None, None),
        "speed_mps": ("f64", False, 0, None),
        "speed_limit_mps": ("f64", False, 0, None),
        "remaining_m": ("f64", False, 0, None),
        "remaining_s": ("f64", False, 0, None),
        "eta_ns": ("stamp", False, None, None),
        "eta_zone": ("str", False, None, None),
        "eta_utc_offset_s": ("i64", False, None, None),
        "eta_zone_differs": ("bool", False, None, None),
    },
    "scene_route": {
        "id": ("str", True, None, None),
        "shape": ("str", False, None, None),
        "colour": ("str", False, None, None),
        "outline": ("str", False, None, None),
        "width_px": ("f64", False, 1, 40),
    },
    "scene_settings": {
        "camera": ("words:scene_settings.camera", True, None, None),
        "tracking": ("bool", True, None, None),
        "fixed_zoom": ("f64", True, 0, 22),
        "tilt_deg": ("f64", True, 0, 70),
        "north_up": ("bool", True, None, None),
        "anchor_x": ("f64", True, 0, 1),
        "anchor_y": ("f64", True, 0, 1),
        "theme": ("words:scene_settings.theme", True, None, None),
        "eat_up": ("bool", True, None, None),
        "frame_rate_hz": ("f64", True, 1, 240),
        "guidance_frame_rate_hz": ("f64", True, 1, 240),
        "indicator": ("words:scene_settings.indicator", True, None, None),
        "indicator_picture": ("bytes", False, None, None),
        "indicator_picture_type": ("words:scene_settings.indicator_picture_type", False, None, None),
        "layers": ("list:struct:scene_layer", False, None, None),
        "colours": ("list:struct:scene_colour", False, None, None),
        "routes": ("list:struct:scene_route", False, None, None),
    },
    "section_progress": {
        "section": ("i64", True, 0, None),
        "remaining_m": ("f64", True, 0, None),
        "remaining_s": ("f64", True, 0, None),
        "delay_s": ("f64", False, None, None),
        "rest_s": ("f64", False, 0, None),
        "eta_ns": ("stamp", False, None, None),
        "remaining_text": ("str", False, None, None),
        "remaining_number": ("f64", False, 0, None),
        "remaining_unit": ("words:distance_unit", False, None, None),
    },
    "segment": {
        "way": ("i64", True, None, None),
        "from": ("i64", True, None, None),
        "to": ("i64", True, None, None),
    },
    "signpost": {
        "exit_number": ("str", False, None, None),
        "exit_name": ("str", False, None, None),
        "destinations": ("list:str", False, None, None),
        "road_numbers": ("list:str", False, None, None),
    },
    "span_incident": {
        "span": ("i64", True, 0, None),
        "incident": ("i64", True, 0, None),
    },
    "stack_handover": {
        "process": ("str", True, None, None),
        "held_ms": ("f64", True, 0, None),
        "state_bytes": ("u64", True, None, None),
        "calls_held": ("u64", False, None, None),
        "pid": ("i64", False, 0, None),
    },
    "stack_process": {
        "name": ("str", True, None, None),
        "node": ("str", True, None, None),
        "program": ("str", True, None, None),
        "state": ("words:stack_process.state", True, None, None),
        "role": ("words:stack_process.role", True, None, None),
        "pid": ("i64", False, 0, None),
        "lane": ("u64", False, None, None),
        "restarts": ("u64", False, None, None),
        "uptime_s": ("f64", True, 0, None),
        "cpu_s": ("f64", False, 0, None),
        "memory_bytes": ("u64", False, None, None),
        "lost": ("u64", False, None, None),
        "last_end": ("str", False, None, None),
        "note": ("str", False, None, None),
    },
    "subscription_status": {
        "received": ("u64", False, None, None),
        "gaps": ("u64", False, None, None),
        "lost": ("u64", False, None, None),
        "duplicates": ("u64", False, None, None),
        "late": ("u64", False, None, None),
        "refilled": ("u64", False, None, None),
        "queue_drops": ("u64", False, None, None),
        "refused": ("u64", False, None, None),
        "schema_mismatch": ("u64", False, None, None),
        "max_age_ms": ("f64", False, 0, None),
        "health": ("words:subscription_status.health", False, None, None),
        "rate_hz": ("f64", False, 0, None),
        "expect_hz": ("f64", False, 0, None),
        "silence_s": ("f64", False, 0, None),
    },
    "told_warning": {
        "id": ("str", True, None, None),
        "kind": ("str", True, None, None),
        "key": ("str", False, None, None),
        "reached": ("bool", False, None, None),
    },
    "topic_digest": {
        "topic": ("str", True, None, None),
        "sha256": ("str", True, None, None),
        "count": ("u64", True, None, None),
    },
    "traffic_answer": {
        "route_id": ("str", True, None, None),
        "priced_ns": ("stamp", True, None, None),
        "length_m": ("f64", True, 0, None),
        "duration_latest_s": ("f64", True, 0, None),
        "delay_s": ("f64", True, None, None),
        "sections": ("list:struct:traffic_section", False, None, None),
        "spans": ("struct:traffic_spans", True, None, None),
        "span_until_ns": ("list:i64", False, None, None),
        "span_incidents": ("list:struct:span_incident", False, None, None),
        "incidents": ("list:struct:incident", False, None, None),
        "traffic_used": ("bool", False, None, None),
        "traffic_age_s": ("f64", False, 0, None),
    },
    "traffic_section": {
        "section": ("i64", True, 0, None),
        "length_m": ("f64", True, 0, None),
        "duration_free_flow_s": ("f64", True, 0, None),
        "duration_latest_s": ("f64", True, 0, None),
        "delay_s": ("f64", True, None, None),
        "incidents": ("list:i64", False, None, None),
        "base_speed_mps": ("f64", False, 0, None),
        "traffic_speed_mps": ("f64", False, 0, None),
        "jam_factor": ("f64", False, 0, 10),
    },
    "traffic_spans": {
        "span": ("list:i64", False, None, None),
        "length_m": ("list:f64", False, None, None),
        "duration_latest_s": ("list:f64", False, None, None),
        "delay_s": ("list:f64", False, None, None),
        "base_speed_mps": ("list:f64", False, None, None),
        "traffic_speed_mps": ("list:f64", False, None, None),
        "jam_factor": ("list:f64", False, None, None),
        "speed_kind": ("list:words:speed_kind", False, None, None),
    },
    "vehicle": {
        "height_m": ("f64", False, 0, 100),
        "width_m": ("f64", False, 0, 100),
        "length_m": ("f64", False, 0, 1000),
        "weight_t": ("f64", False, 0, 10000),
        "axle_load_t": ("f64", False, 0, 1000),
        "axles": ("i64", False, 0, 100),
        "trailers": ("i64", False, 0, 10),
        "hazardous_goods": ("bool", False, None, None),
    },
    "violation": {
        "kind": ("words:violation.kind", True, None, None),
        "spans": ("list:i64", False, None, None),
    },
    "waypoint": {
        "lat_deg": ("f64", True, -90, 90),
        "lon_deg": ("f64", True, -180, 180),
        "kind": ("words:waypoint_kind", False, None, None),
        "bearing_deg": ("f64", False, 0, 360),
        "rest_s": ("f64", False, 0, None),
        "access_lat_deg": ("f64", False, -90, 90),
        "access_lon_deg": ("f64", False, -180, 180),
        "access_name": ("str", False, None, None),
        "name": ("str", False, None, None),
        "index": ("i64", False, 0, None),
    },
    "_clock": {
        "now_ns": ("stamp", True, None, None),
        "rate": ("f64", False, 0, None),
        "paused": ("bool", False, None, None),
        "run": ("u64", True, None, None),
    },
    "_digest": {
        "topics": ("list:struct:topic_digest", False, None, None),
    },
    "_journal/<node>": {
        "event": ("words:_journal/<node>.event", True, None, None),
        "vehicle": ("str", True, None, None),
        "stamp_ns": ("stamp", False, None, None),
        "topic": ("str", False, None, None),
        "source": ("str", False, None, None),
        "run": ("u64", False, None, None),
        "seq": ("u64", False, None, None),
        "key": ("str", False, None, None),
        "latched": ("bool", False, None, None),
        "id": ("str", False, None, None),
        "name": ("str", False, None, None),
        "token": ("u64", False, None, None),
        "ok": ("bool", False, None, None),
        "code": ("str", False, None, None),
        "message": ("str", False, None, None),
        "field": ("str", False, None, None),
        "payload": ("bytes", False, None, None),
    },
    "_log/<node>": {
        "level": ("words:_log/<node>.level", True, None, None),
        "text": ("str", True, None, None),
        "node": ("str", True, None, None),
        "vehicle": ("str", False, None, None),
    },
    "_node/<name>/status": {
        "node": ("str", True, None, None),
        "program": ("str", False, None, None),
        "version": ("str", False, None, None),
        "state": ("words:_node/<name>/status.state", True, None, None),
        "why": ("str", False, None, None),
        "since_ns": ("stamp", False, None, None),
        "pid": ("i64", False, 0, None),
        "run": ("u64", True, None, None),
        "uptime_s": ("f64", False, 0, None),
        "loop_age_ms": ("f64", False, 0, None),
        "queue": ("u64", False, None, None),
        "latency_p50_ms": ("f64", False, 0, None),
        "latency_p99_ms": ("f64", False, 0, None),
        "memory_bytes": ("u64", False, None, None),
        "cpu_fraction": ("f64", False, 0, None),
        "vehicles": ("u64", False, None, None),
        "subscriptions": ("map:struct:subscription_status", False, None, None),
        "publications": ("map:struct:publication_status", False, None, None),
        "counters": ("map:i64", False, None, None),
        "refusals": ("map:i64", False, None, None),
        "config_hash": ("str", False, None, None),
    },
    "_play/heard/<node>": {
        "number": ("u64", True, None, None),
        "player": ("str", True, None, None),
    },
    "_play/turn": {
        "number": ("u64", True, None, None),
    },
    "_state/<node>": {
        "vehicle": ("str", True, None, None),
        "program": ("str", False, None, None),
        "saved_ns": ("stamp", True, None, None),
        "state": ("bytes", True, None, None),
    },
    "_svc/<service>/<call>": {
        "phase": ("words:_svc/<service>/<call>.phase", True, None, None),
        "id": ("str", True, None, None),
        "call": ("str", True, None, None),
        "vehicle": ("str", False, None, None),
        "source": ("str", False, None, None),
        "server": ("str", False, None, None),
        "timeout_ms": ("u64", False, None, None),
        "ok": ("bool", False, None, None),
        "code": ("str", False, None, None),
        "message": ("str", False, None, None),
        "field": ("str", False, None, None),
        "took_ms": ("f64", False, 0, None),
        "payload_bytes": ("u64", False, None, None),
        "payload": ("bytes", False, None, None),
    },
    "guidance/arrival": {
        "route_id": ("str", True, None, None),
        "event": ("words:guidance/arrival.event", True, None, None),
        "rule": ("words:guidance/arrival.rule", True, None, None),
        "lat_deg": ("f64", True, -90, 90),
        "lon_deg": ("f64", True, -180, 180),
        "distance_m": ("f64", True, 0, None),
        "side": ("words:side", False, None, None),
        "name": ("str", False, None, None),
        "off_road": ("bool", False, None, None),
    },
    "guidance/deviation": {
        "route_id": ("str", True, None, None),
        "first": ("bool", False, None, None),
        "last_lat_deg": ("f64", False, -90, 90),
        "last_lon_deg": ("f64", False, -180, 180),
        "section": ("i64", False, 0, None),
        "travelled_on_section_m": ("f64", False, 0, None),
        "location": ("struct:location/matched", True, None, None),
        "distance_m": ("f64", False, 0, None),
        "evidence": ("struct:deviation_evidence", True, None, None),
    },
    "guidance/horizon": {
        "route_id": ("str", False, None, None),
        "current": ("i64", True, 0, None),
        "offset_m": ("f64", True, 0, None),
        "pieces": ("list:struct:horizon_piece", False, None, None),
    },
    "guidance/lanes": {
        "route_id": ("str", False, None, None),
        "maneuver_index": ("i64", False, 0, None),
        "lanes": ("list:struct:lane", False, None, None),
    },
    "guidance/maneuver": {
        "route_id": ("str", True, None, None),
        "event": ("words:guidance/maneuver.event", True, None, None),
        "index": ("i64", True, 0, None),
        "action": ("words:maneuver_action", True, None, None),
        "remaining_m": ("f64", False, 0, None),
        "text": ("str", False, None, None),
    },
    "guidance/milestone": {
        "route_id": ("str", True, None, None),
        "event": ("words:guidance/milestone.event", True, None, None),
        "kind": ("words:guidance/milestone.kind", True, None, None),
        "waypoint": ("i64", True, 0, None),
        "index": ("i64", False, 0, None),
        "section": ("i64", True, 0, None),
        "name": ("str", False, None, None),
        "lat_deg": ("f64", True, -90, 90),
        "lon_deg": ("f64", True, -180, 180),
        "matched_lat_deg": ("f64", True, -90, 90),
        "matched_lon_deg": ("f64", True, -180, 180),
        "distance_m": ("f64", False, 0, None),
        "added_stop": ("i64", False, 0, None),
        "boards": ("words:guidance/milestone.boards", False, None, None),
    },
    "guidance/offroad": {
        "route_id": ("str", True, None, None),
        "remaining_m": ("f64", True, 0, None),
        "bearing_deg": ("f64", True, 0, 360),
        "lat_deg": ("f64", True, -90, 90),
        "lon_deg": ("f64", True, -180, 180),
    },
    "guidance/progress": {
        "route_id": ("str", True, None, None),
        "on_route": ("words:guidance/progress.on_route", True, None, None),
        "section": ("i64", True, 0, None),
        "travelled_on_section_m": ("f64", True, 0, None),
        "travelled_m": ("f64", True, 0, None),
        "remaining_m": ("f64", True, 0, None),
        "remaining_s": ("f64", True, 0, None),
        "rest_s": ("f64", False, 0, None),
        "remaining_text": ("str", True, None, None),
        "remaining_number": ("f64", True, 0, None),
        "remaining_unit": ("words:distance_unit", True, None, None),
        "eta_ns": ("stamp", True, None, None),
        "eta_zone": ("str", False, None, None),
        "eta_utc_offset_s": ("i64", False, None, None),
        "eta_zone_differs": ("bool", False, None, None),
        "sections": ("list:struct:section_progress", False, None, None),
        "maneuvers": ("list:struct:maneuver_progress", False, None, None),
        "shape_index": ("i64", True, 0, None),
        "shape_fraction": ("f64", True, 0, 1),
        "next_waypoint": ("i64", False, 1, None),
        "segment_index": ("i64", False, 0, None),
        "lat_deg": ("f64", True, -90, 90),
        "lon_deg": ("f64", True, -180, 180),
        "bearing_deg": ("f64", False, 0, 360),
        "speed_mps": ("f64", False, 0, None),
        "speed_limit_mps": ("f64", False, 0, None),
        "estimated": ("bool", False, None, None),
        "traffic_ns": ("stamp", False, None, None),
    },
    "guidance/reroute": {
        "state": ("words:guidance/reroute.state", True, None, None),
        "reason": ("words:guidance/reroute.reason", False, None, None),
        "strategy": ("words:guidance/reroute.strategy", False, None, None),
        "route_id": ("str", False, None, None),
        "new_route_id": ("str", False, None, None),
        "route": ("struct:route", False, None, None),
        "error_code": ("str", False, None, None),
        "error_text": ("str", False, None, None),
        "attempt": ("i64", False, 1, None),
        "next_try_s": ("f64", False, 0, None),
        "proposes": ("bool", False, None, None),
        "evidence": ("struct:deviation_evidence", False, None, None),
    },
    "guidance/road": {
        "road": ("struct:road", False, None, None),
        "segment": ("struct:segment", False, None, None),
        "controlled_access": ("bool", False, None, None),
        "divided": ("bool", False, None, None),
        "private": ("bool", False, None, None),
        "no_through": ("bool", False, None, None),
        "lane_count": ("i64", False, 1, None),
        "lanes": ("list:struct:lane", False, None, None),
    },
    "guidance/speed": {
        "limit_mps": ("f64", False, 0, None),
        "regular_limit_mps": ("f64", False, 0, None),
        "advisory_limit_mps": ("f64", False, 0, None),
        "conditional_limit_mps": ("f64", False, 0, None),
        "condition": ("words:guidance/speed.condition", False, None, None),
        "vehicle_limit_mps": ("f64", False, 0, None),
        "speed_mps": ("f64", False, 0, None),
        "exceeded": ("bool", False, None, None),
        "warning": ("words:guidance/speed.warning", False, None, None),
    },
    "guidance/traffic": {
        "route_id": ("str", False, None, None),
        "incidents": ("list:struct:route_incident", False, None, None),
    },
    "guidance/warning": {
        "id": ("str", True, None, None),
        "kind": ("words:guidance/warning.kind", True, None, None),
        "event": ("words:guidance/warning.event", True, None, None),
        "distance_m": ("f64", False, 0, None),
        "length_m": ("f64", False, 0, None),
        "lat_deg": ("f64", False, -90, 90),
        "lon_deg": ("f64", False, -180, 180),
        "segment": ("struct:segment", False, None, None),
        "limit_mps": ("f64", False, 0, None),
        "text": ("str", False, None, None),
        "route_id": ("str", False, None, None),
    },
    "location/interpolated": {
        "state": ("words:location/interpolated.state", True, None, None),
        "reason": ("words:location/interpolated.reason", False, None, None),
        "lat_deg": ("f64", False, -90, 90),
        "lon_deg": ("f64", False, -180, 180),
        "bearing_deg": ("f64", False, 0, 360),
        "segment": ("struct:segment", False, None, None),
        "offset_m": ("f64", False, 0, None),
        "path": ("list:struct:segment", False, None, None),
        "probability": ("f64", False, 0, 1),
        "distance_m": ("f64", False, 0, None),
        "off_road_probability": ("f64", False, 0, 1),
        "off_route_probability": ("f64", False, 0, 1),
        "wrong_way": ("bool", False, None, None),
        "estimated": ("bool", False, None, None),
        "in_tunnel": ("bool", False, None, None),
        "teleport": ("bool", False, None, None),
        "z_level": ("i64", False, -10, 10),
        "uncertainty_m": ("f64", False, 0, None),
        "speed_mps": ("f64", False, 0, None),
        "consecutive": ("u64", False, None, None),
        "candidates": ("u64", False, None, None),
        "raw": ("struct:location/raw", False, None, None),
    },
    "location/matched": {
        "state": ("words:location/matched.state", True, None, None),
        "reason": ("words:location/matched.reason", False, None, None),
        "lat_deg": ("f64", False, -90, 90),
        "lon_deg": ("f64", False, -180, 180),
        "bearing_deg": ("f64", False, 0, 360),
        "segment": ("struct:segment", False, None, None),
        "offset_m": ("f64", False, 0, None),
        "path": ("list:struct:segment", False, None, None),
        "probability": ("f64", False, 0, 1),
        "distance_m": ("f64", False, 0, None),
        "off_road_probability": ("f64", False, 0, 1),
        "off_route_probability": ("f64", False, 0, 1),
        "wrong_way": ("bool", False, None, None),
        "estimated": ("bool", False, None, None),
        "in_tunnel": ("bool", False, None, None),
        "teleport": ("bool", False, None, None),
        "z_level": ("i64", False, -10, 10),
        "uncertainty_m": ("f64", False, 0, None),
        "speed_mps": ("f64", False, 0, None),
        "consecutive": ("u64", False, None, None),
        "candidates": ("u64", False, None, None),
        "raw": ("struct:location/raw", False, None, None),
    },
    "location/raw": {
        "lat_deg": ("f64", True, -90, 90),
        "lon_deg": ("f64", True, -180, 180),
        "time_ns": ("stamp", False, None, None),
        "bearing_deg": ("f64", False, 0, 360),
        "speed_mps": ("f64", False, 0, None),
        "accuracy_m": ("f64", False, 0, None),
        "bearing_accuracy_deg": ("f64", False, 0, 360),
        "speed_accuracy_mps": ("f64", False, 0, None),
        "altitude_m": ("f64", False, None, None),
        "provider": ("str", False, None, None),
        "priority": ("i64", False, None, None),
    },
    "location/smoothed": {
        "state": ("words:location/smoothed.state", True, None, None),
        "reason": ("words:location/smoothed.reason", False, None, None),
        "lat_deg": ("f64", False, -90, 90),
        "lon_deg": ("f64", False, -180, 180),
        "bearing_deg": ("f64", False, 0, 360),
        "segment": ("struct:segment", False, None, None),
        "offset_m": ("f64", False, 0, None),
        "path": ("list:struct:segment", False, None, None),
        "probability": ("f64", False, 0, 1),
        "distance_m": ("f64", False, 0, None),
        "off_road_probability": ("f64", False, 0, 1),
        "off_route_probability": ("f64", False, 0, 1),
        "wrong_way": ("bool", False, None, None),
        "estimated": ("bool", False, None, None),
        "in_tunnel": ("bool", False, None, None),
        "teleport": ("bool", False, None, None),
        "z_level": ("i64", False, -10, 10),
        "uncertainty_m": ("f64", False, 0, None),
        "speed_mps": ("f64", False, 0, None),
        "consecutive": ("u64", False, None, None),
        "candidates": ("u64", False, None, None),
        "raw": ("struct:location/raw", False, None, None),
    },
    "map/regions": {
        "source": ("str", True, None, None),
        "problem": ("str", False, None, None),
        "offered": ("u64", True, None, None),
        "installed": ("list:struct:installed_region", False, None, None),
        "missing": ("list:struct:fetched_region", False, None, None),
    },
    "route/active": {
        "reason": ("words:route/active.reason", True, None, None),
        "paused": ("bool", False, None, None),
        "route": ("struct:route", False, None, None),
        "replaces": ("str", False, None, None),
    },
    "route/alternatives": {
        "routes": ("list:struct:route", False, None, None),
    },
    "route/better": {
        "id": ("str", True, None, None),
        "state": ("words:route/better.state", True, None, None),
        "route_id": ("str", True, None, None),
        "route": ("struct:route", False, None, None),
        "gain_s": ("f64", True, None, None),
        "longer_m": ("f64", True, None, None),
        "shape_changed": ("bool", True, None, None),
        "avoids_closure": ("bool", False, None, None),
        "threshold_s": ("f64", False, 0, None),
        "expires_ns": ("stamp", False, None, None),
        "checks": ("u64", False, None, None),
    },
    "route/closures": {
        "closed": ("i64", True, 0, None),
    },
    "route/error": {
        "code": ("str", True, None, None),
        "text": ("str", True, None, None),
        "during": ("words:route/error.during", True, None, None),
        "route_id": ("str", False, None, None),
    },
    "route/progress": {
        "request_id": ("str", True, None, None),
        "call": ("str", True, None, None),
        "step": ("words:route/progress.step", True, None, None),
        "share": ("f64", True, 0, 1),
    },
    "scene/frame": {
        "camera_lat_deg": ("f64", True, -90, 90),
        "camera_lon_deg": ("f64", True, -180, 180),
        "camera_zoom": ("f64", True, 0, 24),
        "camera_tilt_deg": ("f64", True, 0, 85),
        "camera_bearing_deg": ("f64", True, 0, 360),
        "camera_mode": ("words:scene/frame.camera_mode", True, None, None),
        "indicator_lat_deg": ("f64", False, -90, 90),
        "indicator_lon_deg": ("f64", False, -180, 180),
        "indicator_bearing_deg": ("f64", False, 0, 360),
        "indicator_style": ("words:scene/frame.indicator_style", False, None, None),
        "anchor_x": ("f64", False, 0, 1),
        "anchor_y": ("f64", False, 0, 1),
        "night": ("bool", False, None, None),
        "route_id": ("str", False, None, None),
        "eat_up_shape_index": ("i64", False, 0, None),
        "eat_up_shape_fraction": ("f64", False, 0, 1),
        "panel": ("struct:scene_panel", False, None, None),
    },
    "scene/settings": {
        "camera": ("words:scene/settings.camera", True, None, None),
        "tracking": ("bool", True, None, None),
        "fixed_zoom": ("f64", True, 0, 22),
        "tilt_deg": ("f64", True, 0, 70),
        "north_up": ("bool", True, None, None),
        "anchor_x": ("f64", True, 0, 1),
        "anchor_y": ("f64", True, 0, 1),
        "theme": ("words:scene/settings.theme", True, None, None),
        "eat_up": ("bool", True, None, None),
        "frame_rate_hz": ("f64", True, 1, 240),
        "guidance_frame_rate_hz": ("f64", True, 1, 240),
        "indicator": ("words:scene/settings.indicator", True, None, None),
        "indicator_picture": ("bytes", False, None, None),
        "indicator_picture_type": ("words:scene/settings.indicator_picture_type", False, None, None),
        "layers": ("list:struct:scene_layer", False, None, None),
        "colours": ("list:struct:scene_colour", False, None, None),
        "routes": ("list:struct:scene_route", False, None, None),
    },
    "session": {
        "id": ("str", True, None, None),
        "state": ("words:session.state", True, None, None),
        "mode": ("words:travel_mode", True, None, None),
        "started_ns": ("stamp", True, None, None),
        "ended_ns": ("stamp", False, None, None),
    },
    "traffic/flow": {
        "feed": ("str", True, None, None),
        "observed_ns": ("stamp", True, None, None),
        "until_ns": ("stamp", False, None, None),
        "speed_kind": ("words:speed_kind", False, None, None),
        "flow": ("struct:flow_columns", True, None, None),
    },
    "traffic/incidents": {
        "feed": ("str", True, None, None),
        "observed_ns": ("stamp", True, None, None),
        "incidents": ("list:struct:incident", False, None, None),
    },
    "voice/announcement": {
        "key": ("str", True, None, None),
        "kind": ("words:voice/announcement.kind", True, None, None),
        "text": ("str", True, None, None),
        "ssml": ("str", False, None, None),
        "language": ("str", True, None, None),
        "priority": ("i64", False, 0, 100),
        "interrupts": ("bool", False, None, None),
        "route_id": ("str", False, None, None),
        "maneuver_index": ("i64", False, 0, None),
        "distance_m": ("f64", False, 0, None),
        "time_s": ("f64", False, 0, None),
        "expected_duration_s": ("f64", True, 0, None),
        "rule": ("str", False, None, None),
    },
    "voice/spoken": {
        "key": ("str", True, None, None),
        "outcome": ("words:voice/spoken.outcome", True, None, None),
        "duration_s": ("f64", False, 0, None),
        "latency_s": ("f64", False, 0, None),
        "sink": ("str", False, None, None),
        "text": ("str", False, None, None),
    },
    "lockstep_request": {
        "now_ns": ("stamp", False, None, None),
        "states": ("bool", False, None, None),
        "events": ("list:struct:lockstep_event", False, None, None),
    },
    "lockstep_reply": {
        "answers": ("list:struct:lockstep_answer", False, None, None),
        "states": ("list:struct:lockstep_state", False, None, None),
    },
    "location_control_request": {
        "command": ("words:location_control_request.command", True, None, None),
        "rate": ("f64", False, 0, None),
        "to_ns": ("stamp", False, None, None),
        "to_s": ("f64", False, 0, None),
        "at_m": ("f64", False, 0, None),
        "steps": ("i64", False, 1, None),
    },
    "location_control_reply": {
        "now_ns": ("stamp", True, None, None),
        "rate": ("f64", True, 0, None),
        "paused": ("bool", True, None, None),
        "run": ("u64", False, None, None),
    },
    "location_interpolate_request": {
        "for_s": ("f64", False, 1, 3600),
    },
    "location_interpolate_reply": {
        "until_ns": ("stamp", True, None, None),
        "hz": ("f64", True, 0, None),
    },
    "map_fetch_request": {
        "name": ("str", False, None, None),
        "lat_deg": ("f64", False, -90, 90),
        "lon_deg": ("f64", False, -180, 180),
    },
    "map_fetch_reply": {
        "regions": ("list:str", False, None, None),
    },
    "map_segment_request": {
        "segment": ("struct:segment", True, None, None),
    },
    "map_segment_reply": {
        "road": ("struct:road", True, None, None),
        "shape": ("str", True, None, None),
        "length_m": ("f64", True, 0, None),
        "free_flow_mps": ("f64", False, 0, None),
        "lanes": ("i64", False, 0, None),
        "surface": ("str", False, None, None),
        "access": ("list:words:travel_mode", False, None, None),
        "one_way": ("bool", False, None, None),
        "z_level": ("i64", False, -10, 10),
    },
    "match_trace_request": {
        "fixes": ("list:struct:location/raw", False, None, None),
        "mode": ("words:travel_mode", False, None, None),
    },
    "match_trace_reply": {
        "matches": ("list:struct:location/matched", False, None, None),
        "path": ("list:struct:segment", False, None, None),
        "shape": ("str", True, None, None),
        "length_m": ("f64", True, 0, None),
        "confidence": ("f64", True, 0, 1),
    },
    "navigate_accept_better_request": {
        "id": ("str", False, None, None),
    },
    "navigate_accept_better_reply": {
        "route_id": ("str", True, None, None),
        "gain_s": ("f64", False, None, None),
    },
    "navigate_accept_reroute_request": {
    },
    "navigate_accept_reroute_reply": {
    },
    "navigate_add_waypoint_request": {
        "waypoint": ("struct:waypoint", True, None, None),
        "at": ("i64", False, 0, None),
    },
    "navigate_add_waypoint_reply": {
        "route_id": ("str", True, None, None),
        "index": ("i64", False, 0, None),
    },
    "navigate_avoid_ahead_request": {
        "length_m": ("f64", False, 1, None),
    },
    "navigate_avoid_ahead_reply": {
        "route_id": ("str", True, None, None),
    },
    "navigate_cancel_reroute_request": {
    },
    "navigate_cancel_reroute_reply": {
    },
    "navigate_keep_route_request": {
    },
    "navigate_keep_route_reply": {
    },
    "navigate_pause_request": {
    },
    "navigate_pause_reply": {
    },
    "navigate_reject_better_request": {
        "id": ("str", False, None, None),
    },
    "navigate_reject_better_reply": {
        "route_id": ("str", True, None, None),
    },
    "navigate_reject_reroute_request": {
    },
    "navigate_reject_reroute_reply": {
    },
    "navigate_resume_request": {
    },
    "navigate_resume_reply": {
    },
    "navigate_set_rerouting_request": {
        "policy": ("words:navigate_set_rerouting_request.policy", True, None, None),
        "strategy": ("words:navigate_set_rerouting_request.strategy", False, None, None),
    },
    "navigate_set_rerouting_reply": {
    },
    "navigate_set_route_request": {
        "route": ("struct:route", False, None, None),
    },
    "navigate_set_route_reply": {
        "route_id": ("str", False, None, None),
    },
    "navigate_set_traffic_request": {
        "route_id": ("str", True, None, None),
        "priced_ns": ("stamp", True, None, None),
        "length_m": ("f64", True, 0, None),
        "duration_latest_s": ("f64", True, 0, None),
        "delay_s": ("f64", True, None, None),
        "sections": ("list:struct:traffic_section", False, None, None),
        "spans": ("struct:traffic_spans", True, None, None),
        "span_until_ns": ("list:i64", False, None, None),
        "span_incidents": ("list:struct:span_incident", False, None, None),
        "incidents": ("list:struct:incident", False, None, None),
        "traffic_used": ("bool", False, None, None),
        "traffic_age_s": ("f64", False, 0, None),
    },
    "navigate_set_traffic_reply": {
    },
    "navigate_skip_waypoint_request": {
        "waypoint": ("i64", False, 0, None),
        "index": ("i64", False, 0, None),
    },
    "navigate_skip_waypoint_reply": {
        "route_id": ("str", True, None, None),
    },
    "navigate_start_request": {
        "to": ("struct:waypoint", False, None, None),
        "waypoints": ("list:struct:waypoint", False, None, None),
        "from_here": ("bool", False, None, None),
        "mode": ("words:travel_mode", False, None, None),
        "optimisation": ("words:navigate_start_request.optimisation", False, None, None),
        "avoid": ("list:words:avoidance", False, None, None),
        "vehicle": ("struct:vehicle", False, None, None),
        "traffic": ("words:navigate_start_request.traffic", False, None, None),
        "departure_ns": ("stamp", False, None, None),
        "first_maneuver_clearance_m": ("f64", False, 0, None),
        "alternatives": ("i64", False, 0, 8),
        "language": ("str", False, None, None),
        "wishes": ("list:struct:road_wish", False, None, None),
        "avoid_countries": ("list:str", False, None, None),
        "speed_cap_mps": ("f64", False, 0.5, 150),
        "connectivity": ("words:navigate_start_request.connectivity", False, None, None),
        "request_id": ("str", False, None, None),
    },
    "navigate_start_reply": {
        "route_id": ("str", True, None, None),
        "length_m": ("f64", True, 0, None),
        "duration_s": ("f64", True, 0, None),
        "alternatives": ("i64", False, 0, None),
    },
    "navigate_stop_request": {
    },
    "navigate_stop_reply": {
    },
    "place_find_request": {
        "text": ("str", True, None, None),
        "lat_deg": ("f64", False, -90, 90),
        "lon_deg": ("f64", False, -180, 180),
        "limit": ("i64", False, 1, 100),
    },
    "place_find_reply": {
        "places": ("list:struct:found_place", False, None, None),
    },
    "record_start_request": {
        "path": ("str", True, None, None),
        "topics": ("list:str", False, None, None),
        "split_s": ("f64", False, 1, None),
        "split_bytes": ("u64", False, None, None),
        "keep_bytes": ("u64", False, None, None),
        "files": ("map:str", False, None, None),
        "notes": ("map:str", False, None, None),
    },
    "record_start_reply": {
        "path": ("str", True, None, None),
    },
    "record_status_request": {
    },
    "record_status_reply": {
        "recording": ("bool", True, None, None),
        "path": ("str", False, None, None),
        "files": ("list:str", False, None, None),
        "messages": ("u64", True, None, None),
        "bytes": ("u64", True, None, None),
        "queued": ("u64", True, None, None),
        "lost": ("map:u64", False, None, None),
        "error": ("str", False, None, None),
    },
    "record_stop_request": {
    },
    "record_stop_reply": {
        "files": ("list:str", False, None, None),
        "messages": ("u64", True, None, None),
        "bytes": ("u64", True, None, None),
        "lost": ("u64", True, None, None),
    },
    "route_calculate_request": {
        "waypoints": ("list:struct:waypoint", False, None, None),
        "mode": ("words:travel_mode", False, None, None),
        "optimisation": ("words:route_calculate_request.optimisation", False, None, None),
        "avoid": ("list:words:avoidance", False, None, None),
        "traffic": ("words:route_calculate_request.traffic", False, None, None),
        "departure_ns": ("stamp", False, None, None),
        "first_maneuver_clearance_m": ("f64", False, 0, None),
        "alternatives": ("i64", False, 0, 8),
        "language": ("str", False, None, None),
        "wishes": ("list:struct:road_wish", False, None, None),
        "avoid_countries": ("list:str", False, None, None),
        "speed_cap_mps": ("f64", False, 0.5, 150),
        "vehicle": ("struct:vehicle", False, None, None),
        "connectivity": ("words:route_calculate_request.connectivity", False, None, None),
        "request_id": ("str", False, None, None),
    },
    "route_calculate_reply": {
        "routes": ("list:struct:route", False, None, None),
        "engine": ("str", False, None, None),
        "fell_back": ("str", False, None, None),
        "compute_s": ("f64", False, 0, None),
    },
    "route_cancel_request": {
        "request_id": ("str", True, None, None),
    },
    "route_cancel_reply": {
        "cancelled": ("bool", True, None, None),
    },
    "route_engines_request": {
    },
    "route_engines_reply": {
        "connectivity": ("words:route_engines_reply.connectivity", True, None, None),
        "engines": ("list:struct:route_engine", False, None, None),
    },
    "route_import_request": {
        "gpx": ("str", False, None, None),
        "line": ("str", False, None, None),
        "segments": ("list:struct:segment", False, None, None),
        "osrm": ("str", False, None, None),
        "valhalla": ("str", False, None, None),
        "mode": ("words:travel_mode", False, None, None),
        "language": ("str", False, None, None),
        "request_id": ("str", False, None, None),
    },
    "route_import_reply": {
        "route": ("struct:route", True, None, None),
        "matched_share": ("f64", True, 0, 1),
        "gap_m": ("f64", True, 0, None),
    },
    "route_policy_request": {
        "policy": ("struct:route_policy", False, None, None),
    },
    "route_policy_reply": {
        "policy": ("struct:route_policy", True, None, None),
    },
    "route_refresh_request": {
        "handle": ("str", True, None, None),
        "section": ("i64", False, 0, None),
        "travelled_on_section_m": ("f64", False, 0, None),
        "better": ("bool", False, None, None),
    },
    "route_refresh_reply": {
        "route": ("struct:route", True, None, None),
        "better": ("struct:route", False, None, None),
        "shape_changed": ("bool", False, None, None),
    },
    "route_return_request": {
        "route": ("struct:route", False, None, None),
        "handle": ("str", False, None, None),
        "lat_deg": ("f64", True, -90, 90),
        "lon_deg": ("f64", True, -180, 180),
        "bearing_deg": ("f64", False, 0, 360),
        "speed_mps": ("f64", False, 0, None),
        "segment": ("struct:segment", False, None, None),
        "offset_m": ("f64", False, 0, None),
        "section": ("i64", False, 0, None),
        "travelled_on_section_m": ("f64", False, 0, None),
        "strategy": ("words:route_return_request.strategy", False, None, None),
    },
    "route_return_reply": {
        "route": ("struct:route", True, None, None),
        "rejoins_shape_index": ("i64", False, 0, None),
        "engine": ("str", False, None, None),
        "fell_back": ("str", False, None, None),
    },
    "route_traffic_request": {
        "handle": ("str", True, None, None),
        "section": ("i64", False, 0, None),
        "travelled_on_section_m": ("f64", False, 0, None),
    },
    "route_traffic_reply": {
        "route_id": ("str", True, None, None),
        "priced_ns": ("stamp", True, None, None),
        "length_m": ("f64", True, 0, None),
        "duration_latest_s": ("f64", True, 0, None),
        "delay_s": ("f64", True, None, None),
        "sections": ("list:struct:traffic_section", False, None, None),
        "spans": ("struct:traffic_spans", True, None, None),
        "span_until_ns": ("list:i64", False, None, None),
        "span_incidents": ("list:struct:span_incident", False, None, None),
        "incidents": ("list:struct:incident", False, None, None),
        "traffic_used": ("bool", False, None, None),
        "traffic_age_s": ("f64", False, 0, None),
    },
    "route_watch_request": {
        "route": ("struct:route", False, None, None),
    },
    "route_watch_reply": {
        "route_id": ("str", False, None, None),
    },
    "scene_control_request": {
        "reset": ("bool", False, None, None),
        "camera": ("words:scene_control_request.camera", False, None, None),
        "tracking": ("bool", False, None, None),
        "fixed_zoom": ("f64", False, 0, 22),
        "tilt_deg": ("f64", False, 0, 70),
        "north_up": ("bool", False, None, None),
        "anchor_x": ("f64", False, 0, 1),
        "anchor_y": ("f64", False, 0, 1),
        "theme": ("words:scene_control_request.theme", False, None, None),
        "eat_up": ("bool", False, None, None),
        "frame_rate_hz": ("f64", False, 1, 240),
        "guidance_frame_rate_hz": ("f64", False, 1, 240),
        "indicator": ("words:scene_control_request.indicator", False, None, None),
        "indicator_picture": ("bytes", False, None, None),
        "indicator_picture_type": ("words:scene_control_request.indicator_picture_type", False, None, None),
        "layers": ("list:struct:scene_layer", False, None, None),
        "colours": ("list:struct:scene_colour", False, None, None),
        "routes": ("list:struct:scene_route", False, None, None),
    },
    "scene_control_reply": {
        "camera": ("words:scene_control_reply.camera", True, None, None),
        "tracking": ("bool", True, None, None),
        "fixed_zoom": ("f64", True, 0, 22),
        "tilt_deg": ("f64", True, 0, 70),
        "north_up": ("bool", True, None, None),
        "anchor_x": ("f64", True, 0, 1),
        "anchor_y": ("f64", True, 0, 1),
        "theme": ("words:scene_control_reply.theme", True, None, None),
        "eat_up": ("bool", True, None, None),
        "frame_rate_hz": ("f64", True, 1, 240),
        "guidance_frame_rate_hz": ("f64", True, 1, 240),
        "indicator": ("words:scene_control_reply.indicator", True, None, None),
        "indicator_picture": ("bytes", False, None, None),
        "indicator_picture_type": ("words:scene_control_reply.indicator_picture_type", False, None, None),
        "layers": ("list:struct:scene_layer", False, None, None),
        "colours": ("list:struct:scene_colour", False, None, None),
        "routes": ("list:struct:scene_route", False, None, None),
    },
    "scene_shield_request": {
        "span": ("i64", False, 0, None),
        "number": ("str", False, None, None),
        "level": ("i64", False, 1, 6),
        "country": ("str", False, None, None),
        "state_code": ("str", False, None, None),
        "direction": ("str", False, None, None),
        "shield_text": ("str", False, None, None),
        "width_px": ("i64", False, 8, 2048),
        "height_px": ("i64", False, 8, 2048),
        "scheme": ("words:scene_shield_request.scheme", False, None, None),
        "night": ("bool", False, None, None),
        "format": ("words:scene_shield_request.format", False, None, None),
    },
    "scene_shield_reply": {
        "picture": ("bytes", True, None, None),
        "format": ("words:scene_shield_reply.format", True, None, None),
        "width_px": ("i64", True, 1, None),
        "height_px": ("i64", True, 1, None),
        "description": ("str", True, None, None),
        "key": ("str", True, None, None),
    },
    "stack_log_request": {
        "node": ("str", True, None, None),
        "after": ("u64", False, None, None),
    },
    "stack_log_reply": {
        "last": ("u64", True, None, None),
        "lines": ("list:str", False, None, None),
    },
    "stack_nodes_request": {
    },
    "stack_nodes_reply": {
        "stack": ("str", True, None, None),
        "processes": ("list:struct:stack_process", False, None, None),
    },
    "stack_restart_request": {
        "node": ("str", True, None, None),
    },
    "stack_restart_reply": {
        "processes": ("list:str", False, None, None),
    },
    "stack_scale_request": {
        "node": ("str", True, None, None),
        "replicas": ("u64", True, None, None),
    },
    "stack_scale_reply": {
        "before": ("u64", True, None, None),
        "after": ("u64", True, None, None),
        "slots_moved": ("u64", True, None, None),
        "handovers": ("u64", True, None, None),
        "held_ms": ("f64", True, 0, None),
    },
    "stack_start_request": {
        "node": ("str", True, None, None),
    },
    "stack_start_reply": {
        "processes": ("list:str", False, None, None),
    },
    "stack_stop_request": {
        "node": ("str", True, None, None),
    },
    "stack_stop_reply": {
        "processes": ("list:str", False, None, None),
    },
    "stack_swap_request": {
        "node": ("str", True, None, None),
        "run": ("str", True, None, None),
        "args": ("list:str", False, None, None),
        "params": ("map:str", False, None, None),
        "shadow_s": ("f64", False, 0, None),
        "dry_run": ("bool", False, None, None),
    },
    "stack_swap_reply": {
        "program": ("str", True, None, None),
        "handovers": ("list:struct:stack_handover", False, None, None),
        "prepare_s": ("f64", True, 0, None),
        "notes": ("list:str", False, None, None),
    },
    "voice_repeat_request": {
    },
    "voice_repeat_reply": {
        "text": ("str", True, None, None),
    },
    "warning_distance_request": {
        "id": ("str", True, None, None),
    },
    "warning_distance_reply": {
        "distance_m": ("f64", False, 0, None),
    },
}
COLUMNS = {
    "flow_columns",
    "route_segments",
    "route_spans",
    "traffic_spans",
}
WORDS = {
    "_journal/<node>.event": (False, [
        "message",
        "call",
        "cancelled",
        "reply",
        "wake",
        "clock_reset",
        "admit",
        "drop",
        "restore",
        "take_over",
        "map",
        "aside",
    ]),
    "_log/<node>.level": (False, [
        "debug",
        "info",
        "warning",
        "error",
    ]),
    "_node/<name>/status.state": (False, [
        "starting",
        "ready",
        "degraded",
        "stopping",
        "failed",
    ]),
    "_svc/<service>/<call>.phase": (False, [
        "request",
        "reply",
    ]),
    "added_stop.kind": (True, [
        "ferry",
        "car_train",
        "other",
    ]),
    "avoidance": (False, [
        "tolls",
        "motorways",
        "ferries",
        "tunnels",
        "unpaved",
        "difficult_turns",
        "u_turns",
        "car_pool",
        "low_emission_zones",
    ]),
    "deviation_evidence.rule": (False, [
        "matched_off_route",
        "unmatched_far",
    ]),
    "distance_unit": (False, [
        "m",
        "km",
        "ft",
        "yd",
        "mi",
    ]),
    "fetched_region.state": (False, [
        "waiting",
        "fetching",
        "failed",
    ]),
    "found_place.kind": (False, [
        "place",
        "road",
        "crossing",
        "coordinates",
    ]),
    "guidance/arrival.event": (False, [
        "destination_reached",
        "off_road_destination_reached",
    ]),
    "guidance/arrival.rule": (False, [
        "passed_within",
        "standing_near",
        "off_road",
        "signal_lost",
    ]),
    "guidance/maneuver.event": (False, [
        "next",
        "done",
    ]),
    "guidance/milestone.boards": (True, [
        "ferry",
        "car_train",
        "other",
    ]),
    "guidance/milestone.event": (False, [
        "reached",
        "missed",
    ]),
    "guidance/milestone.kind": (False, [
        "stopover",
        "pass_through",
        "destination",
        "added",
    ]),
    "guidance/progress.on_route": (False, [
        "yes",
        "unknown",
    ]),
    "guidance/reroute.reason": (True, [
        "deviation",
        "missed_stop",
        "passed_stop",
        "route_outdated",
        "other",
    ]),
    "guidance/reroute.state": (False, [
        "proposed",
        "started",
        "completed",
        "failed",
        "cancelled",
        "dropped",
        "rejected",
    ]),
    "guidance/reroute.strategy": (False, [
        "next_stop",
        "next_waypoint",
        "resequence",
    ]),
    "guidance/speed.condition": (True, [
        "time",
        "weather",
        "school",
        "vehicle",
        "other",
    ]),
    "guidance/speed.warning": (False, [
        "exceeded",
        "restored",
    ]),
    "guidance/warning.event": (False, [
        "ahead",
        "reached",
        "passed",
        "cancelled",
    ]),
    "guidance/warning.kind": (True, [
        "safety_camera",
        "road_sign",
        "school_zone",
        "railway_crossing",
        "border",
        "toll_stop",
        "traffic_merge",
        "lane_decrease",
        "danger_zone",
        "low_speed_zone",
        "environmental_zone",
        "truck_restriction",
        "incident",
        "jam_end",
        "traffic_signals",
        "stop",
        "give_way",
        "speed_bump",
        "sharp_bend",
        "speed_limit",
        "custom",
        "other",
        "tunnel",
    ]),
    "incident.impact": (False, [
        "low",
        "minor",
        "major",
        "critical",
    ]),
    "incident.kind": (True, [
        "accident",
        "congestion",
        "construction",
        "road_closed",
        "lane_restriction",
        "vehicle_broken_down",
        "obstacle",
        "weather",
        "event",
        "other",
    ]),
    "lane.recommendation": (False, [
        "not_recommended",
        "recommended",
        "highly_recommended",
    ]),
    "location/interpolated.reason": (False, [
        "off_road",
        "no_time",
        "no_map_data",
        "outlier",
        "warming_up",
    ]),
    "location/interpolated.state": (False, [
        "matched",
        "no_match",
    ]),
    "location/matched.reason": (False, [
        "off_road",
        "no_time",
        "no_map_data",
        "outlier",
        "warming_up",
    ]),
    "location/matched.state": (False, [
        "matched",
        "no_match",
    ]),
    "location/smoothed.reason": (False, [
        "off_road",
        "no_time",
        "no_map_data",
        "outlier",
        "warming_up",
    ]),
    "location/smoothed.state": (False, [
        "matched",
        "no_match",
    ]),
    "location_control_request.command": (False, [
        "pause",
        "resume",
        "rate",
        "seek",
        "step",
        "leave_route",
    ]),
    "lockstep_event.kind": (False, [
        "message",
        "call",
        "cancelled",
        "reply",
        "wake",
        "clock_reset",
    ]),
    "lockstep_output.kind": (False, [
        "publish",
        "call",
        "cancel_call",
        "reply",
        "wake",
        "log",
        "count",
        "degraded",
        "set_clock",
        "admit",
        "leave",
        "promise",
    ]),
    "lockstep_output.level": (False, [
        "debug",
        "info",
        "warning",
        "error",
    ]),
    "maneuver_action": (False, [
        "depart",
        "arrive",
        "continue",
        "turn",
        "u_turn",
        "fork",
        "exit",
        "ramp",
        "merge",
        "roundabout",
        "ferry",
    ]),
    "navigate_set_rerouting_request.policy": (False, [
        "automatic",
        "ask",
        "off",
    ]),
    "navigate_set_rerouting_request.strategy": (False, [
        "next_stop",
        "next_waypoint",
        "resequence",
    ]),
    "navigate_start_request.connectivity": (False, [
        "default",
        "offline",
        "online",
        "hybrid",
    ]),
    "navigate_start_request.optimisation": (False, [
        "fastest",
        "shortest",
        "balanced",
    ]),
    "navigate_start_request.traffic": (False, [
        "off",
        "flow",
        "flow_and_closures",
    ]),
    "navigator_state.reroute_reason": (False, [
        "deviation",
        "missed_stop",
        "passed_stop",
        "route_outdated",
    ]),
    "navigator_state.rerouting": (False, [
        "automatic",
        "ask",
        "off",
    ]),
    "navigator_state.strategy": (False, [
        "next_stop",
        "next_waypoint",
        "resequence",
    ]),
    "road_class": (True, [
        "motorway",
        "trunk",
        "primary",
        "secondary",
        "tertiary",
        "unclassified",
        "residential",
        "living_street",
        "service",
        "track",
        "pedestrian",
        "cycleway",
        "path",
        "steps",
        "ferry",
        "shuttle_train",
        "other",
    ]),
    "route/active.reason": (False, [
        "new",
        "reroute",
        "better",
        "import",
        "refresh",
        "traffic",
        "waypoints",
        "cleared",
    ]),
    "route/better.state": (False, [
        "found",
        "proposed",
        "accepted",
        "rejected",
        "expired",
        "withdrawn",
    ]),
    "route/error.during": (False, [
        "reroute",
        "refresh",
        "traffic",
        "better",
        "alternatives",
        "import",
    ]),
    "route/progress.step": (False, [
        "waiting",
        "searching",
        "asking",
        "matching",
        "building",
    ]),
    "route_calculate_request.connectivity": (False, [
        "default",
        "offline",
        "online",
        "hybrid",
    ]),
    "route_calculate_request.optimisation": (False, [
        "fastest",
        "shortest",
        "balanced",
    ]),
    "route_calculate_request.traffic": (False, [
        "off",
        "flow",
        "flow_and_closures",
    ]),
    "route_engine.kind": (False, [
        "offline",
        "osrm",
        "valhalla",
    ]),
    "route_engines_reply.connectivity": (False, [
        "offline",
        "online",
        "hybrid",
    ]),
    "route_incident.kind": (True, [
        "accident",
        "congestion",
        "construction",
        "road_closed",
        "lane_restriction",
        "vehicle_broken_down",
        "obstacle",
        "weather",
        "event",
        "other",
    ]),
    "route_policy.traffic": (False, [
        "off",
        "flow",
        "flow_and_closures",
    ]),
    "route_request.connectivity": (False, [
        "default",
        "offline",
        "online",
        "hybrid",
    ]),
    "route_request.optimisation": (False, [
        "fastest",
        "shortest",
        "balanced",
    ]),
    "route_request.traffic": (False, [
        "off",
        "flow",
        "flow_and_closures",
    ]),
    "route_return_request.strategy": (False, [
        "next_stop",
        "next_waypoint",
        "resequence",
    ]),
    "scene/frame.camera_mode": (False, [
        "free",
        "fixed",
        "dynamic",
        "speed_based",
        "overview",
    ]),
    "scene/frame.indicator_style": (False, [
        "tracking",
        "car",
        "pedestrian",
        "bicycle",
        "grey",
    ]),
    "scene/settings.camera": (False, [
        "dynamic",
        "speed_based",
        "fixed",
    ]),
    "scene/settings.indicator": (False, [
        "auto",
        "tracking",
        "car",
        "pedestrian",
        "bicycle",
        "grey",
        "picture",
        "hidden",
    ]),
    "scene/settings.indicator_picture_type": (False, [
        "png",
        "svg",
        "glb",
    ]),
    "scene/settings.theme": (False, [
        "auto",
        "day",
        "night",
    ]),
    "scene_control_reply.camera": (False, [
        "dynamic",
        "speed_based",
        "fixed",
    ]),
    "scene_control_reply.indicator": (False, [
        "auto",
        "tracking",
        "car",
        "pedestrian",
        "bicycle",
        "grey",
        "picture",
        "hidden",
    ]),
    "scene_control_reply.indicator_picture_type": (False, [
        "png",
        "svg",
        "glb",
    ]),
    "scene_control_reply.theme": (False, [
        "auto",
        "day",
        "night",
    ]),
    "scene_control_request.camera": (False, [
        "dynamic",
        "speed_based",
        "fixed",
    ]),
    "scene_control_request.indicator": (False, [
        "auto",
        "tracking",
        "car",
        "pedestrian",
        "bicycle",
        "grey",
        "picture",
        "hidden",
    ]),
    "scene_control_request.indicator_picture_type": (False, [
        "png",
        "svg",
        "glb",
    ]),
    "scene_control_request.theme": (False, [
        "auto",
        "day",
        "night",
    ]),
    "scene_layer.name": (False, [
        "route",
        "eat_up",
        "traffic",
        "incidents",
        "alternatives",
        "maneuver_arrows",
        "offroad",
        "shields",
        "labels",
        "indicator",
        "panel",
        "warnings",
    ]),
    "scene_settings.camera": (False, [
        "dynamic",
        "speed_based",
        "fixed",
    ]),
    "scene_settings.indicator": (False, [
        "auto",
        "tracking",
        "car",
        "pedestrian",
        "bicycle",
        "grey",
        "picture",
        "hidden",
    ]),
    "scene_settings.indicator_picture_type": (False, [
        "png",
        "svg",
        "glb",
    ]),
    "scene_settings.theme": (False, [
        "auto",
        "day",
        "night",
    ]),
    "scene_shield_reply.format": (False, [
        "svg",
        "png",
    ]),
    "scene_shield_request.format": (False, [
        "svg",
        "png",
    ]),
    "scene_shield_request.scheme": (False, [
        "map",
        "panel",
    ]),
    "session.state": (False, [
        "started",
        "paused",
        "ended",
    ]),
    "side": (False, [
        "left",
        "right",
        "ahead",
    ]),
    "speed_kind": (False, [
        "live",
        "predicted",
        "typical",
        "free_flow",
    ]),
    "stack_process.role": (False, [
        "member",
        "standby",
        "retired",
    ]),
    "stack_process.state": (False, [
        "pending",
        "starting",
        "ready",
        "ending",
        "backoff",
        "stopping",
        "leaving",
        "stopped",
        "exited",
        "failed",
    ]),
    "subscription_status.health": (False, [
        "never",
        "ok",
        "slow",
        "stale",
        "invalid",
    ]),
    "travel_mode": (False, [
        "car",
        "truck",
        "bus",
        "taxi",
        "scooter",
        "bicycle",
        "pedestrian",
    ]),
    "turn_grade": (False, [
        "sharp_left",
        "left",
        "slight_left",
        "straight",
        "slight_right",
        "right",
        "sharp_right",
    ]),
    "violation.kind": (False, [
        "tolls",
        "motorways",
        "ferries",
        "tunnels",
        "unpaved",
        "turn_restriction",
        "blocked_road",
        "area",
        "private_road",
        "difficult_turns",
        "u_turns",
        "car_pool",
        "country",
        "segment",
        "low_emission_zones",
        "vehicle",
    ]),
    "voice/announcement.kind": (False, [
        "range",
        "reminder",
        "distance",
        "action",
        "continue",
        "depart",
        "arrive",
        "off_road",
        "deviation",
        "reroute",
        "better_route",
        "speed",
        "warning",
        "location_lost",
        "location_found",
        "tunnel",
        "repeat",
    ]),
    "voice/spoken.outcome": (False, [
        "spoken",
        "interrupted",
        "dropped",
        "failed",
        "written",
    ]),
    "waypoint_kind": (False, [
        "stopover",
        "pass_through",
    ]),
}
TOPICS = {
    "_clock": {"schema": "clock/1.0", "class": "state", "key": None},
    "_digest": {"schema": "digest/1.0", "class": "state", "key": None},
    "_journal/<node>": {"schema": "journal/1.0", "class": "stream", "key": None},
    "_log/<node>": {"schema": "log/1.0", "class": "event", "key": None},
    "_node/<name>/status": {"schema": "node_status/1.1", "class": "state", "key": None},
    "_play/heard/<node>": {"schema": "play_heard/1.0", "class": "event", "key": None},
    "_play/turn": {"schema": "play_turn/1.0", "class": "event", "key": None},
    "_state/<node>": {"schema": "state/1.0", "class": "state", "key": "vehicle"},
    "_svc/<service>/<call>": {"schema": "svc/1.0", "class": "event", "key": None},
    "guidance/arrival": {"schema": "guidance_arrival/1.0", "class": "event", "key": None},
    "guidance/deviation": {"schema": "guidance_deviation/1.0", "class": "event", "key": None},
    "guidance/horizon": {"schema": "guidance_horizon/1.0", "class": "stream", "key": None},
    "guidance/lanes": {"schema": "guidance_lanes/1.0", "class": "state", "key": None},
    "guidance/maneuver": {"schema": "guidance_maneuver/1.0", "class": "event", "key": None},
    "guidance/milestone": {"schema": "guidance_milestone/1.1", "class": "event", "key": None},
    "guidance/offroad": {"schema": "guidance_offroad/1.0", "class": "event", "key": None},
    "guidance/progress": {"schema": "guidance_progress/1.2", "class": "stream", "key": None},
    "guidance/reroute": {"schema": "guidance_reroute/1.3", "class": "event", "key": None},
    "guidance/road": {"schema": "guidance_road/1.0", "class": "state", "key": None},
    "guidance/speed": {"schema": "guidance_speed/1.0", "class": "state", "key": None},
    "guidance/traffic": {"schema": "guidance_traffic/1.0", "class": "state", "key": None},
    "guidance/warning": {"schema": "guidance_warning/1.0", "class": "event", "key": None},
    "location/interpolated": {"schema": "location_interpolated/1.1", "class": "stream", "key": None},
    "location/matched": {"schema": "location_matched/1.1", "class": "stream", "key": None},
    "location/raw": {"schema": "location_raw/1.0", "class": "stream", "key": None},
    "location/smoothed": {"schema": "location_smoothed/1.1", "class": "stream", "key": None},
    "map/regions": {"schema": "map_regions/1.0", "class": "state", "key": None},
    "route/active": {"schema": "route_active/1.0", "class": "state", "key": None},
    "route/alternatives": {"schema": "route_alternatives/1.0", "class": "state", "key": None},
    "route/better": {"schema": "route_better/1.1", "class": "event", "key": None},
    "route/closures": {"schema": "route_closures/1.0", "class": "event", "key": None},
    "route/error": {"schema": "route_error/1.0", "class": "event", "key": None},
    "route/progress": {"schema": "route_progress/1.0", "class": "stream", "key": None},
    "scene/frame": {"schema": "scene_frame/1.1", "class": "stream", "key": None},
    "scene/settings": {"schema": "scene_settings/1.0", "class": "state", "key": None},
    "session": {"schema": "session/1.0", "class": "state", "key": None},
    "traffic/flow": {"schema": "traffic_flow/1.0", "class": "state", "key": "feed"},
    "traffic/incidents": {"schema": "traffic_incidents/1.0", "class": "state", "key": "feed"},
    "voice/announcement": {"schema": "voice_announcement/1.0", "class": "event", "key": None},
    "voice/spoken": {"schema": "voice_spoken/1.0", "class": "event", "key": None},
}
CALLS = {
    "_lockstep/<node>": {"request": "lockstep_request", "reply": "lockstep_reply", "timeout_s": 600, "max_size": 67108864},
    "location/control": {"request": "location_control_request", "reply": "location_control_reply", "timeout_s": 5, "max_size": 4096},
    "location/interpolate": {"request": "location_interpolate_request", "reply": "location_interpolate_reply", "timeout_s": 5, "max_size": 4096},
    "map/fetch": {"request": "map_fetch_request", "reply": "map_fetch_reply", "timeout_s": 10, "max_size": 65536},
    "map/segment": {"request": "map_segment_request", "reply": "map_segment_reply", "timeout_s": 5, "max_size": 65536},
    "match/trace": {"request": "match_trace_request", "reply": "match_trace_reply", "timeout_s": 60, "max_size": 33554432},
    "navigate/accept_better": {"request": "navigate_accept_better_request", "reply": "navigate_accept_better_reply", "timeout_s": 10, "max_size": 4096},
    "navigate/accept_reroute": {"request": "navigate_accept_reroute_request", "reply": "navigate_accept_reroute_reply", "timeout_s": 45, "max_size": 4096},
    "navigate/add_waypoint": {"request": "navigate_add_waypoint_request", "reply": "navigate_add_waypoint_reply", "timeout_s": 45, "max_size": 65536},
    "navigate/avoid_ahead": {"request": "navigate_avoid_ahead_request", "reply": "navigate_avoid_ahead_reply", "timeout_s": 45, "max_size": 4096},
    "navigate/cancel_reroute": {"request": "navigate_cancel_reroute_request", "reply": "navigate_cancel_reroute_reply", "timeout_s": 5, "max_size": 4096},
    "navigate/keep_route": {"request": "navigate_keep_route_request", "reply": "navigate_keep_route_reply", "timeout_s": 5, "max_size": 4096},
    "navigate/pause": {"request": "navigate_pause_request", "reply": "navigate_pause_reply", "timeout_s": 5, "max_size": 4096},
    "navigate/reject_better": {"request": "navigate_reject_better_request", "reply": "navigate_reject_better_reply", "timeout_s": 10, "max_size": 4096},
    "navigate/reject_reroute": {"request": "navigate_reject_reroute_request", "reply": "navigate_reject_reroute_reply", "timeout_s": 5, "max_size": 4096},
    "navigate/resume": {"request": "navigate_resume_request", "reply": "navigate_resume_reply", "timeout_s": 5, "max_size": 4096},
    "navigate/set_rerouting": {"request": "navigate_set_rerouting_request", "reply": "navigate_set_rerouting_reply", "timeout_s": 5, "max_size": 4096},
    "navigate/set_route": {"request": "navigate_set_route_request", "reply": "navigate_set_route_reply", "timeout_s": 10, "max_size": 4194304},
    "navigate/set_traffic": {"request": "navigate_set_traffic_request", "reply": "navigate_set_traffic_reply", "timeout_s": 5, "max_size": 16777216},
    "navigate/skip_waypoint": {"request": "navigate_skip_waypoint_request", "reply": "navigate_skip_waypoint_reply", "timeout_s": 45, "max_size": 4096},
    "navigate/start": {"request": "navigate_start_request", "reply": "navigate_start_reply", "timeout_s": 45, "max_size": 1048576},
    "navigate/stop": {"request": "navigate_stop_request", "reply": "navigate_stop_reply", "timeout_s": 5, "max_size": 4096},
    "place/find": {"request": "place_find_request", "reply": "place_find_reply", "timeout_s": 10, "max_size": 262144},
    "record/start": {"request": "record_start_request", "reply": "record_start_reply", "timeout_s": 5, "max_size": 16777216},
    "record/status": {"request": "record_status_request", "reply": "record_status_reply", "timeout_s": 5, "max_size": 1048576},
    "record/stop": {"request": "record_stop_request", "reply": "record_stop_reply", "timeout_s": 30, "max_size": 4096},
    "route/calculate": {"request": "route_calculate_request", "reply": "route_calculate_reply", "timeout_s": 30, "max_size": 33554432},
    "route/cancel": {"request": "route_cancel_request", "reply": "route_cancel_reply", "timeout_s": 5, "max_size": 4096},
    "route/engines": {"request": "route_engines_request", "reply": "route_engines_reply", "timeout_s": 5, "max_size": 65536},
    "route/import": {"request": "route_import_request", "reply": "route_import_reply", "timeout_s": 60, "max_size": 33554432},
    "route/policy": {"request": "route_policy_request", "reply": "route_policy_reply", "timeout_s": 5, "max_size": 1048576},
    "route/refresh": {"request": "route_refresh_request", "reply": "route_refresh_reply", "timeout_s": 30, "max_size": 33554432},
    "route/return": {"request": "route_return_request", "reply": "route_return_reply", "timeout_s": 30, "max_size": 33554432},
    "route/traffic": {"request": "route_traffic_request", "reply": "route_traffic_reply", "timeout_s": 10, "max_size": 16777216},
    "route/watch": {"request": "route_watch_request", "reply": "route_watch_reply", "timeout_s": 5, "max_size": 4194304},
    "scene/control": {"request": "scene_control_request", "reply": "scene_control_reply", "timeout_s": 5, "max_size": 1048576},
    "scene/shield": {"request": "scene_shield_request", "reply": "scene_shield_reply", "timeout_s": 5, "max_size": 262144},
    "stack/log": {"request": "stack_log_request", "reply": "stack_log_reply", "timeout_s": 5, "max_size": 4194304},
    "stack/nodes": {"request": "stack_nodes_request", "reply": "stack_nodes_reply", "timeout_s": 5, "max_size": 4194304},
    "stack/restart": {"request": "stack_restart_request", "reply": "stack_restart_reply", "timeout_s": 5, "max_size": 65536},
    "stack/scale": {"request": "stack_scale_request", "reply": "stack_scale_reply", "timeout_s": 120, "max_size": 1048576},
    "stack/start": {"request": "stack_start_request", "reply": "stack_start_reply", "timeout_s": 5, "max_size": 65536},
    "stack/stop": {"request": "stack_stop_request", "reply": "stack_stop_reply", "timeout_s": 5, "max_size": 65536},
    "stack/swap": {"request": "stack_swap_request", "reply": "stack_swap_reply", "timeout_s": 120, "max_size": 1048576},
    "voice/repeat": {"request": "voice_repeat_request", "reply": "voice_repeat_reply", "timeout_s": 5, "max_size": 4096},
    "warning/distance": {"request": "warning_distance_request", "reply": "warning_distance_reply", "timeout_s": 5, "max_size": 4096},
}
# --- generated by `nav-schema build`: end ---
