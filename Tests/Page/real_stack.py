"""All stages in the demo town; without a location provider a test injects the fixes itself."""

import json
import math
import os
import pathlib
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time

from drawn_drive import bearing_deg, distance_m
from stack import ROOT

sys.path.insert(0, str(ROOT / "clients/python"))
import navstack  # noqa: E402

# Event seconds in each second of the wall.
RATE = 8
BEGINS_NS = 1_780_308_000_000_000_000


def free_port():
    """A port that is free now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class RealStack:
    """Runs the stack under a launcher in a folder of its own; `url` is the page's address.

    `location` are parameters of a location provider, which then publishes the fixes and the clock; `nodes` are the parameters of
    the nodes besides the renderer, by program; `entries` further ones of the stack file.
    """

    def __init__(self, programs, location=None, nodes=None, **entries):
        self.programs = pathlib.Path(programs)
        self.temporary = tempfile.TemporaryDirectory(prefix="navstack-")
        self.folder = pathlib.Path(self.temporary.name)
        town = self.folder / "town.osm"
        subprocess.run([self.programs / "nav", "map", "town", "--output", town], check=True, stdout=subprocess.DEVNULL)
        self.base = f"ipc://{self.folder}/navstack/page"
        parameters = {
            **(nodes if nodes is not None else {"map-matcher": {}, "router": {}, "navigator": {}, "voice-guidance": {"sink": "none"}}),
            # The same port after a restart, so that an open page finds the renderer again.
            "renderer": {"port": free_port(), "page_access": "open", "page_parts": str(ROOT / ".cache/page"), "theme": "day"},
        }
        if location is not None:
            parameters["location-provider"] = location
        injected = [] if location is not None else ["location/raw"]
        nodes = {name: {"run": f"nav-{name}", "params": values} for name, values in parameters.items()}
        file = self.folder / "stack.yaml"
        # JSON is YAML.
        file.write_text(json.dumps({
            "stack": "page", "map": str(town), "nodes": nodes,
            "external": [*injected, "traffic/flow", "traffic/incidents", "route/better"], **entries}), encoding="utf-8")
        self.log = self.folder / "launch.log"
        with open(self.log, "w", encoding="utf-8") as log:
            self.process = subprocess.Popen(
                [self.programs / "navlaunch", file], env={**os.environ, "XDG_RUNTIME_DIR": str(self.folder)},
                stdout=log, stderr=subprocess.STDOUT, start_new_session=True)
        self.publisher = navstack.Publisher(self.base, source="injected")
        self.now_ns, self.place, self.heading = BEGINS_NS, None, None
        self.rate = RATE
        self.url = self.wait_for_page()

    @property
    def output(self):
        return self.log.read_text(encoding="utf-8", errors="replace")

    def wait_for_page(self):
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and self.process.poll() is None:
            if found := re.search(r"page: (http://\S+)", self.output):
                return found[1]
            time.sleep(0.05)
        output = self.output
        self.close()
        raise RuntimeError("the stack did not serve its page:\n" + output)

    def call(self, name, request):
        return navstack.call(self.base, name, request)

    def tell_clock(self, is_paused):
        self.publisher.publish(
            "_clock", {"now_ns": self.now_ns, "rate": float(self.rate), "paused": is_paused, "run": 1}, self.now_ns)

    def stand(self, place):
        """One fix of a vehicle that stands at `place`."""
        self.place = place
        self.send_fix(0.0)

    def move(self, place, metres):
        """One fix a second later, `metres` further on, at `place`."""
        if metres > 0:
            self.heading = bearing_deg(self.place, place)
        self.place = place
        self.now_ns += 1_000_000_000
        self.send_fix(metres)

    def send_fix(self, speed_mps):
        lat, lon = self.place
        self.tell_clock(is_paused=False)
        fix = {"lat_deg": lat, "lon_deg": lon, "time_ns": self.now_ns, "speed_mps": speed_mps, "accuracy_m": 4.0}
        if self.heading is not None:
            fix["bearing_deg"] = self.heading
        self.publisher.publish("ego/location/raw", fix, self.now_ns)

    def close(self):
        self.publisher.close()
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            try:
                self.process.wait(15)
            except subprocess.TimeoutExpired:
                os.killpg(self.process.pid, signal.SIGKILL)
                self.process.wait()
        self.temporary.cleanup()


class Path:
    """A line of (lat, lon) with the metres along it."""

    def __init__(self, places):
        self.places, self.offsets = places, [0.0]
        for a, b in zip(places, places[1:]):
            self.offsets.append(self.offsets[-1] + distance_m(a, b))
        self.length_m = self.offsets[-1]

    def place(self, metres):
        metres = min(max(metres, 0.0), self.length_m)
        index = max(i for i, offset in enumerate(self.offsets[:-1]) if offset <= metres)
        span = self.offsets[index + 1] - self.offsets[index]
        share = (metres - self.offsets[index]) / span if span else 0.0
        (lat1, lon1), (lat2, lon2) = self.places[index], self.places[index + 1]
        return lat1 + (lat2 - lat1) * share, lon1 + (lon2 - lon1) * share

    def steps(self, speed_mps, start_m=0.0, end_m=math.inf):
        """The places at each second from `start_m` to `end_m`, with the metres since the one before."""
        at, end = start_m, min(end_m, self.length_m)
        while at < end:
            step = min(speed_mps, end - at)
            at += step
            yield self.place(at), step
