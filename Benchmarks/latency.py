#!/usr/bin/env python3
"""From fix to match, progress and announcement across the processes, against bare hops of the bus (P10 of docs/benchmarks.md).

    latency.py                      30 led vehicles in the demo town
    latency.py --vehicles 1 --window 300 --hop-rate 1

Starts Launch/fleet.yaml with a voice node and all vehicles led. Delays are between the senders' walls, joined by
the messages' causes: from the publishing of the fix to that of the match is one hop of the bus and the matcher's
work, to progress two, to an announcement three. What a hop costs is measured by bench-bus-hop before the window
and after it, on the same machine and in the same minutes; the median of the two counts: between threads of one
process that have just been awake, and between processes, as nodes have it. This reader runs only when
nobody else wants a processor: what it hears was stamped by the senders.
Needs pyzmq and msgpack (.cache/python has them).
"""

import argparse
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import threading
import time

import msgpack
import zmq

import stack  # beside this file

HOPS = {"location/matched": 1, "guidance/progress": 2, "voice/announcement": 3}
VOICE = """
  voice:
    run: nav-voice-guidance
    params:
      sink: none
"""


class Chains:
    """Follows what each fix led to, by the causes that the headers name."""

    def __init__(self):
        self.fix_of, self.delays = {}, {leaf: [] for leaf in HOPS}
        self.measures = False

    def take(self, topic, header):
        vehicle, leaf = topic.split("/", 1)
        if header.get("latched") or "wall" not in header:
            return
        identity = (vehicle, leaf, header["src"], header["run"], header["seq"])
        if leaf == "location/raw":
            self.fix_of[identity] = header["wall"], header["stamp"]
            return
        fix = self.fix_of.get((vehicle, *header["cause"])) if header.get("cause") else None
        if fix is None:
            return
        self.fix_of[identity] = fix
        # An announcement may wait for its moment between two fixes: then its stamp is later than theirs.
        if leaf in HOPS and self.measures and header["stamp"] == fix[1]:
            self.delays[leaf].append((header["wall"] - fix[0]) / 1e6)


def bare_hop_ms(programs, rate_hz):
    """Median of one hop, publisher to work loop, by bench-bus-hop: with threads, and with processes of their own."""
    print(f"measuring bare hops at {rate_hz} Hz", file=sys.stderr, flush=True)
    # This way alone: at one message a second each of the others would take its twenty seconds, too.
    rounds = "3" if rate_hz > 10 else "1"
    return (asked(programs, [rounds, "20000", str(rate_hz), "library"],
                  rf"the bus, read by the library\n.*\n\s*latency at {rate_hz} Hz: p50 ([0-9.]+) ms"),
            asked(programs, ["processes", str(rate_hz)], rf"between processes at {rate_hz} Hz: p50 ([0-9.]+) ms"))


def asked(programs, words, pattern):
    text = subprocess.run([programs / "bench-bus-hop", *words], capture_output=True, text=True, check=True).stdout
    found = re.search(pattern, text)
    if not found:
        sys.exit("bench-bus-hop tells no latency:\n" + text)
    return float(found[1])


def listen(base, chains, settle_s, window_s):
    # Of this thread, and of those that its sockets begin; not of the programs that are started later.
    os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    with zmq.Context() as context, context.socket(zmq.SUB) as socket:
        socket.setsockopt(zmq.RCVHWM, 0)
        socket.setsockopt(zmq.LINGER, 0)
        socket.subscribe(b"car")
        socket.connect(stack.navstack.endpoints(base)[1])
        started = time.monotonic()
        while time.monotonic() < started + settle_s + window_s:
            chains.measures = time.monotonic() > started + settle_s
            if socket.poll(100):
                topic, header, _ = socket.recv_multipart()
                chains.take(topic.decode(), msgpack.unpackb(header))


def measure(options):
    text = (stack.ROOT / "Launch/fleet.yaml").read_text(encoding="utf-8").replace("\nexternal:", VOICE + "\nexternal:")
    text = re.sub(r"external: \[.*\]", "external: [route/better, traffic/flow, traffic/incidents, guidance/warning]", text)
    file = stack.ROOT / ".cache/latency.yaml"
    file.write_text(text, encoding="utf-8")
    before = bare_hop_ms(options.programs, options.hop_rate)
    fleet = stack.Stack("fleet", options.programs, file=file, settings=[
        f"simulator.vehicles={options.vehicles}", "simulator.guided=1", "simulator.stop_s=5"])
    chains = Chains()
    try:
        fleet.wait(120)
        print(f"measuring the stages for {options.settle + options.window:.0f} s", file=sys.stderr, flush=True)
        reader = threading.Thread(target=listen, args=(fleet.base, chains, options.settle, options.window))
        reader.start()
        reader.join()
    finally:
        fleet.stop()
    after = bare_hop_ms(options.programs, options.hop_rate)
    hop, process_hop = (statistics.median(pair) for pair in zip(before, after))
    rows = []
    for leaf, hops in HOPS.items():
        found = stack.percentiles(chains.delays[leaf]) or {"count": 0, "p50": None, "p99": None}
        ratios = [round(found["p50"] / (hops * one), 2) if found["p50"] else None for one in (hop, process_hop)]
        rows.append({"to": leaf, "hops": hops, **found, "of_bare_hops": ratios[0], "of_hops_between_processes": ratios[1]})
    return {"vehicles": options.vehicles, "load": os.getloadavg()[0], "bare_hop_ms": [before[0], after[0]],
            "hop_between_processes_ms": [before[1], after[1]], "delays": rows}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--programs", type=pathlib.Path, default=stack.ROOT / ".build/release")
    parser.add_argument("--vehicles", type=int, default=30)
    parser.add_argument("--window", type=float, default=90, help="seconds to measure")
    parser.add_argument("--settle", type=float, default=15, help="seconds before that")
    parser.add_argument("--hop-rate", type=int, default=100,
                        help="messages a second of the bare hop; 1 is as cold as a fix a second")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    options.programs = options.programs.resolve()
    report = measure(options)
    if options.json:
        return print(json.dumps(report, indent=1))
    print(f"{report['vehicles']} led vehicles, load {report['load']:.1f}; at {options.hop_rate} Hz a bare hop takes "
          f"{report['bare_hop_ms']} ms (p50), between processes {report['hop_between_processes_ms']}")
    print(f"{'from fix to':22}{'count':>7}{'p50 ms':>9}{'p99 ms':>9}{'hops':>6}{'of bare hops':>14}{'between processes':>19}")
    for row in report["delays"]:
        print(f"{row['to']:22}{row['count']:7}{row['p50'] or 0:9.2f}{row['p99'] or 0:9.2f}{row['hops']:6}"
              f"{row['of_bare_hops'] or 0:14.2f}{row['of_hops_between_processes'] or 0:19.2f}")
    return None


if __name__ == "__main__":
    main()
