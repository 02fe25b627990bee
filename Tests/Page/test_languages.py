"""The page in the driver's language: no word of another one in a drive, mirrored where it is written from the right."""

import json

from page_case import PageCase
from stack import ROOT
from test_faults import SCREENS, cards_that_collide

WORDS = ROOT / "Sources/Nodes/nav-renderer/page/words"

# All texts of the page that somebody sees or hears, outside the attribution, which is in the words of the data's owners.
TEXTS = """(() => {
  const texts = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node.nodeType === Node.TEXT_NODE) {
      if (!node.parentElement.closest('.maplibregl-ctrl-attrib, option[lang], script')) texts.push(node.data);
    } else if (!node.closest('.maplibregl-ctrl-attrib')) {
      for (const name of ['aria-label', 'title', 'placeholder', 'aria-valuetext', 'alt']) if (node.hasAttribute(name)) texts.push(node.getAttribute(name));
    }
  }
  return [...new Set(texts.map((text) => text.trim()).filter(Boolean))];
})()"""


def forms(entry):
    return [entry] if isinstance(entry, str) else list(entry.values())


class LanguageTest(PageCase):
    def tearDown(self):
        self.browser.value("localStorage.clear(); 1")
        self.browser.resize(1280, 720)

    def begin_in(self, language, **settings):
        """Opens the page in a language."""
        self.browser.open(self.stack.url)
        self.browser.wait("document.readyState === 'complete'")
        self.browser.value(f"localStorage.setItem('navstack.settings', {json.dumps(json.dumps({'language': language, **settings}))}); 1")
        self.begin()
        self.assertEqual(self.browser.value("document.documentElement.lang"), language)

    def publish(self, topic, payload):
        self.stack.publish(topic, self.drive.now_ns, payload)

    def english(self, language):
        """English texts that the language says otherwise, without placeholders."""
        own = {text for entry in json.loads((WORDS / f"{language}.json").read_text(encoding="utf-8")).values() for text in forms(entry)}
        all_texts = {text for entry in json.loads((WORDS / "en.json").read_text(encoding="utf-8")).values() for text in forms(entry)}
        return {text for text in all_texts if "{" not in text and text not in own}

    def check(self, language, moment):
        texts = self.browser.value(TEXTS)
        english = self.english(language)
        self.assertGreater(len(texts), 10)
        self.assertEqual([text for text in texts if text in english], [], moment)
        sentences = ("In 200 meters", "Turn ", "turn right", "You have", "Start on", "your destination", "the destination", " to the ", "of the", "No route", "error")
        self.assertEqual([text for text in texts if any(part in text for part in sentences)], [], moment)

    def test_a_drive_has_no_english_word_in_another_language__RN_1(self):
        for language in ("de", "fr", "ar", "ja"):
            with self.subTest(language=language):
                self.begin_in(language)
                self.drive_for(3)
                self.check(language, "guidance")
                self.assertEqual(self.browser.value("document.documentElement.dir"), "rtl" if language == "ar" else "ltr")
                i, turn = next((i, m) for i, m in enumerate(self.drive.maneuvers) if m["action"] == "turn")
                self.publish("voice/announcement", {
                    "key": f"k-{language}", "kind": "reminder", "text": turn["text"], "language": "en-US", "route_id": self.drive.route_id,
                    "maneuver_index": i, "distance_m": 210.0, "expected_duration_s": 60.0})
                self.publish("guidance/warning", {"id": "w-1", "kind": "lane_decrease", "event": "ahead", "distance_m": 480.0, "text": "2"})
                self.publish("route/better", {
                    "id": "b-1", "state": "proposed", "route_id": self.drive.route_id, "route": self.drive.route(), "gain_s": 240.0,
                    "longer_m": 800.0, "shape_changed": True})
                self.browser.wait("!document.getElementById('caption').hidden && navstack.state.banner === 'better'"
                                  " && document.querySelectorAll('.warning').length > 0")
                self.check(language, "caption, warning, proposal")
                self.shot(f"language-{language}")
                self.click("#guide-turn")
                self.browser.wait("!document.getElementById('maneuvers').hidden")
                self.check(language, "list of maneuvers")
                for button in ("#find", "#set"):
                    self.click(button)
                    self.check(language, button)
                self.shot(f"language-{language}-settings")
                self.click("#set")
                self.publish("guidance/reroute", {"state": "failed", "route_id": self.drive.route_id, "attempt": 1, "error_code": "no_route_found",
                                                  "error_text": "No route leads to the destination."})
                self.browser.wait("navstack.state.banner === 'reroute'")
                self.check(language, "failed reroute")
                self.publish("route/error", {"code": "strange", "text": "The vehicle is off the route.", "during": "better"})
                self.browser.wait("navstack.state.banner === 'failure'")
                self.check(language, "error")
                self.publish("guidance/arrival", {
                    "route_id": self.drive.route_id, "event": "destination_reached", "rule": "passed_within", "lat_deg": 47.1, "lon_deg": 9.5,
                    "distance_m": 3.0, "side": "left"})
                self.browser.wait("navstack.state.banner === 'arrival'")
                self.check(language, "arrival")
                self.setUp()
        self.assertEqual(self.browser.errors, [])

    def test_the_language_and_the_units_change_while_one_drives__RN_1(self):
        self.begin()
        self.drive_for(3)
        self.assertEqual(self.browser.value("document.documentElement.lang"), "en", "the stack's")
        self.assertRegex(self.text("guide-distance"), r" (m|km)$")

        def choose(row, value):
            self.browser.value(f"(() => {{ const field = document.getElementById('setting-{row}'); field.value = '{value}';"
                               " field.dispatchEvent(new Event('change')); })()")
        self.click("#set")
        choose("language", "de")
        self.browser.wait("document.documentElement.lang === 'de' && document.getElementById('settings-title').innerText === 'Einstellungen'")
        self.browser.wait("document.getElementById('bar-eta-label').innerText === 'Ankunft'")
        self.assertRegex(self.browser.value("document.getElementById('guide-turn').ariaLabel"), r"abbiegen auf .+, \d+")
        choose("units", "imperial_us")
        self.browser.wait("/ (ft|mi)$/.test(document.getElementById('guide-distance').innerText)")
        self.browser.wait("document.getElementById('speed-unit').innerText === 'mi/h'")
        self.assertEqual(self.browser.value("JSON.parse(localStorage.getItem('navstack.settings')).language"), "de")
        self.assertEqual(self.browser.value("document.activeElement.id"), "settings-close", "the focus stays in the drawer")
        self.check("de", "after the change")
        self.begin()
        self.assertEqual(self.browser.value("document.documentElement.lang"), "de", "kept on the device")

    def test_cards_stand_apart_on_every_screen_in_every_direction__RN_1(self):
        for language in ("en", "de", "ar"):
            self.begin_in(language)
            self.drive_for(2)
            i, turn = next((i, m) for i, m in enumerate(self.drive.maneuvers) if m["action"] == "turn")
            for is_open in (False, True):
                for width, height in SCREENS:
                    with self.subTest(language=language, settings=is_open, screen=f"{width}x{height}"):
                        self.browser.resize(width, height)
                        self.browser.wait(f"innerWidth === {width} && innerHeight === {height}")
                        self.publish("guidance/warning", {"id": "w-1", "kind": "low_speed_zone", "event": "ahead", "distance_m": 480.0})
                        self.publish("voice/announcement", {
                            "key": f"{language} {is_open} {width} {height}", "kind": "reminder", "text": turn["text"], "language": "en-US",
                            "route_id": self.drive.route_id, "maneuver_index": i, "distance_m": 210.0, "expected_duration_s": 60.0})
                        self.publish("route/better", {
                            "id": "b-1", "state": "proposed", "route_id": self.drive.route_id, "route": self.drive.route(), "gain_s": 240.0,
                            "longer_m": 800.0, "shape_changed": True})
                        self.browser.wait("navstack.state.banner === 'better'")
                        if self.is_shown("settings") != is_open:
                            self.browser.value("document.getElementById('set').click()")
                        self.assertEqual(self.is_shown("settings"), is_open)
                        self.assertEqual(cards_that_collide(self.browser, width, height), [])
                        self.shot(f"cards-{language}-{'settings' if is_open else 'guidance'}-{width}x{height}")
            self.setUp()
