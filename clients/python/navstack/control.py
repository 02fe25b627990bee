"""The control socket: calls in parallel, registration, answering calls, last values; one thread owns the socket."""

from __future__ import annotations

import collections
import contextlib
import itertools
import logging
import threading
import time
import uuid
from collections.abc import Callable
from concurrent.futures import Future, InvalidStateError
from concurrent.futures import TimeoutError as FutureTimeout
from dataclasses import dataclass, field
from socket import socketpair
from typing import Any

import zmq

from .contract import CALLS, checked
from .errors import BusError, CallError
from .wire import Context, Socket, context_or_shared, endpoints, pack, unpack

_log = logging.getLogger("navstack")
_PING_S = 0.5

Head = dict[str, Any]
Frames = tuple[bytes, bytes, bytes]


@dataclass
class Registration:
    """What a node registers: its name and run, and the lists of control.md."""

    name: str
    run: int
    head: Head
    on_call: Callable[[Head, bytes], None]
    on_cancel: Callable[[str], None]
    on_new_broker: Callable[[], None]
    on_rejected: Callable[[Head], None]
    on_welcome: Callable[[Head], None]
    on_lost: Callable[[str], None]


@dataclass
class _Pending:
    parts: list[bytes]
    future: Future[Any]
    reply: str | None
    deadline: float
    wait_s: float


@dataclass
class _Question:
    head: Head
    future: Future[list[Frames]]
    items: list[Frames] = field(default_factory=list)


def call_parts(name: str, request: dict[str, Any] | None, vehicle: str, timeout_s: float | None) -> tuple[str, float, list[bytes]]:
    """The identity, the deadline in seconds and the frames of a call; raises ContractError for a wrong request."""
    declared = CALLS.get(name)
    request = {} if request is None else request
    if declared:
        request = checked(declared["request"], request, to_wire=True)
    wait_s = float(timeout_s or (declared["timeout_s"] if declared else 10))
    identity = uuid.uuid4().hex
    head = {"op": "call", "id": identity, "name": name, "vehicle": vehicle, "timeout_ms": int(wait_s * 1000)}
    return identity, wait_s, [pack(head), pack(request)]


def reply_of(name: str, head: Head, data: bytes) -> Any:
    """The reply to a call, or CallError."""
    if not head.get("ok"):
        raise CallError(head.get("code", "internal"), head.get("message", ""), head.get("field"))
    reply = unpack(data) if data else {}
    declared = CALLS.get(name)
    return checked(declared["reply"], reply) if declared else reply


class Control:
    """One connection to the control socket, for any number of threads and calls at the same time."""

    def __init__(self, base: str, context: Context | None = None, registration: Registration | None = None) -> None:
        self.base, self._registration = base, registration
        self._jobs: collections.deque[Callable[[Socket], object]] = collections.deque()
        self._pending: dict[str, _Pending] = {}
        self._questions: dict[int, _Question] = {}
        self._tokens = itertools.count(1)
        self._broker_run: int | None = None
        self._goes_on = True
        self._awake, self._waker = socketpair()
        self._awake.setblocking(False)
        self._waker.setblocking(False)
        self._context = context_or_shared(context)
        self._thread = threading.Thread(target=self._run, name="navstack-control", daemon=True)
        self._thread.start()

    # --- for other threads

    def call(self, name: str, request: dict[str, Any] | None = None, vehicle: str = "ego",
             timeout_s: float | None = None) -> Future[Any]:
        """Makes a call; the future gets the reply or CallError. Cancelling it gives the call up at the server, too."""
        identity, wait_s, parts = call_parts(name, request, vehicle, timeout_s)
        future: Future[Any] = Future()
        pending = _Pending(parts, future, name, time.monotonic() + wait_s + 1, wait_s)

        def begin(socket: Socket) -> None:
            self._pending[identity] = pending
            socket.send_multipart(parts)

        def cancel(_: Future[Any]) -> None:
            if future.cancelled():
                self._do(lambda socket: self._cancel(socket, identity))

        future.add_done_callback(cancel)
        self._do(begin)
        return future

    def last_values(self, patterns: list[str], timeout_s: float = 10.0) -> list[Frames]:
        """The last values of states, as frames (topic, header, payload); raises BusError without an answer."""
        token = next(self._tokens)
        head = {"op": "snapshot", "token": token, "patterns": patterns}
        question = _Question(head, Future())

        def begin(socket: Socket) -> None:
            self._questions[token] = question
            socket.send(pack(head))

        self._do(begin)
        try:
            return question.future.result(timeout_s)
        except FutureTimeout:
            raise BusError(f"no broker answers at {self.base} within {timeout_s:g} s") from None

    def reply(self, head: Head, payload: bytes | None) -> None:
        """Ends a call that this node answers."""
        self._do(lambda socket: socket.send_multipart([pack(head)] + ([] if payload is None else [payload])))

    @property
    def is_alive(self) -> bool:
        """Whether the thread runs."""
        return self._thread.is_alive()

    def register(self) -> None:
        """Registers again, after a rejection."""
        self._do(self._register)

    def close(self) -> None:
        """Says goodbye and ends the thread; calls under way end with `cancelled`."""
        self._goes_on = False
        self._wake()
        self._thread.join(2)

    # --- the thread that owns the socket

    def _do(self, job: Callable[[Socket], object]) -> None:
        if not self._thread.is_alive():
            raise BusError("the connection to the bus is closed")
        self._jobs.append(job)
        self._wake()

    def _wake(self) -> None:
        with contextlib.suppress(OSError):  # full: it is awake; closed: it has ended
            self._waker.send(b"\0")

    def _run(self) -> None:
        socket: Socket = self._context.socket(zmq.DEALER)
        socket.setsockopt(zmq.LINGER, 500)
        socket.setsockopt(zmq.SNDHWM, 0)
        socket.setsockopt(zmq.RCVHWM, 0)
        socket.connect(endpoints(self.base)[2])
        poller = zmq.Poller()
        poller.register(socket, zmq.POLLIN)
        poller.register(self._awake, zmq.POLLIN)
        try:
            self._register(socket)
            next_ping = time.monotonic() + _PING_S
            while self._goes_on:
                ready = dict(poller.poll(self._wait_ms(next_ping)))
                if self._awake.fileno() in ready:
                    with contextlib.suppress(BlockingIOError):
                        self._awake.recv(4096)
                while self._jobs:
                    self._jobs.popleft()(socket)
                self._receive(socket)
                now = time.monotonic()
                if now >= next_ping:
                    next_ping = now + _PING_S
                    if self._registration or self._pending or self._questions:
                        socket.send(pack({"op": "ping"}))
                self._expire(now)
            while self._jobs:
                self._jobs.popleft()(socket)
            if self._registration:
                socket.send(pack({"op": "bye"}))
        except Exception as error:  # a thread that ends silently would leave every caller waiting
            _log.exception("the connection to %s has ended", self.base)
            if self._registration:
                self._registration.on_lost(f"the connection to {self.base} has ended: {type(error).__name__}: {error}")
        finally:
            for pending in list(self._pending.values()):
                _resolve(pending.future, error=CallError("cancelled", "the connection to the bus was closed"))
            for end in (self._awake, self._waker, socket):
                end.close()

    def _wait_ms(self, next_ping: float) -> int:
        first = min([next_ping, *(pending.deadline for pending in self._pending.values())])
        return max(0, int((first - time.monotonic()) * 1000) + 1)

    def _expire(self, now: float) -> None:
        for identity in [identity for identity, one in self._pending.items() if now >= one.deadline]:
            pending = self._pending.pop(identity)
            _resolve(pending.future, error=CallError("timeout", f"no answer from the bus within {pending.wait_s + 1:g} s"))

    def _register(self, socket: Socket) -> None:
        if self._registration:
            head = {"op": "register", "name": self._registration.name, "run": self._registration.run, "kind": "node"}
            socket.send(pack(head | self._registration.head))

    def _cancel(self, socket: Socket, identity: str) -> None:
        if self._pending.pop(identity, None) is not None:
            socket.send(pack({"op": "cancel", "id": identity}))

    def _receive(self, socket: Socket) -> None:
        with contextlib.suppress(zmq.Again):
            while True:
                parts = socket.recv_multipart(zmq.NOBLOCK)
                try:
                    self._dispatch(socket, unpack(parts[0]), parts)
                except (ValueError, KeyError, TypeError, AttributeError) as error:
                    _log.warning("a message of the broker is refused: %s", error)

    def _dispatch(self, socket: Socket, head: Head, parts: list[bytes]) -> None:
        operation, data = head.get("op"), parts[1] if len(parts) > 1 else b""
        if operation == "reply":
            self._finish_call(head, data)
        elif operation == "item" and head.get("token") in self._questions and len(parts) == 4:
            self._questions[head["token"]].items.append((parts[1], parts[2], parts[3]))
        elif operation == "end" and head.get("token") in self._questions:
            question = self._questions.pop(head["token"])
            _resolve(question.future, question.items)
        elif operation in ("pong", "welcome"):
            self._compare_broker(socket, head)
        elif self._registration and operation == "call":
            self._registration.on_call(head, data)
        elif self._registration and operation == "cancel":
            self._registration.on_cancel(str(head.get("id")))
        elif self._registration and operation == "rejected":
            self._registration.on_rejected(head)
        elif operation in ("refused", "error"):
            _log.warning("the broker reports %s: %s", head.get("code", operation),
                         head.get("message") or f"messages of {head.get('topic')} are dropped, {head.get('name')} writes it")

    def _compare_broker(self, socket: Socket, head: Head) -> None:
        """A broker with another run knows nothing: registration, calls under way and questions are repeated."""
        run, before = head.get("run"), self._broker_run
        self._broker_run = run
        if before is not None and run != before:
            for pending in self._pending.values():
                socket.send_multipart(pending.parts)
            for question in self._questions.values():
                question.items.clear()
                socket.send(pack(question.head))
        if self._registration is None:
            return
        if head.get("op") == "welcome":
            self._registration.on_welcome(head)
        elif not head.get("known"):
            self._register(socket)
        if before is not None and run != before:
            self._registration.on_new_broker()

    def _finish_call(self, head: Head, data: bytes) -> None:
        pending = self._pending.pop(str(head.get("id")), None)
        if pending is None:
            return
        try:
            reply = reply_of(pending.reply or "", head, data)
        except (CallError, ValueError) as error:
            _resolve(pending.future, error=error)
        else:
            _resolve(pending.future, reply)


def _resolve(future: Future[Any], result: Any = None, error: Exception | None = None) -> None:
    with contextlib.suppress(InvalidStateError):  # cancelled meanwhile
        if error is not None:
            future.set_exception(error)
        else:
            future.set_result(result)
