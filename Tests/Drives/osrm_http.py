"""OSRM's HTTP API of the router: clients that exist work unchanged, and hostile ones stop nobody.

--connections N  how many idle or slow clients there are at a time (1000)
--seconds N      how long the hostile ones go on (3)

With CPython 3.12 or newer the answers are also held against the real osrm-routed of PyPI's wheel, key by key
and type by type; it is fetched into .cache/osrm once. Without, that is said."""

import contextlib
import glob
import http.client
import json
import os
import pathlib
import random
import re
import resource
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time

import stack

TOWN_QUESTION = "/route/v1/driving/{}?overview=full&steps=true"


class Router:
    """nav-router alone, with a map and no bus."""

    def __init__(self, map_file, *arguments):
        self.folder = tempfile.mkdtemp(prefix="nav-http-")
        environment = {**os.environ, "XDG_CACHE_HOME": self.folder}
        environment.pop("NAV_BUS", None)
        self.process = subprocess.Popen(
            [stack.OPTIONS.programs / "nav-router", "--http", "127.0.0.1:0", "--map", map_file, *arguments],
            env=environment, stdout=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:(\d+)/", line)
        if not found:
            raise SystemExit(f"nav-router does not listen: {line!r}")
        self.port = int(found[1])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        self.code = self.process.wait(10)
        shutil.rmtree(self.folder, ignore_errors=True)

    def ask(self, target, timeout=20):
        """Status and JSON of one question over a connection of its own."""
        link = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        with contextlib.closing(link):
            link.request("GET", target)
            answer = link.getresponse()
            return answer.status, json.loads(answer.read())

    @property
    def memory_mib(self):
        text = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"RssAnon:\s+(\d+)", text)[1]) // 1024


def town(folder):
    """The demo town as a map, and places on its roads that one another can be reached from."""
    path = pathlib.Path(folder) / "town.navmap"
    source = pathlib.Path(folder) / "town.osm"
    nav = stack.OPTIONS.programs / "nav"
    subprocess.run([nav, "map", "town", "-o", source], check=True, capture_output=True)
    subprocess.run([nav, "map", "build", source, "-o", path], check=True, capture_output=True)
    return path


def places(count, seed=7):
    """Places within the town."""
    dice = random.Random(seed)
    return [(-29.995 + 0.02 * dice.random(), 46.982 + 0.012 * dice.random()) for _ in range(count)]


def text(points):
    return ";".join(f"{lon:.6f},{lat:.6f}" for lon, lat in points)


# Clients that exist


def existing_client(router, results):
    """routingpy of PyPI, as it is."""
    python = ensured("client", ["routingpy"], sys.executable)
    if python is None:
        results.add(False, "routingpy works unchanged", "pip could not install routingpy")
        return
    script = """
import json, sys
from routingpy import OSRM
client = OSRM(base_url=sys.argv[1])
points = json.loads(sys.argv[2])
route = client.directions(locations=points[:2], profile="car", steps=True, overview="full", geometries="polyline6",
                          annotations=True)
table = client.matrix(locations=points, profile="car", annotations=["duration", "distance"])
print(json.dumps([route.duration, route.distance, len(route.geometry), table.durations, table.distances]))
"""
    done = subprocess.run(
        [python, "-c", script, f"http://127.0.0.1:{router.port}", json.dumps(places(3))], capture_output=True, text=True)
    try:
        duration, distance, points, durations, distances = json.loads(done.stdout)
        good = duration > 0 and distance > 0 and points > 2 and len(durations) == len(distances) == 3
    except ValueError:
        good = False
    results.add(good, "routingpy asks for a route and a table, unchanged", (done.stdout + done.stderr)[-300:])


def ensured(name, packages, python):
    """A Python in .cache that has the packages; None where they cannot be had."""
    folder = stack.ROOT / ".cache" / name
    program = folder / "bin/python"
    mark = folder / "installed"
    if mark.exists() and mark.read_text() == " ".join(packages):
        return program
    if subprocess.run([python, "-m", "venv", folder], capture_output=True).returncode != 0:
        return None
    done = subprocess.run(
        [program, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *packages], capture_output=True)
    if done.returncode != 0:
        return None
    mark.write_text(" ".join(packages))
    return program


# The shape of answers


def shape(value):
    """Keys and types of an answer; of a list what any of its items has."""
    if isinstance(value, dict):
        return {key: shape(item) for key, item in value.items()}
    if isinstance(value, list):
        merged = None
        for item in value:
            merged = joined(merged, shape(item))
        return [merged]
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, (int, float)):
        return "number"
    return type(value).__name__


def joined(a, b):
    if a is None:
        return b
    if isinstance(a, dict) and isinstance(b, dict):
        return {key: joined(a.get(key), b.get(key)) for key in {**a, **b}}
    if isinstance(a, list) and isinstance(b, list):
        return [joined(a[0], b[0])]
    return b if a == "NoneType" else a


# What a road network need not have: present only where a map says so.
OPTIONAL = {"ref", "destinations", "exits", "lanes", "classes", "pronunciation", "rotary_name", "exit", "junction_name"}


def differences(theirs, ours, path=""):
    """What of their shape ours lacks, or has in another type."""
    if theirs is None or ours is None or theirs == "NoneType":
        return []
    if isinstance(theirs, dict):
        if not isinstance(ours, dict):
            return [f"{path} is no object"]
        found = []
        for key, value in theirs.items():
            if key in ours:
                found += differences(value, ours[key], f"{path}.{key}")
            elif key not in OPTIONAL:
                found.append(f"{path}.{key} is missing")
        return found
    if isinstance(theirs, list):
        return differences(theirs[0], ours[0], f"{path}[]") if isinstance(ours, list) else [f"{path} is no list"]
    return [] if theirs == ours else [f"{path} is {ours}, theirs {theirs}"]


QUESTIONS = {
    "route": "/route/v1/driving/{pair}?steps=true&annotations=true&geometries=geojson&alternatives=2",
    "route in short": "/route/v1/driving/{pair}?overview=false&generate_hints=false",
    "route over a place": "/route/v1/driving/{three}?steps=true&geometries=polyline6&overview=full&waypoints=0;2",
    "nearest": "/nearest/v1/driving/{one}?number=3",
    "table": "/table/v1/driving/{three}?annotations=duration,distance",
    "part of a table": "/table/v1/driving/{three}?sources=0&destinations=1;2&fallback_speed=10&annotations=distance",
    "match": "/match/v1/driving/{trace}?steps=true&geometries=geojson&annotations=distance,speed",
}
FAULTS = [
    "/", "/route/v1/driving", "/foo/v1/driving/{pair}", "/route/v2/driving/{pair}", "/route/v1/driving/{one}",
    "/route/v1/driving/{pair}?foo=1", "/route/v1/driving/{pair};x", "/route/v1/driving/{one};200,100",
    "/route/v1/driving/{pair}?bearings=1,2", "/route/v1/driving/{pair}?bearings=1,2;3", "/route/v1/driving/{pair}?bearings=1,2;400,5",
    "/route/v1/driving/{pair}?radiuses=1",
    "/route/v1/driving/{pair}?exclude=nothing", "/route/v1/driving/{pair}?alternatives=9",
    "/route/v1/driving/{pair}?steps=1", "/route/v1/driving/{pair}?waypoints=1", "/route/v1/driving/{pair}?waypoints=0;5",
    "/route/v1/driving/{pair}?radiuses=0.001;0.001", "/route/v1/driving/{pair}.foo", "/route/v1/driving/{pair}?",
    "/table/v1/driving/{pair}?sources=5", "/table/v1/driving/{pair}?annotations=foo",
    "/table/v1/driving/{pair}?fallback_speed=-1", "/table/v1/driving/{pair}?scale_factor=0", "/nearest/v1/driving/{one}?number=0",
    "/nearest/v1/driving/{one}?number=1000", "/match/v1/driving/{pair}?timestamps=5;1", "/match/v1/driving/{pair}?timestamps=5",
]


def new_python():
    """An interpreter that the peers' wheels are for; None where there is none."""
    pythons = [sys.executable, *sorted(glob.glob(os.path.expanduser("~/.pyenv/versions/3.1[2-9]*/bin/python3"))),
               *filter(None, map(shutil.which, ["python3.14", "python3.13", "python3.12"]))]
    new = [p for p in pythons if subprocess.run([p, "-c", "import sys; sys.exit(sys.version_info < (3, 12))"],
                                             stderr=subprocess.DEVNULL).returncode == 0]
    return new[0] if new else None


def real_server(folder, source, results):
    """osrm-routed on the same map; None, and said, where it cannot be had."""
    interpreter = new_python()
    if interpreter is None:
        print("skipped: answers are not held against osrm-routed, which needs CPython 3.12", flush=True)
        return None
    python = ensured("osrm", ["osrm-bindings==26.10.0", "--only-binary=:all:"], interpreter)
    if python is None:
        print("skipped: answers are not held against osrm-routed: pip could not install osrm-bindings", flush=True)
        return None
    home = pathlib.Path(subprocess.run(
        [python, "-c", "import osrm, pathlib; print(pathlib.Path(osrm.__file__).parent)"],
        capture_output=True, text=True, check=True).stdout.strip())
    base = pathlib.Path(folder) / "map.osrm"
    for words in (["osrm-extract", "-p", home / "share/profiles/car.lua", "-o", base, source], ["osrm-contract", base]):
        done = subprocess.run([home / "bin" / words[0], *words[1:]], capture_output=True, text=True)
        if done.returncode != 0:
            results.add(False, "osrm-routed takes the map", done.stdout[-300:] + done.stderr[-300:])
            return None
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    process = subprocess.Popen(
        [home / "bin/osrm-routed", "-a", "CH", "-i", "127.0.0.1", "-p", str(port), base], stdout=subprocess.DEVNULL)
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        with contextlib.suppress(OSError):
            socket.create_connection(("127.0.0.1", port), 1).close()
            return process, port
        time.sleep(0.05)
    process.kill()
    return None


def compare(router, server, points, results):
    """Each answer of ours has all that theirs has, and each fault their word."""
    process, port = server
    words = {"one": text(points[:1]), "pair": text(points[:2]), "three": text(points[:3]), "trace": text(points[3:])}

    def theirs(target):
        link = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
        with contextlib.closing(link):
            link.request("GET", target)
            answer = link.getresponse()
            return answer.status, json.loads(answer.read())

    try:
        for name, question in QUESTIONS.items():
            target = question.format(**words)
            (status, their), (own, our) = theirs(target), router.ask(target)
            lacking = differences(shape(their), shape(our))
            results.add(status == own and not lacking, f"an answer has the shape of OSRM's: {name}", f"{own} {lacking[:5]} {our.get('message')}")
        wrong = []
        for question in FAULTS:
            target = question.format(**words)
            (status, their), (own, our) = theirs(target), router.ask(target)
            if (status, their["code"]) != (own, our["code"]):
                wrong.append(f"{target}: {own} {our['code']}, theirs {status} {their['code']}")
        results.add(not wrong, f"{len(FAULTS)} faults have OSRM's codes", "; ".join(wrong[:4]))
    finally:
        process.kill()
        process.wait()


# Hostile clients


def links(port, count):
    """So many plain connections, as many as there can be."""
    made = []
    for _ in range(count):
        with contextlib.suppress(OSError):
            made.append(socket.create_connection(("127.0.0.1", port), 10))
    return made


@contextlib.contextmanager
def slowloris(port, count):
    """Heads that come byte by byte and never end."""
    made, goes_on = links(port, count), threading.Event()

    def drip():
        while not goes_on.wait(0.05):
            for number, link in enumerate(made):
                try:
                    link.send(b"G" if number % 2 else b"GET /route HTTP/1.1\r\nX")
                except OSError:
                    with contextlib.suppress(OSError):
                        made[number] = socket.create_connection(("127.0.0.1", port), 10)

    thread = threading.Thread(target=drip)
    thread.start()
    yield
    goes_on.set()
    thread.join()
    for link in made:
        link.close()


@contextlib.contextmanager
def idle(port, count):
    """Connections on which nothing is ever said."""
    made = links(port, count)
    yield
    for link in made:
        link.close()


@contextlib.contextmanager
def deaf(port, count):
    """Clients that ask for much, again and again, and read nothing."""
    question = TOWN_QUESTION.format(text(places(40, 3))).encode()
    made = links(port, min(count, 200))
    for link in made:
        link.setblocking(False)
        with contextlib.suppress(OSError):
            link.send((b"GET " + question + b" HTTP/1.1\r\nHost: localhost\r\n\r\n") * 40)
    yield
    for link in made:
        link.close()


@contextlib.contextmanager
def huge(port, _):
    """Heads and paths without end."""
    goes_on = threading.Event()

    def pour():
        while not goes_on.is_set():
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 10) as link:
                link.settimeout(10)
                for _ in range(64):
                    link.sendall(b"GET /" + b"a" * 65_536)

    threads = [threading.Thread(target=pour) for _ in range(4)]
    for thread in threads:
        thread.start()
    yield
    goes_on.set()
    for thread in threads:
        thread.join()


@contextlib.contextmanager
def heavy(port, _):
    """More of the largest tables than there are workers."""
    question = f"/table/v1/driving/{text(places(100, 5))}?annotations=duration,distance".encode()
    made = links(port, 50)
    for link in made:
        link.sendall(b"GET " + question + b" HTTP/1.1\r\nHost: localhost\r\n\r\n")
    yield
    for link in made:
        link.close()


@contextlib.contextmanager
def garbage(port, _):
    """Bytes that are no HTTP at all, and requests of which a byte is spoilt."""
    goes_on, dice = threading.Event(), random.Random(11)
    whole = bytearray(b"GET " + TOWN_QUESTION.format(text(places(2))).encode() + b" HTTP/1.1\r\nHost: localhost\r\n\r\n")

    def throw():
        while not goes_on.is_set():
            bad = bytearray(whole) if dice.random() < 0.7 else bytearray(dice.randbytes(200))
            bad[dice.randrange(len(bad))] = dice.randrange(256)
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 10) as link:
                link.settimeout(0.5)
                link.sendall(bad)
                link.recv(100)

    threads = [threading.Thread(target=throw) for _ in range(4)]
    for thread in threads:
        thread.start()
    yield
    goes_on.set()
    for thread in threads:
        thread.join()


def hostile(router, options, results):
    question = TOWN_QUESTION.format(text(places(2)))
    _, good = router.ask(question)
    for kind in (idle, slowloris, deaf, huge, heavy, garbage):
        answered, wrong, slowest = 0, [], 0.0
        with kind(router.port, options.connections):
            end = time.monotonic() + options.seconds
            while time.monotonic() < end or answered == 0:
                begin = time.monotonic()
                try:
                    status, answer = router.ask(question)
                except (OSError, http.client.HTTPException, ValueError) as error:
                    wrong.append(repr(error))
                    break
                slowest = max(slowest, time.monotonic() - begin)
                answered += 1
                if (status, answer) != (200, good):
                    wrong.append(f"{status} {str(answer)[:80]}")
        what = kind.__doc__.splitlines()[0].rstrip(".")
        results.add(
            not wrong and router.process.poll() is None and router.memory_mib < 400,
            f"others are served all the while: {what}", f"{wrong[:2]}, {answered} answers, {router.memory_mib} MiB")
        print(f"      {answered} answers, the slowest in {slowest * 1000:.0f} ms, {router.memory_mib} MiB", flush=True)


def parallel(router, results):
    """Many at once get what one alone gets."""
    questions = [f"/route/v1/driving/{text(places(2, seed))}?overview=full" for seed in range(200)]
    alone = {question: router.ask(question) for question in questions}
    got, lock = {}, threading.Lock()

    def client(part):
        for question in part:
            answer = router.ask(question)
            with lock:
                got[question] = answer

    threads = [threading.Thread(target=client, args=(questions[start::8],)) for start in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    results.add(got == alone, "eight clients at once get the answers that one gets alone", f"{len(got)} of {len(alone)}")


def test_existing_clients_work_unchanged__RT_19():
    with tempfile.TemporaryDirectory() as folder, Router(town(folder)) as router:
        existing_client(router, RESULTS)
        parallel(router, RESULTS)
        server = real_server(folder, pathlib.Path(folder) / "town.osm", RESULTS)
        if server:
            trace = [(-29.9920 + 0.0002 * i, 46.98390) for i in range(8)]
            compare(router, server, places(3) + trace, RESULTS)


def test_the_command_line_answers_as_http_does__RT_19():
    with tempfile.TemporaryDirectory() as folder:
        roads = town(folder)
        with Router(roads) as router:
            same, wrong = 0, []
            for seed in range(12):
                pair = places(2, seed)
                _, http_answer = router.ask(TOWN_QUESTION.format(text(pair)) + "&geometries=polyline6")
                ends = [f"{lat:.6f},{lon:.6f}" for lon, lat in pair]
                code, line, errors = stack.run(
                    "nav", "route", "--map", roads, f"--from={ends[0]}", f"--to={ends[1]}", "--format", "osrm",
                    "--geometries", "polyline6")
                answer = json.loads(line) if code == 0 else {"waypoints": [], "message": errors}
                # HTTP snaps to the nearest road, the command line to the best of those near by.
                where = [[one["location"] for one in found.get("waypoints", [])] for found in (answer, http_answer)]
                if where[0] == where[1] and answer["routes"][0]["geometry"] == http_answer["routes"][0]["geometry"]:
                    same += 1
                    if json.dumps(answer) != json.dumps(http_answer):
                        wrong.append(f"{ends}: {line[:300]}")
    RESULTS.add(same >= 3 and not wrong, "nav route writes the same route as HTTP does", f"{same} of 12 {wrong[:1]}")


def test_hostile_clients_stop_nobody__RT_19():
    with tempfile.TemporaryDirectory() as folder, Router(town(folder)) as router:
        hostile(router, stack.OPTIONS, RESULTS)
    RESULTS.add(router.code == 0, "SIGTERM ends it in order", str(router.code))


def test_a_stack_serves_it_beside_the_bus__RT_19():
    with stack.Stack("http", "--set", "router.http=127.0.0.1:0") as running:
        deadline, found = time.monotonic() + 60, None
        while time.monotonic() < deadline and not found and running.process.poll() is None:
            found = re.search(r"OSRM's HTTP API: http://127\.0\.0\.1:(\d+)(/token/\w+)/", running.output)
            time.sleep(0.05)
        code = None
        if found:
            link = http.client.HTTPConnection("127.0.0.1", int(found[1]), timeout=20)
            link.request("GET", found[2] + TOWN_QUESTION.format(text(places(2))))
            code = json.loads(link.getresponse().read()).get("code")
        RESULTS.add(code == "Ok", "a router on the bus answers over HTTP as well", str(code), running.log)


if __name__ == "__main__":
    stack.options(__doc__, connections=1000, seconds=3)
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 8192), hard))
    RESULTS = stack.Results()
    test_existing_clients_work_unchanged__RT_19()
    test_the_command_line_answers_as_http_does__RT_19()
    test_hostile_clients_stop_nobody__RT_19()
    test_a_stack_serves_it_beside_the_bus__RT_19()
    RESULTS.end()
