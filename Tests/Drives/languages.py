"""The short programs of clients/ in C and Ruby hear and say what the contract's examples hold, over a real broker."""

import json
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import time

import msgpack
import zmq

import stack  # first: it tells where ours are
import navstack
from broker import Broker

CLIENTS = stack.ROOT / "clients"
EXAMPLES = stack.ROOT / "Protocols/examples"
# One whose floats, integers and strings all travel, and one whose bytes are as short as they get.
TOPICS = {"ego/location/raw": "location_raw", "_clock": "clock"}


def compiled(folder, name):
    program = pathlib.Path(folder) / name
    subprocess.run(["cc", "-Wall", "-Werror", "-o", program, CLIENTS / "c" / f"{name}.c", "-lzmq", "-lmsgpackc"], check=True)
    return [str(program)]


def programs(folder):
    """Subscriber and publisher by language."""
    ruby = ["ruby", "-W0"]
    return {"C": (compiled(folder, "subscribe"), compiled(folder, "publish")),
            "Ruby": ([*ruby, str(CLIENTS / "ruby/subscribe.rb")], [*ruby, str(CLIENTS / "ruby/publish.rb")]),
            "Python": ([sys.executable, str(CLIENTS / "python/examples/subscribe.py")], None)}


def value(line):
    """What a line's last map says, whether it is JSON, Python's way or that of msgpack-c (`"key"=>1`)."""
    payload = line[line.index("} {") + 2:]
    return json.loads(re.sub(r"=>", ":", payload).replace("'", '"').replace("True", "true").replace("False", "false"))


def hears(broker, command, topic, example):
    """The line that a subscriber prints for the example's bytes, published until it is there."""
    process = subprocess.Popen([*command, broker.base, topic], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    heard, ended = [], threading.Event()

    def read():
        for line in process.stdout:
            if line.startswith(topic):
                heard.append(line)
                break
            heard.append(line)
        ended.set()

    threading.Thread(target=read, daemon=True).start()
    raw = (EXAMPLES / f"{example}.msgpack").read_bytes()
    with navstack.Publisher(broker.base, source="golden") as publisher:
        for _ in range(600):
            publisher.publish(topic, msgpack.unpackb(raw), stamp=1)
            if ended.wait(0.1):
                break
    process.kill()
    process.wait()
    return heard[-1].strip() if heard else ""


def test_subscribers_of_few_lines_read_what_the_examples_say__BUS_2(results, broker, by_language):
    for language, (subscriber, _) in by_language.items():
        for topic, example in TOPICS.items():
            line = hears(broker, subscriber, topic, example)
            golden = json.loads((EXAMPLES / f"{example}.json").read_text(encoding="utf-8"))
            try:
                is_same = value(line) == golden
            except ValueError:
                is_same = False
            results.add(is_same, f"a subscriber in {language} reads {topic} as the example says, BUS-2", line[-400:])


def test_publishers_of_few_lines_are_heard_as_they_spoke__BUS_2(results, broker, by_language):
    for language, (_, publisher) in by_language.items():
        if publisher is None:
            continue
        socket = zmq.Context.instance().socket(zmq.SUB)
        socket.connect(f"{broker.base}/out")
        socket.subscribe(b"ego/location/raw")
        golden = {"time_ns": 1790000000000000000, "lat_deg": 47.1001, "lon_deg": 9.5002}
        parts = []
        for _ in range(60):  # until the subscription is there
            subprocess.run([*publisher, broker.base, *(str(golden[key]) for key in golden)], check=True)
            if socket.poll(500):
                parts = socket.recv_multipart()
                break
        socket.close(0)
        is_same = len(parts) == 3 and msgpack.unpackb(parts[2]) == golden and msgpack.unpackb(parts[1])["stamp"] == golden["time_ns"]
        results.add(is_same, f"a publisher in {language} is heard as it spoke, BUS-2", str(parts))


def test_publishers_of_few_lines_say_that_no_broker_is_there__BUS_2(results, folder, by_language):
    base = f"ipc://{folder}/nobody"
    for language, (_, publisher) in by_language.items():
        if publisher is None:
            continue
        began = time.monotonic()
        try:
            done = subprocess.run([*publisher, base, "1790000000000000000", "47.1", "9.5"], capture_output=True, text=True, timeout=20)
            code, said = done.returncode, done.stderr.strip()
        except subprocess.TimeoutExpired:
            code, said = None, "it waits for ever"
        took = time.monotonic() - began
        results.add(code == 1 and f"no broker at {base}/in" in said and took < 10,
                    f"a publisher in {language} says that no broker is there, BUS-2", f"{code} after {took:.1f} s: {said}")


def main():
    stack.options(__doc__)
    results = stack.Results()
    with tempfile.TemporaryDirectory() as folder, Broker() as broker:
        by_language = programs(folder)
        test_subscribers_of_few_lines_read_what_the_examples_say__BUS_2(results, broker, by_language)
        test_publishers_of_few_lines_are_heard_as_they_spoke__BUS_2(results, broker, by_language)
        test_publishers_of_few_lines_say_that_no_broker_is_there__BUS_2(results, folder, by_language)
    results.end()


if __name__ == "__main__":
    main()
