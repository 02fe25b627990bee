"""What a busy machine takes from whoever is here, by a process that only sleeps.

A test that judges times by the clock on the wall is unfair where other work holds the processors: no
program can be faster than it is let run. So a process of its own (the reader of a test has threads, which take
Python's lock from each other) wants to wake every 10 ms, and notes how late it was.
"""

import mmap
import os
import struct
import subprocess
import sys
import tempfile
import time

TICK_S = 0.01
# Seconds overslept in all, the longest of them, and when it wants to wake next; by the machine's clock.
FORM = struct.Struct("ddd")


class Sleeper:
    """Oversleeps as long as it is open."""

    def __enter__(self):
        self.file = tempfile.NamedTemporaryFile(prefix="nav-sleeper-")
        self.file.write(FORM.pack(0, 0, 0))
        self.file.flush()
        self.notes = mmap.mmap(self.file.fileno(), FORM.size)
        self.process = subprocess.Popen([sys.executable, __file__, self.file.name])
        self.last = None
        deadline = time.monotonic() + 30
        while not self._read()[2]:
            if self.process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError("the sleeper did not fall asleep")
            time.sleep(TICK_S)
        return self

    def __exit__(self, *_):
        # Both can be asked for afterwards, too.
        self.last = self.overslept_s, self.longest_s, float("inf")
        self.process.kill()
        self.process.wait()
        self.notes.close()
        self.file.close()

    def _read(self):
        return self.last or FORM.unpack(self.notes[:FORM.size])

    @property
    def overslept_s(self):
        """Seconds overslept in all, the sleep under way included; the difference of two is that of the time between."""
        total, _, due = self._read()
        return total + max(0.0, time.monotonic() - due)

    @property
    def longest_s(self):
        """The longest that it overslept at one time."""
        _, longest, due = self._read()
        return max(longest, time.monotonic() - due)


def sleep(path):
    parent = os.getppid()
    with open(path, "r+b") as file, mmap.mmap(file.fileno(), FORM.size) as notes:
        total = longest = 0.0
        while os.getppid() == parent:
            due = time.monotonic() + TICK_S
            notes[:FORM.size] = FORM.pack(total, longest, due)
            time.sleep(TICK_S)
            late = time.monotonic() - due
            total, longest = total + max(0.0, late), max(longest, late)


if __name__ == "__main__":
    sleep(sys.argv[1])
