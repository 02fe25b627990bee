"""Starts stacks for the tests of this folder, listens to them, and tells what passed.

Each test here is a program: it prints a line for each thing that it tests, beginning with `pass:` or
`FAIL:`, and exits with the number of those that failed. Logs of what failed stay in .cache/logs.
"""

import argparse
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import traceback

ROOT = pathlib.Path(__file__).resolve().parents[2]
CLIENT = str(ROOT / "clients/python")
sys.path[:0] = [str(ROOT / "Launch"), CLIENT]
# Programs that a test or a stack starts find this client, and `python3` is this Python.
os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [CLIENT, os.environ.get("PYTHONPATH")]))
os.environ["PATH"] = os.pathsep.join([os.path.dirname(sys.executable), os.environ.get("PATH", "")])
import judge as outside  # noqa: E402
from judging.record import DriveRecord  # noqa: E402
from judging.rules import judge  # noqa: E402

LOGS = ROOT / ".cache/logs"
DEMO = ROOT / "Launch/demo.yaml"


class Stack:
    """A stack that runs under a launcher of its own, in a folder of its own."""

    def __init__(self, label, *arguments, file=DEMO, name="demo", rate=10, port=0, environment=None,
                 prefix=()):
        self.label = label
        self.folder = tempfile.mkdtemp(prefix="nav-")
        self.base = f"ipc://{self.folder}/navstack/{name}"
        LOGS.mkdir(parents=True, exist_ok=True)
        self.log = LOGS / f"{label}.log"
        self.environment = {**os.environ, "XDG_RUNTIME_DIR": self.folder, **(environment or {})}
        settings = []
        if rate is not None:
            settings += ["--set", f"location.rate={rate}"]
        if port is not None:
            settings += ["--set", f"renderer.port={port}"]
        command = [*prefix, OPTIONS.programs / "navlaunch", *settings, *arguments, file]
        with open(self.log, "w", encoding="utf-8") as log:
            self.process = subprocess.Popen(
                [str(word) for word in command], env=self.environment, stdout=log,
                stderr=subprocess.STDOUT, start_new_session=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    @property
    def output(self):
        return self.log.read_text(encoding="utf-8", errors="replace")

    def wait(self, seconds):
        """The launcher's exit code, or None where it goes on."""
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            if self.wait(15) is None:
                os.killpg(self.process.pid, signal.SIGKILL)
                self.process.wait()
        return self.process.returncode

    def pid_of(self, program):
        """The process of the stack that runs `program`; None where there is none."""
        for entry in pathlib.Path("/proc").iterdir():
            if not entry.name.isdigit():
                continue
            try:
                words = (entry / "cmdline").read_bytes().split(b"\0")
                parent = int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1])
            except (OSError, IndexError, ValueError):
                continue
            if parent == self.process.pid and os.path.basename(words[0].decode()) == program:
                return int(entry.name)
        return None


class Ear(threading.Thread):
    """Listens to a stack from outside, and keeps what the judge needs."""

    def __init__(self, stack):
        super().__init__(daemon=True)
        self.record = DriveRecord()
        self.base, self.goes_on = stack.base, True
        self.start()

    def run(self):
        for frames in outside.live(self.base, "ego"):
            if frames is not None and len(frames) == 3:
                self.record.take(*frames)
            if not self.goes_on:
                return

    def wait(self, condition, seconds, stack=None):
        """Whether `condition(record)` came to hold; a launcher that has ended ends the wait."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            if condition(self.record):
                return True
            if stack is not None and stack.process.poll() is not None:
                return condition(self.record)
            time.sleep(0.02)
        return False

    def end(self):
        self.goes_on = False
        self.join()
        return self.record


def eventually(condition, seconds):
    """Whether `condition()` came to hold within so many seconds."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if condition():
            return True
        time.sleep(0.02)
    return condition()


def why_wrong(test, *arguments, wrong):
    """What a test finds wrong, as a sentence; empty if it passes. Exceptions of the types `wrong` are findings of the test."""
    try:
        test(*arguments)
    except wrong as finding:
        return str(finding)
    except Exception as error:  # a test that breaks must not end the others
        place = traceback.extract_tb(error.__traceback__)[-1]
        return f"{type(error).__name__}: {error} ({pathlib.Path(place.filename).name}:{place.lineno})"
    return ""


class Results:
    """Counts what passed and what failed, and says so."""

    def __init__(self):
        self.failed, self.lock = 0, threading.Lock()

    def add(self, is_good, what, why="", log=None):
        with self.lock:
            self.failed += not is_good
            more = f"; {log.relative_to(ROOT)}" if log and not is_good else ""
            print(f"pass: {what}" if is_good else f"FAIL: {what}: {why}{more}", flush=True)
            if is_good and log:
                log.unlink(missing_ok=True)

    def end(self):
        sys.exit(min(self.failed, 100))


def faults(record, only=None, **options):
    """What the judge finds wrong, as one text; empty where it finds nothing."""
    rules = [rule for rule in judge(record, **options) if rule.ok is False]
    return "; ".join(f"{rule.name}: {rule.text}" for rule in rules if only is None or rule.name in only)


def options(about, **more):
    """Reads the command line.

    `more` are further options: each a default, or a dict of argparse's arguments such as `help` and `choices`.
    """
    parser = argparse.ArgumentParser(description=about.splitlines()[0])
    parser.add_argument("--programs", type=pathlib.Path, default=ROOT / ".build/release",
                        help="folder of the built programs")
    for name, value in more.items():
        arguments = value if isinstance(value, dict) else {"type": type(value), "default": value}
        parser.add_argument(f"--{name.replace('_', '-')}", **arguments)
    parser.parse_args(namespace=OPTIONS)
    OPTIONS.programs = OPTIONS.programs.resolve()
    return OPTIONS


def run(program, *words, seconds=60, **environment):
    """Runs a program to its end: (exit code, standard output, standard error)."""
    command = [str(OPTIONS.programs / program), *map(str, words)]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=seconds,
                          env={**os.environ, **environment})
    return done.returncode, done.stdout, done.stderr


OPTIONS = argparse.Namespace()
