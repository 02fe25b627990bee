"""`nav play` onto a bus: every message arrives, in order; the clock, cuts, loops, and who may speak."""

import collections
import contextlib
import os
import pathlib
import signal
import subprocess
import tempfile
import threading
import time

import msgpack
import zmq

import stack  # first: it tells where ours are
from navstack import recording


class Ear(threading.Thread):
    """All that passes over a bus, from before it is played to."""

    def __init__(self, base):
        super().__init__(daemon=True)
        self.base, self.goes_on, self.frames = base, True, []
        self.ready = threading.Event()
        self.start()
        self.ready.wait(10)

    def run(self):
        with zmq.Context.instance().socket(zmq.SUB) as socket:
            socket.setsockopt(zmq.RCVHWM, 0)
            socket.setsockopt(zmq.LINGER, 0)
            socket.subscribe(b"")
            socket.connect(f"{self.base}/out")
            # The broker's own status tells that the subscription is in place.
            while self.goes_on:
                if not socket.poll(20):
                    continue
                topic, header, payload = socket.recv_multipart()
                self.ready.set()
                self.frames.append((topic.decode(), msgpack.unpackb(header), payload))

    def of(self, test):
        return [frame for frame in list(self.frames) if test(frame[0])]

    def wait(self, condition, seconds=30):
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            if condition(self):
                return True
            time.sleep(0.02)
        return False


@contextlib.contextmanager
def bus(*nodes):
    """A broker, and nodes (program, name, parameters), without a launcher."""
    with tempfile.TemporaryDirectory(prefix="nav-") as folder:
        base, processes = f"ipc://{folder}/bus", []

        def start(program, *words):
            log = open(f"{folder}/{program}.log", "w", encoding="utf-8")  # noqa: SIM115
            processes.append(subprocess.Popen([str(stack.OPTIONS.programs / program), *map(str, words)],
                                              env={**os.environ, "NAV_BUS": base}, stdout=log, stderr=subprocess.STDOUT))

        start("nav-bus")
        ear = Ear(base)
        for program, name, parameters in nodes:
            file = pathlib.Path(folder) / f"{name}.json"
            file.write_text(parameters, encoding="utf-8")
            start(program, "--name", name, "--params", file)
            ear.wait(lambda e, name=name: any(b"ready" in payload for topic, _, payload in e.frames if topic == f"_node/{name}/status"))
        try:
            yield base, ear
        finally:
            ear.goes_on = False
            ear.join()
            for process in processes:
                process.terminate()
            for process in processes:
                process.wait()


def play(base, file, *words, seconds=120):
    return stack.run("nav", "play", file, "--bus", base, *words, seconds=seconds)


def spoken(topic):
    return not topic.startswith("_")


def recorded(file):
    """The drive by topic, as it was recorded."""
    said = collections.defaultdict(list)
    for topic, _, payload in recording.messages(file):
        if spoken(topic):
            said[topic].append(payload)
    return said


def everything(results, file):
    said = recorded(file)
    total = sum(map(len, said.values()))
    with bus() as (base, ear):
        code, _, errors = play(base, file, "--rate", "max")
        ear.wait(lambda e: len(e.of(spoken)) >= total)
        heard = collections.defaultdict(list)
        for topic, _, payload in ear.of(spoken):
            heard[topic].append(payload)
        results.add(code == 0 and heard == said, f"at full speed all {total} messages of {len(said)} topics arrive, in order, byte for byte",
                    f"exit code {code}: {errors}; heard {sum(map(len, heard.values()))} of {total}")
        numbers = [header["seq"] for topic, header, _ in ear.of(lambda t: t == "ego/location/raw")]
        results.add(numbers == list(range(1, len(numbers) + 1)), "they keep their numbers", str(numbers[:10]))


def the_clock(results, file):
    with bus() as (base, ear):
        process = subprocess.Popen(
            [str(stack.OPTIONS.programs / "nav"), "play", str(file), "--bus", base, "--rate", "50", "--loop",
             "--start-offset", "100", "--duration", "20"], stdout=subprocess.DEVNULL)

        def runs(e):
            return [msgpack.unpackb(payload)["run"] for _, _, payload in e.of(lambda t: t == "_clock")]

        looped = ear.wait(lambda e: len(set(runs(e))) >= 3)
        process.send_signal(signal.SIGTERM)
        process.wait()
        told = runs(ear)
        results.add(looped and told == sorted(told), "a loop begins a new run of the clock each time", str(told))
        first = ear.of(spoken)[:12]
        route = [topic for topic, _, _ in first if topic == "ego/route/active"]
        results.add(bool(route), "from an offset on, what was latched by then comes first", str([topic for topic, _, _ in first]))
        rates = {msgpack.unpackb(payload)["rate"] for _, _, payload in ear.of(lambda t: t == "_clock")}
        results.add(rates == {50.0}, "the clock tells its rate", str(rates))


def choices(results, file):
    with bus() as (base, ear):
        code, _, errors = play(base, file, "--rate", "max", "--topics", "location/", "--remap", "location/raw=location/other",
                               "--rename-vehicle", "ego=car-1")
        ear.wait(lambda e: any(topic == "car-1/location/matched" for topic, _, _ in e.frames))
        topics = {topic for topic, _, _ in ear.of(spoken)}
        results.add(code == 0 and topics <= {"car-1/location/other", "car-1/location/matched", "car-1/location/smoothed", "car-1/location/interpolated"}
                    and "car-1/location/other" in topics, "topics are chosen and renamed, and vehicles", f"{topics} {errors}")


def who_speaks(results, file):
    with bus(("nav-voice-guidance", "voice", "{}")) as (base, ear):
        code, _, errors = play(base, file, "--rate", "max")
        results.add(code == 1 and "voice/announcement is published by voice" in errors, "what a live node writes is not played",
                    f"exit code {code}: {errors}")
        code, _, errors = play(base, file, "--rate", "20", "--replace", "voice", "--until", "60")
        ear.wait(lambda e: any(topic == "ego/voice/announcement" for topic, _, _ in e.frames))
        runs = {header["run"] for topic, header, _ in ear.of(lambda t: t == "ego/voice/announcement")}
        played = {header["run"] for topic, header, _ in ear.of(lambda t: t == "ego/guidance/progress")}
        results.add(code == 0 and len(runs) == 1 and not runs & played, "with --replace the live node speaks, and its recorded words are held back",
                    f"exit code {code}: {errors} {runs} {played}")


def main():
    stack.options(__doc__)
    results = stack.Results()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        file = folder / "drive.mcap"
        code, _, errors = stack.run("nav", "drive", stack.DEMO, "--quiet", "--record", file, seconds=120)
        if code != 0:
            results.add(False, "nav drive records the demo", errors)
            results.end()
        everything(results, file)
        the_clock(results, file)
        choices(results, file)
        who_speaks(results, file)
    results.end()


if __name__ == "__main__":
    main()
