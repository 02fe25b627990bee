// What is set for one screen: kept on the device, offered in the drawer; and when the camera returns by itself.

import assert from "node:assert/strict";
import { test } from "node:test";

import "./english.mjs";

const page = new URL("../../Sources/Nodes/nav-renderer/page/js/", import.meta.url);
const { AutoReturn } = await import(new URL("auto-return.js", page));
const { DeviceSettings } = await import(new URL("device-settings.js", page));
const { controlRequest, deviceValue, settingGroups } = await import(new URL("settings-model.js", page));
const { vehiclePlace } = await import(new URL("layout.js", page));

function storage(first = null) {
  let kept = first;
  return { getItem: () => kept, setItem: (_, value) => { kept = value; } };
}

test("settings are kept on the device; nonsense in the storage is not, P24", () => {
  const box = storage();
  const settings = new DeviceSettings(() => box);
  assert.deepEqual(settings.values, { language: "auto", units: "auto", colours: "auto", returnS: 10, volume: 1 });
  assert.ok(settings.set("language", "fr") && settings.set("returnS", 30) && settings.set("volume", 0.5));
  assert.equal(settings.set("language", "tlh"), false);
  assert.equal(settings.set("volume", 7), false);
  assert.equal(settings.set("constructor", 7), false);
  assert.deepEqual(new DeviceSettings(() => box).values, { ...settings.values, language: "fr", returnS: 30, volume: 0.5 });
  const strange = storage('{"language": 4, "units": "parsecs", "returnS": "soon", "volume": -1}');
  assert.deepEqual(new DeviceSettings(() => strange).values, new DeviceSettings(() => storage("not JSON")).values);
  const forbidden = new DeviceSettings(() => { throw new Error("no storage here"); });
  assert.ok(forbidden.set("units", "metric"));
  assert.equal(forbidden.values.units, "metric");
});

test("what was not set follows the stack, then the device, P19, P21", () => {
  const settings = new DeviceSettings(() => storage());
  assert.equal(settings.language("de-DE", ["ja"]), "de");
  assert.equal(settings.language("tlh", ["ja"]), "ja");
  assert.equal(settings.units("imperial_uk"), "imperial_uk");
  assert.equal(settings.colours(true), "high-contrast");
  assert.equal(settings.colours(false), "standard");
  settings.set("language", "ar");
  settings.set("colours", "colour-blind");
  settings.set("units", "metric");
  assert.equal(settings.language("de-DE", ["ja"]), "ar");
  assert.equal(settings.colours(true), "colour-blind");
  assert.equal(settings.units("imperial_uk"), "metric");
});

const scene = { theme: "auto", camera: "dynamic", tilt_deg: 50, north_up: false, layers: [{ name: "traffic", visible: false }] };
const rowsOf = (isVoiceOn) => settingGroups({ device: new DeviceSettings(() => storage()).values, scene, isVoiceOn })
  .flatMap(({ rows }) => rows);

test("the drawer shows what is set, and a voice only where there is one, P24", () => {
  const rows = Object.fromEntries(rowsOf(false).map((row) => [row.id, row]));
  assert.equal(rows["layer-traffic"].isOn, false);
  assert.equal(rows["layer-labels"].isOn, true);
  assert.deepEqual([rows.theme.value, rows.camera.value, rows.tilt.value, rows.north.isOn, rows.returnS.value], ["auto", "dynamic", 50, false, "10"]);
  assert.equal(rows.voice.isOn, false);
  for (const row of Object.values(rows).filter(({ kind }) => kind === "choice")) assert.ok(row.choices.some(({ value }) => value === row.value), row.id);
  assert.ok(!rowsOf(null).some(({ id }) => id === "voice" || id === "volume"));
});

test("a change concerns the renderer by a call, or this screen, RN-10, P24", () => {
  assert.deepEqual(controlRequest("layer-traffic", true), { layers: [{ name: "traffic", visible: true }] });
  assert.deepEqual(controlRequest("theme", "night"), { theme: "night" });
  assert.deepEqual(controlRequest("tilt", "35"), { tilt_deg: 35 });
  assert.deepEqual(controlRequest("north", false), { north_up: false });
  assert.deepEqual(controlRequest("camera", "fixed"), { camera: "fixed" });
  for (const id of ["language", "units", "colours", "returnS", "voice", "volume"]) assert.equal(controlRequest(id, "x"), null);
  assert.deepEqual([deviceValue("returnS", "20"), deviceValue("volume", "0.3"), deviceValue("units", "metric")], [20, 0.3, "metric"]);
});

test("the camera returns when nobody has touched the map for the time that is set, P20", () => {
  let nowMs = 0;
  const timer = new AutoReturn(() => nowMs);
  const free = { mode: "free", isFollowing: true, isGuiding: true, isChoosing: false, afterS: 10 };
  const isDue = (seconds, state = free) => {
    nowMs = seconds * 1000;
    return timer.isDue(state);
  };
  assert.equal(isDue(0, { ...free, mode: "tracking" }), false);
  assert.equal(isDue(100, { ...free, mode: "tracking" }), false, "time counts from the pan on");
  timer.touched();
  assert.deepEqual([isDue(101), isDue(109.7), isDue(110)], [false, false, true]);
  timer.touched();
  assert.equal(isDue(119.9), false, "a touch begins it anew");
  for (const state of [{ isGuiding: false }, { isFollowing: false }, { isChoosing: true }, { mode: "overview" }, { afterS: 0 }]) {
    assert.equal(isDue(500, { ...free, ...state }), false, JSON.stringify(state));
  }
});

test("a panel at the right, as in Arabic, moves the vehicle to the middle of the rest, P19, RN-2", () => {
  const anchor = { x: 0.5, y: 0.775 };
  const card = { left: 310, top: 8, right: 632, bottom: 300 };
  assert.equal(vehiclePlace(640, 360, anchor, [card]).x, 155);
  const button = { left: 580, top: 200, right: 632, bottom: 340 };
  assert.equal(vehiclePlace(640, 360, anchor, [button]).x, 320);
});
