// The rules of the dashboard.

import assert from "node:assert/strict";
import test from "node:test";

import {
  CARD, History, byLeaf, bytesText, clockText, columnsOf, curve, evidencePairs, layout, leafOf, msText, rateText, sorted, subscribers, summary,
  tone, trailLines,
} from "../../Sources/Nodes/nav-renderer/page/js/stack-model.js";

const input = (topic, more = {}) => ({ topic, received: 10, gaps: 0, lost: 0, health: "ok", ...more });
const report = {
  nodes: [
    { name: "location", state: "ready", cpu: 0.01, memory: 1e6, inputs: [], outputs: ["location/raw"] },
    { name: "matcher", state: "ready", cpu: 0.2, memory: 4e7, inputs: [input("location/raw", { lost: 2, gaps: 1 })], outputs: ["location/matched"] },
    { name: "navigator", state: "degraded", cpu: 0.1, memory: 3e7, inputs: [input("location/matched", { health: "stale" }), input("route/better", { health: "never" })], outputs: ["guidance/progress", "route/active"] },
    { name: "poller", state: "ready", inputs: [input("route/active")], outputs: ["route/better"] },
    { name: "bus", state: "ready", inputs: [], outputs: [] },
  ],
  topics: [
    { name: "ego/location/raw", hz: 1, bytes_per_s: 90, messages: 12, age_ms: 5, stamp_ns: 1, writers: ["location"], readers: ["matcher"], refused: 0 },
    { name: "ego/location/matched", hz: 1, bytes_per_s: 400, messages: 12, age_ms: 5, stamp_ns: 1, writers: ["matcher"], readers: ["navigator"], refused: 0 },
    { name: "ego/route/active", hz: 0, bytes_per_s: 0, messages: 2, age_ms: 5, stamp_ns: 1, writers: ["navigator"], readers: [], refused: 0 },
    { name: "_clock", hz: 2, bytes_per_s: 80, messages: 24, age_ms: 5, stamp_ns: 1, writers: ["location"], readers: [], refused: 0 },
  ],
  graph: [
    { name: "location/raw", call: false, from: ["location"], to: ["matcher"] },
    { name: "location/matched", call: false, from: ["matcher"], to: ["navigator"] },
    { name: "route/active", call: false, from: ["navigator"], to: ["poller"] },
    { name: "route/better", call: false, from: ["poller"], to: ["navigator"] },
    { name: "guidance/progress", call: false, from: ["navigator"], to: [] },
    { name: "traffic/flow", call: false, from: [], to: ["navigator"] },
    { name: "route/calculate", call: true, from: ["navigator"], to: ["bus"] },
  ],
  hops: [],
};

test("figures have about three digits, RN-9", () => {
  assert.deepEqual([0, 0.0333, 1, 9.99, 29.97, 998.4, 10_000, 123_456].map(rateText), ["0", "0.033", "1.00", "9.99", "30.0", "998", "10.0k", "123.5k"]);
  assert.deepEqual([0, 999, 1000, 34_567, 512_000, 45_300_000].map(bytesText), ["0 B", "999 B", "1.0 kB", "34.6 kB", "512 kB", "45.3 MB"]);
  assert.deepEqual([0.42, 3.21, 12.4, 3200, 240_000, 9e7, undefined].map(msText), ["0.42 ms", "3.2 ms", "12 ms", "3.2 s", "4 min", "25 h", "–"]);
  assert.equal(clockText(43_480_123_000_000, { utc: true, millis: true }), "12:04:40.123");
  assert.equal(clockText(undefined), "–");
});

test("a state has a tone, and an unknown one is bad, RN-9", () => {
  assert.deepEqual(["ready", "degraded", "gone", "silent", "backoff", "exited"].map(tone), ["good", "warn", "bad", "bad", "bad", "idle"]);
});

test("losses and gaps of a topic are those of its subscribers, RN-9", () => {
  const raw = byLeaf(report).get("location/raw");
  assert.deepEqual([raw.hz, raw.lost, raw.gaps, raw.readers], [1, 2, 1, 1]);
  assert.equal(byLeaf(report).get("location/matched").health, "stale");
  assert.deepEqual(subscribers(report.nodes, "ego/location/raw").map(({ node, lost }) => [node, lost]), [["matcher", 2]]);
  assert.equal(leafOf("*/location/raw"), "location/raw");
  assert.equal(leafOf("_clock"), "_clock");
});

test("the head counts topics of the stack, not those of the bus itself, RN-9", () => {
  const sum = summary(report);
  assert.equal(sum.hz, 2);
  assert.deepEqual(sum.troubles, ["navigator degraded"]);
  assert.equal(sum.worst, "warn");
  assert.equal(sum.lost, 2);
});

test("the columns of the graph follow the flow, in spite of loops, RN-9", () => {
  const drawn = layout(report, 1200);
  const column = Object.fromEntries(drawn.cards.map((card) => [card.name, card.column]));
  assert.ok(column.location < column.matcher && column.matcher < column.navigator);
  assert.notEqual(column.poller, column.navigator);
  // A loop of two nodes alone does not go on forever.
  assert.equal(columnsOf(["a", "b"], new Map([["a", new Map([["b", 1]])], ["b", new Map([["a", 1]])]])).length, 2);
});

test("cards do not overlap, and each line leads from its topic to its reader, RN-9", () => {
  for (const width of [300, 900, 1900]) {
    const drawn = layout(report, width);
    for (const a of drawn.cards) {
      for (const b of drawn.cards) {
        if (a === b || a.column !== b.column) continue;
        assert.ok(a.y + a.height <= b.y || b.y + b.height <= a.y, `${a.name} ${b.name}`);
      }
      assert.ok(a.x >= 0 && a.x + CARD.width <= drawn.width + 0.5 && a.y + a.height <= drawn.height + 0.5, a.name);
    }
    assert.deepEqual(drawn.links.map(({ topic, to }) => `${topic} ${to}`).sort(), ["location/matched navigator", "location/raw matcher", "route/active poller"]);
    assert.ok(drawn.links.every(({ path }) => path && !path.includes("NaN")));
    assert.deepEqual(drawn.calls.map(({ from, to, calls }) => [from, to, calls]), [["navigator", "bus", ["route/calculate"]]]);
  }
});

test("a topic that nothing has been published on is only counted, RN-9", () => {
  const navigator = layout(report, 900).cards.find(({ name }) => name === "navigator");
  assert.deepEqual(navigator.rows.map(({ topic }) => topic), ["route/active"]);
  assert.equal(navigator.quiet, 1);
});

test("a writer that is no node is drawn as well, and nothing is drawn of nothing, RN-9", () => {
  const foreign = { ...report, graph: [{ name: "location/raw", call: false, from: ["injected"], to: ["matcher"] }] };
  assert.ok(layout(foreign, 900).cards.find(({ name }) => name === "injected").node.isForeign);
  assert.deepEqual(layout({ nodes: [], topics: [], graph: [] }, 900).cards, []);
});

test("rows are sorted by any column, names as a reader counts, RN-9", () => {
  const rows = [{ name: "m.10", hz: 2 }, { name: "m.2", hz: 5 }, { name: "a" }];
  assert.deepEqual(sorted(rows, "name", false).map(({ name }) => name), ["a", "m.2", "m.10"]);
  assert.deepEqual(sorted(rows, "hz", true).map(({ name }) => name), ["m.2", "m.10", "a"]);
});

test("a curve fits its box and ends at the right, RN-9", () => {
  assert.equal(curve([1], 72, 18, 60), "");
  const points = curve([0, 1, 2], 72, 18, 60).split(" ").map((point) => point.split(",").map(Number));
  assert.deepEqual(points.at(-1), [72, 1]);
  assert.equal(points[0][1], 17);
  const history = new History(2);
  history.add("a", 1);
  history.add("a", 2);
  assert.deepEqual(history.add("a", 3), [2, 3]);
});

test("evidence is flat, and a trail tells what each step took, RN-9", () => {
  assert.deepEqual(evidencePairs({ reason: "deviation", evidence: { distance_m: 62.12345678, kinds: ["a", "b"] } }),
    [["reason", "deviation"], ["evidence.distance_m", "62.123457"], ["evidence.kinds", "a, b"]]);
  const trail = trailLines([
    { topic: "guidance/reroute", source: "navigator", sequence: 3, sent_ns: 12_000_000 }, { topic: "location/matched", source: "matcher", sequence: 9, sent_ns: 10_000_000 },
    { topic: "_svc/navigate/start", source: "page", sequence: 0 },
  ]);
  assert.deepEqual(trail.map(({ took }) => took), ["+2.0 ms", "", ""]);
  assert.equal(trail[2].text, "call navigate/start by page");
});
