"""Replay: a recorded drive through one live stage in lock-step, and what it says now against then.

A stage that is the same says the same; of one with another parameter the first difference is shown.
"""

import pathlib
import re
import tempfile

import stack


def play(recording, *words, seconds=300):
    return stack.run("nav", "play", recording, "--through", stack.DEMO, *words, seconds=seconds)


def test_each_stage_says_the_same_again__BUS_7(results, recording):
    """Each stage alone, in this process."""
    for stage in ("location", "matcher", "router", "navigator", "poller", "traffic", "voice", "renderer"):
        code, output, errors = play(recording, "--replace", stage)
        results.add(code == 0 and output.startswith("equal:"), f"{stage} says the same again: {output.strip()}",
                    f"exit code {code}: {(output + errors)[-700:]}")


def through_several(results, recording):
    for stages in ("matcher,navigator", "matcher,router,navigator,poller,voice"):
        code, output, errors = play(recording, "--replace", stages)
        results.add(code == 0, f"{stages} together say the same again: {output.strip()}",
                    f"exit code {code}: {(output + errors)[-700:]}")


def through_a_process(results, recording):
    program = stack.OPTIONS.programs / "nav-map-matcher"
    code, output, errors = play(recording, "--replace", "matcher", "--run", f"matcher={program}")
    results.add(code == 0, f"a program of its own says the same again: {output.strip()}",
                f"exit code {code}: {(output + errors)[-700:]}")


def test_the_first_event_that_differs_is_named__BUS_7(results, recording):
    """One parameter of a stage is another: the first event that differs is named."""
    code, output, errors = play(recording, "--replace", "voice", "--set", "voice.units=imperial_us")
    found = re.search(r"first difference:\n\s+ego/voice/announcement, message \d+, at [\d:.]+ by voice\n\s+caused by \S+ \d+ of \S+\n", output)
    results.add(code == 1 and found is not None, "a stage with another parameter: the first event that differs is named, with time and cause",
                f"exit code {code}: {(output + errors)[-700:]}")
    if found:
        print("\n".join(f"   {line}" for line in output[output.index("first difference"):].splitlines()[:8]))


def test_a_live_drive_gives_the_same_bytes_again__BUS_7(results, folder):
    """The demo as it drives live, on a machine that does other things, with journals; then each stage through it."""
    file = folder / "live.mcap"
    with stack.Stack("live-recording", "--record", str(file), rate=10) as run:
        ear = stack.Ear(run)
        arrived = ear.wait(lambda record: record.arrivals, 300, run)
        record = ear.end()
        run.stop()
    results.add(arrived, "a live drive is recorded, BUS-7", f"{record.progress} locations", run.log)
    for stages in ("location", "matcher", "router", "navigator", "poller", "traffic", "voice", "renderer", "matcher,navigator,voice"):
        # It was driven at another rate than the file says.
        code, output, errors = play(file, "--replace", stages, *(["--set", "location.rate=10"] if stages == "location" else []))
        results.add(code == 0 and output.startswith("equal:"), f"{stages} says the same again as live: {output.strip()}, BUS-7",
                    f"exit code {code}: {(output + errors)[-900:]}")
    code, output, errors = play(file, "--replace", "voice", "--set", "voice.units=imperial_us")
    found = "first difference:\n  ego/voice/announcement, message" in output
    results.add(code == 1 and found, "of a live drive the first event that differs is named, BUS-7", f"exit code {code}: {(output + errors)[-900:]}")


def refusals(results, folder, recording):
    code, _, errors = play(recording, "--replace", "nobody")
    results.add(code == 2 and "nobody" in errors, "a stage that the recording does not have is refused", f"{code}: {errors}")
    broken = folder / "broken.mcap"
    broken.write_bytes(b"no recording at all")
    code, _, errors = play(broken, "--replace", "voice")
    results.add(code == 2 and str(broken) in errors, "a file that is no recording is refused by name", f"{code}: {errors}")


def differences(results, folder, recording):
    code, output, _ = stack.run("nav", "diff", recording, recording, seconds=120)
    results.add(code == 0, f"a recording is equal to itself: {output.strip()}", f"{code}: {output}")
    other = folder / "other.mcap"
    stack.run("nav", "drive", stack.DEMO, "--quiet", "--set", "location.noise_m=3", "--record", other, seconds=120)
    code, output, _ = stack.run("nav", "diff", recording, other, seconds=120)
    results.add(code == 1 and "first difference:\n  ego/location/raw, message 1" in output,
                "of two drives the first message that differs is shown", f"{code}: {output[-700:]}")
    code, output, _ = stack.run("nav", "diff", recording, other, "--topics", "traffic/", seconds=120)
    results.add(code == 0, "with --topics only these are compared", f"{code}: {output[-700:]}")


def main():
    stack.options(__doc__)
    results = stack.Results()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        recording = folder / "drive.mcap"
        code, _, errors = stack.run("nav", "drive", stack.DEMO, "--quiet", "--record", recording, seconds=120)
        if code != 0:
            results.add(False, "nav drive records the demo", errors)
            results.end()
        test_each_stage_says_the_same_again__BUS_7(results, recording)
        through_several(results, recording)
        through_a_process(results, recording)
        test_the_first_event_that_differs_is_named__BUS_7(results, recording)
        test_a_live_drive_gives_the_same_bytes_again__BUS_7(results, folder)
        refusals(results, folder, recording)
        differences(results, folder, recording)
    results.end()


if __name__ == "__main__":
    main()
