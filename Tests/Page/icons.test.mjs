// The pictures that are drawn from numbers: roundabouts, and a sign for each kind of warning.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import "./english.mjs";

const page = new URL("../../Sources/Nodes/nav-renderer/page/js/", import.meta.url);
const { isUsed, laneIcon, laneMark, laneText, maneuverIcon, roundaboutShape } = await import(new URL("icons.js", page));
const { WARNING_KINDS, warningSign, warningText } = await import(new URL("warning-signs.js", page));

const { speedSign } = await import(new URL("speed-sign.js", page));

const off = (a, b) => Math.abs(((a - b) % 360 + 540) % 360 - 180);

/** The direction of the arrow's head, and whether all of the driven arc lies on the ring, from the picture itself. */
function drawn(icon) {
  const [, x0, y0] = /d="M[\d.]+ 68V[\d.]+A[\d.]+ [\d.]+ 0 [01] [01] (-?[\d.]+) (-?[\d.]+)L/.exec(icon);
  const [, x1, y1] = /L(-?[\d.]+) (-?[\d.]+)" stroke-width="7"\/>/.exec(icon);
  const [, large, sweep] = /A[\d.]+ [\d.]+ 0 ([01]) ([01])/.exec(icon);
  const heading = Math.atan2(x1 - x0, y0 - y1) * 180 / Math.PI;
  return { heading, isLarge: large === "1", isClockwise: sweep === "1", radius: Math.hypot(x0 - 36, y0 - 33) };
}

test("the arrow of a roundabout leaves as the exit does, and the arc is the driven one, RN-1", () => {
  for (let turn = -165; turn <= 165; turn += 15) {
    for (const isLeftHand of [false, true]) {
      const side = isLeftHand ? -1 : 1;
      const arc = (180 - side * turn + 360) % 360;
      const icon = maneuverIcon({ action: "roundabout", roundabout_angle_deg: side * arc, exit_count: 2 }, isLeftHand);
      const { heading, isLarge, isClockwise, radius } = drawn(icon);
      assert.ok(off(heading, turn) < 3, `turn ${turn}, ${isLeftHand ? "left" : "right"}-hand: drawn ${heading}`);
      assert.equal(isClockwise, isLeftHand);
      assert.equal(isLarge, arc > 180, `turn ${turn}`);
      assert.ok(Math.abs(radius - 14) < 0.2);
    }
  }
});

test("straight on points up, and all the way round points back, RN-1", () => {
  assert.equal(roundaboutShape({ roundabout_angle_deg: 180 }).turn, 0);
  assert.equal(roundaboutShape({ roundabout_angle_deg: -180 }).turn, 0);
  assert.ok(off(roundaboutShape({ roundabout_angle_deg: 355 }).turn, 180) <= 13);
  assert.ok(off(roundaboutShape({ roundabout_angle_deg: -355 }).turn, 180) <= 13);
});

test("each kind of warning of the contract has a picture and words of its own, RN-1, EV-4", () => {
  const schema = readFileSync(new URL("../../Protocols/topics/guidance_warning.yaml", import.meta.url), "utf8");
  const kinds = /kind:.*?values: \[([^\]]*)\]/s.exec(schema)[1].split(",").map((word) => word.trim());
  assert.deepEqual([...WARNING_KINDS].sort(), [...kinds].sort());
  const texts = kinds.map((kind) => warningText({ kind }));
  assert.equal(new Set(texts).size, kinds.length);
  assert.ok(texts.every((text) => text && text !== "Attention"));
  assert.ok(kinds.every((kind) => warningSign(kind).includes("<svg")));
  assert.equal(warningText({ kind: "lane_decrease", text: "1" }), "Lane ends: 1 lane ahead");
  assert.equal(warningText({ kind: "safety_camera", limit_mps: 50 / 3.6 }), "Speed camera, 50 km/h");
  assert.equal(warningText({ kind: "of the future" }), "Hazard");
});

test("of a lane's arrows the one to follow is lit, EV-6", () => {
  const lit = (lane) => laneIcon(lane).replace(/<g class="dim">.*?<\/g>/, "");
  const both = { directions: ["through", "right"], active: "right", recommendation: "recommended" };
  assert.equal(lit(both), laneIcon({ directions: ["right"], active: "right" }));
  assert.ok(laneIcon(both).includes('class="dim"'));
  // Without an arrow to follow all look alike.
  for (const directions of [["left"], ["left", "through"], ["through", "right"], ["reverse"], []]) {
    assert.ok(!laneIcon({ directions }).includes("dim"), directions.join());
  }
  assert.ok(isUsed(both) && !isUsed({ recommendation: "not_recommended" }) && !isUsed({}));
});

test("lanes are named, and so is whom they are reserved for, EV-6", () => {
  const lanes = [
    { directions: ["left"] }, { directions: ["through", "right"], active: "right", recommendation: "recommended" },
    { directions: ["right"], active: "right", recommendation: "highly_recommended" },
  ];
  assert.equal(laneText(lanes), "Lanes 2, 3 of 3 from the left, right");
  assert.equal(laneText([{ recommendation: "recommended", active: "slight_left" }, {}]), "Lane 1 of 2 from the left, slight left");
  assert.equal(laneText([{}, {}]), "2 lanes");
  assert.equal(laneMark({ access: ["bus", "psv", "taxi"] }), "BUS TAXI");
  assert.equal(laneMark({ access: ["hov"] }), "◇");
  assert.equal(laneMark({}), "");
});

test("speed signs have the form of their country, RN-1", () => {
  assert.equal(speedSign("US").form, "us");
  assert.equal(speedSign("CA").caption, "Maximum");
  for (const country of ["DE", "GB", "JP", undefined]) assert.deepEqual(speedSign(country), { form: "vienna", caption: "" });
});
