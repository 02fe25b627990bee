"""A running renderer that is controlled by calls of scene/control: call and page must agree."""

import json
import struct
import zlib

import navstack
from drawn_drive import polyline6
from page_case import PageCase


def png(width, height, rgb):
    """The bytes of a PNG of one colour."""
    def chunk(kind, data):
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))
    rows = (b"\0" + bytes(rgb) * width) * height
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


class ControlTest(PageCase):
    def tearDown(self):
        self.control(reset=True)

    def control(self, **request):
        """Calls scene/control and waits until the page shows what the reply says."""
        reply = self.stack.call("scene/control", **request)
        plain = json.dumps({key: value for key, value in reply.items() if not isinstance(value, bytes)})
        self.browser.wait(
            f"Object.entries({plain}).every(([key, value]) => JSON.stringify(navstack.state.settings[key]) === JSON.stringify(value))")
        return reply

    def paint(self, layer, name):
        return self.browser.value(f"navstack.map.getPaintProperty('{layer}', '{name}')")

    def gradient(self):
        return json.dumps(self.paint("nav-ahead", "line-gradient"))

    def is_drawn(self, element):
        return self.browser.value(f"getComputedStyle(document.querySelector('{element}')).display !== 'none'")

    def center(self):
        return self.browser.value("(({lng, lat}) => [lng, lat])(navstack.map.getCenter())")

    def wait_for_colour(self, layer, name, colour):
        self.browser.wait(f"navstack.map.getPaintProperty('{layer}', '{name}') === '{colour}'")

    # Camera.

    def test_the_camera_is_switched_off_and_on_over_the_bus__RN_2__RN_10(self):
        self.begin()
        self.drive_for(3)
        self.control(tracking=False)
        self.browser.wait("navstack.state.camera === 'free' && navstack.state.scene.camera_mode === 'free'")
        center, point = self.center(), self.state("indicator.screen")
        self.drive_for(3)
        self.assertEqual(self.center(), center)
        self.assertNotEqual(self.state("indicator.screen"), point, "the indicator goes on")
        self.assertTrue(self.is_shown("recentre"))
        # A page that comes later looks where the camera stands.
        self.browser.open(self.stack.url)
        self.browser.wait("window.navstack?.state.camera === 'free' && navstack.state.indicator", 60)
        self.drive_for(2)
        frame = self.state("scene")
        lon, lat = self.center()
        self.assertAlmostEqual(lon, frame["camera_lon_deg"], delta=1e-6)
        self.assertAlmostEqual(lat, frame["camera_lat_deg"], delta=1e-6)
        self.control(tracking=True)
        self.browser.wait("navstack.state.camera === 'tracking'")
        self.drive_for(3)
        self.assertAlmostEqual(self.state("indicator.screen")["x"] / 1280, 0.5, delta=0.02)
        self.assertEqual(self.state("scene.camera_mode"), "dynamic")

    def test_a_drag_is_of_its_page_alone__RN_2__RN_10(self):
        self.begin()
        self.drive_for(2)
        self.browser.drag((640, 300), (840, 420))
        self.browser.wait("navstack.state.camera === 'free'")
        self.control(theme="night")
        self.drive_for(1)
        self.assertEqual(self.state("camera"), "free", "another setting does not bring the camera back")
        self.assertTrue(self.state("settings.tracking"))
        self.assertEqual(self.state("scene.camera_mode"), "dynamic")

    def test_zoom_tilt_heading_and_principal_point_follow_a_call__RN_2__RN_10(self):
        self.begin()
        self.drive_for(2)
        self.control(camera="fixed", fixed_zoom=15.25, tilt_deg=20, anchor_x=0.3, anchor_y=0.6)
        self.drive_for(8)
        self.assertAlmostEqual(self.state("zoom"), 15.25, delta=0.05)
        self.assertAlmostEqual(self.state("pitch"), 20, delta=1)
        point = self.state("indicator.screen")
        self.assertAlmostEqual(point["x"] / 1280, 0.3, delta=0.01)
        self.assertAlmostEqual(point["y"] / 720, 0.6, delta=0.01)
        self.control(north_up=True)
        self.drive_for(8)
        self.assertAlmostEqual(self.state("bearing"), 0, delta=0.5)
        self.assertAlmostEqual(self.state("pitch"), 0, delta=1)
        self.shot("north-up")

    def test_the_page_draws_at_the_frame_rate_of_the_call__RN_6__RN_10(self):
        self.begin()
        self.drive_for(2)

        def frames(seconds):
            before = self.state("framesShown")
            self.drive_for(seconds)
            return self.state("framesShown") - before
        self.control(guidance_frame_rate_hz=1)
        self.assertLessEqual(frames(5), 7)
        self.control(guidance_frame_rate_hz=60)
        self.assertGreater(frames(5), 4, "however slow the machine draws")

    # What is drawn.

    def test_themes_and_colours_change_while_it_runs__RN_3__RN_7__RN_10(self):
        self.begin(jam=(400, 700))
        self.drive_for(2)
        self.control(colours=[
            {"name": "land", "value": "#80ff0000"}, {"name": "ahead", "value": "#112233"},
            {"name": "ahead", "value": "#ff00ff", "mode": "car"}, {"name": "jam", "value": "#00ffff", "mode": "bicycle"}])
        self.wait_for_colour("background", "background-color", "#ff000080")
        self.assertIn("#ff00ff", self.gradient(), "the colour of the mode that is driven")
        self.assertIn("#e5484d", self.gradient(), "and not that of another mode")
        self.shot("colours")
        self.control(theme="night")
        self.browser.wait("navstack.state.theme === 'night'")
        self.browser.wait("navstack.map.getPaintProperty('nav-behind', 'line-color') === '#5d6268'")
        self.assertEqual(self.paint("background", "background-color"), "#ff000080")
        # Without a route no mode is driven.
        self.stack.publish("route/active", self.drive.now_ns, {"reason": "cleared", "paused": False})
        self.browser.wait("navstack.state.routeID === null")
        self.control(colours=[{"name": "land", "value": ""}], theme="day")
        self.wait_for_colour("background", "background-color", "#e9ece6")

    def test_layers_are_hidden_and_drawn_again__RN_7__RN_10(self):
        self.begin(jam=(400, 700))
        self.stack.publish("guidance/warning", self.drive.now_ns, {
            "id": "w-1", "kind": "safety_camera", "event": "ahead", "distance_m": 480.0})
        self.drive_for(2)
        on_map = {
            "route": ["nav-ahead", "nav-ahead-edge", "nav-behind", "nav-waypoints"], "eat_up": ["nav-behind", "nav-behind-edge"],
            "incidents": ["nav-incidents"], "alternatives": ["nav-alternative"], "maneuver_arrows": ["nav-arrow", "nav-arrow-head"],
            "offroad": ["nav-off-road"], "shields": ["shield"], "labels": ["name", "place"]}
        over_it = {"indicator": ["#indicator"], "panel": ["#guide", "#speed", "#bar"], "warnings": ["#warnings"]}

        def drawn():
            layers = {name: all(self.browser.value(f"navstack.map.getLayoutProperty('{layer}', 'visibility')") != "none" for layer in ids)
                      for name, ids in on_map.items()}
            elements = {name: all(map(self.is_drawn, ids)) for name, ids in over_it.items()}
            return layers | elements | {"traffic": "#e5484d" in self.gradient()}
        names = {*on_map, *over_it, "traffic"}
        self.assertEqual({name for name, is_drawn in drawn().items() if is_drawn}, names)
        for name in sorted(names):
            self.control(layers=[{"name": name, "visible": False}])
            hidden = {other for other, is_drawn in drawn().items() if not is_drawn}
            # The driven part is a part of the route.
            self.assertEqual(hidden, {name} | ({"route", "eat_up"} if name in ("route", "eat_up") else set()), name)
            self.control(layers=[{"name": name, "visible": True}])
        self.assertTrue(all(drawn().values()))
        self.assertEqual(self.browser.errors, [])

    def test_a_hidden_layer_is_not_in_the_picture__RN_7__RN_10(self):
        self.begin()
        self.drive_for(2)
        seen = "navstack.map.queryRenderedFeatures({layers: ['nav-ahead', 'name', 'shield'].filter((id) => navstack.map.getLayer(id))}).map((f) => f.layer.id)"
        self.assertIn("nav-ahead", self.browser.value(seen))
        self.control(layers=[{"name": "route", "visible": False}, {"name": "labels", "visible": False}])
        self.browser.wait(f"!{seen}.some((layer) => layer === 'nav-ahead' || layer === 'name')")
        self.shot("no-route")

    def test_the_eat_up_is_switched_while_it_runs__RN_3__RN_10(self):
        self.begin()
        self.drive_for(4)
        length = self.state("routeLengthM")
        self.assertLess(self.state("aheadM"), length - 5)
        self.control(eat_up=False)
        self.drive_for(1)
        self.assertEqual(self.state("aheadM"), length)
        self.assertNotIn("rgba(0,0,0,0)", self.gradient())
        self.control(eat_up=True)
        self.drive_for(1)
        self.assertLess(self.state("aheadM"), length - 5)
        self.assertIn("rgba(0,0,0,0)", self.gradient())

    def test_the_indicator_takes_a_style_or_a_picture_or_is_hidden__RN_7__RN_10(self):
        self.begin()
        self.drive_for(2)
        shape = "document.querySelector('#indicator').innerHTML"
        self.assertNotIn("circle", self.browser.value(shape))
        self.control(indicator="pedestrian")
        self.browser.wait(f"{shape}.includes('circle')")
        image = "document.querySelector('#indicator img')"
        for kind, data in (("png", png(48, 32, (200, 30, 30))), (
                "svg", b'<svg xmlns="http://www.w3.org/2000/svg" width="48" height="32"><script>window.ran = 1</script><rect width="48" height="32"/></svg>')):
            self.control(indicator="picture", indicator_picture=data, indicator_picture_type=kind)
            self.browser.wait(f"{image}?.complete && {image}.naturalWidth === 48 && {image}.naturalHeight === 32")
            self.drive_for(1)
            self.shot(f"indicator-{kind}")
        self.assertIsNone(self.browser.value("window.ran ?? null"))
        # A model is kept for renderers that can draw it; a browser shows the look by mode.
        self.control(indicator_picture=b"glTF\x02\0\0\0", indicator_picture_type="glb")
        self.browser.wait(f"!{image} && {shape}.includes('<svg')")
        self.control(indicator="hidden")
        self.assertFalse(self.is_drawn("#indicator"))
        before = self.center()
        self.drive_for(3)
        self.assertNotIn("indicator_lat_deg", self.state("scene"))
        self.assertNotEqual(self.center(), before, "the camera follows the vehicle all the same")
        self.assertLess(abs(self.state("indicator.offsetM") - self.drive.travelled_m), 40)
        self.control(indicator="auto")
        self.assertTrue(self.is_drawn("#indicator"))
        self.assertEqual(self.browser.errors, [])

    def test_further_routes_have_colours_of_their_own__RN_10(self):
        self.begin()
        self.drive_for(2)
        points = [(lat + 0.0004, lon + 0.0004) for lat, lon in self.drive.shape[:6]]
        lines = [{"id": "mine", "shape": polyline6(points), "colour": "#cc00aa88", "outline": "#ff003322", "width_px": 8},
                 {"id": "plain", "shape": polyline6(self.drive.shape[:4]), "colour": "#ff0000", "width_px": 3}]
        self.control(routes=lines)
        self.browser.wait("navstack.map.queryRenderedFeatures({layers: ['nav-line']}).length > 1")
        seen = {entry["id"]: entry for entry in self.browser.value(
            "navstack.map.queryRenderedFeatures({layers: ['nav-line']}).map((f) => f.properties)")}
        self.assertEqual(seen["mine"], {"id": "mine", "colour": "#00aa88cc", "outline": "#003322", "width": 8})
        self.assertEqual(seen["plain"], {"id": "plain", "colour": "#ff0000", "width": 3})
        edges = self.browser.value("navstack.map.queryRenderedFeatures({layers: ['nav-line-edge']}).map((f) => f.properties.id)")
        self.assertEqual(set(edges), {"mine"})
        self.shot("further-routes")
        self.control(routes=[{"id": "mine", "shape": ""}])
        self.browser.wait("navstack.map.queryRenderedFeatures({layers: ['nav-line']}).every((f) => f.properties.id === 'plain')")

    # The call.

    def test_what_cannot_be_is_refused_and_the_page_stays__RN_10(self):
        self.begin()
        before = self.state("settings")
        with self.assertRaises(navstack.CallError) as caught:
            self.stack.call("scene/control", theme="night", colours=[{"name": "ahaed", "value": "#ffffff"}])
        self.assertEqual((caught.exception.code, caught.exception.field), ("invalid", "colours[0].name"))
        self.assertIn('did you mean "ahead"?', str(caught.exception))
        self.drive_for(1)
        self.assertEqual(self.state("settings"), before)

    def test_the_page_can_call_too__RN_10(self):
        self.begin()
        reply = self.browser.value("navstack.call('scene/control', {theme: 'night', tilt_deg: 30})")
        self.assertEqual((reply["theme"], reply["tilt_deg"]), ("night", 30))
        self.browser.wait("navstack.state.theme === 'night'")

    def test_the_settings_outlive_the_renderer__RN_10__BUS_6(self):
        self.begin()
        self.control(theme="night", layers=[{"name": "labels", "visible": False}])
        self.drive_for(2)
        self.stack.stop_renderer()
        self.browser.wait("navstack.state.link === 'lost'")
        self.stack.start_renderer()
        self.browser.wait("navstack.state.link === 'open'", 30)
        self.drive_for(2)
        self.assertEqual(self.stack.call("scene/control")["theme"], "night")
        self.browser.open(self.stack.url)
        self.browser.wait("window.navstack?.state.theme === 'night' && navstack.state.indicator", 60)
        self.assertEqual(self.browser.value("navstack.map.getLayoutProperty('name', 'visibility')"), "none")

    # What the stack publishes while it runs.

    def test_new_traffic_colours_the_route_and_moves_nothing__RN_3__RT_9(self):
        self.begin()
        self.drive_for(3)
        self.browser.drag((640, 300), (840, 420))
        self.browser.wait("navstack.state.camera === 'free'")
        self.drive_for(1)
        self.browser.wait("!navstack.map.isMoving()")  # a dragged map glides on for a while
        self.browser.value(
            "(() => { const source = navstack.map.getSource('nav-route'); const set = source.setData.bind(source); window.drawn = 0;"
            " source.setData = (data) => { window.drawn += 1; return set(data); }; })()")
        center, zoom, ahead = self.center(), self.state("zoom"), self.state("aheadM")
        self.assertNotIn("#e5484d", self.gradient())
        start = self.drive.travelled_m + 200
        self.stack.publish("route/active", self.drive.now_ns, {
            "reason": "traffic", "paused": False, "route": self.drive.route((start, start + 300))})
        self.browser.wait("JSON.stringify(navstack.map.getPaintProperty('nav-ahead', 'line-gradient')).includes('#e5484d')")
        gradient = self.paint("nav-ahead", "line-gradient")
        jam = gradient[gradient.index("#e5484d") - 1] * self.state("routeLengthM")
        self.assertAlmostEqual(jam, start, delta=2)
        offsets = [o for o in self.drive_for(2, "navstack.state.indicator.offsetM") if o is not None]
        self.assertTrue(all(b >= a - 0.5 for a, b in zip(offsets, offsets[1:])), offsets)
        self.assertEqual(self.browser.value("window.drawn"), 0, "the line is not drawn anew")
        self.assertEqual((self.center(), self.state("zoom"), self.state("camera")), (center, zoom, "free"))
        self.assertLess(self.state("aheadM"), ahead, "what is driven stays driven")
        self.assertIsNone(self.state("banner"))
        self.assertFalse(self.is_shown("caption"))
        # When the jam has gone, so has its colour.
        self.stack.publish("route/active", self.drive.now_ns, {"reason": "traffic", "paused": False, "route": self.drive.route()})
        self.browser.wait("!JSON.stringify(navstack.map.getPaintProperty('nav-ahead', 'line-gradient')).includes('#e5484d')")

    def test_an_estimated_location_shows_no_speed_and_moves_on__TU_2__RN_1(self):
        self.begin()
        self.drive_for(4)
        self.assertRegex(self.text("speed-value"), r"^\d+$")
        before = self.state("indicator.offsetM")
        for _ in range(3):
            for topic, stamp, payload in self.drive.step(1):
                if topic == "location/matched":
                    payload = payload | {"estimated": True, "in_tunnel": True}
                if topic == "guidance/progress":
                    payload = {key: value for key, value in payload.items() if key != "speed_mps"} | {"estimated": True}
                self.stack.publish(topic, stamp, payload)
            self.browser.wait(f"navstack.state.scene.panel?.speed_mps == null && navstack.state.indicator.offsetM > {before}")
            before = self.state("indicator.offsetM")
        self.assertEqual(self.text("speed-value"), "–")
        self.assertTrue(self.is_drawn("#limit"), "the limit holds")
        self.drive_for(2)
        self.assertRegex(self.text("speed-value"), r"^\d+$")
