"""Programs of other people take part in the demo: a reader of five lines, a publisher of fixes in the
place of the location provider, and voices in Python and C++."""

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


def snippet(kind, word):
    """The block of the README in a language that has a word."""
    text = (stack.ROOT / "README.md").read_text(encoding="utf-8")
    return next(block for block in re.findall(rf"```{kind}\n(.*?)```", text, re.S) if word in block)


def stack_with_own_voices(folder):
    """The demo with the README's voice, as its snippets stand there, and beside it the one in C++ under other names."""
    (folder / "my_voice.py").write_text(snippet("python", "navstack.Node"), encoding="utf-8")
    subprocess.run(["python3", "my_voice.py", "--manifest"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    cpp = stack.ROOT / "clients/cpp"
    subprocess.run(["g++", "-std=c++17", "-O1", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-o", folder / "voice_cpp", cpp / "voice.cpp", "-lzmq"],
                   check=True)
    second = """  second:
    run: ./voice_cpp
    params: {words_per_s: 3}
    wire: {voice/announcement: second/announcement, voice/repeat: second/repeat}

"""
    demo = stack.DEMO.read_text(encoding="utf-8").replace("../.cache", str(stack.ROOT / ".cache"))
    demo = demo.replace("demo-traffic.json", str(stack.ROOT / "Launch/demo-traffic.json"))
    start, end = demo.index("  voice:\n"), demo.index("  renderer:\n")
    file = folder / "demo.yaml"
    file.write_text(f"{demo[:start]}{snippet('yaml', 'my_voice.py')}\n{second}{demo[end:]}", encoding="utf-8")
    return file


def test_voices_in_python_and_cpp_take_the_stages_place__BUS_1(results):
    """A whole drive with the voice of the README and with the one in C++, both under navlaunch."""
    with tempfile.TemporaryDirectory() as name, stack.Stack("other-voice", file=stack_with_own_voices(pathlib.Path(name))) as run:
        ear = stack.Ear(run)
        second = Second(run.base)
        ear.wait(lambda record: len(record.statuses) >= 8, 60, run)
        has_spoken = ear.wait(lambda record: record.announced, 60, run) and stack.eventually(lambda: second.texts, 20)
        answers = [answer(run.base, call) for call in ("voice/repeat", "second/repeat")]
        inspected = inspect(run.base)
        has_arrived = ear.wait(lambda record: record.arrivals, 150, run)
        processes = {process["name"]: process for process in navstack.call(run.base, "stack/nodes")["processes"]}
        record = ear.end()
        found = stack.faults(record, only=("stages", "route", "arrival", "keys", "contract", "gaps"))
        said = [said.text for said in record.announced]
        results.add(has_spoken and has_arrived and len(said) > 3 and not found,
                    "the voice of the README takes the place of the stage for a whole drive, BUS-1", found or f"announced: {said}", run.log)
        results.add(second.texts == said and not second.faults, f"the one in C++ announces the same {len(said)} texts, each as the contract says, BUS-1",
                    f"{second.faults or second.texts}")
        results.add(answers[0] in said and answers[1] in said, "both answer their call", f"{answers}")
        restarts = {name: processes[name]["restarts"] for name in ("voice", "second")}
        results.add(not any(restarts.values()), "neither was started again", f"{restarts}")
        results.add(re.search(r"^ego [0-9]", inspected, re.M) is not None, "the README's reader by pattern prints the progress", inspected)


def answer(base, name):
    """The text of a reply, or the error."""
    try:
        return navstack.call(base, name)["text"]
    except navstack.CallError as error:
        return f"error: {error}"


def inspect(base):
    """What the README's program for inspecting prints within 2 s."""
    process = subprocess.Popen([sys.executable, "-u", "-c", snippet("python", "navstack.Bus()")], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               text=True, env={**os.environ, "NAV_BUS": base})
    timer = threading.Timer(2, process.kill)
    timer.start()
    output = process.communicate()[0]
    timer.cancel()
    return output


class Second(threading.Thread):
    """Reads what the voice in C++ announces, and checks it against the contract."""

    def __init__(self, base):
        super().__init__(daemon=True)
        self.base, self.texts, self.faults = base, [], []
        self.start()

    def run(self):
        for message in navstack.subscribe(self.base, "ego/second/announcement"):
            try:
                navstack.check("voice/announcement", message.payload)
            except navstack.ContractError as error:
                self.faults.append(str(error))
            if message.header["cause"][0] != "guidance/maneuver" or message.header["schema"] != "voice_announcement/1.0":
                self.faults.append(str(message.header))
            self.texts.append(message.payload["text"])


def main():
    stack.options(__doc__)
    results = stack.Results()
    test_a_reader_of_five_lines_prints_the_topics__BUS_2(results)
    test_a_publisher_of_fixes_takes_the_providers_place__BUS_1__BUS_2(results)
    test_voices_in_python_and_cpp_take_the_stages_place__BUS_1(results)
    results.end()


if __name__ == "__main__":
    main()
