// The page's modules that know no browser.

import assert from "node:assert/strict";
import test from "node:test";

import "./english.mjs";

import { timeOfDay, zoneName } from "../../Sources/Nodes/nav-renderer/page/js/format.js";
import {
  bytesOf, coloursKey, cssColour, frameRateHz, hiddenLayers, indicatorPicture,
} from "../../Sources/Nodes/nav-renderer/page/js/settings.js";

test("a colour of the contract is written as CSS has it, RN-10", () => {
  assert.equal(cssColour("#2266cc"), "#2266cc");
  assert.equal(cssColour("#802266cc"), "#2266cc80");
});

test("layers are drawn unless one says otherwise, RN-10", () => {
  const layers = [{ name: "traffic", visible: false }, { name: "labels", visible: true }];
  assert.deepEqual([...hiddenLayers({ layers, indicator: "auto" })], ["traffic"]);
  assert.deepEqual([...hiddenLayers({ indicator: "hidden" })], ["indicator"]);
});

test("a colour of another mode is no reason to draw anew, RN-3, RN-10", () => {
  const key = (colours, mode) => coloursKey({ colours }, mode);
  const jam = { name: "jam", value: "#ff0000" };
  const bicycle = { name: "ahead", value: "#00ff00", mode: "bicycle" };
  assert.equal(key([jam], "car"), key([jam, bicycle], "car"));
  assert.notEqual(key([jam], "bicycle"), key([jam, bicycle], "bicycle"));
  assert.equal(key([jam], null), key([jam, bicycle], null));
});

test("a picture is drawn where a browser can, RN-10", () => {
  const settings = { indicator: "picture", indicator_picture: { $bytes: "00ff10" }, indicator_picture_type: "png" };
  assert.deepEqual(indicatorPicture(settings), { type: "image/png", hex: "00ff10" });
  assert.equal(indicatorPicture({ ...settings, indicator_picture_type: "glb" }), null);
  assert.equal(indicatorPicture({ ...settings, indicator: "auto" }), null);
  assert.deepEqual([...bytesOf("00ff10")], [0, 255, 16]);
});

test("the frame rate is that with a route or without, RN-6, RN-10", () => {
  const settings = { frame_rate_hz: 60, guidance_frame_rate_hz: 30 };
  assert.equal(frameRateHz(settings, false), 60);
  assert.equal(frameRateHz(settings, true), 30);
});

test("the arrival is shown by the clock of the destination, PR-15", () => {
  const noon = Date.UTC(2026, 5, 1, 12) * 1e6;
  assert.equal(timeOfDay(noon, 3600), "13:00");
  assert.equal(timeOfDay(noon, 0), "12:00");
  assert.equal(timeOfDay(noon, -9.5 * 3600), "02:30");
  assert.equal(zoneName("America/Argentina/Buenos_Aires"), "Buenos Aires");
  assert.equal(zoneName("Etc/GMT-3"), "UTC+3");
  assert.equal(zoneName("Etc/GMT"), "UTC");
});
