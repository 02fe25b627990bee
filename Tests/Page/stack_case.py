"""What the tests with every stage share: the stack, a browser, and fixes at the pace of the stack's time."""

import time
import unittest

from browser import Browser
from real_stack import RealStack


class StackCase(unittest.TestCase):
    options = None
    # Parameters of the location provider; None for fixes that the test injects.
    location = None

    @classmethod
    def setUpClass(cls):
        cls.stack = RealStack(cls.options.programs, cls.location)
        cls.browser = Browser()

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        cls.stack.close()

    def drive(self, steps):
        """One fix at each of the (place, metres since the last)."""
        for place, metres in steps:
            due = time.monotonic() + 1 / self.stack.rate
            self.stack.move(place, metres)
            while (left := due - time.monotonic()) > 0:
                self.browser.receive(left)
        # Time stands still while the page is looked at: a fix that fails to come is an event as well.
        self.stack.tell_clock(is_paused=True)

    def text(self, element):
        return self.browser.value(f"document.getElementById('{element}').innerText")

    def shot(self, name):
        if self.options.shots:
            self.options.shots.mkdir(parents=True, exist_ok=True)
            self.browser.screenshot(self.options.shots / f"{name}.png")
