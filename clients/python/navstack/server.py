"""Answers calls as a node of the bus."""

from __future__ import annotations

import collections
import contextlib
import inspect
import os
import queue
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from socket import socket, socketpair
from typing import Any

import zmq

from .contract import CALLS, checked
from .errors import CallError, ContractError
from .wire import Context, Socket, context_or_shared, endpoints, pack, run_number, unpack

Handler = Callable[..., "dict[str, Any] | None"]
Head = dict[str, Any]


class Call:
    """One call that a handler answers.

    `vehicle` and `source` name the vehicle and the caller, `deadline` is the `time.monotonic()` after which nobody
    waits for the reply. `cancelled` is a `threading.Event`: set when the caller cancelled the call or the server ends.
    """

    def __init__(self, head: Head) -> None:
        self.id: str = head["id"]
        self.name: str = head["name"]
        self.vehicle: str | None = head.get("vehicle")
        self.source: str | None = head.get("src")
        self.deadline = time.monotonic() + head.get("timeout_ms", 0) / 1000
        self.cancelled = threading.Event()

    @property
    def is_over(self) -> bool:
        """Whether the reply would be dropped: the caller cancelled the call, or the deadline has passed."""
        return self.cancelled.is_set() or time.monotonic() >= self.deadline


def outcome(call: Call, data: bytes, handle: Callable[[Any], dict[str, Any] | None],
            declared_name: str | None = None) -> tuple[Head, bytes | None]:
    """The head and the payload of the reply to a call; no payload where it failed.

    A request of the contract with an unknown field, or one that is too large, is refused before `handle` gets it.
    """
    answer: Head = {"op": "reply", "id": call.id, "ok": True}
    declared = CALLS.get(declared_name or call.name)
    try:
        if call.is_over:
            raise CallError("cancelled", "nobody waits for the answer any more")
        if declared and len(data) > declared["max_size"]:
            raise ContractError("", f"has {len(data)} bytes; at most {declared['max_size']} are allowed")
        request = unpack(data) if data else {}
        if declared:
            request = checked(declared["request"], request, strict=True)
        reply = handle(request) or {}
        return answer, pack(checked(declared["reply"], reply, to_wire=True) if declared else reply)
    except CallError as error:
        answer |= {"ok": False, "code": error.code, "message": error.message}
        answer |= {"field": error.field} if error.field else {}
    except ValueError as error:
        answer |= {"ok": False, "code": "invalid", "message": str(error)}
        if path := getattr(error, "path", ""):
            answer["field"] = path
    except Exception as error:  # a defect of the handler must not leave the caller waiting
        answer |= {"ok": False, "code": "internal", "message": f"{type(error).__name__}: {error}"}
    return answer, None


class Workers:
    """Daemon threads that run jobs; jobs of one key run one at a time, in the order in which they were added.

    A key of None orders nothing.
    """

    def __init__(self, count: int) -> None:
        self._ready: queue.SimpleQueue[tuple[str | None, Callable[[], None]] | None] = queue.SimpleQueue()
        self._queues: dict[str, collections.deque[Callable[[], None]]] = {}
        self._lock, self._count = threading.Lock(), count
        for _ in range(count):
            threading.Thread(target=self._work, daemon=True).start()

    def add(self, key: str | None, job: Callable[[], None]) -> None:
        """Runs a job as soon as a thread is free and the earlier jobs of its key have ended."""
        with self._lock:
            if key is not None and key in self._queues:
                self._queues[key].append(job)  # the job before it hands it on
                return
            if key is not None:
                self._queues[key] = collections.deque()
        self._ready.put((key, job))

    def end(self) -> None:
        """Ends each thread after its current job; jobs that wait are never run."""
        with self._lock:
            self._queues.clear()
        with contextlib.suppress(queue.Empty):
            while True:
                self._ready.get_nowait()
        for _ in range(self._count):
            self._ready.put(None)

    def _work(self) -> None:
        while (entry := self._ready.get()) is not None:
            key, job = entry
            job()
            if key is None:
                continue
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
    argument also gets the `Call`, which says when the caller cancelled the call and until when the reply is of use.

    Handlers run on `workers` threads, so a handler may take as long as its call allows: the thread of `run` goes on
    pinging. Calls of one vehicle run one at a time, in the order in which they came, so that what a stage keeps of a
    vehicle needs no lock; calls of different vehicles run at the same time. With `parallel` every call runs as soon as
    a thread is free: for servers like a router, where one call of a vehicle must not wait for another, as route/cancel
    for route/calculate. Only a handler that never releases the interpreter (a long C function) stops the pings.

    A request of the contract with an unknown field, or one that is too large, is refused before it gets to a handler.
    """

    _PING_S = 0.5

    def __init__(self, base: str, node: str, handlers: Mapping[str, Handler], context: Context | None = None,
                 workers: int = 8, parallel: bool = False) -> None:
        self.node, self.handlers, self.run_number = node, dict(handlers), run_number()
        self._takes_call = {name: takes_three(handler) for name, handler in handlers.items()}
        self._worker_count, self._parallel = workers, parallel
        self._calls: dict[str, Call] = {}
        self._replies: queue.SimpleQueue[tuple[Head, bytes | None]] = queue.SimpleQueue()
        self._waker: socket | None = None
        self._socket: Socket = context_or_shared(context).socket(zmq.DEALER)
        self._socket.setsockopt(zmq.LINGER, 500)
        self._socket.connect(endpoints(base)[2])

    def run(self, until: Callable[[], bool] = lambda: False) -> None:
        """Serves for ever, or until `until()` holds; asked at least twice a second.

        At the end, calls under way are cancelled, and the broker reports them to their callers.
        """
        workers = Workers(self._worker_count)
        # Sockets of ZeroMQ belong to one thread: workers leave replies in a queue and wake this one by a byte.
        wake, waker = socketpair()
        self._waker = waker
        wake.setblocking(False)
        waker.setblocking(False)
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
                    self._dispatch(self._socket.recv_multipart(), workers)
                if time.monotonic() >= next_ping:
                    next_ping = time.monotonic() + self._PING_S
                    self._send({"op": "ping"})
            self._send_replies()
            self._send({"op": "bye"})
        finally:
            for call in self._calls.values():
                call.cancelled.set()
            workers.end()
            for end in (wake, waker, self._socket):
                end.close()

    def _register(self) -> None:
        head = {"op": "register", "name": self.node, "run": self.run_number, "kind": "node"}
        self._send(head | {"pid": os.getpid(), "serves": sorted(self.handlers)})

    def _dispatch(self, frames: list[bytes], workers: Workers) -> None:
        head = unpack(frames[0])
        if head["op"] == "pong" and not head.get("known"):
            self._register()  # a new broker does not know this node
        elif head["op"] == "rejected" or head.get("code") == "second_server":
            raise CallError(head.get("code", "invalid"), head.get("message", ""))
        elif head["op"] == "cancel":
            if head.get("id") in self._calls:
                self._calls[head["id"]].cancelled.set()
        elif head["op"] == "call" and head["id"] not in self._calls:  # a new broker repeats calls under way
            call = self._calls[head["id"]] = Call(head)
            data = frames[1] if len(frames) > 1 else b""
            key = None if self._parallel else (call.vehicle or "")
            workers.add(key, lambda: self._run_handler(call, data))

    def _run_handler(self, call: Call, data: bytes) -> None:
        """Handles a call on a worker's thread, and leaves its end to the thread of `run`."""
        self._replies.put(self._outcome(call, data))
        with contextlib.suppress(OSError):  # full: it is awake; closed: nobody serves any more
            if self._waker is not None:
                self._waker.send(b"\0")

    def _outcome(self, call: Call, data: bytes) -> tuple[Head, bytes | None]:
        """The head and the payload of the reply to a call; no payload where it failed."""
        more = (call,) if self._takes_call[call.name] else ()
        return outcome(call, data, lambda request: self.handlers[call.name](request, call.vehicle, *more))

    def _send_replies(self) -> None:
        with contextlib.suppress(queue.Empty):
            while True:
                answer, payload = self._replies.get_nowait()
                self._calls.pop(answer["id"], None)
                self._send(answer, payload)

    def _send(self, head: Head, payload: bytes | None = None) -> None:
        self._socket.send_multipart([pack(head)] + ([] if payload is None else [payload]))


def takes_three(handler: Handler) -> bool:
    """Whether a handler takes the call in addition to the request and the vehicle."""
    try:
        inspect.signature(handler).bind(None, None, None)
    except (TypeError, ValueError):
        return False
    return True


def lockstep(handle: Callable[[dict[str, Any]], Iterable[dict[str, Any]] | None]) -> Handler:
    """A handler of the call `_lockstep/<node>`, for a node that a conductor leads (NAV_LOCKSTEP=1).

        navstack.Server(bus, "voice", {"_lockstep/voice": navstack.lockstep(handle)}).run()

    `handle(event)` gets one event after the other, dicts of type `lockstep_event` with payloads as
    bytes, and returns the outputs, dicts of type `lockstep_output`; CallError refuses the event.
    Nothing else may decide what it publishes: no clock, no random numbers, no thread.
    """
    declared = CALLS["_lockstep/<node>"]

    def answer(request: dict[str, Any], _vehicle: str | None) -> dict[str, Any]:
        answers: list[dict[str, Any]] = []
        for event in checked(declared["request"], request, strict=True)["events"]:
            try:
                answers.append({"outputs": list(handle(event) or ())})
            except CallError as error:
                refusal = {"code": error.code, "message": error.message}
                answers.append({"refusal": refusal | ({"field": error.field} if error.field else {})})
        return checked(declared["reply"], {"answers": answers}, to_wire=True)

    return answer
