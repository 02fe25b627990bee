"""Runs a node on its bus: registration, subscriptions, the work loop, status, log and state."""

from __future__ import annotations

import collections
import concurrent.futures
import contextlib
import functools
import hashlib
import json
import logging
import os
import queue
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import zmq

from .contract import TOPICS, checked, declaration
from .control import Control, Registration
from .environment import Environment, Notifier, StopSignals
from .errors import BusError, CallError, ContractError, NavstackError, NodeError
from .publisher import Publisher
from .runtime import Runtime
from .server import Call, Workers
from .subscription import Subscription
from .wire import Context, Header, Message, Payload, pack, run_number, unpack

if TYPE_CHECKING:
    from .node import Node, Output

_START_S = 20.0
_NAME_FREE_S = 5.0
_SAVE_S = 0.25
_EVENTS_KEPT_S = 30.0
_MOST_WAITING = 1_000
_LEVELS = {logging.DEBUG: "debug", logging.INFO: "info", logging.WARNING: "warning"}


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
        self._last_stamp: dict[str, int] = {}
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
        context: Context = zmq.Context()
        self._publisher = Publisher(self.environment.bus, self.name, context, run=self.run_number)
        self._control = Control(self.environment.bus, context, self._registration())
        self._subscription = Subscription(self.environment.bus, *self._patterns(), context=context)
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
            if not reader.is_alive() and not self._control.is_alive:
                context.term()  # waits until all is sent, 2 s at most
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
        return Registration(self.name, self.run_number, head, self._enqueue_call, self._cancel_call,
                            lambda: self._jobs.put(self._republish_kept), self._on_rejected, self._on_welcome,
                            lambda text: self._fail(NodeError(text, 1)))

    def _on_welcome(self, head: dict[str, Any]) -> None:
        if head.get("code") == "second_server":
            self._fail(NodeError(f"the bus: {head.get('message')}"))
        self._welcomed.set()

    def _on_rejected(self, head: dict[str, Any]) -> None:
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
                value = unpack(data)  # an empty one is a vehicle that was forgotten
                if value.get("program") in (None, self.node.program):
                    self.states[value["vehicle"]] = unpack(value["state"])
                    self.saved[value["vehicle"]] = value["state"]
                    self._last_stamp[value["vehicle"]] = value["saved_ns"]

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
                self._forget_silent()
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

    def _forget_silent(self) -> None:
        """Forgets vehicles that have been silent for long, and deletes what was saved of them."""
        now, limit = self.time.now_ns, self.environment.forget_s
        if now is None or limit is None:
            return
        with self._lock:
            silent = [vehicle for vehicle, stamp in self._last_stamp.items() if now - stamp > limit * 1e9]
            for vehicle in silent:
                del self._last_stamp[vehicle]
        for vehicle in silent:
            for handler in self.node.forget_handlers:
                self.guarded("forget", functools.partial(handler, vehicle))
            self.states.pop(vehicle, None)
            if self.saved.pop(vehicle, None) is not None:
                self._send_state(vehicle, b"")
                with self._lock:
                    self._kept_states.pop((f"_state/{self.name}", vehicle), None)

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
                self._last_stamp[message.vehicle] = max(message.stamp, self._last_stamp.get(message.vehicle, message.stamp))
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
        self._send_state(vehicle, pack(value))

    def _send_state(self, vehicle: str, data: bytes) -> None:
        header: Header = {"seq": 0, "stamp": self._stamp(None, None), "schema": "state/1.0", "class": "state", "key": vehicle}
        self._send(f"_state/{self.name}", header, data)

    def _republish_kept(self) -> None:
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

    def _enqueue_call(self, head: dict[str, Any], data: bytes) -> None:
        own = self.own_names.get(head["name"], head["name"])
        with self._lock:
            if head["id"] in self._calls or own not in self.node.served:
                return
            call = self._calls[head["id"]] = Call(head)
        if not self.node.served[own].is_threaded:
            self._jobs.put(lambda: self._reply(call, data))
            return
        if self._state_word == "starting":
            self._jobs.put(lambda: self._start_threaded(call, data))  # states and parameters are not there yet
        else:
            self._start_threaded(call, data)

    def _start_threaded(self, call: Call, data: bytes) -> None:
        with self._lock:
            if self._workers is None:
                self._workers = Workers(8)
        self._workers.add(None, lambda: self._reply(call, data))

    def _cancel_call(self, identity: str) -> None:
        with self._lock:
            if identity in self._calls:
                self._calls[identity].cancelled.set()

    def _reply(self, call: Call, data: bytes) -> None:
        answer, payload = self.serve(call, data)
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
            "vehicles": max(len(self._last_stamp), len(self.states)),
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
