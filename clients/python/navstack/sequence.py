"""Sequence numbers of what a reader receives: repeated messages are dropped, missing ones counted."""

from __future__ import annotations

from typing import Any

from .wire import Header


class SequenceCheck:
    """Knows the last number of each (topic, source), and which value of each state is the latest.

    Cost: one look-up for a message of a stream, two for one of a state.
    """

    def __init__(self) -> None:
        self.lost = self.duplicates = 0
        self._last: dict[tuple[str, str], tuple[int, int]] = {}
        self._values: dict[tuple[str, Any], tuple[str, int, int, int]] = {}

    def admit(self, topic: str, header: Header, is_state: bool = False) -> bool:
        """Whether a message is new; counts what is missing before it."""
        source, run, seq = header["src"], header["run"], header["seq"]
        is_latched = bool(header.get("latched"))
        if (is_state or is_latched) and not self._is_newer_value(topic, header, is_latched):
            self.duplicates += 1
            return False
        place = (topic, source)
        known = self._last.get(place)
        if known is not None and known[0] == run and seq <= known[1]:
            if is_latched:
                return True  # an older number, but the last value of another key
            self.duplicates += 1
            return False
        if not is_latched and known is not None:
            self.lost += seq - known[1] - 1 if known[0] == run else seq - 1
        self._last[place] = (run, seq)
        return True

    def _is_newer_value(self, topic: str, header: Header, is_latched: bool) -> bool:
        place = (topic, header.get("key"))
        value = (header["src"], header["run"], header["seq"], header["stamp"])
        known = self._values.get(place)
        if known is not None and is_latched:
            if known[0] == value[0] and value[1:3] <= known[1:3]:
                return False
            if known[0] != value[0] and value[3] <= known[3]:
                return False
        self._values[place] = value
        return True
