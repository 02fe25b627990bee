// What the browser speaks of the stack's announcements.

import assert from "node:assert/strict";
import { test } from "node:test";

const page = new URL("../../Sources/Nodes/nav-renderer/page/js/", import.meta.url);
const { SpeechModel } = await import(new URL("speech-model.js", page));

/** A model with an engine that writes down what it is asked for. */
function voice() {
  const [log, clock] = [[], { ms: 0 }];
  const model = new SpeechModel({
    speak: (announcement) => log.push(announcement.text), cancel: () => log.push("(cancel)"), now: () => clock.ms,
  });
  model.turn(true);
  return { log, clock, model };
}
const text = (words, more = {}) => ({ key: words, text: words, language: "en-US", priority: 50, expected_duration_s: 2, ...more });

test("each text is spoken once, in order, VO-8, VO-9", () => {
  const { log, model } = voice();
  const [first, second] = [text("first"), text("second")];
  for (const one of [first, second, first, text("first")]) model.announce(one);
  assert.deepEqual(log, ["first"]);
  model.ended(first);
  assert.deepEqual(log, ["first", "second"]);
  model.ended(first);
  model.ended(second);
  assert.deepEqual(log, ["first", "second"]);
});

test("a higher priority, or an interruption, cancels a lower one, VO-8", () => {
  const { log, model } = voice();
  model.announce(text("far away", { priority: 30 }));
  model.announce(text("also far", { priority: 30 }));
  model.announce(text("turn now", { priority: 90 }));
  assert.deepEqual(log, ["far away", "(cancel)", "turn now"]);
  model.announce(text("later", { priority: 40 }));
  model.announce(text("camera", { priority: 40, interrupts: true }));
  assert.deepEqual(log.slice(3), ["(cancel)", "camera"]);
  model.announce(text("next", { priority: 40 }));
  model.announce(text("first of these", { priority: 60, interrupts: false }));
  assert.equal(log.at(-1), "first of these");
});

test("what was announced while the voice was off, or has waited too long, is not spoken, VO-8", () => {
  const { log, clock, model } = voice();
  const first = text("first");
  model.announce(first);
  model.announce(text("stale"));
  clock.ms = 9000;
  model.ended(first);
  assert.deepEqual(log, ["first"]);
  model.announce(text("now"));
  model.turn(false);
  model.announce(text("silent"));
  model.turn(true);
  model.announce(text("silent"));
  assert.deepEqual(log, ["first", "now", "(cancel)"]);
});

test("an engine that never reports an end does not silence the voice, VO-9", () => {
  const { log, clock, model } = voice();
  model.announce(text("first"));
  clock.ms = 20_000;
  model.announce(text("second"));
  assert.deepEqual(log, ["first", "(cancel)", "second"]);
});
