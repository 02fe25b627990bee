"""One stage split over two machines that have nothing in common but a cable, BUS-8.

Two network namespaces of the kernel with a pair of virtual interfaces between them: broker, simulator, router and one
replica of the matcher run in the first, another replica and the navigator in the second, over tcp. Where the kernel gives
no namespaces this is left out.

Judged from the first: vehicles move to the second machine and back under load with nothing lost, doubled or out of order;
each replica answers for its own vehicles; when the cable is pulled for some seconds both sides go on, what was lost is
counted, and all are served again.
"""

import collections
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import time

import msgpack
import zmq

import stack  # first: it tells where ours are
import navstack

ALONE = ("unshare", "--user", "--map-root-user", "--net", "--fork", "--kill-child")
TOWN = stack.ROOT / ".cache/town.osm"
HERE, THERE, PORT = "10.77.0.1", "10.77.0.2", 7400
BUS = f"tcp://{HERE}:{PORT}"
GROUP, LANES = "matcher", {1: "matcher.1", 2: "matcher.2"}
FIXES = 12
PULLED_S = 6


def ip(*words, of=()):
    subprocess.run([*of, "ip", *words], check=True)


class Machine:
    """A network namespace, and the programs in it."""

    def __init__(self, folder, host, words=()):
        self.folder, self.host, self.words, self.programs = folder, host, list(words), []

    def start(self, program, name, parameters, **variables):
        file = self.folder / f"{name}.json"
        file.write_text(json.dumps(parameters), encoding="utf-8")
        environment = {**os.environ, "NAV_BUS": BUS, "NAV_BUS_INSECURE": "yes", "NAV_VEHICLE": "any",
                       "NAV_HOST": self.host, **variables}
        words = () if program == "nav-bus" else ("--params", file, "--name", name)
        with open(self.folder / f"{name}.log", "w", encoding="utf-8") as log:
            self.programs.append(subprocess.Popen(
                [str(word) for word in (*self.words, stack.OPTIONS.programs / program, *words)],
                env=environment, stdout=log, stderr=subprocess.STDOUT))

    def stop(self):
        for process in reversed(self.programs):
            process.terminate()
        for process in reversed(self.programs):
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()


class Cable:
    """The pair of interfaces between this namespace and a new one, which a sleeping process holds open."""

    def __init__(self):
        ip("link", "set", "lo", "up")
        self.holder = subprocess.Popen(["unshare", "--net", "sleep", "infinity"])
        # It is a namespace of its own once `sleep` runs.
        while pathlib.Path(f"/proc/{self.holder.pid}/comm").read_text().strip() != "sleep":
            time.sleep(0.01)
        self.there = ("nsenter", f"--net=/proc/{self.holder.pid}/ns/net")
        ip("link", "add", "here", "type", "veth", "peer", "name", "there", "netns", str(self.holder.pid))
        ip("addr", "add", f"{HERE}/24", "dev", "here")
        ip("addr", "add", f"{THERE}/24", "dev", "there", of=self.there)
        ip("link", "set", "lo", "up", of=self.there)
        self.plug()

    def plug(self):
        ip("link", "set", "here", "up")
        ip("link", "set", "there", "up", of=self.there)

    def pull(self):
        ip("link", "set", "there", "down", of=self.there)

    def end(self):
        self.holder.kill()
        self.holder.wait()


class Listener(threading.Thread):
    """What is said of any vehicle, and who says it."""

    def __init__(self):
        super().__init__(daemon=True)
        self.goes_on, self.lock = True, threading.Lock()
        self.last, self.stamps, self.statuses = {}, {}, {}
        self.fixes, self.answers, self.progress = set(), collections.Counter(), collections.Counter()
        self.by_replica, self.recent = collections.defaultdict(collections.Counter), {}
        self.lost, self.disorder = collections.Counter(), 0
        self.example = ""
        self.start()

    def run(self):
        with zmq.Context.instance().socket(zmq.SUB) as socket:
            socket.setsockopt(zmq.RCVHWM, 0)
            socket.setsockopt(zmq.LINGER, 0)
            for beginning in (b"car", b"_node/"):
                socket.subscribe(beginning)
            socket.connect(navstack.endpoints(BUS)[1])
            while self.goes_on:
                if socket.poll(100):
                    topic, header, payload = socket.recv_multipart()
                    with self.lock:
                        self.take(topic.decode(), msgpack.unpackb(header), payload)

    def take(self, topic, header, payload):
        if topic.startswith("_node/"):
            if payload:
                self.statuses[topic.split("/")[1]] = msgpack.unpackb(payload)
            return
        if not payload or header.get("latched"):
            return
        vehicle, leaf = topic.split("/", 1)
        writer = topic, header["src"], header["run"]
        last = self.last.get(writer)
        if last is not None and header["seq"] != last + 1:
            self.lost[leaf] += header["seq"] - last - 1
            self.example = self.example or f"{topic} of {header['src']}: {last} then {header['seq']}"
        self.last[writer] = header["seq"]
        if header["stamp"] < self.stamps.get(topic, 0):
            self.disorder += 1
            self.example = self.example or f"{topic}: {header['stamp']} after {self.stamps[topic]}"
        self.stamps[topic] = header["stamp"]
        if leaf == "location/raw":
            self.fixes.add((vehicle, header["src"], header["run"], header["seq"]))
        elif leaf == "location/matched" and not msgpack.unpackb(payload)["estimated"]:
            _, source, run, number = header["cause"]
            self.answers[vehicle, source, run, number] += 1
            self.by_replica[header["src"]][vehicle] += 1
            self.recent[vehicle] = header["src"], time.monotonic()
        elif leaf == "guidance/progress":
            self.progress[vehicle] += 1

    def since(self):
        """Forgets all but what comes next; what is under way is still answered."""
        with self.lock:
            self.lost, self.disorder = collections.Counter(), 0
            self.example = ""
            self.fixes, self.answers = set(), collections.Counter()
            self.by_replica = collections.defaultdict(collections.Counter)

    def unanswered(self):
        """(fixes of more than two seconds ago that no replica answered, those that were answered twice)"""
        with self.lock:
            missing = [fix for fix in self.fixes if not self.answers[fix]]
            twice = [fix for fix, count in self.answers.items() if count > 1]
            newest = {}
            for vehicle, *_, number in self.fixes:
                newest[vehicle] = max(newest.get(vehicle, 0), number)
            return [fix for fix in missing if newest[fix[0]] - fix[3] >= 2], twice


def rescale(lanes, seconds=30):
    """Shares the matcher's vehicles among these lanes; what the broker says of the outcome."""
    with zmq.Context.instance().socket(zmq.DEALER) as socket:
        socket.setsockopt(zmq.LINGER, 0)
        socket.connect(navstack.endpoints(BUS)[2])
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            socket.send(msgpack.packb({"op": "rescale", "token": 1, "group": GROUP, "lanes": lanes}))
            while socket.poll(max(0, int(1000 * (deadline - time.monotonic())))):
                head = msgpack.unpackb(socket.recv_multipart()[0])
                if head.get("op") == "outcome":
                    break
            else:
                return {"message": "no answer"}
            if head.get("code") != "no_such_lane":  # it may not be ready yet
                return head
            time.sleep(0.2)
        return head


def slots(outcome):
    """Lane and number of its slots."""
    row = outcome.get("lanes") or []
    return dict(zip(row[::2], row[1::2]))


def losses(listener, leaf=None):
    """Messages that the nodes' readers count as lost, by node: of one topic, or of all."""
    with listener.lock:
        return {name: sum(one.get("lost", 0) + one.get("queue_drops", 0) for topic, one in status.get("subscriptions", {}).items()
                          if leaf in (None, topic))
                for name, status in listener.statuses.items()}


def is_served(listener, vehicles, by=None, within_s=3):
    """Whether each vehicle was matched a moment ago, by one of these replicas."""
    with listener.lock:
        now = time.monotonic()
        return len(listener.recent) == vehicles and all(
            now - at < within_s and (by is None or source in by) for source, at in listener.recent.values())


def drive(results, listener, vehicles):
    """Vehicles go over to the other machine, are shared by both, and come back."""
    results.add(stack.eventually(lambda: is_served(listener, vehicles, {LANES[1]}), 60),
                f"one replica matches {vehicles} vehicles on the broker's machine", f"{len(listener.recent)} of them")
    listener.since()
    for lanes in ([1, 2], [2], [1, 2]):
        names = {LANES[lane] for lane in lanes}
        outcome = rescale(lanes)
        shares = slots(outcome)
        results.add(outcome.get("ok") and set(shares) == set(lanes) and sum(shares.values()) == 256,
                    f"vehicles are shared by {' and '.join(sorted(names))}", f"{outcome}")
        results.add(stack.eventually(lambda names=names: is_served(listener, vehicles, names), 20),
                    "each vehicle is matched by one of these", str(collections.Counter(s for s, _ in listener.recent.values())))
        time.sleep(FIXES / 4)
    stack.eventually(lambda: not listener.unanswered()[0], 10)
    missing, twice = listener.unanswered()
    with listener.lock:
        split = {name: len(counts) for name, counts in listener.by_replica.items()}
        faults = [f"lost {dict(listener.lost)}", f"{listener.disorder} out of order", listener.example]
        is_good = not missing and not twice and not listener.lost.total() and not listener.disorder and set(split) == set(LANES.values())
        results.add(is_good, f"each of {len(listener.fixes)} fixes is answered once and in order, by replicas on two machines ({split})",
                    f"{split}, unanswered {missing[:3]}, twice {twice[:3]}, {faults}")
        told = sum(count > 0 for count in listener.progress.values())
    results.add(told >= 0.1 * vehicles, f"the navigator on the other machine leads {told} vehicles", "it leads fewer than it should")
    results.add(not any(losses(listener).values()), "no node has lost a message", str(losses(listener)))


def tools(results):
    """The tools know the nodes of both machines, and name the machine of each."""
    wanted = {"router": "one", "navigator": "two", LANES[1]: "one", LANES[2]: "two"}
    _, listed, errors = stack.run("nav", "node", "list", NAV_BUS=BUS)
    hosts = {row[0]: row[2] for row in map(str.split, listed.splitlines()) if len(row) > 2}
    results.add(all(hosts.get(name) == host for name, host in wanted.items()), "nav node list names the host of each node", listed + errors)
    _, table, errors = stack.run("nav", "top", "--once", NAV_BUS=BUS)
    hosts = {row[0]: row[2] for row in map(str.split, table.splitlines()) if len(row) > 2}
    results.add(all(hosts.get(name) == host for name, host in wanted.items()), "so does nav top", table + errors)
    _, page, errors = stack.run("nav", "node", "info", "navigator", NAV_BUS=BUS)
    _, why, more = stack.run("nav", "why", "navigator", NAV_BUS=BUS)
    results.add(" on two" in page and "navigator (on two)" in why, "and nav node info and nav why", page + why + errors + more)


def pull(results, listener, cable, vehicles):
    """The cable is out for some seconds: what is lost is counted, and all goes on."""
    before = losses(listener, "location/raw").get(LANES[2], 0)
    listener.since()
    cable.pull()
    time.sleep(PULLED_S)
    with listener.lock:
        now = time.monotonic()
        served = {source for source, at in listener.recent.values() if now - at < 2}
        silent = sum(now - at > 2 for _, at in listener.recent.values())
    results.add(served == {LANES[1]} and 0 < silent < vehicles,
                f"without the cable the replica here goes on, and {silent} vehicles of the other one wait", f"{served}, {silent}")
    cable.plug()
    begin = time.monotonic()
    is_back = stack.eventually(lambda: is_served(listener, vehicles), 60)
    results.add(is_back, f"{time.monotonic() - begin:.1f} s after it is back each vehicle is matched again",
                f"{sum(time.monotonic() - at > 3 for _, at in listener.recent.values())} are not")
    time.sleep(3)
    missing, twice = listener.unanswered()
    counted = losses(listener, "location/raw").get(LANES[2], 0) - before
    with listener.lock:
        unheard = listener.lost["location/matched"]
    # Of what nobody here heard an answer to some was lost on its way there, some answered there and lost on the way back.
    results.add(not twice and 0 < counted <= len(missing) <= counted + unheard,
                f"{len(missing)} fixes have no answer here: the replica there counts {counted} that did not come, "
                f"and of its answers {unheard} numbers are missing here",
                f"{len(missing)} unanswered, {counted} counted there, {unheard} here, twice {twice[:3]}")


def test_a_stage_is_split_over_two_machines__BUS_8(results, vehicles):
    """Broker and one replica on the first, another replica and the navigator on the second."""
    with tempfile.TemporaryDirectory(prefix="nav-") as name:
        folder = pathlib.Path(name)
        cable = Cable()
        here, there = Machine(folder, "one"), Machine(folder, "two", cable.there)
        listener = None
        try:
            here.start("nav-bus", "bus", {})
            listener = Listener()
            town = {"map": str(TOWN)}
            here.start("nav-router", "router", town)
            there.start("nav-navigator", "navigator", {**town, "horizon_m": 0})
            for lane, machine in ((1, here), (2, there)):
                machine.start("nav-map-matcher", LANES[lane], town, NAV_GROUP=GROUP, NAV_LANE=str(lane))
            outcome = rescale([1], 60)
            results.add(slots(outcome) == {1: 256}, "nodes on both machines are taken in", str(outcome))
            here.start("nav-fleet-simulator", "simulator", {**town, "vehicles": vehicles, "guided": 0.2, "stop_s": 0})
            drive(results, listener, vehicles)
            tools(results)
            pull(results, listener, cable, vehicles)
        finally:
            there.stop()
            here.stop()
            if listener:
                listener.goes_on = False
                listener.join()
            cable.end()
            if results.failed:
                for log in sorted(folder.glob("*.log")):
                    text = re.sub(r"\n+", "\n", log.read_text(encoding="utf-8", errors="replace"))
                    print(f"   {log.name}: {text[-600:]}", flush=True)


def main():
    options = stack.options(__doc__, vehicles=300, inside="no")
    if options.inside == "yes":
        results = stack.Results()
        test_a_stage_is_split_over_two_machines__BUS_8(results, options.vehicles)
        results.end()
    if subprocess.run([*ALONE, "true"], capture_output=True, check=False).returncode != 0:
        print("left out: the kernel gives no namespaces here, so that there are no two machines", flush=True)
        return
    sys.exit(subprocess.run([*ALONE, sys.executable, *sys.argv, "--inside", "yes"], check=False).returncode)


if __name__ == "__main__":
    main()
