"""Stops, categories, vehicles, the chosen route and the simulated drive in the browser, with every stage of the stack."""

from real_stack import navstack
from stack_case import StackCase
from test_faults import CARDS, HOME, SCREENS, overlap
from test_navigation import KEYS

STOPS = """[...document.querySelectorAll('#%s li')].map((row) => [row.querySelector('b').innerText, row.querySelector('.detail').innerText])"""
READY = "document.getElementById('preview-status').innerText === '' && navstack.state.preview?.routes > 0"


class TripTest(StackCase):
    """A simulated driver in the demo town."""

    location = {
        "source": "simulator", "rate": 4.0, "start_at": f"{HOME[0]},{HOME[1]}", "start_time": "2026-06-01T10:00:00Z",
        "start_bearing_deg": 0.0,
    }

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.browser.open(cls.stack.url)
        cls.browser.wait("window.navstack?.state.link === 'open' && navstack.state.indicator && navstack.state.simulation", 60)

    def setUp(self):
        self.browser.errors.clear()
        self.control(command="resume")
        self.control(command="rate", rate=4)
        self.stack.call("navigate/stop", {})
        self.browser.wait("navstack.state.routeID === null")

    def tearDown(self):
        for _ in range(3):
            self.press("Escape")
        self.browser.wait("document.querySelectorAll('.dialog:not([hidden])').length === 0")
        self.assertEqual(self.browser.errors, [])

    # The stack.

    def control(self, **request):
        return self.stack.call("location/control", request)

    def active(self):
        """The last route/active on the bus."""
        with navstack.subscribe(self.stack.base, "ego/route/active", timeout_s=10) as messages:
            return next(payload for _, _, payload in messages)

    def names(self):
        """The names of the stops of the active route, the origin left out."""
        return [waypoint["original"]["name"] for waypoint in self.active()["route"]["waypoints"][1:]]

    def place(self, name):
        found = self.stack.call("place/find", {"text": name})["places"][0]
        return {"lat_deg": found["lat_deg"], "lon_deg": found["lon_deg"], "name": name}

    def start(self, *names):
        """Guidance through places of the town."""
        self.stack.call("navigate/start", {"waypoints": [self.place(name) for name in names]})
        self.browser.wait("navstack.state.routeID && !document.getElementById('bar').hidden", 20)

    # The page.

    def press(self, key):
        text = {"text": key} if len(key) == 1 else {"text": "\r"} if key == "Enter" else {}
        for kind in ("keyDown", "keyUp"):
            self.browser.command("Input.dispatchKeyEvent", type=kind, key=key, windowsVirtualKeyCode=KEYS[key], **(text if kind == "keyDown" else {}))

    def middle(self, selector):
        return self.browser.value(
            "(({x, y, width, height}) => [x + width / 2, y + height / 2])(((e) => { e.scrollIntoView({block: 'nearest'}); return e; })"
            f"(document.querySelector({selector!r})).getBoundingClientRect())")

    def click(self, selector):
        x, y = self.middle(selector)
        for kind in ("mousePressed", "mouseReleased"):
            self.browser.mouse(kind, x, y, button="left", clickCount=1)

    def type(self, text):
        """Types into the open search until its places are listed."""
        self.browser.wait("document.activeElement.id === 'search-text'")
        self.browser.command("Input.insertText", text=text)
        self.browser.wait(f"document.querySelector('#search-list li b')?.innerText.startsWith({text[:3]!r})"
                          " && !document.getElementById('search-list').classList.contains('old')", 5)

    def preview(self, name):
        self.press("/")
        self.type(name)
        self.press("Enter")
        self.browser.wait(READY, 10)

    def rows(self, element="preview-stops"):
        return [name for name, _ in self.browser.value(STOPS % element)]

    def drag_row(self, element, start, to):
        x, y = self.middle(f"#{element} li:nth-child({start}) .handle")
        _, end = self.middle(f"#{element} li:nth-child({to}) .handle")
        self.browser.drag((x, y), (x, end + (4 if to > start else -4)))

    # Search.

    def test_places_of_a_category_are_found__RT_20__RN_1(self):
        self.click("#find")
        self.browser.wait("document.activeElement.id === 'search-text'")
        self.assertTrue(self.browser.value("document.querySelector('#search-categories .along').hidden"), "there is no route")
        self.click("[data-category=hospital]")
        self.browser.wait("document.querySelector('#search-list li b')?.innerText === 'Ashfield Hospital'", 5)
        self.shot("trip-categories")
        self.click("[data-category=hospital]")
        # Without a category the recent destinations are listed again.
        self.browser.wait("document.querySelector('#search-list li b')?.innerText !== 'Ashfield Hospital'")
        # The nearest first.
        self.click("[data-category=hotel]")
        self.browser.wait("document.querySelectorAll('#search-list li').length >= 2", 5)
        far = self.browser.value("[...document.querySelectorAll('#search-list .far')].map((e) => parseFloat(e.innerText))")
        self.assertEqual(far, sorted(far))
        # What this map does not have is said.
        self.click("[data-category=charging_station]")
        self.browser.wait("document.getElementById('search-status').innerText === 'Nothing found'", 5)
        self.press("Escape")
        # Intersections and coordinates need no category.
        self.press("/")
        self.type("47.0, -30.01")
        self.assertEqual(self.browser.value("document.querySelector('#search-list div span').innerText"), "Coordinates")

    def test_places_along_the_route_are_found__RT_20(self):
        self.start("Office")
        self.press("/")
        self.click("[data-category=station]")
        self.browser.wait("document.querySelectorAll('#search-list li').length > 0", 5)
        self.click("#search-categories .along")
        self.browser.wait("document.querySelector('#search-categories .along').ariaPressed === 'true'"
                          " && !document.getElementById('search-list').classList.contains('old')", 5)
        route = navstack.polyline6(self.active()["route"]["shape"])
        for name in self.browser.value("[...document.querySelectorAll('#search-list b')].map((e) => e.innerText)"):
            place = self.place(name)
            self.assertLess(min(abs(lat - place["lat_deg"]) + abs(lon - place["lon_deg"]) for lat, lon in route), 0.03)

    # Before the start.

    def test_stops_are_added_ordered_and_removed_before_the_start__RN_1__RT_1__PR_10(self):
        self.preview("Office")
        self.assertEqual(self.rows(), [], "one place needs no list")
        self.click("#preview-add")
        self.type("Town Hall")
        self.press("Enter")
        self.browser.wait(READY, 10)
        self.click("#preview-add")
        self.type("Central Station")
        self.press("Enter")
        self.browser.wait(READY, 10)
        self.assertEqual(self.rows(), ["Town Hall", "Central Station", "Office"])
        details = [detail for _, detail in self.browser.value(STOPS % "preview-stops")]
        for detail in details:
            self.assertRegex(detail, r"^\d+ min · [\d.]+ k?m$")
        minutes = [int(detail.split()[0]) for detail in details]
        self.assertEqual(minutes, sorted(minutes))
        self.browser.wait("!navstack.map.isMoving() && navstack.map.areTilesLoaded()")
        self.shot("trip-preview-stops")
        # By the pointer, by a button, and a stop less.
        self.drag_row("preview-stops", 2, 1)
        self.browser.wait("document.querySelector('#preview-stops b').innerText === 'Central Station'")
        self.browser.wait(READY, 10)
        self.click("#preview-stops li:nth-child(2) .down")
        self.browser.wait(f"{READY} && document.getElementById('preview-name').innerText === 'Town Hall'", 10)
        self.assertEqual(self.rows(), ["Central Station", "Office", "Town Hall"])
        self.assertEqual(self.browser.value("document.activeElement.className"), "up", "the row has reached the end; its other button has the focus")
        self.click("#preview-stops li:nth-child(2) .remove")
        self.browser.wait(f"{READY} && document.querySelectorAll('#preview-stops li').length === 2", 10)
        # A search that is given up leads back.
        self.click("#preview-add")
        self.browser.wait("document.activeElement.id === 'search-text'")
        self.press("Escape")
        self.browser.wait(READY, 10)
        self.assertEqual(self.rows(), ["Central Station", "Town Hall"])
        shown = self.browser.value("navstack.state.preview.ids[navstack.state.preview.selected]")
        self.click("#preview-start")
        self.browser.wait("navstack.state.routeID && navstack.state.preview === null", 10)
        self.assertEqual(self.active()["route"]["id"], shown, "the very route that was shown")
        self.assertEqual(self.names(), ["Central Station", "Town Hall"])

    def test_the_line_of_a_route_is_dragged_to_another_road__RN_3__RT_2(self):
        self.preview("Office")
        self.browser.wait("!navstack.map.isMoving() && navstack.map.areTilesLoaded()")
        line = ("[navstack.map.getSource('nav-preview')._data].flatMap((d) => (d.geojson ?? d).features)"
                ".find((f) => f.properties.isSelected).geometry.coordinates")
        before = self.browser.value("navstack.state.preview.ids[0]")
        x, y = self.browser.value(f"(({{x, y}}) => [x, y])(navstack.map.project(({line})[Math.floor(({line}).length / 2)]))")
        centre = self.browser.value("navstack.map.getCenter().toArray()")
        self.browser.drag((x, y), (x, y - 90))
        self.browser.wait(f"{READY} && navstack.state.preview.ids[0] !== {before!r}", 10)
        self.browser.wait("!navstack.map.isMoving() && navstack.map.areTilesLoaded()")
        self.assertEqual(self.rows(), ["Via point", "Office"])
        self.shot("trip-dragged")
        self.assertEqual(self.browser.value("document.querySelectorAll('.via-dot').length"), 1)
        # The map itself was not dragged: what was fitted before is fitted again.
        self.assertLess(abs(self.browser.value("navstack.map.getCenter().lng") - centre[0]), 0.01)
        self.click("#preview-start")
        self.browser.wait("navstack.state.routeID && navstack.state.preview === null", 10)
        self.assertEqual([waypoint["original"]["kind"] for waypoint in self.active()["route"]["waypoints"][1:]], ["pass_through", "stopover"])

    def test_mode_and_vehicle_are_chosen__RT_1__RN_1(self):
        self.preview("Town Hall")
        self.assertEqual(self.browser.value("document.querySelector('#preview-mode [aria-checked=true]').dataset.mode"), "car")
        self.click("[data-mode=truck]")
        self.browser.wait(f"{READY} && !document.getElementById('preview-sizes').hidden", 10)
        self.click("[data-size=height_m]")
        self.browser.value("document.querySelector('[data-size=height_m]').select()")
        self.browser.command("Input.insertText", text="3.2")
        before = self.browser.value("navstack.state.preview.ids[0]")
        self.press("Enter")
        self.browser.wait(f"{READY} && navstack.state.preview.ids[0] !== {before!r}", 10)
        self.shot("trip-truck")
        self.click("#preview-start")
        self.browser.wait("navstack.state.routeID && navstack.state.preview === null", 10)
        request = self.active()["route"]["request"]
        self.assertEqual((request["mode"], request["vehicle"]["height_m"], request["vehicle"]["weight_t"]), ("truck", 3.2, 40.0))
        self.stack.call("navigate/stop", {})
        self.browser.wait("navstack.state.routeID === null")
        # A route on foot is followed as it was shown, too.
        self.preview("Town Hall")
        self.click("[data-mode=pedestrian]")
        self.browser.wait(f"{READY} && document.getElementById('preview-sizes').hidden", 10)
        shown = self.browser.value("navstack.state.preview.ids[0]")
        self.click("#preview-start")
        self.browser.wait("navstack.state.routeID && navstack.state.preview === null", 10)
        route = self.active()["route"]
        self.assertEqual((route["id"], route["request"]["mode"]), (shown, "pedestrian"))
        self.stack.call("navigate/stop", {})
        self.preview("Town Hall")
        self.click("[data-mode=car]")
        self.browser.wait(READY, 10)

    # While guided.

    def test_stops_are_listed_ordered_skipped_and_added_while_guided__RN_1__PR_10__PR_15(self):
        self.start("Town Hall", "Central Station", "Office")
        self.click("#stops-open")
        self.browser.wait("/:/.test(document.querySelector('#stops-list .detail')?.innerText)", 10)
        listed = self.browser.value(STOPS % "stops-list")
        self.assertEqual([name for name, _ in listed], ["Town Hall", "Central Station", "Office"])
        for _, detail in listed:
            self.assertRegex(detail, r"^\d\d:\d\d · [\d.]+ k?m$")
        # The last stop arrives when the bar says so.
        self.browser.wait("[...document.querySelectorAll('#stops-list .detail')].at(-1).innerText.startsWith(document.getElementById('bar-eta').innerText)", 10)
        self.shot("trip-stops")
        self.drag_row("stops-list", 2, 1)
        self.browser.wait("document.querySelector('#stops-list b').innerText === 'Central Station'")
        self.browser.wait("document.getElementById('stops-status').innerText === ''", 20)
        self.assertEqual(self.names(), ["Central Station", "Town Hall", "Office"])
        self.click("#stops-list li:nth-child(1) .down")
        self.browser.wait("document.getElementById('stops-status').innerText === ''"
                          " && document.querySelector('#stops-list b').innerText === 'Town Hall'", 20)
        self.assertEqual(self.names(), ["Town Hall", "Central Station", "Office"])
        self.click("#stops-skip")
        self.browser.wait("document.querySelectorAll('#stops-list li').length === 2", 20)
        self.assertEqual(self.names(), ["Central Station", "Office"])
        self.click("#stops-add")
        self.type("Market Hall")
        self.press("Enter")
        self.browser.wait("[...document.querySelectorAll('#stops-list b')].map((e) => e.innerText).join() === 'Market Hall,Central Station,Office'", 20)
        self.browser.wait("document.getElementById('stops-status').innerText === ''", 20)
        self.assertEqual(self.names(), ["Market Hall", "Central Station", "Office"])
        self.click("#stops-list li:nth-child(2) .remove")
        self.browser.wait("document.querySelectorAll('#stops-list li').length === 2", 20)
        self.assertEqual(self.names(), ["Market Hall", "Office"])

    def test_a_pin_becomes_a_stop__RN_1__PR_10(self):
        self.start("Office")
        for kind in ("mousePressed", "mouseReleased"):
            self.browser.mouse(kind, 900, 300, button="right", clickCount=1)
        self.browser.wait("document.querySelector('#choice .add') !== null")
        self.shot("trip-pin")
        self.click("#choice .add")
        self.browser.wait("document.querySelectorAll('#stops-list li').length === 2", 20)
        self.assertEqual(self.rows("stops-list"), ["A stop", "Office"])
        self.assertEqual(self.names(), ["", "Office"])

    def test_guidance_is_paused_and_resumed__PR_10__RN_1(self):
        self.start("Office")
        self.assertTrue(self.browser.value("document.getElementById('paused').hidden"))
        self.click("#stops-open")
        self.click("#stops-pause")
        self.browser.wait("document.getElementById('stops-pause').innerText === 'Resume'", 10)
        self.assertTrue(self.active()["paused"])
        self.press("Escape")
        self.browser.wait("document.getElementById('paused').offsetParent !== null")
        self.shot("trip-paused")
        self.click("#paused-resume")
        self.browser.wait("document.getElementById('paused').hidden", 10)
        self.assertFalse(self.active()["paused"])

    # The simulated drive.

    def test_a_simulated_drive_is_started_paused_made_faster_and_ended__LOC_6__RN_1(self):
        self.assertEqual(self.text("simulation-text"), "Simulation")
        self.click("#simulation-pause")
        self.browser.wait("navstack.state.simulation.paused")
        self.assertTrue(self.control(command="status")["paused"])
        self.preview("Office")
        self.assertEqual(self.text("preview-start"), "Drive it")
        self.shot("trip-drive-it")
        self.click("#preview-start")
        # Time goes on, and the driver drives.
        self.browser.wait("navstack.state.routeID && !navstack.state.simulation.paused", 10)
        self.assertFalse(self.control(command="status")["paused"])
        for rate in (8, 2, 1, 4):
            self.click(f"[data-rate='{rate}']")
            self.browser.wait(f"navstack.state.simulation.rate === {rate}")
            self.assertEqual(self.control(command="status")["rate"], rate)
        self.browser.wait("navstack.state.indicator.offsetM > 100", 60)
        self.shot("trip-simulation")
        # Somebody else pauses it: the page says so.
        self.control(command="pause")
        self.browser.wait("navstack.state.simulation.paused && document.getElementById('simulation-pause').title === 'Go on'", 10)
        self.click("#simulation-pause")
        self.browser.wait("!navstack.state.simulation.paused")
        self.click("#stop")
        self.browser.wait("navstack.state.routeID === null", 10)

    def test_the_voice_repeats_while_time_is_paused__VO_8(self):
        self.start("Office")
        self.browser.wait("navstack.state.scene?.panel?.maneuver_index !== undefined", 10)
        self.control(command="pause")
        for _ in range(3):
            self.browser.value("window.before = navstack.view.announcement; 1")
            text = self.browser.value("navstack.call('voice/repeat').then(({text}) => text)")
            self.assertTrue(text)
            self.browser.wait("navstack.view.announcement !== before", 5)

    # Every screen.

    def test_the_trip_covers_no_other_card_on_any_screen__RN_1__RN_2(self):
        self.start("Town Hall", "Central Station", "Office")
        panels = {
            "simulation": lambda: None,
            "stops": lambda: self.click("#stops-open"),
            "search": lambda: self.press("Escape") or self.press("/") or self.type("Har"),
            "preview": lambda: self.press("Enter") or self.browser.wait(READY, 10),
        }
        for name, show in panels.items():
            show()
            for width, height in SCREENS:
                with self.subTest(panel=name, screen=f"{width}x{height}"):
                    self.browser.resize(width, height)
                    self.browser.wait(f"innerWidth === {width} && innerHeight === {height}")
                    cards = self.browser.value(CARDS)
                    self.assertIn(name, cards)
                    self.shot(f"trip-{name}-{width}x{height}")
                    for one, (left, top, right, bottom) in cards.items():
                        self.assertTrue(left >= -1 and top >= -1 and right <= width + 1 and bottom <= height + 1, f"{one} leaves the screen")
                        covered = [other for other in cards if other != one and overlap(cards[one], cards[other])]
                        self.assertEqual(covered, [], f"{one} covers another card")
                    buttons = self.browser.value(
                        f"[...document.querySelectorAll('#bar button, #{name} button')].filter((b) => b.offsetParent)"
                        ".map((b) => [b.id || b.className || b.innerText, b.offsetWidth, b.offsetHeight]).filter(([, width, height]) => width < 48 || height < 48)")
                    self.assertEqual(buttons, [], "too small for a finger")
            self.browser.resize(1280, 720)
            self.browser.wait("innerWidth === 1280")
