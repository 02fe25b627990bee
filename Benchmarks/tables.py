#!/usr/bin/env python3
"""CPU of the router for tables of OSRM's HTTP API between random places, with HTTP and JSON.

    tables.py --map porto.navmap [--programs .build/release] [--box WEST,SOUTH,EAST,NORTH]

Prints milliseconds a question, the mean of several, and a hash of the answers, by which two versions are compared.
"""

import argparse
import hashlib
import http.client
import pathlib
import random
import re
import signal
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
SIZES = (("2 x 2", 2, 20), ("10 x 10", 10, 20), ("99 x 1", 100, 5), ("100 x 100", 100, 5))


def cpu_ms(process):
    """CPU of all threads of a process."""
    tasks = pathlib.Path(f"/proc/{process.pid}/task").iterdir()
    return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks) / 1e6


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--map", required=True)
    parser.add_argument("--programs", type=pathlib.Path, default=ROOT / ".build/release")
    parser.add_argument("--box", default="-8.68,41.10,-8.55,41.22")
    options = parser.parse_args()
    west, south, east, north = map(float, options.box.split(","))
    draw = random.Random(5)
    process = subprocess.Popen([options.programs / "nav-router", "--http", "127.0.0.1:0", "--map", options.map],
                               stdout=subprocess.PIPE, text=True)
    port = int(re.search(r"http://127\.0\.0\.1:(\d+)/", process.stdout.readline())[1])
    link = http.client.HTTPConnection("127.0.0.1", port)

    def ask(target):
        link.request("GET", target)
        return link.getresponse().read()

    def places(count):
        return ";".join(f"{draw.uniform(west, east):.6f},{draw.uniform(south, north):.6f}" for _ in range(count))

    ask(f"/route/v1/driving/{places(2)}")
    ask(f"/table/v1/driving/{places(5)}?annotations=duration,distance")
    for name, count, rounds in SIZES:
        ends = "&destinations=99&sources=" + ";".join(map(str, range(99))) if name == "99 x 1" else ""
        targets = [f"/table/v1/driving/{places(count)}?annotations=duration,distance{ends}" for _ in range(rounds)]
        before = cpu_ms(process)
        answers = [ask(target) for target in targets]
        spent = (cpu_ms(process) - before) / rounds
        print(f"{name}: {spent:.2f} ms, {hashlib.sha256(b''.join(answers)).hexdigest()[:12]}", flush=True)
    process.send_signal(signal.SIGTERM)
    process.wait(10)


if __name__ == "__main__":
    main()
