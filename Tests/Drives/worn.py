"""A stack that loses a process every few seconds: nothing is left over, and nothing grows.

    worn.py                  a minute
    worn.py --minutes 60     an hour

Each process in turn is killed with -9 while the demo drives at the pace of life. Judged are the memory
of the launcher and of the broker, the pauses before restarts, and what is left when the stack has ended.
"""

import os
import pathlib
import re
import signal
import time

import stack

PROGRAMS = ["nav-location-provider", "nav-map-matcher", "nav-router", "nav-navigator",
            "nav-dynamic-routing", "nav-traffic", "nav-voice-guidance", "nav-renderer"]
# What a process may grow by in a run, whatever it has seen: pages that came to be used, not leaks.
GRAIN_BYTES = 2 << 20
GROWTH_BYTES_PER_S = 5 * (1 << 20) / 3600


def memory(pid):
    """Resident bytes of a process."""
    with open(f"/proc/{pid}/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def left_over(run):
    """Processes that have the stack's folder in their environment."""
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        if not entry.name.isdigit() or int(entry.name) == os.getpid():
            continue
        try:
            if run.folder.encode() in (entry / "environ").read_bytes():
                found.append((entry / "cmdline").read_bytes().split(b"\0")[0].decode())
        except OSError:
            continue
    return found


def main():
    stack.options(__doc__, minutes=1.0, every=5.0, rate=1.0)
    results = stack.Results()
    seconds = stack.OPTIONS.minutes * 60
    with stack.Stack("worn", rate=stack.OPTIONS.rate) as run:
        ear = stack.Ear(run)
        results.add(ear.wait(lambda record: record.progress >= 5, 120, run), "the drive begins", "it does not", None)
        pids = {"navlaunch": run.process.pid, "nav-bus": run.pid_of("nav-bus")}
        begin, kills, slow, settled = time.monotonic(), 0, [], None
        while time.monotonic() - begin < seconds and run.process.poll() is None:
            program = PROGRAMS[kills % len(PROGRAMS)]
            pid = run.pid_of(program)
            if pid is not None:
                os.kill(pid, signal.SIGKILL)
                kills += 1
                # The longest pause is 30 s, and a fifth of it.
                if not stack.eventually(lambda: run.pid_of(program) not in (None, pid), 60):
                    slow.append(f"{program} was not there a minute later")
            # The first third of the time is for what is allocated once.
            if settled is None and time.monotonic() - begin > seconds / 3:
                settled = (time.monotonic(), {name: memory(pid) for name, pid in pids.items()})
            stack.eventually(lambda: run.process.poll() is not None, stack.OPTIONS.every)
        last = {name: memory(pid) for name, pid in pids.items() if run.process.poll() is None}
        results.add(not slow and run.process.poll() is None,
                    f"{kills} kills in {seconds / 60:.0f} min: each process started again", "; ".join(slow) or "the launcher ended")
        for name, now in last.items():
            since, before = settled[0], settled[1][name]
            allowed = max(GRAIN_BYTES, (time.monotonic() - since) * GROWTH_BYTES_PER_S)
            figures = f"{before / 2**20:.1f} to {now / 2**20:.1f} MiB in {time.monotonic() - since:.0f} s"
            results.add(now - before <= allowed, f"{name} does not grow: {figures}", figures)
        pauses = [float(pause) for pause in re.findall(r"restart \d+ in ([0-9.]+) s", run.output)]
        results.add(all(pause <= 36 for pause in pauses), f"{len(pauses)} restarts with a pause, none over 36 s",
                    f"pauses of {sorted(pauses)[-3:]} s")
        ear.end()
        run.stop()
        # Children notice the end of their launcher by themselves.
        stack.eventually(lambda: not left_over(run), 5)
        orphans = left_over(run)
        results.add(not orphans, "nothing is left over when the stack has ended", ", ".join(orphans), run.log)
    results.end()


if __name__ == "__main__":
    main()
