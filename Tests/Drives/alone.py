"""Each stage alone: one process and the broker, fed by a publisher of the test, heard by it.

No stage needs the others: what it reads comes from here, and what it says is taken at its word.
"""

import json
import os
import shutil
import subprocess
import tempfile
import threading
import time

import stack  # first: it tells where ours are
import navstack

TOWN = stack.ROOT / ".cache/town.osm"
HOME, OFFICE = (46.99714, -30.02392), (47.00287, -29.97645)
START_NS = 1_790_000_000_000_000_000


def example(name):
    text = (stack.ROOT / f"Protocols/examples/{name}.json").read_text(encoding="utf-8")
    return json.loads(text)


class Alone:
    """One node and a broker, in a folder of their own."""

    def __init__(self, program, **params):
        self.folder = tempfile.mkdtemp(prefix="nav-")
        self.base = f"ipc://{self.folder}/bus"
        self.log = stack.LOGS / f"alone-{program}.log"
        stack.LOGS.mkdir(parents=True, exist_ok=True)
        given = os.path.join(self.folder, "params.json")
        with open(given, "w", encoding="utf-8") as file:
            json.dump(params, file)
        self.output = open(self.log, "w", encoding="utf-8")
        self.processes = [self.start("nav-bus"), self.start(program, "--params", given)]
        self.publisher = navstack.Publisher(self.base, "test")
        self.count = 0

    def start(self, program, *words):
        environment = {**os.environ, "NAV_BUS": self.base}
        return subprocess.Popen([str(stack.OPTIONS.programs / program), *words], env=environment,
                                stdout=self.output, stderr=subprocess.STDOUT)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.publisher.close()
        for process in reversed(self.processes):
            process.terminate()
            process.wait(10)
        self.output.close()
        shutil.rmtree(self.folder, ignore_errors=True)

    def say(self, topic, payload):
        """Publishes, a second of event time after what was said before."""
        self.count += 1
        self.publisher.publish(topic, payload, START_NS + self.count * 1_000_000_000)

    def hears(self, topic, feed=lambda: None, takes=lambda payload: True, seconds=20):
        """Whether a message of `topic` comes that is taken, while `feed` is called again and again."""
        deadline, next_feed = time.monotonic() + seconds, 0
        messages = None
        while time.monotonic() < deadline:
            if messages is None:
                messages = navstack.subscribe(self.base, topic, timeout_s=0.1)
            message = next(messages, None)
            if message is None:
                messages = None if messages.gi_frame is None else messages
            elif message[2] is not None and takes(message[2]):
                return True
            if time.monotonic() >= next_feed:
                next_feed = time.monotonic() + 0.2
                feed()
        return False

    def asks(self, name, request, seconds=20):
        """The reply to a call, tried until somebody answers."""
        deadline = time.monotonic() + seconds
        while True:
            try:
                return navstack.call(self.base, name, request, timeout_s=5)
            except navstack.CallError as error:
                if time.monotonic() > deadline or error.code not in ("no_such_service", "unavailable"):
                    raise
                time.sleep(0.05)


def location():
    with tempfile.NamedTemporaryFile("w", suffix=".csv", delete=False) as file:
        file.write("time,lat,lon\n")
        file.writelines(f"{second},{HOME[0]},{HOME[1] + second * 1e-4}\n" for second in range(60))
    try:
        with Alone("nav-location-provider", source="csv", file=file.name) as node:
            return node.hears("ego/location/raw")
    finally:
        os.unlink(file.name)


def matcher():
    with Alone("nav-map-matcher", map=str(TOWN)) as node:
        fix = {"lat_deg": HOME[0], "lon_deg": HOME[1], "speed_mps": 0.0}

        def feed():
            fix["time_ns"] = START_NS + (node.count + 1) * 1_000_000_000
            node.say("ego/location/raw", fix)
        return node.hears("ego/location/matched", feed, lambda seen: seen["state"] == "matched")


def town_route():
    """A route through the town, as the router gives it."""
    with Alone("nav-router", map=str(TOWN)) as node:
        places = [{"lat_deg": lat, "lon_deg": lon} for lat, lon in (HOME, OFFICE)]
        return node.asks("route/calculate", {"waypoints": places})["routes"][0]


def progress(route, remaining_m=250.0):
    """On the first piece of a route, `remaining_m` before its second maneuver."""
    near = {"index": 1, "remaining_m": remaining_m, "remaining_s": remaining_m / 14}
    left = {"section": 0, "remaining_m": route["length_m"], "remaining_s": 300.0}
    return example("guidance_progress") | {
        "route_id": route["id"], "maneuvers": [near], "sections": [left], "lat_deg": HOME[0],
        "lon_deg": HOME[1], "remaining_m": route["length_m"], "remaining_s": 300.0}


def router():
    return 3000 < town_route()["length_m"] < 10_000


def navigator():
    route = town_route()
    piece = {key: route["segments"][key][0] for key in ("way", "from", "to")}
    with Alone("nav-navigator") as node:
        node.asks("navigate/set_route", {"route": route})
        where = example("location_matched") | {
            "segment": piece, "offset_m": route["segments"]["entry_offset_m"][0] + 5}
        return node.hears("ego/guidance/progress", lambda: node.say("ego/location/matched", where),
                          lambda seen: seen["on_route"] == "yes")


def poller():
    route = town_route()
    with Alone("nav-dynamic-routing", poll_interval_s=0, min_time_difference_s=1) as node:
        faster = {f"duration_{kind}_s": 1.0 for kind in ("free_flow", "traffic", "latest")}
        new = {"routes": [route | faster | {"id": "r-2"}]}
        price = example("route_traffic_reply") | {"duration_latest_s": 100.0}
        over = threading.Event()
        server = navstack.Server(node.base, "test-router", {
            "route/calculate": lambda request, vehicle: new,
            "route/traffic": lambda request, vehicle: price})
        thread = threading.Thread(target=server.run, args=(over.is_set,), daemon=True)
        thread.start()

        def feed():
            node.say("ego/route/active", {"reason": "new", "route": route})
            node.say("ego/guidance/progress", progress(route))
        found = node.hears("ego/route/better", feed, lambda seen: seen["state"] == "found")
        over.set()
        thread.join(5)
        return found


def traffic():
    scenario = stack.ROOT / "Launch/demo-traffic.json"
    with Alone("nav-traffic", map=str(TOWN), scenario=str(scenario), begin="clock") as node:
        def feed():
            now = START_NS + node.count * 100_000_000_000
            node.say("_clock", {"now_ns": now, "rate": 1.0, "paused": False, "run": 1})
        return node.hears("ego/traffic/flow", feed)


def voice():
    route = town_route()
    with Alone("nav-voice-guidance", sink="none") as node:
        def feed():
            node.say("ego/route/active", {"reason": "new", "route": route})
            node.say("ego/guidance/progress", progress(route))
        return node.hears("ego/voice/announcement", feed, lambda seen: seen["text"])


def renderer():
    parts = str(stack.ROOT / ".cache/page")
    with Alone("nav-renderer", map=str(TOWN), port=0, page_parts=parts) as node:
        where = example("location_matched")
        return node.hears("ego/scene/frame", lambda: node.say("ego/location/matched", where))


stack.options(__doc__)
results = stack.Results()
for test in (location, matcher, router, navigator, poller, traffic, voice, renderer):
    try:
        good, why = test(), "it did not say what it should"
    except Exception as error:  # a stage that dies must not end the test of the others
        good, why = False, f"{type(error).__name__}: {error}"
    results.add(good, f"the {test.__name__} stage works alone, BUS-1", why)
results.end()
