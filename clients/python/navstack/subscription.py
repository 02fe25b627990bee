"""Reads topics by pattern: a blocking iterator, an asynchronous one, and one message at a time."""

from __future__ import annotations

import asyncio
import collections
import contextlib
import logging
import time
import uuid
from collections.abc import Iterator
from types import TracebackType
from typing import Any

import zmq

from .contract import TOPICS, checked, declaration
from .errors import BusError, ContractError
from .patterns import Pattern, parse
from .sequence import SequenceCheck
from .wire import Context, Message, Socket, context_or_shared, endpoints, joined_endpoint, pack, split_joined, unpack

_log = logging.getLogger("navstack")
_SYNC_S = 0.1
_SNAPSHOT_S = 2.0
_ASYNC_S = 0.5
_REFILL_S = 1.0


class Subscription:
    """Messages of some patterns; iterate over it, also with `async for`.

    A loop ends when `timeout_s` passes without a message, or never without it. The subscription stays: a further loop
    goes on where the one before ended. Close it, or use it in a `with` statement.

    The last value of each state topic comes first, with `latched` in its header; repeated values and messages are
    dropped. A message that does not decode or breaks the contract is dropped, counted in `refused` and logged, or
    raises ContractError with `raises`. `lost` counts messages whose numbers are missing.

    Events whose numbers are missing are asked for at the broker, which keeps those of 30 s; later events of the same topic and
    source wait for them, for a second at most.

    With a pattern such as `*/location/matched` it reads the joined form of the bus, which sends one topic of thousands
    of vehicles and nothing else. A subscription belongs to one thread, or to one event loop.
    """

    def __init__(self, base: str, *patterns: str, context: Context | None = None, timeout_s: float | None = None,
                 check: bool = True, raises: bool = False) -> None:
        self.patterns = [parse(text) for text in patterns or ("*",)]
        self.refused: collections.Counter[str] = collections.Counter()
        self.received = 0
        self._timeout_s, self._check, self._raises = timeout_s, check, raises
        self._sequence = SequenceCheck()
        kinds = {pattern.kind for pattern in self.patterns}
        self.is_joined = "every_vehicle" in kinds and "all" not in kinds
        self._sync_name = f"python.{uuid.uuid4().hex[:16]}"
        self._names = {pattern.part for pattern in self.patterns if pattern.kind == "name"}
        self._leaves = {pattern.part for pattern in self.patterns if pattern.kind == "every_vehicle"}
        self._subtrees = tuple(pattern.part for pattern in self.patterns if pattern.kind == "subtree")
        self._pending: collections.deque[Message] = collections.deque()
        self._handshake: _Handshake | None = None
        self._refills: _Refills | None = None
        shared = context_or_shared(context)
        self._socket: Socket = shared.socket(zmq.SUB)
        self._socket.setsockopt(zmq.SNDHWM, 0)
        self._socket.setsockopt(zmq.RCVHWM, 100_000)
        self._socket.setsockopt(zmq.LINGER, 0)
        for pattern in self.patterns:
            self._socket.subscribe(pattern.joined if self.is_joined else pattern.plain)
        self._socket.connect(joined_endpoint(base) if self.is_joined else endpoints(base)[1])
        self._base, self._shared, self._is_closed = base, shared, False
        if self.is_joined:
            self._handshake = self._start_handshake(asks_values=True)

    @property
    def lost(self) -> int:
        """Messages whose numbers are missing."""
        return self._sequence.lost

    @property
    def duplicates(self) -> int:
        """Messages and last values that came again and were dropped."""
        return self._sequence.duplicates

    def wait_ready(self, timeout_s: float = 20.0) -> None:
        """Returns when the broker has the subscription: what is published from now on arrives.

        Raises BusError after `timeout_s`. Messages that come meanwhile are kept.
        """
        if self._handshake is None:
            self._handshake = self._start_handshake(asks_values=False)
        deadline = time.monotonic() + timeout_s
        while self._handshake is not None:
            if not self._pump() and self._handshake is not None and not self._poll(min(_SYNC_S, deadline - time.monotonic())):
                if time.monotonic() >= deadline:
                    raise BusError(f"no broker at {self._base} within {timeout_s:g} s")

    def receive(self, timeout_s: float | None = None) -> Message | None:
        """The next message; None where `timeout_s` passes without one, or the subscription is closed."""
        deadline = None if timeout_s is None else time.monotonic() + timeout_s
        while not self._pending:
            if self._is_closed:
                return None
            if self._pump():
                continue
            left = None if deadline is None else deadline - time.monotonic()
            if left is not None and left <= 0:
                return None
            self._poll(left)
        return self._pending.popleft()

    async def receive_async(self, timeout_s: float | None = None) -> Message | None:
        """As `receive`, without blocking the event loop."""
        deadline = None if timeout_s is None else time.monotonic() + timeout_s
        while not self._pending:
            if self._is_closed:
                return None
            if self._pump():
                continue
            left = None if deadline is None else deadline - time.monotonic()
            if left is not None and left <= 0:
                return None
            await self._readable(left)
        return self._pending.popleft()

    def close(self) -> None:
        """Ends the subscription; `async for` and `for` over it end."""
        self._is_closed = True
        self._end_handshake()
        if self._refills is not None:
            self._refills.socket.close()
        self._socket.close()

    def __iter__(self) -> Subscription:
        return self

    def __next__(self) -> Message:
        message = self.receive(self._timeout_s)
        if message is None:
            raise StopIteration
        return message

    def __aiter__(self) -> Subscription:
        return self

    async def __anext__(self) -> Message:
        message = await self.receive_async(self._timeout_s)
        if message is None:
            raise StopAsyncIteration
        return message

    def __enter__(self) -> Subscription:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    async def __aenter__(self) -> Subscription:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None,
                        trace: TracebackType | None) -> None:
        self.close()

    # --- waiting

    def _poll(self, seconds: float | None) -> bool:
        control = self._control
        if control is None:
            return bool(self._socket.poll(None if seconds is None else max(0, int(seconds * 1000))))
        limit = _SYNC_S if seconds is None else max(0.0, min(seconds, _SYNC_S))
        poller = zmq.Poller()
        poller.register(self._socket, zmq.POLLIN)
        poller.register(control, zmq.POLLIN)
        return bool(poller.poll(int(limit * 1000)))

    @property
    def _control(self) -> Socket | None:
        """The socket on which an answer of the broker is due; None where none is."""
        if self._handshake is not None:
            return self._handshake.socket
        return self._refills.socket if self._refills is not None and self._refills.held else None

    async def _readable(self, seconds: float | None) -> None:
        """Waits until one of the sockets signals, or a moment has passed.

        The descriptor of a ZeroMQ socket signals only once; `_pump` has emptied the socket before each wait.
        """
        loop = asyncio.get_running_loop()
        signal = loop.create_future()

        def wake() -> None:
            if not signal.done():
                signal.set_result(None)

        control = self._control
        sockets = [self._socket] + ([control] if control is not None else [])
        descriptors = [int(socket.getsockopt(zmq.FD)) for socket in sockets]
        limit = _SYNC_S if control is not None else _ASYNC_S
        for descriptor in descriptors:
            loop.add_reader(descriptor, wake)
        try:
            with contextlib.suppress(asyncio.TimeoutError):
                await asyncio.wait_for(signal, limit if seconds is None else min(limit, seconds))
        finally:
            for descriptor in descriptors:
                loop.remove_reader(descriptor)

    # --- reading

    def _pump(self) -> bool:
        """Takes what has arrived, some messages at a time; whether anything was there."""
        if self._handshake is not None:
            return self._pump_handshake(self._handshake)
        taken = self._pump_refills(self._refills) if self._refills is not None and self._refills.held else 0
        while taken < 64 and (frames := self._frames()) is not None:
            taken += 1
            message = self._decoded(*frames)
            if message is not None and not self._is_held(message):
                self._pending.append(message)
        return taken > 0

    def _is_held(self, message: Message) -> bool:
        """Keeps a message back that missing events precede, and asks the broker for them."""
        gap = self._sequence.gap
        declared = declaration(message.topic) if gap is not None else None
        if declared is not None and gap is not None and TOPICS[declared]["class"] == "event":
            if self._refills is None:
                self._refills = _Refills(self._base, self._shared)
            self._refills.ask(message, gap)
            return True
        return self._refills is not None and self._refills.hold(message)

    def _pump_refills(self, refills: _Refills) -> int:
        """Delivers missing events that the broker still had, and then those that waited for them; how many."""
        count = len(self._pending)
        for frames in refills.received():
            message = self._decoded(*frames)
            if message is not None:
                self._pending.append(message)
        self._pending.extend(refills.released())
        return len(self._pending) - count

    def _frames(self) -> tuple[bytes, bytes, bytes] | None:
        """The parts of the next message that is here; None where there is none."""
        while True:
            try:
                parts = self._socket.recv_multipart(zmq.NOBLOCK)
            except zmq.Again:
                return None
            try:
                if self.is_joined:
                    (data,) = parts
                    return split_joined(data)
                topic, header, payload = parts
                return topic, header, payload
            except ValueError as error:
                self._refuse("frames", "a message", str(error))

    def _decoded(self, topic_bytes: bytes, header_bytes: bytes, payload_bytes: bytes) -> Message | None:
        topic = topic_bytes.decode(errors="replace")
        if topic.startswith("_bus/") or (self.is_joined and not self._is_wanted(topic)):
            return None
        try:
            header = unpack(header_bytes)
            declared = declaration(topic)
            if not self._sequence.admit(topic, header):
                return None
            payload: Any = unpack(payload_bytes) if payload_bytes else None
            if self._check and declared is not None and payload is not None:
                self._check_version(TOPICS[declared]["schema"], str(header.get("schema", "")))
                payload = checked(declared, payload)
        except ContractError as error:
            self._refuse("contract", topic, str(error), error)
            return None
        except (ValueError, KeyError, TypeError) as error:
            self._refuse("encoding", topic, f"{type(error).__name__}: {error}")
            return None
        self.received += 1
        return Message(topic, header, payload)

    @staticmethod
    def _check_version(wanted: str, given: str) -> None:
        name, _, version = given.partition("/")
        own, _, own_version = wanted.partition("/")
        if name == own and version.split(".")[0] != own_version.split(".")[0]:
            raise ContractError("", f"schema {given}, and this client reads {own}/{own_version.split('.')[0]}.x")

    def _is_wanted(self, topic: str) -> bool:
        if topic in self._names or (self._subtrees and topic.startswith(self._subtrees)):
            return True
        return not topic.startswith("_") and topic.partition("/")[2] in self._leaves

    def _refuse(self, reason: str, topic: str, text: str, error: ContractError | None = None) -> None:
        self.refused[reason] += 1
        if self._raises:
            raise error or ContractError("", text)
        if self.refused[reason] in (1, 10, 100, 1000) or self.refused[reason] % 10_000 == 0:
            _log.warning("%s refused: %s (%d refused for this reason)", topic, text, self.refused[reason])

    # --- joining late

    def _start_handshake(self, asks_values: bool) -> _Handshake:
        name = f"_bus/sync/{self._sync_name}".encode()
        self._socket.subscribe(bytes(4) + name if self.is_joined else name)
        return _Handshake(self._base, self._shared, self._sync_name, self.patterns if asks_values else [])

    def _end_handshake(self) -> None:
        if self._handshake is not None:
            self._handshake.socket.close()
            self._handshake = None

    def _pump_handshake(self, handshake: _Handshake) -> bool:
        """Keeps what comes live until the last values have come, then delivers both in their order."""
        something = False
        while (frames := self._frames()) is not None:
            something = True
            if frames[0].startswith(b"_bus/sync/") and frames[0].decode().endswith(self._sync_name):
                handshake.is_synced = True
            else:
                handshake.live.append(frames)
        something = handshake.pump() or something
        if not handshake.is_done:
            return something
        self._end_handshake()
        for frames in [*handshake.values, *handshake.live]:
            message = self._decoded(*frames)
            if message is not None:
                self._pending.append(message)
        return True


class _Handshake:
    """Waits for the echo of `sync`, then for a `snapshot` of the patterns, if there are any."""

    def __init__(self, base: str, context: Context, name: str, patterns: list[Pattern]) -> None:
        self.socket = _dealer(base, context)
        self.live: list[tuple[bytes, bytes, bytes]] = []
        self.values: list[tuple[bytes, bytes, bytes]] = []
        self.is_synced = False
        self._has_values = not patterns
        self._patterns, self._name = [pattern.for_broker for pattern in patterns], name
        self._token, self._next_s = 0, 0.0

    @property
    def is_done(self) -> bool:
        return self.is_synced and self._has_values

    def pump(self) -> bool:
        now, something = time.monotonic(), False
        if not self.is_synced and now >= self._next_s:
            self._next_s = now + _SYNC_S
            self._ask({"op": "sync", "token": 1, "name": self._name})
        elif self.is_synced and not self._has_values and (self._token == 0 or now >= self._next_s):
            self._next_s = now + _SNAPSHOT_S
            self._token += 1
            self.values = []
            self._ask({"op": "snapshot", "token": self._token, "patterns": self._patterns})
        with contextlib.suppress(zmq.Again):
            while True:
                self._collect(self.socket.recv_multipart(zmq.NOBLOCK))
                something = True
        return something

    def _ask(self, head: dict[str, Any]) -> None:
        with contextlib.suppress(zmq.Again):  # no broker yet: the question is repeated
            self.socket.send(pack(head), zmq.NOBLOCK)

    def _collect(self, parts: list[bytes]) -> None:
        with contextlib.suppress(ValueError):
            head = unpack(parts[0])
            if head.get("token") != self._token or self._token == 0:
                return
            if head.get("op") == "item" and len(parts) == 4:
                self.values.append((parts[1], parts[2], parts[3]))
            elif head.get("op") == "end":
                self._has_values = True


class _Refills:
    """Asks the broker for missing events; `held` has those that wait, by topic and source."""

    def __init__(self, base: str, context: Context) -> None:
        self.socket = _dealer(base, context)
        self.held: dict[tuple[str, str], list[Message]] = {}
        self._asked: dict[int, tuple[tuple[str, str], float]] = {}
        self._ended: set[int] = set()
        self._token = 0

    def ask(self, message: Message, gap: tuple[int, int]) -> None:
        """Asks for the numbers of a gap; the message waits."""
        self._token += 1
        place = (message.topic, message.source)
        head = {"op": "refill", "token": self._token, "topic": message.topic, "src": message.source, "run": message.header["run"],
                "from": gap[0], "to": gap[1]}
        self.held.setdefault(place, []).append(message)
        self._asked[self._token] = (place, time.monotonic() + _REFILL_S)
        with contextlib.suppress(zmq.Again):  # without a broker they are lost, and counted already
            self.socket.send(pack(head))

    def hold(self, message: Message) -> bool:
        """Whether the message waits, too."""
        waiting = self.held.get((message.topic, message.source))
        if waiting is not None:
            waiting.append(message)
        return waiting is not None

    def received(self) -> Iterator[tuple[bytes, bytes, bytes]]:
        """The events that have come."""
        while True:
            try:
                parts = self.socket.recv_multipart(zmq.NOBLOCK)
                head = unpack(parts[0])
            except zmq.Again:
                return
            except ValueError:
                continue
            if head.get("op") == "item" and len(parts) == 4:
                yield parts[1], parts[2], parts[3]
            elif head.get("op") == "end":
                self._ended.add(head.get("token"))

    def released(self) -> Iterator[Message]:
        """The messages that wait no longer."""
        now = time.monotonic()
        for token, (place, deadline) in list(self._asked.items()):
            if token in self._ended or now >= deadline:
                del self._asked[token]
                self._ended.discard(token)
                if all(place != other for other, _ in self._asked.values()):
                    yield from self.held.pop(place, [])


def _dealer(base: str, context: Context) -> Socket:
    """A socket for questions to the broker."""
    socket: Socket = context.socket(zmq.DEALER)
    for option, value in ((zmq.LINGER, 0), (zmq.RCVHWM, 0), (zmq.IMMEDIATE, 1), (zmq.SNDTIMEO, 200)):
        socket.setsockopt(option, value)
    socket.connect(endpoints(base)[2])
    return socket
