"""A connection to a bus: subscribe by pattern, publish under many names, call in parallel."""

from __future__ import annotations

import asyncio
import threading
import time
from types import TracebackType
from typing import Any

import zmq

from .control import Control, call_parts, reply_of
from .errors import CallError
from .publisher import Publisher
from .server import Handler, Server
from .subscription import Subscription
from .wire import Cause, Context, Message, Payload, Socket, context_or_shared, default_address, endpoints, unpack


class Bus:
    """One bus; its address is NAV_BUS, or that of the only running stack, unless one is given.

        with navstack.Bus() as bus:
            print(bus.call("voice/repeat"))
            for message in bus.subscribe("*/location/matched"):
                print(message.vehicle, message.payload["state"])

    Publishing and calling are safe from any thread; calls of several threads or tasks are under way at the same time.
    """

    def __init__(self, address: str | None = None, name: str | None = None, context: Context | None = None) -> None:
        self.address = address or default_address()
        self.name, self._context = name, context
        self._lock = threading.Lock()
        self._publishers: dict[str, Publisher] = {}
        self._control: Control | None = None

    def subscribe(self, *patterns: str, timeout_s: float | None = None, check: bool = True) -> Subscription:
        """Messages of patterns such as `ego/*` or `*/location/matched`; for `for` and `async for`.

        Ends when `timeout_s` passes without a message. Messages that break the contract are dropped, counted and logged.
        """
        return Subscription(self.address, *patterns, context=self._context, timeout_s=timeout_s, check=check)

    def publisher(self, source: str | None = None) -> Publisher:
        """A publisher of its own name; thousands of them share one connection."""
        return Publisher(self.address, source or self.name, self._context)

    def publish(self, topic: str, payload: Payload | None, stamp: int | None = None, key: str | None = None,
                cause: Cause | Message | None = None, source: str | None = None) -> bool:
        """Publishes one message; see `Publisher.publish`."""
        with self._lock:
            publisher = self._publishers.get(source or "")
            if publisher is None:
                publisher = self._publishers[source or ""] = self.publisher(source)
        return publisher.publish(topic, payload, stamp, key, cause)

    def call(self, name: str, request: Payload | None = None, vehicle: str = "ego", timeout_s: float | None = None) -> Any:
        """Calls a stage and returns its reply; raises CallError with the stage's or the bus's code."""
        return self._link().call(name, request, vehicle, timeout_s).result()

    async def call_async(self, name: str, request: Payload | None = None, vehicle: str = "ego",
                         timeout_s: float | None = None) -> Any:
        """As `call`, without blocking the event loop; a task that is cancelled gives the call up."""
        return await asyncio.wrap_future(self._link().call(name, request, vehicle, timeout_s))

    def server(self, node: str, handlers: dict[str, Handler], workers: int = 8, parallel: bool = False) -> Server:
        """A node that answers calls; see `Server`."""
        return Server(self.address, node, handlers, self._context, workers, parallel)

    def _link(self) -> Control:
        with self._lock:
            if self._control is None:
                self._control = Control(self.address, self._context)
            return self._control

    def close(self) -> None:
        """Ends the connection; calls under way end with `cancelled`."""
        with self._lock:
            for publisher in self._publishers.values():
                publisher.close()
            self._publishers.clear()
            if self._control is not None:
                self._control.close()
                self._control = None

    def __enter__(self) -> Bus:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    async def __aenter__(self) -> Bus:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None,
                        trace: TracebackType | None) -> None:
        self.close()


def subscribe(base: str, *topics: str, context: Context | None = None, timeout_s: float | None = None,
              check: bool = True) -> Subscription:
    """Messages (topic, header, payload) for ever, or until `timeout_s` passes without one.

    `topics` are patterns: whole names, `ego/*` or `ego/`, `*/location/matched`; none means all. The last value of each
    state topic comes first, with `latched` in its header. A payload that breaks the contract raises ContractError,
    unless `check` is False. A deleted key of a state has the payload None.
    """
    return Subscription(base, *topics, context=context, timeout_s=timeout_s, check=check, raises=True)


_publishers: dict[str, Publisher] = {}
_publishers_lock = threading.Lock()


def publish(base: str, topic: str, payload: Payload | None, stamp: int | None = None, key: str | None = None) -> bool:
    """Publishes one message; the connection is kept for the next one."""
    with _publishers_lock:
        publisher = _publishers.get(base)
        if publisher is None:
            publisher = _publishers[base] = Publisher(base)
    return publisher.publish(topic, payload, stamp, key)


def call(base: str, name: str, request: Payload | None = None, vehicle: str = "ego", timeout_s: float | None = None,
         context: Context | None = None) -> Any:
    """Calls a stage over a connection of its own and returns its reply; raises CallError with the code."""
    identity, wait_s, parts = call_parts(name, request, vehicle, timeout_s)
    socket: Socket
    with context_or_shared(context).socket(zmq.DEALER) as socket:
        socket.setsockopt(zmq.LINGER, 500)
        socket.connect(endpoints(base)[2])
        socket.send_multipart(parts)
        deadline = time.monotonic() + wait_s + 1
        while socket.poll(max(0, int((deadline - time.monotonic()) * 1000))):
            frames = socket.recv_multipart()
            answer = unpack(frames[0])
            if answer.get("op") == "error":
                raise CallError(answer.get("code", "invalid"), answer.get("message", ""))
            if answer.get("op") == "reply" and answer.get("id") == identity:
                return reply_of(name, answer, frames[1] if len(frames) > 1 else b"")
    raise CallError("timeout", f"no answer from the bus within {wait_s + 1:g} s")
