"""What people met on the road, in receivers' files and with processes: each case with the right value.

    python Tests/Drives/field [--programs FOLDER] [--only WORD[,WORD...]]

One module for each area; every function `test_...` of it is a test. Inputs lie in inputs/CASE.
"""

import importlib
import pathlib
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]
import stack  # noqa: E402
import field_stack  # noqa: E402

AREAS = ["guidance", "wording", "matching", "formats", "processes", "better"]


def main():
    stack.options(__doc__, only="", times=0)
    results, times = stack.Results(), []
    words = [word for word in stack.OPTIONS.only.split(",") if word]
    for area in AREAS:
        if not (HERE / f"{area}.py").exists():
            continue
        module = importlib.import_module(area)
        for name, test in list(vars(module).items()):
            whole = f"{area}.{name}"
            if not name.startswith("test_") or (words and not any(word in whole for word in words)):
                continue
            begin = time.monotonic()
            why = stack.why_wrong(test, wrong=field_stack.Wrong)
            times.append((time.monotonic() - begin, whole))
            results.add(not why, f"field {area}: {name.removeprefix('test_').replace('_', ' ')}", why)
    for seconds, name in sorted(times, reverse=True)[:stack.OPTIONS.times]:
        print(f"  {seconds:6.2f} s {name}", flush=True)
    results.end()


if __name__ == "__main__":
    main()
