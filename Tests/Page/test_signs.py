"""Shields, signposts, lanes and the view of a junction, in the browser."""

import pathlib
import tempfile
import urllib.error
import urllib.parse
import urllib.request

import drawn_junction
from browser import Browser
from drawn_junction import EXIT_Y, ExitDrive
from page_case import OPTIONS, PageCase
from stack import Stack

SHIELDS = """(element) => [...document.querySelectorAll(`${element} .shield`)].map((shield) =>
  [shield.getAttribute('aria-label') ?? shield.textContent, Boolean(shield.querySelector('svg'))])"""


class SignsTest(PageCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="navstack-")
        cls.path = pathlib.Path(cls.folder.name) / "junction.osm"
        drawn_junction.write(cls.path)
        cls.stack = Stack(OPTIONS.programs, cls.path, theme="day")
        cls.browser = Browser()

    def setUp(self):
        number = PageCase.number = getattr(PageCase, "number", 0) + 1
        self.drive = ExitDrive(self.path, route_id=f"r-{number}", begins_ns=1_790_000_000_000_000_000 + number * 3_600_000_000_000)
        self.browser.errors.clear()

    def reach(self, metres_before_exit, speed_mps=25.0):
        """Drives on to a place before the exit, and waits until the page shows it."""
        drive = self.drive
        drive.travelled_m, drive.speed_mps = drive.offsets[drive.exit_index] - metres_before_exit, speed_mps
        drive.now_ns += 1_000_000_000
        self.stack.publish_all(drive.messages())
        self.browser.wait(f"Math.abs(navstack.state.scene.panel.maneuver_remaining_m - {max(metres_before_exit, 0)}) < 2" if metres_before_exit >= 0
                          else "navstack.state.scene.panel.maneuver_index > 1", 20)

    def shields(self, element):
        return self.browser.value(f"({SHIELDS})('{element}')")

    def get(self, path):
        try:
            with urllib.request.urlopen(self.stack.url + path, timeout=5) as answer:
                return answer.status, dict(answer.headers), answer.read()
        except urllib.error.HTTPError as error:
            return error.code, dict(error.headers), error.read()

    def test_shields_are_pictures_over_http__RN_4__RN_11(self):
        def shield(kind="svg", **query):
            return self.get(f"shield.{kind}?{urllib.parse.urlencode(query)}")
        status, headers, body = shield(number="A 5", country="DE")
        self.assertEqual((status, headers["Content-Type"]), (200, "image/svg+xml"))
        self.assertIn("<title>Autobahn 5</title>", body.decode())
        self.assertEqual(shield(number="A 5", country="DE")[2], body)
        self.assertNotEqual(shield(number="A 5", country="DE", night=1)[2], body)
        again = urllib.request.Request(self.stack.url + "shield.svg?number=A+5&country=DE", headers={"If-None-Match": headers["ETag"]})
        with self.assertRaises(urllib.error.HTTPError) as unchanged:
            urllib.request.urlopen(again, timeout=5)
        self.assertEqual(unchanged.exception.code, 304)
        status, headers, body = shield("png", number="I 80", country="US", direction="east", scheme="panel", height_px=90)
        self.assertEqual((status, headers["Content-Type"], body[:4]), (200, "image/png", b"\x89PNG"))
        for reason, query in {
            "no_country": {"number": "A 5"}, "no_number": {"country": "DE"}, "level": {"number": "A 5", "country": "DE", "level": "x"},
            "scheme": {"number": "A 5", "country": "DE", "scheme": "wall"}, "width_px": {"number": "A 5", "country": "DE", "width_px": 1},
            "colour": {"number": "A 5", "country": "DE", "colour": "red"}, "country": {"number": "A 5", "country": "Germany"},
        }.items():
            status, headers, body = shield(**query)
            self.assertEqual((status, headers["Cache-Control"]), (400, "no-store"), query)
            self.assertIn(reason, body.decode())

    def test_roads_on_the_map_have_their_countrys_shields__RN_4__P10(self):
        self.begin()
        self.drive_for(2)
        self.browser.wait(
            "navstack.map.listImages().filter((name) => name.startsWith('shield\\n'))"
            ".some((name) => name.startsWith('shield\\nE 45;A 7\\nDE') && navstack.map.getImage(name).data.width > 40)", 30)
        names = self.browser.value("navstack.map.listImages().filter((name) => name.startsWith('shield\\n'))")
        self.assertIn("shield\nE 45;A 7\nDE\n\ne-road;DE:A\n1;1", names)
        # Two shields side by side, sharp on any screen.
        image = self.browser.value(
            f"(({{data: {{width, height}}, pixelRatio}}) => ({{width, height, pixelRatio}}))(navstack.map.getImage({names[0]!r}))")
        self.assertGreaterEqual(image["pixelRatio"], 2)
        self.assertEqual(image["height"], 21 * image["pixelRatio"])
        self.browser.wait("navstack.map.queryRenderedFeatures({layers: ['shield']}).some(({properties}) => properties.ref === 'E 45;A 7')", 20)
        self.assertEqual(self.browser.errors, [])
        self.shot("signs-map")

    def test_the_panel_has_the_signs_of_the_country__RN_4__P10(self):
        self.begin()
        self.reach(600)
        self.browser.wait("document.querySelectorAll('#guide-sign .shield svg').length === 1", 10)
        # The line above the sign says B 8 already.
        self.assertEqual(self.shields("#guide-road"), [["Bundesstraße 8", True]])
        self.assertEqual(self.shields("#guide-sign"), [["Bundesstraße 19", True]])
        self.assertEqual(self.shields("#road"), [["European route E45", True], ["Autobahn 7", True]])
        sign = self.browser.value("(({dataset, innerText}) => [dataset.sign, innerText])(document.getElementById('guide-sign'))")
        self.assertEqual(sign[0], "blue")
        self.assertIn("Exit 13", sign[1])
        self.assertIn("Würzburg", sign[1])
        self.assertEqual(self.browser.value("getComputedStyle(document.getElementById('guide-sign')).backgroundColor"), "rgb(11, 85, 165)")
        self.shot("signs-panel")
        self.click("#guide-turn")
        self.browser.wait("document.querySelectorAll('#maneuvers .shield svg').length >= 2", 10)
        self.shot("signs-list")
        self.click("#guide-turn")
        # No shield outlives its maneuver.
        self.reach(-60)
        self.browser.wait("!document.getElementById('guide-sign').offsetParent", 10)
        self.assertEqual(self.shields("#guide-sign"), [])
        self.assertEqual(self.browser.errors, [])

    def test_without_a_country_there_is_no_shield_but_the_number__RN_4(self):
        self.drive = ExitDrive(self.path, country=None, route_id=self.drive.route_id, begins_ns=self.drive.now_ns)
        self.begin()
        self.reach(600)
        self.browser.wait("document.querySelector('#guide-road .shield')?.dataset.reason", 10)
        self.assertEqual(self.shields("#guide-road"), [["B 8", False]])
        self.assertIn("no_country", self.browser.value("document.querySelector('#guide-road .shield').dataset.reason"))

    def test_lanes_are_large_and_one_arrow_is_lit__P8__EV_6(self):
        lane = drawn_junction.lane
        self.drive.maneuvers[1]["lanes"] = [
            lane("left"), lane("left"), lane("through"), lane("through"), lane("through", access=["bus"]), lane("through", access=["hov"]),
            lane("through", "slight_right", active="slight_right"), lane("slight_right", active="slight_right"), lane("right")]
        self.browser.resize(1920, 720)
        try:
            self.begin()
            self.reach(250)
            self.browser.wait("document.querySelectorAll('#guide-lanes .lane').length === 9", 10)
            lanes = self.browser.value("""[...document.querySelectorAll('#guide-lanes .lane')].map((lane) => {
              const svg = lane.querySelector('svg').getBoundingClientRect(), card = document.getElementById('guide').getBoundingClientRect();
              return {tall: svg.height, inside: svg.left >= card.left && svg.right <= card.right, use: lane.classList.contains('use'),
                active: lane.dataset.active, level: lane.dataset.level, dim: lane.querySelectorAll('.dim path').length, mark: lane.innerText.trim(),
                lit: [...lane.querySelectorAll('svg path')].filter((path) => !path.closest('.dim')).length};
            })""")
            self.assertTrue(all(lane["tall"] >= 56 and lane["inside"] for lane in lanes), lanes)
            self.assertEqual([lane["use"] for lane in lanes], [False] * 6 + [True, True, False])
            self.assertEqual([lane["active"] for lane in lanes], [""] * 6 + ["slight_right", "slight_right", ""])
            # Of a lane with two arrows the one to follow is lit; each is a stem and a head.
            self.assertEqual([(lanes[6]["dim"], lanes[6]["lit"]), (lanes[7]["dim"], lanes[7]["lit"])], [(2, 2), (0, 2)])
            self.assertEqual((lanes[4]["mark"], lanes[5]["mark"]), ("BUS", "◇"))
            self.shot("signs-lanes")
        finally:
            self.browser.resize(1280, 720)

    def test_the_junction_is_shown_from_400_m_before_it__P9(self):
        self.begin()
        self.reach(450)
        self.assertFalse(self.is_shown("junction"))
        self.reach(380)
        self.browser.wait("!document.getElementById('junction').hidden && document.querySelectorAll('#junction-sign .shield svg').length === 2", 20)
        end = self.browser.value("navstack.junction.end")
        self.assertLessEqual(end["y"], 1 / 3)
        self.assertTrue(0.5 < end["x"] < 1, end)
        # Both carriageways, the ramps and the bridge of the road above.
        self.assertGreaterEqual(self.browser.value("navstack.junction.picture.roads.length"), 5)
        self.assertEqual(self.browser.value("navstack.junction.picture.arrows.filter(({isLit}) => isLit).length"), 1)
        self.assertIn("exit", self.browser.value("document.getElementById('junction-picture').getAttribute('aria-label')"))
        self.shot("signs-junction")
        covered = self.browser.value("""(() => {
          const box = (id) => document.getElementById(id).getBoundingClientRect();
          const card = box('junction'), {x, y} = navstack.state.indicator.screen;
          const meets = (other) => other.right > card.left && other.left < card.right && other.bottom > card.top && other.top < card.bottom;
          return ['guide', 'speed', 'bar', 'road', 'tools', 'banner', 'warnings'].filter((id) => document.getElementById(id).offsetParent && meets(box(id)))
            .concat(meets({left: x - 30, right: x + 30, top: y - 30, bottom: y + 30}) ? ['vehicle'] : []);
        })()""")
        self.assertEqual(covered, [])
        for width, height in ((390, 844), (800, 480), (844, 390), (640, 360)):
            self.browser.resize(width, height)
            self.browser.wait("!document.getElementById('junction').offsetParent", 10)
        self.browser.resize(1920, 720)
        self.browser.wait("document.getElementById('junction').offsetParent !== null && document.getElementById('junction-picture').width > 300", 10)
        self.shot("signs-junction-wide")
        self.browser.resize(1280, 720)
        self.reach(-30)
        self.browser.wait("document.getElementById('junction').hidden", 10)
        self.assertEqual(self.browser.errors, [])
