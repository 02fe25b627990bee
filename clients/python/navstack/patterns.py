"""Subscription patterns: which topics a reader wants, and what it asks of the bus.

| pattern | topics |
|---|---|
| `ego/location/matched` | one topic of one vehicle |
| `*/location/matched` | one topic of every vehicle |
| `ego/*`, `ego/guidance/*`, `_node/*` | everything below; `ego/` is the same |
| `*`, or no pattern at all | everything |
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from typing import Literal

from ._contract import TOPICS
from .errors import ContractError, PatternError

Kind = Literal["all", "name", "subtree", "every_vehicle"]

_VEHICLE = re.compile(r"[a-z0-9][a-z0-9._-]{0,62}")
_WORDS = re.compile(r"[a-z][a-z0-9_]*(/[a-z][a-z0-9_]*)*")
_SYSTEM = re.compile(r"_[a-z0-9_]+(/[a-z0-9_.-]+)*")
_TOPIC = re.compile(r"(_[a-z0-9][a-z0-9_.-]*|[a-z0-9][a-z0-9._-]{0,62}/[a-z0-9][a-z0-9_.-]*)(/[a-z0-9][a-z0-9_.-]*)*")
_HELP = "patterns are ego/location/matched, */location/matched, ego/*, ego/guidance/* and *"


@dataclass(frozen=True)
class Pattern:
    """One pattern; `part` is the whole name, the subtree with its `/`, or the topic without the vehicle."""

    text: str
    kind: Kind
    part: str

    def matches(self, topic: str) -> bool:
        """Whether a topic with its vehicle is wanted."""
        if self.kind == "name":
            return topic == self.part
        if self.kind == "subtree":
            return topic.startswith(self.part)
        if self.kind == "every_vehicle":
            return not topic.startswith("_") and topic.partition("/")[2] == self.part
        return True

    @property
    def for_broker(self) -> str:
        """The same pattern in the broker's own form, for `snapshot` and `register`."""
        if self.kind == "every_vehicle":
            return f"*/{self.part}"
        return self.part

    @property
    def plain(self) -> bytes:
        """The prefix that a SUB socket at `…/out` subscribes to; everything, for a topic of every vehicle."""
        return b"" if self.kind == "every_vehicle" else self.part.encode()

    @property
    def joined(self) -> bytes:
        """The prefix that a SUB socket at `…/out.0` subscribes to (the joined form)."""
        if self.kind == "every_vehicle":
            return topic_hash(self.part)
        if self.kind == "all" or (self.kind == "subtree" and not self.part.startswith("_")):
            return b""
        leaf = "" if self.part.startswith("_") else self.part.partition("/")[2]
        return (topic_hash(leaf) if leaf else bytes(4)) + self.part.encode()


@functools.lru_cache(maxsize=1 << 17)
def check_topic(topic: str) -> None:
    """Raises ContractError for a topic that the bus refuses: a vehicle and words, or `_` and words of the system."""
    if topic in TOPICS and not topic.startswith("_"):
        raise ContractError("topic", f'"{topic}" lacks the vehicle; write ego/{topic}')
    if len(topic.encode()) > 200:
        raise ContractError("topic", f'"{topic[:40]}…" is longer than 200 bytes, the longest name of a topic')
    if not _TOPIC.fullmatch(topic):
        raise ContractError("topic", f'"{topic}" is refused by the bus: write VEHICLE/location/raw; '
                            "a vehicle has a-z 0-9 . _ -, begins with a letter or digit and has at most 63 characters")


def parse(text: str) -> Pattern:
    """Reads a pattern; raises PatternError with a sentence for one that is not understood."""
    if text in ("", "*"):
        return Pattern(text, "all", "")
    if len(text.encode()) > 200:
        raise PatternError(f'"{text[:40]}…" is longer than 200 bytes, the longest name of a topic')
    if text.startswith("*/"):
        return _every_vehicle(text)
    if text.endswith(("/*", "/")):
        return _subtree(text)
    if "*" in text:
        raise _refused(text, "`*` stands for the vehicle at the begin, or for everything below at the end")
    return _name(text)


def _every_vehicle(text: str) -> Pattern:
    leaf = text[2:]
    if "*" in leaf or leaf.endswith("/"):
        raise _refused(text, "the bus has no subtree of every vehicle; name each topic, or read everything with *")
    if not _WORDS.fullmatch(leaf):
        raise _refused(text, f'"{leaf}" is no topic: words of a-z 0-9 _ with / between them')
    return Pattern(text, "every_vehicle", leaf)


def _subtree(text: str) -> Pattern:
    part = text[:-1] if text.endswith("*") else text
    inner = part[:-1]
    if "*" in inner:
        raise _refused(text, "`*` stands for the vehicle at the begin, or for everything below at the end")
    if not (_SYSTEM.fullmatch(inner) or _is_name(inner, least=0)):
        raise _refused(text, f'"{inner}" is no vehicle and no begin of a topic')
    return Pattern(text, "subtree", part)


def _name(text: str) -> Pattern:
    if _SYSTEM.fullmatch(text):
        return Pattern(text, "name", text)
    if text in TOPICS:
        raise _refused(text, f"it lacks the vehicle; write ego/{text} for one vehicle, */{text} for all")
    if "/" not in text:
        raise _refused(text, f"a topic has a vehicle and a name; write {text}/* for all topics of a vehicle")
    if not _is_name(text, least=1):
        raise _refused(text, "a topic is a vehicle (a-z 0-9 . _ -) and words of a-z 0-9 _ with / between them")
    return Pattern(text, "name", text)


def _is_name(text: str, least: int) -> bool:
    """Whether a text is a vehicle, and at `least` so many words of a topic."""
    vehicle, _, leaf = text.partition("/")
    if not _VEHICLE.fullmatch(vehicle):
        return False
    return bool(_WORDS.fullmatch(leaf)) if leaf else least == 0


def _refused(text: str, why: str) -> PatternError:
    return PatternError(f'the pattern "{text}" is not understood: {why} ({_HELP})')


@functools.lru_cache(maxsize=4096)
def topic_hash(leaf: str) -> bytes:
    """The mark of the joined form: 32-bit FNV-1a of a topic without its vehicle, big-endian."""
    number = 2_166_136_261
    for byte in leaf.encode():
        number = (number ^ byte) * 16_777_619 & 0xFFFF_FFFF
    return number.to_bytes(4, "big")
