"""The page in headless Chromium, before a real renderer on a real bus.

    Tests/Page/run [--programs .build/debug] [--shots FOLDER] [--map FILE.osm] [--parts 2] [-k PATTERN]

A publisher plays the other stages; off_road.py runs all of them. Names of tests carry the rows of docs/features.md that they prove.
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile
import time
import unittest
import urllib.error
import urllib.request

import msgpack

from browser import Browser, find_chromium
from off_road import OffRoadTest  # noqa: F401, its tests run with these
from page_case import OPTIONS, PageCase
from stack import ROOT
from stack_case import StackCase
from test_access import AccessTest, RealAccessTest  # noqa: F401, their tests run with these
from test_faults import FaultsTest, HangTest  # noqa: F401, their tests run with these
from test_languages import LanguageTest  # noqa: F401, its tests run with these
from test_navigation import NavigationTest, VoiceTest  # noqa: F401, its tests run with these
from test_scripts import ScriptsTest
from test_settings import SettingsTest  # noqa: F401, its tests run with these
from test_signs import SignsTest  # noqa: F401, its tests run with these
from test_control import ControlTest  # noqa: F401, its tests run with these
from test_stack import DashboardTest, FleetMapTest  # noqa: F401, their tests run with these
from test_trip import TripTest  # noqa: F401, its tests run with these
from test_traffic import TrafficLayerTest, WarningMarksTest  # noqa: F401, its tests run with these
from test_vehicles import VehiclesTest  # noqa: F401, its tests run with these


class PageTest(PageCase):
    def test_the_page_shows_the_drive_and_asks_nobody_else__RN_1__OF_1(self):
        self.begin(jam=(400, 700))
        self.drive_for(12)
        self.assertTrue(self.is_shown("guide"))
        self.assertRegex(self.text("guide-distance"), r"^\d+ m$|^\d\.\d km$")
        self.assertTrue(self.text("guide-road"))
        self.assertRegex(self.text("bar-eta"), r"^\d\d:\d\d$")
        self.assertRegex(self.text("speed-value"), r"^\d+$")
        self.assertIn(self.text("limit"), ("30", "50"))
        self.assertIn("OpenStreetMap", self.browser.value("document.querySelector('.maplibregl-ctrl-attrib').innerText"))
        drawn = self.browser.value(
            "navstack.map.queryRenderedFeatures({layers: ['road', 'nav-ahead', 'name']}).map((f) => f.layer.id)")
        self.assertIn("road", drawn)
        self.assertIn("nav-ahead", drawn)
        self.assertIn("name", drawn)
        self.assertEqual(self.browser.errors, [])
        outside = [url for url in self.browser.requests
                   if not url.startswith((self.stack.url, "blob:", "data:", self.stack.url.replace("http", "ws")))]
        self.assertEqual(outside, [])
        self.shot("day")

    def test_the_indicator_moves_between_fixes_and_stands_at_its_anchor__RN_1__RN_2(self):
        self.begin()
        self.drive_for(4)
        sampled = self.drive_for(6, "[navstack.state.indicator.offsetM, performance.now() / 1000]")
        offsets, seconds = zip(*[sample for sample in sampled if sample[0] is not None])
        steps = [b - a for a, b in zip(offsets, offsets[1:])]
        moved = [step for step in steps if step > 0]
        self.assertGreater(len(moved), 7, "more steps than fixes, however slow the machine draws")
        self.assertGreaterEqual(min(steps), -0.5, "it does not run backwards")
        # A frame may come late, but the indicator is never faster than twice the vehicle.
        for step, start, end in zip(steps, seconds, seconds[1:]):
            self.assertLess(step, 15 + 2 * self.drive.speed_mps * (end - start), "and does not jump")
        self.assertLess(abs(offsets[-1] - self.drive.travelled_m), 40)
        point = self.state("indicator.screen")
        self.assertAlmostEqual(point["x"] / 1280, 0.5, delta=0.01)
        self.assertAlmostEqual(point["y"] / 720, 0.775, delta=0.01)

    def test_the_route_is_eaten_up__RN_3(self):
        self.begin()
        self.drive_for(3)
        first, length = self.state("aheadM"), self.state("routeLengthM")
        self.drive_for(5)
        second = self.state("aheadM")
        self.assertLess(second, first - 15)
        self.assertLess(abs(length - second - self.drive.travelled_m), 40)

    def test_a_drag_frees_the_camera_and_one_tap_brings_it_back__RN_2(self):
        self.begin()
        self.drive_for(3)
        self.assertEqual(self.state("camera"), "tracking")
        self.browser.drag((640, 300), (840, 420))
        self.browser.wait("navstack.state.camera === 'free'")
        before = self.state("indicator.screen")
        self.drive_for(4)
        self.assertNotEqual(self.state("indicator.screen"), before, "the indicator goes on moving")
        self.assertEqual(self.state("camera"), "free")
        self.click("#recentre")
        self.drive_for(3)
        self.assertEqual(self.state("camera"), "tracking")
        self.assertAlmostEqual(self.state("indicator.screen")["x"] / 1280, 0.5, delta=0.02)

    def test_the_straight_line_to_a_place_off_the_road_is_shown__OR_1__RN_2(self):
        self.begin()
        self.drive_for(2)
        drawn = "(navstack.map.getSource('nav-off-road')._data.geojson ?? navstack.map.getSource('nav-off-road')._data).features"
        self.assertEqual(self.browser.value(f"{drawn}.length"), 0)
        (lat, lon), route = self.drive.shape[-1], self.drive.route()
        place = {"off_road_lat_deg": lat + 0.004, "off_road_lon_deg": lon + 0.001}
        self.drive.route_id = f"{self.drive.route_id}-off"
        self.stack.publish("route/active", self.drive.now_ns, {
            "reason": "new", "paused": False, "route": {**route, **place, "id": self.drive.route_id}})
        self.browser.wait(f"navstack.state.routeID === '{self.drive.route_id}'")
        (from_lon, from_lat), (to_lon, to_lat) = self.browser.value(f"{drawn}[0].geometry.coordinates")
        self.assertAlmostEqual(from_lat, lat, delta=1e-5)
        self.assertAlmostEqual(from_lon, lon, delta=1e-5)
        self.assertEqual((to_lat, to_lon), (lat + 0.004, lon + 0.001))
        self.click("#overview")
        self.drive_for(3)
        self.browser.wait("navstack.map.queryRenderedFeatures({layers: ['nav-off-road']}).length > 0")
        x, y = self.browser.value(f"(({{x, y}}) => [x, y])(navstack.map.project([{to_lon}, {to_lat}]))")
        self.assertTrue(0 <= x <= 1280 and 0 <= y <= 720, "the whole route goes to the destination itself")
        self.shot("off-road")
        self.click("#recentre")
        self.browser.wait("navstack.state.camera === 'tracking'")

    def test_the_overview_shows_the_whole_route__RN_2(self):
        self.begin()
        self.drive_for(2)
        self.click("#overview")
        self.drive_for(3)
        ends = self.browser.value(
            "[navstack.map.getSource('nav-route')._data].flatMap((d) => (d.geojson ?? d).features[0].geometry.coordinates)"
            ".map((c) => navstack.map.project(c)).map(({x, y}) => [x, y])")
        self.assertTrue(all(0 <= x <= 1280 and 0 <= y <= 720 for x, y in ends))
        self.shot("overview")
        self.click("#recentre")
        self.browser.wait("navstack.state.camera === 'tracking'")

    def test_a_proposal_can_be_answered_and_the_end_of_the_call_is_told__RN_1(self):
        self.begin()
        self.drive_for(2)
        self.stack.publish("route/better", self.drive.now_ns, {
            "id": "b-1", "state": "proposed", "route_id": self.drive.route_id, "route": self.drive.route(),
            "gain_s": 240.0, "longer_m": 800.0, "shape_changed": True})
        self.browser.wait("navstack.state.banner === 'better'")
        self.assertIn("4 min faster", self.text("banner"))
        self.shot("proposal")
        self.click("#banner button.yes")
        # No navigator is there, and the page says so.
        self.browser.wait("navstack.state.banner === 'failure'")

    def test_rerouting_speech_and_arrival_are_told__RN_1(self):
        self.begin()
        now = self.drive.now_ns
        self.stack.publish("guidance/reroute", now, {"state": "started", "route_id": self.drive.route_id, "attempt": 1})
        self.browser.wait("document.getElementById('banner').innerText.includes('Rerouting')")
        self.stack.publish("voice/announcement", now, {
            "key": "k", "kind": "reminder", "text": "In 200 metres, turn right.", "language": "en-US", "expected_duration_s": 2.0})
        self.browser.wait("document.getElementById('caption').innerText === 'In 200 metres, turn right.'")
        self.stack.publish("guidance/arrival", now, {
            "route_id": self.drive.route_id, "event": "destination_reached", "rule": "passed_within",
            "lat_deg": 47.1, "lon_deg": 9.5, "distance_m": 3.0, "side": "left"})
        self.browser.wait("document.getElementById('banner').innerText.includes('arrived')")
        self.stack.publish("route/active", now, {"reason": "cleared", "paused": False})
        self.browser.wait("navstack.state.routeID === null && document.getElementById('guide').hidden")

    def test_warnings_are_shown_until_they_lie_behind__RN_1__EV_4(self):
        self.begin()
        self.drive_for(2)
        warning = {"id": "w-1", "kind": "safety_camera", "event": "ahead", "distance_m": 480.0}
        self.stack.publish("guidance/warning", self.drive.now_ns, warning)
        self.stack.publish("guidance/warning", self.drive.now_ns, {"id": "w-2", "kind": "school_zone", "event": "ahead", "distance_m": 260.0})
        self.browser.wait("document.getElementById('warnings').innerText.includes('Speed camera')")
        self.drive_for(3)
        self.shot("warnings")
        self.assertRegex(self.text("warnings"), r"School zone\s+2\d0 m\s+Speed camera\s+4\d0 m|School zone\s+2\d0 m\s+Speed camera\s+450 m")
        lanes = {"id": "w-3", "kind": "lane_decrease", "event": "ahead", "distance_m": 100.0, "text": "2"}
        self.stack.publish("guidance/warning", self.drive.now_ns, lanes)
        self.browser.wait("document.getElementById('warnings').innerText.includes('Lane ends: 2 lanes ahead')")
        self.stack.publish("guidance/warning", self.drive.now_ns, lanes | {"event": "passed"})
        self.stack.publish("guidance/warning", self.drive.now_ns, warning | {"event": "passed"})
        self.browser.wait("!document.getElementById('warnings').innerText.includes('Speed camera')")

    def test_texts_of_the_stack_are_no_markup__RN_1(self):
        self.begin()
        self.stack.publish("guidance/arrival", self.drive.now_ns, {
            "route_id": self.drive.route_id, "event": "destination_reached", "rule": "passed_within", "lat_deg": 47.1,
            "lon_deg": 9.5, "distance_m": 3.0, "name": "<img src=x onerror=alert(1)>"})
        self.browser.wait("document.getElementById('banner').innerText.includes('<img')")
        self.assertEqual(self.browser.value("document.querySelectorAll('#banner img').length"), 0)

    def test_a_lost_connection_is_shown_and_comes_back__BUS_6(self):
        self.begin()
        self.stack.stop_renderer()
        self.browser.wait("navstack.state.link === 'lost' && !document.getElementById('link').hidden")
        self.stack.start_renderer()
        self.browser.wait("navstack.state.link === 'open' && document.getElementById('link').hidden", 30)
        self.browser.wait(f"navstack.state.routeID === '{self.drive.route_id}'", 30)

    def test_garbage_stops_nothing__BUS_5(self):
        self.begin()
        for topic in ("scene/frame", "route/active", "location/matched", "guidance/progress", "voice/announcement", "route/better"):
            self.stack.publish(topic, self.drive.now_ns, {"nothing": "of the kind"})
            self.stack.out.send_multipart([f"ego/{topic}".encode(), b"\xc1\xff", b"\x00garbage"])
        self.drive_for(3)
        self.assertEqual(self.state("link"), "open")
        self.assertEqual(self.state("routeID"), self.drive.route_id)

    def test_bad_requests_get_clear_answers(self):
        def status(path, **headers):
            try:
                request = urllib.request.Request(self.stack.url + path, headers=headers)
                return urllib.request.urlopen(request, timeout=5).status
            except urllib.error.HTTPError as error:
                return error.code
        self.assertEqual(status("tiles/14/8621/5755.mvt"), 200)
        self.assertEqual(status("tiles/14/99999999/5755.mvt"), 400)
        self.assertEqual(status("tiles/x/y/z.mvt"), 400)
        self.assertEqual(status("style.json?theme=purple"), 400)
        self.assertEqual(status("nothing.js"), 404)
        self.assertEqual(status("../../etc/passwd"), 404)
        self.assertEqual(status("", Host="evil.example"), 403)

    def test_the_scene_is_data_on_a_topic__RN_5(self):
        frames = self.stack.frames()
        time.sleep(0.3)
        self.stack.publish_all(self.drive.starts())
        for _ in range(5):
            self.stack.publish_all(self.drive.step(1))
        frame, ends = {}, time.monotonic() + 20
        while "maneuver_index" not in frame.get("panel", {}) and time.monotonic() < ends:
            if frames.poll(500):
                frame = msgpack.unpackb(frames.recv_multipart()[2])
        frames.close(linger=0)
        self.assertEqual(frame["route_id"], self.drive.route_id)
        self.assertEqual(frame["panel"]["maneuver_index"], 1)
        self.assertAlmostEqual(frame["anchor_y"], 0.775)
        self.assertIn("eat_up_shape_index", frame)

    def test_the_main_thread_has_little_to_do__P14(self):
        self.begin()
        self.drive_for(3)
        # Thread ticks count what the thread computes, not what it waits for; software GL is in another process.
        self.browser.command("Performance.enable", timeDomain="threadTicks")
        before, frames = self.browser.cpu_s(), self.state("meter.frames")
        self.drive_for(8)
        spent, frames = self.browser.cpu_s() - before, self.state("meter.frames") - frames
        figures = self.state("meter")
        print(f"  main thread: {1000 * spent / frames:.1f} ms computed a frame; {figures['meanMs']:.1f} ms with waiting, "
              f"95 % {figures['p95Ms']:.1f} ms; {frames} frames in 8 s", file=sys.stderr)
        self.assertGreater(frames, 8)

    def test_small_screens__RN_1(self):
        self.browser.resize(390, 844, mobile=True)
        try:
            self.begin()
            self.drive_for(4)
            inside = self.browser.value(
                "['guide', 'bar', 'speed'].every((id) => { const b = document.getElementById(id).getBoundingClientRect();"
                " return b.left >= 0 && b.right <= innerWidth && b.bottom <= innerHeight; })")
            self.assertTrue(inside)
            self.shot("small")
        finally:
            self.browser.resize(1280, 720)

    def test_night_colours__RN_1__RN_3(self):
        self.stack.publish_all(self.drive.starts())
        self.stack.publish_all(self.drive.step(0.1))
        self.browser.open(self.stack.url + "?theme=night")
        self.browser.wait("window.navstack?.state.theme === 'night' && navstack.state.indicator && navstack.state.loaded", 120)
        self.drive_for(5)
        land = self.browser.value("navstack.map.getPaintProperty('background', 'background-color')")
        self.assertEqual(land, "#121922")
        self.shot("night")


class TimedResult(unittest.TextTestResult):
    """Tells in the end which tests took longest."""

    def startTest(self, test):
        self.begin = time.monotonic()
        super().startTest(test)

    def stopTest(self, test):
        self.times = sorted([*getattr(self, "times", []), (time.monotonic() - self.begin, test.id())], reverse=True)[:12]
        super().stopTest(test)

    def printErrors(self):
        for seconds, name in getattr(self, "times", []):
            self.stream.writeln(f"  {seconds:6.1f} s {name}")
        super().printErrors()


class PartLoader(unittest.TestLoader):
    """Loads every `count`-th class of tests, those with most tests first, from the `number`-th on: a class keeps its browser."""

    def __init__(self, number, count):
        super().__init__()
        self.number, self.count = number, count

    def loadTestsFromModule(self, module, **more):
        classes = {value for value in vars(module).values() if isinstance(value, type) and issubclass(value, unittest.TestCase)}
        ordered = sorted(classes, key=lambda one: (-len(self.getTestCaseNames(one)), one.__name__))
        # To and fro, so that the parts have about as many tests.
        rounds = [ordered[i:i + self.count] for i in range(0, len(ordered), self.count)]
        chosen = [(turn if i % 2 == 0 else turn[::-1])[self.number - 1:self.number] for i, turn in enumerate(rounds)]
        return self.suiteClass(self.loadTestsFromTestCase(one) for turn in chosen for one in turn)


def run_in_parts(count):
    """Runs this program once for each part, prints what each had to say when all have ended, and gives the exit code."""
    runs = []
    for number in range(1, count + 1):
        words = [word for word in sys.argv[1:] if not word.startswith("--parts=")]
        if "--parts" in words:
            del words[words.index("--parts"):words.index("--parts") + 2]
        log = tempfile.TemporaryFile("w+", encoding="utf-8")
        runs.append((subprocess.Popen([sys.executable, __file__, *words, "--part", f"{number}/{count}"], stdout=log, stderr=log), log))
    codes = [process.wait() for process, _ in runs]
    # What failed is printed last.
    for _, log in sorted(runs, key=lambda run: abs(run[0].returncode)):
        log.seek(0)
        print(log.read(), flush=True)
    return max(map(abs, codes))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--programs", type=pathlib.Path, default=ROOT / ".build/debug")
    parser.add_argument("--shots", type=pathlib.Path)
    parser.add_argument("--map", type=pathlib.Path)
    parser.add_argument("--parts", type=int, default=1, help="so many processes with a browser each, for the time in which tests wait")
    parser.add_argument("--part", default="1/1", help=argparse.SUPPRESS)
    options, rest = parser.parse_known_args()
    OPTIONS.__dict__.update(vars(options))
    StackCase.options = ScriptsTest.options = OPTIONS
    missing = [name for name, is_there in (
        ("a Chromium", find_chromium()),
        ("nav, navlaunch and the nodes (swift build)", all((options.programs / name).exists() for name in ("nav-renderer", "navlaunch", "nav"))),
        ("MapLibre GL JS (Launch/fetch-page-parts)", (ROOT / ".cache/page/maplibre-gl.js").exists())) if not is_there]
    if missing:
        sys.exit(f"Tests/Page: missing: {', '.join(missing)}")
    # Only who looks at the pictures needs all pixels.
    Browser.pixel_ratio = 1 if options.shots else 0.5
    if options.parts > 1:
        sys.exit(run_in_parts(options.parts))
    program = unittest.main(argv=[sys.argv[0], *rest], testLoader=PartLoader(*map(int, options.part.split("/"))), exit=False,
                            testRunner=unittest.TextTestRunner(verbosity=2, resultclass=TimedResult))
    sys.exit(not program.result.wasSuccessful())


if __name__ == "__main__":
    main()
