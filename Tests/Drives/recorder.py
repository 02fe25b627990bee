"""The broker's recorder: nothing lost before a kill, a second at most behind it, and nobody harmed.

    recorder.py --programs .build/release [--seconds 600] [--rate 100000]

`--seconds` and `--rate` are of the flood of messages of 300 bytes that is recorded until the broker
is killed; the rate is only reached where the machine can send so many.
"""

import json
import multiprocessing
import os
import pathlib
import resource
import signal
import struct
import subprocess
import tempfile
import time

import msgpack
import zmq

import stack
import navstack
from navstack import recording
from foreign_recordings import doctor

SIZE = 300


class Broker:
    """A nav-bus of its own, with parameters."""

    def __init__(self, folder, name="bus", limit=None, **parameters):
        self.base = f"ipc://{folder}/{name}"
        path = pathlib.Path(folder) / f"{name}.json"
        path.write_text(json.dumps(parameters), encoding="utf-8")
        self.log = pathlib.Path(folder) / f"{name}.log"

        def prepare():
            # What a full disk does, without one: no file may be longer than this.
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            if limit:
                resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

        with open(self.log, "a", encoding="utf-8") as log:
            self.process = subprocess.Popen(
                [str(stack.OPTIONS.programs / "nav-bus"), "--params", str(path)], stdout=log, stderr=log,
                env={**os.environ, "NAV_BUS": self.base}, preexec_fn=prepare)
        self.call("record/status", {})

    def call(self, name, request, seconds=30):
        """A call, as soon as the broker answers calls at all."""
        end = time.monotonic() + seconds
        while True:
            try:
                return navstack.call(self.base, name, request, timeout_s=10)
            except navstack.CallError as error:
                if error.code not in ("no_such_service", "unavailable", "timeout") or time.monotonic() > end:
                    raise
                time.sleep(0.05)

    def end(self, number=signal.SIGTERM):
        self.process.send_signal(number)
        return self.process.wait(30)


def flood(base, rate, seconds, started):
    """Sends numbered messages, until the broker is gone."""
    with zmq.Context().socket(zmq.PUSH) as socket:
        socket.setsockopt(zmq.LINGER, 0)
        socket.setsockopt(zmq.SNDHWM, 1000)
        socket.connect(navstack.endpoints(base)[0])
        head = msgpack.packb({"stamp": 0, "src": "flood", "run": 1, "schema": "", "seq": 1})[:-1]
        body = bytes(range(256)) + bytes(SIZE - 256)
        begin = time.monotonic()
        started.set()
        number = 0
        while time.monotonic() < begin + seconds:
            for _ in range(100):
                number += 1
                header = head + b"\xce" + struct.pack(">I", number)
                try:
                    socket.send_multipart([b"ego/flood", header, struct.pack(">I", number) + body[4:]], zmq.NOBLOCK)
                except zmq.Again:
                    if not socket.poll(1000, zmq.POLLOUT):
                        return  # the broker is gone
                    number -= 1
            ahead = number / rate - (time.monotonic() - begin)
            if ahead > 0:
                time.sleep(ahead)


def numbers(path):
    """The numbers of the flood's messages in a file, and whether each payload is the one that was sent."""
    found, is_whole = [], True
    for topic, header, payload in recording.messages(path):
        if topic == "ego/flood":
            found.append(header["seq"])
            is_whole = is_whole and struct.unpack(">I", payload[:4])[0] == header["seq"] and len(payload) == SIZE
    return found, is_whole


def killed(folder, results, seconds, rate):
    """Killed under a flood; the last chunk is cut, too."""
    path = pathlib.Path(folder) / "flood.mcap"
    parameters = {"record_to": str(path), "record_notes": ["vehicles=ego"]}
    broker = Broker(folder, **parameters)
    started = multiprocessing.Event()
    sender = multiprocessing.Process(target=flood, args=(broker.base, rate, seconds + 60, started))
    sender.start()
    started.wait(30)
    begin = time.monotonic()
    while time.monotonic() < begin + seconds:
        time.sleep(0.2)
    # What the broker has taken in by now must be saved if it is killed a second later.
    _, output, _ = stack.run("nav", "topic", "list", "--json", "--bus", broker.base)
    count = sum(topic["messages"] for topic in map(json.loads, output.splitlines()) if topic["name"] == "ego/flood")
    counted_s = time.monotonic() - begin
    time.sleep(1)
    status = broker.call("record/status", {})
    broker.end(signal.SIGKILL)
    sender.join(30)
    sender.terminate()
    print(f"   flood: {count / counted_s:,.0f} messages/s for {seconds:g} s, "
          f"{status['bytes'] / 1e6:.0f} MB, {sum(status['lost'].values())} lost")
    results.add(count > 1000 and not status["lost"], "the recorder keeps up with the flood", str(status))
    part = pathlib.Path(f"{path}.part")
    size = part.stat().st_size
    # The last chunk is not there whole.
    os.truncate(part, size - 60_000)
    saved = pathlib.Path(folder) / "saved.mcap"
    code, output, errors = stack.run("nav", "rec", "recover", part, saved, seconds=600)
    results.add(code == 0, "nav rec recover saves the part of a killed broker", output + errors)
    found, is_whole = numbers(saved)
    results.add(found == list(range(1, len(found) + 1)) and is_whole,
                "nothing is lost before the cut, and each payload is whole", f"{len(found)} messages")
    results.add(len(found) >= count, "a second at most is lost at the end",
                f"{len(found)} of {count} that were taken in a second before")
    results.add(not doctor(saved), "PyPI's mcap finds what was saved sound", "; ".join(doctor(saved)[:3]))
    # The next broker records again, beside.
    broker = Broker(folder, **parameters)
    status = broker.call("record/status", {})
    results.add(status["recording"] and status["path"].endswith("flood.2.mcap"),
                "a restarted broker records into the next file", str(status))
    code = broker.end()
    second = pathlib.Path(folder) / "flood.2.mcap"
    results.add(code == 0 and second.exists() and not doctor(second),
                "on SIGTERM the file is closed well", f"exit code {code}")


def full(folder, results):
    """A disk that is full ends the recording, once; the bus goes on."""
    path = pathlib.Path(folder) / "full.mcap"
    broker = Broker(folder, "full", limit=1 << 20, record_to=str(path))
    with zmq.Context().socket(zmq.PUSH) as push, zmq.Context().socket(zmq.SUB) as ear:
        for socket in (push, ear):
            socket.setsockopt(zmq.LINGER, 0)
        ear.subscribe(b"ego/big")
        ear.connect(navstack.endpoints(broker.base)[1])
        push.connect(navstack.endpoints(broker.base)[0])
        number, heard, ended_at = 0, 0, None
        end = time.monotonic() + 60
        while time.monotonic() < end and (ended_at is None or heard < ended_at + 5):
            number += 1
            header = {"seq": number, "stamp": 0, "src": "test", "run": 1, "schema": ""}
            push.send_multipart([b"ego/big", msgpack.packb(header), os.urandom(50_000)])
            if ear.poll(100):
                heard = msgpack.unpackb(ear.recv_multipart()[1])["seq"]
            if ended_at is None and not broker.call("record/status", {})["recording"]:
                ended_at = number
    status = broker.call("record/status", {})
    results.add(ended_at is not None and heard >= ended_at + 5 and "File too large" in status.get("error", ""),
                "a full disk ends the recording, and the bus goes on", str(status))
    try:
        broker.call("record/stop", {})
        results.add(False, "record/stop tells of the failure", "it did not")
    except navstack.CallError as error:
        results.add(error.code in ("failed", "not_recording"), "record/stop tells of the failure", str(error))
    broker.end()
    log = broker.log.read_text(encoding="utf-8")
    results.add(log.count("the recording has ended") == 1, "the log says so once", log[-500:])


def demo(results):
    """A drive, recorded by command from its middle to its end."""
    with stack.Stack("recorder") as run, tempfile.TemporaryDirectory() as folder:
        ear = stack.Ear(run)
        path = pathlib.Path(folder) / "drive.mcap"
        begun = ear.wait(lambda record: record.progress > 5, 60, run)
        code, output, errors = stack.run("nav", "rec", "start", path, "--note", "vehicles=ego",
                                         "--attach", stack.DEMO, "--bus", run.base)
        results.add(begun and code == 0, "nav rec start", output + errors)
        seen = ear.record.progress
        ear.wait(lambda record: record.progress > seen + 50, 60, run)
        code, output, errors = stack.run("nav", "rec", "stop", "--bus", run.base)
        results.add(code == 0 and "lost 0" in output, "nav rec stop", output + errors)
        ear.end()
        found = doctor(path)
        results.add(not found, "PyPI's mcap finds the recording of the stack sound", "; ".join(found[:3]))
        code, output, errors = stack.run("nav", "rec", "info", path, "--json", "--strict")
        info = json.loads(output or "{}")
        topics = {topic["topic"] for topic in info.get("topics", [])}
        results.add(code == 0 and {"ego/location/raw", "ego/route/active", "ego/guidance/progress"} <= topics
                    and info["session"]["vehicles"] == "ego" and info["attachments"][0]["name"] == "demo.yaml",
                    "nav rec info tells what is in it", output[:500] + errors)
        entries = list(recording.messages(path))
        first = [topic for topic, header, _ in entries if header.get("latched")]
        results.add("ego/route/active" in first and all(header.get("latched") for _, header, _ in entries[:len(first)]),
                    "what was latched stands at the beginning", str(first[:10]))
        gaps = []
        last = {}
        for topic, header, _ in entries[len(first):]:
            sender = (topic, header["src"], header["run"])
            if sender in last and header["seq"] != last[sender] + 1:
                gaps.append(f"{sender}: {last[sender]} to {header['seq']}")
            last[sender] = header["seq"]
        results.add(not gaps and len(last) > 10, "no number is missing", "; ".join(gaps[:5]))


def main():
    options = stack.options(__doc__, seconds=5.0, rate=100_000.0)
    results = stack.Results()
    with tempfile.TemporaryDirectory() as folder:
        killed(folder, results, options.seconds, options.rate)
        full(folder, results)
    demo(results)
    results.end()


if __name__ == "__main__":
    main()
