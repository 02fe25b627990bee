"""Other engines behind the stack's calls, and several routers behind one name.

The servers are osrm-routed and valhalla_service of PyPI's wheels where CPython 3.12 is there, and in any case a router of ours
that speaks OSRM's API."""

import contextlib
import http.server
import pathlib
import tempfile
import threading
import time

import osrm_http
import stack
import valhalla
import navstack  # noqa: E402, found by what stack adds to the path

STACK = """
stack: engines
vehicles: any
map: {folder}/town.navmap
nodes:
  router:
    run: nav-router
    replicas: 2
    params:
      engine: hybrid
      engine_kind: {kind}
      engine_url: http://127.0.0.1:{port}
      engine_timeout_s: 5
external: [traffic/flow, traffic/incidents]
"""


def question(points, **more):
    return {"waypoints": [{"lat_deg": lat, "lon_deg": lon} for lon, lat in points], **more}


def cpu_ms(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) * 10


def routers(running):
    """The processes of the two routers."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                words = (entry / "cmdline").read_bytes().split(b"\0")
                parent = int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1])
            except (OSError, IndexError, ValueError):
                continue
            if parent == running.process.pid and words[0].endswith(b"nav-router"):
                found.append(int(entry.name))
    return found


def serves(running):
    """Waits until a router answers; whether one does."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and running.process.poll() is None:
        with contextlib.suppress(navstack.CallError):
            return bool(navstack.call(running.base, "route/engines", {}, vehicle="car1")["engines"])
        time.sleep(0.05)
    return False


# Something that each kind of server cannot honour, as it is asked for and as it is named.
STRANGE = {"osrm": ({"avoid": ["tunnels"]}, "avoid.tunnels"), "valhalla": ({"optimisation": "balanced"}, "optimisation.balanced")}


def way_back(running, route, points):
    """The answer to who left a route where it began."""
    lon, lat = points[0]
    return navstack.call(running.base, "route/return", {"handle": route["handle"], "lat_deg": lat, "lon_deg": lon, "speed_mps": 15},
                         vehicle="car1", timeout_s=20)


def asked(running, results, port, what, end, kind="osrm", again=None):
    """Asks over the bus with the server there, after `end` has taken it away, and when `again` has brought it back."""
    points = osrm_http.places(2, 4)
    ready = serves(running)
    url = f"http://127.0.0.1:{port}"
    reply = navstack.call(running.base, "route/calculate", question(points), vehicle="car1", timeout_s=20)
    theirs = navstack.call(running.base, "route/calculate", question(points, connectivity="online"), vehicle="car1", timeout_s=20)
    own = navstack.call(running.base, "route/calculate", question(points, connectivity="offline"), vehicle="car1", timeout_s=20)
    results.add(
        ready and reply["engine"] == url == theirs["engine"] and own["engine"] == "offline" and own["routes"] and reply["routes"],
        f"{what} answers route/calculate, and is named", str([reply["engine"], theirs["engine"], own["engine"]]), running.log)
    back = way_back(running, reply["routes"][0], points)
    results.add(back["engine"] == url and "fell_back" not in back, f"{what} finds the way back, too", str(back["engine"]))
    strange, name = STRANGE[kind]
    try:
        navstack.call(running.base, "route/calculate", question(points, connectivity="online", **strange), vehicle="car1")
        code = "none"
    except navstack.CallError as error:
        code = f"{error.code} {error}"
    results.add(code.startswith("unsupported_option") and name in code, "an option it cannot honour is refused by name", code)
    end()
    reply = navstack.call(running.base, "route/calculate", question(points), vehicle="car1", timeout_s=20)
    results.add(
        reply["engine"] == "offline" and url in (reply.get("fell_back") or ""), f"without {what} the built-in engine answers, and says why",
        str(reply.get("fell_back")))
    back = way_back(running, reply["routes"][0], points)
    results.add(
        back["engine"] == "offline" and url in (back.get("fell_back") or ""), f"the way back falls back without {what}, and says why",
        str(back.get("fell_back")))
    try:
        navstack.call(running.base, "route/calculate", question(points, connectivity="online"), vehicle="car1", timeout_s=20)
        code = "none"
    except navstack.CallError as error:
        code = error.code
    results.add(code == "engine_unavailable", f"who wants {what} alone is told that it is not there", code)
    if again is not None and again():
        reply = navstack.call(running.base, "route/calculate", question(points), vehicle="car1", timeout_s=20)
        results.add(reply["engine"] == url and "fell_back" not in reply, f"{what} answers again when it is back", str(reply["engine"]))


def shared_work(running, results):
    """Many callers, each vehicle's calls to its own router, all answered."""
    pids = routers(running)
    before = {pid: cpu_ms(pid) for pid in pids}
    answers, wrong, lock = [], [], threading.Lock()

    def caller(number):
        for seed in range(20):
            points = osrm_http.places(2, 100 * number + seed)
            try:
                reply = navstack.call(
                    running.base, "route/calculate", question(points, alternatives=3, connectivity="offline"), vehicle=f"car{number}", timeout_s=30)
                with lock:
                    answers.append(len(reply["routes"]))
            except navstack.CallError as error:
                with lock:
                    wrong.append(str(error))

    threads = [threading.Thread(target=caller, args=(number,)) for number in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    spent = [cpu_ms(pid) - before[pid] for pid in pids]
    results.add(
        len(answers) == 320 and not wrong and len(pids) == 2 and all(spent),
        "two routers behind one name share 320 calls of 16 vehicles", f"{len(answers)} answers, {wrong[:2]}, CPU ms {spent}", running.log)


class Rendezvous(http.server.BaseHTTPRequestHandler):
    """A server that answers nobody before as many ask as `together` waits for; then it fails, and the router helps itself."""

    together = threading.Barrier(4)

    def do_GET(self):
        with contextlib.suppress(threading.BrokenBarrierError):
            self.together.wait(timeout=30)
        self.send_error(500)

    def log_message(self, *_):
        pass


def side_by_side(folder, results):
    """One router answers several at once: none of these questions would end before all of them have begun."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Rendezvous)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    file = pathlib.Path(folder) / "one.yaml"
    text = STACK.format(folder=folder, kind="osrm", port=server.server_address[1])
    file.write_text(text.replace("replicas: 2", "replicas: 1").replace("engine_timeout_s: 5", "engine_timeout_s: 60"))
    with stack.Stack("one-router", file=file, name="engines", rate=None, port=None) as running:
        engines, lock, ready = [], threading.Lock(), serves(running)

        def caller(number):
            try:
                reply = navstack.call(
                    running.base, "route/calculate", question(osrm_http.places(2, number)), vehicle="car1", timeout_s=90)
                said = reply["engine"]
            except navstack.CallError as error:
                said = str(error)
            with lock:
                engines.append(said)

        threads = [threading.Thread(target=caller, args=(number,)) for number in range(Rendezvous.together.parties)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    server.shutdown()
    results.add(
        ready and not Rendezvous.together.broken and engines == ["offline"] * len(threads),
        f"one router answers {len(threads)} questions of one vehicle at once", f"{engines}", running.log)


def test_a_server_answers_the_calls__RT_15__RT_18__RT_1():
    with tempfile.TemporaryDirectory() as folder:
        map_file = osrm_http.town(folder)
        server = osrm_http.Router(map_file)
        file = pathlib.Path(folder) / "stack.yaml"
        file.write_text(STACK.format(folder=folder, kind="osrm", port=server.port))
        with stack.Stack("engines", file=file, name="engines", rate=None, port=None) as running:
            asked(running, RESULTS, server.port, "a server of OSRM's API", lambda: server.__exit__())
            shared_work(running, RESULTS)
        side_by_side(folder, RESULTS)
        source = pathlib.Path(folder) / "town.osm"
        real = osrm_http.real_server(folder, source, RESULTS)
        if real:
            process, port = real

            def end():
                process.kill()
                process.wait()

            file.write_text(STACK.format(folder=folder, kind="osrm", port=port))
            with stack.Stack("engines", file=file, name="engines", rate=None, port=None) as running:
                asked(running, RESULTS, port, "osrm-routed", end)
        other = valhalla.real_server(folder, source, RESULTS)
        if other:
            file.write_text(STACK.format(folder=folder, kind="valhalla", port=other.port))
            try:
                with stack.Stack("engines", file=file, name="engines", rate=None, port=None) as running:
                    asked(running, RESULTS, other.port, "valhalla_service", other.stop, "valhalla", other.start)
            finally:
                other.stop()


if __name__ == "__main__":
    stack.options(__doc__)
    RESULTS = stack.Results()
    test_a_server_answers_the_calls__RT_15__RT_18__RT_1()
    RESULTS.end()
