"""Lock-step: the demo says the same in one process and as processes, byte for byte, whatever the load.

`--runs 10` runs it as often as processes, every other time with both cores loaded; `--minutes 30` drives
so long.
"""

import contextlib
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time

import stack

BUSY = "while True: pass"


@contextlib.contextmanager
def busy(loops):
    """So many endless loops beside what is tested."""
    processes = [subprocess.Popen([sys.executable, "-c", BUSY]) for _ in range(loops)]
    try:
        yield
    finally:
        for process in processes:
            process.kill()
            process.wait()


def led(label, *words, file=stack.DEMO, name="demo", seconds=900):
    """Runs a stack in lock-step to its end: (exit code, what it printed, seconds)."""
    begin = time.monotonic()
    port = 0 if file == stack.DEMO else None
    with stack.Stack(label, "--lockstep", *words, file=file, name=name, rate=None, port=port) as running:
        code = running.wait(seconds)
        return code, running.output, time.monotonic() - begin


def drive(*words, file=stack.DEMO, seconds=900):
    return stack.run("nav", "drive", file, "--quiet", "--set", "renderer.port=0", *words, seconds=seconds) \
        if file == stack.DEMO else stack.run("nav", "drive", file, "--quiet", *words, seconds=seconds)


def last_lines(text):
    return " | ".join(text.strip().splitlines()[-6:])[:600]


def test_processes_say_what_one_process_says__BUS_7(results, folder, runs):
    """The demo in one process, then as processes, several times."""
    sheet, recording = folder / "memory.digest", folder / "memory.mcap"
    code, _, errors = drive("--digest", sheet, "--record", recording)
    if not results_of(results, code == 0, "the demo drives in one process", errors):
        results.end()
    text = sheet.read_text(encoding="utf-8")
    messages = sum(int(line.split()[2]) for line in text.splitlines())
    differing, took = [], []
    for number in range(runs):
        own = folder / f"processes-{number}.digest"
        with busy(2 if number % 2 else 0):
            code, output, seconds = led(f"lockstep-{number}", "--digest", own, "--expect", sheet)
        took.append(seconds)
        if code != 0 or own.read_text(encoding="utf-8") != text:
            differing.append(f"run {number}: exit code {code}: {last_lines(output)}")
    results.add(
        not differing,
        f"{runs} runs as processes, {runs // 2} of them with both cores loaded, say what one process says, byte for byte: "
        f"{messages} messages on {len(text.splitlines())} topics, {min(took):.0f} to {max(took):.0f} s a run",
        "; ".join(differing))
    return sheet, recording


def results_of(results, is_good, what, why):
    results.add(is_good, what, why.strip()[-600:])
    return is_good


def differences(results, sheet, recording):
    """Another noise is another drive: it is found, and the first message that differs is shown."""
    other = ("--set", "location.noise_m=3")
    code, output, _ = led("lockstep-other", *other, "--expect", sheet)
    results.add(code == 1 and "ego/location/raw" in output, "a run that is not the expected one ends with 1, and names the topics",
                f"exit code {code}: {last_lines(output)}")
    code, _, errors = drive(*other, "--expect", recording)
    found = re.search(r"first difference:\n\s+ego/location/raw, message 1, at .*\n(?:.*\n)*?\s+lat_deg: .* ° before, .* ° now", errors)
    results.add(code == 1 and found is not None, "with a recording to compare, the first message that differs is shown field by field",
                f"exit code {code}: {errors[-600:]}")


def calls_are_recorded(results, folder):
    """A recording in lock-step has the calls, so a stage that lives by them is replayed exactly."""
    recording = folder / "calls.mcap"
    code, output, _ = led("lockstep-calls", "--record", recording)
    if not results_of(results, code == 0, "the demo is recorded in lock-step", last_lines(output)):
        return
    _, text, _ = stack.run("nav", "rec", "info", recording)
    counts = {line.split()[0]: int(line.split()[1]) for line in text.splitlines() if line.startswith("_svc/")}
    code, output, errors = stack.run("nav", "play", recording, "--replace", "navigator", "--through", stack.DEMO, seconds=120)
    results.add(code == 0 and output.startswith("equal") and counts.get("_svc/route/calculate", 0) > 2,
                f"a drive in lock-step with {counts.get('_svc/route/calculate', 0) // 2} routes asked for says the same with its navigator replaced: "
                f"{output.strip()}", f"exit {code}: {output} {errors} {counts}")


def a_count(results, folder):
    """`until:` with a count ends a run in lock-step and in one process after so many messages."""
    text = stack.DEMO.read_text(encoding="utf-8").replace("../.cache", str(stack.ROOT / ".cache"))
    text = text.replace("demo-traffic.json", str(stack.ROOT / "Launch/demo-traffic.json"))
    text = re.sub("(?m)^until: .*$", "until: {topic: location/matched, where: {state: matched}, count: 25}", text)
    file, sheets = folder / "count.yaml", [folder / "count-0.digest", folder / "count-1.digest"]
    file.write_text(text, encoding="utf-8")
    code, _, errors = drive("--set", "renderer.port=0", "--digest", sheets[0], file=file)
    led_code, output, _ = led("lockstep-count", "--set", "renderer.port=0", "--digest", sheets[1], file=file)
    counts = [re.search(r"(?m)^ego/location/matched \w+ (\d+)$", sheet.read_text(encoding="utf-8"))[1]
              for sheet in sheets if sheet.exists()]
    results.add(code == 0 and led_code == 0 and len(counts) == 2 and counts[0] == counts[1] and 25 <= int(counts[0]) <= 27,
                f"until: count: 25 ends both kinds of run after {counts} matched locations",
                f"exit {code}, {led_code}: {errors} {last_lines(output)} {counts}")


def a_death(results):
    """Half a run in lock-step is none."""
    with stack.Stack("lockstep-death", "--lockstep", rate=None) as running:
        deadline = time.monotonic() + 120
        pid = None
        while pid is None and time.monotonic() < deadline:
            if "all ready" in running.output or "conductor" in running.output:
                pid = running.pid_of("nav-map-matcher")
            time.sleep(0.01)
        if pid is None:
            return results.add(False, "a killed node ends a run in lock-step", "no matcher came", running.log)
        subprocess.run(["kill", f"-{signal.SIGKILL.value}", str(pid)], check=False)
        code = running.wait(60)
        results.add(code == 1 and "matcher" in running.output, "a killed node ends a run in lock-step with 1, and is named",
                    f"exit code {code}: {last_lines(running.output)}")


def a_fleet(results, folder):
    """Several vehicles through the same processes."""
    text = (stack.ROOT / "Launch/fleet.yaml").read_text(encoding="utf-8")
    file = folder / "fleet.yaml"
    # The first milestone of any vehicle comes after two minutes of driving.
    text = re.sub("(?m)^until: .*$", "until: {topic: guidance/milestone}", text)
    file.write_text(text.replace("../.cache", str(stack.ROOT / ".cache")), encoding="utf-8")
    words = ("--set", "simulator.vehicles=20", "--set", "simulator.guided=0.5")
    sheet = folder / "fleet.digest"
    code, _, errors = drive(*words, "--digest", sheet, file=file)
    if not results_of(results, code == 0, "20 vehicles drive in one process", errors):
        return
    own = folder / "fleet-processes.digest"
    code, output, seconds = led("lockstep-fleet", *words, "--digest", own, "--expect", sheet, file=file, name="fleet")
    results.add(code == 0 and own.read_text(encoding="utf-8") == sheet.read_text(encoding="utf-8"),
                f"20 vehicles say the same as processes, {len(sheet.read_text(encoding='utf-8').splitlines())} topics, {seconds:.0f} s",
                f"exit code {code}: {last_lines(output)}")


def another_language(results, folder):
    """A voice of another language takes part; twice the same."""
    demo = stack.DEMO.read_text(encoding="utf-8").replace("../.cache", str(stack.ROOT / ".cache"))
    demo = demo.replace("demo-traffic.json", str(stack.ROOT / "Launch/demo-traffic.json"))
    start, end = demo.index("  voice:\n"), demo.index("  renderer:\n")
    program = stack.ROOT / "clients/python/examples/voice.py"
    file = folder / "python.yaml"
    file.write_text(f"{demo[:start]}  voice:\n    run: {sys.executable} {program}\n\n{demo[end:]}", encoding="utf-8")
    sheets = [folder / f"python-{number}.digest" for number in range(2)]
    for sheet in sheets:
        code, output, _ = led("lockstep-python", "--set", "renderer.port=0", "--digest", sheet, file=file)
        if code != 0:
            return results.add(False, "a node in Python takes part in lock-step", f"exit code {code}: {last_lines(output)}")
    texts = [sheet.read_text(encoding="utf-8") for sheet in sheets]
    results.add(texts[0] == texts[1] and "ego/voice/announcement" in texts[0], "a node in Python takes part in lock-step, twice the same", texts[0][:300])


def a_long_drive(results, folder, minutes, runs):
    """The demo's way, driven as slowly as it takes to fill the minutes, ten fixes a second."""
    words = ("--set", f"location.speed_factor={6 / minutes:.4f}", "--set", "location.interval_s=0.1")
    sheet, own = folder / "long.digest", folder / "long-processes.digest"
    code, _, errors = drive(*words, "--digest", sheet)
    if not results_of(results, code == 0, f"a drive of about {minutes} minutes in one process", errors):
        return
    text = sheet.read_text(encoding="utf-8")
    counts = {line.split()[0]: int(line.split()[2]) for line in text.splitlines()}
    differing, took = [], []
    for number in range(runs):
        with busy(number % 9):
            code, output, seconds = led("lockstep-long", *words, "--digest", own, "--expect", sheet, seconds=3600)
        took.append(seconds)
        if code != 0 or own.read_text(encoding="utf-8") != text:
            differing.append(f"run {number}: exit code {code}: {last_lines(output)}")
    results.add(not differing,
                f"{runs} runs of it as processes beside 0 to {min(8, runs - 1)} busy loops are the same: {counts.get('ego/location/raw', 0) / 600:.0f} minutes, "
                f"{sum(counts.values())} messages, {min(took):.0f} to {max(took):.0f} s a run", "; ".join(differing))


def main():
    options = stack.options(__doc__, runs=2, minutes=0)
    results = stack.Results()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        sheet, recording = test_processes_say_what_one_process_says__BUS_7(results, folder, options.runs)
        differences(results, sheet, recording)
        calls_are_recorded(results, folder)
        a_count(results, folder)
        a_death(results)
        a_fleet(results, folder)
        another_language(results, folder)
        if options.minutes:
            a_long_drive(results, folder, options.minutes, options.runs)
    results.end()


if __name__ == "__main__":
    main()
