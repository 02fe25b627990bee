// The rules of the map of all vehicles.

import assert from "node:assert/strict";
import test from "node:test";

import {
  FleetModel, STATES, STATE_COLOURS, STATE_NAMES, decodeFrame, framesPerSecond, mercator, placeOf, relativeMatrix, sizeAt,
} from "../../Sources/Nodes/nav-renderer/page/js/fleet-model.js";

/** A frame as the renderer writes it, of [lat, lon, bearing, m/s, state]. */
function frame(rows, sentMs = 0) {
  const buffer = new ArrayBuffer(16 + 11 * rows.length);
  const view = new DataView(buffer);
  view.setUint32(0, 1, true);
  view.setUint32(4, rows.length, true);
  view.setFloat64(8, sentMs, true);
  const bytes = 16 + 8 * rows.length;
  rows.forEach(([lat, lon, bearing, mps, state], i) => {
    view.setInt32(16 + 4 * i, Math.round(lat * 1e7), true);
    view.setInt32(16 + 4 * rows.length + 4 * i, Math.round(lon * 1e7), true);
    view.setUint8(bytes + i, Math.round(bearing * 256 / 360) & 255);
    view.setUint8(bytes + rows.length + i, mps * 2);
    view.setUint8(bytes + 2 * rows.length + i, STATES.indexOf(state));
  });
  return buffer;
}

test("a frame is decoded, and one of another form is refused, RN-9", () => {
  const { count, sentMs, lat, lon, speed, state } = decodeFrame(frame([[47, -30, 90, 12.5, "guided"], [-1, 179, 0, 0, "standing"]], 42.5));
  assert.deepEqual([count, sentMs, lat[0], lon[1], speed[0], STATES[state[1]]], [2, 42.5, 470_000_000, 1_790_000_000, 25, "standing"]);
  assert.throws(() => decodeFrame(frame([[0, 0, 0, 0, "driving"]]).slice(0, 20)), /1 vehicles/);
  assert.throws(() => decodeFrame(new ArrayBuffer(4)), /load it again/);
});

test("every state has a name and a colour by day and by night, RN-9", () => {
  for (const state of STATES.slice(1)) {
    assert.ok(STATE_NAMES[state], state);
    for (const theme of ["day", "night"]) assert.match(STATE_COLOURS[theme][state], /^#[0-9a-f]{6}$/);
  }
});

test("a vehicle glides from where it is drawn, and turns the shorter way, RN-9", () => {
  const model = new FleetModel();
  model.name({ from: 0, names: ["car1"] });
  model.take(decodeFrame(frame([[47, -30, 350, 10, "driving"]])));
  model.take(decodeFrame(frame([[47.0001, -30, 10, 10, "driving"]])));
  const [x, y] = model.placeAt(0, 0.5);
  assert.ok(Math.abs(placeOf([x, y])[1] - 47.00005) < 1e-7);
  assert.ok(Math.abs(model.toTurn[0] - model.fromTurn[0]) < 0.07, "not once around");
  // The next frame comes early: no step back, no jump.
  model.take(decodeFrame(frame([[47.0002, -30, 10, 10, "driving"]])), 0.5);
  assert.ok(Math.abs(placeOf(model.placeAt(0, 0))[1] - 47.00005) < 1e-7);
});

test("a jump is not a glide, and a new vehicle begins where it is, RN-9", () => {
  const model = new FleetModel();
  model.take(decodeFrame(frame([[47, -30, 0, 10, "driving"], [0, 0, 0, 0, "gone"]])));
  model.take(decodeFrame(frame([[47.1, -30, 0, 10, "driving"], [47, -30, 0, 10, "driving"]])));
  assert.ok(Math.abs(placeOf(model.placeAt(0, 0))[1] - 47.1) < 1e-6);
  assert.ok(Math.abs(placeOf(model.placeAt(1, 0))[1] - 47) < 1e-6);
});

test("vehicles are found by name and by place, hidden states are not, RN-9", () => {
  const model = new FleetModel();
  model.name({ from: 0, names: ["car2", "car1", "van1"] });
  model.take(decodeFrame(frame([[47, -30, 0, 10, "driving"], [47.001, -30, 0, 0, "standing"], [47, -30, 0, 0, "gone"]])));
  assert.equal(model.present, 2);
  assert.deepEqual(model.search("CAR").rows.map((row) => model.names[row]), ["car1", "car2"]);
  assert.equal(model.search("van").total, 0);
  assert.equal(model.nearest(mercator(-30, 47.0009), 1e-4, 1), 1);
  assert.equal(model.nearest(mercator(10, 10), 1e-4, 1), -1);
  model.hidden.add("standing");
  assert.equal(model.search("car").total, 1);
  assert.deepEqual(model.bounds()?.map((value) => value.toFixed(6)), [...mercator(-30, 47), ...mercator(-30, 47)].map((value) => value.toFixed(6)));
});

test("a row that is given to another vehicle forgets the old name, RN-9", () => {
  const model = new FleetModel();
  model.name({ from: 0, names: ["old"] });
  model.name({ from: 0, names: ["new"] });
  assert.equal(model.rows.get("old"), undefined);
  assert.equal(model.rows.get("new"), 0);
});

test("ten thousand vehicles take a few milliseconds, RN-9", () => {
  const rows = Array.from({ length: 10_000 }, (_, i) => [47 + i * 1e-5, -30, 10, 10, "driving"]);
  const model = new FleetModel();
  const decoded = decodeFrame(frame(rows));
  model.take(decoded);
  const began = process.cpuUsage();
  for (let i = 0; i < 10; i += 1) model.take(decoded, 0.5);
  const { user, system } = process.cpuUsage(began);
  assert.ok((user + system) / 10_000 < 60, `${(user + system) / 10_000} ms for one frame`);
});

test("dots from afar, arrows nearby, and no more frames than motion needs, RN-9", () => {
  assert.ok(sizeAt(4, 100) < sizeAt(12, 100) && sizeAt(12, 100) < sizeAt(16, 100));
  assert.ok(sizeAt(12, 10_000) < sizeAt(12, 100));
  assert.equal(framesPerSecond(4, 47), 2);
  assert.equal(framesPerSecond(17, 47), 30);
  const between = framesPerSecond(13, 47);
  assert.ok(between > 2 && between < 30, between);
});

test("places near the middle of the map keep their precision in 32 bits, RN-9", () => {
  const world = 512 * 2 ** 18;
  const origin = mercator(-30, 47);
  // From world pixels to clip space around the middle: what a map 1000 pixels wide has.
  const matrix = [2 / 1000, 0, 0, 0, 0, -2 / 1000, 0, 0, 0, 0, 1, 0, -2 * origin[0] * world / 1000, 2 * origin[1] * world / 1000, 0, 1];
  const relative = relativeMatrix(matrix, origin, world);
  const place = mercator(-29.9999, 47);
  const x = relative[0] * Math.fround(place[0] - origin[0]) + relative[12];
  const exact = (place[0] - origin[0]) * world * 2 / 1000;
  assert.ok(Math.abs(x - exact) * 500 < 0.1, "a tenth of a pixel");
});
