"""What runs a node: on a bus, in lock-step, or alone in memory for its tests."""

from __future__ import annotations

import collections
import concurrent.futures
import contextlib
import hashlib
import json
import logging
import os
import queue
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .contract import TOPICS, checked, declaration
from .control import Control, Registration
from .environment import Environment, Notifier, StackTime, StopSignals
from .errors import BusError, CallError, ContractError, NavstackError, NodeError
from .publisher import Publisher
from .server import Call, Server, Workers, lockstep, outcome, takes_three
from .subscription import Subscription
from .wire import Cause, Header, Message, Payload, pack, run_number, unpack

if TYPE_CHECKING:
    from .node import Node, Output

_START_S = 20.0
_NAME_FREE_S = 5.0
_SAVE_S = 0.25
_EVENTS_KEPT_S = 30.0
_MOST_WAITING = 1_000
_LEVELS = {logging.DEBUG: "debug", logging.INFO: "info", logging.WARNING: "warning"}


@dataclass
class _Occasion:
    """What is being handled: whose, at which event time, and the cause of what it leads to."""

    vehicle: str
    stamp: int | None
    cause: Cause


class Runtime:
    """Dispatches events to the handlers of a node; subclasses send what the node publishes."""

    def __init__(self, node: Node, name: str, vehicles: list[str], wiring: dict[str, str] | None = None) -> None:
        self.node, self.name, self.vehicles = node, name, vehicles
        self.wiring = wiring or {}
        self.own_names = {on_bus: own for own, on_bus in self.wiring.items()}
        self.time = StackTime()
        self.states: dict[str, dict[str, Any]] = {}
        self.saved: dict[str, bytes] = {}
        self.failures: collections.Counter[str] = collections.Counter()
        self.why = ""
        self._local = threading.local()

    # --- what subclasses do

    def emit(self, output: Output, vehicle: str, header: Header, data: bytes) -> bool:
        """Sends a message whose header lacks the number."""
        raise NotImplementedError

    def save(self, vehicle: str, data: bytes) -> None:
        """Stores the state of a vehicle."""

    def request(self, name: str, request: Payload | None, vehicle: str | None, timeout_s: float | None) -> Any:
        """Makes a call of the node."""
        raise NodeError(f"{self.node.program} calls {name} outside of a bus", 1)

    # --- for handlers

    def publish(self, output: Output, payload: Payload | None, vehicle: str | None, stamp: int | None, key: str | None,
                cause: Message | Cause | None, more: dict[str, Any]) -> bool:
        """Checks a payload and sends it with vehicle, stamp and cause of what is being handled."""
        occasion = self._occasion
        if isinstance(cause, Message):
            occasion = _Occasion(cause.vehicle, cause.stamp, self._cause(cause))
        elif cause is not None:
            occasion = _Occasion(occasion.vehicle if occasion else "", occasion.stamp if occasion else None, cause)
        declared = declaration(output.topic)
        data = b"" if payload is None else pack(checked(declared, payload, to_wire=True) if declared else payload)
        header: Header = {"seq": 0, "stamp": self._stamp(stamp, occasion), "schema": output.schema, "class": output.delivery}
        if occasion is not None and occasion.cause:
            header["cause"] = occasion.cause
        if key is not None:
            header["key"] = key
        whose = "" if output.topic.startswith("_") else self._vehicle(vehicle, occasion, output.topic)
        if output.delivery == "event":
            self.save_changed(whose)
        if output.topic == "_clock" and payload is not None:
            self._hear_clock(payload)
        return self.emit(output, whose, header | more, data)

    def state(self, vehicle: str) -> dict[str, Any]:
        """What the node remembers of a vehicle."""
        return self.states.setdefault(vehicle, {})

    @property
    def _occasion(self) -> _Occasion | None:
        return getattr(self._local, "occasion", None)

    def _stamp(self, stamp: int | None, occasion: _Occasion | None) -> int:
        if stamp is not None:
            return stamp
        if occasion is not None and occasion.stamp is not None:
            return occasion.stamp
        now = self.time.now_ns
        return time.time_ns() if now is None else now

    def _vehicle(self, vehicle: str | None, occasion: _Occasion | None, topic: str) -> str:
        found = vehicle or (occasion.vehicle if occasion else "") or (self.vehicles[0] if len(self.vehicles) == 1 else "")
        if not found:
            raise NodeError(f"{topic} of which vehicle? name it: vehicle=\"…\"", 1)
        return found

    def _cause(self, message: Message) -> Cause:
        return [self.wiring.get(message.name, message.name), *message.cause[1:]]

    @contextlib.contextmanager
    def _handling(self, occasion: _Occasion | None) -> Iterator[None]:
        before, self._local.occasion = self._occasion, occasion
        try:
            yield
        finally:
            self._local.occasion = before

    # --- events

    def handle(self, message: Message) -> None:
        """Hands a message of the bus to its handlers, under the node's own name of the topic."""
        own = self.own_names.get(message.name, message.name)
        if message.name == "_clock" and message.payload:
            self._hear_clock(message.payload)
        if own != message.name:
            declared = declaration(own)
            payload = checked(declared, message.payload) if declared and message.payload is not None else message.payload
            message = Message(f"{message.vehicle}/{own}" if message.vehicle else own, message.header, payload)
        entry = self.node.inputs.get(own)
        if entry is None:
            return
        if message.payload is not None and not own.startswith("_") and not message.is_latched:
            self.time.hear_stamp(message.stamp)
        with self._handling(_Occasion(message.vehicle, message.stamp, self._cause(message))):
            for handler in entry.handlers:
                self.guarded(own, lambda: handler(message))

    def _hear_clock(self, clock: Payload) -> None:
        self.time.hear_clock(clock["now_ns"], clock.get("rate", 1.0), clock.get("paused", False), clock["run"])

    def tick(self, handler: Callable[[], Any]) -> None:
        """Runs the function of a timer."""
        with self._handling(_Occasion("", None, ["_clock", self.name, 0, 0])):
            self.guarded("timer", handler)

    def answer(self, call: Call, data: bytes) -> tuple[dict[str, Any], bytes | None]:
        """Hands a call to its handler; the head and the payload of the reply."""
        own = self.own_names.get(call.name, call.name)
        served = self.node.served[own]
        more = (call,) if takes_three(served.handler) else ()
        vehicle = call.vehicle or "ego"
        cause = [f"_svc/{call.name}", call.source or "", 0, 0]
        with self._handling(_Occasion(vehicle, self.time.now_ns, cause)):
            answer, payload = outcome(call, data, lambda request: served.handler(request, vehicle, *more), own)
        if answer.get("code") == "internal":
            self._failed(own, answer["message"])
        self.save_changed(vehicle)
        return answer, payload

    def guarded(self, place: str, handler: Callable[[], Any]) -> bool:
        """Runs a handler; an exception is logged and counted, and the node goes on."""
        try:
            handler()
        except Exception as error:
            self._failed(place, f"{type(error).__name__}: {error}")
            return False
        return True

    def _failed(self, place: str, text: str) -> None:
        self.failures[place] += 1
        self.why = f"the handler of {place} failed: {text}"
        if self.failures[place] in (1, 10, 100) or self.failures[place] % 1000 == 0:
            self.node.log.error("%s (%d times)", self.why, self.failures[place], exc_info=True)

    def save_changed(self, vehicle: str) -> None:
        """Stores the state of a vehicle if it has changed."""
        if vehicle in self.states and (data := pack(self.states[vehicle])) != self.saved.get(vehicle):
            self.saved[vehicle] = data
            self.save(vehicle, data)


class MemoryRuntime(Runtime):
    """A node without a bus: what it publishes is kept."""

    def __init__(self, node: Node, name: str | None = None) -> None:
        super().__init__(node, name or node.program, ["ego"])
        self.published: list[Message] = []
        self._numbers: collections.Counter[str] = collections.Counter()

    def emit(self, output: Output, vehicle: str, header: Header, data: bytes) -> bool:
        topic = f"{vehicle}/{output.topic}" if vehicle else output.topic
        self._numbers[topic] += 1
        whole = header | {"seq": self._numbers[topic], "src": self.name, "run": 1}
        self.published.append(Message(topic, whole, unpack(data) if data else None))
        return True

    def guarded(self, place: str, handler: Callable[[], Any]) -> bool:
        handler()
        return True

    def feed(self, topic: str, payload: Payload | None, stamp: int, key: str | None) -> list[Message]:
        """Handles one message of a test; returns what it led to."""
        begin = len(self.published)
        declared = declaration(topic)
        self._numbers[f"test {topic}"] += 1
        header: Header = {"seq": self._numbers[f"test {topic}"], "stamp": stamp, "src": "test", "run": 1, "schema": "test/1.0"}
        header |= {"key": key} if key is not None else {}
        self.handle(Message(topic, header, checked(declared, payload) if declared and payload is not None else payload))
        return self.published[begin:]

    def ask(self, name: str, request: Payload, vehicle: str) -> Payload:
        """Makes a call of a test; returns the reply or raises CallError."""
        if name not in self.node.served:
            raise CallError("no_such_service", f"{self.node.program} does not answer {name}")
        head = {"id": "test", "name": name, "vehicle": vehicle, "src": "test", "timeout_ms": 3_600_000}
        answer, data = self.answer(Call(head), pack(request))
        if not answer["ok"]:
            raise CallError(answer["code"], answer["message"], answer.get("field"))
        reply: Payload = unpack(data or b"\x80")
        return reply


def run_lockstep(node: Node, environment: Environment, stop: threading.Event) -> None:
    """Runs a node that a conductor leads; one with timers, or one that makes calls, is refused."""
    if node.timers or node.used:
        raise NodeError("NAV_LOCKSTEP: a node of the Python package with timers, or one that makes calls, cannot run in "
                        "lock-step; `navstack.lockstep` has the whole protocol")
    runtime = MemoryRuntime(node, environment.name)
    node.runtime = runtime
    for handler in node.start_handlers:
        handler()

    def handle(event: dict[str, Any]) -> list[dict[str, Any]]:
        runtime.published.clear()
        replies = []
        if event["kind"] == "message":
            own = event["topic"]
            topic = own if own.startswith("_") else f"{event['vehicle']}/{own}"
            header: Header = {key: event[key] for key in ("seq", "src", "run", "key", "latched") if key in event}
            header |= {"stamp": event.get("stamp_ns", 0)}
            declared = declaration(own)
            payload = unpack(event["payload"]) if event.get("payload") else None
            runtime.handle(Message(topic, header, checked(declared, payload) if declared and payload is not None else payload))
        elif event["kind"] == "call":
            head = {"id": event["id"], "name": event["name"], "vehicle": event["vehicle"], "timeout_ms": 3_600_000}
            answer, data = runtime.answer(Call(head), event.get("payload") or b"")
            reply: dict[str, Any] = {"kind": "reply", "id": event["id"]}
            if answer["ok"]:
                reply["payload"] = data or b"\x80"
            else:
                reply["error"] = {key: answer[key] for key in ("code", "message", "field") if key in answer}
            replies.append(reply)
        return [_lockstep_output(message) for message in runtime.published] + replies

    server = Server(environment.bus, environment.name, {f"_lockstep/{environment.name}": lockstep(handle)})
    signals = StopSignals(stop.set, environment.is_supervised)
    Notifier(os.environ.get("NOTIFY_SOCKET")).send("READY=1")
    server.run(until=lambda: stop.is_set() or signals.is_orphaned)


def _lockstep_output(message: Message) -> dict[str, Any]:
    result: dict[str, Any] = {"kind": "publish", "topic": message.name, "stamp_ns": message.stamp}
    result["payload"] = pack(message.payload) if message.payload is not None else b""
    return result | ({"key": message.key} if message.key is not None else {})


class BusRuntime(Runtime):
    """A node on its bus: reader thread, control thread, and the work loop on the thread of `run`."""

    def __init__(self, node: Node, environment: Environment, stop: threading.Event) -> None:
        super().__init__(node, environment.name, environment.vehicles, environment.wiring)
        self.environment, self._stop = environment, stop
        self.run_number = run_number()
        self._jobs: queue.SimpleQueue[Callable[[], None] | Message] = queue.SimpleQueue()
        self._waiting: collections.Counter[str] = collections.Counter()
        self._drops: collections.Counter[str] = collections.Counter()
        self._skips: collections.Counter[str] = collections.Counter()
        self._received: collections.Counter[str] = collections.Counter()
        self._vehicles_seen: set[str] = set()
        self._lock = threading.Lock()
        self._calls: dict[str, Call] = {}
        self._workers: Workers | None = None
        self._kept_states: dict[tuple[str, str | None], tuple[Header, bytes]] = {}
        self._kept_events: collections.deque[tuple[float, str, Header, bytes]] = collections.deque()
        self._welcomed, self._rejected = threading.Event(), threading.Event()
        self._rejection = ""
        self._failure: NavstackError | None = None
        self._state_word = "starting"
        self._started_s = time.monotonic()
        self._loop_age_s = 0.0
        self._cpu = (time.monotonic(), time.process_time())
        self._thread = threading.current_thread()
        self._notifier = Notifier(os.environ.get("NOTIFY_SOCKET"))

    # --- the life of the process

    def run(self) -> None:
        """Registers, restores the states, reports ready, works until it shall stop, and leaves in order."""
        signals = StopSignals(self.stop, self.environment.is_supervised)
        self.node.runtime = self
        self._publisher = Publisher(self.environment.bus, self.name, run=self.run_number)
        self._control = Control(self.environment.bus, registration=self._registration())
        self._subscription = Subscription(self.environment.bus, *self._patterns())
        log_handler = _LogTopic(self)
        logging.getLogger("navstack").addHandler(log_handler)
        reader = threading.Thread(target=self._read, name="navstack-reader", daemon=True)
        try:
            self._wait_for_name()
            self._subscription.wait_ready(_START_S)
            self._restore()
            for handler in self.node.start_handlers:
                handler()
            reader.start()
            self._state_word = "ready"
            self._publish_status()
            self._notifier.send("READY=1")
            self._work(signals)
        except BusError as error:
            raise NodeError(str(error), 69) from None
        finally:
            self._leave(reader, log_handler)
        if self._failure is not None:
            raise self._failure

    def stop(self) -> None:
        """Ends the node after the handler that runs; safe in a signal handler."""
        self._stop.set()
        self._jobs.put(lambda: None)

    def _patterns(self) -> list[str]:
        leaves = [self.wiring.get(topic, topic) for topic in self.node.inputs]
        patterns = {"_clock"} | {leaf for leaf in leaves if leaf.startswith("_")}
        of_vehicles = [leaf for leaf in leaves if not leaf.startswith("_")]
        patterns |= {f"{vehicle}/{leaf}" for vehicle in self.vehicles or ["*"] for leaf in of_vehicles}
        return sorted(patterns)

    def _registration(self) -> Registration:
        publishes = [{"topic": self.wiring.get(output.topic, output.topic), "class": output.delivery}
                     for output in self.node.outputs.values()]
        head = {"pid": os.getpid(), "version": self.node.version, "publishes": publishes, "subscribes": self._patterns(),
                "serves": [self.wiring.get(name, name) for name in self.node.served]}
        return Registration(self.name, self.run_number, head, self._hear_call, self._hear_cancel,
                            lambda: self._jobs.put(self._tell_new_broker), self._hear_rejected, self._hear_welcome)

    def _hear_welcome(self, head: dict[str, Any]) -> None:
        if head.get("code") == "second_server":
            self._fail(NodeError(f"the bus: {head.get('message')}"))
        self._welcomed.set()

    def _hear_rejected(self, head: dict[str, Any]) -> None:
        self._rejection = str(head.get("message", ""))
        self._rejected.set()
        if self._welcomed.is_set():
            self._fail(NodeError(f"the bus: {self._rejection}"))

    def _fail(self, error: NavstackError) -> None:
        self._failure = error
        self.stop()

    def _wait_for_name(self) -> None:
        """Waits until the broker knows the node; a predecessor of the same name may take a moment to be gone."""
        begin = time.monotonic()
        while not self._welcomed.wait(0.05):
            waited = time.monotonic() - begin
            if self._stop.is_set():
                return
            if self._rejected.is_set():
                if waited > _NAME_FREE_S:
                    raise NodeError(f"the bus: {self._rejection}")
                self._rejected.clear()
                self._control.register()
                self._welcomed.wait(0.25)
            elif waited > _START_S:
                raise NodeError(f"no broker at {self.environment.bus} within {_START_S:g} s", 69)

    def _restore(self) -> None:
        for _, header, data in self._control.last_values([f"_state/{self.name}"]):
            with contextlib.suppress(ValueError, KeyError, TypeError):
                value = unpack(data)
                if value.get("program") in (None, self.node.program):
                    self.states[value["vehicle"]] = unpack(value["state"])
                    self.saved[value["vehicle"]] = value["state"]

    def _leave(self, reader: threading.Thread, log_handler: logging.Handler) -> None:
        self._stop.set()
        self._notifier.send("STOPPING=1")
        if self._state_word in ("ready", "degraded"):
            for handler in self.node.stop_handlers:
                self.guarded("stop", handler)
            with contextlib.suppress(NavstackError):
                for vehicle in list(self.states):
                    self.save_changed(vehicle)
                self._state_word = "stopping"
                self._publish_status()
        logging.getLogger("navstack").removeHandler(log_handler)
        for call in list(self._calls.values()):
            call.cancelled.set()
        if self._workers is not None:
            self._workers.end()
        if reader.is_alive():
            reader.join(2)
        self._subscription.close()
        self._control.close()
        self._publisher.close()
        self.node.runtime = None

    # --- the work loop

    def _work(self, signals: StopSignals) -> None:
        now = time.monotonic()
        next_watchdog, next_status, next_save = now, now + 1, now + _SAVE_S
        due = [now + timer.seconds for timer in self.node.timers]
        while not self._stop.is_set():
            now = time.monotonic()
            if now >= next_watchdog:
                next_watchdog = now + self.environment.watchdog_s
                self._notifier.send("WATCHDOG=1")
                if signals.is_orphaned:
                    return
            if now >= next_status:
                next_status = now + 1
                self._publish_status()
            for number, timer in enumerate(self.node.timers):
                if now >= due[number]:
                    due[number] = max(due[number] + timer.seconds, now)
                    self.tick(timer.handler)
            if now >= next_save:
                next_save = now + _SAVE_S
                for vehicle in list(self.states):
                    self.save_changed(vehicle)
            self._turn(min([next_watchdog, next_status, next_save if self.states else next_status, *due]))

    def _turn(self, until: float) -> None:
        """Handles the next job, waiting for it until a moment."""
        try:
            job = self._jobs.get(timeout=max(0.0, until - time.monotonic()))
        except queue.Empty:
            return
        begin = time.monotonic()
        if isinstance(job, Message):
            with self._lock:
                self._waiting[job.name] -= 1
                if self._skips[job.name]:
                    self._skips[job.name] -= 1
                    return
            try:
                self.handle(job)
            except (ContractError, KeyError, TypeError) as error:
                self._failed(job.name, str(error))
        else:
            job()
        self._loop_age_s = max(self._loop_age_s, time.monotonic() - begin)

    def _read(self) -> None:
        """Takes messages from the bus at once, so that a handler that takes long costs no connection."""
        try:
            while not self._stop.is_set():
                message = self._subscription.receive(0.25)
                if message is not None:
                    self._enqueue(message)
        except Exception as error:
            self._fail(NodeError(f"reading the bus failed: {type(error).__name__}: {error}", 1))

    def _enqueue(self, message: Message) -> None:
        name = message.name
        own = declaration(self.own_names.get(name, name))
        with self._lock:
            self._received[name] += 1
            self._waiting[name] += 1
            if message.vehicle:
                self._vehicles_seen.add(message.vehicle)
            if self._waiting[name] - self._skips[name] > _MOST_WAITING and not _is_kept(own):
                self._skips[name] += 1  # the oldest one goes, the newest is handled
                self._drops[name] += 1
        self._jobs.put(message)

    # --- publishing

    def emit(self, output: Output, vehicle: str, header: Header, data: bytes) -> bool:
        leaf = self.wiring.get(output.topic, output.topic)
        return self._send(f"{vehicle}/{leaf}" if vehicle else leaf, header, data)

    def _send(self, topic: str, header: Header, data: bytes) -> bool:
        header |= {"src": self.name, "run": self.run_number}
        is_sent = self._publisher.send(topic, header, data)
        with self._lock:
            if header["class"] == "state":
                self._kept_states[(topic, header.get("key"))] = (header, data)
            elif header["class"] == "event":
                now = time.monotonic()
                self._kept_events.append((now, topic, header, data))
                while self._kept_events[0][0] < now - _EVENTS_KEPT_S:
                    self._kept_events.popleft()
        return is_sent

    def save(self, vehicle: str, data: bytes) -> None:
        now = self._stamp(None, None)
        value = {"vehicle": vehicle, "program": self.node.program, "saved_ns": now, "state": data}
        self._send(f"_state/{self.name}", {"seq": 0, "stamp": now, "schema": "state/1.0", "class": "state", "key": vehicle},
                   pack(value))

    def _tell_new_broker(self) -> None:
        """A new broker knows nothing: the last states and the events of 30 s go out again, under their numbers."""
        with self._lock:
            begin = time.monotonic() - _EVENTS_KEPT_S
            kept = [(topic, header, data) for (topic, _), (header, data) in self._kept_states.items()]
            kept += [(topic, header, data) for at, topic, header, data in self._kept_events if at >= begin]
        for topic, header, data in kept:
            self._publisher.resend(topic, header, data)

    # --- calls

    def request(self, name: str, request: Payload | None, vehicle: str | None, timeout_s: float | None) -> Any:
        if name not in self.node.used:
            raise NodeError(f"{self.node.program} does not declare that it calls {name}", 1)
        is_loop = threading.current_thread() is self._thread
        if is_loop and name in self.node.served and not self.node.served[name].is_threaded:
            raise NodeError(f"{name} is answered by this node: it would wait for itself", 1)
        whose = self._vehicle(vehicle, self._occasion, name)
        future = self._control.call(self.wiring.get(name, name), request, whose, timeout_s)
        while True:
            try:
                return future.result(self.environment.watchdog_s)
            except concurrent.futures.TimeoutError:
                if self._stop.is_set():
                    future.cancel()
                    raise CallError("cancelled", "the node stops") from None
                if is_loop:
                    self._notifier.send("WATCHDOG=1")

    def _hear_call(self, head: dict[str, Any], data: bytes) -> None:
        own = self.own_names.get(head["name"], head["name"])
        with self._lock:
            if head["id"] in self._calls or own not in self.node.served:
                return
            call = self._calls[head["id"]] = Call(head)
        if not self.node.served[own].is_threaded:
            self._jobs.put(lambda: self._reply(call, data))
            return
        if self._state_word == "starting":
            self._jobs.put(lambda: self._begin_threaded(call, data))  # states and parameters are not there yet
        else:
            self._begin_threaded(call, data)

    def _begin_threaded(self, call: Call, data: bytes) -> None:
        with self._lock:
            if self._workers is None:
                self._workers = Workers(8)
        self._workers.add(None, lambda: self._reply(call, data))

    def _hear_cancel(self, identity: str) -> None:
        with self._lock:
            if identity in self._calls:
                self._calls[identity].cancelled.set()

    def _reply(self, call: Call, data: bytes) -> None:
        answer, payload = self.answer(call, data)
        with self._lock:
            self._calls.pop(call.id, None)
        with contextlib.suppress(BusError):
            self._control.reply(answer, payload)

    # --- status

    def _publish_status(self) -> None:
        now, cpu = time.monotonic(), time.process_time()
        (last, last_cpu), self._cpu = self._cpu, (now, cpu)
        state, why = self._state_word, self.why
        lacking = [topic for topic, entry in self.node.inputs.items() if entry.is_required and not self._received[topic]]
        if state == "ready" and (why or lacking):
            state, why = "degraded", why or f"{lacking[0]} never came"
        self.why = ""
        with self._lock:
            subscriptions = {
                topic: {"received": self._received[name], "queue_drops": self._drops[name], "lost": 0,
                        "health": "ok" if self._received[name] else "never"}
                for topic in self.node.inputs for name in [self.wiring.get(topic, topic)]}
            publications: dict[str, dict[str, int]] = {}
            for topic, number in self._publisher.numbers.items():
                leaf = topic if topic.startswith("_") else topic.partition("/")[2]
                entry = publications.setdefault(leaf, {"sent": 0, "refused": 0, "last_seq": 0})
                entry["sent"] += number
                entry["last_seq"] = max(entry["last_seq"], number)
            waiting = sum(self._waiting.values())
        status: Payload = {
            "node": self.name, "program": self.node.program, "version": self.node.version, "state": state,
            "pid": os.getpid(), "run": self.run_number, "uptime_s": now - self._started_s, "queue": waiting,
            "loop_age_ms": self._loop_age_s * 1000, "memory_bytes": _resident_bytes(),
            "cpu_fraction": max(0.0, cpu - last_cpu) / max(1e-3, now - last),
            "vehicles": max(len(self._vehicles_seen), len(self.states)),
            "subscriptions": subscriptions, "publications": publications, "config_hash": self._config_hash(),
            "counters": {"lost": self._subscription.lost, "duplicates": self._subscription.duplicates,
                         "publications_refused": self._publisher.refused},
            "refusals": dict(self._subscription.refused) | {f"{place} handler_failed": count
                                                            for place, count in self.failures.items()}}
        self._loop_age_s = 0.0
        if why:
            status["why"] = why
        header: Header = {"seq": 0, "stamp": self.time.now_ns or 0,
                          "schema": TOPICS["_node/<name>/status"]["schema"], "class": "state"}
        with contextlib.suppress(BusError):
            self._send(f"_node/{self.name}/status", header, pack(checked("_node/<name>/status", status, to_wire=True)))

    def _config_hash(self) -> str:
        values = {name: parameter.value for name, parameter in self.node.parameters.items()}
        return hashlib.sha256(json.dumps(values, sort_keys=True).encode()).hexdigest()[:16]


class _LogTopic(logging.Handler):
    """Publishes the lines of the node's log on `_log/<node>`."""

    def __init__(self, runtime: BusRuntime) -> None:
        super().__init__(logging.INFO)
        self._runtime = runtime

    def emit(self, record: logging.LogRecord) -> None:
        line = {"level": _LEVELS.get(record.levelno, "error"), "text": record.getMessage(), "node": self._runtime.name}
        header: Header = {"seq": 0, "stamp": self._runtime.time.now_ns or 0, "schema": "log/1.0", "class": "event"}
        with contextlib.suppress(Exception):  # a log line must not make a handler fail
            self._runtime._send(f"_log/{self._runtime.name}", header, pack(line))


def _is_kept(declared: str | None) -> bool:
    """Whether every message of a topic must be handled."""
    return declared is not None and TOPICS[declared]["class"] != "stream"


def _resident_bytes() -> int:
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError, ValueError):
        return 0
