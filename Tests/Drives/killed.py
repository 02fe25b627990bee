"""kill -9 of each node in the middle of the demo: it is started again, and the drive arrives."""

import concurrent.futures
import os
import signal

import stack

# Each dies at another part of the way, counted in locations on the route.
NODES = {
    "location": ("nav-location-provider", 40), "matcher": ("nav-map-matcher", 90),
    "router": ("nav-router", 50), "navigator": ("nav-navigator", 120),
    "poller": ("nav-dynamic-routing", 30), "traffic": ("nav-traffic", 100),
    "voice": ("nav-voice-guidance", 80), "renderer": ("nav-renderer", 60), "bus": ("nav-bus", 70),
}


def kill(results, node):
    program, moment = NODES[node]
    what = f"kill -9 of {node}: it starts again and the drive arrives"
    with stack.Stack(f"killed-{node}", rate=stack.OPTIONS.rate) as run:
        ear = stack.Ear(run)
        if not ear.wait(lambda record: record.progress >= moment, 60, run):
            results.add(False, what, f"{ear.record.progress} locations on the route in a minute", run.log)
            return
        pid = run.pid_of(program)
        if pid is None:
            results.add(False, what, f"{program} does not run", run.log)
            return
        os.kill(pid, signal.SIGKILL)
        has_arrived = ear.wait(lambda record: record.arrivals, 150, run)
        again = run.pid_of(program)
        record = ear.end()
        why = []
        if again in (None, pid):
            why.append("it was not started again")
        if not has_arrived:
            why.append("no arrival within 150 s")
        # Nothing is said or told twice, and what is missing is counted.
        why.append(stack.faults(record, only=("arrival", "keys", "contract"), restarts=True))
        why = "; ".join(reason for reason in why if reason)
        results.add(not why, what, why, run.log)


def main():
    stack.options(__doc__, rate=12.0, only="")
    results = stack.Results()
    chosen = [node for node in NODES if not stack.OPTIONS.only or node in stack.OPTIONS.only.split(",")]
    with concurrent.futures.ThreadPoolExecutor(3) as pool:
        list(pool.map(lambda node: kill(results, node), chosen))
    results.end()


if __name__ == "__main__":
    main()
