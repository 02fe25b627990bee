"""Names in scripts whose letters are ordered from the right or joined, on the map."""

import json
import pathlib
import tempfile
import unittest
import urllib.request

from browser import Browser
from stack import Stack

NAMES = {"place": "الرياض", "poi": "בית חולים", "name": "महात्मा गांधी मार्ग"}
MAP = f"""<osm version="0.6">
<node id="1" lat="24.7" lon="46.7"/><node id="2" lat="24.7" lon="46.706"/>
<node id="3" lat="24.703" lon="46.7"/><node id="4" lat="24.703" lon="46.706"/>
<node id="10" lat="24.7005" lon="46.7015"><tag k="place" v="city"/><tag k="name" v="{NAMES['place']}"/></node>
<node id="11" lat="24.7015" lon="46.704"><tag k="amenity" v="hospital"/><tag k="name" v="{NAMES['poi']}"/></node>
<way id="1"><nd ref="1"/><nd ref="2"/><tag k="highway" v="primary"/><tag k="name" v="{NAMES['name']}"/></way>
<way id="2"><nd ref="3"/><nd ref="4"/><tag k="highway" v="primary"/><tag k="name" v="King Fahd Road"/></way>
<way id="3"><nd ref="2"/><nd ref="4"/><tag k="highway" v="primary"/></way>
</osm>"""


class ScriptsTest(unittest.TestCase):
    options = None

    def test_arabic_hebrew_and_devanagari_are_set_by_the_browser__RN_1(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "scripts.osm"
            path.write_text(MAP, encoding="utf-8")
            stack, browser = Stack(self.options.programs, path, mode="bicycle", language="ar"), Browser()
            try:
                # Routes that the page asks for are those of the stack's mode, in its language.
                config = json.loads(urllib.request.urlopen(stack.url + "config.json", timeout=5).read())
                self.assertEqual((config["mode"], config["language"]), ("bicycle", "ar"))
                browser.open(stack.url + "?theme=day")
                browser.wait("window.navstack?.map?.loaded()", 60)
                browser.value("navstack.map.jumpTo({center: [46.703, 24.7015], zoom: 16.5}); 1")
                for kind, name in NAMES.items():
                    layer = {"place": "place-drawn", "poi": "poi-drawn", "name": "name-drawn"}[kind]
                    browser.wait(f"navstack.map.hasImage('{kind}|{name}')", 30)
                    browser.wait(
                        f"navstack.map.queryRenderedFeatures({{layers: ['{layer}']}}).some((f) => f.properties.name === '{name}')", 30)
                # The picture has the letters' joined width, not that of letters on their own.
                joined, apart = browser.value(
                    "(() => { const c = document.createElement('canvas').getContext('2d'); c.font = '700 32px system-ui, sans-serif';"
                    f" const text = '{NAMES['place']}';"
                    " return [c.measureText(text).width, [...text].reduce((sum, letter) => sum + c.measureText(letter).width, 0)]; })()")
                width = browser.value(f"navstack.map.getImage('place|{NAMES['place']}').data.width")
                self.assertAlmostEqual(width, joined + 12, delta=2)
                self.assertLess(joined, apart * 0.95)
                # What needs no shaping stays text, which bends with its road.
                browser.wait("navstack.map.queryRenderedFeatures({layers: ['name']}).some((f) => f.properties.name === 'King Fahd Road')", 30)
                self.assertEqual(browser.errors, [])
                if self.options.shots:
                    self.options.shots.mkdir(parents=True, exist_ok=True)
                    browser.screenshot(self.options.shots / "scripts.png")
            finally:
                browser.close()
                stack.close()
