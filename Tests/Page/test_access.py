"""Whether everybody can use the page: WCAG 2.2 AA by axe-core, names and focus, less motion, more contrast."""

import unittest

import axe
from page_case import PageCase
from test_faults import DrivenCase

TEXTS_OF_LIVE_REGIONS = """(() => {
  window.liveChanges = [];
  for (const region of document.querySelectorAll('[aria-live], [role=status], [role=alert]')) {
    new MutationObserver(() => { if (region.offsetParent && region.innerText) liveChanges.push(region.id + ': ' + region.innerText); })
      .observe(region, {childList: true, characterData: true, subtree: true});
  }
})()"""


@unittest.skipUnless(axe.script(), "axe-playwright-python is not installed: Tests/Page/run does that")
class AccessTest(PageCase):
    def key(self, key, code, text=None):
        for kind in ("keyDown", "keyUp"):
            more = {"text": text} if text and kind == "keyDown" else {}
            self.browser.command("Input.dispatchKeyEvent", type=kind, key=key, windowsVirtualKeyCode=code, **more)

    def check(self, state):
        with self.subTest(state=state):
            self.shot(f"access-{state}")
            self.assertEqual(axe.violations(self.browser), [])

    def publish(self, topic, payload):
        self.stack.publish(topic, self.drive.now_ns, payload)

    def test_axe_finds_nothing_in_any_state_by_day_and_night__RN_1(self):
        self.addCleanup(self.stack.call, "scene/control", reset=True)
        for theme in ("day", "night"):
            self.stack.call("scene/control", theme=theme)
            self.setUp()
            self.begin(jam=(400, 700))
            self.browser.wait(f"document.documentElement.dataset.theme === '{theme}'")
            self.drive_for(3)
            self.check(f"guidance-{theme}")
            self.publish("guidance/warning", {"id": "w-1", "kind": "safety_camera", "event": "ahead", "distance_m": 480.0})
            self.publish("voice/announcement", {
                "key": f"k-{theme}", "kind": "reminder", "text": "In 200 meters, turn right.", "language": "en-US", "expected_duration_s": 60.0})
            self.publish("route/better", {
                "id": "b-1", "state": "proposed", "route_id": self.drive.route_id, "route": self.drive.route(), "gain_s": 240.0,
                "longer_m": 800.0, "shape_changed": True})
            self.browser.wait("navstack.state.banner === 'better' && document.querySelectorAll('.warning').length > 0")
            self.check(f"proposal-{theme}")
            self.publish("route/better", {"id": "b-1", "state": "withdrawn", "route_id": self.drive.route_id, "gain_s": 0.0, "longer_m": 0.0,
                                          "shape_changed": True})
            self.browser.wait("navstack.state.banner === null")
            for button, card in (("#guide-turn", "maneuvers"), ("#find", "search"), ("#set", "settings")):
                self.click(button)
                self.browser.wait(f"!document.getElementById('{card}').hidden")
                self.check(f"{card}-{theme}")
                self.key("Escape", 27)
                self.browser.wait(f"document.getElementById('{card}').hidden")
            self.publish("guidance/warning", {"id": "w-1", "kind": "safety_camera", "event": "passed"})
            self.publish("guidance/arrival", {
                "route_id": self.drive.route_id, "event": "destination_reached", "rule": "passed_within", "lat_deg": 47.1, "lon_deg": 9.5,
                "distance_m": 3.0, "side": "left", "name": "Town Hall"})
            self.browser.wait("navstack.state.banner === 'arrival'")
            self.check(f"arrival-{theme}")
        self.assertEqual(self.browser.errors, [])

    def test_the_turn_has_a_name_and_only_announcements_are_live__RN_1(self):
        self.begin()
        self.drive_for(3)
        self.assertRegex(self.browser.value("document.getElementById('guide-turn').ariaLabel"), r"^Turn \w+.* onto .+, (\d+ m|\d\.\d km)$")
        self.browser.value(TEXTS_OF_LIVE_REGIONS)
        self.drive_for(4)
        self.assertEqual(self.browser.value("liveChanges"), [], "figures that count down are not read")
        self.publish("voice/announcement", {
            "key": "k-1", "kind": "reminder", "text": "In 200 meters, turn right.", "language": "en-US", "expected_duration_s": 2.0})
        self.browser.wait("liveChanges.length > 0")
        self.drive_for(2)
        self.assertEqual(self.browser.value("liveChanges"), ["caption: In 200 meters, turn right."])

    def test_keys_reach_everything_in_the_order_of_the_page__RN_1(self):
        self.begin()
        self.drive_for(2)
        self.browser.value("document.activeElement.blur(); 1")
        self.key("Tab", 9)
        self.browser.wait("document.activeElement.id === 'skip'")
        self.assertGreater(self.browser.value("document.getElementById('skip').offsetWidth"), 44, "seen while it has the focus")
        self.key("Enter", 13, "\r")
        self.key("Tab", 9)
        reached = []
        for _ in range(12):
            reached.append(self.browser.value("document.activeElement.id"))
            self.key("Tab", 9)
            if reached[-1] == "stop":
                break
        self.assertEqual(reached[0], "guide-turn", "behind the skipped map")
        tools = [name for name in reached if name in ("find", "set", "sound", "overview", "north")]
        self.assertEqual(tools, ["find", "set", "sound", "overview", "north"])
        self.assertEqual(reached[-1], "stop")
        self.browser.value("document.getElementById('set').focus(); 1")
        self.key("Enter", 13, "\r")
        self.browser.wait("document.activeElement.id === 'settings-close'")
        self.key("Escape", 27)
        self.browser.wait("document.activeElement.id === 'set' && document.getElementById('settings').hidden")

    def test_wishes_of_the_device_are_followed__RN_2__RN_7(self):
        wishes = [{"name": "prefers-reduced-motion", "value": "reduce"}, {"name": "prefers-contrast", "value": "more"}]
        self.browser.command("Emulation.setEmulatedMedia", features=wishes)
        self.addCleanup(self.browser.command, "Emulation.setEmulatedMedia", features=[])
        self.begin()
        self.drive_for(2)
        self.assertEqual(self.browser.value("document.documentElement.dataset.colours"), "high-contrast")
        self.browser.wait("navstack.map.getPaintProperty('background', 'background-color') === '#ffffff'")
        self.click("#overview")
        self.browser.wait("navstack.state.camera === 'overview'")
        self.assertFalse(self.browser.value("navstack.map.isEasing()"), "the view changes at once")
        self.shot("access-contrast")
        self.assertEqual(axe.violations(self.browser), [])
        self.click("#recentre")
        self.browser.command("Emulation.setEmulatedMedia", features=[])
        self.browser.wait("document.documentElement.dataset.colours === 'standard'")
        self.browser.wait("navstack.map.getPaintProperty('background', 'background-color') === '#e9ece6'")


@unittest.skipUnless(axe.script(), "axe-playwright-python is not installed: Tests/Page/run does that")
class RealAccessTest(DrivenCase):
    def test_axe_finds_nothing_in_preview_and_without_gps__RN_1__RN_7(self):
        self.guide(700)
        for theme in ("day", "night"):
            self.stack.call("scene/control", {"theme": theme})
            self.browser.wait(f"document.documentElement.dataset.theme === '{theme}'")
            self.browser.value("document.getElementById('find').click()")
            self.browser.command("Input.insertText", text="Harbour")
            self.browser.wait("document.querySelectorAll('#search-list li').length > 0 && !document.querySelector('#search-list.old')", 10)
            self.assertEqual(axe.violations(self.browser), [], f"search, {theme}")
            self.shot(f"access-search-{theme}")
            self.browser.value("document.querySelector('#search-list li').click()")
            self.browser.wait("navstack.state.preview?.routes > 0 && !navstack.map.isMoving()", 15)
            self.assertEqual(axe.violations(self.browser), [], f"preview, {theme}")
            self.shot(f"access-preview-{theme}")
            self.browser.value("document.getElementById('preview-close').click()")
            self.browser.wait("navstack.state.preview === null")
        # No more fixes, while time goes on.
        for _ in range(60):
            self.stack.now_ns += 1_000_000_000
            self.stack.tell_clock(is_paused=False)
            self.browser.receive(0.1)
            if self.browser.value("navstack.state.gps") == "lost":
                break
        self.stack.tell_clock(is_paused=True)
        self.browser.wait("navstack.state.gps === 'lost'")
        self.shot("access-lost")
        self.assertEqual(axe.violations(self.browser), [], "lost GPS, night")
        self.stack.call("scene/control", {"theme": "day"})
        self.browser.wait("document.documentElement.dataset.theme === 'day'")
        self.assertEqual(axe.violations(self.browser), [], "lost GPS, day")
        self.stack.call("scene/control", {"reset": True})
