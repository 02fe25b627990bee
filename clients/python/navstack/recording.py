"""Reads recordings (MCAP) of a navstack bus; needs msgpack, and libzstd, which every Debian has.

    from navstack import recording
    for topic, header, payload in recording.messages("drive.mcap"):
        print(topic, header["seq"], payload)

Messages come in the order of the file, each with its whole header; `payload` is MessagePack, not
opened. Any MCAP reader can read these files, too: this one puts back what stands in the channel
`_trace` (see docs/architecture/bag.md), and needs no package for MCAP.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import os
import struct
import zlib
from collections.abc import Iterable, Iterator
from typing import Any, BinaryIO, Union

import msgpack

MAGIC = b"\x89MCAP0\r\n"
TRACE = "_trace"
CHUNK_LIMIT = 128 << 20
Path = Union[str, "os.PathLike[str]"]
Recorded = tuple[str, dict[str, Any], bytes]
Channel = tuple[str, str, dict[str, str]]
SCHEMA, CHANNEL, MESSAGE, CHUNK, DATA_END = 3, 4, 5, 6, 15


class Damaged(ValueError):
    """A file that is none, is cut or is damaged; `offset` is the byte."""

    def __init__(self, path: Path, offset: int, text: str) -> None:
        super().__init__(f"{path}: byte {offset}: {text}")
        self.offset = offset


def messages(path: Path) -> Iterator[Recorded]:
    """Yields (topic, header, payload); raises Damaged behind the last whole message of a cut file."""
    with open(path, "rb") as file:
        yield from _with_traces(_records(file, path))


def _with_traces(records: Iterable[Recorded]) -> Iterator[Recorded]:
    pending: Recorded | None = None
    for topic, header, payload in records:
        if topic == TRACE:
            trace = msgpack.unpackb(payload)
            if pending and pending[0] == trace.pop("topic", None) and pending[1]["seq"] == trace["seq"] % (1 << 32):
                pending = (pending[0], trace, pending[2])
            continue
        if pending:
            yield pending
        pending = (topic, header, payload)
    if pending:
        yield pending


def _records(file: BinaryIO, path: Path) -> Iterator[Recorded]:
    schemas: dict[int, str] = {0: ""}
    channels: dict[int, Channel] = {}
    if file.read(8) != MAGIC:
        raise Damaged(path, 0, "not a recording (MCAP)")
    while True:
        offset = file.tell()
        head = file.read(9)
        if len(head) < 9:
            raise Damaged(path, offset, "the file ends here: it was not closed")
        opcode, length = struct.unpack("<BQ", head)
        if opcode == DATA_END:
            return
        # Of a length that the file does not have nothing is taken into memory.
        content = file.read(length) if length <= _left(file) else b""
        if len(content) < length:
            raise Damaged(path, offset, "the file ends within this record")
        try:
            if opcode == CHUNK:
                for kind, part in _split(_opened(content)):
                    yield from _record(kind, part, schemas, channels)
            else:
                yield from _record(opcode, content, schemas, channels)
        except (struct.error, KeyError, UnicodeDecodeError, ValueError) as error:
            raise Damaged(path, offset, str(error) or type(error).__name__) from None


def _left(file: BinaryIO) -> int:
    here = file.tell()
    end = file.seek(0, 2)
    file.seek(here)
    return end - here


def _split(chunk: bytes) -> Iterator[tuple[int, bytes]]:
    offset = 0
    while offset < len(chunk):
        opcode, length = struct.unpack_from("<BQ", chunk, offset)
        offset += 9
        if length > len(chunk) - offset:
            raise ValueError("a record of the chunk ends behind it")
        yield opcode, chunk[offset:offset + length]
        offset += length


def _record(opcode: int, content: bytes, schemas: dict[int, str], channels: dict[int, Channel]) -> Iterator[Recorded]:
    if opcode == SCHEMA:
        (number,) = struct.unpack_from("<H", content)
        schemas[number], _ = _text(content, 2)
    elif opcode == CHANNEL:
        number, schema = struct.unpack_from("<HH", content)
        topic, offset = _text(content, 4)
        _, offset = _text(content, offset)
        channels[number] = (topic, schemas[schema], _pairs(content, offset))
    elif opcode == MESSAGE:
        number, seq, _, stamp = struct.unpack_from("<HIQQ", content)
        topic, schema, notes = channels[number]
        header = {"seq": seq, "stamp": stamp, "src": notes.get("source", "recorded"),
                  "run": int(notes.get("run", 0)), "schema": schema}
        yield topic, header, content[22:]


def _text(content: bytes, offset: int) -> tuple[str, int]:
    length: int = struct.unpack_from("<I", content, offset)[0]
    end = offset + 4 + length
    if end > len(content):
        raise ValueError("a text ends behind its record")
    return content[offset + 4:end].decode(), end


def _pairs(content: bytes, offset: int) -> dict[str, str]:
    length: int = struct.unpack_from("<I", content, offset)[0]
    end, pairs = offset + 4 + length, dict[str, str]()
    offset += 4
    while offset < end:
        key, offset = _text(content, offset)
        pairs[key], offset = _text(content, offset)
    return pairs


def _opened(content: bytes) -> bytes:
    _, _, size, checksum = struct.unpack_from("<QQQI", content)
    name, offset = _text(content, 28)
    (length,) = struct.unpack_from("<Q", content, offset)
    packed = content[offset + 8:offset + 8 + length]
    if size > CHUNK_LIMIT:
        raise ValueError(f"a chunk of {size} bytes")
    if name not in ("", "zstd"):
        raise ValueError(f"compressed with {name}")
    chunk = _unzstd(packed, size) if name else packed
    if len(chunk) != size or (checksum and zlib.crc32(chunk) != checksum):
        raise ValueError("the checksum of the chunk is wrong")
    return chunk


def _unzstd(packed: bytes, size: int) -> bytes:
    library = ctypes.CDLL(ctypes.util.find_library("zstd") or "libzstd.so.1")
    library.ZSTD_decompress.restype = ctypes.c_size_t
    library.ZSTD_decompress.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_size_t]
    chunk = ctypes.create_string_buffer(max(1, size))
    if library.ZSTD_decompress(chunk, size, packed, len(packed)) != size:
        raise ValueError("the compressed bytes of the chunk are damaged")
    return chunk.raw[:size]
