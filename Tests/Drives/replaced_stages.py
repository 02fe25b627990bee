"""Each stage replaced by a program in Python: all of them in one stack, and three of them started by the user."""

import concurrent.futures
import os
import subprocess
import sys

import stack  # first: it adds the folder of the client
import navstack

EXAMPLES = stack.ROOT / "clients/python/examples"
NAMES = ("location", "matcher", "router", "navigator", "poller", "voice", "renderer")
OFFICE = {"lat_deg": 47.006, "lon_deg": 9.507}


def started(bus, destination):
    """The reply of `navigate/start`; asked again while there is no location yet."""
    reply = {}

    def ask():
        try:
            reply.update(bus.call("navigate/start", {"to": destination}))
        except navstack.CallError:
            return False
        return True

    stack.eventually(ask, 20)
    return reply


def states(bus, names):
    """The last status of each node, by name."""
    found = {}
    for message in bus.subscribe("_node/*", timeout_s=3):
        found[message.payload["node"]] = message.payload
        if set(names) <= set(found):
            break
    return found


def drive(bus, jam=None):
    """The messages of a drive, by topic, from `navigate/start` to the arrival; `jam` begins with the first maneuver."""
    seen = {}
    topics = ("location/raw", "location/matched", "route/active", "route/better", "guidance/progress", "guidance/maneuver",
              "guidance/arrival", "voice/announcement", "scene/frame")
    with bus.subscribe(*(f"ego/{topic}" for topic in topics), timeout_s=15) as subscription:
        subscription.wait_ready()
        started(bus, OFFICE)
        for message in subscription:
            seen.setdefault(message.name, []).append(message)
            if jam and message.name == "guidance/maneuver":
                bus.publish("ego/jam/begin", jam)
                jam = None
            if message.name == "guidance/arrival":
                break
        return seen, subscription.lost, dict(subscription.refused)


def test_every_stage_is_a_program_in_python__BUS_1(results):
    with stack.Stack("all-python", file=EXAMPLES / "all_stages.yaml", name="python", rate=None, port=None) as run:
        stack.eventually(lambda: "all ready" in run.output or run.process.poll() is not None, 40)
        with navstack.Bus(run.base) as bus:
            seen, lost, refused = drive(bus, jam={"lon_deg": 9.5})
            reasons = [message.payload["reason"] for message in seen.get("route/active", []) if message.payload.get("route")]
            arrivals = [message.payload["event"] for message in seen.get("guidance/arrival", [])]
            results.add(arrivals == ["destination_reached"], "a drive arrives with every stage in Python, BUS-1", f"{arrivals}")
            results.add(reasons == ["new", "better"], "the poller in Python proposes a faster route, and the navigator takes it", f"{reasons}")
            counts = {topic: len(messages) for topic, messages in seen.items()}
            results.add(counts.get("scene/frame", 0) > 20 and counts.get("voice/announcement", 0) >= 3 and not lost and not refused,
                        f"all topics flow: {counts}", f"lost {lost}, refused {refused}")
            causes = {message.name: message.header["cause"][0] for messages in seen.values() for message in messages if "cause" in message.header}
            results.add(causes.get("location/matched") == "location/raw" and causes.get("scene/frame") == "guidance/progress",
                        "each message names its cause", f"{causes}")
            restarts = {process["name"]: process["restarts"] for process in bus.call("stack/nodes")["processes"]}
            found = states(bus, NAMES)
            results.add(not any(restarts.values()) and set(NAMES) <= set(restarts), f"{len(restarts)} processes, no restart", f"{restarts}")
            bad = {name: status.get("why", status["state"]) for name, status in found.items() if status["state"] != "ready"}
            results.add(set(NAMES) <= set(found) and not bad, "each node reports that it is ready", f"{bad or sorted(found)}")
        code = run.stop()
        results.add(code == 0 and "SIGKILL" not in run.output, "SIGTERM ends each node in order", f"exit code {code}", run.log)


def test_stages_are_started_by_the_user__BUS_1(results):
    with stack.Stack("external-python", file=EXAMPLES / "external.yaml", name="external", rate=None, port=None) as run:
        stack.eventually(lambda: "all ready" in run.output or run.process.poll() is not None, 40)
        own = [subprocess.Popen([sys.executable, EXAMPLES / f"{name}.py"], env={**os.environ, "NAV_BUS": run.base})
               for name in ("location_provider", "navigator", "renderer")]
        try:
            with navstack.Bus(run.base) as bus:
                seen, lost, refused = drive(bus)
                results.add("guidance/arrival" in seen and "scene/frame" in seen and "voice/announcement" in seen and not lost and not refused,
                            "programs that the user starts take part in a stack, BUS-1",
                            f"{ {topic: len(messages) for topic, messages in seen.items()} }, lost {lost}, refused {refused}", run.log)
        finally:
            for process in own:
                process.terminate()
            codes = [process.wait(10) for process in own]
        results.add(codes == [0, 0, 0], "they end with 0 on SIGTERM", f"{codes}")


def main():
    stack.options(__doc__)
    results = stack.Results()
    tests = (test_every_stage_is_a_program_in_python__BUS_1, test_stages_are_started_by_the_user__BUS_1)
    with concurrent.futures.ThreadPoolExecutor() as pool:  # two stacks at the same time, each in a folder of its own
        for outcome in [pool.submit(stack.why_wrong, test, results, wrong=AssertionError) for test in tests]:
            if why := outcome.result():
                results.add(False, "the drives end", why)
    results.end()


if __name__ == "__main__":
    main()
