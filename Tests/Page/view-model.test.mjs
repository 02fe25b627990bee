// What the page shows, from recordings of the live link and from drawn messages, without a browser.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { use } from "./english.mjs";
import { recording, replay } from "./replay.mjs";

const page = new URL("../../Sources/Nodes/nav-renderer/page/js/", import.meta.url);
const { ViewModel } = await import(new URL("view-model.js", page));
const { TOPICS, neededFields } = await import(new URL("view/message-checks.js", page));

const demo = recording("demo");
const driven = replay(demo);

/** The first step from which on `condition` holds of the view; fails where it never does. */
function when(steps, condition, what) {
  const found = steps.find(({ view }) => condition(view));
  assert.ok(found, `never: ${what}`);
  return found;
}

const of = (steps, topic) => steps.filter(({ message }) => message?.topic === topic);

// Drawn messages: a straight road of 2 km to the east, which ends in the country.

function polyline6(places) {
  const last = [0, 0];
  let text = "";
  for (const [lon, lat] of places) {
    [lat, lon].forEach((degrees, axis) => {
      const value = Math.round(degrees * 1e6);
      let delta = (value - last[axis]) * 2;
      last[axis] = value;
      if (delta < 0) delta = -delta - 1;
      for (; delta >= 32; delta = Math.floor(delta / 32)) text += String.fromCharCode((delta % 32 + 32) + 63);
      text += String.fromCharCode(delta + 63);
    });
  }
  return text;
}

/** Longitude of a place so many metres along the road. */
const lonAt = (metres) => 9 + metres / (111_195.08 * Math.cos(47 * Math.PI / 180));

const ROUTE = {
  id: "r-1", shape: polyline6([0, 1000, 2000].map((metres) => [lonAt(metres), 47])), length_m: 2000, request: { mode: "car" },
  waypoints: [{}, { original: { name: "Mill" } }],
  maneuvers: [
    { action: "depart", offset_m: 0, length_m: 1000 },
    { action: "turn", grade: "left", offset_m: 1000, length_m: 200, onto_road: { name: "Mill Lane" }, text: "Turn left onto Mill Lane." },
    { action: "turn", grade: "right", offset_m: 1200, length_m: 800, onto_road: { name: "Quay" }, text: "Turn right onto Quay." },
    { action: "arrive", offset_m: 2000, length_m: 0, section: 0, arrival_side: "left", text: "You have reached Mill." },
  ],
  spans: {
    start_m: [0, 1500], length_m: [1500, 500], jam_factor: [0, 9], duration_latest_s: [100, 200], duration_free_flow_s: [100, 50],
  },
};

function frame(metres, { panel = {}, stamp = metres / 10, ...fields } = {}) {
  return {
    topic: "scene/frame", stamp: stamp * 1e9, sent: stamp * 1000, payload: {
      camera_lat_deg: 47, camera_lon_deg: lonAt(metres), camera_zoom: 16, camera_tilt_deg: 50, camera_bearing_deg: 90, camera_mode: "dynamic",
      indicator_lat_deg: 47, indicator_lon_deg: lonAt(metres), indicator_bearing_deg: 90, indicator_style: "car", night: false,
      route_id: "r-1", eat_up_shape_index: metres < 1000 ? 0 : 1, eat_up_shape_fraction: (metres % 1000) / 1000, ...fields,
      panel: {
        maneuver_index: 1, maneuver_remaining_m: 1000 - metres, speed_mps: 10, speed_limit_mps: 13.9, remaining_m: 2000 - metres,
        remaining_s: (2000 - metres) / 10, ...panel,
      },
    },
  };
}

const event = (topic, payload, stamp = 0) => ({ topic, payload, stamp: stamp * 1e9, sent: stamp * 1000 });

/** A model of a page that drives along the road at `metres`. */
function drivingAt(metres, route = ROUTE) {
  const model = new ViewModel({ scene: { theme: "day", tracking: true }, vehicle: "ego" });
  model.take({ topic: "_link", payload: { isOpen: true } }, 0);
  model.take(event("route/active", { reason: "new", route }), 1);
  model.take(frame(metres), 2);
  return model;
}

// The whole demo.

test("the demo drive is shown from the start to the arrival, RN-1", () => {
  const { model, steps } = driven;
  assert.equal(model.refused.count, 0, model.refused.last);
  assert.ok(steps.length > 400);
  const first = when(steps, (view) => view.panel, "a panel").view;
  assert.equal(first.panel.icon.maneuver.action, "roundabout");
  assert.match(first.panel.distanceText, /^\d+ m$/);
  assert.deepEqual([first.panel.shields.map(({ number }) => number), first.panel.text], [["A11"], "West Avenue"]);
  when(steps, (view) => view.look.theme === "day" && view.speed?.limit?.text === "70", "the limit of the avenue");
  when(steps, (view) => view.banner?.title === "Faster route, 6 min less", "the faster route");
  when(steps, (view) => view.banner?.title === "Rerouting…", "the wrong turn");
  when(steps, (view) => view.bar?.parts.some(({ colour }) => colour === "behind"), "the driven part");
  when(steps, (view) => view.maneuvers?.rows.length > 3 && view.maneuvers.rows.at(-1).text.startsWith("Office"), "the list of maneuvers");
  when(steps, (view) => view.panel?.text === "Office, on the right", "the destination's name before it is reached");
  when(steps, (view) => view.caption === "You have reached your destination.", "what is spoken");
  const { view } = steps.at(-1);
  assert.deepEqual([view.panel, view.figures, view.bar, view.maneuvers, view.routeID], [null, null, null, null, null]);
  assert.equal(view.banner.title, "Arrived: Office");
});

test("distances to a maneuver only fall until it is driven, RN-1", () => {
  let before = null;
  for (const { view } of of(driven.steps, "scene/frame")) {
    const metres = view.scene.panel?.maneuver_remaining_m;
    const key = `${view.routeID} ${view.scene.panel?.maneuver_index}`;
    if (before?.key === key && view.panel?.kind === "maneuver") assert.ok(metres <= before.metres + 15, `${metres} after ${before.metres}`);
    before = { key, metres };
  }
});

test("no view after the arrival has a warning, RN-1, EV-4", () => {
  const arrivedAt = driven.steps.findIndex(({ message }) => message?.topic === "guidance/arrival");
  assert.ok(arrivedAt > 0);
  const after = driven.steps.slice(arrivedAt);
  assert.ok(after.some(({ message }) => message?.topic === "guidance/warning"), "one comes after it");
  for (const { view } of after) assert.deepEqual(view.warnings, []);
});

test("on the way warnings come and go, the nearest first, EV-4", () => {
  const shown = driven.steps.flatMap(({ view }) => view.warnings.map(({ kind }) => kind));
  assert.ok(new Set(shown).size > 1, `${[...new Set(shown)]}`);
  assert.ok(driven.steps.every(({ view }) => view.warnings.length <= 2));
  assert.deepEqual(driven.steps.at(-1).view.warnings, []);
});

test("every view is deeply frozen, and what has not changed stays the same object, RN-1", () => {
  const check = (value, path) => {
    if (value === null || typeof value !== "object") return;
    assert.ok(Object.isFrozen(value), `${path} is not frozen`);
    for (const [key, entry] of Object.entries(value)) check(entry, `${path}.${key}`);
  };
  for (const { at, view } of driven.steps.filter((_, index) => index % 25 === 0)) check(view, `view at ${at}`);
  const { view } = driven.steps.at(-1);
  assert.throws(() => { view.warnings.push("x"); }, TypeError);
  assert.throws(() => { view.banner = null; }, TypeError);
  const ticks = driven.steps.filter(({ message }, index) => index > 0 && message === null);
  assert.ok(ticks.some(({ view: one }) => driven.steps.some(({ view: other }, index) => driven.steps[index + 1]?.view === one && other === one)));
});

test("the same messages give the same views, RN-1", () => {
  const again = replay(recording("demo"));
  assert.equal(again.steps.length, driven.steps.length);
  again.steps.forEach(({ view }, index) => assert.deepEqual(view, driven.steps[index].view));
});

test("a page that is opened in the middle of the drive shows the same from its first frame on, RN-1", () => {
  const middle = demo.lines.findIndex(({ at, message }) => at > 60_000 && message.topic === "scene/frame");
  const newest = new Map();
  for (const { message } of demo.lines.slice(0, middle)) {
    if (["route/active", "guidance/road", "guidance/speed", "scene/settings"].includes(message.topic)) newest.set(message.topic, message);
  }
  const { at } = demo.lines[middle];
  const joined = [{ topic: "_link", payload: { isOpen: true } }, ...newest.values()].map((message) => ({ at, message }));
  const late = replay({ config: demo.config, lines: [...joined, ...demo.lines.slice(middle)] });
  const frames = of(driven.steps, "scene/frame").filter((step) => step.at >= at);
  of(late.steps, "scene/frame").forEach(({ view }, index) => {
    for (const part of ["panel", "speed", "figures", "bar", "road", "look", "camera", "indicator"]) {
      assert.deepEqual(view[part], frames[index].view[part], `${part} of frame ${index}`);
    }
  });
});

// Refused messages.

test("an unknown or malformed message changes nothing and is counted, BUS-5", () => {
  const model = drivingAt(100);
  const before = model.view;
  const bad = [
    null, 7, "text", [], {}, { topic: 3 }, { topic: "no/such_topic", payload: {} }, { topic: "scene/frame", payload: {} },
    { topic: "scene/frame" }, { ...frame(500), stamp: "yesterday" }, { ...frame(500), sent: undefined },
    frame(500, { camera_zoom: "16" }), frame(500, { camera_lat_deg: null }), frame(500, { panel: { speed_mps: "fast" } }),
    frame(500, { panel: { lanes: 3 } }), event("route/active", { route: { id: "r-2" } }),
    event("route/active", { route: { ...ROUTE, id: "r-2", shape: "~~~~" } }), event("route/active", { route: [] }),
    event("guidance/warning", { id: "w" }), event("guidance/warning", null), event("guidance/arrival", { event: "destination_reached" }),
    event("route/better", {}), event("voice/announcement", { text: 3, key: "k" }), event("guidance/deviation", { route_id: "r-1" }),
    event("traffic/incidents", { incidents: "many" }), event("toString", {}), event("__proto__", {}), event("route/alternatives", { routes: [{}] }),
  ];
  bad.forEach((message, index) => {
    assert.equal(model.take(message, 2), before, `message ${index} changes the view`);
    assert.equal(model.refused.count, index + 1, `message ${index} is not counted`);
    assert.ok(model.refused.last);
  });
  assert.equal(model.refused.byTopic["scene/frame"], 8);
  model.take(frame(500, { camera_zoom: "16" }), 2);
  assert.equal(model.refused.last, 'scene/frame: payload.camera_zoom: "16"', "the field is named");
  // What follows is shown as if nothing had been.
  assert.deepEqual(model.take(frame(200), 3), (() => {
    const other = drivingAt(100);
    return other.take(frame(200), 3);
  })());
});

test("the fields that the page needs are those that the contract requires, BUS-5", () => {
  for (const topic of TOPICS.filter((name) => !name.startsWith("_"))) {
    const schema = JSON.parse(readFileSync(new URL(`../../Protocols/json-schema/${topic.replace("/", "_")}.json`, import.meta.url), "utf8"));
    const optional = neededFields(topic).filter((name) => !(schema.required ?? []).includes(name));
    assert.deepEqual(optional, [], `${topic}: the page refuses messages without them, the contract does not`);
    for (const name of neededFields(topic)) assert.ok(schema.properties[name], `${topic}.${name} is not in the contract`);
  }
});

test("the examples of the contract are shown, BUS-5", () => {
  const model = new ViewModel({ scene: {} });
  for (const topic of TOPICS.filter((name) => !name.startsWith("_"))) {
    const payload = JSON.parse(readFileSync(new URL(`../../Protocols/examples/${topic.replace("/", "_")}.json`, import.meta.url), "utf8"));
    model.take(event(topic, payload, 5), 5000);
    assert.equal(model.refused.count, 0, model.refused.last);
  }
});

// Scenes.

test("the panel names the next maneuver and the one soon after it, RN-1", () => {
  const { panel } = drivingAt(400).view;
  assert.deepEqual([panel.kind, panel.distanceText, panel.text], ["maneuver", "600 m", "Mill Lane"]);
  assert.deepEqual(panel.icon, { isLeftHand: false, maneuver: { action: "turn", grade: "left" } });
  assert.deepEqual([panel.then.distanceText, panel.then.label], ["200 m", "Then, after 200 m: Turn right onto Quay"]);
});

test("a lost location is told, and nothing that may be wrong stays, RN-7", () => {
  const model = drivingAt(400);
  assert.deepEqual([model.view.gps, model.view.signal, model.view.speed.text], ["known", "", "36"]);
  const lost = frame(440, { indicator_style: "grey", panel: { speed_mps: undefined, speed_limit_mps: undefined } });
  model.take(lost, 5000);
  assert.equal(model.view.signal, "", "not for a moment");
  const { view } = { view: model.at(5700) };
  assert.deepEqual([view.gps, view.signal, view.indicator.style, view.speed.text, view.speed.limit], ["lost", "No GPS signal", "grey", "–", null]);
  model.take(frame(480), 9000);
  assert.deepEqual([model.view.gps, model.view.signal, model.view.speed.text], ["known", "", "36"]);
});

test("a vehicle that leaves the route is led back, and hears of no warning of the route, RN-1", () => {
  const model = drivingAt(400);
  model.take(event("guidance/warning", { id: "w", kind: "toll_stop", event: "ahead", distance_m: 300, lat_deg: 47, lon_deg: lonAt(700) }, 40), 2);
  assert.equal(model.view.warnings.length, 1);
  const left = { lat_deg: 47.001, lon_deg: lonAt(450) };
  model.take(event("guidance/deviation", { route_id: "r-other", first: true, location: left, distance_m: 900, evidence: {} }, 45), 3);
  assert.equal(model.view.panel.kind, "maneuver", "of another route");
  model.take(event("guidance/deviation", { route_id: "r-1", first: true, location: left, distance_m: 111, evidence: {} }, 45), 3);
  const { panel, warnings, figures, bar, maneuvers } = model.view;
  assert.deepEqual([panel.kind, panel.text, panel.distanceText, Math.round(panel.icon.bearing)], ["off_route", "Off the route", "110 m", 180]);
  assert.equal(panel.label, "The route lies to the south");
  assert.deepEqual([warnings, figures.arrival.text, figures.distance.text, bar, maneuvers], [[], "–", "–", null, null]);
  // Further away the way back is longer, also while no deviation comes again.
  model.take(frame(500, { indicator_lat_deg: 47.002, panel: { maneuver_index: undefined } }), 4);
  assert.equal(model.view.panel.distanceText, "220 m");
  model.take(frame(600), 5);
  assert.equal(model.view.panel.kind, "maneuver", "back on the route");
});

test("a proposal waits for its answer, ends with its route, and is told with its line, RN-1, DR-5", () => {
  const { steps } = replay(recording("proposal"));
  const { view } = when(steps, ({ banner }) => banner?.kind === "better", "a proposal");
  assert.equal(view.banner.title, "6 min faster");
  assert.equal(view.banner.text, "1.8 km shorter");
  assert.deepEqual(view.banner.buttons.map(({ label, call }) => [label, call]), [
    ["Take it", "navigate/accept_better"], ["Keep mine", "navigate/reject_better"]]);
  assert.equal(view.banner.buttons[0].payload.id, of(steps, "route/better").find(({ view: one }) => one.banner).message.payload.id);
  assert.equal(view.alternatives.length, 1);
  const withdrawn = of(steps, "route/better").find(({ message }) => message.payload.state === "withdrawn");
  assert.deepEqual([withdrawn.view.banner, withdrawn.view.alternatives], [null, []]);
  const open = steps.filter(({ at }) => at > view.at && at < withdrawn.at);
  assert.ok(open.every(({ view: one }) => one.banner?.kind === "better" && one.alternatives.length === 1), "what is found meanwhile changes nothing");
  const model = drivingAt(100);
  model.take(event("route/better", { id: "b", state: "proposed", route_id: "r-1", gain_s: 240, longer_m: 0 }), 3);
  assert.deepEqual([model.view.banner.title, model.view.banner.text], ["4 min faster", "as long"]);
  model.take(event("route/active", { reason: "new", route: { ...ROUTE, id: "r-2" } }), 4);
  assert.equal(model.view.banner, null);
});

test("a jam is coloured, costs time, and is no longer told behind it, RN-3, RT-9", () => {
  const model = drivingAt(400);
  assert.deepEqual(model.view.figures.time.delay, { text: "+3 min", colour: "jam" });
  assert.deepEqual(model.view.bar.parts.map(({ colour }) => colour), ["behind", "ahead", "jam"]);
  const route = { ...ROUTE, spans: { ...ROUTE.spans, jam_factor: [0, 0] } };
  const before = model.view;
  model.take(event("route/active", { reason: "traffic", route }), 3);
  assert.equal(model.view.figures.time.delay, null);
  assert.deepEqual([model.view.routeID, model.view.panel, model.view.camera], ["r-1", before.panel, before.camera], "nothing else changes");
  const { steps } = replay(recording("proposal"));
  when(steps, (view) => view.figures?.time.delay && view.bar.parts.some(({ colour }) => colour === "jam"), "the jam of the demo");
});

test("off the road nothing is reached before the destination, OR-1, OR-2", () => {
  const { steps } = replay(recording("offroad"));
  const arrived = steps.find(({ message }) => message?.topic === "guidance/arrival");
  assert.equal(arrived.view.banner.title, "The road ends here");
  assert.match(arrived.view.banner.text, /^Meadow lies \d+ m to the \w+\. The direct line/);
  const last = steps.at(-1).view;
  assert.deepEqual([last.away, last.panel.kind], ["off_road", "off_road"]);
  assert.match(last.panel.text, /^Meadow, to the /);
  assert.equal(last.figures.distance.text + last.figures.distance.unit, last.panel.distanceText.replace(" ", ""));
  for (const { view } of steps) {
    const shown = [view.banner?.title, view.banner?.text, view.caption, view.panel?.text].join(" ");
    assert.doesNotMatch(shown, /reached|[Aa]rrived|on the (left|right)/);
  }
  const [model, at] = [replay(recording("offroad")).model, steps.at(-1).at];
  const { route_id: id } = arrived.message.payload;
  model.take(event("guidance/arrival", { route_id: id, event: "off_road_destination_reached", lat_deg: 47, lon_deg: -30 }), at + 100);
  model.take(event("route/active", { reason: "cleared" }), at + 110);
  assert.deepEqual([model.view.banner.title, model.view.panel, model.view.away], ["Arrived: Meadow", null, ""]);
});

test("a warning counts down from the frame that is as new as it, EV-4", () => {
  const model = drivingAt(100);
  const warning = { id: "w", kind: "safety_camera", event: "ahead", distance_m: 500, lat_deg: 47, lon_deg: lonAt(620) };
  model.take(event("guidance/warning", warning, 12), 3);
  model.take(frame(120), 4);
  assert.equal(model.view.warnings[0].distanceText, "500 m");
  model.take(frame(220), 5);
  assert.equal(model.view.warnings[0].distanceText, "400 m");
  // On a page that was opened later, the straight line tells.
  const late = new ViewModel({ scene: {} });
  late.take(event("guidance/warning", { ...warning, route_id: "r-1" }, 12), 1);
  late.take(event("route/active", { reason: "new", route: ROUTE }), 2);
  late.take(frame(420), 3);
  assert.equal(late.view.warnings[0].distanceText, "200 m");
  late.take(event("guidance/warning", { ...warning, event: "passed" }, 60), 4);
  assert.deepEqual(late.view.warnings, []);
});

test("without a route a parked vehicle is warned of nothing, EV-4", () => {
  const model = drivingAt(100);
  model.take(event("route/active", { reason: "cleared" }), 3);
  model.take(event("guidance/warning", { id: "w", kind: "school_zone", event: "ahead", distance_m: 100 }, 10), 4);
  assert.equal(model.view.warnings.length, 1);
  model.take(frame(100, { stamp: 11, route_id: undefined, panel: { speed_mps: 0 } }), 5);
  assert.deepEqual(model.view.warnings, []);
});

test("the limit is exceeded when guidance says so, EV-3", () => {
  const model = drivingAt(100);
  model.take(frame(110, { panel: { speed_mps: 25 } }), 3);
  assert.deepEqual([model.view.speed.text, model.view.speed.isOver], ["90", false]);
  model.take(event("guidance/speed", { limit_mps: 13.9, exceeded: true }), 4);
  assert.deepEqual([model.view.speed.isOver, model.view.speed.isFar], [true, true]);
  model.take(frame(120, { panel: { speed_mps: 15 } }), 5);
  assert.deepEqual([model.view.speed.isOver, model.view.speed.isFar], [true, false]);
  model.take(frame(130, { panel: { speed_limit_mps: 0 } }), 6);
  assert.deepEqual([model.view.speed.isOver, model.view.speed.limit.label], [false, "No speed limit"]);
});

test("banners and captions end by the clock alone, RN-1", () => {
  const model = drivingAt(100);
  model.take(event("guidance/reroute", { state: "completed" }), 1000);
  model.take(event("voice/announcement", { key: "k", text: "Turn left.", expected_duration_s: 2 }), 1000);
  assert.deepEqual([model.at(4100).banner.title, model.at(4100).caption], ["New route", "Turn left."]);
  assert.deepEqual([model.at(4300).caption, model.at(4600).banner], ["", null]);
  assert.equal(model.view.announcement.key, "k", "the voice still has it");
  model.take({ topic: "_failed", payload: { text: "no answer came" } }, 5000);
  assert.deepEqual([model.view.banner.title, model.view.banner.text], ["That did not work", "no answer came"]);
});

test("texts of the stack stay texts, RN-1", () => {
  const model = drivingAt(100);
  const name = "<img src=x onerror=alert(1)>";
  model.take(event("guidance/arrival", { route_id: "r-1", event: "destination_reached", lat_deg: 47, lon_deg: 9, name }), 3);
  assert.equal(model.view.banner.title, `Arrived: ${name}`, "escaping is for those who draw");
});

test("link, renderer, bus and vehicle are told honestly, RN-1, BUS-6, RN-9", () => {
  const model = new ViewModel({ vehicle: "ego", scene: {} }, 0);
  assert.deepEqual([model.at(300).link, model.view.notice.text], ["connecting", ""]);
  assert.equal(model.at(4000).link, "lost", "a link that does not come is lost, too");
  let nowMs = 5000;
  const pass = (ms, message = null) => {
    for (const end = nowMs + ms; nowMs < end;) {
      nowMs += 250;
      if (message) model.take(message, nowMs);
      else model.at(nowMs);
    }
    return model.view;
  };
  const alive = { topic: "_alive", payload: { bus: true } };
  model.take({ topic: "_link", payload: { isOpen: true } }, nowMs);
  assert.equal(pass(10_000, alive).link, "open");
  assert.equal(pass(4000).link, "silent");
  assert.match(model.view.notice.text, /does not answer/);
  assert.equal(pass(250, alive).link, "open");
  assert.equal(pass(1500, { topic: "_alive", payload: { bus: false } }).link, "open", "a restart of the bus takes less");
  assert.equal(pass(1500, { topic: "_alive", payload: { bus: false } }).link, "busless");
  assert.equal(pass(250, alive).link, "open");
  model.take({ topic: "_vehicles", payload: { total: 4, known: false } }, nowMs);
  assert.match(model.view.notice.text, /no vehicle "ego" on the bus/);
  assert.deepEqual(model.view.fleet, { total: 4, isKnown: false });
  model.take(frame(0), nowMs);
  assert.deepEqual([model.view.notice.text, model.view.fleet.isKnown], ["", true], "it is there");
  // A hidden tab has no clock: what comes afterwards is no silence.
  model.take({ topic: "_resumed", payload: {} }, nowMs + 60_000);
  assert.equal(model.view.link, "open");
  model.take({ topic: "_link", payload: { isOpen: false } }, nowMs + 61_000);
  assert.equal(model.view.link, "lost");
  model.take({ topic: "_refused", payload: { text: "started again" } }, nowMs + 61_100);
  assert.equal(model.view.notice.text, "started again");
});

test("a page without a vehicle asks for one, RN-9", () => {
  const model = new ViewModel({ vehicle: null, scene: {} });
  model.take({ topic: "_link", payload: { isOpen: true } }, 0);
  assert.equal(model.view.notice.text, "");
  model.take({ topic: "_vehicles", payload: { total: 2 } }, 1);
  assert.deepEqual(model.view.notice, { text: "Choose a vehicle.", isFault: false });
  const refused = new ViewModel({ vehicle: null, refusal: '"No Car" is not a vehicle name', scene: {} });
  refused.take({ topic: "_link", payload: { isOpen: true } }, 0);
  refused.take({ topic: "_vehicles", payload: { total: 2 } }, 1);
  assert.deepEqual(refused.view.notice, { text: '"No Car" is not a vehicle name', isFault: true });
});

test("two vehicles on two pages know nothing of each other, RN-9", () => {
  const models = [drivingAt(100), drivingAt(900)];
  const alone = models.map(({ view }) => view);
  models[0].take(event("guidance/warning", { id: "w", kind: "toll_stop", event: "ahead", distance_m: 300 }, 10), 3);
  models[0].take(event("guidance/arrival", { route_id: "r-1", event: "destination_reached", lat_deg: 47, lon_deg: 9 }), 3);
  assert.equal(models[1].at(3), alone[1]);
  assert.notEqual(models[0].view, alone[0]);
});

test("a new route shows nothing of the old one, RN-3", () => {
  const model = drivingAt(400);
  model.take(event("route/active", { reason: "reroute", route: { ...ROUTE, id: "r-2", waypoints: [{}, { original: { name: "Fort" } }] } }), 3);
  assert.deepEqual([model.view.routeID, model.view.route.behindM, model.view.route.arrowIndex, model.view.bar], ["r-2", 0, null, null]);
  model.take(frame(410, { route_id: "r-2" }), 4);
  assert.deepEqual([model.view.route.behindM.toFixed(0), model.view.route.arrowIndex], ["410", 1]);
  assert.ok(model.view.bar);
});

test("incidents of all feeds are on the map, and those of a feed go with it, TR-4", () => {
  const model = drivingAt(100);
  const incident = (id) => ({ id, kind: "accident", lat_deg: 47, lon_deg: 9 });
  model.take({ ...event("traffic/incidents", { feed: "a", observed_ns: 1, incidents: [incident("1"), { id: "2", kind: "other" }] }), key: "a" }, 3);
  model.take({ ...event("traffic/incidents", { feed: "b", observed_ns: 1, incidents: [incident("3")] }), key: "b" }, 3);
  assert.deepEqual(model.view.incidents.map(({ id }) => id), ["1", "3"]);
  assert.deepEqual(model.view.incidents.map(({ name }) => name), ["a 1", "b 3"]);
  model.take({ ...event("traffic/incidents", null), key: "a" }, 4);
  assert.deepEqual(model.view.incidents.map(({ id }) => id), ["3"]);
});

test("the same state is shown in other words from one moment to the next, P19", (t) => {
  t.after(() => use("en"));
  const model = drivingAt(400);
  assert.equal(model.view.panel.label, "Turn left onto Mill Lane, 600 m");
  const { scene, route } = model.view;
  use("de");
  const view = model.reworded(3);
  assert.equal(view.panel.label, "Links abbiegen auf Mill Lane, 600 m");
  assert.deepEqual([view.figures.arrival.label, view.maneuvers.rows[1].text], ["Ankunft", "Rechts abbiegen auf Quay"]);
  assert.ok(view.scene === scene && view.route === route, "what has no words stays the same");
});

test("an announcement in another language is captioned in the page's own words, P19", (t) => {
  t.after(() => use("en"));
  const model = drivingAt(400);
  const announcement = { key: "k", kind: "reminder", text: "In 500 meters, turn left.", language: "en-US", route_id: "r-1", maneuver_index: 1, distance_m: 500 };
  model.take(event("voice/announcement", announcement), 3);
  assert.equal(model.view.caption, "In 500 meters, turn left.");
  use("fr");
  model.take(event("voice/announcement", { ...announcement, key: "k-2" }), 4);
  assert.equal(model.view.caption, "Dans 500 m : Tournez à gauche sur Mill Lane");
  assert.equal(model.view.announcement.text, announcement.text, "the voice speaks what the stack says");
});

test("incidents ahead are marks on the bar of the trip, RN-1, RN-8", () => {
  const model = drivingAt(100);
  const before = model.view.bar;
  assert.deepEqual(before.incidents, []);
  model.take(event("guidance/traffic", { route_id: ROUTE.id, incidents: [{ id: "i", feed: "a", kind: "accident", start_m: 500, length_m: 100, section: 0, spans: [] }] }), 3);
  assert.deepEqual(model.view.bar.incidents, [500 / ROUTE.length_m]);
  assert.match(model.view.bar.label, /left, incidents ahead: 1$/);
  model.take(frame(650), 4);
  assert.deepEqual(model.view.bar.incidents, []);
  assert.match(model.view.bar.label, /left$/);
});

test("the traffic layer has the version that the renderer has named last, RN-8", () => {
  const model = drivingAt(100);
  assert.equal(model.view.flow, null);
  model.take(event("_flow", { version: null }), 3);
  assert.equal(model.view.flow, null);
  model.take(event("_flow", { version: "a-1", segments: 4, jam: 1 }), 4);
  assert.deepEqual(model.view.flow, { version: "a-1", segments: 4, jam: 1 });
});

test("warnings with a place have a sign on the map, all of them, and none after the arrival, EV-4", () => {
  const model = drivingAt(100);
  const at = { lat_deg: 47, lon_deg: lonAt(620) };
  for (const [id, kind, place] of [["a", "stop", at], ["b", "stop", {}], ["c", "incident", at], ["d", "safety_camera", at], ["e", "tunnel", at]]) {
    model.take(event("guidance/warning", { id, kind, event: "ahead", distance_m: 500, ...place }, 12), 3);
  }
  assert.deepEqual(model.view.warningMarks.map(({ id }) => id), ["a", "d", "e"]);
  assert.equal(model.view.warnings.length, 2);
  const marks = model.view.warningMarks;
  model.take(frame(120), 4);
  assert.equal(model.view.warningMarks, marks, "the map draws them once");
  model.take(event("guidance/arrival", { route_id: ROUTE.id, event: "destination_reached", lat_deg: 47, lon_deg: 9 }), 5);
  assert.deepEqual(model.view.warningMarks, []);
});
