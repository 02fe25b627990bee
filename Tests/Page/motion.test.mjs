// The motion of the indicator on the page: the vectors of SceneTests, and the clock of the stack.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { Line, LocalPlane, signedDeg } from "../../Sources/Nodes/nav-renderer/page/js/geometry.js";
import { Motion } from "../../Sources/Nodes/nav-renderer/page/js/motion.js";
import { StackClock } from "../../Sources/Nodes/nav-renderer/page/js/stack-clock.js";

const vectors = JSON.parse(readFileSync(new URL("motion-vectors.json", import.meta.url), "utf8"));

/** The largest difference of what is shown, in metres and degrees. */
function differ(motion, { lat, lon, bearing, offset }) {
  const [east, north] = new LocalPlane([lon, lat]).point(motion.place);
  assert.equal(motion.offsetM === null, offset === undefined);
  return Math.max(Math.hypot(east, north), Math.abs(signedDeg(motion.bearing - bearing)), Math.abs((motion.offsetM ?? 0) - (offset ?? 0)));
}

function step(motion, { follow, fix, frames }) {
  if (follow) motion.follow(follow.length > 0 ? new Line(follow.map(([lat, lon]) => [lon, lat])) : null);
  if (fix) {
    const { lat, lon, bearing = null, speed = null, offset = null, at, now } = fix;
    motion.record({ place: [lon, lat], bearing, speedMps: speed, offsetM: offset, atS: at }, now);
  }
  for (const time of frames ?? []) motion.advance(time);
}

assert.ok(vectors.length >= 15);
for (const { name, steps } of vectors) {
  test(`${name}: the page shows what the scene does, RN-1`, () => {
    const motion = new Motion();
    let compared = 0;
    steps.forEach((one, index) => {
      step(motion, one);
      if (!one.shown) return;
      const difference = differ(motion, one.shown);
      assert.ok(difference < 1e-6, `step ${index}: ${difference} off, ${JSON.stringify(motion.shown)}, not ${JSON.stringify(one.shown)}`);
      compared += 1;
    });
    assert.ok(compared > 3);
  });
}

test("what is shown does not depend on the frames, RN-1, RN-6", () => {
  for (const { steps } of vectors) {
    const [all, few] = [new Motion(), new Motion()];
    for (const one of steps) {
      step(all, one);
      step(few, { ...one, frames: one.frames?.slice(-1) });
      if (one.shown) assert.ok(differ(few, one.shown) < 1e-6);
    }
  }
});

test("without a measured speed the indicator goes on at that of the last places, TU-2, RN-1", () => {
  const motion = new Motion();
  motion.follow(new Line([[9, 47], [9.1, 47]]));
  const fix = (offsetM, atS, speedMps = null) => motion.record({ place: [9, 47], bearing: 90, speedMps, offsetM, atS });
  for (let second = 0; second < 4; second += 1) fix(10 * second, second, 10);
  fix(40, 4);
  fix(50, 5);
  const before = motion.offsetM;
  motion.advance(5.5);
  assert.ok(Math.abs(motion.offsetM - before - 5) < 0.1, "10 m/s for half a second");
});

test("the clock of the stack runs at the rate of its messages, RN-1", () => {
  for (const rate of [0.5, 1, 4, 8, 50]) {
    const clock = new StackClock();
    assert.equal(clock.at(3), null);
    const last = Math.max(60, 10 * rate);
    for (let count = 0; count <= last; count += 1) clock.take(1000 + count, 5 + count / rate + 0.03 / rate * (count % 3));
    const [now, after] = [clock.at(5 + (last + 0.2) / rate), clock.at(5 + (last + 0.8) / rate)];
    assert.ok(Math.abs(now - 1000.2 - last) < 0.1, `${now} at rate ${rate}`);
    assert.ok(Math.abs(after - now - 0.6) < 0.06, `${after - now} at rate ${rate}`);
  }
});

test("a message that is late makes no step, and a pause of the stack ends the clock, RN-1", () => {
  const clock = new StackClock();
  for (let count = 0; count < 20; count += 1) clock.take(count, count);
  const before = clock.at(20.3);
  clock.take(20, 20.3);
  assert.ok(Math.abs(clock.at(20.3) - before) < 0.2);
  assert.ok(clock.at(100) <= 27, "it does not run on for ever");
  clock.take(21, 100);
  assert.ok(Math.abs(clock.at(100) - 21) < 2, "the stack goes on where it was paused");
  clock.take(5000, 101);
  assert.equal(clock.at(101), 5000, "a jump is one");
});

test("the same moment once more does not hold the indicator up, RN-1, RN-10", () => {
  const [motion, clock] = [new Motion(), new StackClock()];
  motion.follow(new Line([[9, 47], [9.1, 47]]));
  const locate = (second, nowS) => {
    clock.take(second, nowS);
    motion.record({ place: [9, 47], bearing: 90, speedMps: 10, offsetM: 10 * second, atS: second }, clock.at(nowS));
  };
  for (let second = 0; second < 5; second += 1) locate(second, second);
  motion.advance(clock.at(4.5));
  const before = motion.offsetM;
  locate(4, 4.5);
  motion.advance(clock.at(5));
  assert.ok(Math.abs(motion.offsetM - before - 5) < 0.3, `${motion.offsetM - before} m in half a second`);
});
