"""A standby that gets as far as being ready, and then does not take over: for tests of swaps.

    bad_standby.py crash|refuse|silent[:PARTS] PROGRAM

It says of itself what PROGRAM says. Asked to take the state over it dies, refuses, or says nothing. With PARTS it
takes so many parts of the state over before that, and handles none of their input.
"""

import os
import socket
import subprocess
import sys
import time

import msgpack
import zmq


def notify(text):
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as box:
        box.sendto(text.encode(), os.environ["NOTIFY_SOCKET"])


def ask(control, **head):
    control.send(msgpack.packb(head))


def answer(control, op, seconds=5):
    """The next answer of a kind."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if control.poll(100):
            head = msgpack.unpackb(control.recv_multipart()[0])
            if head["op"] == op:
                return head
    raise SystemExit(f"no {op} came")


def main():
    (mode, _, parts), program = sys.argv[1].partition(":"), sys.argv[2]
    parts = int(parts or 0)
    if "--describe" in sys.argv:
        sys.exit(subprocess.run([program, "--describe"], check=False).returncode)
    base, name = os.environ["NAV_BUS"], os.environ["NAV_NODE"]
    context = zmq.Context.instance()
    control = context.socket(zmq.DEALER)
    control.connect(base + "/control")
    ask(control, op="list", token=1, what="nodes")
    node = next(node for node in answer(control, "listing")["nodes"] if node["name"] == name)
    ear = context.socket(zmq.SUB)
    ear.setsockopt(zmq.RCVHWM, 0)
    ear.connect(base + "/out")
    ear.subscribe(b"")
    me = {"op": "register", "name": name, "run": time.time_ns() // 1000, "pid": os.getpid(), "standby": True,
          "parts": parts > 0, "publishes": [], "subscribes": [""], "patterns": [""], "serves": node["serves"]}
    ask(control, **me)
    # Asked again until it is heard: before that the subscription was not in place.
    is_heard = False
    while not is_heard:
        ask(control, op="sync", token=2, name=f"bad-{os.getpid()}")
        deadline = time.monotonic() + 0.2
        while not is_heard and time.monotonic() < deadline:
            is_heard = bool(ear.poll(50)) and ear.recv_multipart()[0].startswith(b"_bus/sync/bad-")
    ask(control, **me, ready=True)
    mouth, fences = context.socket(zmq.PUSH), 0
    mouth.connect(base + "/in")
    notify("READY=1")
    while True:
        ask(control, op="ping")
        notify("WATCHDOG=1")
        while ear.poll(0):
            ear.recv_multipart()
        if not control.poll(300):
            continue
        head = msgpack.unpackb(control.recv_multipart()[0])
        if head["op"] == "dismiss" and head.get("what") != "part":
            return
        if head["op"] == "import" and parts > 0:
            ask(control, op="imported", token=head["token"], ok=True)
            continue
        if head["op"] == "release":
            parts -= 1
            fences += 1
            header = {"seq": fences, "stamp": 0, "src": name, "run": me["run"], "schema": "_handover/1.0"}
            mouth.send_multipart([f"_handover/{name}".encode(), msgpack.packb(header), msgpack.packb({})])
            continue
        if head["op"] == "import" and mode == "crash":
            os.abort()
        if head["op"] == "import" and mode == "refuse":
            ask(control, op="imported", token=head["token"], ok=False, message="I cannot read that")


if __name__ == "__main__":
    main()
