"""Checks payloads against the contract, both ways; the tables are generated from Protocols/."""

from __future__ import annotations

import difflib
import functools
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from ._contract import CALLS, COLUMNS, STRUCTURES, TOPICS, WORDS, Field
from .errors import ContractError

__all__ = ["CALLS", "COLUMNS", "STRUCTURES", "TOPICS", "WORDS", "check", "checked", "declaration", "packed", "unpacked"]


def declaration(topic: str) -> str | None:
    """The name in the contract of a topic with or without its vehicle; None if it is not there.

    It costs two look-ups, however many vehicles there are.
    """
    if topic in TOPICS:
        return topic
    leaf = topic.partition("/")[2]
    if leaf in TOPICS:
        return leaf
    return _system_declaration(topic) if topic.startswith("_") else None


@functools.lru_cache(maxsize=4096)
def _system_declaration(topic: str) -> str | None:
    """The pattern of the contract, such as `_node/<name>/status`, of a topic of the system."""
    parts = topic.split("/")
    for pattern in TOPICS:
        want = pattern.split("/")
        if len(want) == len(parts) and all(w == h or w[0] == "<" for w, h in zip(want, parts)):
            return pattern
    return None


def check(structure: str, payload: Any) -> None:
    """Raises ContractError unless `payload` is what the contract says of `structure`."""
    checked(structure, payload)


def checked(structure: str, payload: Any, path: str = "", to_wire: bool = False, strict: bool = False) -> dict[str, Any]:
    """`payload`, or ContractError; packed columns become lists, or bytes `to_wire`.

    Unknown keys stay as they are; `strict` refuses them by name, as stages do in requests.
    """
    if not isinstance(payload, dict):
        raise ContractError(path, "expected a map")
    fields = STRUCTURES[structure]
    if strict:
        _refuse_unknown(fields, payload, path)
    result = dict(payload)
    for name, (kind, required, low, high) in fields.items():
        value = payload.get(name)
        if value is None:
            if required:
                raise ContractError(f"{path}.{name}" if path else name, "is missing")
            continue
        result[name] = _value(kind, value, low, high, f"{path}.{name}" if path else name, to_wire, strict)
    if structure in COLUMNS:
        lengths = {len(_column(payload.get(name) or ())) for name in fields}
        if len(lengths) > 1:
            raise ContractError(path, "its columns have different lengths")
    return result


def _refuse_unknown(fields: dict[str, Field], payload: dict[str, Any], path: str) -> None:
    for name in payload:
        if name in fields:
            continue
        near = difflib.get_close_matches(str(name), fields, 1)
        known = f"known fields are {', '.join(fields)}" if fields else "no fields are known here"
        hint = f'did you mean "{near[0]}"?' if near else known
        raise ContractError(f"{path}.{name}" if path else str(name), f'unknown field "{name}"; {hint}')


def _column(value: Any) -> Sequence[Any]:
    if isinstance(value, (bytes, bytearray)):
        return unpacked(value)
    return value if isinstance(value, (list, tuple)) else list(value)


_PLAIN: dict[str, type | tuple[type, ...]] = {"bool": bool, "str": str, "bytes": (bytes, bytearray)}
_Bound = float | None


def _value(kind: str, value: Any, low: _Bound, high: _Bound, path: str, to_wire: bool, strict: bool = False) -> Any:
    kind, _, rest = kind.partition(":")
    if kind in _PLAIN:
        if not isinstance(value, _PLAIN[kind]):
            raise ContractError(path, f"expected {kind}")
        return value
    if kind in ("i64", "u64", "f64", "stamp"):
        return _number(kind, value, low, high, path)
    if kind == "packed":
        column = _column(value)
        if not all(isinstance(number, int) for number in column):
            raise ContractError(path, "expected integers")
        return packed(column) if to_wire else column
    if kind == "struct":
        return checked(rest, value, path, to_wire, strict)
    if kind == "words":
        is_open, words = WORDS[rest]
        if not isinstance(value, str) or not (is_open or value in words):
            raise ContractError(path, f"{value!r} is not one of {', '.join(words)}")
        return value
    if kind == "map":
        if not isinstance(value, dict):
            raise ContractError(path, "expected a map")
        return {k: _value(rest, v, None, None, f"{path}.{k}", to_wire, strict) for k, v in value.items()}
    if not isinstance(value, (list, tuple)):
        raise ContractError(path, "expected a list")
    return [
        None if v is None and kind == "gaps" else _value(rest, v, None, None, f"{path}[{n}]", to_wire, strict)
        for n, v in enumerate(value)
    ]


_BOUNDS: dict[str, tuple[float, float]] = {
    "i64": (-(2**63), 2**63 - 1), "stamp": (-(2**63), 2**63 - 1), "u64": (0, 2**64 - 1)}


def _number(kind: str, value: Any, low: _Bound, high: _Bound, path: str) -> Any:
    is_number = isinstance(value, (int, float)) if kind == "f64" else isinstance(value, int)
    if isinstance(value, bool) or not is_number:
        raise ContractError(path, f"expected {kind}")
    least, greatest = _BOUNDS.get(kind, (-1.7976931348623157e308, 1.7976931348623157e308))
    least = least if low is None else low
    greatest = greatest if high is None else high
    if not least <= value <= greatest:
        raise ContractError(path, f"{value} is outside {least} to {greatest}")
    return value


def packed(values: Iterable[int]) -> bytes:
    """A column of integers as bytes: zigzag differences as varints."""
    result, previous = bytearray(), 0
    for value in values:
        difference, previous = value - previous, value
        rest = (difference << 1) ^ (difference >> 63)
        while rest > 0x7F:
            result.append(rest & 0x7F | 0x80)
            rest >>= 7
        result.append(rest)
    return bytes(result)


def unpacked(data: bytes | bytearray) -> list[int]:
    """The column of integers that `packed` wrote."""
    return list(_numbers(data))


def _numbers(data: bytes | bytearray) -> Iterator[int]:
    previous = rest = shift = 0
    for byte in data:
        rest |= (byte & 0x7F) << shift
        if byte & 0x80:
            shift += 7
            continue
        previous += (rest >> 1) ^ -(rest & 1)
        yield previous
        rest = shift = 0
