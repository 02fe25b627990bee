"""The short programs of clients/ in C and Ruby, and the header for C++, read and publish what the contract's examples hold, over a real broker."""

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


CODEC = r"""
#include <fstream>
#include "navstack.hpp"

// A node that asks another one, ticks, and fails where it is told to.
int relay() {
  using navstack::Message;
  using navstack::Value;
  navstack::Node node("relay", "Asks another node.");
  const Value& factor = node.parameter("factor", 2, "Factor.", 1, 10);
  node.output("own/answer", "event", "answer/1.0").output("own/tick", "stream", "tick/1.0").uses("own/double");
  node.input("own/ask", [&](const Message& message) {
    try {
      const Value reply = node.call("own/double", Value::map({{"n", message.payload["n"].as_int() * factor.as_int()}}), "", 5000);
      node.publish("own/answer", Value::map({{"n", reply["n"]}}));
    } catch (const navstack::CallError& error) {
      node.publish("own/answer", Value::map({{"code", error.code}, {"field", error.field}}));
    }
  });
  node.input("own/fail", [](const Message&) { throw std::runtime_error("as asked"); });
  node.every(0.1, [&] { node.publish("own/tick", Value::map({{"now_ns", node.time_ns()}})); });
  char name[] = "relay";
  char* words[] = {name};
  return node.main(1, words);
}

// For each file: whether the value is packed to the same bytes, and its JSON; then what each truncated or garbled file ends in.
int main(int count, char** paths) {
  if (count == 2 && std::string(paths[1]) == "relay") return relay();
  int refused = 0;
  for (int i = 1; i < count; i++) {
    std::ifstream file(paths[i], std::ios::binary);
    const std::string data((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    const navstack::Value value = navstack::Value::unpacked(data);
    const std::string json = value.json();
    std::cout << (value.packed() == data) << " " << (navstack::Value::from_json(json).json() == json) << " " << json << "\n";
    const std::size_t step = 1 + data.size() / 40;
    for (std::size_t length = 0; length < data.size(); length += step) {
      try { navstack::Value::unpacked(data.substr(0, length)); } catch (const navstack::Error&) { refused++; continue; }
      std::cout << "accepted " << length << " bytes of " << paths[i] << "\n";
    }
    std::string garbled = data;
    for (std::size_t place = 0; place < data.size(); place += step) {
      garbled[place] = static_cast<char>(garbled[place] ^ 0xa5);
      try { navstack::Value::unpacked(garbled); } catch (const navstack::Error&) { refused++; }
      garbled[place] = data[place];
    }
  }
  for (const char* text : {"", "{", "[1,", "\"a", "{\"a\"}", "1 2", "nul", "\"\\u12\"", "-", "{1:2}"}) {
    try { navstack::Value::from_json(text); } catch (const navstack::Error&) { refused++; continue; }
    std::cout << "accepted JSON " << text << "\n";
  }
  std::cout << "refused " << refused << "\n";
}
"""


class Cpp:
    """A program that is compiled with the header, with checks for memory errors and undefined behaviour, while other tests run."""

    def __init__(self, folder, name, source):
        self.path = pathlib.Path(folder) / name
        self.process = subprocess.Popen(["g++", "-std=c++17", "-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-Wall", "-Wextra",
                                         "-Werror", "-I", CLIENTS / "cpp", "-o", self.path, source, "-lzmq"])

    def program(self):
        if self.process.wait(120) != 0:
            raise RuntimeError(f"{self.path.name} does not compile")
        return self.path


def test_the_header_for_cpp_reads_and_writes_the_golden_bytes__BUS_2(results, codec):
    files = sorted(EXAMPLES.glob("*.msgpack"))
    done = subprocess.run([codec, *files], capture_output=True, text=True, timeout=60)
    lines = done.stdout.splitlines()
    wrong = [file.name for file, line in zip(files, lines_of(lines))
             if line[:4] != "1 1 " or json.loads(line[4:]) != json.loads(file.with_suffix(".json").read_text(encoding="utf-8"))]
    accepted = [line for line in lines if line.startswith("accepted")]
    results.add(done.returncode == 0 and not wrong and not accepted and len(list(lines_of(lines))) == len(files),
                f"C++ reads and writes {len(files)} examples as they are, and {lines[-1] if lines else 'nothing'} broken ones, BUS-2",
                f"{wrong[:5]} {accepted[:5]} {done.stderr[-400:]}")


def lines_of(lines):
    return (line for line in lines if line[:1] in "01")


def test_a_node_in_cpp_serves_any_vehicle__BUS_8(results, program, broker):
    """The voice in C++ by hand, for every vehicle (the joined form), over two brokers and two lives."""
    environment = {**broker.environment(), "NAV_NODE": "voice", "NAV_VEHICLE": "any", "NAV_LAUNCHER_PID": ""}
    route = json.loads((EXAMPLES / "route_active.json").read_text(encoding="utf-8"))

    def announced(bus, subscription, vehicle, index):
        deadline = time.monotonic() + 10
        while time.monotonic() < deadline:
            bus.publish(f"{vehicle}/guidance/maneuver", {"route_id": "r-1", "event": "next", "index": index, "action": "turn"}, stamp=index + 1)
            message = subscription.receive(0.5)
            if message is not None and message.vehicle == vehicle:
                return message
        return None

    process = subprocess.Popen([program], env=environment, stderr=subprocess.PIPE, text=True)
    with navstack.Bus(broker.base) as bus, bus.subscribe("*/voice/announcement") as subscription:
        subscription.wait_ready()
        for vehicle in ("car1", "car2"):
            bus.publish(f"{vehicle}/route/active", route, stamp=1)
        messages = [announced(bus, subscription, vehicle, 0) for vehicle in ("car1", "car2")]
        results.add(all(message is not None and message.payload["text"] for message in messages), "a node in C++ serves any vehicle, BUS-8", f"{messages}")
        process.terminate()
        code, errors = process.wait(10), process.communicate()[1]
        results.add(code == 0 and not errors, "it ends with 0 on SIGTERM, and no memory error", f"{code}: {errors[-400:]}")
        process = subprocess.Popen([program], env=environment, stderr=subprocess.PIPE, text=True)
        reply = failure = None
        for _ in range(50):
            try:
                reply = bus.call("voice/repeat", vehicle="car2")["text"]
                break
            except navstack.CallError as error:
                failure = error
                time.sleep(0.1)
        results.add(messages[1] is not None and reply == messages[1].payload["text"], "its state survives its restart", f"{reply}; {failure}")
        broker.kill()
        broker.start()
        results.add(announced(bus, subscription, "car1", 0) is not None, "it goes on with a new broker", "nothing was announced")
        process.terminate()
        code, errors = process.wait(10), process.communicate()[1]
        results.add(code == 0, "and ends with 0 again", f"{code}: {errors[-400:]}")


def test_a_node_in_cpp_calls_ticks_and_goes_on_after_failures__BUS_2(results, program, broker, folder):
    params = pathlib.Path(folder) / "params.json"
    environment = {**broker.environment(), "NAV_NODE": "relay", "NAV_LAUNCHER_PID": "", "NAV_PARAMS": str(params)}

    def run(text):
        params.write_text(text, encoding="utf-8")
        return subprocess.Popen([program, "relay"], env=environment, stderr=subprocess.PIPE, text=True)

    wrong = {'{"factor": 30}': "out of range", '{"factor": "x"}': "is no int", '{"factr": 3}': "unknown parameter", "{": "params.json"}
    ends = {text: (process.communicate(timeout=20)[1], process.returncode) for text in wrong for process in [run(text)]}
    results.add(all(code == 78 and wrong[text] in errors for text, (errors, code) in ends.items()),
                "a node in C++ refuses wrong parameters with 78 and a sentence", f"{ends}")

    def double(request, _vehicle):
        if request["n"] > 100:
            raise navstack.CallError("too_large", "As asked.", "n")
        return {"n": request["n"] * 2}

    goes_on = threading.Event()
    server = navstack.Server(broker.base, "doubler", {"own/double": double})
    threading.Thread(target=server.run, args=(goes_on.is_set,), daemon=True).start()
    process = run('{"factor": 3}')
    with navstack.Bus(broker.base) as bus, bus.subscribe("ego/own/answer", "ego/own/tick", "_node/relay/status") as subscription:
        subscription.wait_ready()

        def wait_for(condition):
            deadline = time.monotonic() + 10
            while time.monotonic() < deadline:
                message = subscription.receive(0.5)
                if message is not None and condition(message):
                    return message
            return None

        ready = wait_for(lambda message: message.name == "own/tick")
        bus.publish("ego/own/ask", {"n": 5}, stamp=7)
        answer = wait_for(lambda message: message.name == "own/answer")
        results.add(ready is not None and answer is not None and answer.payload == {"n": 30} and answer.header["cause"][0] == "own/ask"
                    and answer.stamp == 7, "its calls, timers and parameters work", f"{answer}")
        bus.publish("ego/own/ask", {"n": 50})
        answer = wait_for(lambda message: message.name == "own/answer")
        results.add(answer is not None and answer.payload == {"code": "too_large", "field": "n"}, "a refused call has its code and field", f"{answer}")
        bus.publish("ego/own/fail", {})
        status = wait_for(lambda message: message.topic == "_node/relay/status" and message.payload["state"] == "degraded")
        ready = wait_for(lambda message: message.topic == "_node/relay/status" and message.payload["state"] == "ready")
        results.add(status is not None and "as asked" in status.payload["why"] and ready is not None,
                    "a handler that throws degrades the node, which goes on", f"{status}")
    goes_on.set()
    process.terminate()
    results.add(process.wait(10) == 0, "it ends with 0", process.communicate()[1][-300:])


def main():
    stack.options(__doc__)
    results = stack.Results()
    with tempfile.TemporaryDirectory() as folder, Broker() as broker:
        source = pathlib.Path(folder) / "codec.cpp"
        source.write_text(CODEC, encoding="utf-8")
        codec, voice = Cpp(folder, "codec", source), Cpp(folder, "voice", CLIENTS / "cpp/voice.cpp")
        by_language = programs(folder)
        test_subscribers_of_few_lines_read_what_the_examples_say__BUS_2(results, broker, by_language)
        test_publishers_of_few_lines_are_heard_as_they_spoke__BUS_2(results, broker, by_language)
        test_publishers_of_few_lines_say_that_no_broker_is_there__BUS_2(results, folder, by_language)
        test_the_header_for_cpp_reads_and_writes_the_golden_bytes__BUS_2(results, codec.program())
        test_a_node_in_cpp_calls_ticks_and_goes_on_after_failures__BUS_2(results, codec.program(), broker, folder)
        test_a_node_in_cpp_serves_any_vehicle__BUS_8(results, voice.program(), broker)
    results.end()


if __name__ == "__main__":
    main()
