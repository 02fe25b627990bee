"""The dashboard and the map of all vehicles in the browser, with real stacks."""

import json
import os
import signal
import subprocess
import sys
import time
import unittest

from browser import Browser
from page_case import OPTIONS
from real_stack import RealStack, navstack

FLEET = 1000
# A few vehicles send nothing for a while, such as on a ferry.
HEARD = 0.97 * FLEET
# The drive of the demo, without its jam.
DRIVER = {"source": "simulator", "rate": 5, "start_at": "46.99714,-30.02392", "start_time": "2026-06-01T10:00:00Z", "start_bearing_deg": 0}
PLACES = [(46.99714, -30.02392), (47.00287, -29.97645)]
SCREENS = ((1280, 720), (1920, 1080), (390, 844))


class BoardCase(unittest.TestCase):
    """A stack of its own and a browser; pages report no error."""

    @classmethod
    def setUpClass(cls):
        cls.stack = cls.made_stack()
        cls.browser = Browser()

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.stack.close()

    def tearDown(self):
        self.assertEqual(self.browser.errors, [])

    def nav(self, *arguments):
        """The lines that a command of `nav` prints as JSON."""
        answer = subprocess.run(
            [self.stack.programs / "nav", *arguments, "--json"], capture_output=True, text=True, check=False,
            env={**os.environ, "NAV_BUS": self.stack.base})
        return [json.loads(line) for line in answer.stdout.splitlines()]

    def observers(self):
        """The tools with which the renderer observes the stack."""
        return [row["name"] for row in self.nav("node", "list") if row["name"].startswith("renderer-") and row["is_alive"]]

    def click(self, selector):
        x, y = self.browser.value(
            f"(({{x, y, width, height}}) => [x + width / 2, y + height / 2])(document.querySelector({selector!r}).getBoundingClientRect())")
        for kind in ("mousePressed", "mouseReleased"):
            self.browser.mouse(kind, x, y, button="left", clickCount=1)

    def shots(self, name):
        if not OPTIONS.shots:
            return
        OPTIONS.shots.mkdir(parents=True, exist_ok=True)
        for width, height in SCREENS:
            self.browser.resize(width, height, mobile=width < 600)
            self.browser.receive(1)
            self.browser.screenshot(OPTIONS.shots / f"{name}-{width}.png")
        self.browser.resize(1280, 720)

    def assert_fits(self):
        """Nothing makes the page wider than the screen."""
        for width, height in SCREENS:
            self.browser.resize(width, height, mobile=width < 600)
            self.browser.wait("document.scrollingElement.scrollWidth <= innerWidth")
        self.browser.resize(1280, 720)


class DashboardTest(BoardCase):
    @classmethod
    def made_stack(cls):
        return RealStack(
            OPTIONS.programs, nodes={"location-provider": DRIVER, "map-matcher": {}, "router": {}, "navigator": {}, "voice-guidance": {"sink": "none"}},
            external=["traffic/flow", "traffic/incidents", "route/better"])

    def setUp(self):
        # To and fro, so that no test stands at a destination, and none begins near it.
        ends = time.monotonic() + 60
        while True:
            try:
                self.stack.call("navigate/start", {"waypoints": [{"lat_deg": lat, "lon_deg": lon} for lat, lon in (*PLACES, *PLACES)]})
                return
            except navstack.CallError as failure:
                # The first location may not be there yet, or the navigator was killed a moment ago.
                self.assertLess(time.monotonic(), ends, str(failure))
                self.browser.receive(0.3)

    def open(self, theme="day"):
        self.browser.open(f"{self.stack.url}stack?theme={theme}")
        self.browser.wait("window.navstack?.state.reports > 1", 60)

    def row(self, topic):
        return f"document.querySelector('#topic-table tr[data-name=\"{topic}\"] [data-hz]')?.dataset.hz"

    def test_rates_are_those_of_nav_topic_hz__RN_9(self):
        self.open()
        # The window of the rates is filled.
        self.browser.wait(f"navstack.state.reports > 11 && {self.row('ego/guidance/progress')} > 4", 60)
        for topic in ("ego/location/raw", "ego/location/matched", "ego/guidance/progress"):
            measured = self.nav("topic", "hz", topic, "--seconds", "12")[0]["hz"]
            self.browser.receive(0.1)
            shown = float(self.browser.value(self.row(topic)))
            self.assertGreater(measured, 3)
            self.assertLess(abs(shown - measured) / measured, 0.05, f"{topic}: {shown} on the page, {measured} by nav topic hz")

    def test_the_graph_and_the_hops_are_shown__RN_9(self):
        self.open()
        nodes = {row["name"] for row in self.nav("node", "list") if row["kind"] == "node"}
        self.browser.wait("document.querySelectorAll('#graph [data-node]').length > 4")
        drawn = set(self.browser.value("[...document.querySelectorAll('#graph [data-node]')].map((card) => card.dataset.node)"))
        self.assertLessEqual(nodes, drawn)
        for topic, reader in (("location/raw", "map-matcher"), ("location/matched", "navigator"), ("guidance/progress", "renderer")):
            self.browser.wait(f"Boolean(document.querySelector('.lines path[data-topic=\"{topic}\"][data-to=\"{reader}\"]'))")
        for hop in ("location/raw location/matched", "location/matched guidance/progress", "guidance/progress scene/frame"):
            self.browser.wait(f"Boolean(document.querySelector('#hops [data-hop=\"{hop}\"]'))", 60)
        self.assertTrue(self.browser.value("navstack.state.report.hops.every((hop) => hop.p50_ms >= 0 && hop.p50_ms <= hop.p99_ms)"))
        self.assert_fits()
        self.shots("stack-day")
        self.open("night")
        self.browser.wait("navstack.state.reports > 5", 30)
        self.shots("stack-night")

    def test_a_click_on_a_node_explains_it_as_nav_why__RN_9(self):
        self.open()
        self.browser.wait("Boolean(document.querySelector('[data-node=\"map-matcher\"] .head'))")
        self.click('[data-node="map-matcher"] .head')
        self.browser.wait("Boolean(document.querySelector('#detail .why-lines li'))", 30)
        shown = self.browser.value("[...document.querySelectorAll('#detail .why-lines li')].map((line) => line.innerText)")
        explained = [step["text"] for step in self.nav("why", "map-matcher")[0]["steps"]]
        # The figures of the loop change; the words do not.
        self.assertEqual([line.split("(")[0] for line in shown], [line.split("(")[0] for line in explained])
        self.browser.wait("document.querySelectorAll('#detail .log li').length > 0")
        self.assertTrue(self.browser.value("[...document.querySelectorAll('#detail tbody th')].some((cell) => cell.innerText === 'location/raw')"))
        self.browser.command("Input.dispatchKeyEvent", type="keyDown", key="Escape", windowsVirtualKeyCode=27)
        self.browser.wait("document.getElementById('detail').hidden")
        self.assertEqual(self.browser.value("document.activeElement.dataset.id"), "map-matcher", "the keyboard returns to what was clicked")
        self.browser.value("document.querySelector('#topic-table tr[data-name=\"ego/location/raw\"] button').click()")
        self.browser.wait("[...document.querySelectorAll('#detail tbody th')].some((cell) => cell.innerText === 'map-matcher')")

    def test_a_killed_node_and_its_restart_are_shown__RN_9__BUS_14(self):
        self.open()
        self.browser.wait("document.querySelector('#node-table tr[data-name=\"navigator\"]')?.innerText.includes('ready')", 60)
        process = self.browser.value("navstack.state.report.nodes.find((node) => node.name === 'navigator').pid")
        os.kill(process, signal.SIGKILL)
        self.browser.wait(
            "(() => { const node = navstack.state.report.nodes.find((one) => one.name === 'navigator');"
            f" return node.state === 'ready' && node.restarts >= 1 && node.pid !== {process}; }})()", 60)
        self.browser.wait("[...document.querySelectorAll('#decisions .what')].some((line) => line.innerText.includes('navigator was started again'))")
        self.assertIn("1 restart", self.browser.value("document.querySelector('[data-node=\"navigator\"] .word').innerText"))
        self.browser.value("document.querySelector('#node-table tr[data-name=\"navigator\"] button').click()")
        self.browser.wait("document.querySelector('#detail .why-lines')?.innerText.includes('SIGKILL')", 30)

    def test_an_unseen_dashboard_costs_nothing__RN_9(self):
        self.open()
        self.browser.wait("navstack.state.reports > 2")
        self.assertEqual(len(self.observers()), 1)
        self.browser.open("about:blank")
        ends = time.monotonic() + 20
        while self.observers():
            self.assertLess(time.monotonic(), ends, "the renderer goes on observing the stack")
            self.browser.receive(0.2)


class FleetMapTest(BoardCase):
    @classmethod
    def made_stack(cls):
        return RealStack(
            OPTIONS.programs, nodes={"fleet-simulator": {"vehicles": FLEET, "guided": 0.05}, "map-matcher": {}, "router": {}, "navigator": {"horizon_m": 0}},
            external=["traffic/flow", "traffic/incidents", "route/better", "voice/repeat"], vehicles="any")

    def open(self, theme="day"):
        self.browser.open(f"{self.stack.url}fleet?theme={theme}")
        self.browser.wait(f"window.navstack?.state?.present > {HEARD}", 120)
        self.browser.wait("navstack.state.drawn > 2", 60)

    def test_a_thousand_vehicles_move__RN_9(self):
        self.open()
        self.browser.wait("document.getElementById('fleet-count').innerText === `${navstack.state.present.toLocaleString('en')} vehicles`")
        first = self.browser.value("Object.fromEntries(navstack.model.names.slice(0, 50).map((name) => [name, navstack.placeOf(name)]))")
        self.browser.wait("(window.began ??= navstack.state.frames) && navstack.state.frames > began + 4", 30)
        moved = self.browser.value(
            f"Object.entries({json.dumps(first)}).filter(([name, [lon, lat]]) => {{ const [x, y] = navstack.placeOf(name);"
            " return Math.hypot(x - lon, y - lat) > 1e-6; }).length")
        self.assertGreater(moved, 10)
        self.assert_fits()
        self.browser.value("navstackFrameMeter.reset()")
        self.browser.wait("(window.since ??= navstack.state.frames) && navstack.state.frames > since + 4", 30)
        print("  fleet map:", self.browser.value("JSON.stringify(navstack.figures())"), file=sys.stderr)
        self.shots("fleet-day")
        self.open("night")
        self.shots("fleet-night")

    def test_places_are_those_of_the_matcher__RN_9(self):
        self.open()
        for _ in range(20):
            location = self.nav("topic", "echo", "car00007/location/matched", "--count", "1")[0]
            payload = location["payload"]
            if "lat_deg" in payload:
                break
        near = ("(([lon, lat], x, y) => Math.hypot((lon - x) * Math.cos(lat * Math.PI / 180), lat - y) * 111_200)"
                f"(navstack.placeOf('car00007'), {payload['lon_deg']}, {payload['lat_deg']})")
        self.assertLess(self.browser.value(near), 120, "within some seconds of driving")

    def test_a_vehicle_is_found_and_its_card_shown__RN_9(self):
        self.open()
        self.browser.wait("Boolean(navstack.model.counts.guided)", 60)
        name = self.browser.value("navstack.model.names.find((one, row) => navstack.model.stateOf(row) === 'guided')")
        self.browser.value(f"(() => {{ const s = document.getElementById('fleet-search'); s.value = '{name}'; s.oninput(); }})()")
        self.browser.wait("document.querySelectorAll('#fleet-list button').length === 1")
        self.click("#fleet-list button")
        self.browser.wait(f"navstack.state.chosen === '{name}' && !document.getElementById('vehicle').hidden")
        self.browser.wait("document.querySelectorAll('#vehicle-facts div').length > 1", 60)
        self.assertIn(f"?vehicle={name}", self.browser.value("document.getElementById('vehicle-page').href"))
        self.browser.value("document.getElementById('vehicle-close').click()")
        self.browser.wait("document.getElementById('vehicle').hidden && navstack.state.chosen === null")

    def test_a_click_on_the_map_chooses_a_vehicle__RN_9(self):
        self.open()
        self.browser.wait("!navstack.map.isMoving()")
        x, y = self.browser.value(
            "(() => { const { x, y } = navstack.map.project(navstack.placeOf('car00003')); const box = navstack.map.getCanvas().getBoundingClientRect();"
            " return [box.x + x, box.y + y]; })()")
        for kind in ("mousePressed", "mouseReleased"):
            self.browser.mouse(kind, x, y, button="left", clickCount=1)
        self.browser.wait("navstack.state.chosen !== null")

    def test_an_unseen_map_costs_nothing__RN_9(self):
        self.open()
        self.assertEqual(len(self.observers()), 1)
        self.browser.open("about:blank")
        ends = time.monotonic() + 20
        while self.observers():
            self.assertLess(time.monotonic(), ends, "the renderer goes on reading all vehicles")
            self.browser.receive(0.2)

    def test_the_dashboard_shows_a_fleet_as_one__RN_9(self):
        self.browser.open(f"{self.stack.url}stack?theme=day")
        self.browser.wait("window.navstack?.state.reports > 2", 60)
        self.browser.wait(f"navstack.state.report.topics.some((topic) => topic.name === '*/location/matched' && topic.vehicles > {HEARD})", 60)
        self.browser.wait("(({ hz }) => hz > 700 && hz < 1300)(navstack.state.report.topics.find((topic) => topic.name === '*/location/matched'))", 90)
        self.browser.wait("navstack.state.report.hops.length > 0 && navstack.state.report.vehicle.startsWith('car')", 60)
        self.shots("stack-fleet")
