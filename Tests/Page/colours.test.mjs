// The colours of the map: what must be told apart can be, by day and by night, by colour-blind eyes as well.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

const { palettes } = JSON.parse(readFileSync(new URL("../../Sources/Nodes/nav-renderer/page/style.json", import.meta.url)));

const channels = (hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16) / 255);
const linear = (hex) => channels(hex).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
const luminance = (hex) => linear(hex).reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);

/** Contrast ratio, 1 to 21: Web Content Accessibility Guidelines 2.2, section 1.4.3. */
function contrast(a, b) {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

/** What the three kinds of complete colour blindness see: Machado, Oliveira, Fernandes (2009), DOI 10.1109/TVCG.2009.113. */
const EYES = {
  all: [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
  protanopia: [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
  deuteranopia: [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
  tritanopia: [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
};

/** CIE L*a*b* of a colour as seen by one kind of eye, white D65. */
function lab(hex, eye) {
  const seen = EYES[eye].map((row) => Math.min(1, Math.max(0, row.reduce((sum, m, i) => sum + m * linear(hex)[i], 0))));
  const xyz = [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
    .map((row, i) => row.reduce((sum, m, j) => sum + m * seen[j], 0) / [0.9505, 1, 1.089][i]);
  const [x, y, z] = xyz.map((t) => (t > 216 / 24389 ? Math.cbrt(t) : (t * 24389 / 27 + 16) / 116));
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

/** Distance of two colours by CIE 1976: 2 is just seen. */
const difference = (a, b, eye = "all") => Math.hypot(...lab(a, eye).map((value, i) => value - lab(b, eye)[i]));

for (const [theme, colours] of Object.entries(palettes)) {
  const roads = [["street", "street-edge"], ["secondary", "primary-edge"], ["primary", "primary-edge"], ["motorway", "motorway-edge"]];

  test(`${theme}: every road is seen on the land, F18, P21`, () => {
    for (const pair of roads) {
      const best = Math.max(...pair.map((name) => contrast(colours[name], colours.land)));
      assert.ok(best >= (theme === "night" ? 2 : 1.5), `${pair[0]}: ${best.toFixed(2)}`);
    }
  });

  test(`${theme}: the route is seen on every road, F18, P21`, () => {
    for (const [fill] of roads) {
      for (const [inner, outer] of [["ahead", "ahead-edge"], ["jam", "ahead-edge"], ["closed", "ahead-edge"]]) {
        const best = Math.max(contrast(colours[inner], colours[fill]), contrast(colours[outer], colours[fill]));
        assert.ok(best >= 3, `${inner} on ${fill}: ${best.toFixed(2)}`);
      }
      const other = Math.max(contrast(colours.alternative, colours[fill]), contrast(colours["alternative-edge"], colours[fill]));
      assert.ok(other >= 1.8, `alternative on ${fill}: ${other.toFixed(2)}`);
    }
  });

  test(`${theme}: text is read, F18, P21`, () => {
    for (const [ink, ground] of [["label", "halo"], ["place", "halo"], ["label", "land"], ["place", "land"], ["shield-ink", "shield"]]) {
      const ratio = contrast(colours[ink], colours[ground]);
      assert.ok(ratio >= 4.5, `${ink} on ${ground}: ${ratio.toFixed(2)}`);
    }
  });

  test(`${theme}: lines of different meaning differ, to colour-blind eyes as well, F18, P21`, () => {
    for (const [a, b, least] of [
      ["behind", "alternative", 15], ["ahead", "alternative", 15], ["ahead", "behind", 15], ["ahead", "slow", 30], ["ahead", "jam", 30], ["ahead", "closed", 30],
      ["slow", "jam", 15], ["jam", "closed", 15],
    ]) {
      for (const eye of Object.keys(EYES)) {
        const seen = difference(colours[a], colours[b], eye);
        assert.ok(seen >= least, `${a} and ${b}, ${eye}: ${seen.toFixed(1)}`);
      }
    }
  });
}
