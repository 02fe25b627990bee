"""Programs of other people take part in the demo: a reader of five lines, a publisher of fixes in the
place of the location provider, and a voice of their own."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import time

import msgpack

import stack  # first: it tells where ours are
import navstack
from navstack import recording


def five_lines():
    """The program of five lines that the README shows."""
    text = (stack.ROOT / "README.md").read_text(encoding="utf-8")
    for block in re.findall(r"```python\n(.*?)```", text, re.S):
        if "recv_multipart" in block:
            return block
    return ""


def test_a_reader_of_five_lines_prints_the_topics__BUS_2(results):
    program = five_lines()
    lines = [line for line in program.splitlines() if line.strip()]
    results.add(len(lines) == 5, "README shows a reader of five lines", f"{len(lines)} lines")
    with stack.Stack("five-lines") as run:
        ear = stack.Ear(run)
        ear.wait(lambda record: record.progress > 5, 60, run)
        here = re.sub(r"ipc://[^\"']*/out", f"{run.base}/out", program)
        process = subprocess.Popen([sys.executable, "-u", "-c", here], stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT, text=True)
        timer = threading.Timer(5, process.kill)
        timer.start()
        output = process.stdout.read()
        process.wait()
        ear.end()
        is_good = "guidance/progress" in output and "remaining_m" in output
        results.add(is_good, "a reader of five lines prints the topics", output[-300:], run.log)


def recorded_fixes():
    """The fixes of the demo, as it runs in one process."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "drive.mcap"
        code, _, errors = stack.run("nav", "drive", stack.DEMO, "--record", file, "--quiet", seconds=120)
        if code != 0:
            raise RuntimeError(errors)
        return [msgpack.unpackb(payload) for topic, _, payload in recording.messages(file)
                if topic == "ego/location/raw"]


class Provider(threading.Thread):
    """Publishes fixes at `rate` times their pace, and the clock; holds at the first one until there is a route."""

    def __init__(self, base, fixes, rate, ear):
        super().__init__(daemon=True)
        self.base, self.fixes, self.rate, self.ear = base, fixes, rate, ear
        self.goes_on = True
        self.start()

    def run(self):
        with navstack.Publisher(self.base, source="provider") as publisher:
            begin = self.fixes[0]["time_ns"]
            self.tell_clock(publisher, begin, 0.001)
            publisher.publish("ego/location/raw", self.fixes[0], begin)
            while self.goes_on and not self.ear.record.active:
                time.sleep(0.05)
            started = time.monotonic()
            for fix in self.fixes[1:]:
                due = started + (fix["time_ns"] - begin) / 1e9 / self.rate
                time.sleep(max(0, due - time.monotonic()))
                if not self.goes_on:
                    return
                self.tell_clock(publisher, fix["time_ns"], self.rate)
                publisher.publish("ego/location/raw", fix, fix["time_ns"])

    @staticmethod
    def tell_clock(publisher, now, rate):
        publisher.publish("_clock", {"now_ns": now, "rate": float(rate), "paused": False, "run": 1}, now)


def test_a_publisher_of_fixes_takes_the_providers_place__BUS_1__BUS_2(results):
    fixes = recorded_fixes()
    with stack.Stack("other-provider", "--without", "location", rate=None) as run:
        ear = stack.Ear(run)
        ear.wait(lambda record: len(record.statuses) >= 7, 30, run)
        provider = Provider(run.base, fixes, 10, ear)
        has_arrived = ear.wait(lambda record: record.arrivals, 150, run)
        provider.goes_on = False
        record = ear.end()
        found = stack.faults(record, only=("route", "matched", "progress", "arrival", "keys", "contract", "gaps"))
        what = "a Python publisher replaces the location provider, and the drive goes on"
        results.add(has_arrived and not found, what, found or "no arrival", run.log)


def test_a_voice_in_python_takes_the_stages_place__BUS_1(results):
    with stack.Stack("other-voice", "--without", "voice") as run:
        ear = stack.Ear(run)
        ear.wait(lambda record: len(record.statuses) >= 7, 30, run)
        program = stack.ROOT / "clients/python/examples/voice.py"
        process = subprocess.Popen([sys.executable, program], env={**os.environ, "NAV_BUS": run.base},
                                   stderr=subprocess.PIPE, text=True)
        answer = ""
        if ear.wait(lambda record: record.announced, 60, run):
            try:
                answer = navstack.call(run.base, "voice/repeat")["text"]
            except navstack.CallError as error:
                answer = f"error: {error}"
        has_arrived = ear.wait(lambda record: record.arrivals, 150, run)
        process.kill()
        errors = process.communicate()[1]
        record = ear.end()
        found = stack.faults(record, only=("stages", "route", "arrival", "keys", "contract", "gaps"))
        said = [said.text for said in record.announced]
        what = "a Python process takes the place of the voice stage"
        results.add(has_arrived and len(said) > 3 and not found, what, found or errors or f"said: {said}", run.log)
        results.add(answer in said, "and answers its call", answer or "no answer")


def main():
    stack.options(__doc__)
    results = stack.Results()
    test_a_reader_of_five_lines_prints_the_topics__BUS_2(results)
    test_a_publisher_of_fixes_takes_the_providers_place__BUS_1__BUS_2(results)
    test_a_voice_in_python_takes_the_stages_place__BUS_1(results)
    results.end()


if __name__ == "__main__":
    main()
