"""Dispatches events to the handlers of a node; `bus_runtime` runs it on a bus, `MemoryRuntime` alone for its tests."""

from __future__ import annotations

import collections
import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .contract import checked, declaration
from .environment import StackTime
from .errors import CallError, NodeError
from .server import Call, outcome, takes_three
from .wire import Cause, Header, Message, Payload, pack, unpack

if TYPE_CHECKING:
    from .node import Node, Output


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
            self._follow_clock(payload)
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
            self._follow_clock(message.payload)
        if own != message.name:
            declared = declaration(own)
            payload = checked(declared, message.payload) if declared and message.payload is not None else message.payload
            message = Message(f"{message.vehicle}/{own}" if message.vehicle else own, message.header, payload)
        entry = self.node.inputs.get(own)
        if entry is None:
            return
        if message.payload is not None and not own.startswith("_") and not message.is_latched:
            self.time.observe_stamp(message.stamp)
        with self._handling(_Occasion(message.vehicle, message.stamp, self._cause(message))):
            for handler in entry.handlers:
                self.guarded(own, lambda: handler(message))

    def _follow_clock(self, clock: Payload) -> None:
        self.time.set_clock(clock["now_ns"], clock.get("rate", 1.0), clock.get("paused", False), clock["run"])

    def tick(self, handler: Callable[[], Any]) -> None:
        """Runs the function of a timer."""
        with self._handling(_Occasion("", None, ["_clock", self.name, 0, 0])):
            self.guarded("timer", handler)

    def serve(self, call: Call, data: bytes) -> tuple[dict[str, Any], bytes | None]:
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
        answer, data = self.serve(Call(head), pack(request))
        if not answer["ok"]:
            raise CallError(answer["code"], answer["message"], answer.get("field"))
        reply: Payload = unpack(data or b"\x80")
        return reply
