#!/usr/bin/env python3
"""Judges a drive from outside: reads the topics of a stack, and says PASS or FAIL.

    judge.py --bus ipc:///run/user/1000/navstack/demo --demo      follows a drive until it arrives
    judge.py --from drive.mcap --demo --json                   judges a recording of messages

Needs pyzmq and msgpack; knows nothing of the stack but what Protocols/ says. A recording is what
`nav drive --record` or the broker wrote (MCAP). Exits with 0 for PASS, 1 for FAIL.
"""

import argparse
import json
import os
import signal
import sys
import time

import zmq

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(HERE, "..", "clients", "python")]
import navstack  # noqa: E402
from navstack import recording  # noqa: E402
from judging.record import DriveRecord  # noqa: E402
from judging.roads import Roads  # noqa: E402
from judging.rules import judge  # noqa: E402

# Topics that are made only while somebody reads them: judging shall not change what is judged.
ON_DEMAND = {"location/interpolated", "scene/frame"}


def topics(vehicle):
    names = [name for name in navstack.TOPICS if not name.startswith("_") and name not in ON_DEMAND]
    return [f"{vehicle}/{name}" for name in names] + ["_clock", "_node/", "_log/"]


def live(base, vehicle, tick_s=0.2):
    """The messages of a bus as they come; None at least every `tick_s`."""
    with zmq.Context.instance().socket(zmq.SUB) as socket:
        socket.setsockopt(zmq.RCVHWM, 0)
        socket.setsockopt(zmq.LINGER, 0)
        for topic in topics(vehicle):
            socket.subscribe(topic.encode())
        socket.connect(navstack.endpoints(base)[1])
        while True:
            if socket.poll(int(tick_s * 1000)):
                yield socket.recv_multipart()
            else:
                yield None


def follow(record, options):
    """Takes in a live drive until it has arrived, is silent, or the time is over; why it ended."""
    started = time.monotonic()
    last = arrived = None
    for frames in live(options.bus, options.vehicle):
        now = time.monotonic()
        if frames is not None:
            last = now
            record.take(*frames)
        if record.arrivals and arrived is None:
            arrived = now
        if arrived is not None and now - arrived > options.after:
            return "arrived"
        if now - started > options.timeout:
            return f"stopped after {options.timeout:g} s"
        if last is not None and now - last > options.silence:
            return f"the bus was silent for {options.silence:g} s"
    return ""


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--bus", metavar="BASE", help="base address of the stack's bus")
    source.add_argument("--from", dest="file", metavar="FILE", help="a recording of messages")
    parser.add_argument("--vehicle", default="ego")
    parser.add_argument("--demo", action="store_true",
                        help="also ask for jam, better route, deviation and reroute")
    parser.add_argument("--restarts", action="store_true", help="nodes may have started again")
    parser.add_argument("--roads", metavar="FILE",
                        help="OSM file: tells which fixes lie within 25 m of a car road")
    parser.add_argument("--timeout", type=float, default=600, metavar="S", help="at most (600)")
    parser.add_argument("--after", type=float, default=2, metavar="S",
                        help="goes on after the arrival for so long (2)")
    parser.add_argument("--silence", type=float, default=15, metavar="S",
                        help="a bus that was heard and is silent for so long has gone (15)")
    parser.add_argument("--json", action="store_true", help="one JSON object instead of lines")
    return parser.parse_args()


def main():
    options = arguments()
    record = DriveRecord(options.vehicle)
    ended = ""
    # Whoever stops the judge still hears the verdict.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        if options.bus:
            ended = follow(record, options)
        else:
            for entry in recording.messages(options.file):
                record.take(*entry)
    except KeyboardInterrupt:
        ended = "interrupted"
    except (OSError, ValueError, TypeError) as error:
        sys.exit(f"judge: {options.file or options.bus}: {error}")
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    roads = Roads(options.roads) if options.roads else None
    rules = judge(record, demo=options.demo, restarts=options.restarts, roads=roads)
    is_good = all(rule.ok is not False for rule in rules)
    verdict = "PASS" if is_good else "FAIL"
    if options.json:
        listed = [{"rule": r.name, "ok": r.ok, "text": r.text, "figures": r.figures} for r in rules]
        print(json.dumps({"verdict": verdict, "ended": ended, "rules": listed}, indent=2))
    else:
        for rule in rules:
            mark = {True: "PASS", False: "FAIL", None: "  - "}[rule.ok]
            print(f"{mark}  {rule.name:<11} {rule.text}")
        bad = [rule.name for rule in rules if rule.ok is False]
        print(f"{verdict}  " + (f"{len(rules)} rules" if is_good else "broken: " + ", ".join(bad)) +
              (f"; {ended}" if ended else ""))
    sys.exit(0 if is_good else 1)


if __name__ == "__main__":
    main()
