"""What the tests of the page share: a bus, a renderer and a browser for each class, and a drive for each test."""

import argparse
import pathlib
import tempfile
import time
import unittest

import drawn_town
from browser import Browser
from drawn_drive import Drive, Roads
from stack import Stack

OPTIONS = argparse.Namespace()


class PageCase(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="navstack-")
        path = OPTIONS.map
        if path is None:
            path = pathlib.Path(cls.folder.name) / "town.osm"
            drawn_town.write(path)
        cls.roads = Roads(path)
        cls.stack = Stack(OPTIONS.programs, path, theme="day")
        cls.browser = Browser()

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.stack.close()
        cls.folder.cleanup()

    def setUp(self):
        PageCase.begins_ns = getattr(PageCase, "begins_ns", 1_790_000_000_000_000_000) + 3_600_000_000_000
        number = PageCase.number = getattr(PageCase, "number", 0) + 1
        start = self.roads.nearest(*drawn_town.bent(0, 0)) if OPTIONS.map is None else min(self.roads.links)
        self.drive = Drive(self.roads, start, route_id=f"r-{number}", begins_ns=self.begins_ns)
        self.browser.errors.clear()
        self.browser.requests.clear()

    # Playing the stack.

    def begin(self, jam=None):
        self.stack.publish_all(self.drive.starts(jam))
        self.stack.publish_all(self.drive.step(0.1))
        self.browser.open(self.stack.url)
        self.browser.wait(f"window.navstack?.state.routeID === '{self.drive.route_id}' && navstack.state.indicator && navstack.state.loaded", 120)

    def drive_for(self, seconds, sample=None):
        """One fix a second; `sample` is an expression whose values are gathered in between."""
        values, ends = [], time.monotonic() + seconds
        while (now := time.monotonic()) < ends:
            self.stack.publish_all(self.drive.step(1))
            while time.monotonic() < now + 1:
                if sample:
                    values.append(self.browser.value(sample))
                self.browser.receive(0.01)
        return values

    def state(self, name):
        return self.browser.value(f"navstack.state.{name}")

    def text(self, element):
        return self.browser.value(f"document.getElementById('{element}').innerText")

    def is_shown(self, element):
        return self.browser.value(f"!document.getElementById('{element}').hidden")

    def click(self, element):
        x, y = self.browser.value(
            f"(({{x, y, width, height}}) => [x + width / 2, y + height / 2])(document.querySelector('{element}').getBoundingClientRect())")
        self.browser.mouse("mousePressed", x, y, button="left", clickCount=1)
        self.browser.mouse("mouseReleased", x, y, button="left", clickCount=1)

    def shot(self, name):
        if OPTIONS.shots:
            OPTIONS.shots.mkdir(parents=True, exist_ok=True)
            self.browser.screenshot(OPTIONS.shots / f"{name}.png")
