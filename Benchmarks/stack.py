#!/usr/bin/env python3
"""What a whole stack costs at one fix a second: CPU, private memory, start, and fix-to-progress latency.

    stack.py                                   the demo town
    NAV_DATA=/path/to/data stack.py --porto    the map of Porto, a simulated drive across it

Starts the stack with navlaunch, waits until all nodes are ready, lets it settle, then reads /proc of
navlaunch and its nodes before and after the window. No page is open meanwhile. A reader in this
process hears three topics of one message a second each; what it costs itself is not counted.
Needs pyzmq and msgpack (.cache/python has them) and smaps_rollup (Linux 4.14).
"""

import argparse
import json
import os
import pathlib
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "clients/python"))
import navstack  # noqa: E402

TICKS = os.sysconf("SC_CLK_TCK")
TOPICS = ("ego/location/raw", "ego/location/matched", "ego/guidance/progress")
SETTINGS = {
    "demo": ["location.rate=1", "renderer.port=0", "voice.sink=none"],
    "porto": ["location.rate=1", "renderer.port=0", "location.source=simulator", "location.noise_m=2",
              "location.noise_drift_m=2", "location.start_at=41.1496,-8.6110"],
}


class Stack:
    """A stack under a launcher of its own, in a folder of its own."""

    def __init__(self, name, programs, settings=None, file=None):
        self.folder = tempfile.mkdtemp(prefix="nav-")
        self.base = f"ipc://{self.folder}/navstack/{name}"
        self.lines, self.ready_s = [], None
        words = [str(programs / "navlaunch")]
        for setting in SETTINGS[name] if settings is None else settings:
            words += ["--set", setting]
        environment = {"NAV_DATA": str(ROOT / "../shared/data"), **os.environ, "XDG_RUNTIME_DIR": self.folder}
        self.started = time.monotonic()
        self.process = subprocess.Popen(
            words + [str(file or ROOT / f"Launch/{name}.yaml")], env=environment, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, errors="replace")
        self.is_ready = threading.Event()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        for line in self.process.stdout:
            self.lines.append(line.rstrip())
            if "all ready" in line:
                self.ready_s = time.monotonic() - self.started
                self.is_ready.set()
        self.is_ready.set()

    def wait(self, seconds):
        """Seconds until all were ready; ends the program where they never are."""
        self.is_ready.wait(seconds)
        if self.ready_s is None:
            self.stop()
            sys.exit("the stack did not get ready:\n" + "\n".join(self.lines[-20:]))
        return self.ready_s

    def processes(self):
        """Name by process: the launcher and its children."""
        found = {}
        for entry in pathlib.Path("/proc").iterdir():
            try:
                parent = int(_stat(entry)[1]) if entry.name.isdigit() else 0
                if self.process.pid in (parent, int(entry.name) if parent else 0):
                    program = (entry / "cmdline").read_bytes().split(b"\0")[0].decode()
                    found[int(entry.name)] = os.path.basename(program)
            except (OSError, ValueError):
                continue
        return found

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


class Latencies:
    """Joins each progress by its cause to the match, and that to the fix; times by the senders' wall."""

    def __init__(self):
        self.sent, self.fix_of = {}, {}
        self.to_matched, self.to_progress = [], []

    def take(self, topic, header):
        leaf = topic.split("/", 1)[1]
        identity = (leaf, header["src"], header["run"], header["seq"])
        wall, cause = header.get("wall"), tuple(header.get("cause") or ())
        if header.get("latched") or wall is None:
            return
        if leaf == "location/raw":
            self.sent[identity] = wall
            return
        fix = cause if leaf == "location/matched" else self.fix_of.get(cause)
        if fix not in self.sent:
            return
        self.fix_of[identity] = fix
        into = self.to_matched if leaf == "location/matched" else self.to_progress
        into.append((wall - self.sent[fix]) / 1e6)

    def listen(self, base, until):
        for topic, header, _ in navstack.subscribe(base, *TOPICS, timeout_s=5, check=False):
            self.take(topic, header)
            if time.monotonic() > until:
                return


def _stat(entry):
    """Fields of /proc/PID/stat behind the name: the first is the state."""
    return (entry / "stat").read_text().rsplit(")", 1)[1].split()


def cpu_s(pid):
    fields = _stat(pathlib.Path(f"/proc/{pid}"))
    return (int(fields[11]) + int(fields[12])) / TICKS


def memory_mib(pid):
    """(private, proportional) memory."""
    values = {}
    for line in pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()[1:]:
        key, value = line.split()[:2]
        values[key.rstrip(":")] = int(value) / 1024
    return values["Private_Clean"] + values["Private_Dirty"], values["Pss"]


def percentiles(values):
    ordered = sorted(values)
    if not ordered:
        return None
    return {"count": len(ordered), "p50": round(statistics.median(ordered), 2),
            "p99": round(ordered[min(len(ordered) - 1, int(0.99 * len(ordered)))], 2)}


def measure(stack, settle_s, window_s):
    time.sleep(settle_s)
    names = stack.processes()
    before, begun = {pid: cpu_s(pid) for pid in names}, time.monotonic()
    latencies = Latencies()
    latencies.listen(stack.base, begun + window_s)
    after, elapsed = {pid: cpu_s(pid) for pid in names}, time.monotonic() - begun
    rows = []
    for pid, name in sorted(names.items()):
        private, proportional = memory_mib(pid)
        rows.append({"program": name, "cpu_percent": round(100 * (after[pid] - before[pid]) / elapsed, 2),
                     "private_mib": round(private, 1), "pss_mib": round(proportional, 1)})
    total = {key: round(sum(row[key] for row in rows), 2) for key in rows[0] if key != "program"}
    return {"window_s": round(elapsed, 1), "processes": rows, "all": total,
            "fix_to_matched_ms": percentiles(latencies.to_matched),
            "fix_to_progress_ms": percentiles(latencies.to_progress)}


def show(report):
    print(f"{report['stack']}: ready in {report['ready_s']} s (each start)")
    print(f"{'program':24}{'CPU %':>8}{'private MiB':>13}{'PSS MiB':>9}")
    for row in report["processes"] + [{"program": "all", **report["all"]}]:
        print(f"{row['program']:24}{row['cpu_percent']:8.2f}{row['private_mib']:13.1f}{row['pss_mib']:9.1f}")
    for key in ("fix_to_matched_ms", "fix_to_progress_ms"):
        print(f"{key}: {report[key]}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--programs", type=pathlib.Path, default=ROOT / ".build/release")
    parser.add_argument("--porto", action="store_true", help="the map of Porto in place of the demo town")
    parser.add_argument("--window", type=float, default=60, help="seconds to measure")
    parser.add_argument("--settle", type=float, default=10, help="seconds before that")
    parser.add_argument("--starts", type=int, default=3, help="how often to start; the last is measured")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    name = "porto" if options.porto else "demo"
    ready = []
    for start in range(max(1, options.starts)):
        stack = Stack(name, options.programs.resolve())
        try:
            ready.append(round(stack.wait(120), 2))
            is_last = start + 1 == max(1, options.starts)
            figures = measure(stack, options.settle, options.window) if is_last else None
        finally:
            stack.stop()
    report = {"stack": name, "ready_s": ready, **figures}
    if options.json:
        print(json.dumps(report, indent=1))
    else:
        show(report)


if __name__ == "__main__":
    main()
