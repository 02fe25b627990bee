"""Processes, the bus, the page and what explains them: what operators met, each with the right value."""

import contextlib
import http.client
import json
import os
import pathlib
import pty
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

import msgpack
import zmq

import stack
from field_stack import check, run

START_LAT, START_LON = 46.99714, -30.02392
START_NS = 1_780_308_000_000_000_000

LOCATION = """  location:
    run: nav-location-provider
    params: {source: simulator, rate: 2, start_at: "46.99714,-30.02392", start_time: "2026-06-01T10:00:00Z", start_bearing_deg: 0}
"""
STAGES = """  matcher: {run: nav-map-matcher}
  router: {run: nav-router}
  navigator: {run: nav-navigator}
"""
PAGE = """  renderer:
    run: nav-renderer
    params: {port: 0}
"""
REST = """external: [location/raw, location/control, traffic/flow, traffic/incidents, voice/repeat]
start:
  - navigate/start: {to: {lat_deg: 47.00287, lon_deg: -29.97645, name: Office}}
"""


class Small(stack.Stack):
    """A stack of some nodes of its own on the drawn town."""

    def __init__(self, label, nodes=LOCATION + STAGES, rest=REST, more="", town=None, programs=None, **options):
        self.work = pathlib.Path(tempfile.mkdtemp(prefix="nav-processes-"))
        for name, text in (programs or {}).items():
            (self.work / name).write_text(text, encoding="utf-8")
        file = self.work / "small.yaml"
        file.write_text(f"stack: small\nmap: {town or town_map()}\n{more}nodes:\n{nodes}{rest}", encoding="utf-8")
        super().__init__(f"field-{label}", file=file, name="small", rate=None, port=None, **options)

    def __exit__(self, *words):
        super().__exit__(*words)
        shutil.rmtree(self.work, ignore_errors=True)

    def wait_for(self, text, seconds=30):
        """Waits until the launcher's lines match a pattern; the match."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            if found := re.search(text, self.output):
                return found
            if self.process.poll() is not None:
                break
            time.sleep(0.05)
        check(False, f"\"{text}\" was not printed within {seconds} s: {self.output[-600:]}")

    def nav(self, *words, seconds=30):
        return subprocess.run([str(stack.OPTIONS.programs / "nav"), *words], env=self.environment, text=True,
                              capture_output=True, timeout=seconds, check=False)

    def children(self):
        return [int(name) for name in subprocess.run(
            ["ps", "-o", "pid=", "--ppid", str(self.process.pid)], capture_output=True, text=True,
            check=False).stdout.split()]

    @property
    def page(self):
        return self.wait_for(r"page: (http://\S+)").group(1)


TOWN = {}


def town_map():
    if "map" not in TOWN:
        folder = pathlib.Path(tempfile.mkdtemp(prefix="nav-town-"))
        for words in (["map", "town", "-o", folder / "town.osm"],
                      ["map", "build", folder / "town.osm", "-o", folder / "town.navmap"]):
            done = run("nav", *words)
            check(done.returncode == 0, done.stderr[-300:])
        TOWN["map"] = folder / "town.navmap"
    return TOWN["map"]


@contextlib.contextmanager
def hearing(running, *topics):
    """A socket that hears topics of a stack."""
    with zmq.Context.instance().socket(zmq.SUB) as heard:
        for topic in topics:
            heard.subscribe(topic.encode())
        heard.connect(f"{running.base}/out")
        time.sleep(0.3)
        yield heard


def next_message(heard, seconds, is_wanted=lambda header, payload: True):
    """The next live message within a time; None where none comes."""
    deadline = time.monotonic() + seconds
    while (left := deadline - time.monotonic()) > 0:
        if heard.poll(int(left * 1000) + 1):
            topic, header, payload = heard.recv_multipart()
            header = msgpack.unpackb(header)
            if not header.get("latched") and payload and is_wanted(header, msgpack.unpackb(payload)):
                return topic.decode(), header, msgpack.unpackb(payload)
    return None


def drain(heard):
    while heard.poll(0):
        heard.recv_multipart()


def progresses(running, seconds=10):
    """Whether the drive goes on: guidance comes live."""
    with hearing(running, "ego/guidance/progress") as heard:
        return next_message(heard, seconds) is not None


def drives(running):
    running.wait_for("all ready")
    check(progresses(running, 20), f"no drive begins: {running.output[-500:]}")


# -- Pauses -----------------------------------------------------------------------------------------


def test_a_pause_of_everything_kills_nobody__BUS_13():
    with Small("pause", LOCATION + STAGES + PAGE) as running:
        drives(running)
        processes = running.children()
        for process in [running.process.pid, *processes]:
            os.kill(process, signal.SIGSTOP)
        time.sleep(8)
        for process in [running.process.pid, *processes]:
            os.kill(process, signal.SIGCONT)
        time.sleep(2)
        check(sorted(running.children()) == sorted(processes), f"somebody was killed: {running.output[-600:]}")
        check(progresses(running), "the drive did not go on")


def test_broker_and_navigator_killed_at_once_lose_no_drive():
    with Small("both-killed") as running:
        drives(running)
        with hearing(running, "ego/route/active") as heard:
            time.sleep(1)
            for program in ("nav-bus", "nav-navigator"):
                os.kill(running.pid_of(program), signal.SIGKILL)
            drain(heard)
        check(progresses(running, 15), f"the drive did not come back: {running.output[-600:]}")
        check(running.nav("why", "navigator", "--stack", "small").returncode == 0, "the navigator is not well")


def test_all_processes_killed_at_once_lose_no_drive():
    with Small("all-killed") as running:
        drives(running)
        time.sleep(1)
        for process in running.children():
            os.kill(process, signal.SIGKILL)
        check(progresses(running, 20), f"the drive did not come back: {running.output[-600:]}")


def test_states_are_not_kept_where_that_is_switched_off():
    with Small("not-kept", more="bus: {params: {keep_states: false}}\n") as running:
        drives(running)
        check(not (pathlib.Path(running.folder) / "navstack/small/states").exists(), "a file is kept all the same")


# -- Runs -------------------------------------------------------------------------------------------


def send(running, topic, source, number, payload, stamp=START_NS, schema="location_matched/1.0"):
    with zmq.Context.instance().socket(zmq.PUSH) as out:
        out.setsockopt(zmq.LINGER, 1000)
        out.connect(f"{running.base}/in")
        time.sleep(0.3)
        out.send_multipart([topic.encode(), msgpack.packb({
            "seq": 1, "stamp": stamp, "src": source, "run": number, "schema": schema}), msgpack.packb(payload)])
        time.sleep(0.3)


def test_one_message_of_a_stranger_locks_no_node_out__BUS_13():
    with Small("imp") as running:
        drives(running)
        for number in (time.time_ns(), 2**63, 1):
            send(running, "ego/location/matched", "matcher", number, {"state": "no_match"})
            check(progresses(running), f"after run {number} the matcher is not heard any more")
        why = running.nav("why", "bus", "--stack", "small")
        check("stale_run" in running.output or "stale_run" in why.stdout, "nobody says that something was dropped")


def test_a_stranger_that_came_first_locks_no_node_out__BUS_13():
    with Small("imp-first", LOCATION + STAGES.replace("  matcher: {run: nav-map-matcher}\n", ""),
               rest=REST.replace("location/raw,", "location/raw, location/matched,")) as running:
        running.wait_for("all ready|navigate/start")
        send(running, "ego/location/matched", "matcher", time.time_ns(), {"state": "no_match"})
        with hearing(running, "ego/location/matched") as heard:
            matcher = subprocess.Popen([str(stack.OPTIONS.programs / "nav-map-matcher")], env={
                **running.environment, "NAV_BUS": running.base, "NAV_NODE": "matcher", "NAV_PARAMS": str(params(running))},
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            try:
                check(next_message(heard, 15, lambda header, _: header["seq"] > 1) is not None,
                      "the matcher that came later is not heard")
                check(progresses(running, 15), "the navigator does not hear the matcher")
            finally:
                matcher.kill()
                matcher.wait()


def params(running):
    file = running.work / "matcher.json"
    file.write_text(json.dumps({"map": str(town_map())}), encoding="utf-8")
    return file


SHIM = """#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
static long long *offset(void) {
  static long long none, *at;
  if (!at) {
    const char *path = getenv("CLOCK_OFF");
    int file = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
    void *map = file >= 0 ? mmap(0, 8, PROT_READ, MAP_SHARED, file, 0) : MAP_FAILED;
    at = map == MAP_FAILED ? &none : map;
  }
  return at;
}
int clock_gettime(clockid_t clock, struct timespec *now) {
  static int (*real)(clockid_t, struct timespec *);
  if (!real) real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
  int result = real(clock, now);
  if (!result && clock == CLOCK_REALTIME) now->tv_sec += *offset();
  return result;
}
"""


def test_a_clock_that_is_set_back_puts_no_node_out__BUS_13():
    folder = pathlib.Path(tempfile.mkdtemp(prefix="nav-clock-"))
    (folder / "shim.c").write_text(SHIM, encoding="utf-8")
    made = subprocess.run(["cc", "-shared", "-fPIC", "-o", folder / "shim.so", folder / "shim.c", "-ldl"],
                          capture_output=True, check=False)
    check(made.returncode == 0, f"no clock can be drawn: {made.stderr.decode()[-200:]}")
    offset = folder / "offset"
    offset.write_bytes(struct.pack("<q", 3600))
    with Small("clock", environment={"LD_PRELOAD": str(folder / "shim.so"), "CLOCK_OFF": str(offset)}) as running:
        drives(running)
        with open(offset, "r+b") as file:
            file.write(struct.pack("<q", 0))
        time.sleep(0.5)
        for program in ("nav-map-matcher", "nav-navigator", "nav-bus"):
            os.kill(running.pid_of(program), signal.SIGKILL)
            time.sleep(1)
            check(progresses(running, 15), f"after {program} was started again nothing goes on: {running.output[-500:]}")
        swapped = running.nav("swap", "matcher", "--run", "nav-map-matcher", "--stack", "small", seconds=60)
        check(swapped.returncode == 0, f"no swap: {swapped.stdout[-300:]}{swapped.stderr[-300:]}")
        check("stale_run" not in running.output, "messages were dropped as stale")
    shutil.rmtree(folder, ignore_errors=True)


# -- The launcher's output, descriptors, helpers ---------------------------------------------------------


CHATTY = "import time\nprint('up', flush=True)\nwhile True:\n    print('line', 'x' * 80, flush=True)\n    time.sleep(0.002)\n"
QUIET = "import time\nprint('up', flush=True)\ntime.sleep(600)\n"
MANIFEST = json.dumps({"about": "test", "calls": [], "inputs": [], "name": "n", "outputs": [], "parameters": [],
                       "serves": []})


def words_of(process):
    try:
        return (pathlib.Path("/proc") / str(process) / "cmdline").read_bytes().decode(errors="replace")
    except OSError:
        return ""


def test_a_terminal_that_nobody_reads_holds_nobody_up():
    folder = pathlib.Path(tempfile.mkdtemp(prefix="nav-tty-"))
    for name, text in {"chatty.py": CHATTY, "quiet.py": QUIET, "m.json": MANIFEST}.items():
        (folder / name).write_text(text, encoding="utf-8")
    node = "  {0}: {{run: \"" + sys.executable + " {0}.py\", manifest: m.json, ready: {{log: up}}}}\n"
    (folder / "stalled.yaml").write_text(
        "stack: stalled\nnodes:\n" + node.format("chatty") + node.format("quiet"), encoding="utf-8")
    runtime = tempfile.mkdtemp(prefix="nav-")
    environment = {**os.environ, "XDG_RUNTIME_DIR": runtime}
    master, slave = pty.openpty()
    launcher = subprocess.Popen([str(stack.OPTIONS.programs / "navlaunch"), "stalled.yaml"], cwd=folder, stdin=slave,
                                stdout=slave, stderr=slave, start_new_session=True, env=environment)
    os.close(slave)
    try:
        heard, deadline = b"", time.monotonic() + 20
        while b"all ready" not in heard and time.monotonic() < deadline:
            heard += os.read(master, 65536)
        check(b"all ready" in heard, f"the stack did not start: {heard[-300:]}")

        def quiet():
            names = subprocess.run(["ps", "-o", "pid=", "--ppid", str(launcher.pid)], capture_output=True, text=True,
                                   check=False).stdout.split()
            return [int(name) for name in names if "quiet.py" in words_of(name)]

        time.sleep(2)
        first = quiet()[0]
        bus = [name for name in subprocess.run(["ps", "-o", "pid=", "--ppid", str(launcher.pid)], capture_output=True,
                                               text=True, check=False).stdout.split() if "nav-bus" in words_of(name)]
        os.kill(first, signal.SIGKILL)
        check(stack.eventually(lambda: quiet() not in ([], [first]), 5), "a node is not started again while nobody reads")
        time.sleep(6)
        check(os.path.exists(f"/proc/{bus[0]}"), "the broker was killed")
        stopped = subprocess.run([str(stack.OPTIONS.programs / "nav"), "node", "stop", "quiet", "--stack", "stalled"],
                                 env=environment, capture_output=True, text=True, timeout=20, check=False)
        check(stopped.returncode == 0, f"nav node stop: {stopped.stderr[-200:]}")
        launcher.send_signal(signal.SIGTERM)
        try:
            launcher.wait(10)
        except subprocess.TimeoutExpired:
            check(False, "SIGTERM is not heard")
        check(launcher.returncode == 0, f"exit {launcher.returncode}")
    finally:
        if launcher.poll() is None:
            launcher.kill()
        os.close(master)
        shutil.rmtree(folder, ignore_errors=True)


LEAK = """import sys, time, resource, zmq
resource.setrlimit(resource.RLIMIT_NOFILE, (4096, 4096))
sockets = []
for _ in range(3):
    context = zmq.Context()
    context.set(zmq.MAX_SOCKETS, 2000)
    for number in range(int(sys.argv[2]) // 3):
        one = context.socket(zmq.PUSH)
        one.connect(sys.argv[1] + "/in")
        sockets.append((context, one))
        if number % 50 == 0:
            time.sleep(0.05)
print("sockets", len(sockets), flush=True)
time.sleep(4)
"""


def leaks(running, count):
    script = running.work / "leak.py"
    script.write_text(LEAK, encoding="utf-8")
    return subprocess.run([sys.executable, str(script), running.base, str(count)], capture_output=True, text=True,
                          timeout=60, check=False)


def test_a_client_that_leaks_sockets_ends_no_broker():
    with Small("leak", prefix=["bash", "-c", "ulimit -Sn 1024; exec \"$@\"", "_"]) as running:
        drives(running)
        bus = running.pid_of("nav-bus")
        check("1024" not in re.search(r"Max open files\s+(\d+)", pathlib.Path(f"/proc/{bus}/limits").read_text()).group(1)
              or os.sysconf("SC_OPEN_MAX") <= 1024, "the soft limit of open files is not raised")
        leaks(running, 1350)
        check(running.pid_of("nav-bus") == bus, f"the broker ended: {running.output[-500:]}")
        check(progresses(running), "the drive did not go on")


def test_a_broker_without_descriptors_goes_on_and_says_so__BUS_13():
    with Small("no-descriptors", prefix=["bash", "-c", "ulimit -n 160; exec \"$@\"", "_"]) as running:
        drives(running)
        bus = running.pid_of("nav-bus")
        leaks(running, 600)
        check(running.pid_of("nav-bus") == bus, f"the broker ended: {running.output[-500:]}")
        check(progresses(running), "the drive did not go on")
        check("connections_refused" in running.output, "nobody says that connections were refused")


def test_too_few_descriptors_are_a_sentence():
    with Small("few-descriptors", prefix=["bash", "-c", "ulimit -n 32; exec \"$@\"", "_"]) as running:
        check(running.wait(20) not in (None, 0), "the stack runs")
        check("the limit of open files is" in running.output and "SIGABRT" not in running.output, running.output[-400:])


DAEMON = """import os, sys, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        nothing = os.open("/dev/null", os.O_RDWR)
        for number in (0, 1, 2):
            os.dup2(nothing, number)
        with open("daemons", "a") as file:
            file.write(f"{os.getpid()}\\n")
        time.sleep(90)
    os._exit(0)
os.wait()
time.sleep(0.3)
print("up", flush=True)
time.sleep(600)
"""


def is_alive(process):
    try:
        return pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def with_helper(label):
    node = f"  n: {{run: \"{sys.executable} daemon.py\", manifest: m.json, ready: {{log: up}}}}\n"
    return Small(label, nodes=node, rest="", programs={"daemon.py": DAEMON, "m.json": MANIFEST})


def helpers(running):
    file = running.work / "daemons"
    return [int(line) for line in file.read_text().split()] if file.exists() else []


def test_a_helper_in_its_own_session_ends_with_its_node_and_the_stack():
    with with_helper("helper") as running:
        running.wait_for("all ready")
        first = helpers(running)[0]
        check(is_alive(first), "the helper is not there")
        again = running.nav("node", "restart", "n", "--stack", "small")
        check(again.returncode == 0, again.stderr)
        check(stack.eventually(lambda: len(helpers(running)) == 2, 10), "the node did not start again")
        check(not is_alive(first), "the helper of the node that was restarted lives on")
        second = helpers(running)[1]
        check(is_alive(second), "the new helper was ended, too")
        check(running.stop() == 0, f"exit {running.process.returncode}")
        check(not is_alive(second), "the helper outlives the stack")


def test_a_helper_in_its_own_session_ends_with_a_launcher_that_is_killed():
    with with_helper("helper-killed") as running:
        running.wait_for("all ready")
        helper = helpers(running)[0]
        os.kill(running.process.pid, signal.SIGKILL)
        running.process.wait()
        check(stack.eventually(lambda: not is_alive(helper), 6), "the helper outlives a launcher that was killed")


def test_ended_helpers_are_taken():
    script = ("import os, time\nfor _ in range(30):\n    if os.fork() == 0:\n        os.setsid()\n        if os.fork() == 0:\n"
              "            time.sleep(0.2)\n        os._exit(0)\n    os.wait()\nprint('up', flush=True)\ntime.sleep(600)\n")
    node = f"  n: {{run: \"{sys.executable} forks.py\", manifest: m.json, ready: {{log: up}}}}\n"
    with Small("zombies", nodes=node, rest="", programs={"forks.py": script, "m.json": MANIFEST}) as running:
        running.wait_for("all ready")

        def dead():
            found = subprocess.run(["ps", "-o", "stat=", "--ppid", str(running.process.pid)], capture_output=True,
                                   text=True, check=False).stdout.split()
            return [state for state in found if state.startswith("Z")]

        check(stack.eventually(lambda: not dead(), 5), f"{len(dead())} processes are left as zombies")


# -- The page and the API ---------------------------------------------------------------------------------


def fetch(url, headers=None, seconds=10):
    request = urllib.request.Request(url, headers=headers or {})
    try:
        with urllib.request.urlopen(request, timeout=seconds) as answer:
            return answer.status, answer.read(), dict(answer.headers)
    except urllib.error.HTTPError as error:
        return error.code, error.read(), dict(error.headers)


def parts_of(page):
    found = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/\?token=(\w+)", page)
    check(found, f"the page's address has no token: {page}")
    return int(found.group(1)), found.group(2)


def raw(port, text, seconds=5):
    """What a server answers to bytes, until it closes or says nothing more."""
    with socket.create_connection(("127.0.0.1", port), timeout=seconds) as one:
        data = text if isinstance(text, bytes) else text.encode()
        with contextlib.suppress(OSError):
            one.sendall(data)
        out, is_open, end = b"", True, time.monotonic() + seconds
        with contextlib.suppress(TimeoutError):
            while is_open and time.monotonic() < end:
                try:
                    more = one.recv(65536)
                except ConnectionError:
                    more = b""
                is_open, out = bool(more), out + more
        return out.decode(errors="replace"), is_open


def live(port, token=None, cookie=None, origin=None):
    """The status line of a WebSocket's handshake, and what comes with it."""
    head = (f"GET /live{f'?token={token}' if token else ''} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\n"
            "Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n")
    if cookie:
        head += f"Cookie: {cookie}\r\n"
    if origin:
        head += f"Origin: {origin}\r\n"
    return raw(port, head + "\r\n", 2)[0]


def test_another_user_reads_and_commands_nothing_through_the_page__BUS_9():
    with Small("page-user", LOCATION + STAGES + PAGE) as running:
        drives(running)
        port, token = parts_of(running.page)
        for path in ("", "config.json", "style.json", "tiles/14/6825/5753.mvt", "?token=", f"?token={token[:-1]}x",
                     "token/x/config.json"):
            status, body, _ = fetch(f"http://127.0.0.1:{port}/{path}")
            check(status == 401, f"/{path} without the token: {status} {body[:80]}")
        answer = live(port)
        check(" 401 " in answer.split("\r\n")[0] and "lat_deg" not in answer, f"the live link opens: {answer[:100]}")
        check(" 101 " in live(port, token).split("\r\n")[0], "the live link does not open with the token")
        check(" 403 " in live(port, token, origin="http://news.example").split("\r\n")[0], "another site gets the live link")
        status, _, _ = fetch(f"http://127.0.0.1:{port}/config.json?token={token}")
        check(status == 200, f"with the token: {status}")
        # A browser gets a cookie, and an address without the token.
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
        connection.request("GET", f"/?token={token}", headers={"Accept": "text/html,*/*"})
        answer = connection.getresponse()
        answer.read()
        check(answer.status == 303 and answer.getheader("Location") == "/", f"{answer.status} {answer.getheader('Location')}")
        cookie = answer.getheader("Set-Cookie")
        check("HttpOnly" in cookie and "SameSite" in cookie, cookie)
        cookie = cookie.split(";")[0]
        connection.request("GET", "/", headers={"Accept": "text/html", "Cookie": cookie})
        answer = connection.getresponse()
        check(answer.status == 200 and b"<html" in answer.read(), f"with the cookie: {answer.status}")
        answer = live(port, cookie=cookie, origin=f"http://127.0.0.1:{port}")
        check(" 101 " in answer.split("\r\n")[0], "the live link does not open with the cookie")
        # The token is in a folder of this user, and new with each start.
        file = pathlib.Path(running.folder) / "navstack/small/token"
        check(file.read_text().strip() == token, "the token is another one than in the stack's folder")
        check(file.parent.stat().st_mode & 0o077 == 0, "the folder of the token is open")
        if os.geteuid() == 0:
            done = subprocess.run(["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "cat", str(file)],
                                  capture_output=True, check=False)
            check(done.returncode != 0, "another user reads the token")


def test_another_user_asks_the_api_of_a_stack_nothing__BUS_9():
    router = "  router:\n    run: nav-router\n    params: {http: \"127.0.0.1:0\"}\n"
    with Small("api-user", LOCATION + STAGES.replace("  router: {run: nav-router}\n", router)) as running:
        base = running.wait_for(r"OSRM's HTTP API: (http://127\.0\.0\.1:\d+/token/\w+/)").group(1)
        question = "route/v1/driving/-30.02392,46.99714;-29.97645,47.00287"
        origin, token = re.fullmatch(r"(http://[^/]+/)token/(\w+)/", base).groups()
        check(fetch(origin + question)[0] == 401, "it is answered without the token")
        for url, headers in ((base + question, {}), (f"{origin}{question}?token={token}", {}),
                             (origin + question, {"Authorization": f"Bearer {token}"})):
            status, body, _ = fetch(url, headers)
            check(status == 200 and json.loads(body)["code"] == "Ok", f"{url}: {status} {body[:100]}")


def test_heads_are_bounded_and_read_in_linear_time():
    with Small("heads", LOCATION + STAGES + PAGE) as running:
        port, token = parts_of(running.page)
        running.wait_for("all ready")
        times = []
        for size in (8_000, 60_000):
            begin = time.monotonic()
            answer, _ = raw(port, f"GET /?token={token}&{'a' * size} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n", 20)
            times.append(time.monotonic() - begin)
            check(" 200 " in answer.split("\r\n")[0], f"{size} bytes: {answer[:60]}")
        check(times[1] < 1, f"{times} s for 8,000 and 60,000 bytes")
        for text, status in ((f"GET /{'A' * 300_000} HTTP/1.1\r\n", "414"),
                             (f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nCookie: {'a' * 300_000}\r\n", "431"),
                             ("GET / HTTP/1.1\r\n" + "".join(f"X-{number}: v\r\n" for number in range(200)) + "\r\n", "431")):
            answer, is_open = raw(port, text)
            check(not is_open and (not answer or f" {status} " in answer.split("\r\n")[0]), f"{status}: {answer[:80]}")
        # What two images of a foreign page send does not hold up the page.
        for _ in range(2):
            raw(port, b"GET /" + b"A" * 1_900_000 + f" HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
        begin = time.monotonic()
        check(fetch(f"http://127.0.0.1:{port}/?token={token}")[0] == 200, "the page does not answer")
        check(time.monotonic() - begin < 2, "the page answers late")


def test_idle_and_half_connections_end():
    with Small("idle", LOCATION + STAGES + PAGE) as running:
        port, token = parts_of(running.page)
        running.wait_for("all ready")
        many = [socket.create_connection(("127.0.0.1", port), timeout=30) for _ in range(300)]
        many[-1].sendall(b"GET / HTTP/1.1\r\nHost: x")
        check(fetch(f"http://127.0.0.1:{port}/?token={token}")[0] == 200, "300 idle connections hold the page up")
        begin = time.monotonic()
        with contextlib.suppress(OSError):
            check(many[-1].recv(100) in (b"",) or True, "")
        check(time.monotonic() - begin < 20, "a half head is waited for without end")
        for one in many:
            one.close()


def test_page_and_api_go_on_where_few_files_may_be_open__BUS_13():
    router = "  router:\n    run: nav-router\n    params: {http: \"127.0.0.1:0\", http_access: open}\n"
    with Small("page-descriptors", LOCATION + STAGES.replace("  router: {run: nav-router}\n", router) + PAGE,
               prefix=["bash", "-c", "ulimit -n 160; exec \"$@\"", "_"]) as running:
        drives(running)
        port, token = parts_of(running.page)
        api = int(running.wait_for(r"API: http://127\.0\.0\.1:(\d+)").group(1))
        processes = (running.pid_of("nav-renderer"), running.pid_of("nav-router"))
        for target in (port, api):
            many = []
            with contextlib.suppress(OSError):
                for _ in range(600):
                    many.append(socket.create_connection(("127.0.0.1", target), timeout=5))
            check(fetch(f"http://127.0.0.1:{port}/?token={token}")[0] == 200, "the page does not answer")
            check(fetch(f"http://127.0.0.1:{api}/nearest/v1/driving/-30.02392,46.99714")[0] == 200, "the API does not answer")
            for one in many:
                one.close()
        check(processes == (running.pid_of("nav-renderer"), running.pid_of("nav-router")), "a server ended")
        check(progresses(running), "the drive did not go on")


def test_frames_of_the_live_link_are_bounded():
    with Small("frames", LOCATION + STAGES + PAGE) as running:
        port, token = parts_of(running.page)
        running.wait_for("all ready")
        for frame in (b"\x81\xff" + struct.pack(">Q", 1 << 40) + b"mask", b"\x81\xff" + struct.pack(">Q", (1 << 64) - 1) + b"mask",
                      b"\x81\x05hello", b"\xf1\x80mask", b"\x89\xfe\x01\x00mask"):
            with socket.create_connection(("127.0.0.1", port), timeout=10) as one:
                one.sendall((f"GET /live?token={token} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\n"
                             "Connection: keep-alive, Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                             "Sec-WebSocket-Version: 13\r\n\r\n").encode() + frame)
                data, begin = b"", time.monotonic()
                with contextlib.suppress(OSError):
                    while time.monotonic() - begin < 8 and (more := one.recv(65536)):
                        data += more
                check(time.monotonic() - begin < 8, f"the link goes on after {frame[:10]}")
                check(b"s3pPLMBiTxaQ9kYGzzhZRbK+xOo=" in data, "the handshake is wrong")
        check(fetch(f"http://127.0.0.1:{port}/?token={token}")[0] == 200, "the page does not answer any more")


def test_small_faults_of_http_clients():
    engine = subprocess.Popen([str(stack.OPTIONS.programs / "nav-router"), "--http", "127.0.0.1:0", "--map", str(town_map())],
                              stdout=subprocess.PIPE, text=True)
    try:
        port = int(re.search(r"127\.0\.0\.1:(\d+)", engine.stdout.readline()).group(1))
        path = "/nearest/v1/driving/-30.02392,46.99714"
        answer, _ = raw(port, f"GET http://127.0.0.1:{port}{path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n")
        check(" 200 " in answer.split("\r\n")[0], f"absolute form: {answer[:60]}")
        answer, _ = raw(port, f"GET http://evil.example{path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
        check(" 403 " in answer.split("\r\n")[0], f"absolute form of another host: {answer[:60]}")
        answer, _ = raw(port, "GET " + path + " HTTP/1.0\r\n\r\n")
        check(" 200 " in answer.split("\r\n")[0], f"HTTP/1.0 without Host: {answer[:60]}")
        answer, _ = raw(port, "GET " + path + " HTTP/1.1\r\n\r\n", 2)
        check(" 403 " in answer.split("\r\n")[0], f"HTTP/1.1 without Host: {answer[:60]}")
        for line in ("Connection: TE, close\r\n", "Connection: TE\r\nConnection: close\r\n", "Connection: Close\r\n"):
            _, is_open = raw(port, f"GET {path} HTTP/1.1\r\nHost: localhost\r\n{line}\r\n", 3)
            check(not is_open, f"kept open after {line.strip()!r}")
    finally:
        engine.terminate()
        engine.wait()


# -- Guards ---------------------------------------------------------------------------------------------------


def test_a_flood_of_lines_and_large_messages_harm_nobody():
    flood = ("import sys, time\nprint('up', flush=True)\nout = sys.stdout.buffer\nfor _ in range(40):\n"
             "    out.write(b'x' * (1 << 20)); out.write(b'\\x00\\xff\\x1b]0;owned\\x07'); out.flush()\n"
             "print('done', flush=True)\ntime.sleep(600)\n")
    node = f"  flood: {{run: \"{sys.executable} flood.py\", manifest: m.json, ready: {{log: up}}}}\n"
    with Small("flood", LOCATION + STAGES + node, programs={"flood.py": flood, "m.json": MANIFEST}) as running:
        drives(running)
        running.wait_for(r"flood +\| .*done", 60)
        memory = int(pathlib.Path(f"/proc/{running.process.pid}/statm").read_text().split()[1]) * 4096
        check(memory < 300 << 20, f"the launcher has {memory >> 20} MiB")
        send(running, "ego/location/raw", "big", 1, {"x": "y" * (60 << 20)}, schema="location_raw/1.0")
        check(progresses(running), "a large message holds the drive up")


# -- nav why --------------------------------------------------------------------------------------------------

NO_SOURCE = STAGES
FAR_OSM = """<osm version="0.6">
<node id="1" lat="43.7380" lon="7.4240"/><node id="2" lat="43.7390" lon="7.4260"/><node id="3" lat="43.7400" lon="7.4240"/>
<way id="1"><nd ref="1"/><nd ref="2"/><tag k="highway" v="residential"/></way>
<way id="2"><nd ref="2"/><nd ref="3"/><tag k="highway" v="residential"/></way>
</osm>
"""


def far_map():
    if "far" not in TOWN:
        folder = pathlib.Path(tempfile.mkdtemp(prefix="nav-far-"))
        (folder / "far.osm").write_text(FAR_OSM, encoding="utf-8")
        done = run("nav", "map", "build", folder / "far.osm", "-o", folder / "far.navmap")
        check(done.returncode == 0, done.stderr[-300:])
        TOWN["far"] = folder / "far.navmap"
    return TOWN["far"]


def track(count):
    points = "".join(f'<trkpt lat="{START_LAT + number * 0.0001:.6f}" lon="{START_LON}"><time>2026-06-01T10:00:{number:02}Z</time>'
                     "</trkpt>" for number in range(count))
    return f'<?xml version="1.0"?><gpx version="1.1" creator="h"><trk><trkseg>{points}</trkseg></trk></gpx>'


@contextlib.contextmanager
def receiver(running, topic="ego/location/raw", has_time=True):
    """A receiver of one's own: some five fixes a second on a topic, by a program of its own."""
    script = (
        "import sys, time, zmq, msgpack\n"
        "base, topic, has_time = sys.argv[1], sys.argv[2], sys.argv[3] == '1'\n"
        "out = zmq.Context().socket(zmq.PUSH)\nout.connect(base + '/in')\ntime.sleep(0.3)\n"
        "run = int(time.time() * 1e6)\n"
        "for number in range(600):\n"
        f"    stamp = {START_NS} + number * 10**9\n"
        f"    fix = {{'lat_deg': {START_LAT} + number * 0.0001, 'lon_deg': {START_LON}}}\n"
        "    if has_time:\n        fix['time_ns'] = stamp\n"
        "    head = {'seq': number + 1, 'stamp': stamp, 'src': 'rx', 'run': run, 'schema': 'location_raw/1.0'}\n"
        "    out.send_multipart([topic.encode(), msgpack.packb(head), msgpack.packb(fix)])\n    time.sleep(0.2)\n")
    process = subprocess.Popen([sys.executable, "-c", script, running.base, topic, str(int(has_time))])
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def reasons(running, what, seconds=25):
    """What `nav why` says once it finds something; its last words where it never does."""
    deadline = time.monotonic() + seconds
    while True:
        done = running.nav("why", what, "--stack", "small")
        if done.returncode == 1 or time.monotonic() > deadline:
            return done.stdout + done.stderr
        time.sleep(0.5)


def says(running, what, *words):
    text = reasons(running, what)
    check("<-- first deviation" in text, f"nav why {what} finds nothing: {text}")
    for word in words:
        check(re.search(word, text), f"nav why {what} does not say \"{word}\": {text}")


def test_why_finds_nothing_where_all_is_well():
    with Small("why-well") as running:
        drives(running)
        for what in ("navigator", "matcher", "location", "router", "guidance/progress", "location/raw"):
            time.sleep(0.2)
            done = running.nav("why", what, "--stack", "small")
            check(done.returncode == 0, f"nav why {what}: {done.stdout}{done.stderr}")


def test_why_names_a_hung_process():
    more = "defaults: {watchdog: off}\n"
    with Small("why-hung", more=more) as running:
        drives(running)
        os.kill(running.pid_of("nav-map-matcher"), signal.SIGSTOP)
        time.sleep(4)
        says(running, "navigator", "matcher (is silent|is disconnected)")
        os.kill(running.pid_of("nav-map-matcher"), signal.SIGCONT)


def test_why_names_a_source_that_is_not_there():
    with Small("why-nothing", NO_SOURCE) as running:
        running.wait_for("all ready|navigator +. ready")
        says(running, "navigator", "location/raw has had no message yet", "no node writes location/raw", "1 Hz")
        says(running, "guidance/progress", "no node writes location/raw")


def test_why_names_a_misspelt_topic():
    with Small("why-misspelt", NO_SOURCE) as running, receiver(running, "ego/location/rawx"):
        running.wait_for("navigator +. ready")
        says(running, "navigator", "rx writes ego/location/rawx")


def test_why_names_a_vehicle_with_a_capital():
    with Small("why-capital", NO_SOURCE) as running, receiver(running, "Ego/location/raw"):
        running.wait_for("navigator +. ready")
        says(running, "navigator", "Ego/location/raw", "a-z")


def test_why_names_a_vehicle_that_nobody_serves():
    with Small("why-vehicle", NO_SOURCE) as running, receiver(running, "car2/location/raw"):
        running.wait_for("navigator +. ready")
        says(running, "navigator", "rx writes it for car2", "vehicles")


def test_why_names_fixes_without_time():
    with Small("why-no-time", NO_SOURCE) as running, receiver(running, has_time=False):
        running.wait_for("navigator +. ready")
        says(running, "navigator", "time|refused")


def test_why_names_a_map_of_another_place():
    with Small("why-map", LOCATION + STAGES, town=far_map()) as running:
        running.wait_for("navigator +. ready")
        says(running, "navigator", "map of another region", "46.9")
        says(running, "guidance/progress", "map of another region")


def test_why_names_a_router_that_was_left_out():
    nodes = (LOCATION + STAGES).replace("  router: {run: nav-router}\n", "")
    with Small("why-router", nodes, rest=REST.replace("location/raw,", "location/raw, route/calculate, route/return, route/traffic,")) as running:
        running.wait_for("navigator +. ready")
        says(running, "navigator", "no node serves route/calculate")
        says(running, "guidance/progress", "no node serves route/calculate")


def test_why_names_a_drive_that_was_not_started():
    with Small("why-not-started", rest=REST.split("start:")[0]) as running:
        running.wait_for("all ready")
        says(running, "guidance/progress", "navigate/start has not been called")


def ends_with(label, nodes, *words):
    """Checks that a stack that cannot start ends by itself, with an exit code that is not 0 and the reason."""
    with Small(label, nodes) as running:
        check(running.process.wait(30) != 0, "the launcher ends with exit code 0")
        for word in words:
            running.wait_for(word, 5)


def test_a_port_that_is_in_use_is_named():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        ends_with("port", LOCATION + STAGES + PAGE.replace("port: 0", f"port: {port}"), rf"{port}: Address already in use")


def test_a_track_that_is_missing_is_named():
    location = "  location:\n    run: nav-location-provider\n    params: {source: gpx, file: ./missing.gpx}\n"
    ends_with("no-file", location + STAGES, r"location +\| error: file: .*missing\.gpx|error: file: .*missing\.gpx")


def test_why_names_a_pause():
    with Small("why-pause") as running:
        drives(running)
        done = running.nav("call", "location/control", json.dumps({"command": "pause"}), "--stack", "small")
        check(done.returncode == 0, done.stderr)
        says(running, "navigator", "paused")
    with Small("why-guidance-pause") as running:
        drives(running)
        done = running.nav("call", "navigate/pause", "{}", "--stack", "small")
        check(done.returncode == 0, done.stderr)
        says(running, "navigator", "guidance of ego is paused")


def test_why_names_a_track_that_is_at_its_end():
    location = "  location:\n    run: nav-location-provider\n    params: {source: gpx, file: ./track.gpx, rate: 5}\n"
    with Small("why-end", location + STAGES, programs={"track.gpx": track(30)}) as running:
        running.wait_for("navigator +. ready")
        time.sleep(16)
        says(running, "navigator", "location has written no location/raw for")


def test_why_suggests_the_nearest_name():
    with Small("why-name") as running:
        running.wait_for("navigator +. ready")
        done = running.nav("why", "navigater", "--stack", "small")
        check(done.returncode == 2 and "did you mean navigator" in done.stderr, done.stderr)
