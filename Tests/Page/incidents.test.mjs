// Incidents and warnings: pictures and words of each kind of the contract, cards, and marks on the map.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";

import { use } from "./english.mjs";
import {
  INCIDENT_KINDS, incidentFacts, incidentName, incidentSign, nextIncident,
} from "../../Sources/Nodes/nav-renderer/page/js/incidents-model.js";
import { WARNING_KINDS, warningSign } from "../../Sources/Nodes/nav-renderer/page/js/warning-signs.js";

/** The values of the enumeration `name` in a file of the contract. */
function valuesOf(file, name) {
  const text = readFileSync(new URL(`../../Protocols/${file}`, import.meta.url), "utf8");
  const entry = new RegExp(`^ +${name}: +\\{type: enum,[^\\[]*values: \\[([^\\]]+)\\]`, "m").exec(text);
  return entry[1].split(",").map((value) => value.trim());
}

test("each kind of incident has its own picture and words, P4", () => {
  const kinds = valuesOf("types/incident.yaml", "kind");
  assert.deepEqual([...INCIDENT_KINDS].sort(), [...kinds].sort());
  assert.equal(new Set(kinds.map(incidentSign)).size, kinds.length);
  assert.equal(new Set(kinds.map(incidentName)).size, kinds.length);
  assert.equal(incidentName("meteor"), incidentName("other"), "a kind of a later contract is an incident");
  assert.equal(incidentName("toString"), incidentName("other"));
});

test("signs are valid XML, so that they are pictures of the map, P4, P16", () => {
  for (const svg of [...INCIDENT_KINDS.map(incidentSign), ...WARNING_KINDS.map(warningSign)]) {
    for (const [element] of svg.matchAll(/<[a-z][^>]*>/g)) {
      const names = [...element.matchAll(/ ([a-z-]+)=/gi)].map(([, name]) => name);
      assert.equal(new Set(names).size, names.length, element);
    }
  }
});

const NOON = Date.UTC(2026, 5, 1, 12) * 1e6;

test("a card has delay, length and times, P4", () => {
  use("en");
  const incident = { kind: "accident", closed: true, delay_s: 720, length_m: 1240, from_ns: NOON - 3600e9, until_ns: NOON + 26 * 3600e9 };
  assert.deepEqual(incidentFacts(incident, NOON, 7200), [
    ["", "Road closed"], ["Delay", "12 min"], ["Length", "1.2 km"], ["From", "13:00"], ["Until", "Jun 2, 16:00"]]);
  assert.deepEqual(incidentFacts({ kind: "road_closed", closed: true }, null, null), []);
  use("de");
  assert.equal(incidentFacts(incident, NOON, 7200).at(-1)[0], "Bis");
  use("en");
});

test("the keyboard goes from the nearest incident to the farthest, and around, P4", () => {
  const all = [["far", 3], ["near", 1], ["middle", 2]].map(([name, lat]) => ({ name, lat_deg: lat, lon_deg: 0 }));
  const after = (name) => nextIncident(all, [0, 0], name)?.name;
  assert.deepEqual([after(undefined), after("near"), after("middle"), after("far")], ["near", "middle", "far", "near"]);
  assert.equal(nextIncident([], [0, 0], undefined), null);
});
