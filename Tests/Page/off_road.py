"""The way to a destination that no road reaches, in the browser, with every stage of the stack."""

from drawn_drive import bearing_deg, distance_m
from real_stack import Path, navstack
from stack_case import StackCase

VILLAGE, CABIN = (47.00022, -30.0356), (46.98291, -30.0389)
COMPASS = ["north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest"]

# Keeps every text of the page's texts that was ever shown.
WATCH = """(() => {
  window.shownTexts = [];
  for (const id of ['guide-distance', 'guide-road', 'banner-text', 'caption', 'bar-distance']) {
    const element = document.getElementById(id);
    const note = () => { if (element.innerText) window.shownTexts.push(element.innerText); };
    new MutationObserver(note).observe(element, {childList: true, characterData: true, subtree: true});
    note();
  }
})()"""
DASHED = "(navstack.map.getSource('nav-off-road')._data.geojson ?? navstack.map.getSource('nav-off-road')._data).features"


class OffRoadTest(StackCase):
    def check_way_left(self, place):
        """Panel, arrow and bar lead from `place` to the cabin."""
        metres, bearing = distance_m(place, CABIN), bearing_deg(place, CABIN)
        shown = f"{metres / 1000:.1f} km" if metres >= 975 else f"{round(metres / 50) * 50} m"
        self.browser.wait(f"document.getElementById('guide-distance').innerText === '{shown}'")
        self.assertEqual(self.text("guide-road"), f"Old Cabin, to the {COMPASS[round(bearing / 45) % 8]}")
        self.assertEqual(f"{self.text('bar-distance')} {self.text('bar-distance-label')}", shown)
        # The arrow points there on the screen, whichever way the map is turned.
        self.browser.wait(
            "(() => { const turned = Number(/rotate\\((\\d+) /.exec(document.getElementById('guide-icon').innerHTML)[1]);"
            f" const off = Math.abs(turned - ({bearing} - navstack.map.getBearing())) % 360;"
            " return Math.min(off, 360 - off) <= 5; })()")

    def test_nothing_is_reached_before_the_off_road_end__OR_1__OR_2(self):
        stack, browser = self.stack, self.browser
        cabin = {"lat_deg": CABIN[0], "lon_deg": CABIN[1], "name": "Old Cabin"}
        village = {"lat_deg": VILLAGE[0], "lon_deg": VILLAGE[1]}
        route = stack.call("route/calculate", {"waypoints": [village, cabin]})["routes"][0]
        path = Path(navstack.polyline6(route["shape"]))
        end = path.places[-1]
        self.assertGreater(distance_m(end, CABIN), 1000)
        arrival = route["maneuvers"][-1]
        self.assertEqual(arrival["text"], "The road ends here; Old Cabin lies 1.3 km to the southwest.")
        self.assertNotIn("arrival_side", arrival)

        stack.stand(path.places[0])
        browser.open(stack.url)
        browser.wait("window.navstack?.state.link === 'open'", 60)
        stack.call("navigate/start", {"to": cabin})
        browser.wait("window.navstack?.state.routeID && navstack.state.loaded", 60)
        browser.value(WATCH)
        self.drive(path.steps(18.0, end_m=path.length_m - 60))
        self.drive(path.steps(5.0, start_m=path.length_m - 60))
        browser.wait("document.getElementById('banner').innerText.includes('The road ends here')")
        self.assertIn("may cross what nobody can cross", self.text("banner"))
        self.drive([(end, 0.0)])
        self.check_way_left(end)
        self.shot("off-road-end-of-road")

        # The dashed line begins where the road ends, and stays there while the vehicle moves away.
        cross = Path([end, CABIN])
        half = cross.place(cross.length_m / 2)
        self.drive(cross.steps(12.0, end_m=cross.length_m / 2))
        self.check_way_left(half)
        (from_lon, from_lat), (to_lon, to_lat) = browser.value(f"{DASHED}[0].geometry.coordinates")
        self.assertLess(distance_m((from_lat, from_lon), end), 1)
        self.assertLess(distance_m((to_lat, to_lon), CABIN), 1)
        self.assertGreater(distance_m((from_lat, from_lon), half), 500)
        self.shot("off-road-half-way")

        self.drive(cross.steps(12.0, start_m=cross.length_m / 2, end_m=cross.length_m - 40))
        before = browser.value("window.shownTexts")
        false = [text for text in before if any(
            word in text.lower() for word in ("reached", "arrived", "on the left", "on the right", "your destination is on"))]
        self.assertEqual(false, [], "nothing is reached, and no side is named, before the off-road end")
        self.assertTrue(any(text.startswith("The road ends") for text in before))
        self.assertTrue(any("the road ends" in text for text in before), "it is announced on the way")
        self.drive(cross.steps(5.0, start_m=cross.length_m - 40))
        browser.wait("document.getElementById('banner').innerText.includes('Arrived: Old Cabin')")
        browser.wait("window.shownTexts.some((text) => text === 'You have reached your destination.')")
        browser.wait("document.getElementById('guide').hidden && document.getElementById('bar').hidden")
        self.assertEqual(browser.errors, [])
        self.shot("off-road-reached")
