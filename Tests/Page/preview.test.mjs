// The preview of routes, the list of maneuvers and the trip bar: what is shown, without a browser.

import assert from "node:assert/strict";
import { test } from "node:test";

import "./english.mjs";

const page = new URL("../../Sources/Nodes/nav-renderer/page/js/", import.meta.url);
const { Line } = await import(new URL("geometry.js", page));
const { calloutOffsets, differingPlaces, routeRequest, routeRows, startCall } = await import(new URL("preview-model.js", page));
const { failureText } = await import(new URL("failure-text.js", page));
const { maneuverRows } = await import(new URL("maneuvers-model.js", page));
const { tripBar } = await import(new URL("trip-bar-model.js", page));

const place = { name: "Office", lat_deg: 47.1, lon_deg: 9.1 };
const route = {
  id: "r-1", length_m: 3500, duration_latest_s: 590, roads: [{ toll: false }, { toll: true }],
  request: { waypoints: [{ lat_deg: 47, lon_deg: 9 }, place], avoid: ["ferries"], mode: "car", alternatives: 2, traffic: "flow" },
  spans: {
    start_m: [0, 1000, 3000], length_m: [1000, 2000, 500], jam_factor: [1, 8.5, 1],
    duration_free_flow_s: [60, 100, 30], duration_latest_s: [60, 460, 30],
  },
};

test("a request names the bearing of a vehicle that moves, RT-3", () => {
  const vehicle = { place: [9, 47], bearing: -90, speedMps: 10 };
  const request = routeRequest(vehicle, [place], new Set(["tolls"]), { mode: "truck", language: "de" });
  assert.deepEqual(request.waypoints, [{ lat_deg: 47, lon_deg: 9, bearing_deg: 270 }, place]);
  assert.deepEqual([request.avoid, request.alternatives, request.mode, request.language], [["tolls"], 2, "truck", "de"]);
  assert.equal("bearing_deg" in routeRequest({ ...vehicle, speedMps: 0 }, [place], [], null).waypoints[0], false);
  // A point that a line was dragged to is only passed, where the mode can do that.
  const via = { name: "", lat_deg: 47.05, lon_deg: 9.05, isVia: true };
  const passed = (mode) => routeRequest(vehicle, [via, place], [], { mode }).waypoints[1];
  assert.deepEqual(passed("car"), { name: "", lat_deg: 47.05, lon_deg: 9.05, kind: "pass_through" });
  assert.equal(passed("pedestrian").kind, "stopover");
});

test("rows have time, delay and toll, RN-3", () => {
  const [row, free] = routeRows([route, { ...route, roads: [{ ferry: true }], spans: undefined }]);
  assert.deepEqual(row, { seconds: 590, metres: 3500, delay: { seconds: 360, colour: "jam" }, hasToll: true, hasFerry: false, roads: [] });
  assert.deepEqual([free.delay, free.hasToll, free.hasFerry], [null, false, true]);
  assert.equal(failureText({ code: "no_route_found", message: "x" }), "No route leads to this place");
  assert.equal(failureText({ message: "no answer came" }), "no answer came");
});

test("a callout stands where its route differs from the others, RN-3", () => {
  const start = [[9, 47], [9.01, 47]];
  const end = [[9.05, 47], [9.06, 47]];
  const north = new Line([...start, [9.02, 47.02], [9.04, 47.02], ...end]);
  const south = new Line([...start, [9.03, 46.98], ...end]);
  // It leaves the straight road twice; the longer stretch counts.
  const straight = new Line([...start, ...end, [9.0601, 47]]);
  const [a, b, c] = differingPlaces([north, south, straight]);
  assert.ok(a[1] > 47.01 && b[1] < 46.99);
  assert.ok(Math.abs(c[0] - 9.03) < 1e-6 && c[1] === 47);
  const [only, same] = differingPlaces([north, north]);
  assert.deepEqual(only, same);
});

test("callouts stand beside one another, RN-3", () => {
  const size = { width: 80, height: 30 };
  const at = [{ x: 100, y: 100, ...size }, { x: 104, y: 102, ...size }, { x: 400, y: 100, ...size }];
  const offsets = calloutOffsets(at);
  assert.deepEqual(offsets[0], offsets[2]);
  const [one, other] = offsets.map(([dx, dy], i) => [at[i].x + dx, at[i].y + dy]);
  assert.ok(Math.abs(one[0] - other[0]) >= 80 || Math.abs(one[1] - other[1]) >= 30);
  assert.deepEqual(calloutOffsets([]), []);
});

test("the route that is shown is followed by its name, whatever its length, RN-1, PR-10", () => {
  const long = { ...route, id: "r-2", shape: "ü".repeat(33_000) };
  assert.deepEqual(startCall([route, long], 1), { name: "navigate/set_route", payload: { route_id: "r-2" } });
});

test("the list has the maneuvers ahead, with the metres between them, RN-1", () => {
  const guided = {
    ...route, waypoints: [{}, { original: { name: "Bakery" } }, { original: { name: "Office" } }],
    maneuvers: [
      { action: "depart", offset_m: 0 }, { action: "turn", offset_m: 200, onto_road: { left_hand: true }, text: "Turn." },
      { action: "arrive", offset_m: 900, section: 0, arrival_side: "left" },
      { action: "depart", offset_m: 900, section: 1 },
      { action: "arrive", offset_m: 3500, section: 1, text: "The road ends." }],
  };
  const rows = maneuverRows(guided, 1, 120);
  assert.deepEqual(rows.map(({ metres, text }) => [metres, text]), [[120, "Go straight on"], [700, "Bakery, on the left"], [2600, "Office"]]);
  assert.equal(maneuverRows({ ...guided, off_road_lat_deg: 47 }, 4, 9)[0].text, "The road ends here");
  assert.equal(rows[0].isLeftHand, true);
  assert.deepEqual(maneuverRows(null, 0, 0), []);
});

test("the trip bar has the driven part, the traffic ahead and the stops, RN-1, RN-3", () => {
  const stop = (offset, kind = "stopover") => ({ offset_m: offset, original: { kind } });
  const guided = { ...route, waypoints: [stop(0), stop(350), stop(1400), stop(2000, "pass_through"), stop(3500)] };
  const { parts, stops } = tripBar(guided, 700);
  assert.deepEqual(parts.map(({ colour }) => colour), ["behind", "ahead", "jam", "ahead"]);
  assert.deepEqual(parts.map(({ to }) => Math.round(to * 3500)), [700, 1000, 3000, 3500]);
  assert.deepEqual(stops, [0.4]);
  assert.deepEqual(tripBar(guided, 0).parts[0].colour, "ahead");
  assert.deepEqual(tripBar({ ...guided, spans: undefined }, 4000).parts, [{ from: 0, to: 1, colour: "behind" }]);
  assert.deepEqual(tripBar(null, 0), { parts: [], stops: [], incidents: [] });
});

test("the trip bar has the incidents ahead of this route, RN-1, RN-8", () => {
  const guided = { ...route, id: "r-1" };
  const traffic = { route_id: "r-1", incidents: [[100, 200], [600, 400], [3000, 0]].map(([start_m, length_m]) => ({ start_m, length_m })) };
  assert.deepEqual(tripBar(guided, 800, traffic).incidents, [800 / guided.length_m, 3000 / guided.length_m]);
  assert.deepEqual(tripBar(guided, 800, { ...traffic, route_id: "another" }).incidents, []);
  assert.deepEqual(tripBar(guided, 800, { incidents: [] }).incidents, []);
});
