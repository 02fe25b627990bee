"""Long calculations on a router that hears of no clock: how far they are is published once a second, and they can be cancelled.

--side N  streets along each side of the made-up city (220)

More calculations than there are processors, so that some wait for a thread: they are cancelled as fast as the others."""

import pathlib
import random
import subprocess
import tempfile
import threading
import time

import msgpack
import zmq

import stack
import navstack  # noqa: E402, found by what stack adds to the path

STACK = """\
stack: calculations
map: {map}
nodes:
  router: {{run: nav-router}}
external: [traffic/flow, traffic/incidents]
"""
SOUTH, WEST, STEP = 50.0, 8.0, 0.0009


def city(folder, side):
    """A map of a city whose streets cross at right angles, some of them slow."""
    dice = random.Random(3)
    source, path = pathlib.Path(folder) / "city.osm", pathlib.Path(folder) / "city.navmap"
    with open(source, "w", encoding="utf-8") as file:
        file.write('<osm version="0.6">\n')
        for row in range(side):
            for column in range(side):
                file.write(f'<node id="{row * side + column + 1}" lat="{SOUTH + row * STEP:.6f}" lon="{WEST + column * STEP * 1.5:.6f}"/>\n')
        lines = [[row * side + column for column in range(side)] for row in range(side)]
        lines += [[row * side + column for row in range(side)] for column in range(side)]
        for number, line in enumerate(lines):
            kind, speed = ("secondary", 60) if number % 11 == 0 else ("residential", dice.choice((20, 30, 50)))
            nodes = "".join(f'<nd ref="{node + 1}"/>' for node in line)
            file.write(f'<way id="{number + 1}">{nodes}<tag k="highway" v="{kind}"/><tag k="maxspeed" v="{speed}"/></way>\n')
        file.write("</osm>\n")
    subprocess.run([stack.OPTIONS.programs / "nav", "map", "build", source, "-o", path], check=True, capture_output=True)
    return path


def question(name, side, seed):
    """A request that takes seconds: 32 places and as many alternatives as there may be."""
    dice = random.Random(seed)
    places = [{"lat_deg": SOUTH + dice.random() * (side - 1) * STEP, "lon_deg": WEST + dice.random() * (side - 1) * STEP * 1.5}
              for _ in range(32)]
    return {"waypoints": places, "alternatives": 8, "request_id": name}


class Listener(threading.Thread):
    """Keeps what is published of the calculations: by name the reports, each with when it came."""

    def __init__(self, base):
        super().__init__(daemon=True)
        self.base, self.goes_on, self.reports, self.lock = base, True, {}, threading.Lock()
        self.start()

    def run(self):
        with zmq.Context.instance().socket(zmq.SUB) as socket:
            socket.setsockopt(zmq.LINGER, 0)
            socket.subscribe(b"ego/route/progress")
            socket.connect(navstack.endpoints(self.base)[1])
            while self.goes_on:
                if socket.poll(100):
                    payload = msgpack.unpackb(socket.recv_multipart()[2])
                    with self.lock:
                        self.reports.setdefault(payload["request_id"], []).append((time.monotonic(), payload))

    def of(self, name):
        with self.lock:
            return list(self.reports.get(name, []))


class Calculation(threading.Thread):
    """One call, and how and when it ended."""

    def __init__(self, base, request):
        super().__init__(daemon=True)
        self.base, self.request, self.code, self.ended = base, request, None, None
        self.name = request["request_id"]
        self.start()

    def run(self):
        try:
            code = f"{len(navstack.call(self.base, 'route/calculate', self.request, timeout_s=240)['routes'])} routes"
        except navstack.CallError as error:
            code = error.code
        self.ended, self.code = time.monotonic(), code


def until(condition, seconds):
    deadline = time.monotonic() + seconds
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.02)
    return condition()


def cancel(base, name):
    return navstack.call(base, "route/cancel", {"request_id": name}, timeout_s=20)["cancelled"]


def serves(running):
    def answers():
        try:
            return bool(navstack.call(running.base, "route/engines", {}, timeout_s=5)["engines"])
        except navstack.CallError:
            return False

    return until(answers, 90)


def reports_move(running, listener, side, results):
    """As many calculations at once as it takes that the last lasts some seconds."""
    count = 2
    while True:
        many = [Calculation(running.base, question(f"long-{count}-{index}", side, index)) for index in range(count)]
        until(lambda: all(one.ended for one in many), 240)
        reports = {one.name: listener.of(one.name) for one in many}
        last = max(many, key=lambda one: len(reports[one.name]))
        if len(reports[last.name]) >= 4 or count >= 64:
            break
        count *= 2
    times = [when for when, _ in reports[last.name]]
    shares = [report["share"] for _, report in reports[last.name]]
    gaps = [b - a for a, b in zip(times, times[1:])]
    about = f"{count} at once: shares {[round(share, 3) for share in shares]}, {[one.code for one in many][:3]}"
    results.add(len(shares) >= 4 and all("routes" in one.code for one in many), "a long calculation reports without a clock", about, running.log)
    results.add(gaps and 0.5 < sum(gaps) / len(gaps) < 2, "about once a second", f"{gaps}")
    results.add(shares == sorted(shares) and len(set(shares)) > 1, "what is done only grows", about)
    steps = {report["step"] for one in reports.values() for _, report in one}
    results.add("searching" in steps, "it says that it searches", str(steps))


def waiting_ones_end(running, listener, side, results):
    """Many more calculations than processors: one that waits is cancelled while the others go on."""
    many = [Calculation(running.base, question(f"q-{index}", side, index)) for index in range(40)]

    def waiting():
        return [one for one in many if not one.ended and listener.of(one.name)
                and listener.of(one.name)[-1][1]["step"] == "waiting"]

    some = until(waiting, 60)
    results.add(bool(some), "with 40 at once some wait for a thread", "none waits", running.log)
    if not some:
        return
    chosen = waiting()[-1]
    began = time.monotonic()
    was_there = cancel(running.base, chosen.name)
    until(lambda: chosen.ended, 30)
    others = sum(not one.ended for one in many)
    took_s = (chosen.ended or time.monotonic()) - began
    results.add(was_there and chosen.code == "cancelled" and took_s < 2 and others > 0,
                "one that waits for a thread is cancelled at once", f"{chosen.code} after {took_s:.1f} s, {others} go on", running.log)
    began = time.monotonic()
    for one in many:
        cancel(running.base, one.name)
    all_over = until(lambda: all(one.ended for one in many), 30)
    results.add(all_over and time.monotonic() - began < 10, "so are all others", f"{sum(not one.ended for one in many)} go on", running.log)
    codes = {one.code for one in many}
    results.add("cancelled" in codes and all(code == "cancelled" or "routes" in code for code in codes), "each ends once, cancelled or with routes", str(codes))


def test_long_calculations_report_and_are_cancelled__RT_18(results, side):
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "calculations.yaml"
        file.write_text(STACK.format(map=city(folder, side)), encoding="utf-8")
        with stack.Stack("calculations", file=file, name="calculations", rate=None, port=None) as running:
            listener = Listener(running.base)
            if serves(running):
                reports_move(running, listener, side, results)
                waiting_ones_end(running, listener, side, results)
            else:
                results.add(False, "the router answers", "it does not", running.log)
            listener.goes_on = False
            listener.join()


if __name__ == "__main__":
    stack.options(__doc__, side=220)
    RESULTS = stack.Results()
    test_long_calculations_report_and_are_cancelled__RT_18(RESULTS, stack.OPTIONS.side)
    RESULTS.end()
