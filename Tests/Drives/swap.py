"""Stages are swapped while they work, and scaled, and nothing is lost.

Every stage of the running demo is replaced in the middle of the drive; one stage is replaced again
and again under load; what cannot take over changes nothing; replicas come and go.
"""

import os
import pathlib
import signal
import sys
import threading
import time

import stack  # first: it tells where ours are
import load
import navstack

NODES = {
    "matcher": "nav-map-matcher", "router": "nav-router", "navigator": "nav-navigator",
    "poller": "nav-dynamic-routing", "traffic": "nav-traffic", "voice": "nav-voice-guidance",
    "renderer": "nav-renderer", "location": "nav-location-provider",
}


def swap(run, node, program, **more):
    """A swap by call: (reply, error) of which one is None."""
    request = {"node": node, "run": str(program), "args": [], "params": {}, **more}
    try:
        return navstack.call(run.base, "stack/swap", request, timeout_s=60), None
    except navstack.CallError as error:
        return None, error


def swap_in_drive(results):
    """Each stage of the demo in turn, a few locations apart."""
    what = f"hot swap of {len(NODES)} stages in one drive: it arrives, nothing is told twice or missing"
    with stack.Stack("swap-drive", rate=stack.OPTIONS.rate) as run:
        ear, why, held = stack.Ear(run), [], {}
        for index, (node, program) in enumerate(NODES.items()):
            moment = 40 + 25 * index
            if not ear.wait(lambda record, moment=moment: record.progress >= moment, 90, run):
                why.append(f"{ear.record.progress} locations on the route before the swap of {node}")
                break
            code, text = load.nav(run, "swap", node, "--run", stack.OPTIONS.programs / program)
            if code != 0 or "lost 0" not in text:
                why.append(f"{node}: exit {code}, {text}")
            else:
                held[node] = text.split("held ", 1)[1].split(",", 1)[0]
        if not ear.wait(lambda record: record.arrivals, 150, run):
            why.append("no arrival within 150 s")
        record = ear.end()
        why.append(stack.faults(record, restarts=True))
        why = "; ".join(reason for reason in why if reason)
        print("  held: " + ", ".join(f"{node} {time}" for node, time in held.items()), flush=True)
        results.add(not why, what, why, run.log)


def move_fleet(results, vehicles, rate):
    """So many vehicles that their state goes over in parts: a swap, and one replica to two and back."""
    what = f"{vehicles} vehicles go over to another program, and to two processes and back, in parts"
    run, fixes, answers = load.loaded_stack("swap-fleet", replicas=1, rate=rate, vehicles=vehicles)
    with run:
        why, idle_s = [], 3 * vehicles / rate
        load.until(lambda: min((len(times) for times in list(answers.times.values())), default=0) >= 8
                   and len(answers.times) == vehicles, 60)
        answers.longest_silence()
        time.sleep(idle_s)
        idle = answers.longest_silence()
        reply, error = swap(run, "matcher", stack.OPTIONS.programs / "nav-map-matcher")
        if error:
            why.append(f"swap: {error}")
        else:
            print(f"  swap: {reply['handovers'][0]['state_bytes']} bytes of state, a slot's input held "
                  f"{reply['handovers'][0]['held_ms']:.0f} ms at most", flush=True)
        for count in (2, 1):
            code, text = load.nav(run, "scale", "matcher", count)
            print(f"  {text}", flush=True)
            if code != 0 or "moved in 1 handovers" in text:
                why.append(f"scale to {count}: exit {code}, {text}")
        longest = answers.longest_silence()
        print(f"  longest silence of a vehicle {longest:.2f} s, and {idle:.2f} s while nothing moved; load "
              f"{os.getloadavg()[0]:.1f}", flush=True)
        fixes.end()
        why += filter(None, [answers.faults(fixes)])
        if longest > idle + 1.2:
            why.append(f"a vehicle was silent for {longest:.2f} s")
        restarts = [process["restarts"] for process in load.processes(run)]
        if any(restarts):
            why.append(f"restarts {restarts}")
        answers.end()
        results.add(not why, what, "; ".join(why), run.log)


def fail_in_parts(results, vehicles, rate):
    """Standbys that fail when they have some of the vehicles: these are the old process's again."""
    real = stack.OPTIONS.programs / "nav-map-matcher"
    standby = f"{sys.executable} {pathlib.Path(__file__).with_name('bad_standby.py')}"
    run, fixes, answers = load.loaded_stack("swap-parts", rate=rate, vehicles=vehicles)
    with run:
        load.until(lambda: min((len(times) for times in list(answers.times.values())), default=0) >= 8
                   and len(answers.times) == vehicles, 60)
        before = [process["pid"] for process in load.processes(run)]
        for number in range(stack.OPTIONS.failures):
            mode, parts = ("crash", "refuse", "crash")[number % 3], 1 + 2 * (number % 4)
            reply, error = swap(run, "matcher", f"{standby} {mode}:{parts} {real}")
            failed = time.monotonic()
            why = f"it was swapped: {reply}" if error is None else ""
            heard = {vehicle: len(times) for vehicle, times in list(answers.times.items())}
            load.until(lambda heard=heard: all(len(answers.times[vehicle]) > count for vehicle, count in heard.items()), 10)
            seconds = time.monotonic() - failed
            if seconds > 1 + vehicles / rate:
                why += f"; the last vehicle was matched again after {seconds:.1f} s"
            if [process["pid"] for process in load.processes(run)] != before:
                why += f"; the processes are not those of before: {load.processes(run)}"
            code, text = load.nav(run, "why", "matcher")
            if "stack/swap: matcher was not handed over" not in text:
                why += f"; nav why names no failed order: exit {code}, {text}"
            results.add(not why, f"a standby that does \"{mode}\" after {parts} parts leaves the old process with all vehicles, "
                        f"matched again after {seconds:.1f} s", why)
        fixes.end()
        answers.end()


def count_losses(results, vehicles, rate):
    """A matcher that is killed reports the fixes that nobody matched, in one line."""
    run, fixes, answers = load.loaded_stack("swap-losses", rate=rate, vehicles=vehicles)
    with run:
        load.until(lambda: sum(fixes.sent.values()) > 2 * rate, 30)
        victim = load.processes(run)[1]["pid"]
        os.kill(victim, signal.SIGKILL)
        load.until(lambda: any(process["state"] == "ready" and process.get("pid") not in (None, victim)
                               for process in load.processes(run)[1:]), 30)
        goal = sum(fixes.sent.values()) + 3 * rate + 2 * vehicles
        load.until(lambda: sum(fixes.sent.values()) > goal, 60)
        fixes.end()
        time.sleep(2)
        missing, lost = answers.missing(fixes), load.processes(run)[1]["lost"]
        answers.end()
        lines = sum("messages" in line and " lost" in line for line in run.output.splitlines())
        why = "" if missing and abs(lost - missing) <= max(1, 0.01 * missing) else f"{missing} fixes have no match, {lost} are reported"
        if not 1 <= lines <= 2:
            why += f"; {lines} lines in the log"
        results.add(not why, f"a matcher that is killed at {rate} fixes/s reports the {missing} fixes without a match: {lost}", why, run.log)


def share(values, part):
    return sorted(values)[min(len(values) - 1, int(len(values) * part))]


def swap_under_load(results, count, rate):
    what = f"{count} hot swaps under {rate} messages/s: nothing lost, doubled or out of order"
    run, fixes, answers = load.loaded_stack("swap-load", rate=rate, vehicles=stack.OPTIONS.vehicles)
    with run:
        held, states, why = [], [], ""
        load.until(lambda: sum(fixes.sent.values()) > rate, 30)
        for number in range(count):
            reply, error = swap(run, "matcher", stack.OPTIONS.programs / "nav-map-matcher")
            if error:
                why = f"swap {number + 1}: {error}"
                break
            held += [handover["held_ms"] for handover in reply["handovers"]]
            states += [handover["state_bytes"] for handover in reply["handovers"]]
        fixes.end()
        why = "; ".join(filter(None, [why, answers.faults(fixes)]))
        answers.end()
        if held:
            print(f"  {sum(fixes.sent.values())} messages of {stack.OPTIONS.vehicles} vehicles; {max(states)} bytes of state; "
                  f"input held p50 {share(held, .5):.1f} ms, p99 {share(held, .99):.1f} ms, most {max(held):.1f} ms", flush=True)
        results.add(not why, what, why, run.log)
        results.add(not held or share(held, .99) < stack.OPTIONS.hold, f"input was held less than {stack.OPTIONS.hold} ms",
                    f"p99 is {share(held, .99):.1f} ms" if held else "")


def script(name, text):
    """A program that says of itself what the matcher says, and then does what `text` says."""
    path = stack.LOGS / f"{name}.sh"
    real = stack.OPTIONS.programs / "nav-map-matcher"
    path.write_text(f'#!/bin/sh\nfor word; do [ "$word" = --describe ] && exec {real} --describe; done\n{text}\n',
                    encoding="utf-8")
    path.chmod(0o755)
    return path


def bad_swaps():
    """Ten ways not to take over: what is wrong, the program, and what the answer says."""
    real = stack.OPTIONS.programs / "nav-map-matcher"
    standby = f"{sys.executable} {pathlib.Path(__file__).with_name('bad_standby.py')}"
    return [
        ("a program that is not there", "/nowhere/matcher", {}, "no program"),
        ("a program that says nothing of itself", "/bin/false", {}, "no manifest"),
        ("another stage", stack.OPTIONS.programs / "nav-voice-guidance", {}, "not compatible with"),
        ("an unknown parameter", real, {"params": {"max_snap": "3"}}, "unknown key"),
        ("a program that dies at its start", script("dies", "echo no luck >&2; exit 3"), {}, "exit 3: no luck"),
        ("a program that is never ready", script("sleeps", "exec sleep 1000"), {}, "not ready within"),
        ("a program that dies when it takes over", f"{standby} crash {real}", {}, "not handed over"),
        ("a program that refuses the state", f"{standby} refuse {real}", {}, "cannot read that"),
        ("a program that never takes over", f"{standby} silent {real}", {}, "not handed over"),
        ("a program that is killed in the middle", real, {"shadow_s": 60.0},
         # Whoever learns of it first: the broker, or the launcher.
         ("disconnected (gone)", "disconnected before it started (gone)", "ended before it took over: SIGKILL")),
    ]


def kill_standby(run):
    """Waits for a standby that is ready, and kills it."""
    ready = []

    def find():
        ready[:] = [process["pid"] for process in load.processes(run)
                    if process["role"] == "standby" and process["state"] == "ready"]
        return ready

    if load.until(find, 20):
        os.kill(ready[0], signal.SIGKILL)


def fail_swaps(results):
    run, fixes, answers = load.loaded_stack("swap-fails", rate=stack.OPTIONS.load, ready="8s")
    with run:
        load.until(lambda: sum(fixes.sent.values()) > 1000, 30)
        before = [process["pid"] for process in load.processes(run)]
        for name, program, more, expected in bad_swaps():
            killer = threading.Thread(target=kill_standby, args=(run,))
            if more.get("shadow_s"):
                killer.start()
            reply, error = swap(run, "matcher", program, **more)
            why = f"it was swapped: {reply}" if error is None else ""
            words = (expected,) if isinstance(expected, str) else expected
            if error is not None and not any(some in str(error) for some in words):
                why = f"the answer says none of {words}: {error}"
            after = load.until(lambda: [process["pid"] for process in load.processes(run)] == before, 10)
            if not after:
                why += f"; the processes are not those of before: {load.processes(run)}"
            if more.get("shadow_s"):
                killer.join()
            results.add(not why, f"{name} is not swapped in, and the old one goes on", why)
        fixes.end()
        why = answers.faults(fixes)
        answers.end()
        results.add(not why, f"{sum(fixes.sent.values())} messages meanwhile: nothing lost, doubled or out of order",
                    why, run.log)


def scale(results):
    what = "replicas 4, 6, 3 under load of 200 vehicles: nothing lost, doubled or out of order"
    run, fixes, answers = load.loaded_stack("swap-scale", replicas=4, rate=stack.OPTIONS.load)
    with run:
        why = []
        load.until(lambda: sum(fixes.sent.values()) > stack.OPTIONS.load, 30)
        for count in (6, 3):
            for _ in range(3):
                code, text = load.nav(run, "scale", "matcher", count)
                print(f"  {text}", flush=True)
                # On a machine that is busy with other things a move may be late; then all is as it was.
                if "in time" not in text:
                    break
            if code != 0:
                why.append(f"scale to {count}: exit {code}, {text}")
            if not load.until(lambda count=count: len(load.processes(run)) == count + 1, 10):
                why.append(f"{len(load.processes(run)) - 1} replicas instead of {count}")
            goal = sum(fixes.sent.values()) + stack.OPTIONS.load
            load.until(lambda goal=goal: sum(fixes.sent.values()) > goal, 30)
        reply, error = swap(run, "matcher", stack.OPTIONS.programs / "nav-map-matcher")
        if error or len(reply["handovers"]) != 3:
            why.append(f"a swap of all replicas: {error or reply}")
        fixes.end()
        why = "; ".join(filter(None, [*why, answers.faults(fixes)]))
        answers.end()
        print("  " + ", ".join(f"{name} {count}" for name, count in sorted(answers.sources.items())), flush=True)
        results.add(not why, what, why)
        kill_launcher(results, run)


def kill_launcher(results, run):
    """With replicas and a standby of each: nothing is left, and the next start is free."""
    order = threading.Thread(target=swap, args=(run, "matcher", stack.OPTIONS.programs / "nav-map-matcher"),
                             kwargs={"shadow_s": 60.0}, daemon=True)
    order.start()
    load.until(lambda: sum(process["role"] == "standby" and process["state"] == "ready"
                           for process in load.processes(run)) == 3, 30)
    pids = [process["pid"] for process in load.processes(run)]
    run.process.kill()
    begin = time.monotonic()
    gone = load.until(lambda: not any(map(load.is_alive, pids)), 10)
    seconds = time.monotonic() - begin
    why = "" if gone and seconds < 2.5 else f"{sum(map(load.is_alive, pids))} of {len(pids)} are there after {seconds:.1f} s"
    folder = pathlib.Path(run.folder) / "navstack/load"
    if not load.until(lambda: not folder.exists(), 5):
        why += f"; {folder} is left: {sorted(path.name for path in folder.iterdir())}"
    results.add(not why and len(pids) >= 7, f"kill -9 of the launcher: {len(pids)} processes, standbys among them, are gone",
                why or f"{len(pids)} processes", run.log)


def order_nodes(results):
    """`nav node restart|stop|start|log`, and orders that cannot be carried out."""
    wanted = [
        (["node", "restart", "matcher.1"], 0, "matcher.1  ready"), (["node", "stop", "matcher.0"], 0, "matcher.0  stopped"),
        (["swap", "matcher", "--run", "nav-map-matcher"], 1, "matcher.0 is stopped"),
        (["node", "start", "matcher.0"], 0, "matcher.0  ready"), (["node", "output", "matcher.0"], 0, "stopped on request"),
        (["node", "restart", "nobody"], 1, 'no node "nobody"'), (["scale", "matcher", 64], 1, "not from 1 to 62"),
        (["swap", "bus", "--run", "nav-bus"], 1, "cannot be swapped"),
        (["swap", "matcher", "--run", "nav-map-matcher", "--dry-run"], 0, "it is compatible"),
        (["swap", "matcher.1", "--run", "nav-map-matcher", "--json"], 0, '"process":"matcher.1"'),
        (["swap", "matcher", "--run", "x", "--bus", "ipc:///nowhere"], 2, "no broker answers"),
    ]
    run, fixes, answers = load.loaded_stack("swap-nodes", rate=100, vehicles=10, replicas=2)
    with run:
        for words, code, text in wanted:
            found, said = load.nav(run, *words)
            results.add(found == code and text in said, f"nav {' '.join(map(str, words))}: exit {code}, \"{text}\"",
                        f"exit {found}, {said}")
        fixes.end()
        answers.end()
    run.log.unlink(missing_ok=True)


def main():
    stack.options(__doc__, rate=8.0, swaps=10, load=2000, hold=1000.0, vehicles=200, only="", fleet=1000, failures=4)
    results = stack.Results()
    fleet, rate = stack.OPTIONS.fleet, stack.OPTIONS.load
    tests = {"fleet": lambda results: move_fleet(results, fleet, rate),
             "parts": lambda results: fail_in_parts(results, fleet, rate),
             "losses": lambda results: count_losses(results, fleet, rate), "drive": swap_in_drive, "fail": fail_swaps, "scale": scale, "nodes": order_nodes,
             "load": lambda results: swap_under_load(results, stack.OPTIONS.swaps, stack.OPTIONS.load)}
    for name, test in tests.items():
        if not stack.OPTIONS.only or name in stack.OPTIONS.only.split(","):
            test(results)
    results.end()


if __name__ == "__main__":
    main()
