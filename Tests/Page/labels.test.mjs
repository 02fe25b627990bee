// Labels that the browser draws: which pictures are labels, and which are kept.

import assert from "node:assert/strict";
import test from "node:test";

import { labelOf, outdated } from "../../Sources/Nodes/nav-renderer/page/js/drawn-labels.js";

test("a picture's name tells kind and text, F11", () => {
  assert.deepEqual(labelOf("place|الرياض"), { kind: "place", text: "الرياض" });
  assert.deepEqual(labelOf("name|A | B"), { kind: "name", text: "A | B" });
  for (const other of ["incident", "poi-food", "poi|", "constructor|x", "|x", ""]) assert.equal(labelOf(other), null, other);
});

test("the oldest labels go", () => {
  assert.deepEqual(outdated(["a", "b", "c"], 4), []);
  assert.deepEqual(outdated(["a", "b", "c"], 3), ["a"]);
  assert.deepEqual(outdated([], 3), []);
});
