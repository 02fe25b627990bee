"""A fleet on the page: one vehicle by its name, the list of all, wrong names, and no work for vehicles that nobody watches."""

import time

import msgpack
import zmq

from drawn_drive import Drive
from page_case import OPTIONS, PageCase
from stack import Stack

FLEET = 250


class VehiclesTest(PageCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.stack.close()
        cls.stack = Stack(OPTIONS.programs, cls.stack.parameters["map"], vehicle="any", theme="day")
        cls.status = zmq.Context.instance().socket(zmq.SUB)
        cls.status.connect(f"{cls.stack.base}/out")
        cls.status.subscribe(b"_node/renderer/status")

    @classmethod
    def tearDownClass(cls):
        cls.status.close(linger=0)
        super().tearDownClass()

    def setUp(self):
        super().setUp()
        start = min(self.roads.links)
        self.second = Drive(self.roads, start, route_id=f"{self.drive.route_id}-b", begins_ns=self.begins_ns)
        self.step()

    def step(self):
        """A second of two guided vehicles, and a fix of each vehicle of the fleet."""
        for drive, vehicle in ((self.drive, "car-a"), (self.second, "car-b")):
            self.stack.publish_all(drive.starts() if drive.travelled_m == 0 else [], vehicle)
            self.stack.publish_all(drive.step(1), vehicle)
        match = next(payload for topic, _, payload in self.drive.messages() if topic == "location/matched")
        for number in range(FLEET):
            self.stack.publish("location/matched", self.drive.now_ns, match, f"van{number:03}")

    def wait_while_driving(self, condition, seconds=60):
        ends = time.monotonic() + seconds
        while not self.holds(condition):
            self.assertLess(time.monotonic(), ends, condition)
            self.step()
            self.browser.receive(0.5)

    def holds(self, condition):
        try:
            return self.browser.value(condition)
        except RuntimeError:
            return False  # The page is being left.

    def received(self, after=2):
        """Matched locations that the renderer has received so far, by a status that comes `after` others."""
        while self.status.poll(0):
            self.status.recv_multipart()
        for _ in range(after):
            self.assertTrue(self.status.poll(5000))
            status = msgpack.unpackb(self.status.recv_multipart()[2])
        return status["subscriptions"]["location/matched"].get("received", 0), status

    def test_the_page_shows_the_vehicle_of_its_address__RN_9(self):
        for name, drive in (("car-a", self.drive), ("car-b", self.second)):
            self.browser.open(f"{self.stack.url}?vehicle={name}")
            self.wait_while_driving(f"window.navstack?.state.routeID === '{drive.route_id}' && Boolean(navstack.state.indicator)")
            self.assertEqual(self.state("vehicle"), name)
        self.assertEqual(self.browser.errors, [])

    def test_a_vehicle_is_searched_for_and_followed_by_a_click__RN_9(self):
        self.browser.open(self.stack.url)
        self.browser.wait("window.navstack && !document.getElementById('vehicles').hidden", 30)
        self.assertIn("Choose a vehicle", self.text("link"))
        self.browser.wait(f"document.getElementById('vehicles-count').innerText.startsWith('{FLEET + 2} vehicles')")
        self.browser.value("(() => { const s = document.getElementById('vehicles-search'); s.value = 'R-B'; s.oninput(); })()")
        self.browser.wait("document.querySelectorAll('#vehicles-list a').length === 1")
        self.shot("vehicles")
        self.click("#vehicles-list a")
        self.wait_while_driving(f"window.navstack?.state.routeID === '{self.second.route_id}' && navstack.state.vehicle === 'car-b'")
        self.browser.wait("!document.getElementById('fleet').hidden")
        self.assertFalse(self.is_shown("link"))
        self.click("#fleet")
        self.browser.wait("document.querySelector('#vehicles-list a[aria-current]')?.innerText === 'car-b'")

    def test_a_wrong_name_gets_a_clear_message__RN_9(self):
        self.browser.open(f"{self.stack.url}?vehicle=car-z")
        self.browser.wait("document.getElementById('link')?.innerText.includes('no vehicle \"car-z\" on the bus')", 30)
        # It is shown as soon as it is there.
        self.second.travelled_m = 0
        self.stack.publish_all(self.second.starts(), "car-z")
        self.browser.wait("document.getElementById('link')?.hidden", 30)
        self.browser.open(f"{self.stack.url}?vehicle=No%20Car%3Cb%3E")
        self.browser.wait("document.getElementById('link')?.innerText.includes('is not a vehicle name')", 30)
        self.browser.wait("document.getElementById('vehicles')?.hidden === false")

    def test_vehicles_that_nobody_watches_cost_nothing__RN_9__BUS_8(self):
        self.browser.open("about:blank")
        frames = zmq.Context.instance().socket(zmq.SUB)
        frames.connect(f"{self.stack.base}/out")
        # The last page's vehicle is let go after some seconds.
        ends = time.monotonic() + 30
        before, _ = self.received()
        while True:
            for _ in range(3):
                self.step()
            now, status = self.received(3)
            if now == before:
                break
            self.assertLess(time.monotonic(), ends, "the renderer goes on reading vehicles that nobody watches")
            before = now
        self.assertEqual(status["state"], "ready", "without input nothing is wrong")
        # A subscriber of one vehicle's frames brings that one alone.
        frames.subscribe(b"van007/scene/frame")
        ends = time.monotonic() + 30
        seen = []
        while len(seen) < 3 and time.monotonic() < ends:
            self.step()
            while frames.poll(300):
                seen.append(frames.recv_multipart()[0])
        self.assertEqual(set(seen), {b"van007/scene/frame"})
        now, status = self.received()
        self.assertLess(now - before, FLEET / 2, "only the vehicle that is watched is read")
        self.assertEqual(status["vehicles"], 1)
        frames.close(linger=0)

    def test_what_a_call_sets_for_a_vehicle_stays__RN_9__RN_10(self):
        # Its settings stay, although nobody watches it.
        self.stack.call("scene/control", theme="night", vehicle="car-b")
        self.assertEqual(self.stack.call("scene/control", vehicle="car-b")["theme"], "night")
        self.assertEqual(self.stack.call("scene/control", vehicle="car-a")["theme"], "day")
        self.browser.open(f"{self.stack.url}?vehicle=car-b")
        self.wait_while_driving("window.navstack?.state.theme === 'night'")
        self.stack.call("scene/control", reset=True, vehicle="car-b")
