"""Readers that harm nobody but themselves: one that is stopped, one that never reads, one that reads a byte a second, one
that asks for 100,000 names and for all of them again and again. A reader of ours hears 50,000 messages a second meanwhile.

--rate N     messages a second (50000)
--seconds N  how long each of them goes on (30)
CI runs a shorter form; docs/reliability.md has the figures of the long one."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import threading
import time

import stack
from broker import Broker, Probe

# What the broker may take for one reader: 10,000 messages in its queue, and 1 KiB for each name.
BOUND_MIB = {"stopped": 64, "silent": 64, "trickling": 64, "greedy": 160}

GREETING = b"\xff" + bytes(8) + b"\x7f\x03\x00" + b"NULL".ljust(20, b"\0") + bytes(32)
READY = b"\x05READY" + b"\x0bSocket-Type" + (3).to_bytes(4, "big") + b"SUB"

SUBSCRIBER = """
import sys, time, zmq
sub = zmq.Context().socket(zmq.SUB)
sub.setsockopt(zmq.SNDHWM, 0)
sub.connect(sys.argv[1] + "/out")
sub.subscribe(sys.argv[2].encode())
print("ready", flush=True)
while True:
    sub.recv_multipart()
"""

GREEDY = """
import sys, time, zmq
sub = zmq.Context().socket(zmq.SUB)
sub.setsockopt(zmq.SNDHWM, 0)
sub.connect(sys.argv[1] + "/out")
for number in range(100_000):
    sub.subscribe(b"car%d/probe/stream" % number)
print("ready", flush=True)
while True:
    for _ in range(1000):
        sub.subscribe(b"")
        sub.unsubscribe(b"")
    time.sleep(0.01)
    while sub.poll(1):
        sub.recv_multipart()
"""


def connected(broker):
    """A plain socket that has subscribed to everything, as the wire has it (ZMTP 3.0)."""
    link = socket.socket(socket.AF_UNIX)
    link.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    link.connect(f"{broker.base.removeprefix('ipc://')}/out")
    link.sendall(GREETING)
    got = b""
    while len(got) < 64:
        got += link.recv(64 - len(got))
    link.sendall(bytes([0x04, len(READY)]) + READY)
    size = link.recv(2)[1]
    while size > 0:
        size -= len(link.recv(size))
    link.sendall(b"\x00\x01\x01")
    return link


@contextlib.contextmanager
def nobody(_):
    yield


@contextlib.contextmanager
def stopped(broker):
    """A reader that is stopped while it reads."""
    reader = subprocess.Popen([sys.executable, "-c", SUBSCRIBER, broker.base, ""],
                              stdout=subprocess.PIPE, text=True)
    try:
        reader.stdout.readline()
        threading.Timer(0.3, lambda: os.kill(reader.pid, signal.SIGSTOP)).start()
        yield
    finally:
        reader.kill()
        reader.wait()


@contextlib.contextmanager
def silent(broker):
    """A connection that never reads."""
    link = connected(broker)
    try:
        yield
    finally:
        link.close()


@contextlib.contextmanager
def trickling(broker):
    """A connection that reads one byte a second."""
    link, done = connected(broker), threading.Event()

    def read():
        while not done.wait(1):
            link.recv(1)

    thread = threading.Thread(target=read)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()
        link.close()


@contextlib.contextmanager
def greedy(broker):
    """A reader of 100,000 names that asks for everything again and again."""
    reader = subprocess.Popen(["nice", sys.executable, "-c", GREEDY, broker.base],
                              stdout=subprocess.PIPE, text=True)
    try:
        reader.stdout.readline()
        yield
    finally:
        reader.kill()
        reader.wait()


def measure(hostile):
    """Figures of a reader of ours beside a hostile one, and how much the broker's memory grew."""
    rate, seconds = stack.OPTIONS.rate, stack.OPTIONS.seconds
    with Broker() as broker:
        with Probe(broker, "pace", "--rate", 1000, "--seconds", 1) as warm:
            warm.figures(0)
        before = broker.memory_mib()
        with hostile(broker), Probe(broker, "pace", "--rate", rate, "--seconds", seconds) as pace:
            figures = pace.figures(0, seconds * 4 + 60)
            grown = broker.memory_mib() - before
    return figures, grown


def main():
    stack.options(__doc__, rate=20_000, seconds=3, only="")
    results = stack.Results()
    tests = {"stopped": stopped, "silent": silent, "trickling": trickling, "greedy": greedy}
    alone, _ = measure(nobody)
    print(f"   alone: {alone}")
    for name, hostile in tests.items():
        if stack.OPTIONS.only and name not in stack.OPTIONS.only.split(","):
            continue
        figures, grown = measure(hostile)
        ratio = figures.get("p99_ms", 0) / max(alone.get("p99_ms", 0), 0.001)
        print(f"   {name}: {figures}, p99 {ratio:.2f} of that alone, the broker grew by {grown:.0f} MiB")
        what = hostile.__doc__.rstrip(".")
        received = figures.get("received", 0)
        results.add(figures.get("lost") == 0 and received == figures.get("sent") > 0,
                    f"{what}: another one loses nothing", str(figures))
        bound = BOUND_MIB[name]
        results.add(grown < bound, f"{what}: the broker keeps no more than {bound} MiB for it", f"{grown} MiB")
    results.end()


if __name__ == "__main__":
    main()
