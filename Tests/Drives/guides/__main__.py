"""Every row of the guides, each by a program that talks to a running stack from outside.

    python Tests/Drives/guides [--programs FOLDER] [--only WORD[,WORD...]]

Rows stand in the order of the guides; docs/guides/from-here-and-arcgis.md lists them with their tests.
"""

import pathlib
import sys
import time

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]
import stack  # noqa: E402
import navstack  # noqa: E402
import rows  # noqa: E402
from stacks import Lab  # noqa: E402

GUIDES = ["here_navigate", "here_traffic", "nma_route_manager", "nma_core_router", "arcgis_route_tracker", "design_card"]


def main():
    stack.options(__doc__, only="", times=0)
    results, lab = stack.Results(), Lab()
    words = [word for word in stack.OPTIONS.only.split(",") if word]
    times = []
    try:
        for guide in GUIDES:
            if (HERE / f"{guide}.py").exists(): __import__(guide)
            for module, asked, _, test in rows.ROWS:
                if module != guide or (words and not any(word in f"{guide}.{test.__name__}" for word in words)):
                    continue
                begin = time.monotonic()
                why = stack.why_wrong(test, lab, wrong=rows.Wrong)
                times.append((time.monotonic() - begin, test.__name__))
                results.add(not why, f"{guide}: {asked}", f"{why} [{test.__name__}]")
    finally:
        lab.close()
    for seconds, name in sorted(times, reverse=True)[:stack.OPTIONS.times]:
        print(f"  {seconds:6.2f} s {name}", flush=True)
    results.end()


if __name__ == "__main__":
    main()
