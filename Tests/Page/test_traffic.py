"""Traffic on the whole map, incidents with their cards, and warnings as marks."""

import json
import subprocess
import time
import urllib.error
import urllib.request

import navstack
from page_case import PageCase
from test_faults import CARDS, DrivenCase, overlap

# Metres between two looks at whether a line is in view.
SAMPLE = 1 / 200
SOURCE = "navstack.map.getSource('flow')"
IS_DRAWN = f"{SOURCE} && navstack.map.isSourceLoaded('flow') && navstack.map.areTilesLoaded()"
# By edge, what the features in the tiles say; lines as [lon, lat].
FEATURES = """navstack.map.querySourceFeatures('flow', {sourceLayer: 'flow'})
  .map(({properties, geometry}) => ({...properties, lines: geometry.type === 'LineString' ? [geometry.coordinates] : geometry.coordinates}))"""


def is_seen(lines, view, more_deg):
    """Whether one of the lines passes through a view (west, south, east, north) that is larger by some degrees."""
    west, south, east, north = view
    for line in lines:
        for (x1, y1), (x2, y2) in zip(line, line[1:]):
            for i in range(201):
                x, y = x1 + (x2 - x1) * i * SAMPLE, y1 + (y2 - y1) * i * SAMPLE
                if west - more_deg < x < east + more_deg and south - more_deg < y < north + more_deg:
                    return True
    return False


class TrafficLayerTest(DrivenCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        town = cls.stack.folder / "town.osm"
        lines = subprocess.run(
            [cls.stack.programs / "nav", "map", "edges", "--motor", town], check=True, capture_output=True, text=True).stdout.splitlines()
        cls.edges = [json.loads(line.lstrip("\x1e")) for line in lines]

    def setUp(self):
        super().setUp()
        if self.browser.value("document.getElementById('flow').getAttribute('aria-pressed')") == "true":
            self.click_flow()
        self.browser.requests.clear()

    def tearDown(self):
        self.browser.value("localStorage.clear()")
        self.assertEqual(self.browser.errors, [])

    def publish_flow(self, jam_of, feed="made"):
        """Publishes a jam factor in tenths for each edge for which `jam_of(number, edge)` gives one."""
        rows = [(edge["properties"], jam_of(number, edge)) for number, edge in enumerate(self.edges)]
        rows = [(edge, jam) for edge, jam in rows if jam is not None]
        columns = {
            "way": [edge["way"] for edge, _ in rows], "from": [edge["from"] for edge, _ in rows], "to": [edge["to"] for edge, _ in rows],
            "speed_mmps": [0 if jam == 100 else 5000 for _, jam in rows], "jam_factor": [jam for _, jam in rows], "until_s": [0] * len(rows),
        }
        self.stack.publisher.publish("ego/traffic/flow", {
            "feed": feed, "observed_ns": self.stack.now_ns, "until_ns": self.stack.now_ns + 3_600_000_000_000, "speed_kind": "live",
            "flow": {name: navstack.packed(values) for name, values in columns.items()}}, self.stack.now_ns, key=feed)
        return len(rows)

    def publish_incidents(self, incidents, feed="made"):
        self.stack.publisher.publish(
            "ego/traffic/incidents", {"feed": feed, "observed_ns": self.stack.now_ns, "incidents": incidents}, self.stack.now_ns, key=feed)

    def look_at(self, lon, lat, zoom):
        """Frees the camera, and shows a place."""
        self.browser.drag((900, 300), (930, 320))
        self.browser.wait("navstack.state.camera === 'free'")
        self.browser.value(f"void navstack.map.jumpTo({{center: [{lon}, {lat}], zoom: {zoom}, pitch: 0, bearing: 0}})")

    def version(self):
        return self.browser.value(f"new URL({SOURCE}.tiles[0]).searchParams.get('version')")

    def click_flow(self):
        self.browser.value("document.getElementById('flow').click()")

    def press(self, key, code):
        text = {"text": key} if len(key) == 1 else {}
        for kind in ("keyDown", "keyUp"):
            self.browser.command("Input.dispatchKeyEvent", type=kind, key=key, windowsVirtualKeyCode=code, **(text if kind == "keyDown" else {}))

    def test_the_flow_of_the_whole_map_is_drawn__RN_8(self):
        self.guide(400)
        levels = {0: 5, 1: 50, 2: 85, 3: 100}
        count = self.publish_flow(lambda number, _: levels[number % 4])
        self.assertGreater(count, 500)
        self.assertFalse(any("/flow/" in url for url in self.browser.requests), "nobody looks, and nothing is asked for")
        self.assertIsNone(self.browser.value(f"{SOURCE}?.id ?? null"))
        self.click_flow()
        self.browser.wait(IS_DRAWN, 30)
        self.assertEqual(self.browser.value("document.getElementById('flow').getAttribute('aria-pressed')"), "true")
        lat, lon = self.path.place(900)
        self.look_at(lon, lat, 15.2)
        self.browser.wait(f"{IS_DRAWN} && {FEATURES}.length > 0", 30)
        view = self.browser.value("navstack.map.getBounds().toArray().flat()")
        # A unit of a tile is 0.6 m.
        surely = {edge["properties"]["edge"] for edge in self.edges if is_seen([edge["geometry"]["coordinates"]], view, -3e-5)}
        maybe = {edge["properties"]["edge"] for edge in self.edges if is_seen([edge["geometry"]["coordinates"]], view, 3e-5)}
        # The map asks for the tiles of the new view a frame later.
        ends = time.monotonic() + 20
        while True:
            found = {}
            for feature in self.browser.value(FEATURES):
                found.setdefault(feature["edge"], []).append(feature)
            seen = {edge for edge, parts in found.items() if any(is_seen(part["lines"], view, 0) for part in parts)}
            if surely <= seen or time.monotonic() > ends:
                break
            self.browser.receive(0.2)
        self.assertGreater(len(surely), 30)
        self.assertLessEqual(surely, seen, "each segment with flow in view is a feature")
        self.assertLessEqual(seen, maybe, "and nothing else is")
        number_of = {edge["properties"]["edge"]: number for number, edge in enumerate(self.edges)}
        words = {5: "free", 50: "slow", 85: "jam", 100: "closed"}
        for edge, parts in found.items():
            jam = levels[number_of[edge] % 4]
            self.assertEqual({(part["jam"], part["level"]) for part in parts}, {(jam, words[jam])})
        drawn = self.browser.value("[...new Set(navstack.map.queryRenderedFeatures({layers: ['flow', 'flow-closed']}).map((f) => f.properties.level))].sort()")
        self.assertEqual(drawn, ["closed", "jam", "slow"], "free roads keep their own colour")
        self.shot("flow")
        # New flow has a new version; the page takes no other.
        before = self.version()
        self.publish_flow(lambda number, _: 85 if number % 2 else None)
        self.browser.wait(f"new URL({SOURCE}.tiles[0]).searchParams.get('version') !== '{before}'", 15)
        self.browser.wait(f"{IS_DRAWN} && {FEATURES}.length > 0 && {FEATURES}.every(({{level}}) => level === 'jam')", 15)
        # A reload keeps the switch.
        self.browser.open(self.stack.url)
        self.browser.wait(f"window.navstack?.state.loaded && {IS_DRAWN}", 60)
        # Off again: nothing is asked for, wherever the driver looks.
        self.click_flow()
        self.assertIsNone(self.browser.value(f"{SOURCE}?.id ?? null"))
        self.browser.requests.clear()
        lat, lon = self.path.place(2500)
        self.look_at(lon, lat, 14.2)
        self.browser.wait("navstack.map.areTilesLoaded() && !navstack.map.isMoving()", 20)
        self.browser.value("new Promise((done) => navstack.map.once('idle', () => done(true)).triggerRepaint())")
        self.assertEqual([url for url in self.browser.requests if "/flow/" in url], [])

    def test_the_layer_is_hidden_by_call__RN_7__RN_8(self):
        self.publish_flow(lambda number, _: 85)
        self.click_flow()
        self.browser.wait(IS_DRAWN, 30)
        self.stack.call("scene/control", {"layers": [{"name": "flow", "visible": False}]})
        self.browser.wait(f"!{SOURCE}")
        self.stack.call("scene/control", {"layers": [{"name": "flow", "visible": True}]})
        self.browser.wait(IS_DRAWN, 30)

    def test_bad_values_are_not_shown_and_are_told__RN_8__BUS_5(self):
        self.click_flow()
        self.publish_flow(lambda number, _: -7 if number % 2 else 900, feed="broken")
        count = self.publish_flow(lambda number, _: 85 if number < 40 else None)
        self.browser.wait(f"{IS_DRAWN} && document.getElementById('flow').dataset.segments === '{count}'", 30)
        self.assertIn("traffic/flow broken", self.stack.output)
        self.assertIn("rows are not shown", self.stack.output)
        # Bytes that are no flow at all are refused, and the rest stays.
        request = urllib.request.Request(f"{self.stack.url}flow/99/0/0.mvt?vehicle=ego")
        with self.assertRaises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(request)
        self.assertEqual(refused.exception.code, 400)

    def test_incidents_have_signs_and_a_card__RN_1__RN_8(self):
        self.guide(400)
        kinds = ["accident", "congestion", "construction", "road_closed", "lane_restriction", "vehicle_broken_down", "obstacle", "weather",
                 "event", "other"]
        lat, lon = self.path.place(900)
        edge = next(edge["properties"] for edge in self.edges if edge["properties"]["length_m"] > 150)
        now = self.stack.now_ns
        incidents = [{
            "id": f"i-{i}", "kind": kind, "text": f"<b>{kind}</b> on the way", "lat_deg": lat + 0.0008 * (i % 2), "lon_deg": lon + 0.0006 * (i - 5),
            "segments": [{name: edge[name] for name in ("way", "from", "to")}] if kind == "accident" else [], "delay_s": 420.0,
            "from_ns": now - 60_000_000_000, "until_ns": now + 3_600_000_000_000} for i, kind in enumerate(kinds)]
        # One without a place is shown where its road begins.
        incidents.append({"id": "i-10", "kind": "event", "segments": incidents[0]["segments"]})
        self.publish_incidents(incidents)
        self.look_at(lon, lat, 16.5)
        rendered = "[...new Set(navstack.map.queryRenderedFeatures({layers: ['nav-incidents']}).map((f) => f.properties.kind))].sort()"
        self.browser.wait(f"{rendered}.length === {len(kinds)}", 20)
        self.assertEqual(self.browser.value(rendered), sorted(kinds))
        placed = "(navstack.map.getSource('nav-incidents')._data.geojson ?? navstack.map.getSource('nav-incidents')._data).features"
        self.assertEqual(self.browser.value(f"{placed}.length"), len(incidents))
        self.shot("incidents")
        x, y = self.browser.value(
            f"(({{x, y}}) => [x, y])(navstack.map.project([{incidents[0]['lon_deg']}, {incidents[0]['lat_deg']}]))")
        # The map finds a sign at a point after it has placed the signs of the new view.
        self.browser.wait(f"navstack.map.queryRenderedFeatures([{x}, {y}], {{layers: ['nav-incidents']}}).length > 0")
        for kind in ("mousePressed", "mouseReleased"):
            self.browser.mouse(kind, x, y, button="left", clickCount=1)
        self.browser.wait("!document.getElementById('incident').hidden")
        self.assertEqual(self.text("incident-name"), "Accident")
        body = self.text("incident-body")
        self.assertIn("<b>accident</b> on the way", body, "texts of feeds are not markup")
        self.assertRegex(body, r"Delay\s+7 min")
        self.assertRegex(body, rf"Length\s+{round(edge['length_m'] / 10) * 10} m")
        self.assertRegex(body, r"From\s+.*\d\d:\d\d\s+Until\s+.*\d\d:\d\d")
        self.browser.value("document.getElementById('recentre').click()")
        self.browser.wait("navstack.state.camera === 'tracking'")
        self.go(20)
        cards, (x, y) = self.browser.value(CARDS), self.browser.value("(({x, y}) => [x, y])(navstack.state.indicator.screen)")
        self.assertIn("incident", cards)
        for name, card in cards.items():
            self.assertFalse(overlap(card, (x - 28, y - 28, x + 28, y + 28)), name)
            self.assertTrue(name == "incident" or not overlap(card, cards["incident"]), name)
        self.shot("incident-card")
        self.press("Escape", 27)
        self.assertTrue(self.browser.value("document.getElementById('incident').hidden"))
        # By the keyboard: the nearest one, then the next.
        self.press("i", 73)
        first = self.browser.wait("!document.getElementById('incident').hidden && document.getElementById('incident-name').innerText")
        self.press("i", 73)
        self.browser.wait(f"document.getElementById('incident-name').innerText !== {first!r}")
        # One that has ended is gone, and its card with it.
        self.publish_incidents([])
        self.browser.wait(f"{placed}.length === 0 && document.getElementById('incident').hidden")


class WarningMarksTest(PageCase):
    def test_warnings_have_marks_and_survive_a_reload__RN_1__EV_4(self):
        self.begin()
        self.drive_for(2)
        places = [self.drive.shape[len(self.drive.shape) * share // 10] for share in (4, 6, 8)]
        kinds = ["school_zone", "safety_camera", "stop"]
        warnings = [{
            "id": f"w-{i}", "kind": kind, "event": "ahead", "distance_m": 300.0 + 200 * i, "lat_deg": lat, "lon_deg": lon, "route_id": self.drive.route_id}
            for i, (kind, (lat, lon)) in enumerate(zip(kinds, places))]
        for warning in reversed(warnings):
            self.stack.publish("guidance/warning", self.drive.now_ns, warning)
        marks = "(navstack.map.getSource('nav-warnings')._data.geojson ?? navstack.map.getSource('nav-warnings')._data).features.map((f) => f.properties.kind).sort()"
        chips = "[...document.querySelectorAll('#warnings .warning')].map((chip) => chip.dataset.kind)"
        self.browser.wait(f"{marks}.length === 3")
        self.drive_for(1)
        self.assertEqual(self.browser.value(marks), sorted(kinds))
        self.assertEqual(self.browser.value(chips), kinds[:2], "the next two, in their order")
        # What lies ahead is there after a reload, too.
        self.browser.open(self.stack.url)
        self.browser.wait("window.navstack?.state.routeID && navstack.state.loaded", 60)
        ends = time.monotonic() + 20
        while self.browser.value(marks) != sorted(kinds) and time.monotonic() < ends:
            self.drive_for(1)
        self.assertEqual(self.browser.value(marks), sorted(kinds))
        self.assertEqual(len(self.browser.value(chips)), 2)
        self.browser.value("document.getElementById('overview').click()")
        self.browser.wait("navstack.map.queryRenderedFeatures({layers: ['nav-warnings']}).length > 0", 20)
        self.shot("warning-marks")
        for warning in warnings:
            self.stack.publish("guidance/warning", self.drive.now_ns, warning | {"event": "passed"})
        self.browser.wait(f"{marks}.length === 0 && {chips}.length === 0")
        self.assertEqual(self.browser.errors, [])
