"""What the bus promises, with real processes: brokers that are killed, a reader that is stopped, a server that dies
in the middle of its calls, publishers that say one word and end.

--kills N      how often the broker is killed (20)
--pause S      for how many seconds the reader of events is stopped (20)
--calls N      calls under way when their server dies, in all (10000)
--publishers N one-shot publishers (1000)
CI runs a shorter form; docs/reliability.md has the figures of the long one."""

import os
import random
import signal
import subprocess
import sys
import time

import msgpack
import zmq

import stack
from broker import Broker, Probe


def kills(results):
    """3,000 topics through brokers that are killed: all flow again, and what is lost is counted."""
    count, chance = stack.OPTIONS.kills, random.Random(11)
    what = f"3,000 topics, the broker killed {count} times: all flow again, what is lost is what the counters say"
    outages = []
    with Broker() as broker, Probe(broker, "flow", "--topics", 3000) as probe:
        if probe.wait(0) != "ready":
            return results.add(False, what, "the probe did not get ready")
        for number in range(count):
            time.sleep(chance.uniform(0.3, 1.0))
            broker.kill()
            probe.say("killed")
            broker.start()
            outage = probe.figures(number + 1).get("outage_ms")
            if outage is None:
                return results.add(False, what, f"not all flow a minute after kill {number + 1}")
            outages.append(outage)
        probe.end_input()
        end = probe.figures(count + 1)
    outages.sort()
    print(f"   {end}; until all were heard again: median {outages[len(outages) // 2]} ms, longest {outages[-1]} ms")
    is_good = (end.get("unexplained") == 0 and end.get("lost", 0) > 0
               and end["published"] == end["received"] + end["lost"])
    results.add(is_good, what, str(end))


def pause(results):
    """A reader of events is stopped: it gets all of them, in order and once."""
    seconds = stack.OPTIONS.pause
    count = int((seconds + 2) * 200)
    what = f"a reader of events is stopped for {seconds} s: all come, in order and once"
    with Broker() as broker, Probe(broker, "read-events", "--count", count) as reader:
        if reader.wait(0) != "ready":
            return results.add(False, what, "the reader did not get ready")
        with Probe(broker, "write-events", "--count", count, "--rate", 200) as writer:
            time.sleep(0.5)
            os.kill(reader.process.pid, signal.SIGSTOP)
            time.sleep(seconds)
            os.kill(reader.process.pid, signal.SIGCONT)
            writer.wait(0, 120)
            end = reader.figures(1, 60)
    results.add(end.get("complete") is True and end.get("lost") == 0, what, str(end))


def servers(results):
    """A server is killed in the middle of its calls: each ends at once, with the reason."""
    each = min(500, stack.OPTIONS.calls)
    rounds = max(1, stack.OPTIONS.calls // each)
    what = f"a server killed in the middle of its calls: {rounds * each} of {rounds * each} end with server_restarted"
    good, longest = 0, 0.0
    with Broker() as broker, Probe(broker, "call", "--count", each) as caller:
        caller.wait(0)
        for number in range(rounds):
            with Probe(broker, "serve", "--holding", each) as server:
                server.wait(0)
                caller.say("go")
                if server.wait(1) != "holding":
                    return results.add(False, what, f"round {number + 1}: the calls did not reach the server")
                begin = time.monotonic()
                os.kill(server.process.pid, signal.SIGKILL)
                ends = caller.figures(number + 1)
                longest = max(longest, time.monotonic() - begin)
                good += ends.get("server_restarted", 0)
    print(f"   the last end came {longest * 1e3:.0f} ms after the kill; the deadline was 30 s")
    results.add(good == rounds * each and longest < 25, what, f"{good} of {rounds * each}")


ONE_SHOT = """
import os, sys, time, msgpack, zmq
context = zmq.Context()
push = context.socket(zmq.PUSH)
push.connect(sys.argv[1] + "/in")
for name in sys.argv[2:]:
    head = {"seq": 1, "stamp": 0, "src": name, "run": 1, "schema": "probe/1.0", "class": "event"}
    push.send_multipart([b"ego/probe/word", msgpack.packb(head), b"\\x80"])
    push.close()
    push = context.socket(zmq.PUSH)
    push.connect(sys.argv[1] + "/in")
context.destroy(linger=5000)
"""


def one_shots(results):
    """Publishers that connect, say one word and close."""
    count = stack.OPTIONS.publishers
    what = f"{count} one-shot publishers: {count} heard"
    with Broker() as broker:
        ear = zmq.Context.instance().socket(zmq.SUB)
        ear.setsockopt(zmq.RCVHWM, 0)
        ear.connect(f"{broker.base}/out")
        ear.subscribe(b"ego/probe/word")
        control = zmq.Context.instance().socket(zmq.DEALER)
        control.connect(f"{broker.base}/control")
        # An echo proves the subscription.
        ear.subscribe(b"_bus/sync/ear")
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline:
            control.send(msgpack.packb({"op": "sync", "token": 1, "name": "ear"}))
            if ear.poll(50) and ear.recv_multipart()[0] == b"_bus/sync/ear":
                break
        names = [f"tool.{number}" for number in range(count)]
        groups = [names[first:first + 50] for first in range(0, count, 50)]
        for group in groups:
            subprocess.run([sys.executable, "-c", ONE_SHOT, broker.base, *group], check=False)
        heard = set()
        while len(heard) < count and ear.poll(5_000):
            topic, head, _ = ear.recv_multipart()
            if topic == b"ego/probe/word":
                heard.add(msgpack.unpackb(head)["src"])
        ear.close(0)
        control.close(0)
    results.add(len(heard) == count, what, f"{len(heard)} heard")


def main():
    stack.options(__doc__, kills=4, pause=3.0, calls=1000, publishers=200, only="")
    results = stack.Results()
    tests = {"kills": kills, "pause": pause, "servers": servers, "one_shots": one_shots}
    for name, test in tests.items():
        if not stack.OPTIONS.only or name in stack.OPTIONS.only.split(","):
            test(results)
    results.end()


if __name__ == "__main__":
    main()
