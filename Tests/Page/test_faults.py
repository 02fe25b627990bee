"""What goes wrong on the road and in the stack, and every screen size, in the browser with every stage of the stack."""

import math
import os
import pathlib
import re
import signal
import time

from drawn_drive import bearing_deg, distance_m
from real_stack import RATE, Path, navstack
from stack_case import StackCase

HOME, OFFICE = (46.99714, -30.02392), (47.00287, -29.97645)
SCREENS = [(1920, 1080), (1920, 720), (1280, 720), (1024, 600), (800, 480), (844, 390), (640, 360), (390, 844), (768, 1024), (320, 568), (1080, 1920)]

# The rectangles of all cards over the map, by name.
CARDS = """Object.fromEntries(['guide', 'caption', 'signal', 'banner', 'speed', 'road', 'bar', 'fleet', 'overview', 'north', 'recentre',
  'search', 'preview', 'incident', 'stops', 'paused', 'simulation', 'maneuvers', 'settings', 'find', 'flow', 'set', 'repeat', 'sound', 'junction']
  .map((id) => [id, document.getElementById(id)])
  .concat([...document.getElementById('warnings').children].map((chip, i) => [`warning ${i}`, chip]))
  .filter(([, element]) => element.offsetParent !== null)
  .map(([name, element]) => {
    const {left, top, right, bottom} = element.getBoundingClientRect();
    // A chip without room lies outside its list, and is not seen.
    const list = name.startsWith('warning') ? element.parentElement.getBoundingClientRect() : null;
    return [name, [list ? Math.max(left, list.left) : left, top, list ? Math.min(right, list.right) : right, list ? Math.min(bottom, list.bottom) : bottom]];
  })
  .filter(([, [left, top, right, bottom]]) => right > left && bottom > top))"""

# Shows every part at once, with the longest texts that occur.
EVERYTHING = """(() => {
  const set = (id, html) => { const e = document.getElementById(id); e.innerHTML = html; e.hidden = false; };
  for (const id of ['guide', 'guide-sign', 'guide-lanes', 'guide-then', 'speed', 'limit', 'road', 'bar', 'overview', 'recentre', 'signal', 'repeat', 'sound', 'junction', 'junction-sign']) {
    document.getElementById(id).hidden = false;
  }
  set('guide-road', '<span class="shield">B 3</span>Berliner Straße');
  set('guide-sign', '<span class="exit">Exit 13</span><span class="shield">A 5</span><span>Frankfurt · Darmstadt</span>');
  const lane = (use) => `<div class="lane${use}"><svg viewBox="0 0 40 48"></svg><span>BUS</span></div>`;
  set('guide-lanes', lane('') + lane('') + lane(' use') + lane(' use'));
  set('junction-sign', '<span class="exit">Exit 13</span><span class="places"><span>Frankfurt</span><span>Darmstadt</span></span>');
  set('guide-then', 'Then');
  set('caption', 'In 300 Metern nehmen Sie die Ausfahrt 13 auf die A 5 Richtung Frankfurt und Darmstadt.');
  set('signal', 'No GPS signal');
  set('banner-text', '<b>6 min faster</b><span>1.2 km longer</span>');
  set('banner-buttons', '<button class="yes">Take it</button><button>Keep mine</button>');
  document.getElementById('banner').hidden = false;
  set('road', 'Theodor-Heuss-Straße');
  document.getElementById('warnings').innerHTML = ['Low-speed zone', 'Speed camera, 50 km/h'].map((text) =>
    `<div class="card warning"><svg viewBox="0 0 32 32"></svg><span>${text}</span><b>350 m</b></div>`).join('');
})()"""


def overlap(a, b):
    return min(a[2], b[2]) - max(a[0], b[0]) > 1 and min(a[3], b[3]) - max(a[1], b[1]) > 1


# Whether the vehicle stands at its place among the cards, and has stayed there for nine looks.
STAYS = """(() => { const {x, y} = navstack.state.indicator.screen, {spot} = navstack.state, last = window.lastSpot ?? {x: 0, y: 0};
  const stays = Math.hypot(x - spot.x, y - spot.y) < 2 && Math.hypot(spot.x - last.x, spot.y - last.y) < .5;
  window.stays = stays ? (window.stays ?? 0) + 1 : 0; window.lastSpot = spot; return window.stays > 8; })()"""


def cards_that_collide(browser, width, height, within_s=15):
    """What is wrong with the cards on this screen: sentences, none where all stand apart and beside the vehicle.

    The camera makes room for new cards within a moment.
    """
    ends = time.monotonic() + within_s
    while (faults := collisions(browser, width, height)) and time.monotonic() < ends:
        browser.receive(0.2)
    return faults


def collisions(browser, width, height):
    browser.value("window.stays = 0; 1")
    browser.wait(STAYS, 20)
    cards = browser.value(CARDS)
    x, y = browser.value("(({x, y}) => [x, y])(navstack.state.indicator.screen)")
    faults, names = [], sorted(cards)
    for i, one in enumerate(names):
        left, top, right, bottom = cards[one]
        if not (left >= -1 and top >= -1 and right <= width + 1 and bottom <= height + 1):
            faults.append(f"{one} leaves the screen: {cards[one]}")
        if overlap(cards[one], (x - 28, y - 28, x + 28, y + 28)):
            faults.append(f"{one} {cards[one]} covers the vehicle at {x:.0f},{y:.0f}")
        faults += [f"{one} {cards[one]} and {other} {cards[other]}" for other in names[i + 1:] if overlap(cards[one], cards[other])]
    return faults


class DrivenCase(StackCase):
    """On the way to the office of the demo town."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        office = {"lat_deg": OFFICE[0], "lon_deg": OFFICE[1], "name": "Office"}
        home = {"lat_deg": HOME[0], "lon_deg": HOME[1]}
        cls.office = office
        cls.route = cls.stack.call("route/calculate", {"waypoints": [home, office]})["routes"][0]
        cls.path = Path(navstack.polyline6(cls.route["shape"]))
        cls.stack.stand(cls.path.places[0])
        cls.browser.open(cls.stack.url)
        cls.browser.wait("window.navstack?.state.link === 'open'", 60)
        cls.at_m = 0.0

    def setUp(self):
        self.browser.errors.clear()

    # Driving.

    def guide(self, from_m):
        """Guidance from a place of the route to the office."""
        cls, stack = type(self), self.stack
        stack.call("navigate/stop", {})
        self.browser.wait("navstack.state.routeID === null")
        cls.at_m = from_m
        stack.heading = None
        # A place so far away is believed once several fixes agree.
        for _ in range(6):
            self.drive([(self.path.place(from_m), 0.0)] * 4)
            lon, lat = self.browser.value("navstack.state.indicator?.place ?? [0, 0]")
            if distance_m((lat, lon), self.path.place(from_m)) < 30:
                break
        self.drive(self.path.steps(5.0, from_m, from_m + 15))
        cls.at_m = from_m + 15
        for _ in range(5):
            stack.call("navigate/start", {"to": self.office})
            self.browser.wait("navstack.state.routeID && navstack.state.loaded", 60)
            # Until the jump is believed, a route begins where the vehicle was before.
            if abs(self.browser.value("navstack.state.routeLengthM") - (self.path.length_m - cls.at_m)) < 100:
                break
            stack.call("navigate/stop", {})
            self.browser.wait("navstack.state.routeID === null")
            self.go(30)
        self.go(10)

    def go(self, metres, speed_mps=14.0):
        self.drive(self.path.steps(speed_mps, self.at_m, self.at_m + metres))
        type(self).at_m += metres

    def processes(self, program):
        """The stack's processes of a program."""
        found = []
        for entry in pathlib.Path("/proc").iterdir():
            if entry.name.isdigit():
                try:
                    command = (entry / "cmdline").read_bytes().split(b"\0")
                    environment = (entry / "environ").read_bytes()
                except OSError:
                    continue
                if os.path.basename(command[0].decode()) == program and str(self.stack.folder).encode() in environment:
                    found.append(int(entry.name))
        return found


class HangTest(DrivenCase):
    def test_a_hung_renderer_and_a_lost_bus_are_told__RN_1__BUS_6(self):
        self.guide(700)
        renderer, = self.processes("nav-renderer")
        os.kill(renderer, signal.SIGSTOP)
        try:
            self.browser.wait("navstack.state.link === 'silent' && !document.getElementById('link').hidden", 5)
            self.assertIn("does not answer", self.text("link"))
            self.shot("fault-hung")
        finally:
            try:
                os.kill(renderer, signal.SIGCONT)
            except ProcessLookupError:
                pass
        self.browser.wait("navstack.state.link === 'open' && document.getElementById('link').hidden", 40)
        # Stopped, it takes no calls and publishes nothing, as one that hangs; the launcher replaces it.
        bus, = self.processes("nav-bus")
        os.kill(bus, signal.SIGSTOP)
        try:
            self.browser.wait("navstack.state.link === 'busless'", 15)
            self.assertIn("lost its bus", self.text("link"))
        finally:
            try:
                os.kill(bus, signal.SIGCONT)
            except ProcessLookupError:
                pass
        self.browser.wait("navstack.state.link === 'open' && document.getElementById('link').hidden", 60)
        # The other nodes find the bus again, and the drive goes on.
        ends = time.monotonic() + 60
        while time.monotonic() < ends and not self.browser.value("/^\\d+$/.test(document.getElementById('speed-value').innerText)"):
            self.go(14)
        self.assertEqual(self.browser.value("navstack.state.gps"), "known")


class FaultsTest(DrivenCase):
    # What the driver sees.

    def test_the_roundabout_arrow_leads_where_the_exit_does__RN_1(self):
        self.guide(0)
        maneuver = next(m for m in self.route["maneuvers"] if m["action"] == "roundabout")
        self.browser.wait("document.getElementById('guide-icon').querySelector('circle') !== null")
        x0, y0, x1, y1 = map(float, re.search(
            r"0 [01] [01] (-?[\d.]+) (-?[\d.]+)L(-?[\d.]+) (-?[\d.]+)", self.browser.value("document.getElementById('guide-icon').innerHTML")).groups())
        drawn = math.degrees(math.atan2(x1 - x0, y0 - y1))
        # The same road goes on behind the ring, and the arrow with it.
        ring = maneuver["offset_m"]
        turned = bearing_deg(self.path.place(ring + 120), self.path.place(ring + 180)) - bearing_deg(
            self.path.place(ring - 80), self.path.place(ring - 20))
        self.assertLess(abs((drawn - turned + 540) % 360 - 180), 15, f"drawn {drawn}, driven {turned}")
        self.assertIn("roundabout", self.browser.value("document.getElementById('guide-turn').getAttribute('aria-label')"))
        self.shot("fault-roundabout")

    def test_a_lost_location_is_told_and_forgotten__RN_1__RN_7(self):
        self.guide(400)
        # At a pace at which a busy machine loses no location by itself.
        self.stack.rate = 2
        self.addCleanup(setattr, self.stack, "rate", RATE)
        self.go(100)
        self.assertEqual(self.browser.value("navstack.state.gps"), "known")
        self.stack.tell_clock(is_paused=False)
        self.browser.wait("navstack.state.gps === 'lost'", 4)
        self.assertEqual(self.text("speed-value"), "–")
        self.assertEqual(self.text("signal"), "No GPS signal")
        self.assertTrue(self.browser.value("document.getElementById('limit').hidden"))
        self.assertEqual(self.browser.value("document.getElementById('indicator').dataset.style"), "grey")
        self.shot("fault-no-gps")
        self.stack.tell_clock(is_paused=False)
        self.go(42)
        self.browser.wait("navstack.state.gps === 'known' && document.getElementById('signal').hidden", 2)

    def test_off_the_route_the_panel_leads_back__RN_1(self):
        self.guide(900)
        self.stack.call("navigate/set_rerouting", {"policy": "ask"})
        try:
            here = self.path.place(self.at_m)
            # Nothing lies here but meadow: the road is left at a right angle.
            away = math.radians(bearing_deg(here, self.path.place(self.at_m + 30)) + 90)
            side = [(here[0] + math.cos(away) * m / 111_195, here[1] + math.sin(away) * m / 111_195 / math.cos(math.radians(here[0])))
                    for m in range(0, 300, 14)]
            self.drive([(place, 14.0) for place in side[1:]])
            self.browser.wait("document.getElementById('guide-road').innerText === 'Off the route'")
            self.assertFalse(self.browser.value("document.getElementById('guide').hidden"))
            self.assertEqual(self.text("bar-eta"), "–")
            left = self.browser.value("[...document.getElementById('warnings').children].map((chip) => chip.innerText).join()")
            self.assertNotRegex(left, "Toll|Merging|Lane ends", "what lay ahead on the route is told no more")
            left_m = distance_m(side[-1], here)
            self.browser.wait(f"Math.abs(parseFloat(document.getElementById('guide-distance').innerText) - {left_m}) < 40", 10)
            back = bearing_deg(side[-1], here)
            self.browser.wait(
                "(() => { const turned = Number(/rotate\\((\\d+) /.exec(document.getElementById('guide-icon').innerHTML)?.[1] ?? NaN);"
                f" const off = Math.abs(turned - ({back} - navstack.map.getBearing())) % 360; return Math.min(off, 360 - off) <= 20; }})()")
            self.shot("fault-off-route")
            self.drive([(place, 14.0) for place in reversed(side[:-1])])
            self.go(60)
            self.browser.wait("document.getElementById('guide-road').innerText !== 'Off the route'")
        finally:
            self.stack.call("navigate/set_rerouting", {"policy": "automatic"})

    def test_before_the_destination_nothing_is_reached__RN_1(self):
        self.guide(self.path.length_m - 400)
        self.go(120)
        self.browser.wait("/Office/.test(document.getElementById('guide-road').innerText)")
        self.assertRegex(self.text("guide-road"), r"^Office(, on the (left|right))?$")
        self.shot("fault-arriving")

    def test_after_the_arrival_no_warning_stays__RN_1(self):
        self.guide(self.path.length_m - 300)
        self.go(self.path.length_m - self.at_m - 1)
        end = self.path.place(self.path.length_m)
        # The low-speed zone behind the office lies ahead, but nobody drives there.
        self.drive([(end, 0.0)] * 12)
        self.browser.wait("navstack.state.banner === 'arrival'", 15)
        self.drive([(end, 0.0)] * 5)
        self.assertEqual(self.browser.value("document.getElementById('warnings').childElementCount"), 0)
        self.shot("fault-arrived")

    def test_speed_is_red_when_guidance_says_so__RN_1__EV_3(self):
        self.guide(500)
        self.go(60, speed_mps=9)
        self.assertFalse(self.browser.value("document.getElementById('speed').classList.contains('over')"))
        limit = int(self.text("limit"))
        fast = (limit + 25) / 3.6
        self.go(fast * 6, speed_mps=fast)
        self.browser.wait("document.getElementById('speed').classList.contains('over')")
        self.assertTrue(self.browser.value("document.getElementById('speed').classList.contains('far')"))
        self.shot("fault-too-fast")
        self.go(60, speed_mps=9)
        self.browser.wait("!document.getElementById('speed').classList.contains('over')")

    def test_a_pin_stays_where_it_was_dropped__RN_1(self):
        self.guide(600)
        browser = self.browser
        browser.mouse("mousePressed", 700, 300, button="left", clickCount=1)
        browser.mouse("mouseReleased", 700, 300, button="left", clickCount=1)
        self.go(30)
        self.assertIsNone(browser.value("navstack.state.pin"), "a tap while driving asks nothing")
        browser.mouse("mousePressed", 700, 300, button="right", clickCount=1)
        browser.mouse("mouseReleased", 700, 300, button="right", clickCount=1)
        place = browser.wait("navstack.state.pin")
        self.assertFalse(browser.value("document.getElementById('choice').hidden"))
        self.go(80)
        self.assertEqual(browser.value("navstack.state.pin"), place)
        x, y = browser.value("(({x, y}) => [x, y])(navstack.map.project(navstack.state.pin))")
        box = browser.value("(({left, right, bottom}) => [left, right, bottom])(document.getElementById('choice').getBoundingClientRect())")
        self.assertTrue(box[0] - 1 <= x <= box[1] + 1 or box[0] <= 9 or box[1] >= 1271, f"the question {box} moves with its pin {x}")
        browser.command("Input.dispatchKeyEvent", type="keyDown", key="Escape", code="Escape", windowsVirtualKeyCode=27)
        browser.wait("navstack.state.pin === null && document.getElementById('choice').hidden")
        browser.resize(390, 844, mobile=True)
        try:
            browser.wait("navstack.map.getContainer().clientWidth === 390 && navstack.map.getCanvas().clientWidth === 390")
            browser.mouse("mousePressed", 380, 500, button="right", clickCount=1)
            browser.mouse("mouseReleased", 380, 500, button="right", clickCount=1)
            browser.wait("navstack.state.pin")
            left, right = browser.value("(({left, right}) => [left, right])(document.getElementById('choice').getBoundingClientRect())")
            self.assertTrue(left >= 0 and right <= 390, f"{left} to {right} of 390")
            browser.value("document.querySelector('#choice button:last-child').click()")
            browser.wait("navstack.state.pin === null")
        finally:
            browser.resize(1280, 720)

    def test_a_reload_keeps_what_still_applies__RN_1(self):
        self.guide(800)
        self.go(20)
        route = self.browser.value("navstack.state.routeID")
        self.stack.publisher.publish("ego/route/better", {
            "id": "b-1", "state": "proposed", "route_id": route, "gain_s": 240.0, "longer_m": 0.0, "shape_changed": True}, self.stack.now_ns)
        self.browser.wait("navstack.state.banner === 'better'")
        self.assertIn("as long", self.text("banner"))
        self.browser.open(self.stack.url)
        self.browser.wait("window.navstack?.state.banner === 'better'", 60)
        self.stack.publisher.publish("ego/route/better", {
            "id": "b-1", "state": "withdrawn", "route_id": route, "gain_s": 240.0, "longer_m": 0.0, "shape_changed": True}, self.stack.now_ns)
        self.browser.wait("navstack.state.banner === null")
        self.browser.open(self.stack.url)
        self.browser.wait("window.navstack?.state.routeID", 60)
        self.assertIsNone(self.browser.value("navstack.state.banner"))

    def test_a_jam_on_the_route_is_shown_within_seconds__RN_3__TR_4(self):
        self.guide(300)
        columns = self.route["segments"]
        # Far more roads than jam, as in the feed of a city.
        roads = [(way, 1, 2, 13_000, 0) for way in range(900_000, 900_100)]
        jam = [(way, first, last, 1_500, 88) for way, first, last, start in zip(
            columns["way"], columns["from"], columns["to"], columns["start_m"]) if 1500 < start < 2600]
        self.assertGreater(len(jam), 1)
        self.feed(roads)
        self.addCleanup(self.feed, [])
        self.go(14 * 30)
        before_s = self.browser.value("navstack.state.scene.panel.remaining_s")
        self.assertNotIn("+", self.text("bar-time-label"))
        self.feed(roads + jam)
        self.go(14 * 20)
        gradient = self.browser.value("JSON.stringify(navstack.map.getPaintProperty('nav-ahead', 'line-gradient'))")
        palette = self.browser.value("navstack.map.getStyle().metadata.palette")
        self.assertIn(palette["jam"], gradient)
        added = re.search(r"\+(\d+) min", self.text("bar-time-label"))
        self.assertIsNotNone(added, self.text("bar-time-label"))
        after_s = self.browser.value("navstack.state.scene.panel.remaining_s")
        self.assertAlmostEqual(after_s - before_s, int(added[1]) * 60, delta=60, msg="one delay everywhere")
        self.shot("fault-jam")
        self.feed(roads)
        self.go(14 * 40)
        self.assertNotIn("+", self.text("bar-time-label"))

    def feed(self, rows):
        """Publishes the speeds of a feed: (way, from, to, mm/s, jam factor in tenths)."""
        names = ("way", "from", "to", "speed_mmps", "jam_factor")
        columns = {name: [row[i] for row in rows] for i, name in enumerate(names)} | {"until_s": [0] * len(rows)}
        self.stack.publisher.publish("ego/traffic/flow", {
            "feed": "city", "observed_ns": self.stack.now_ns, "until_ns": self.stack.now_ns + 3600 * 10**9, "speed_kind": "live",
            "flow": columns}, self.stack.now_ns, key="city")

    def test_sea_woods_and_houses_are_drawn__RN_1(self):
        self.guide(300)
        browser = self.browser
        browser.drag((640, 300), (700, 320))
        browser.wait("navstack.state.camera === 'free'")

        def look(lon, lat, zoom, wanted, other=""):
            """Waits until `wanted` is drawn at a place; `other` is not drawn there then."""
            browser.value(f"navstack.map.jumpTo({{center: [{lon}, {lat}], zoom: {zoom}, pitch: 0, bearing: 0}}); 1")
            there = ("navstack.map.queryRenderedFeatures(navstack.map.project(navstack.map.getCenter()))"
                     ".map((f) => `${f.layer.id} ${f.properties.kind}`)")
            browser.wait(f"navstack.map.areTilesLoaded() && {there}.includes('{wanted}')", 30)
            self.assertNotIn(other, browser.value(there))
        try:
            look(-29.99, 46.975, 14, "water sea")
            look(-29.985, 46.986, 14, "landuse industrial", "water sea")
            look(-30.046, 47.0, 13, "landuse wood", "water sea")
            look(-30.0338, 47.0067, 15, "water water", "water sea")
            look(-30.0, 46.999, 16, "landuse residential", "water sea")
            browser.wait("navstack.map.queryRenderedFeatures({layers: ['building-3d']}).length > 20", 30)
            # Each name of a place once on the screen.
            names = browser.value("navstack.map.queryRenderedFeatures({layers: ['poi', 'place']}).map((f) => f.properties.name)")
            self.assertEqual(len(names), len(set(names)), names)
            self.shot("map-houses")
        finally:
            browser.value("document.getElementById('recentre').click()")
            browser.wait("navstack.state.camera === 'tracking'", 15)

    def test_lanes_show_the_arrow_to_follow__RN_1__EV_6(self):
        cls = type(self)
        for name in ("path", "office"):
            self.addCleanup(setattr, cls, name, getattr(cls, name))
        cls.office = {"lat_deg": 46.99941, "lon_deg": -30.0002, "name": "Town Hall"}
        home = {"lat_deg": HOME[0], "lon_deg": HOME[1]}
        route = self.stack.call("route/calculate", {"waypoints": [home, cls.office]})["routes"][0]
        cls.path = Path(navstack.polyline6(route["shape"]))
        maneuver = next(m for m in route["maneuvers"] if any(lane.get("active") for lane in m["lanes"]))
        self.assertIn(["through", "right"], [lane["directions"] for lane in maneuver["lanes"]])
        self.guide(maneuver["offset_m"] - 400)
        self.go(280)
        self.browser.wait("!document.getElementById('guide-lanes').hidden", 15)
        shown = self.browser.value(
            "[...document.querySelectorAll('#guide-lanes .lane')].map((lane) => [lane.classList.contains('use'), lane.dataset.active])")
        told = [[lane.get("recommendation", "not_recommended") != "not_recommended", lane.get("active", "")] for lane in maneuver["lanes"]]
        self.assertEqual(shown, told)
        self.assertRegex(self.browser.value("document.getElementById('guide-lanes').getAttribute('aria-label')"), r"^Lanes? \d")
        self.shot("fault-lanes")

    def test_beyond_the_map_it_is_said__RN_1(self):
        self.guide(300)
        self.assertTrue(self.browser.value("document.getElementById('beyond').hidden"))
        self.browser.drag((640, 300), (700, 320))
        self.browser.wait("navstack.state.camera === 'free'")
        self.browser.value("navstack.map.jumpTo({center: [10, 50], zoom: 12}); 1")
        self.browser.wait("!document.getElementById('beyond').hidden")
        self.assertIn("does not reach here", self.text("beyond"))
        self.browser.value("document.getElementById('recentre').click()")
        self.browser.wait("document.getElementById('beyond').hidden", 15)

    # Every screen.

    def test_no_card_covers_another_or_the_vehicle_on_any_screen__RN_1(self):
        self.guide(1000)
        self.go(60)
        for width, height in SCREENS:
            with self.subTest(screen=f"{width}x{height}"):
                self.browser.resize(width, height)
                self.browser.wait(f"innerWidth === {width} && innerHeight === {height}")
                self.browser.value(EVERYTHING)
                self.assertEqual(cards_that_collide(self.browser, width, height), [])
                self.shot(f"screen-{width}x{height}")
        self.browser.resize(1280, 720)

    def test_the_overview_is_fitted_again_on_another_screen__RN_2(self):
        self.guide(1100)
        self.browser.value("document.getElementById('overview').click()")
        for width, height in ((1280, 720), (390, 844), (844, 390)):
            with self.subTest(screen=f"{width}x{height}"):
                self.browser.resize(width, height)
                self.browser.wait(f"innerWidth === {width} && !navstack.map.isMoving()", 15)
                self.browser.wait(
                    "navstack.map.getSource('nav-route')._data && [navstack.map.getSource('nav-route')._data]"
                    ".flatMap((d) => (d.geojson ?? d).features[0].geometry.coordinates).map((c) => navstack.map.project(c))"
                    f".every(({{x, y}}) => x >= 0 && y >= 0 && x <= {width} && y <= {height})", 10)
                self.shot(f"overview-{width}x{height}")
        self.browser.resize(1280, 720)
        self.browser.value("document.getElementById('recentre').click()")
        self.browser.wait("navstack.state.camera === 'tracking'")
