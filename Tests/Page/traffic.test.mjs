// Traffic on a route, and where the map ends.

import assert from "node:assert/strict";
import test from "node:test";

import { isBeyond } from "../../Sources/Nodes/nav-renderer/page/js/coverage.js";
import { besidePage } from "../../Sources/Nodes/nav-renderer/page/js/page-address.js";
import { delayAhead, trafficColour } from "../../Sources/Nodes/nav-renderer/page/js/traffic.js";

const spans = {
  start_m: [0, 1000, 3000], length_m: [1000, 2000, 500], jam_factor: [5, 8.5, 1],
  duration_free_flow_s: [60, 100, 30], duration_latest_s: [90, 460, 40],
};

test("jam factors have their colours, RN-3", () => {
  assert.deepEqual([0, 3.9, 4, 8, 10].map(trafficColour), ["ahead", "ahead", "slow", "jam", "closed"]);
});

test("the delay counts what jams add ahead, F3, P3", () => {
  assert.deepEqual(delayAhead(spans, 0), { seconds: 390, colour: "jam" });
  assert.deepEqual(delayAhead(spans, 500), { seconds: 375, colour: "jam" });
  assert.deepEqual(delayAhead(spans, 2000), { seconds: 180, colour: "jam" });
  // Free road that is a little slower than usual is no jam.
  assert.equal(delayAhead(spans, 3000), null);
  assert.equal(delayAhead(undefined, 0), null);
});

test("a view is beyond the map where nothing of it is seen, F21", () => {
  const bounds = [8, 49, 9, 50];
  assert.equal(isBeyond(bounds, [8.9, 49.9, 9.5, 51]), false);
  assert.equal(isBeyond(bounds, [7, 48, 10, 51]), false);
  assert.equal(isBeyond(bounds, [9.1, 49, 9.5, 50]), true);
  assert.equal(isBeyond(bounds, [8, 50.1, 9, 51]), true);
  assert.equal(isBeyond(bounds, [368, 49, 369, 50]), false);
  assert.equal(isBeyond(null, [0, 0, 1, 1]), false);
});

test("behind a proxy tiles come the way the page came, F21", () => {
  const tiles = "http://localhost:8123/tiles/{z}/{x}/{y}.mvt?map=1f";
  assert.equal(besidePage(tiles, "https://car.example/?vehicle=ego"), "https://car.example/tiles/{z}/{x}/{y}.mvt?map=1f");
  assert.equal(besidePage(tiles, "https://car.example/nav/index.html"), "https://car.example/nav/tiles/{z}/{x}/{y}.mvt?map=1f");
});
