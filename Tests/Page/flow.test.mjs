// The traffic layer: its switch, its tiles, and what the button says.

import assert from "node:assert/strict";
import test from "node:test";

import { use } from "./english.mjs";
import { FlowModel } from "../../Sources/Nodes/nav-renderer/page/js/flow-model.js";

const PAGE = "http://127.0.0.1:8123/?vehicle=ego";

function storage(entries = {}) {
  const kept = new Map(Object.entries(entries));
  return { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => kept.set(key, value) };
}

test("the layer is off at first, and the device keeps the switch, RN-8", () => {
  const device = storage();
  const model = new FlowModel(() => device, "ego");
  model.tell({ version: "a-1", segments: 3 });
  assert.equal(model.tiles(PAGE), null);
  model.turn(true);
  assert.equal(model.tiles(PAGE), "http://127.0.0.1:8123/flow/{z}/{x}/{y}.mvt?vehicle=ego&version=a-1");
  assert.equal(new FlowModel(() => device, "ego").isShown, true);
  model.turn(false);
  assert.equal(model.tiles(PAGE), null);
  assert.equal(new FlowModel(() => device, "ego").isShown, false);
});

test("tiles have another address with each version, and the page's own origin and path, RN-8", () => {
  const model = new FlowModel(() => storage({ "navstack.flow": "on" }), "bus-7");
  assert.equal(model.tiles(PAGE), null, "there is no version yet");
  model.tell({ version: "a-1" });
  const first = model.tiles("https://car.example/nav/index.html");
  assert.equal(first, "https://car.example/nav/flow/{z}/{x}/{y}.mvt?vehicle=bus-7&version=a-1");
  model.tell({ version: "a-2" });
  assert.notEqual(model.tiles("https://car.example/nav/index.html"), first);
  model.tell({ version: null });
  assert.equal(model.tiles(PAGE), null);
});

test("scene/control hides the layer, and a page without a vehicle has none, RN-7, RN-8", () => {
  const model = new FlowModel(() => storage({ "navstack.flow": "on" }), "ego");
  model.tell({ version: "a-1" });
  model.isHidden = true;
  assert.equal(model.tiles(PAGE), null);
  model.isHidden = false;
  assert.notEqual(model.tiles(PAGE), null);
  const nobody = new FlowModel(() => storage({ "navstack.flow": "on" }), null);
  nobody.tell({ version: "a-1" });
  assert.equal(nobody.tiles(PAGE), null);
});

test("without storage the switch is kept until the page is closed, RN-8", () => {
  const model = new FlowModel(() => { throw new Error("forbidden"); }, "ego");
  assert.equal(model.isShown, false);
  model.turn(true);
  assert.equal(model.isShown, true);
});

test("the button says where nothing is reported, RN-8", () => {
  use("en");
  const model = new FlowModel(() => storage({ "navstack.flow": "on" }), "ego");
  assert.equal(model.title, "Traffic on the map");
  model.tell({ version: "a-1", segments: 0 });
  assert.equal(model.title, "Traffic on the map, No traffic reported");
  model.tell({ version: "a-2", segments: 9 });
  assert.equal(model.title, "Traffic on the map");
});
