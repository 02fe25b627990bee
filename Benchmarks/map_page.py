#!/usr/bin/env python3
"""What the map page costs a browser: bytes, first tiles, main-thread work for a frame, long tasks, and heap over a long drive.

    NAV_DATA=/path/to/data map_page.py [--minutes 10] [--rate 1] [--heap-rate 20] [--width 1280] [--height 720]
    map_page.py --demo      on the demo town, which needs no data

Opens the page of a stack that drives through Porto in headless Chromium, which draws by software (SwiftShader, in a process of
its own): frames a second say nothing of real devices, but the work of the main thread does. It depends on the frame rate, since
labels are placed by time and not by frame. So frames are measured a second time with a quarter of the pixels in each direction:
layout, tiles, labels and draw calls are the same, and the software reaches the page's own 30 frames a second. Prints

    bytes           what the browser received until the first view was complete, and how many requests
    first tiles     from the navigation to the first view with all tiles, without and with the processor slowed four times
    frame           work of the main thread for an animation frame, over a minute of guidance: mean, 95th percentile
    long tasks      how many blocked the main thread for over 50 ms in that minute, and the longest
    heap            JavaScript heap after garbage collection at each tenth of the long drive; nodes and listeners

Needs Chromium, pyzmq and msgpack (.cache/python has them).
"""

import argparse
import pathlib
import sys
import time

from stack import ROOT, SETTINGS, Stack

sys.path.insert(0, str(ROOT / "Tests/Page"))
from browser import Browser  # noqa: E402

# Set before the page's own scripts run, so that no long task is missed.
WATCH = """
window.longTasks = [];
new PerformanceObserver((list) => window.longTasks.push(...list.getEntries().map((entry) => entry.duration)))
  .observe({ type: 'longtask', buffered: true });
"""
IS_COMPLETE = "window.navstack?.state.indicator && navstack.map.loaded() && navstack.state.loaded"


def page_address(stack):
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        for line in list(stack.lines):
            if "page: http" in line:
                return line.split("page: ", 1)[1].split()[0]
        time.sleep(0.05)
    sys.exit("the stack did not serve its page:\n" + "\n".join(stack.lines))


def opened(address, options, throttling=1, pixel_ratio=1):
    """A browser whose first view is complete, the seconds that it took, and the bytes received."""
    browser = Browser(options.width, options.height)
    browser.command("Performance.enable", timeDomain="threadTicks")
    browser.command("Emulation.setDeviceMetricsOverride", width=options.width, height=options.height, deviceScaleFactor=pixel_ratio, mobile=False)
    browser.command("Page.addScriptToEvaluateOnNewDocument", source=WATCH)
    browser.command("Emulation.setCPUThrottlingRate", rate=throttling)
    received = []
    note = browser.note

    def counted(message):
        if message.get("method") == "Network.loadingFinished":
            received.append(message["params"]["encodedDataLength"])
        note(message)

    browser.note = counted
    begin = time.monotonic()
    browser.open(address)
    browser.wait(IS_COMPLETE, 120)
    return browser, time.monotonic() - begin, received


def heap_mb(browser):
    browser.command("HeapProfiler.collectGarbage")
    metrics = {metric["name"]: metric["value"] for metric in browser.command("Performance.getMetrics")["metrics"]}
    return metrics["JSHeapUsedSize"] / 1e6, int(metrics["Nodes"]), int(metrics["JSEventListeners"])


def let_run(browser, seconds):
    ends = time.monotonic() + seconds
    while (left := ends - time.monotonic()) > 0:
        browser.receive(left)


def frames(browser, seconds):
    browser.value("navstackFrameMeter.reset(), longTasks.length = 0, 1")
    before, count = browser.cpu_s(), browser.value("navstack.state.meter.frames")
    let_run(browser, seconds)
    count = browser.value("navstack.state.meter.frames") - count
    spent, meter = browser.cpu_s() - before, browser.value("navstack.state.meter")
    tasks = browser.value("longTasks")
    print(f"frame: {1000 * spent / max(count, 1):.1f} ms of the main thread's time for each of {count} frames in {seconds} s; "
          f"meter with waiting {meter['meanMs']:.1f} ms, 95 % {meter['p95Ms']:.1f} ms")
    print(f"long tasks: {len(tasks)}, the longest {max(tasks, default=0):.0f} ms")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=pathlib.Path, default=ROOT / ".build/release")
    parser.add_argument("--demo", action="store_true")
    parser.add_argument("--minutes", type=float, default=10, help="of the wall, for the heap")
    parser.add_argument("--rate", type=float, default=1, help="event seconds in a second while frames are measured")
    parser.add_argument("--heap-rate", type=float, default=20)
    parser.add_argument("--width", type=int, default=1280)
    parser.add_argument("--height", type=int, default=720)
    options = parser.parse_args()
    name = "demo" if options.demo else "porto"
    common = [*SETTINGS[name], "renderer.port=0", "renderer.page_access=open", "voice.sink=none"]

    stack = Stack(name, options.programs, [*common, f"location.rate={options.rate}"])
    try:
        address = page_address(stack)
        browser, seconds, received = opened(address, options)
        print(f"bytes: {sum(received) / 1000:.0f} KB in {len(received)} answers")
        print(f"first tiles: {seconds:.1f} s")
        let_run(browser, 5)
        frames(browser, 60)
        browser.close()
        browser, _, _ = opened(address, options, pixel_ratio=0.25)
        let_run(browser, 5)
        print("with a sixteenth of the pixels:")
        frames(browser, 60)
        browser.close()
        browser, seconds, _ = opened(address, options, throttling=4)
        tasks = browser.value("longTasks")
        print(f"first tiles, four times slower: {seconds:.1f} s; longest task {max(tasks, default=0):.0f} ms")
        browser.close()
    finally:
        stack.stop()

    stack = Stack(name, options.programs, [*common, f"location.rate={options.heap_rate}"])
    try:
        browser, _, _ = opened(page_address(stack), options)
        for tenth in range(11):
            size, nodes, listeners = heap_mb(browser)
            print(f"heap at {tenth * options.minutes / 10:.1f} min: {size:.1f} MB, {nodes} nodes, {listeners} listeners", flush=True)
            if tenth < 10:
                let_run(browser, 6 * options.minutes)
        for error in browser.errors:
            print("console:", error)
        browser.close()
    finally:
        stack.stop()


if __name__ == "__main__":
    main()
