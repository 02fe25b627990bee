// The stops of a trip, the vehicle, categories of places, and the simulated drive, without a browser.

import assert from "node:assert/strict";
import { test } from "node:test";

import { table } from "./english.mjs";

const page = new URL("../../Sources/Nodes/nav-renderer/page/js/", import.meta.url);
const { CATEGORY_NAMES, polylineFrom, requestOf } = await import(new URL("categories.js", page));
const { Line, decodePolyline6 } = await import(new URL("geometry.js", page));
const { SearchModel } = await import(new URL("search-model.js", page));
const { SimulationModel } = await import(new URL("simulation-model.js", page));
const { moved, onRoads, orderCall, previewStops, removeCall, rowAt, stopsAhead, withVia } = await import(new URL("trip-model.js", page));
const { VehicleModel } = await import(new URL("vehicle-model.js", page));
const { ViewModel } = await import(new URL("view-model.js", page));
const english = table("en");

const waypoint = (name, offset, section, userIndex, kind = "stopover") => ({
  original: { name, kind }, offset_m: offset, section, user_index: userIndex, arrival_s: offset / 10,
});
const route = {
  id: "r-1",
  waypoints: [
    waypoint("", 0, 0, 0), waypoint("Bakery", 1000, 0, 1), waypoint("", 1500, 1, 4, "pass_through"), waypoint("School", 2000, 1, 2),
    waypoint("Office", 5000, 2, 3)],
};
const progress = {
  route_id: "r-1", travelled_m: 400, next_waypoint: 1, eta_utc_offset_s: 3600,
  sections: [[0, 600], [1, 1600], [2, 4600]].map(([section, metres]) => (
    { section, remaining_m: metres, remaining_s: metres / 10, eta_ns: (36_000 + metres / 10) * 1e9 })),
};

test("each stop ahead has its arrival and its distance, PR-15, RN-1", () => {
  const rows = stopsAhead(route, progress);
  assert.deepEqual(rows.map(({ name, detail }) => [name, detail]), [
    ["Bakery", "11:01 · 600 m"], ["Via point", "1.1 km"], ["School", "11:02 · 1.6 km"], ["Office", "11:07 · 4.6 km"]]);
  assert.deepEqual(rows.map(({ index, isVia, isDestination }) => [index, isVia, isDestination]), [
    [1, false, false], [4, true, false], [2, false, false], [3, false, true]]);
  // What was reached is not listed, and the progress of another route counts for nothing.
  assert.deepEqual(stopsAhead(route, { ...progress, next_waypoint: 3 }).map(({ name }) => name), ["School", "Office"]);
  assert.deepEqual(stopsAhead(route, { ...progress, route_id: "r-0", next_waypoint: 3 })[0].detail, "1.0 km");
  assert.deepEqual(stopsAhead(null, null), []);
});

test("the view has the stops of the route that is followed, and whether it is paused, PR-10, PR-15", () => {
  const model = new ViewModel({ scene: {} }, 0);
  const take = (topic, payload) => model.take({ topic, payload, stamp: 1 }, 1);
  assert.equal(model.view.stops, null);
  take("route/active", { reason: "new", paused: false, route: { ...route, shape: "??AA" } });
  assert.deepEqual([model.view.stops.routeID, model.view.stops.isPaused, model.view.stops.rows.length], ["r-1", false, 4]);
  const before = take("guidance/progress", progress).stops;
  assert.equal(before.rows[3].detail, "11:07 · 4.6 km");
  assert.equal(take("guidance/progress", { ...progress, travelled_m: 400.1 }).stops, before, "what is not seen is not drawn");
  take("route/active", { reason: "refresh", paused: true, route: { ...route, shape: "??AA" } });
  assert.equal(model.view.stops.isPaused, true);
  take("guidance/progress", { route_id: "r-1" });
  assert.match(model.refused.last, /guidance\/progress.*travelled_m/);
  assert.equal(take("route/active", { reason: "cleared", paused: false }).stops, null);
});

test("another order names the stops by the user's list, PR-10", () => {
  const rows = stopsAhead(route, progress);
  assert.deepEqual(orderCall(rows, 2, 0), { name: "navigate/order_waypoints", payload: { stops: [2, 1, 4, 3] } });
  assert.deepEqual(orderCall(rows, 0, 3).payload.stops, [4, 2, 3, 1], "the destination may come earlier");
  assert.equal(orderCall(rows, 1, 1), null);
  assert.equal(orderCall([{ index: null }, { index: 1 }], 0, 1), null);
  assert.deepEqual(removeCall(rows[0]), { name: "navigate/skip_waypoint", payload: { index: 1 } });
  assert.equal(removeCall(rows[3]), null);
  assert.equal(removeCall(undefined), null);
  assert.deepEqual(moved(["a", "b", "c"], 0, 2), ["b", "c", "a"]);
});

test("a dragged row takes the place of those that it has passed, RN-1", () => {
  const middles = [10, 30, 50, 70];
  assert.deepEqual([5, 29, 31, 55, 71, 500].map((y) => rowAt(middles, 1, y)), [0, 1, 1, 2, 3, 3]);
  assert.deepEqual([-9, 45, 69].map((y) => rowAt(middles, 3, y)), [0, 2, 3]);
});

test("a point comes between the stops around the place where the line was taken, RN-3", () => {
  const stops = [{ name: "Bakery" }, { name: "via" }, { name: "School" }, { name: "Office" }];
  const names = (metres) => withVia(stops, route, metres, [9, 47]).map(({ name }) => name);
  assert.deepEqual(names(500), ["", "Bakery", "via", "School", "Office"]);
  assert.deepEqual(names(1700), ["Bakery", "via", "", "School", "Office"]);
  assert.deepEqual(names(4999), ["Bakery", "via", "School", "", "Office"]);
  assert.deepEqual(names(9999), ["Bakery", "via", "School", "", "Office"], "the destination stays the last");
  assert.deepEqual(withVia([{ name: "Office" }], null, 0, [9, 47]), [{ lat_deg: 47, lon_deg: 9, name: "", isVia: true }, { name: "Office" }]);
});

test("a point that the line was dragged to lies on the road, RN-3", () => {
  const stops = [{ name: "", lat_deg: 1, lon_deg: 2, isVia: true }, { name: "Office", lat_deg: 3, lon_deg: 4 }];
  const matched = { waypoints: [{}, { matched_lat_deg: 1.5, matched_lon_deg: 2.5 }, { matched_lat_deg: 9, matched_lon_deg: 9 }] };
  assert.deepEqual(onRoads(stops, matched), [{ ...stops[0], lat_deg: 1.5, lon_deg: 2.5 }, stops[1]]);
  assert.deepEqual(onRoads(stops, undefined), stops);
});

test("stops of a preview have time and distance once there is a route, RN-1", () => {
  const stops = [{ name: "Bakery" }, { name: "", isVia: true }, { name: "School" }, { name: "" }];
  assert.deepEqual(previewStops(stops, route).map(({ name, detail }) => [name, detail]), [
    ["Bakery", "2 min · 1.0 km"], ["Via point", "1.5 km"], ["School", "3 min · 2.0 km"], ["Your destination", "8 min · 5.0 km"]]);
  assert.equal(previewStops(stops, undefined)[0].detail, "");
});

test("the vehicle of the route stays until the driver chooses another one, RT-1", () => {
  const content = {};
  const storage = { getItem: (key) => content[key] ?? null, setItem: (key, value) => { content[key] = value; } };
  const model = new VehicleModel(() => storage);
  const base = { mode: "truck", vehicle: { height_m: 3.5 } };
  assert.deepEqual(model.options(base), { mode: "truck", vehicle: { height_m: 3.5 } });
  model.choose("bicycle");
  assert.deepEqual(model.options(base), { mode: "bicycle", vehicle: undefined });
  model.choose("truck");
  assert.equal(model.options(base).vehicle.weight_t, 40);
  assert.equal(model.set("truck", "height_m", "3,8"), true);
  for (const wrong of ["tall", "-1", "101", "1e9"]) assert.equal(model.set("truck", "height_m", wrong), false, wrong);
  assert.equal(model.set("truck", "weight_t", ""), true, "no number is no restriction");
  assert.equal(model.set("truck", "hazardous_goods", true), true);
  const next = new VehicleModel(() => storage);
  next.choose("truck");
  assert.deepEqual([next.options(null).vehicle.height_m, next.options(null).vehicle.weight_t, next.options(null).vehicle.hazardous_goods], [3.8, 0, true]);
  // Whatever an older page has left, or a browser that forbids storage.
  content["navstack.vehicle"] = '{"truck": {"height_m": "x", "width_m": -3}, "bus": 7}';
  const odd = new VehicleModel(() => storage);
  assert.deepEqual([odd.sizes.truck.height_m, odd.sizes.truck.width_m], [4, 2.55]);
  assert.equal(new VehicleModel(() => { throw new Error("forbidden"); }).mode(null), "car");
});

test("a category is searched for with and without a text, and along the route, RT-20", async () => {
  const asked = [];
  const line = { line: new Line([[9, 47], [9.01, 47], [9.02, 47.01]]), fromM: 100 };
  const model = new SearchModel({
    find: async (request) => { asked.push(request); return { places: [] }; }, near: () => [9, 47], line: () => line,
    saved: { all: [] }, onChange: () => {}, onChoose: () => {}, waitMs: 1,
  });
  const pause = () => new Promise((done) => { setTimeout(done, 5); });
  model.turn("fuel");
  await pause();
  assert.deepEqual(asked.at(-1), { text: "", limit: 8, category: "fuel", lon_deg: 9, lat_deg: 47 });
  model.turnAlong();
  await pause();
  const sent = decodePolyline6(asked.at(-1).line);
  assert.equal(sent.length, 3);
  assert.ok(sent[0][0] > 9.001 && Math.abs(sent[2][1] - 47.01) < 1e-6);
  model.type("East");
  await pause();
  assert.deepEqual([asked.at(-1).text, asked.at(-1).category], ["East", "fuel"]);
  model.turn("hospital");
  await pause();
  assert.deepEqual(asked.at(-1).kinds, ["hospital", "clinic"]);
  model.type("");
  await pause();
  assert.equal(asked.at(-1).text, "");
  const count = asked.length;
  model.turn("hospital");
  await pause();
  assert.deepEqual([model.category, model.isSaved, asked.length], [null, true, count], "without category and text, nothing is searched for");
});

test("a long line is thinned until a command has room for it, RT-20", () => {
  const places = Array.from({ length: 50_000 }, (_, index) => [9 + index / 10_000, 47 - index / 20_000]);
  const text = polylineFrom(new Line(places), 0);
  assert.ok(text.length < 40_000, `${text.length} bytes`);
  const sent = decodePolyline6(text);
  assert.deepEqual([sent[0], sent.at(-1)], [places[0], places.at(-1)].map((place) => place.map((degrees) => Number(degrees.toFixed(6)))));
});

test("each category has a text and a request, RT-20", () => {
  for (const name of CATEGORY_NAMES) {
    assert.ok(english[`place.${name}`], name);
    assert.notDeepEqual(requestOf(name), {}, name);
  }
  assert.deepEqual(requestOf(null), {});
});

test("time is controlled where the source can, and only there, LOC-6", async () => {
  const calls = [];
  let source = "simulator";
  const call = async (name, payload) => {
    calls.push(payload);
    if (!source) throw Object.assign(new Error("none"), { code: "no_such_service" });
    return { source, rate: payload.rate ?? 2, paused: payload.command === "pause" };
  };
  let changes = 0;
  const model = new SimulationModel(call, () => { changes += 1; });
  assert.equal(model.isControlled, false);
  await model.reset();
  assert.deepEqual([model.isControlled, model.isSimulated, model.isPaused, model.rate], [true, true, false, 2]);
  await model.ask();
  assert.equal(changes, 1, "the same state is not drawn again");
  await model.turn();
  assert.deepEqual([model.isPaused, calls.at(-1)], [true, { command: "pause" }]);
  await model.drive();
  assert.deepEqual([model.isPaused, calls.at(-1)], [false, { command: "resume" }]);
  await model.setRate(8);
  assert.deepEqual([model.rate, calls.at(-1)], [8, { command: "rate", rate: 8 }]);
  source = "recording";
  await model.ask();
  assert.deepEqual([model.isControlled, model.isSimulated], [true, false]);
  source = "external";
  await model.ask();
  assert.equal(model.isControlled, false);
  source = null;
  for (let count = 0; count < 9; count += 1) await model.ask();
  const asked = calls.length;
  await model.ask();
  assert.deepEqual([calls.length, model.state], [asked, null], "a stack without a source is left alone");
  source = "simulator";
  await model.reset();
  assert.equal(model.isSimulated, true);
});
