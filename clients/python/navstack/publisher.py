"""Publishes topics: any number of publishers, of one process and bus, share one connection."""

from __future__ import annotations

import collections
import logging
import os
import threading
import time
from types import TracebackType
from typing import Any

import zmq

from .contract import TOPICS, checked, declaration
from .errors import BusError
from .patterns import check_topic
from .wire import Cause, Context, Header, Message, Payload, context_or_shared, endpoints, pack, run_number

_log = logging.getLogger("navstack")
_CONNECT_S = 2.0
_ROOM_MS = 80


class _Connection:
    """The PUSH socket of one bus, shared by its publishers and by threads; `lock` guards it."""

    _all: dict[tuple[int, str], _Connection] = {}
    _all_lock = threading.Lock()

    def __init__(self, base: str, context: Context) -> None:
        self.base, self.users, self.lock = base, 0, threading.RLock()
        self.refused, self._was_connected, self._is_refusing = 0, False, False
        self._socket = context.socket(zmq.PUSH)
        self._socket.setsockopt(zmq.LINGER, 2000)
        self._socket.setsockopt(zmq.IMMEDIATE, 1)  # without a broker nothing is kept to arrive late
        self._socket.connect(endpoints(base)[0])

    @classmethod
    def get(cls, base: str, context: Context | None) -> _Connection:
        shared = context_or_shared(context)
        with cls._all_lock:
            place = (id(shared), base)
            if place not in cls._all:
                cls._all[place] = cls(base, shared)
            cls._all[place].users += 1
            return cls._all[place]

    def leave(self) -> None:
        """Closes the socket with its last user; waits up to 2 s until all is sent."""
        with self._all_lock:
            self.users -= 1
            if self.users == 0:
                for place in [place for place, one in self._all.items() if one is self]:
                    del self._all[place]
                with self.lock:
                    self._socket.close()

    def send(self, parts: list[bytes]) -> bool:
        """Sends at once, or after a moment; False, counted, where no broker takes the message."""
        with self.lock:
            try:
                self._socket.send_multipart(parts, zmq.NOBLOCK)
            except zmq.Again:
                # One message waits for room; those after it are dropped at once, so that a fast publisher keeps its pace.
                wait_ms = 0 if self._is_refusing else _ROOM_MS if self._was_connected else int(_CONNECT_S * 1000)
                if not self._socket.poll(wait_ms, zmq.POLLOUT):
                    return self._refuse()
                self._socket.send_multipart(parts)
            self._was_connected, self._is_refusing = True, False
            return True

    def _refuse(self) -> bool:
        self.refused += 1
        if not self._was_connected:
            raise BusError(f"no broker at {endpoints(self.base)[0]} within {_CONNECT_S:g} s; is the stack running?")
        if not self._is_refusing:
            _log.warning("%s takes no messages: they are dropped and counted until it does", self.base)
        self._is_refusing = True
        return False


class Publisher:
    """Publishes on one bus under one name; numbers the messages of each topic.

    Thousands of publishers of a process share one connection; a publisher may be used by several threads.
    """

    def __init__(self, base: str, source: str | None = None, context: Context | None = None,
                 run: int | None = None) -> None:
        self.source = source or f"python.{os.getpid()}"
        self.run = run_number() if run is None else run
        self.sent = self.refused = 0
        self.numbers: collections.Counter[str] = collections.Counter()
        self._connection: _Connection | None = _Connection.get(base, context)

    def publish(self, topic: str, payload: Payload | None, stamp: int | None = None, key: str | None = None,
                cause: Cause | Message | None = None, **more: Any) -> bool:
        """Checks and sends; `topic` with its vehicle, `stamp` the event time in ns (now, if absent).

        A payload of None deletes a key of a state. `more` are further keys of the header (`next`, `ttl`). Returns False
        where the broker is away: the message is dropped, its number shows the gap. Raises ContractError for a payload
        that breaks the contract or a topic that the bus refuses, and BusError where no broker was ever there.
        """
        check_topic(topic)
        name = declaration(topic)
        data = b""
        if payload is not None:
            data = pack(checked(name, payload, to_wire=True) if name else payload)
        header: Header = {"seq": 0, "stamp": time.time_ns() if stamp is None else stamp, "src": self.source, "run": self.run}
        header["schema"] = TOPICS[name]["schema"] if name else "unknown/1.0"
        if cause:
            header["cause"] = cause.cause if isinstance(cause, Message) else cause
        if key is not None:
            header["key"] = key
        if name:
            header["class"] = TOPICS[name]["class"]
        return self.send(topic, header | more, data)

    def send(self, topic: str, header: Header, data: bytes) -> bool:
        """Numbers and sends a message whose header and payload are made already."""
        connection = self._connection
        if connection is None:
            raise BusError("the publisher is closed")
        with connection.lock:  # numbers go out in their order
            self.numbers[topic] += 1
            header["seq"] = self.numbers[topic]
            is_sent = connection.send([topic.encode(), pack(header), data])
            self.sent += is_sent
            self.refused += not is_sent
        return is_sent

    def resend(self, topic: str, header: Header, data: bytes) -> bool:
        """Sends a message again under its number, with `latched`."""
        connection = self._connection
        if connection is None:
            return False
        return connection.send([topic.encode(), pack(header | {"latched": True}), data])

    def close(self) -> None:
        """Ends the publisher; the last one of the process waits up to 2 s until all is sent."""
        if self._connection is not None:
            self._connection.leave()
            self._connection = None

    def __enter__(self) -> Publisher:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()
