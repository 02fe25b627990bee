// The colours of the map: what must be told apart can be, by day and by night, in every set of colours, by colour-blind eyes as well.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { EYES, contrast, difference } from "./colour-vision.mjs";

const { palettes, colour_sets: sets } = JSON.parse(readFileSync(new URL("../../Sources/Nodes/nav-renderer/page/style.json", import.meta.url)));

/** Least contrasts and differences of each set; `others` are the pairs that differ more in it than in the standard one. */
const DEMANDS = {
  standard: { road: { day: 1.5, night: 2 }, route: 3, alternative: 1.8, text: 4.5, others: [] },
  "colour-blind": {
    road: { day: 1.5, night: 2 }, route: 3, alternative: 1.8, text: 4.5,
    others: [["ahead", "slow", 50], ["ahead", "jam", 45], ["ahead", "closed", 40], ["slow", "jam", 30], ["jam", "closed", 30], ["slow", "closed", 55]],
  },
  "high-contrast": { road: { day: 3, night: 3 }, route: 4.5, alternative: 3, text: 7, others: [["behind", "land", 30]] },
};

const looks = Object.keys(DEMANDS).flatMap((set) => Object.entries(palettes).map(([theme, colours]) =>
  ({ set, theme, name: `${set} ${theme}`, colours: { ...colours, ...sets[set]?.[theme] } })));

test("every set of colours is tested, P21", () => {
  assert.deepEqual(Object.keys(sets), Object.keys(DEMANDS).filter((set) => set !== "standard"));
});

for (const { set, theme, name, colours } of looks) {
  const demands = DEMANDS[set];
  const roads = [["street", "street-edge"], ["secondary", "primary-edge"], ["primary", "primary-edge"], ["motorway", "motorway-edge"]];

  test(`${name}: every road is seen on the land, F18, P21`, () => {
    for (const pair of roads) {
      const best = Math.max(...pair.map((name) => contrast(colours[name], colours.land)));
      assert.ok(best >= demands.road[theme], `${pair[0]}: ${best.toFixed(2)}`);
    }
  });

  test(`${name}: the route is seen on every road, F18, P21`, () => {
    for (const [fill] of roads) {
      for (const [inner, outer] of [["ahead", "ahead-edge"], ["jam", "ahead-edge"], ["closed", "ahead-edge"]]) {
        const best = Math.max(contrast(colours[inner], colours[fill]), contrast(colours[outer], colours[fill]));
        assert.ok(best >= demands.route, `${inner} on ${fill}: ${best.toFixed(2)}`);
      }
      const other = Math.max(contrast(colours.alternative, colours[fill]), contrast(colours["alternative-edge"], colours[fill]));
      assert.ok(other >= demands.alternative, `alternative on ${fill}: ${other.toFixed(2)}`);
    }
  });

  test(`${name}: text is read, F18, P21`, () => {
    for (const [ink, ground] of [["label", "halo"], ["place", "halo"], ["label", "land"], ["place", "land"], ["shield-ink", "shield"]]) {
      const ratio = contrast(colours[ink], colours[ground]);
      assert.ok(ratio >= demands.text, `${ink} on ${ground}: ${ratio.toFixed(2)}`);
    }
  });

  test(`${name}: lines of different meaning differ, to colour-blind eyes as well, F18, P21`, () => {
    for (const [a, b, least] of [
      ["behind", "alternative", 15], ["ahead", "alternative", 15], ["ahead", "behind", 15], ["ahead", "slow", 30], ["ahead", "jam", 30], ["ahead", "closed", 30],
      ["slow", "jam", 15], ["jam", "closed", 15], ...demands.others,
    ]) {
      for (const eye of Object.keys(EYES)) {
        const seen = difference(colours[a], colours[b], eye);
        assert.ok(seen >= least, `${a} and ${b}, ${eye}: ${seen.toFixed(1)}`);
      }
    }
  });
}
