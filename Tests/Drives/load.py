"""Vehicles that drive up and down a street, many at once, and what a matcher makes of each fix."""

import collections
import os
import threading
import time

import msgpack
import zmq

import stack  # first: it tells where ours are
import navstack

# A street of the town from west to east, with the way that a vehicle makes between two fixes.
WEST, EAST, LAT, STEP = -30.02392, -29.97645, 46.99714, 0.000013
INTERVAL_NS = 100_000_000
BEGIN_NS = 1_790_000_000_000_000_000


class Load(threading.Thread):
    """Publishes `rate` fixes a second in all, of `vehicles` vehicles in turn."""

    def __init__(self, base, vehicles, rate):
        super().__init__(daemon=True)
        self.base, self.rate, self.goes_on = base, rate, True
        self.names = [f"v{number:03d}" for number in range(vehicles)]
        self.sent = collections.Counter()
        self.start()

    def run(self):
        run, schema = time.time_ns() // 1000, navstack.TOPICS["location/raw"]["schema"]
        with zmq.Context.instance().socket(zmq.PUSH) as socket:
            socket.setsockopt(zmq.SNDHWM, 0)
            socket.setsockopt(zmq.LINGER, 5000)
            socket.connect(navstack.endpoints(self.base)[0])
            begin, count = time.monotonic(), 0
            while self.goes_on:
                due = int((time.monotonic() - begin) * self.rate)
                while count < due:
                    vehicle = self.names[count % len(self.names)]
                    count += 1
                    self.send(socket, vehicle, run, schema)
                time.sleep(0.005)

    def send(self, socket, vehicle, run, schema):
        number = self.sent[vehicle] = self.sent[vehicle] + 1
        stamp = BEGIN_NS + number * INTERVAL_NS
        along = (number * STEP + int(vehicle[1:]) * 0.0002) % (2 * (EAST - WEST))
        lon = WEST + along if along < EAST - WEST else 2 * EAST - WEST - along
        header = {"seq": number, "stamp": stamp, "src": "load", "run": run, "schema": schema, "class": "stream"}
        payload = {"lat_deg": LAT, "lon_deg": lon, "time_ns": stamp, "accuracy_m": 5.0}
        socket.send_multipart([f"{vehicle}/location/raw".encode(), msgpack.packb(header), msgpack.packb(payload)])

    def end(self):
        self.goes_on = False
        self.join()


class Answers(threading.Thread):
    """Hears `location/matched` of all vehicles, and keeps the fix that each is for."""

    def __init__(self, base, vehicles):
        super().__init__(daemon=True)
        self.base, self.goes_on = base, True
        self.names = [f"v{number:03d}" for number in range(vehicles)]
        self.times, self.sources = collections.defaultdict(list), collections.Counter()
        self.last, self.silence = {}, collections.Counter()
        self.is_listening = threading.Event()
        self.start()
        self.is_listening.wait(10)

    def run(self):
        with zmq.Context.instance().socket(zmq.SUB) as socket:
            socket.setsockopt(zmq.RCVHWM, 0)
            socket.setsockopt(zmq.LINGER, 0)
            for name in self.names:
                socket.subscribe(f"{name}/location/matched".encode())
            socket.connect(navstack.endpoints(self.base)[1])
            self.is_listening.set()
            while self.goes_on:
                if not socket.poll(100):
                    continue
                topic, header, payload = socket.recv_multipart()
                header = msgpack.unpackb(header)
                if header.get("latched") or not payload:
                    continue
                fix = msgpack.unpackb(payload).get("raw")
                if fix:  # an estimate has none
                    vehicle, now = topic.split(b"/", 1)[0].decode(), time.monotonic()
                    self.sources[header["src"]] += 1
                    self.times[vehicle].append(fix["time_ns"])
                    self.silence[vehicle] = max(self.silence[vehicle], now - self.last.get(vehicle, now))
                    self.last[vehicle] = now

    def longest_silence(self):
        """The longest time in seconds between two answers to one vehicle, since this was last asked."""
        longest, self.silence = max(self.silence.values(), default=0), collections.Counter()
        return longest

    def missing(self, load):
        return sum(load.sent.values()) - sum(len(set(times)) for times in self.times.values())

    def faults(self, load, seconds=20):
        """What is wrong once all should have come: lost, doubled, out of order; empty where nothing is."""
        deadline = time.monotonic() + seconds
        while self.missing(load) > 0 and time.monotonic() < deadline:
            time.sleep(0.05)
        doubled = sum(len(times) - len(set(times)) for times in self.times.values())
        disordered = sum(times != sorted(times) for times in self.times.values())
        found = {"lost": self.missing(load), "doubled": doubled, "vehicles out of order": disordered}
        return ", ".join(f"{count} {what}" for what, count in found.items() if count)

    def end(self):
        self.goes_on = False
        self.join()


def loaded_stack(label, replicas=None, rate=2000, vehicles=200, **policy):
    """A stack with nothing but a matcher; it, the load upon it, and what comes of that."""
    folder = stack.LOGS
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{label}.yaml"
    more = "".join(f"    {key}: {value}\n" for key, value in policy.items())
    more += f"    replicas: {replicas}\n" if replicas else ""
    file.write_text(
        f"stack: load\nvehicles: any\nmap: {stack.ROOT / '.cache/town.osm'}\nnodes:\n  matcher:\n"
        f"    run: nav-map-matcher\n{more}external: [location/raw, route/active, session, guidance/]\n",
        encoding="utf-8")
    run = stack.Stack(label, file=file, name="load", rate=None, port=None)
    if not until(lambda: "all ready" in run.output, 60):
        run.stop()
        raise RuntimeError(f"the stack did not start: {run.output[-500:]}")
    answers = Answers(run.base, vehicles)
    load = Load(run.base, vehicles, rate)
    return run, load, answers


def until(condition, seconds):
    """Whether `condition()` came to hold."""
    deadline = time.monotonic() + seconds
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.02)
    return bool(condition())


def processes(run):
    """The stack's processes as its launcher tells them."""
    return navstack.call(run.base, "stack/nodes", {})["processes"]


def is_alive(pid):
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as file:
            return file.read().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def nav(run, *words, seconds=90):
    """The tool nav, upon this stack: (exit code, what it said)."""
    code, output, errors = stack.run("nav", *words, seconds=seconds, XDG_RUNTIME_DIR=run.folder,
                                     NAV_BUS=run.base, PATH=os.environ["PATH"])
    return code, (output + errors).strip()
