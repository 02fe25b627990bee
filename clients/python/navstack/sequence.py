"""Sequence numbers of what a reader receives: repeated messages are dropped, missing ones counted."""

from __future__ import annotations

from .wire import Header

_MOST_MISSING = 1_000


class SequenceCheck:
    """Knows the last number of each (topic, source), the latest value of each key, and which numbers are missing.

    The broker sends last values again for each new subscription of anybody, and after its restart nodes publish their states
    and the events of 30 s again: all of these are `latched`. Cost: two look-ups for a message.
    """

    def __init__(self) -> None:
        self.lost = self.duplicates = 0
        # First and last number that are missing before the message that was admitted last; None where none is.
        self.gap: tuple[int, int] | None = None
        self._last: dict[tuple[str, str], tuple[int, int]] = {}
        self._values: dict[tuple[str, str | None], tuple[str, int, int, int]] = {}
        self._missing: dict[tuple[str, str], set[int]] = {}

    def admit(self, topic: str, header: Header) -> bool:
        """Whether a message is new; counts what is missing before it."""
        self.gap = None
        source, run, seq = header["src"], header["run"], header["seq"]
        place, is_latched = (topic, source), bool(header.get("latched"))
        known = self._last.get(place)
        is_same_run = known is not None and known[0] == run
        is_older = is_same_run and known is not None and seq <= known[1]
        is_found = is_older and is_latched and seq in self._missing.get(place, ())
        if is_found:
            self._missing[place].discard(seq)
            self.lost -= 1
            return True
        if (is_latched and self._is_old_value(topic, header)) or (is_older and not is_latched):
            self.duplicates += 1
            return False
        self._values[(topic, header.get("key"))] = (source, run, seq, header["stamp"])
        if is_older:
            return True  # the last value of a key, of an earlier number than that of another key
        if known is not None and not is_latched:
            self._count_missing(place, known[1] + 1 if is_same_run else 1, seq, is_same_run)
        self._last[place] = (run, seq)
        return True

    def _is_old_value(self, topic: str, header: Header) -> bool:
        """Whether a last value is the known one, or older; one of another source is compared by its stamp."""
        known = self._values.get((topic, header.get("key")))
        if known is None:
            return False
        if known[0] == header["src"]:
            return (header["run"], header["seq"]) <= known[1:3]
        return bool(header["stamp"] <= known[3])

    def _count_missing(self, place: tuple[str, str], first: int, end: int, is_same_run: bool) -> None:
        self.lost += max(0, end - first)
        if not is_same_run:
            self._missing.pop(place, None)
        if first < end:
            self.gap = (first, end - 1)
            missing = self._missing.setdefault(place, set())
            missing.update(range(max(first, end - _MOST_MISSING), end))
            while len(missing) > _MOST_MISSING:
                missing.discard(min(missing))
