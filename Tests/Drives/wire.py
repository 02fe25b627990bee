"""Other names on the bus: a second matcher runs beside the first, on a receiver of another name, and says the same.

The file tells it with `wire`; the programs know nothing of it.
"""

import json
import pathlib
import tempfile
import threading
import time

import msgpack
import zmq

import stack  # first: it tells where ours are
import navstack

SECOND = """
  second:
    run: nav-map-matcher
    wire:
      location/raw: gps/fix
      location/matched: second/matched
      location/smoothed: second/smoothed
      location/interpolated: second/interpolated
      match/trace: second/trace
      location/interpolate: second/interpolate
external: [gps/fix]
"""


class Relay(threading.Thread):
    """A receiver of another make: gives each fix again as `gps/fix`, and keeps what both matchers say."""

    def __init__(self, base):
        super().__init__(daemon=True)
        self.base, self.goes_on = base, True
        self.fixes, self.said, self.schemas, self.causes = {}, {"location/matched": {}, "second/matched": {}}, set(), set()
        self.start()

    def run(self):
        header_of_all = {"src": "gps", "run": time.time_ns() // 1_000, "schema": "location_raw/1.0", "class": "stream"}
        with zmq.Context.instance().socket(zmq.SUB) as socket, zmq.Context.instance().socket(zmq.PUSH) as publisher:
            publisher.setsockopt(zmq.LINGER, 0)
            publisher.connect(navstack.endpoints(self.base)[0])
            for leaf in ("location/raw", *self.said):
                socket.subscribe(f"ego/{leaf}".encode())
            socket.connect(navstack.endpoints(self.base)[1])
            while self.goes_on:
                if not socket.poll(100):
                    continue
                topic, header, body = socket.recv_multipart()
                leaf, header, payload = topic.decode().split("/", 1)[1], msgpack.unpackb(header), msgpack.unpackb(body)
                if leaf == "location/raw":
                    own = {**header_of_all, "seq": header["seq"], "stamp": header["stamp"]}
                    publisher.send_multipart([b"ego/gps/fix", msgpack.packb(own), body])
                elif not payload["estimated"]:
                    self.said[leaf][header["stamp"]] = payload["segment"] and payload["segment"]["way"]
                    if leaf == "second/matched":
                        self.schemas.add(header["schema"])
                        self.causes.add(header["cause"][0])

    def end(self):
        self.goes_on = False
        self.join()


def stack_file(folder):
    """The demo with a second matcher."""
    text = stack.DEMO.read_text(encoding="utf-8").replace("\nstart:", SECOND + "\nstart:")
    text = text.replace("../.cache", f"{stack.ROOT}/.cache").replace("demo-traffic.json", f"{stack.ROOT}/Launch/demo-traffic.json")
    file = pathlib.Path(folder) / "wire.yaml"
    file.write_text(text, encoding="utf-8")
    return file


def test_a_second_matcher_runs_beside_the_first__BUS_1(results, file):
    with stack.Stack("wire", file=file, rate=2) as run:
        ear = stack.Ear(run)
        relay = None
        if ear.wait(lambda record: record.progress > 5, 60, run):
            relay = Relay(run.base)
            deadline = time.monotonic() + 90
            while len(relay.said["second/matched"]) < 60 and time.monotonic() < deadline:
                time.sleep(0.1)
            relay.end()
        _, out, _ = stack.run("nav", "graph", "--stack", "demo", XDG_RUNTIME_DIR=run.folder)
        ear.end()
    if relay is None:
        return results.add(False, "a second matcher runs beside the first, BUS-1", run.output[-600:], run.log)
    first, second = relay.said["location/matched"], relay.said["second/matched"]
    # It begins in the middle of the drive: some fixes until it is sure.
    both = sorted(set(first) & set(second))[10:]
    differ = [stamp for stamp in both if first[stamp] != second[stamp]]
    results.add(len(both) >= 20 and len(differ) <= len(both) / 20 and relay.schemas == {navstack.TOPICS["location/matched"]["schema"]} and relay.causes == {"gps/fix"},
                f"a second matcher under other names says what the first says, of {len(both)} fixes {len(differ)} otherwise, BUS-1",
                f"{len(first)} and {len(second)}; {relay.schemas} {relay.causes}", run.log)
    results.add("second/matched" in out and "gps/fix" in out, "nav graph shows the names on the bus, BUS-1", out[-600:])
    return None


def test_wires_are_checked_and_shown_before_a_start__BUS_1(results, file):
    code, out, errors = stack.run("navlaunch", "--print", file)
    results.add(code == 0 and "location/matched: second/matched" in out, "navlaunch --print shows the wires, BUS-1", out + errors)
    code, out, errors = stack.run("nav", "graph", file, "--json")
    lines = [json.loads(line) for line in out.splitlines()]
    written = [line for line in lines if line.get("name") == "second/matched"]
    results.add(code == 0 and written and written[0]["from"] == ["second"], "nav graph of a file shows the names on the bus, BUS-1",
                out[-400:] + errors[-400:])
    text = file.read_text(encoding="utf-8")
    wrong = file.with_name("wrong.yaml")
    wrong.write_text(text.replace("location/raw: gps/fix", "location/rav: gps/fix"), encoding="utf-8")
    line = 1 + [at for at, words in enumerate(wrong.read_text(encoding="utf-8").splitlines()) if "location/rav" in words][0]
    code, out, errors = stack.run("navlaunch", wrong)
    results.add(code == 2 and f"wrong.yaml:{line}:7: error: nodes.second.wire: nav-map-matcher neither reads" in out + errors
                and 'did you mean "location/raw"?' in out + errors,
                "a wire that leads nowhere is refused by line and column, BUS-1", (out + errors)[-500:])


def main():
    stack.options(__doc__)
    results = stack.Results()
    with tempfile.TemporaryDirectory() as folder:
        file = stack_file(folder)
        test_wires_are_checked_and_shown_before_a_start__BUS_1(results, file)
        test_a_second_matcher_runs_beside_the_first__BUS_1(results, file)
    results.end()


if __name__ == "__main__":
    main()
