"""kill -9 at any moment: each process comes back in step, and every drive arrives.

    killed.py                    some kills of each process
    killed.py --kills 900        a hundred of each of the nine
    killed.py --only bus,router --seed 7 --within 0.5

Kills follow each other at seeded moments of event time, each when the process before is back in step:
its status is ready, its topics flow, a new broker knows all nodes. That has to be within a second; what a
process that only sleeps overslept meanwhile does not count, for no program is faster than the machine lets it
be. Of each drive is judged whether it arrived, whether nothing was said twice, and whether each missing number
is counted by a reader.
"""

import os
import random
import signal
import statistics
import threading
import time

import msgpack
import zmq

import stack  # first: it tells where ours are
import navstack
from sleeper import Sleeper
from witness import Witness

PROGRAMS = {
    "location": "nav-location-provider", "matcher": "nav-map-matcher", "router": "nav-router",
    "navigator": "nav-navigator", "poller": "nav-dynamic-routing", "traffic": "nav-traffic",
    "voice": "nav-voice-guidance", "renderer": "nav-renderer", "bus": "nav-bus",
}
# What flows at each fix; the others speak when there is something to say.
FLOWS = {"location": "location/raw", "matcher": "location/matched", "navigator": "guidance/progress"}
# Nobody is killed before so much of the way is done: the drive must have begun.
FIRST_PROGRESS = 5
# A drive has some thirty moments for them; one that has had so many will never arrive.
MOST_KILLS = 120
PATIENCE_S = 60


class Pulse(threading.Thread):
    """When each node was last heard, and by which run; by the machine's clock."""

    def __init__(self, base):
        super().__init__(daemon=True)
        self.base, self.goes_on = base, True
        self.lock = threading.Lock()
        self.ready, self.flows, self.now_ns = {}, {}, 0
        self.start()

    def run(self):
        with zmq.Context.instance().socket(zmq.SUB) as socket:
            socket.setsockopt(zmq.RCVHWM, 0)
            for topic in ["_node/", *(f"ego/{leaf}" for leaf in FLOWS.values())]:
                socket.subscribe(topic.encode())
            socket.connect(navstack.endpoints(self.base)[1])
            while self.goes_on:
                if socket.poll(100):
                    self.take(socket.recv_multipart())

    def take(self, frames):
        if len(frames) != 3:
            return
        header = msgpack.unpackb(frames[1])
        if header.get("latched"):
            return
        now, leaf = time.monotonic(), frames[0].decode().split("/", 1)[1]
        with self.lock:
            if leaf in FLOWS.values():
                self.flows.setdefault((header["src"], header["run"], leaf), []).append(now)
                self.now_ns = max(self.now_ns, header["stamp"])
            elif frames[2]:
                status = msgpack.unpackb(frames[2])
                if status["state"] in ("ready", "degraded"):
                    self.ready.setdefault((status["node"], status["run"]), now)

    def run_of(self, node):
        with self.lock:
            return max((run for name, run in self.ready if name == node), default=0)

    def ready_at(self, node, after_run):
        """When a later run of a node was first known to be ready."""
        with self.lock:
            return min((at for (name, run), at in self.ready.items()
                        if name == node and run > after_run), default=None)

    def flows_at(self, leaf, since, after_run=0):
        """When a topic first flowed after a moment, from a later run than `after_run`."""
        with self.lock:
            times = [at for (_, run, name), all_times in self.flows.items()
                     if name == leaf and run > after_run for at in all_times if at > since]
        return min(times, default=None)


class Census:
    """Asks the broker who is there."""

    def __init__(self, base):
        self.socket = zmq.Context.instance().socket(zmq.DEALER)
        self.socket.setsockopt(zmq.LINGER, 0)
        self.socket.connect(navstack.endpoints(base)[2])

    def run_and_nodes(self, wait_ms=100):
        """Run of the broker that answers, and its living nodes; 0 and none without an answer."""
        while self.socket.poll(0):
            self.socket.recv_multipart()
        try:
            self.socket.send_multipart(
                [msgpack.packb({"op": "list", "token": 1, "what": "nodes"})], zmq.DONTWAIT)
        except zmq.Again:
            return 0, set()
        if not self.socket.poll(wait_ms):
            return 0, set()
        answer = msgpack.unpackb(self.socket.recv_multipart()[0])
        alive = {node["name"] for node in answer.get("nodes", []) if node["alive"]}
        return answer.get("run", 0), alive & PROGRAMS.keys()

    def events(self, topic, wait_ms=1_000):
        """(topic, header, payload) of what the broker keeps of an event; none without an answer."""
        while self.socket.poll(0):
            self.socket.recv_multipart()
        ask = {"op": "history", "token": 2, "patterns": [topic], "since_ms": 30_000}
        kept = []
        try:
            self.socket.send_multipart([msgpack.packb(ask)], zmq.DONTWAIT)
            while self.socket.poll(wait_ms):
                head, *message = self.socket.recv_multipart()
                if msgpack.unpackb(head)["op"] != "item":
                    break
                kept.append((message[0].decode(), msgpack.unpackb(message[1]), message[2]))
        except zmq.Again:
            pass
        return kept

    def close(self):
        self.socket.close()


def hear_missed_arrival(ear, census):
    """Whether the drive has arrived; a plain reader is deaf for some moments when there is a new broker.

    What he missed then the broker is told again by who said it.
    """
    if not ear.record.arrivals:
        for topic, header, payload in census.events("ego/guidance/arrival")[:1]:
            del header["latched"]
            ear.record.take(topic, header, payload)
    return bool(ear.record.arrivals)


class Killer:
    """Drives, and kills meanwhile, until the deck is empty."""

    def __init__(self, sleeper):
        self.sleeper = sleeper
        self.dice = random.Random(stack.OPTIONS.seed)
        chosen = [node for node in PROGRAMS
                  if not stack.OPTIONS.only or node in stack.OPTIONS.only.split(",")]
        self.deck = []
        while len(self.deck) < stack.OPTIONS.kills:
            hand = chosen[:]
            self.dice.shuffle(hand)
            self.deck += hand
        self.deck = self.deck[:stack.OPTIONS.kills][::-1]
        # Seconds from each kill until it was back, and how many of them the machine gave.
        self.times = {node: [] for node in chosen}
        self.given = {node: [] for node in chosen}
        self.faults, self.drives, self.seen, self.missing, self.counted = [], 0, 0, 0, 0
        self.file = stack_file()
        self.broker_killed = 0.0

    def run(self):
        barren = 0
        while self.deck and barren < 3:
            before = len(self.deck)
            self.drive()
            barren = barren + 1 if len(self.deck) == before else 0
            print(f"-- {self.drives} drives, {len(self.deck)} kills to go", flush=True)
        if self.deck:
            self.faults.append(f"{len(self.deck)} kills could not be done")

    def drive(self):
        self.drives += 1
        label = f"killed-{stack.OPTIONS.seed}-{self.drives}"
        with stack.Stack(label, file=self.file, rate=stack.OPTIONS.rate) as run:
            ear, pulse, census = stack.Ear(run), Pulse(run.base), Census(run.base)
            victims = []
            faults = []
            try:
                if not ear.wait(lambda record: record.progress >= FIRST_PROGRESS, PATIENCE_S, run):
                    faults.append("the drive did not begin")
                witnesses = [Witness(run, 20)]
                while self.deck and not faults and not ear.record.arrivals:
                    if not witnesses[-1].reader.is_alive():
                        witnesses.append(Witness(run, 20))
                    victim = self.next_victim()
                    if victim is None:  # the broker alone is left, and too young
                        ear.wait(lambda record: record.arrivals, 1, run)
                        continue
                    if len(victims) == MOST_KILLS:
                        self.deck.append(victim)
                        faults.append(f"no arrival after {MOST_KILLS} kills: {ear.record.progress} progress events")
                        break
                    victims.append(victim)
                    faults += self.kill(victim, run, ear, pulse, census)
                if not faults and not ear.wait(lambda record: record.arrivals, 240, run):
                    if not hear_missed_arrival(ear, census):
                        faults.append("no arrival")
                for witness in witnesses:
                    seen, missing, counted = witness.end()
                    self.seen += seen
                    self.missing += missing
                    self.counted += counted or 0
                    # It may count more than shows here: that the last ones of a run are missing is told
                    # by their publisher, and no later message.
                    if counted is None or counted < missing:
                        faults.append(f"a reader missed {missing} numbers and counted {counted}")
                        heard = stack.LOGS / f"{label}.heard.jsonl"
                        heard.write_text("".join(witness.output), encoding="utf-8")
            finally:
                pulse.goes_on = False
                record = ear.end()
                census.close()
            faults.append(stack.faults(record, only=("arrival", "keys", "contract"), restarts=True))
            faults = [fault for fault in faults if fault]
            if faults:
                kept = stack.LOGS / f"{label}.faults.log"
                kept.write_text(run.output, encoding="utf-8")
                self.faults.append(f"{label} (killed {', '.join(victims)}): {'; '.join(faults)}")
                print(f"   {self.faults[-1]}", flush=True)
            run.log.unlink(missing_ok=True)

    def next_victim(self):
        """The next of the deck; the broker not so often that five kills within a minute end the stack."""
        for place in range(len(self.deck) - 1, -1, -1):
            if self.deck[place] != "bus" or time.monotonic() - self.broker_killed > 16:
                return self.deck.pop(place)
        return None

    def kill(self, node, run, ear, pulse, census):
        """Kills at the next moment; what went wrong."""
        moment = pulse.now_ns + int(self.dice.uniform(3, 30) * 1e9)
        ear.wait(lambda record: pulse.now_ns >= moment or record.arrivals, PATIENCE_S, run)
        pid = run.pid_of(PROGRAMS[node])
        if pid is None:
            return [f"{node} does not run"]
        old_run = pulse.run_of(node)
        bus_run, names = census.run_and_nodes(2_000)
        if node == "bus" and not bus_run:
            return ["the broker does not answer"]
        killed, overslept = time.monotonic(), self.sleeper.overslept_s
        if node == "bus":
            self.broker_killed = killed
        os.kill(pid, signal.SIGKILL)
        asked = killed
        while True:
            at = self.back_at(node, killed, old_run, bus_run, names, pulse, census)
            has_arrived = bool(ear.record.arrivals)
            if at is not None:
                break
            # Whatever flows with the fixes may have ended with the drive.
            if has_arrived and run.pid_of(PROGRAMS[node]) not in (None, pid):
                return []
            if time.monotonic() - asked > 2:
                asked = time.monotonic()
                hear_missed_arrival(ear, census)
            if time.monotonic() - killed > PATIENCE_S or run.process.poll() is not None:
                return [f"{node} was not back in step after {PATIENCE_S} s"]
            time.sleep(0.005)
        self.times[node].append(at - killed)
        # The sleeper is asked a little later than `at`; what it overslept since is of no matter.
        self.given[node].append(at - killed - min(self.sleeper.overslept_s - overslept, at - killed))
        return []

    @staticmethod
    def back_at(node, killed, old_run, bus_run, names, pulse, census):
        """When a killed process was back in step; None where it is not yet."""
        if node == "bus":
            # What was on its way to us comes a little later than its broker's death.
            if None in [pulse.flows_at(leaf, killed + 0.05) for leaf in FLOWS.values()]:
                return None
            new_run, here = census.run_and_nodes()
            return time.monotonic() if new_run > bus_run and names <= here else None
        moments = [pulse.ready_at(node, old_run)]
        if node in FLOWS:
            moments.append(pulse.flows_at(FLOWS[node], killed, old_run))
        return None if None in moments else max(moments)


def stack_file():
    """The demo, whose processes may die as often as we like."""
    text = stack.DEMO.read_text(encoding="utf-8")
    text = text.replace("../.cache/", "").replace("demo-traffic.json", "../Launch/demo-traffic.json")
    policy = "{on: failure, first: 50ms, max: 50ms, give_up: {times: 1000, within: 60s}}"
    path = stack.ROOT / ".cache/killed.yaml"
    path.write_text(text.replace("\nnodes:", f"\ndefaults: {{restart: {policy}}}\n\nnodes:", 1),
                    encoding="utf-8")
    return path


def quantile(times, share):
    return sorted(times)[min(len(times) - 1, int(share * len(times)))]


def judge_times(killer, results, nodes, what):
    """Whether these were back in step in time at each kill, by the seconds that the machine gave."""
    late = [f"{node} after {given:.2f} s ({time_s:.2f} by the clock on the wall)"
            for node in nodes for given, time_s in zip(killer.given[node], killer.times[node])
            if given > stack.OPTIONS.within]
    count = sum(len(killer.given[node]) for node in nodes)
    if count:
        longest = max(given for node in nodes for given in killer.given[node])
        results.add(not late, f"{what} within {stack.OPTIONS.within:g} s, {count} times, {longest:.2f} s at most", "; ".join(late))


def test_each_killed_process_is_back_in_step_within_a_second__BUS_6(killer, results):
    """From the kill until its successor is ready and what it says flows again, at the worst of all kills."""
    judge_times(killer, results, list(killer.given), "each killed process is back in step")


def test_a_killed_navigator_is_back_within_a_second__PR_11(killer, results):
    """From the kill until its successor is ready and its first progress is heard, at the worst of all kills."""
    judge_times(killer, results, [node for node in killer.given if node == "navigator"], "a killed navigator guides on")


def main():
    stack.options(__doc__, rate=10.0, only="", kills=18, seed=1, within=1.0)
    results = stack.Results()
    begin = time.monotonic()
    with Sleeper() as sleeper:
        killer = Killer(sleeper)
        killer.run()
    done = sum(map(len, killer.times.values()))
    for node, times in killer.times.items():
        if times:
            print(f"   {node}: {len(times)} kills, back in step after p50 {statistics.median(times):.2f} s, "
                  f"p99 {quantile(times, 0.99):.2f} s, max {max(times):.2f} s ({max(killer.given[node]):.2f} s given)",
                  flush=True)
    load = os.getloadavg()[1]
    print(f"   seed {stack.OPTIONS.seed}, {killer.drives} drives in {time.monotonic() - begin:.0f} s, "
          f"load {load:.1f} on {os.cpu_count()} cores", flush=True)
    what = (f"{done} kills -9 in {killer.drives} drives: all back in step, all arrived, nothing said twice, "
            f"{killer.missing} numbers missing among {killer.seen} messages of a reader, which counted {killer.counted}")
    results.add(not killer.faults, what, "; ".join(killer.faults))
    test_each_killed_process_is_back_in_step_within_a_second__BUS_6(killer, results)
    test_a_killed_navigator_is_back_within_a_second__PR_11(killer, results)
    results.end()


if __name__ == "__main__":
    main()
