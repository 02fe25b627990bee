"""The tools explain a stack: what is wrong is found where it began, and seen in table and graph.

The matcher of the running demo is stopped as a process (SIGSTOP) and goes on again (SIGCONT). The
watchdog is set so far off that nobody mends it meanwhile.
"""

import json
import os
import pathlib
import signal
import tempfile
import threading
import time

import msgpack
import zmq

import stack

NODES = ["location", "matcher", "navigator", "poller", "renderer", "router", "traffic", "voice"]
# A node looks at its inputs four times a second, and silence counts from one second.
DEGRADED_WITHIN_S = 2.0


class Statuses(threading.Thread):
    """What nodes say of themselves: (sent by the machine's clock, status), in order, by node."""

    def __init__(self, base):
        super().__init__(daemon=True)
        self.base, self.heard, self.goes_on = base, {}, True
        self.start()

    def run(self):
        socket = zmq.Context.instance().socket(zmq.SUB)
        socket.connect(self.base + "/out")
        socket.subscribe(b"_node/")
        while self.goes_on:
            if not socket.poll(50):
                continue
            topic, header, payload = socket.recv_multipart()
            node = topic.decode().split("/")[1]
            line = (msgpack.unpackb(header).get("wall", 0) / 1e9, msgpack.unpackb(payload))
            self.heard.setdefault(node, []).append(line)
        socket.close(0)

    def wait(self, node, condition, since=0.0, seconds=30):
        """The first status of a node, sent after `since`, that is as wanted; None where none comes."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            for sent, status in list(self.heard.get(node, [])):
                if sent > since and condition(status):
                    return sent, status
            time.sleep(0.02)
        return None


class Causes(threading.Thread):
    """What the vehicle's stages say, by topic: of whom each message is the answer, and how many name nobody."""

    SAID = ("guidance/", "route/", "location/matched", "voice/announcement")

    def __init__(self, base):
        super().__init__(daemon=True)
        self.base, self.named, self.nameless, self.goes_on = base, {}, [], True
        self.start()

    def run(self):
        socket = zmq.Context.instance().socket(zmq.SUB)
        socket.connect(self.base + "/out")
        socket.subscribe(b"ego/")
        while self.goes_on:
            if not socket.poll(50):
                continue
            topic, header, _ = socket.recv_multipart()
            leaf, header = topic.decode().split("/", 1)[1], msgpack.unpackb(header)
            if not leaf.startswith(self.SAID):
                continue
            if header.get("cause"):
                self.named.setdefault(leaf, set()).add(header["cause"][0])
            else:
                self.nameless.append((leaf, header))
        socket.close(0)


def test_each_message_says_what_it_answers__LOC_1(results, causes):
    wanted = {"location/matched": "location/raw", "guidance/progress": "location/matched",
              "guidance/maneuver": "_svc/route/calculate", "voice/announcement": "guidance/progress",
              "route/active": "_svc/route/calculate"}
    missing = {leaf: causes.named.get(leaf) for leaf, cause in wanted.items() if cause not in causes.named.get(leaf, ())}
    results.add(not causes.nameless and not missing,
                f"all that is said of {len(causes.named)} topics names the message, call or tick that it answers",
                f"nameless: {causes.nameless[:3]}; not heard: {missing}")


def demo_file(folder):
    """The demo with a watchdog that waits for a minute."""
    text = stack.DEMO.read_text(encoding="utf-8")
    text = text.replace("../.cache", str(stack.ROOT / ".cache"))
    text = text.replace("demo-traffic.json", str(stack.ROOT / "Launch/demo-traffic.json"))
    file = pathlib.Path(folder) / "demo.yaml"
    file.write_text(text.replace("\nnodes:\n", "\ndefaults: {watchdog: 60s}\n\nnodes:\n"), encoding="utf-8")
    return file


def nav(run, *words):
    code, out, errors = stack.run("nav", *words, "--bus", run.base, seconds=60)
    return code, out, out + errors


def while_well(results, run):
    code, _, text = nav(run, "why", "navigator")
    results.add(code == 0 and "no fault" in text, "nav why says of a node that is well that it is", text)
    code, _, text = nav(run, "why", "guidance/progress")
    chain = ["guidance/progress", "location/matched", "location/raw"]
    places = [text.find(f"caused by {name}" if name != chain[0] else name) for name in chain]
    is_chain = code == 0 and -1 not in places and places == sorted(places)
    results.add(is_chain, "nav why leads from guidance/progress back to the fix", text)
    code, out, text = nav(run, "graph", "--mermaid")
    lines = out.splitlines()
    names = {line.split("[")[0].strip(" ("): line.split('"')[1] for line in lines if '["' in line}
    arrows = set()
    for line in lines:
        if "|" in line and "style" not in line:
            left, label, right = line.split("|")
            ends = names.get(left.split()[0]), names.get(right.strip())
            arrows |= {(*ends, name) for name in label.strip('"').split("<br>")}
    wanted = {("location", "matcher", "location/raw"), ("matcher", "navigator", "location/matched"),
              ("navigator", "router", "route/calculate"), ("navigator", "voice", "guidance/warning")}
    is_graph = code == 0 and lines[0] == "flowchart LR" and wanted <= arrows
    results.add(is_graph, "nav graph --mermaid draws topics and calls",
                f"missing {wanted - arrows}: {text[:2000]}")
    code, out, text = nav(run, "top", "--once")
    rows = {line.split()[0]: line.split() for line in out.splitlines() if line.split()}
    is_table = code == 0 and all(name in rows for name in NODES + ["ego/location/raw"])
    is_table = is_table and "\x1b" not in out and float(rows["ego/location/raw"][2]) > 1
    results.add(is_table, "nav top --once shows all nodes and the rates of topics, without escapes", text)
    code, out, text = nav(run, "node", "info", "matcher")
    results.add(code == 0 and "location/raw" in out and " ok" in out, "nav node info tells each input's health", text)


def while_stopped(results, run, statuses, matcher):
    os.kill(matcher, signal.SIGSTOP)
    stopped = time.time()
    found = statuses.wait("navigator", lambda status: status["state"] == "degraded", since=stopped)
    took = found[0] - stopped if found else None
    why = found[1].get("why", "") if found else ""
    is_told = found is not None and took <= DEGRADED_WITHIN_S and "location/matched" in why
    results.add(is_told, f"the navigator is degraded within {DEGRADED_WITHIN_S} s of its input falling silent",
                f"after {took} s: {why}", run.log)
    if found:
        print(f"  degraded {took:.2f} s after the matcher was stopped: {why}")
    code, out, text = nav(run, "why", "navigator")
    marked = [line for line in out.splitlines() if "first deviation" in line]
    is_found = code == 1 and len(marked) == 1 and "matcher" in marked[0]
    results.add(is_found, "nav why navigator names the matcher as the first deviation", text)
    print("  " + "\n  ".join(out.splitlines()))
    code, out, text = nav(run, "why", "navigator", "--json")
    first = [step for step in json.loads(out)["steps"] if step["is_first_deviation"]] if out else []
    results.add(code == 1 and [step["node"] for step in first] == ["matcher"],
                "nav why --json names it for programs", text)
    code, out, text = nav(run, "top", "--once")
    rows = {line.split()[0]: line for line in out.splitlines() if line.split()}
    is_seen = "degraded" in rows.get("navigator", "") and "location/matched" in rows.get("navigator", "")
    is_seen = is_seen and any(word in rows.get("matcher", "") for word in ("silent", "gone"))
    results.add(code == 0 and is_seen, "nav top shows who is degraded, why, and who is silent", text)


def main():
    stack.options(__doc__)
    results = stack.Results()
    with tempfile.TemporaryDirectory() as folder:
        with stack.Stack("explain", file=demo_file(folder), rate=5) as run:
            ear, statuses, causes = stack.Ear(run), Statuses(run.base), Causes(run.base)
            if not ear.wait(lambda record: record.progress > 5, 90, run):
                results.add(False, "the demo drives", "no progress", run.log)
                results.end()
            while_well(results, run)
            matcher = run.pid_of("nav-map-matcher")
            try:
                while_stopped(results, run, statuses, matcher)
            finally:
                os.kill(matcher, signal.SIGCONT)
            resumed = time.time()
            found = statuses.wait("navigator", lambda status: status["state"] == "ready", since=resumed)
            results.add(found is not None, "it is ready again by itself when the matcher goes on", "still degraded",
                        run.log)
            if found:
                print(f"  ready again after {found[0] - resumed:.2f} s")
            alive = statuses.wait("matcher", lambda status: status["state"] == "ready", since=resumed)
            is_same = alive is not None and run.pid_of("nav-map-matcher") == matcher
            results.add(is_same, "nobody restarted the matcher for another's trouble", f"{alive}", run.log)
            test_each_message_says_what_it_answers__LOC_1(results, causes)
            statuses.goes_on = causes.goes_on = False
            ear.end()
        if not run.stop() and run.log.exists():
            run.log.unlink()
    results.end()


if __name__ == "__main__":
    main()
