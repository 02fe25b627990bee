"""Addresses, run numbers, frames and the joined form, as Protocols/README.md and Protocols/control.md define them."""

from __future__ import annotations

import os
import pathlib
import re
import time
from typing import Any, NamedTuple, TypeAlias

import msgpack
import zmq

from .errors import BusError

Socket: TypeAlias = "zmq.Socket[bytes]"
Context: TypeAlias = "zmq.Context[zmq.Socket[bytes]]"
Payload: TypeAlias = "dict[str, Any]"
Header: TypeAlias = "dict[str, Any]"
Cause: TypeAlias = "list[Any]"


def run_number() -> int:
    """The number of a process that starts now: greater than that of any process of the stack that started before."""
    epoch_us = os.environ.get("NAV_RUN_EPOCH")
    return time.time_ns() // 1000 if epoch_us is None else int(epoch_us) + time.monotonic_ns() // 1000


def endpoints(base: str) -> tuple[str, str, str]:
    """The endpoints (in, out, control) of a base address."""
    tcp = re.fullmatch(r"tcp://(.+):(\d+)", base)
    if tcp:
        host, port = tcp[1], int(tcp[2])
        return f"tcp://{host}:{port}", f"tcp://{host}:{port + 1}", f"tcp://{host}:{port + 2}"
    return f"{base}/in", f"{base}/out", f"{base}/control"


def joined_endpoint(base: str) -> str:
    """The endpoint where messages have one part."""
    tcp = re.fullmatch(r"tcp://(.+):(\d+)", base)
    return f"tcp://{tcp[1]}:{int(tcp[2]) + 3}" if tcp else f"{base}/out.0"


def default_address() -> str:
    """NAV_BUS, or the address of the only stack that this user runs; raises BusError with a sentence otherwise."""
    if base := os.environ.get("NAV_BUS"):
        return base
    folder = pathlib.Path(os.environ.get("XDG_RUNTIME_DIR") or f"/run/user/{os.getuid()}") / "navstack"
    found = {file.parent.name: file.read_text(encoding="utf-8").strip() for file in folder.glob("*/address")}
    if len(found) == 1:
        return next(iter(found.values()))
    if found:
        raise BusError(f"several stacks are running ({', '.join(sorted(found))}): set NAV_BUS to the address of one")
    raise BusError("NAV_BUS is not set and no stack runs: navlaunch prints the address, as in "
                   "NAV_BUS=ipc:///run/user/1000/navstack/demo")


def context_or_shared(context: Context | None) -> Context:
    """The given context, or that of the process."""
    return context if context is not None else zmq.Context.instance()


class Message(NamedTuple):
    """One message: `topic` with its vehicle, `header` and `payload` as maps; a deleted key has the payload None."""

    topic: str
    header: Header
    payload: Any

    @property
    def vehicle(self) -> str:
        """The vehicle; empty for topics of the system."""
        return "" if self.topic.startswith("_") else self.topic.partition("/")[0]

    @property
    def name(self) -> str:
        """The topic without its vehicle."""
        return self.topic if self.topic.startswith("_") else self.topic.partition("/")[2]

    @property
    def stamp(self) -> int:
        """Event time in nanoseconds since 1970 UTC."""
        return int(self.header.get("stamp", 0))

    @property
    def source(self) -> str:
        """Name of the node that published it."""
        return str(self.header.get("src", ""))

    @property
    def key(self) -> str | None:
        """Which value of a keyed state it is."""
        return self.header.get("key")

    @property
    def is_latched(self) -> bool:
        """Whether it is the last value of a state, sent again to a late joiner."""
        return bool(self.header.get("latched"))

    @property
    def cause(self) -> Cause:
        """This message as the `cause` of another one."""
        return [self.name, self.header["src"], self.header["run"], self.header["seq"]]


def split_joined(data: bytes) -> tuple[bytes, bytes, bytes]:
    """Topic, header and payload of a message in the joined form; raises ValueError for anything else."""
    end = data.index(0, 4, 4 + 201)
    start = end + 5
    length = int.from_bytes(data[end + 1:start], "big")
    if start + length > len(data):
        raise ValueError("the header is longer than the message")
    return data[4:end], data[start:start + length], data[start + length:]


def pack(value: Any) -> bytes:
    """A value as MessagePack."""
    data: bytes = msgpack.packb(value)
    return data


def unpack(data: bytes) -> Any:
    """The value of MessagePack bytes; raises ValueError for anything else."""
    try:
        return msgpack.unpackb(data)
    except (msgpack.UnpackException, TypeError) as error:
        raise ValueError(f"not MessagePack: {error or type(error).__name__}") from None
