// Where the vehicle stands among the cards, and when the page says that what it shows may be old.

import assert from "node:assert/strict";
import { test } from "node:test";

const page = new URL("../../Sources/Nodes/nav-renderer/page/js/", import.meta.url);
const { freeMargins, vehiclePlace } = await import(new URL("layout.js", page));

const card = (left, top, right, bottom) => ({ left, top, right, bottom });
const anchor = { x: 0.5, y: 0.775 };

test("without cards the vehicle stands at its anchor, RN-2", () => {
  assert.deepEqual(vehiclePlace(1280, 720, anchor, []), { x: 640, y: 558 });
});

test("a panel moves it only where it would cover it, then to the middle of the rest, RN-2", () => {
  assert.deepEqual(vehiclePlace(1280, 720, anchor, [card(16, 16, 380, 300)]), { x: 640, y: 558 });
  assert.equal(vehiclePlace(640, 360, anchor, [card(8, 8, 330, 300)]).x, 330 + 155);
});

test("no card covers the vehicle, wherever it lies in its column, RN-1, RN-2", () => {
  const bar = card(300, 470, 1000, 590);
  const { x, y } = vehiclePlace(1280, 600, anchor, [bar]);
  assert.ok(x > 0 && y + 30 < bar.top);
  const upright = vehiclePlace(390, 844, anchor, [card(10, 10, 380, 240), card(10, 700, 380, 830), card(10, 590, 100, 690)]);
  assert.ok(upright.y > 270 && upright.y + 30 < 700);
  assert.equal(upright.x, 195);
});

test("the whole route is shown in what cards leave free, RN-2", () => {
  const margins = freeMargins(1280, 720, [card(16, 16, 380, 300), card(500, 620, 900, 700)]);
  assert.ok(margins.left >= 380 && margins.bottom >= 100 && margins.top === 40 && margins.right === 40);
  const small = freeMargins(320, 240, [card(0, 0, 320, 150), card(0, 160, 320, 240)]);
  assert.ok(small.top + small.bottom <= 240 * 0.8 + 1e-6);
});
