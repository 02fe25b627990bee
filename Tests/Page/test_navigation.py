"""Search, preview of routes, list of maneuvers and voice in the browser, with every stage of the stack."""

import contextlib
import time

from page_case import PageCase
from test_faults import CARDS, SCREENS, DrivenCase, overlap

# The names and kinds that the search lists.
LISTED = "[...document.querySelectorAll('#search-list li')].map((item) => [...item.querySelectorAll('div > *')].map((part) => part.innerText))"

# A speech engine that writes down what it is asked for.
ENGINE = """(() => {
  window.spoken = [];
  const engine = {
    speak(utterance) {
      spoken.push([utterance.text, utterance.lang]);
      this.last = utterance;
    },
    cancel() { spoken.push('(cancel)'); },
  };
  Object.defineProperty(window, 'speechSynthesis', { value: engine, configurable: true });
})()"""


@contextlib.contextmanager
def listening(browser, engine=ENGINE):
    """Gives the pages that are opened a speech engine of the test's own."""
    script = browser.command("Page.addScriptToEvaluateOnNewDocument", source=engine)["identifier"]
    try:
        yield
    finally:
        browser.value("localStorage.clear()")
        browser.command("Page.removeScriptToEvaluateOnNewDocument", identifier=script)


KEYS = {"Escape": 27, "Enter": 13, "ArrowDown": 40, "ArrowUp": 38, "/": 191}


class NavigationTest(DrivenCase):
    def tearDown(self):
        for _ in range(2):
            self.press("Escape")
        self.assertEqual(self.browser.errors, [])

    def press(self, key):
        text = {"text": key} if len(key) == 1 else {"text": "\r"} if key == "Enter" else {}
        for kind in ("keyDown", "keyUp"):
            self.browser.command("Input.dispatchKeyEvent", type=kind, key=key, windowsVirtualKeyCode=KEYS[key], **(text if kind == "keyDown" else {}))

    def click(self, selector):
        x, y = self.browser.value(
            f"(({{x, y, width, height}}) => [x + width / 2, y + height / 2])(document.querySelector({selector!r}).getBoundingClientRect())")
        for kind in ("mousePressed", "mouseReleased"):
            self.browser.mouse(kind, x, y, button="left", clickCount=1)

    def search(self, text):
        """Searches for a text with the keyboard, until its places are listed."""
        self.press("/")
        self.browser.wait("document.activeElement.id === 'search-text'")
        self.browser.command("Input.insertText", text=text)
        self.browser.wait(f"document.querySelector('#search-list li b')?.innerText.startsWith({text[:3]!r})"
                          " && !document.getElementById('search-list').classList.contains('old')", 5)

    def stand_without_a_route(self):
        self.stack.call("navigate/stop", {})
        self.browser.wait("navstack.state.routeID === null")

    # Search.

    def test_a_place_is_found_with_the_keyboard__RT_20__RN_1(self):
        self.stand_without_a_route()
        self.browser.value("localStorage.clear()")
        begins = time.monotonic()
        self.search("Har")
        self.assertLess(time.monotonic() - begins, 3)
        listed = self.browser.value(LISTED)
        self.assertIn(["Harbour Tunnel", "Road"], listed)
        self.assertEqual(self.browser.value("document.querySelector('#search-list .far').innerText.split(' ')[1]"), "km")
        self.shot("search")
        active = "document.getElementById(document.getElementById('search-text').getAttribute('aria-activedescendant'))?.querySelector('b').innerText"
        self.assertEqual(self.browser.value(active), listed[0][0])
        self.press("ArrowDown")
        self.assertEqual(self.browser.value(active), listed[1][0])
        self.press("ArrowUp")
        self.press("Escape")
        self.assertTrue(self.browser.value("document.getElementById('search').hidden"))
        # What is not there is said, and the next text finds something again.
        self.press("/")
        self.browser.command("Input.insertText", text="xyzzy")
        self.browser.wait("document.getElementById('search-status').innerText === 'Nothing found'", 5)
        self.press("Escape")
        self.search("Town Hall")
        self.assertEqual(self.browser.value(LISTED), [["Town Hall", "Town hall"]])
        self.press("Enter")
        self.browser.wait("navstack.state.preview?.routes > 0", 10)
        self.assertEqual(self.text("preview-name"), "Town Hall")
        self.assertEqual(self.browser.value("document.activeElement.id"), "preview-start", "Enter starts")
        self.click("#preview-star")
        self.press("Escape")
        self.browser.wait("navstack.state.preview === null && navstack.state.camera === 'tracking'")
        # A favourite is there without a text.
        self.click("#find")
        self.browser.wait("document.querySelector('#search-list li b')?.innerText === 'Town Hall'")
        self.shot("search-saved")

    # Preview.

    def test_routes_are_previewed_and_the_chosen_one_is_followed__RN_3__RN_2__RT_20(self):
        self.stand_without_a_route()
        self.search("Harbour")
        self.press("Enter")
        count = self.browser.wait("navstack.state.preview?.routes", 10)
        self.assertGreater(count, 1)
        self.browser.wait("!navstack.map.isMoving() && navstack.map.areTilesLoaded()")
        self.assertEqual(self.browser.value("document.querySelectorAll('#preview-rows button').length"), count)
        self.assertEqual(self.browser.value("document.querySelectorAll('.callout').length"), count)
        self.assertRegex(self.text("preview-rows"), r"\d+ min\s+\d\.\d km")
        self.shot("preview")
        self.assertFalse(self.browser.value("navstack.map.getLayoutProperty('nav-ahead', 'visibility') === 'visible'"))
        drawn = "[navstack.map.getSource('nav-preview')._data].flatMap((d) => (d.geojson ?? d).features)"
        card = self.browser.value("document.getElementById('preview').getBoundingClientRect().right")
        ends = self.browser.value(f"{drawn}.flatMap((f) => f.geometry.coordinates).map((c) => navstack.map.project(c)).map(({{x, y}}) => [x, y])")
        self.assertTrue(all(card < x < 1280 and 0 < y < 720 for x, y in ends), "all routes lie in the part that no card covers")
        self.click(".callout:not(.selected)")
        self.browser.wait("navstack.state.preview.selected > 0")
        selected = self.browser.value("navstack.state.preview.selected")
        checked = "[...document.querySelectorAll('#preview-rows button')].findIndex((row) => row.ariaChecked === 'true')"
        self.assertEqual(self.browser.value(checked), selected)
        points = self.browser.value(f"{drawn}.find((f) => f.properties.isSelected).geometry.coordinates.length")
        self.click("#preview-start")
        self.browser.wait("navstack.state.routeID && navstack.state.preview === null", 10)
        followed = "[navstack.map.getSource('nav-route')._data].flatMap((d) => (d.geojson ?? d).features)[0].geometry.coordinates.length"
        self.assertEqual(self.browser.value(followed), points)
        self.assertEqual(self.browser.value("navstack.state.camera"), "tracking")
        self.assertEqual(self.browser.value("navstack.map.getLayoutProperty('nav-ahead', 'visibility')"), "visible")
        self.assertEqual(self.browser.value("JSON.parse(localStorage.getItem('navstack.places')).recent[0].name").split()[0], "Harbour")

    def test_kinds_of_road_are_avoided__RT_1__RN_3(self):
        self.stand_without_a_route()
        # A pin asks for the same preview.
        for kind in ("mousePressed", "mouseReleased"):
            self.browser.mouse(kind, 900, 250, button="right", clickCount=1)
        self.browser.wait("navstack.state.pin")
        self.click("#choice .yes")
        self.browser.wait("navstack.state.preview?.routes", 10)
        self.assertEqual(self.text("preview-name"), "Place on the map")
        self.click("[data-avoid=motorways]")
        self.browser.wait("document.getElementById('preview-status').innerText === '' && navstack.state.preview.routes > 0", 10)
        self.assertEqual(self.browser.value("document.querySelector('[data-avoid=motorways]').ariaPressed"), "true")
        self.click("[data-avoid=motorways]")
        self.browser.wait("document.getElementById('preview-status').innerText === '' && navstack.state.preview.routes > 0", 10)

    def test_panels_cover_no_other_card_on_any_screen__RN_1__RN_2(self):
        self.guide(300)
        panels = {
            "search": lambda: self.search("A"),
            "preview": lambda: self.press("Enter") or self.browser.wait("navstack.state.preview?.routes", 10),
            "maneuvers": lambda: self.press("Escape") or self.browser.value("document.getElementById('guide-turn').click()"),
        }
        for name, show in panels.items():
            show()
            for width, height in SCREENS:
                with self.subTest(panel=name, screen=f"{width}x{height}"):
                    self.browser.resize(width, height)
                    self.browser.wait(f"innerWidth === {width} && innerHeight === {height}")
                    cards = self.browser.value(CARDS)
                    self.assertIn(name, cards)
                    for one, (left, top, right, bottom) in cards.items():
                        self.assertTrue(left >= -1 and top >= -1 and right <= width + 1 and bottom <= height + 1, f"{one} leaves the screen")
                        covered = [other for other in cards if other != one and overlap(cards[one], cards[other])]
                        self.assertEqual(covered, [], f"{one} covers another card")
                    self.assertGreater(cards[name][3] - cards[name][1], min(150, height / 3))
                    buttons = self.browser.value(
                        f"[...document.querySelectorAll('#tools button, #{name} button')].filter((b) => b.offsetParent)"
                        ".map((b) => [b.id || b.innerText, b.offsetWidth, b.offsetHeight]).filter(([, width, height]) => width < 48 || height < 48)")
                    self.assertEqual(buttons, [], "too small for a finger")
            self.browser.resize(1280, 720)
        self.browser.wait("innerWidth === 1280")

    # While guided.

    def test_a_stop_is_added_and_the_maneuvers_ahead_are_listed__RN_1__RN_3(self):
        self.guide(60)
        self.search("Town Hall")
        self.press("Enter")
        self.browser.wait("navstack.state.preview?.routes", 10)
        before = self.browser.value("navstack.state.routeID")
        self.shot("preview-guided")
        self.click("#preview-stop")
        self.browser.wait(f"navstack.state.routeID !== {before!r} && navstack.state.preview === null", 15)
        self.go(40)
        self.browser.wait("document.querySelectorAll('#trip-bar .stop').length === 1")
        colours = self.browser.value("[...document.querySelectorAll('#trip-bar [data-colour]')].map((part) => part.dataset.colour)")
        self.assertEqual(colours[0], "behind")
        self.assertIn("ahead", colours)
        self.click("#guide-turn")
        self.browser.wait("!document.getElementById('maneuvers').hidden")
        rows = self.browser.value("[...document.querySelectorAll('#maneuvers li')].map((row) => row.innerText)")
        self.assertTrue(any("Town Hall" in row for row in rows) and "Office" in rows[-1], rows)
        self.shot("maneuvers")
        first = self.browser.value("document.querySelector('#maneuvers b').innerText")
        self.go(28)
        self.browser.wait(f"document.querySelector('#maneuvers b').innerText !== {first!r}", 5)
        self.click("#guide-turn")
        self.assertTrue(self.browser.value("document.getElementById('maneuvers').hidden"))
        self.click("#guide-turn")
        self.press("Escape")
        self.assertTrue(self.browser.value("document.getElementById('maneuvers').hidden"))

    def test_the_browser_speaks_and_repeats_what_the_stack_announces__VO_8__VO_9(self):
        with listening(self.browser):
            self.browser.open(self.stack.url)
            self.browser.wait("window.navstack?.state.link === 'open' && navstack.state.indicator", 60)
            self.click("#sound")
            self.guide(60)
            # The roundabout is announced at the latest.
            for _ in range(12):
                if self.browser.value("spoken.length > 0"):
                    break
                self.go(14)
            self.browser.wait("spoken.length > 0", 10)
            self.browser.value("speechSynthesis.last.onend()")
            before = self.browser.value("spoken.length")
            self.click("#repeat")
            # At once, although stack time stands still.
            self.browser.wait(f"spoken.length > {before}", 5)
            self.assertEqual(self.browser.value("spoken.at(-1)"), [self.text("caption"), "en-US"])
            self.shot("voice")
        self.browser.open(self.stack.url)
        self.browser.wait("window.navstack?.state.link === 'open' && navstack.state.indicator", 60)


class VoiceTest(PageCase):
    def test_the_browser_speaks_once_and_in_order__VO_8__VO_9(self):
        with listening(self.browser):
            self.begin()
            self.assertEqual(self.browser.value("document.getElementById('sound').ariaPressed"), "false")
            self.assertFalse(self.is_shown("repeat"))
            self.announce("silent", 50)
            self.click("#sound")
            self.assertTrue(self.is_shown("repeat"))
            for text, priority in (("first", 50), ("first", 50), ("second", 50), ("urgent", 90)):
                self.announce(text, priority)
            self.assertEqual(self.browser.value("spoken"), [["first", "en-US"], "(cancel)", ["urgent", "en-US"]])
            for text in ("third", "fourth"):
                self.announce(text, 50)
            for _ in range(3):
                self.browser.value("speechSynthesis.last.onend()")
            self.assertEqual(self.browser.value("spoken.slice(3)"), [["third", "en-US"], ["fourth", "en-US"]])
            # No voice is in this stack, and the page says so.
            self.click("#repeat")
            self.browser.wait("document.getElementById('caption').innerText !== 'fourth'", 10)
            # The next page speaks as well, without another tap.
            self.begin()
            self.assertEqual(self.browser.value("document.getElementById('sound').ariaPressed"), "true")

    def test_without_a_speech_engine_there_is_no_button__VO_9(self):
        with listening(self.browser, "Object.defineProperty(window, 'speechSynthesis', { value: undefined })"):
            self.begin()
            self.assertFalse(self.is_shown("sound") or self.is_shown("repeat"))

    def announce(self, text, priority):
        self.stack.publish("voice/announcement", self.drive.now_ns, {
            "key": text, "kind": "reminder", "text": text, "language": "en-US", "priority": priority, "expected_duration_s": 2.0})
        self.browser.wait(f"document.getElementById('caption').innerText === {text!r}")
