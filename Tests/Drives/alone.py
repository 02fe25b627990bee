"""Each stage alone on a bus, with this program in the place of all the others.

What a stage reads comes out of a drive in one process, message by message, and calls are answered
with the routes of that drive. What it says must be what it said there, near enough.
"""

import collections
import json
import os
import pathlib
import socket
import subprocess
import tempfile
import threading
import time
import urllib.request

import msgpack
import zmq

import stack  # first: it tells where ours are
import navstack
from navstack import recording

TOWN = stack.ROOT / ".cache/town.osm"
SCENARIO = stack.ROOT / "Launch/demo-traffic.json"
# What each stage is told, and how many messages of which topics it must say, of so many in the drive.
STAGES = {
    "location": ("nav-location-provider", {"source": "csv", "file": "fixes.csv", "rate": 50},
                 {"location/raw": 400, "_clock": 400}),
    "matcher": ("nav-map-matcher", {"map": str(TOWN)}, {"location/matched": 420, "location/smoothed": 400}),
    "router": ("nav-router", {"map": str(TOWN)}, {}),
    "navigator": ("nav-navigator", {"adopt": "auto", "quiet_before_maneuver_s": 10, "quiet_before_end_s": 60},
                  {"route/active": 4, "guidance/progress": 400, "guidance/maneuver": 16, "guidance/deviation": 1,
                   "guidance/reroute": 2, "guidance/arrival": 1, "guidance/speed": 2, "guidance/road": 2}),
    "poller": ("nav-dynamic-routing", {"poll_interval_s": 15, "min_time_difference_s": 45}, {"route/better": 1}),
    "traffic": ("nav-traffic", {"map": str(TOWN), "scenario": str(SCENARIO)}, {"traffic/flow": 2, "traffic/incidents": 2}),
    "voice": ("nav-voice-guidance", {"sink": "none"}, {"voice/announcement": 12}),
    "renderer": ("nav-renderer", {"map": str(TOWN), "port": 0, "page_parts": str(stack.ROOT / ".cache/page")},
                 {"scene/frame": 300}),
}


class Recording:
    """The demo as it ran in one process."""

    def __init__(self, folder):
        file = pathlib.Path(folder) / "drive.mcap"
        code, _, errors = stack.run("nav", "drive", stack.DEMO, "--record", file, "--quiet", seconds=120)
        if code != 0:
            raise RuntimeError(errors)
        self.messages = list(recording.messages(file))
        active = [msgpack.unpackb(payload).get("route") for topic, _, payload in self.messages if topic == "ego/route/active"]
        # One that comes again with newer traffic is no other route.
        self.routes = list({route["id"]: route for route in reversed(active) if route}.values())[::-1]
        fixes = [msgpack.unpackb(payload) for topic, _, payload in self.messages if topic == "ego/location/raw"]
        rows = [f"{fix['time_ns'] / 1e9:.3f},{fix['lat_deg']:.7f},{fix['lon_deg']:.7f}" for fix in fixes]
        (pathlib.Path(folder) / "fixes.csv").write_text("time,lat,lon\n" + "\n".join(rows) + "\n", encoding="utf-8")

    def inputs(self, manifest):
        wanted = {f"ego/{topic}" for topic in manifest["inputs"]} | {"_clock"}
        own = set(manifest["outputs"])
        return [message for message in self.messages if message[0] in wanted
                and message[0].removeprefix("ego/") not in own]


class Alone:
    """A bus, one node, and what the node says."""

    def __init__(self, node, folder):
        self.node, self.folder = node, pathlib.Path(folder)
        self.program, parameters, self.wanted = STAGES[node]
        parameters = {key: str(self.folder / value) if key == "file" else value for key, value in parameters.items()}
        (self.folder / "params.json").write_text(json.dumps(parameters), encoding="utf-8")
        self.base = f"ipc://{self.folder}/bus"
        self.manifest = json.loads(stack.run(self.program, "--describe")[1])
        self.said, self.state, self.faults = collections.Counter(), None, []
        self.goes_on = True
        self.processes = [self.start("nav-bus")]
        self.ear = threading.Thread(target=self.listen, daemon=True)
        self.ear.start()
        self.processes.append(self.start(self.program, "--params", self.folder / "params.json", "--name", node))

    def start(self, program, *words):
        with open(self.folder / f"{program}.log", "w", encoding="utf-8") as log:
            return subprocess.Popen([str(word) for word in (stack.OPTIONS.programs / program, *words)],
                                    env={**os.environ, "NAV_BUS": self.base}, stdout=log, stderr=subprocess.STDOUT)

    def listen(self):
        with zmq.Context.instance().socket(zmq.SUB) as socket:
            socket.setsockopt(zmq.RCVHWM, 0)
            socket.setsockopt(zmq.LINGER, 0)
            socket.subscribe(b"")
            socket.connect(navstack.endpoints(self.base)[1])
            while self.goes_on:
                if socket.poll(100):
                    self.take(*socket.recv_multipart())

    def take(self, topic, header, payload):
        topic, header = topic.decode(), msgpack.unpackb(header)
        if header.get("src") != self.node or header.get("latched") or not payload:
            return
        try:
            payload = navstack.checked(navstack.declaration(topic), msgpack.unpackb(payload))
        except (navstack.ContractError, KeyError) as error:
            self.faults.append(f"{topic}: {error}")
        if topic.endswith("/status"):
            self.state = payload["state"]
        self.said[topic.removeprefix("ego/")] += 1

    def wait(self, condition, seconds):
        deadline = time.monotonic() + seconds
        while not condition() and time.monotonic() < deadline:
            time.sleep(0.02)
        return condition()

    def feed(self, messages):
        """Publishes messages at about a hundred times their pace."""
        with zmq.Context.instance().socket(zmq.PUSH) as socket:
            socket.setsockopt(zmq.LINGER, 2000)
            socket.connect(navstack.endpoints(self.base)[0])
            for topic, header, payload in messages:
                header = header | {"class": navstack.TOPICS[navstack.declaration(topic)]["class"]}
                socket.send_multipart([topic.encode(), msgpack.packb(header), payload])
                if topic == "_clock":
                    time.sleep(0.008)

    def lacks(self):
        return {topic: count for topic, count in self.wanted.items() if self.said[topic] < count}

    def close(self):
        self.goes_on = False
        self.ear.join()
        for process in reversed(self.processes):
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()


class Router(threading.Thread):
    """Answers for the router, with routes that it is given."""

    def __init__(self, base, routes, remaining_s):
        super().__init__(daemon=True)
        self.base, self.routes, self.remaining_s, self.goes_on = base, [], remaining_s, True
        self.start()
        while not self.is_there():
            time.sleep(0.02)
        self.routes = list(routes)

    def run(self):
        handlers = {"route/calculate": self.calculate, "route/traffic": self.price}
        navstack.Server(self.base, "router", handlers).run(until=lambda: not self.goes_on)

    def is_there(self):
        """Whether the bus knows who answers."""
        try:
            navstack.call(self.base, "route/calculate")
        except navstack.CallError as error:
            return error.code == "no_route_found"
        return True

    def calculate(self, request, _):
        if not self.routes:
            raise navstack.CallError("no_route_found", "There is no further route.")
        return {"routes": [self.routes.pop(0) if len(self.routes) > 1 else self.routes[0]]}

    def price(self, request, _):
        return {"route_id": "r-1", "priced_ns": 0, "length_m": 5000.0, "duration_latest_s": self.remaining_s,
                "delay_s": 0.0, "spans": {}}


def ask_router(alone):
    """A route between two places of the town, and errors for those that have none."""
    home, office = {"lat_deg": 46.99714, "lon_deg": -30.02392}, {"lat_deg": 47.00287, "lon_deg": -29.97645}
    routes = navstack.call(alone.base, "route/calculate", {"waypoints": [home, office]})["routes"]
    if not 4000 < routes[0]["length_m"] < 8000 or len(routes[0]["maneuvers"]) < 3:
        return f"a strange route: {routes[0]['length_m']} m"
    try:
        navstack.call(alone.base, "route/calculate", {"waypoints": [home, {"lat_deg": 10.0, "lon_deg": 10.0}]})
    except navstack.CallError as error:
        return "" if "match" in error.code or "map" in error.code else f"a place off the map: {error}"
    return "a place off the map was routed to"


def fetch_page(alone):
    text = (alone.folder / f"{alone.program}.log").read_text(encoding="utf-8")
    address = text.split("page: ", 1)[1].split()[0]
    import urllib.request
    with urllib.request.urlopen(address, timeout=10) as answer:
        return "" if b"<html" in answer.read().lower() else f"{address} serves no page"


def check(node, recording, folder):
    """What is wrong with a stage alone; empty where nothing is."""
    alone = Alone(node, folder)
    helper, why = None, ""
    try:
        if not alone.wait(lambda: alone.state in ("ready", "degraded"), 20):
            return f"not ready: {(alone.folder / f'{alone.program}.log').read_text(encoding='utf-8')[-300:]}"
        inputs = recording.inputs(alone.manifest)
        if node == "navigator":
            # The better route comes as a message; a start and a reroute are computed.
            helper = Router(alone.base, [recording.routes[0], recording.routes[2]], 300.0)
            found = [message for message in recording.messages if message[0] == "ego/route/better"][:1]
            first = next(index for index, message in enumerate(inputs) if message[0] == "ego/location/matched")
            alone.feed(inputs[:first + 1])
            destination = recording.routes[0]["waypoints"][-1]["original"]
            alone.wait(lambda: alone.said["guidance/road"] > 0, 5)
            navstack.call(alone.base, "navigate/start", {"to": destination})
            inputs = sorted(inputs[first + 1:] + found, key=lambda message: message[1]["stamp"])
        elif node == "poller":
            helper = Router(alone.base, [recording.routes[1]], 900.0)
        if node == "router":
            why = ask_router(alone)
        elif node != "location":
            alone.feed(inputs)
        alone.wait(lambda: not alone.lacks(), 15)
        if node == "renderer":
            why = fetch_page(alone)
        lacks = [f"{alone.said[topic]} of {count} {topic}" for topic, count in alone.lacks().items()]
        return "; ".join(filter(None, [why, ", ".join(lacks), *alone.faults[:3]]))
    except (navstack.CallError, RuntimeError, OSError) as error:
        return f"{type(error).__name__}: {error}"
    finally:
        if helper:
            helper.goes_on = False
            helper.join()
        alone.close()


def test_the_help_of_each_node_names_it_and_its_work__BUS_1(results):
    faults = []
    for program in sorted({program for program, *_ in STAGES.values()} | {"nav-regions", "nav-fleet-simulator", "nav-film"}):
        manifest = json.loads(stack.run(program, "--describe")[1])
        code, page, _ = stack.run(program, "--help")
        flat = " ".join(page.split())
        if code != 0 or f"USAGE: {program} " not in flat or manifest["about"] not in flat:
            faults.append(program)
    results.add(not faults, "the help of each node names its program and what it does", ", ".join(faults))
    page = stack.run("nav-router", "--help")[1]
    missing = [option for option in ("--http", "--map", "--origins", "--hosts", "--answer-s", "--connections") if option not in page]
    results.add(not missing and "seconds: 0.1 to 600" in page, "that of nav-router lists its options with their units", missing)


def test_a_router_without_a_bus_takes_the_parameters_of_a_file__RT_19(results, folder):
    file = pathlib.Path(folder) / "alone.json"
    for parameters, words in (({"map": str(TOWN), "http": "127.0.0.1:0"}, []), ({"map": str(TOWN)}, ["--http", "127.0.0.1:0"])):
        file.write_text(json.dumps(parameters | {"http_hosts": ["routes.example"]}), encoding="utf-8")
        environment = {key: value for key, value in os.environ.items() if key != "NAV_BUS"}
        router = subprocess.Popen([str(stack.OPTIONS.programs / "nav-router"), *words, "--params", str(file)], env=environment,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        line = router.stdout.readline()
        answer = ""
        if "listening on" in line:
            url = f"{line.split()[-1]}nearest/v1/driving/-30.02392,46.99714"
            request = urllib.request.Request(url, headers={"Host": "routes.example"})
            with urllib.request.urlopen(request, timeout=20) as response:
                answer = json.load(response).get("code")
        router.terminate()
        router.wait()
        results.add(answer == "Ok", f"a router without a bus serves HTTP with --params {' '.join(words)}", f"{line} {answer}")


def test_an_unknown_language_is_refused_with_the_list(results):
    words = ["--map", TOWN, "--from", "46.99714,-30.02392", "--to", "47.00287,-29.97645", "--language"]
    code, _, errors = stack.run("nav", "route", *words, "xx")
    fine = [stack.run("nav", "route", *words, tag)[0] for tag in ("en-US", "en", "en_AU")]
    results.add(code == 1 and "texts: en-US, en-GB" in errors and fine == [0, 0, 0],
                "nav route refuses an unknown language with those that there are", f"{code} {errors} {fine}")


def test_a_bus_whose_port_is_in_use_ends_and_names_the_way_out(results):
    with socket.create_server(("127.0.0.1", 0)) as other:
        code, _, errors = stack.run("nav-bus", NAV_BUS=f"tcp://127.0.0.1:{other.getsockname()[1]}", NAV_BUS_INSECURE="yes")
    results.add(code == 78 and "in use" in errors and "bus: listen" in errors,
                "a broker whose port another process has ends as misconfigured", f"{code} {errors}")


def main():
    stack.options(__doc__, only="")
    results = stack.Results()
    with tempfile.TemporaryDirectory(prefix="nav-") as folder:
        recording = Recording(folder)
        for node in stack.OPTIONS.only.split(",") if stack.OPTIONS.only else STAGES:
            why = check(node, recording, folder)
            results.add(not why, f"{node} alone, against a test publisher", why)
        test_a_router_without_a_bus_takes_the_parameters_of_a_file__RT_19(results, folder)
    test_the_help_of_each_node_names_it_and_its_work__BUS_1(results)
    test_an_unknown_language_is_refused_with_the_list(results)
    test_a_bus_whose_port_is_in_use_ends_and_names_the_way_out(results)
    results.end()


if __name__ == "__main__":
    main()
