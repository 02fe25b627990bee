"""A broker alone, and the probes that read, publish and serve on it: for tests that kill, stop and count."""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import threading
import time

import stack


class Broker:
    """nav-bus as a process, in a directory of its own."""

    def __init__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="navbus"))
        self.base = f"ipc://{self.folder}/bus"
        self.process = None
        self.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def environment(self):
        return {**os.environ, "NAV_BUS": self.base}

    def start(self):
        self.process = subprocess.Popen([stack.OPTIONS.programs / "nav-bus"], env=self.environment(),
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def kill(self):
        """As the kernel does it, at once and without a word."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def memory_mib(self):
        for line in pathlib.Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS"):
                return int(line.split()[1]) / 1024
        return 0.0


class Probe:
    """One bus-probe; its lines are kept as they come."""

    def __init__(self, broker, *words):
        self.lines = []
        self.heard = threading.Condition()
        self.process = subprocess.Popen([stack.OPTIONS.programs / "bus-probe", *map(str, words)],
                                        env=broker.environment(), stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True)
        threading.Thread(target=self._read, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()

    def _read(self):
        for line in self.process.stdout:
            with self.heard:
                self.lines.append(line.strip())
                self.heard.notify_all()
        with self.heard:
            self.lines.append("")
            self.heard.notify_all()

    def say(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def end_input(self):
        self.process.stdin.close()

    def wait(self, number, seconds=60):
        """The line with this number, from 0; None where it does not come."""
        deadline = time.monotonic() + seconds
        with self.heard:
            while len(self.lines) <= number:
                left = deadline - time.monotonic()
                if left <= 0:
                    return None
                self.heard.wait(left)
            return self.lines[number]

    def figures(self, number, seconds=60):
        """The line with this number as JSON; {} where it is none."""
        line = self.wait(number, seconds)
        try:
            return json.loads(line or "")
        except ValueError:
            return {}
