"""The settings drawer, the return of the camera, the colours, and the look of the vehicle, before a real renderer."""

from page_case import PageCase
from test_faults import STAYS
from test_navigation import listening

# Remembers when the map was touched last, and gives the seconds from then until the camera follows the vehicle again.
WATCH_TOUCHES = "document.addEventListener('pointerup', () => { window.touchedMs = performance.now(); }, {capture: true}); 1"
SECONDS_UNTIL_TRACKING = """new Promise((done) => {
  const timer = setInterval(() => {
    const seconds = (performance.now() - touchedMs) / 1000;
    if (navstack.state.camera !== 'tracking' && seconds < 30) return;
    clearInterval(timer);
    done(seconds);
  }, 20);
})"""


class SettingsTest(PageCase):
    def tearDown(self):
        self.browser.value("localStorage.clear(); 1")
        self.stack.call("scene/control", reset=True)
        self.assertEqual(self.browser.errors, [])

    def change(self, row, value):
        """Changes a row of the open drawer as a driver does."""
        field = "checked" if isinstance(value, bool) else "value"
        self.browser.wait(f"document.getElementById('setting-{row}') !== null")
        self.browser.value(f"(() => {{ const field = document.getElementById('setting-{row}'); field.{field} = {str(value).lower() if field == 'checked' else repr(value)};"
                           " field.dispatchEvent(new Event('change')); })()")

    def let_camera_rest(self):
        """A drag within one frame of a camera that moves by itself is a click."""
        self.browser.value("window.stays = 0; 1")
        self.browser.wait(STAYS, 20)

    def settings(self):
        """What the renderer says of the scene."""
        return self.stack.call("scene/control")

    def test_the_drawer_changes_the_scene_of_the_renderer__RN_2__RN_7__RN_10(self):
        self.begin()
        self.drive_for(2)
        self.click("#set")
        visibility = "navstack.map.getLayoutProperty('nav-incidents', 'visibility')"
        self.assertEqual(self.browser.value(visibility), "visible")
        self.change("layer-incidents", False)
        self.browser.wait(f"{visibility} === 'none'")
        self.assertEqual([(layer["name"], layer["visible"]) for layer in self.settings()["layers"]], [("incidents", False)])
        self.change("layer-incidents", True)
        self.browser.wait(f"{visibility} === 'visible'")
        self.change("theme", "night")
        self.browser.wait("document.documentElement.dataset.theme === 'night'")
        for row, value, name, expected in (("camera", "fixed", "camera", "fixed"), ("tilt", "20", "tilt_deg", 20.0), ("north", True, "north_up", True)):
            self.change(row, value)
            self.browser.wait(f"navstack.state.settings.{name} === {str(expected).lower() if isinstance(expected, bool) else repr(expected)}")
            self.assertEqual(self.settings()[name], expected)
        self.browser.wait("Math.abs(navstack.state.bearing) < 1 && navstack.state.northUp")
        self.shot("settings")
        # Another screen changes it, and the open drawer shows that.
        self.stack.call("scene/control", north_up=False, camera="speed_based")
        self.browser.wait("document.getElementById('setting-camera').value === 'speed_based' && !document.getElementById('setting-north').checked")
        self.browser.value("document.getElementById('settings-close').click()")
        self.assertFalse(self.is_shown("settings"))

    def test_the_camera_returns_by_itself_after_the_time_that_is_set__RN_2(self):
        self.begin()
        self.drive_for(2)
        self.browser.value(WATCH_TOUCHES)
        self.browser.drag((640, 300), (800, 380))
        self.browser.wait("navstack.state.camera === 'free'")
        # A touch in between begins the ten seconds anew.
        self.drive_for(3)
        self.browser.drag((640, 300), (600, 320))
        self.assertAlmostEqual(self.browser.value(SECONDS_UNTIL_TRACKING), 10, delta=0.5)
        self.click("#set")
        self.change("returnS", "5")
        self.browser.value("document.getElementById('settings-close').click()")
        self.let_camera_rest()
        # The camera is free from the drag on.
        self.browser.value("navstack.map.once('dragstart', () => { window.isFreed = true; }); 1")
        self.browser.drag((640, 300), (800, 380))
        self.browser.wait("window.isFreed")
        self.assertAlmostEqual(self.browser.value(SECONDS_UNTIL_TRACKING), 5, delta=0.5)
        self.click("#set")
        self.change("returnS", "0")
        self.browser.value("document.getElementById('settings-close').click()")
        self.let_camera_rest()
        self.browser.drag((640, 300), (800, 380))
        self.browser.wait("navstack.state.camera === 'free'")
        self.drive_for(7)
        self.assertEqual(self.state("camera"), "free", "never")
        self.click("#recentre")

    def test_voice_and_volume_are_set_in_the_drawer__RN_1(self):
        engine = """(() => { window.volumes = []; Object.defineProperty(window, 'speechSynthesis', {configurable: true,
          value: {speak(utterance) { volumes.push(utterance.volume); utterance.onend(); }, cancel() {}}}); })()"""
        with listening(self.browser, engine):
            self.begin()
            self.drive_for(1)
            self.click("#set")
            self.change("voice", True)
            self.browser.wait("document.getElementById('sound').ariaPressed === 'true'")
            self.change("volume", "0.4")
            self.stack.publish("voice/announcement", self.drive.now_ns, {
                "key": "k-volume", "kind": "reminder", "text": "In 200 meters, turn right.", "language": "en-US", "expected_duration_s": 2.0})
            self.browser.wait("volumes.length > 0")
            self.assertEqual([round(volume, 3) for volume in self.browser.value("volumes")], [0.4])

    def test_a_set_of_colours_is_chosen_for_this_screen__RN_7(self):
        self.begin()
        self.drive_for(2)
        self.click("#set")
        edge = "navstack.map.getPaintProperty('nav-arrow-edge', 'line-color')"
        self.change("colours", "colour-blind")
        self.browser.wait("navstack.map.getPaintProperty('nav-off-road', 'line-color') === '#0072b2'")
        self.shot("colours-blind")
        self.change("colours", "high-contrast")
        self.browser.wait("navstack.map.getPaintProperty('background', 'background-color') === '#ffffff'")
        self.assertTrue(self.browser.value(edge))
        self.change("colours", "standard")
        self.browser.wait("navstack.map.getPaintProperty('background', 'background-color') === '#e9ece6'")

    def test_each_mode_has_a_look_and_an_estimated_place_is_shown_as_one__RN_7__TU_2(self):
        self.begin()
        looks = {}
        for mode in ("car", "truck", "bus", "scooter", "bicycle", "pedestrian"):
            route = self.drive.route()
            self.drive.route_id = f"{self.drive.route_id}-{mode}"
            self.stack.publish("route/active", self.drive.now_ns, {
                "reason": "new", "paused": False, "route": {**route, "id": self.drive.route_id, "request": {**route["request"], "mode": mode}}})
            self.drive_until(f"document.getElementById('indicator').dataset.style === '{mode}'")
            looks[mode] = self.browser.value("document.getElementById('indicator').innerHTML")
            self.shot(f"indicator-{mode}")
        self.assertEqual(len(set(looks.values())), len(looks), "each has its own")

        inside = {"estimated": True, "in_tunnel": True, "uncertainty_m": 60.0}
        self.drive_until("document.getElementById('indicator').hasAttribute('data-estimated') && !document.getElementById('accuracy').hidden", **inside)
        self.assertEqual(self.browser.value("document.getElementById('indicator').dataset.style"), "pedestrian", "known by the tunnel")
        width = self.browser.value("document.getElementById('accuracy').getBoundingClientRect().width")
        metres = self.browser.value("40075016.7 * Math.cos(navstack.state.indicator.place[1] * Math.PI / 180) / 512 / 2 ** navstack.state.zoom")
        self.assertAlmostEqual(width, 2 * 60 / metres, delta=0.5 * width)
        self.shot("indicator-estimated")
        self.drive_until("!document.getElementById('indicator').hasAttribute('data-estimated') && document.getElementById('accuracy').hidden",
                         estimated=False, in_tunnel=False, uncertainty_m=4.0)

    def drive_until(self, condition, **location):
        """Drives on, with these fields of the location, until a condition holds of the page."""
        for _ in range(40):
            for topic, stamp, payload in self.drive.step(0.5):
                extra = location if topic == "location/matched" else {"estimated": location.get("estimated", False)} if topic == "guidance/progress" else {}
                self.stack.publish(topic, stamp, payload | extra)
            try:
                return self.browser.wait(condition, 0.5)
            except TimeoutError:
                continue
        self.fail(f"not within 40 fixes: {condition}")
