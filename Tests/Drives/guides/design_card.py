"""What the design of the stack promises: processes that can be replaced, recorded, scaled, and used alone."""

import collections
import os
import pathlib
import re
import signal
import subprocess
import sys
import threading
import time

import msgpack
import navstack
import outsiders
import servers
import stack
import zmq
from lab import Line, Running, at
from places import HOME, TOWN_HALL
from rows import check, equal, row
from stacks import TOWN, TOWN_MAP
from traffic import shape


def processes(running):
    return {one["name"]: one for one in running.call("stack/nodes")["processes"]}


@row("each stage an executable of its own; MessagePack over ZeroMQ topics", "one process for each node; frames [topic][header][payload]")
def test_stages_are_processes_that_speak_messagepack__BUS_1__BUS_2(lab):
    found = processes(lab.town)
    programs = {name: pathlib.Path(one["program"]).name for name, one in found.items()}
    check(len({one["pid"] for one in found.values()}) == len(found) >= 6, f"processes {programs}")
    equal(programs["matcher"], "nav-map-matcher", "the matcher's program")
    for one in found.values():
        check(pathlib.Path(f"/proc/{one['pid']}/exe").resolve() == pathlib.Path(one["program"]).resolve(), f"{one['name']} runs another program")
    vehicle = lab.town.vehicle()
    with zmq.Context.instance().socket(zmq.SUB) as socket:
        socket.subscribe(f"{vehicle.name}/location/matched".encode())
        socket.connect(f"{lab.town.base}/out")
        lab.town.subscribe(f"{vehicle.name}/nothing")  # by now the other subscription is in place as well
        for _ in range(20):
            vehicle.fix((46.9985, -30.0237358), speed=0)
            if socket.poll(100):
                break
        frames = socket.recv_multipart()
    equal(len(frames), 3, "frames of a message")
    header, payload = (msgpack.unpackb(frame) for frame in frames[1:])
    check(header["src"] == "matcher" and header["schema"].startswith("location_matched/") and payload["state"] == "matched", f"{header} {payload}")


@row("a subscriber from outside in five lines", "README: a reader with pyzmq and msgpack")
def test_five_lines_read_the_topics__BUS_2(lab):
    program = outsiders.five_lines()
    equal(len([line for line in program.splitlines() if line.strip()]), 5, "lines of the program in README")
    vehicle = lab.town.vehicle()
    program = re.sub(r"ipc://[^\"']*/out", f"{lab.town.base}/out", program).replace("ego/", f"{vehicle.name}/")
    process = subprocess.Popen([sys.executable, "-u", "-c", program], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    timer = threading.Timer(3, process.kill)
    timer.start()
    deadline = time.monotonic() + 3
    while time.monotonic() < deadline and process.poll() is None:
        vehicle.fix((46.9985, -30.0237358), speed=0)
    output = process.stdout.read()
    process.wait()
    timer.cancel()
    check("location/matched" in output and "46.99" in output, f"it printed {output[-300:]}")


@row("synthetic fixes from outside", "PUSH to `location/raw`, without any library of ours")
def test_fixes_are_injected_from_outside__BUS_2(lab):
    vehicle = lab.solo.vehicle()
    lab.solo.now_ns += 1_000_000_000
    fix = {"lat_deg": 46.9985, "lon_deg": -30.0237, "time_ns": lab.solo.now_ns, "speed_mps": 10.0, "bearing_deg": 0.0}
    header = {"seq": 1, "stamp": fix["time_ns"], "src": "hand", "run": 1, "schema": "location_raw/1.0"}
    with zmq.Context.instance().socket(zmq.PUSH) as socket:
        socket.connect(f"{lab.solo.base}/in")
        socket.send_multipart([f"{vehicle.name}/location/raw".encode(), msgpack.packb(header), msgpack.packb(fix)])
        lab.solo.wait(lambda: vehicle.count("location/matched"), 5, "the fix is matched")
    equal((vehicle.last("location/matched")["state"], vehicle.last("location/matched")["raw"]["lat_deg"]), ("matched", 46.9985), "state and fix")


KILLED = TOWN.replace("stack: town", "stack: killed").replace("  renderer:", "  poller: {{run: nav-dynamic-routing}}\n  renderer:").replace(
    "external: [location/raw, _clock, route/better, ", "external: [location/raw, _clock, ")


@row("each stage killed with -9: it comes back and goes on", "restart by navlaunch; state on the bus")
def test_killed_stages_come_back_and_repeat_nothing__BUS_6(lab):
    running = Running("killed", KILLED.format(town=TOWN_MAP))
    try:
        vehicle = running.vehicle()
        vehicle.start(HOME, TOWN_HALL)
        route, line = vehicle.active["id"], Line(shape(vehicle.active))
        metres, back = 0.0, {}
        for name in (*sorted(running.nodes), "bus"):
            metres = vehicle.drive(line, metres, metres + 150)
            before = processes(running)[name]
            os.kill(before["pid"], signal.SIGKILL)
            begin = time.monotonic()
            running.wait(lambda: is_back(running, name, before["pid"]), 10, f"{name} is back")
            back[name] = time.monotonic() - begin
        vehicle.drive(line, metres, until=lambda: vehicle.count("guidance/arrival"))
        running.settle(4)
        check(max(back.values()) < 3, f"seconds until each was back: { {name: round(one, 2) for name, one in back.items()} }")
        equal({one["id"] for one in (state.get("route") for state in vehicle.all("route/active")) if one}, {route}, "routes")
        equal(vehicle.count("guidance/deviation"), 0, "deviations")
        equal([one["event"] for one in vehicle.all("guidance/arrival")], ["destination_reached"], "arrivals")
        keys = collections.Counter(one["key"] for one in vehicle.all("voice/announcement"))
        equal([key for key, count in keys.items() if count > 1], [], "announcements that came twice")
        check(len(keys) >= 4, f"only {len(keys)} announcements")
    finally:
        running.close()


def is_back(running, name, pid):
    """Whether a process is at work under another number, and the broker answers."""
    try:
        one = processes(running)[name]
    except navstack.CallError:
        return False
    return one["pid"] != pid and one["state"] == "ready"


@row("a stage in another language", "`navstack.Server` and `Publisher`: a router and a voice in Python, which may think as long as their calls allow")
def test_a_router_in_python_takes_the_stages_place__BUS_1(lab):
    route = lab.town.route(HOME, TOWN_HALL)
    with servers.stack_without_router("guides-python") as run:
        ear = stack.Ear(run)
        check(ear.wait(lambda record: record.matches, 30, run), "the stack does not start")
        router = servers.SlowRouter(run.base, route, {"ego": 5})
        voice = subprocess.Popen([sys.executable, stack.ROOT / "clients/python/examples/voice.py"], stderr=subprocess.PIPE,
                                 env={**os.environ, "NAV_BUS": run.base})
        stack.eventually(lambda: {"router", "voice"} <= set(servers.nodes(run.base)), 10)
        begin = time.monotonic()
        reply = navstack.call(run.base, "navigate/start", {"to": at(TOWN_HALL)}, timeout_s=40)
        took = time.monotonic() - begin
        check(reply["route_id"] == route["id"] and took >= 5, f"navigate/start answered {reply} after {took:.1f} s")
        check(ear.wait(lambda record: record.announced and record.progress > 20, 30, run), "no progress, or the voice in Python is silent")
        check(servers.nodes(run.base)["router"]["restarts"] == 0, "a false restart of the router in Python")
        voice.kill()
        voice.wait()
        router.goes_on = False
        router.join()
        ear.end()


@row("a stage replaced while the stack runs", "`nav swap`, `stack/swap`: lost 0")
def test_a_stage_is_swapped_while_it_runs__BUS_1(lab):
    running, vehicle = lab.other, lab.other.vehicle()
    vehicle.start(HOME, TOWN_HALL)
    route, line = vehicle.active["id"], Line(shape(vehicle.active))
    metres = vehicle.drive(line, 0, 300)
    before = processes(running)["navigator"]["pid"]
    reply = running.call("stack/swap", {"node": "navigator", "run": str(stack.OPTIONS.programs / "nav-navigator"), "args": [], "params": {}})
    check(processes(running)["navigator"]["pid"] != before and len(reply["handovers"]) == 1, f"{reply}")
    vehicle.drive(line, metres + 13, until=lambda: vehicle.count("guidance/arrival"))
    equal({state["route"]["id"] for state in vehicle.all("route/active") if state.get("route")}, {route}, "routes")
    places = [one["travelled_m"] for one in vehicle.all("guidance/progress")]
    check(places == sorted(places) and max(after - before for before, after in zip(places, places[1:])) < 30, "progress is missing, or goes back")
    equal(vehicle.count("guidance/arrival"), 1, "arrivals")


@row("record and replay", "`nav drive --record`, `nav play --replace`: equal")
def test_a_recording_gives_the_same_again__BUS_7(lab):
    target = lab.path / "play.mcap"
    code, _, errors = stack.run("nav", "drive", stack.DEMO, "--set", "voice.sink=none", "--without", "renderer", "--record", target, "--quiet")
    check(code == 0, errors)
    code, out, errors = stack.run("nav", "play", target, "--replace", "navigator", "--through", stack.DEMO, "--rate", "max")
    check(code == 0 and "equal" in out + errors, f"exit code {code}: {(out + errors)[-300:]}")
    code, out, errors = stack.run("nav", "play", target, "--replace", "navigator", "--through", stack.DEMO, "--rate", "max", "--set",
                                  "navigator.units=imperial_us")
    check(code == 1, f"another navigator is found equal: {(out + errors)[-300:]}")


@row("the same bytes at each run", "`nav drive --digest`")
def test_two_runs_publish_the_same_bytes__BUS_7(lab):
    digests = []
    for number in range(2):
        target = lab.path / f"digest{number}"
        code, _, errors = stack.run("nav", "drive", stack.DEMO, "--set", "voice.sink=none", "--without", "renderer", "--digest", target, "--quiet")
        check(code == 0, errors)
        digests.append(target.read_text())
    equal(digests[0], digests[1], "digests of two runs")
    check(len(digests[0].splitlines()) > 15, "few topics")


@row("more processes for a stage while it runs", "`nav scale`; `replicas` in the stack file")
def test_a_stage_is_scaled_while_it_runs__BUS_8(lab):
    text = f"""
stack: scaled
vehicles: any
map: {TOWN_MAP}
nodes:
  matcher: {{run: nav-map-matcher, replicas: 1}}
external: [location/raw, _clock, route/active]
"""
    running = Running("scaled", text)
    try:
        vehicles = [running.vehicle() for _ in range(12)]
        line = Line([(46.9890, -30.0237358), (46.9995, -30.0237358)])

        def drive(begin):
            for vehicle in vehicles:
                vehicle.drive(line, begin, begin + 60)
        drive(0)
        reply = running.call("stack/scale", {"node": "matcher", "replicas": 3})
        equal((reply["before"], reply["after"]), (1, 3), "processes")
        check(reply["held_ms"] < 500, f"held for {reply['held_ms']} ms")
        running.nodes = {name for name in processes(running) if name != "bus"}
        drive(73)
        sources = collections.Counter(header["src"] for vehicle in vehicles for header, _ in vehicle.seen["location/matched"][-5:])
        check(len(sources) >= 2, f"answers of {sources}")
        for vehicle in vehicles:
            matched = [one for one in vehicle.all("location/matched") if not one["estimated"]]
            equal(len(matched), vehicle.count("location/raw"), "matched locations for as many fixes")
            equal({one["state"] for one in vehicle.all("location/matched")[1:]}, {"matched"}, "states")
            check(not any(one["teleport"] for one in vehicle.all("location/matched")[1:]), "a matcher that begins anew")
    finally:
        running.close()


@row("one node alone", "a stack with the matcher alone")
def test_a_node_works_alone__BUS_1(lab):
    equal(set(processes(lab.solo)) - {"bus"}, {"matcher"}, "processes")
    vehicle = lab.solo.vehicle()
    vehicle.drive([(46.9985, -30.0237358), (46.9995, -30.0237358)])
    equal(vehicle.last("location/matched")["state"], "matched", "the state")


@row("`navlaunch stack.yaml` refuses what is wrong, with line and reason", "the check before anything starts")
def test_a_wrong_stack_file_is_refused_with_its_places__BUS_14(lab):
    right = """stack: wrong
map: {town}
nodes:
  matcher: {{run: nav-map-matcher}}
  router:
    run: nav-router
    params: {{http_answer_s: 30}}
  voice:
    run: nav-voice-guidance
    params: {{sink: none}}
  renderer:
    run: nav-renderer
    params: {{port: 0}}
external: ["location/", "guidance/", "navigate/", "route/", "traffic/", _clock, session]
""".format(town=TOWN_MAP)
    for old, new, line, words in (
            ("http_answer_s: 30", "http_answers_s: 30", 7, "http_answers_s"), ("http_answer_s: 30", "http_answer_s: 3000", 7, "600"),
            ('"location/", ', "", 4, "location/raw"),
            ("nav-map-matcher", "nav-map-macher", 4, "nav-map-macher"), ("stack: wrong", "stak: wrong", 1, "stack")):
        file = lab.path / "wrong.yaml"
        check(old in right, old)
        file.write_text(right.replace(old, new))
        code, out, errors = stack.run("navlaunch", file)
        text = out + errors
        check(code == 2 and "nothing was started" in text, f"{new}: exit code {code}: {text[-300:]}")
        found = [int(one[1]) for one in re.finditer(rf"wrong\.yaml:(\d+):\d+: error: .*{re.escape(words)}", text)]
        check(any(line <= one <= line + 3 for one in found), f"{new}: line {line} ({words}) is not named:\n{text[-600:]}")
    # What only the program itself can judge ends the start, and its reason is printed.
    for old, new, words in (("port: 0", 'port: 0, colours: ["no-such=#ff0000"]', "no-such"), ("sink: none", "sink: none, slow_action_m: 9999", "must lie before"),
                            ("http_answer_s: 30", "engine: online, engine_url: nonsense", "nonsense")):
        file.write_text(right.replace(old, new))
        code, out, errors = stack.run("navlaunch", "--check", "5s", file, seconds=30)
        check(code != 0 and words in out + errors, f"{new}: exit code {code}: {(out + errors)[-400:]}")
