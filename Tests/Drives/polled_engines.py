"""A moving vehicle whose poller has its routes found by an outside engine: an OSRM server, a Valhalla server.

The server is a router of ours behind a proxy, which notes what it is asked and speaks either language. The vehicle follows
a route that is not the fastest; the poller finds the faster one, and no check fails for a wish of the poller's own."""

import contextlib
import http.client
import http.server
import json
import pathlib
import tempfile
import threading
import time

import msgpack
import zmq

import osrm_http
import stack
import navstack  # noqa: E402, found by what stack adds to the path

STACK = """\
stack: polled
map: {map}
nodes:
  location:
    run: nav-location-provider
    params: {{source: simulator, rate: 4, start_at: "46.99714,-30.02392", start_bearing_deg: 0, noise_m: 2}}
  matcher: {{run: nav-map-matcher}}
  router:
    run: nav-router
    params: {{engine: {engine}, engine_kind: {kind}, engine_url: "http://127.0.0.1:{port}", engine_timeout_s: 5}}
  navigator: {{run: nav-navigator}}
  poller: {{run: nav-dynamic-routing, params: {{poll_interval_s: 0, min_time_difference_s: 5, min_time_difference_percentage: 0}}}}
external: [traffic/flow, traffic/incidents, guidance/warning]
"""
HOME, OFFICE = {"lat_deg": 46.99714, "lon_deg": -30.02392}, {"lat_deg": 47.00287, "lon_deg": -29.97645}


class Proxy:
    """Speaks OSRM's or Valhalla's language, has a router find the ways, and keeps the questions."""

    def __init__(self, kind, router):
        self.router, self.questions, self.lock = router, [], threading.Lock()
        proxy = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                proxy.note(self.path)
                status, answer = proxy.ask(self.path)
                self.send(status, answer)

            def do_POST(self):
                question = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                proxy.note(question)
                self.send(*proxy.valhalla(question))

            def send(self, status, answer):
                body = json.dumps(answer).encode()
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                with contextlib.suppress(OSError):
                    self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.kind = kind
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()

    def note(self, question):
        with self.lock:
            self.questions.append(question)

    def with_bearing(self):
        """How many questions told where the vehicle is heading."""
        with self.lock:
            if self.kind == "osrm":
                return sum("&bearings=" in question for question in self.questions)
            return sum("heading" in question["locations"][0] for question in self.questions)

    def ask(self, target):
        link = http.client.HTTPConnection("127.0.0.1", self.router.port, timeout=10)
        with contextlib.closing(link):
            link.request("GET", target)
            answer = link.getresponse()
            return answer.status, json.loads(answer.read())

    def valhalla(self, question):
        """A trip for a question of Valhalla's route service; options that a real server does not know are refused."""
        known = {"locations", "costing", "costing_options", "directions_type", "units", "alternates"}
        strange = set(question) - known
        strange |= {key for place in question["locations"] for key in place} - {"lat", "lon", "type", "heading"}
        if strange:
            return 400, {"error_code": 100, "error": f"unknown: {sorted(strange)}"}
        places = ";".join(f"{place['lon']:.6f},{place['lat']:.6f}" for place in question["locations"])
        bearings = ";".join(f"{place['heading']},60" if "heading" in place else "" for place in question["locations"])
        status, answer = self.ask(
            f"/route/v1/driving/{places}?steps=true&overview=false&geometries=geojson&bearings={bearings}")
        if status != 200:
            return 400, {"error_code": 442, "error": answer.get("message", "")}
        route = answer["routes"][0]
        legs = [{"shape": polyline6([point for step in leg["steps"] for point in step["geometry"]["coordinates"]])}
                for leg in route["legs"]]
        return 200, {"trip": {"locations": question["locations"], "legs": legs, "status": 0,
                              "summary": {"time": route["duration"], "length": route["distance"] / 1000}}}


def polyline6(points):
    """An encoded polyline with six decimals."""
    text, last = [], (0, 0)
    for lon, lat in points:
        now = (round(lat * 1e6), round(lon * 1e6))
        for value in (now[0] - last[0], now[1] - last[1]):
            value = ~(value << 1) if value < 0 else value << 1
            while value >= 0x20:
                text.append(chr((0x20 | value & 0x1F) + 63))
                value >>= 5
            text.append(chr(value + 63))
        last = now
    return "".join(text)


class Kept:
    """What was published, by topic: the payloads."""

    def __init__(self):
        self.said = {}

    def take(self, topic, header, payload):
        name = topic.decode()
        leaf = name if name.startswith("_") else name.partition("/")[2]
        self.said.setdefault(leaf, []).append(msgpack.unpackb(payload) if payload else {})

    def of(self, leaf):
        return list(self.said.get(leaf, []))

    def counter(self, node, name):
        """A counter of a node's last status."""
        statuses = self.of(f"_node/{node}/status")
        return statuses[-1]["counters"].get(name, 0) if statuses else 0

    def found(self, route):
        return [one for one in self.of("route/better") if one["state"] == "found" and one["route_id"] == route["id"]]

    def errors(self):
        return [one for one in self.of("route/error") if one["during"] == "better"]


class KeptEar(stack.Ear):
    """Listens to what is published of the vehicle and of the poller."""

    def __init__(self, one):
        threading.Thread.__init__(self, daemon=True)
        self.record, self.base, self.goes_on = Kept(), one.base, True
        self.start()

    def run(self):
        with zmq.Context.instance().socket(zmq.SUB) as socket:
            socket.setsockopt(zmq.RCVHWM, 0)
            socket.setsockopt(zmq.LINGER, 0)
            for topic in ("ego/route/", "_node/poller/"):
                socket.subscribe(topic.encode())
            socket.connect(navstack.endpoints(self.base)[1])
            while self.goes_on:
                if socket.poll(100):
                    self.record.take(*socket.recv_multipart())


def called(running, name, request, seconds=60):
    """The answer to a call; while the stack starts it is repeated."""
    deadline = time.monotonic() + seconds
    while True:
        try:
            return navstack.call(running.base, name, request, timeout_s=20)
        except navstack.CallError as error:
            # The poller may hear a moment later than this program that no route is followed any more.
            if error.code not in ("unavailable", "no_such_service", "timeout", "busy") or time.monotonic() > deadline:
                raise
            time.sleep(0.05)


def slower_route(running):
    """The slowest of the routes that the built-in engine knows; it is checked by the stack's own setting."""
    request = {"waypoints": [HOME, OFFICE], "alternatives": 3, "connectivity": "offline"}
    routes = called(running, "route/calculate", request)["routes"]
    route = max(routes, key=lambda one: one["duration_latest_s"])
    route["request"].pop("connectivity", None)
    return route, len(routes)


def drive(results, folder, kind, engine):
    what = f"{kind}, {engine}"
    map_file = osrm_http.town(folder)
    with osrm_http.Router(map_file) as router:
        proxy = Proxy(kind, router)
        file = pathlib.Path(folder) / "polled.yaml"
        file.write_text(STACK.format(map=map_file, kind=kind, engine=engine, port=proxy.port), encoding="utf-8")
        with stack.Stack(f"polled-{kind}-{engine}", file=file, name="polled", rate=None, port=None) as one:
            ear = KeptEar(one)
            route, count = slower_route(one)
            results.add(count > 1, f"{what}: the town has a slower way", f"{count} routes", one.log)
            called(one, "navigate/set_route", {"route": route})
            moved = ear.wait(lambda kept: kept.found(route) and proxy.with_bearing() >= 5 or kept.errors(), 120, one)
            kept = ear.record
            good = moved and kept.found(route) and proxy.with_bearing() >= 5 and not kept.errors()
            results.add(good, f"{what}: the faster route is found, and no check of a moving vehicle fails",
                        f"{len(kept.found(route))} found, {proxy.with_bearing()} of {len(proxy.questions)} questions with "
                        f"a bearing, {kept.errors()[:2]}", one.log)
            if not good:
                ear.end()
                proxy.close()
                return
            better = kept.found(route)[-1]
            price = called(one, "route/traffic", {"handle": better["route"]["handle"]})
            results.add(better["gain_s"] > 5 and abs(price["duration_latest_s"] - better["route"]["duration_latest_s"]) < 5,
                        f"{what}: the server's route is priced as it was computed", f"{better['gain_s']} s, {price['duration_latest_s']} s")
            called(one, "navigate/stop", {})
            planned, _ = slower_route(one)
            called(one, "route/watch", {"route": planned})
            watched = ear.wait(lambda kept: kept.found(planned), 60, one)
            kept = ear.end()
            results.add(watched and not kept.errors(), f"{what}: a planned route is watched", str(kept.errors()[:2]), one.log)
            results.add(kept.counter("poller", "checks") > 0 and kept.counter("poller", "failed_checks") == 0,
                        f"{what}: no check failed", f"{kept.counter('poller', 'failed_checks')} failed", one.log)
        proxy.close()


def test_the_poller_works_behind_outside_engines__DR_9__DR_4__RT_15(results):
    for kind in ("osrm", "valhalla"):
        for engine in ("online", "hybrid"):
            with tempfile.TemporaryDirectory() as folder:
                drive(results, folder, kind, engine)


if __name__ == "__main__":
    stack.options(__doc__)
    RESULTS = stack.Results()
    test_the_poller_works_behind_outside_engines__DR_9__DR_4__RT_15(RESULTS)
    RESULTS.end()
