// The search for places: debouncing, late replies, saved places, kinds in words.

import assert from "node:assert/strict";
import { test } from "node:test";

import "./english.mjs";

const page = new URL("../../Sources/Nodes/nav-renderer/page/js/", import.meta.url);
const { kindText } = await import(new URL("place-kinds.js", page));
const { SavedPlaces } = await import(new URL("saved-places.js", page));
const { SearchModel } = await import(new URL("search-model.js", page));

const place = (name, lat = 47) => ({ name, kind: "place", detail: "cafe", lat_deg: lat, lon_deg: 9 });
const pause = (ms = 5) => new Promise((done) => { setTimeout(done, ms); });

/** A storage as localStorage. */
function storage(content = {}) {
  return { content, getItem: (key) => content[key] ?? null, setItem: (key, value) => { content[key] = value; } };
}

/** A search whose calls wait to be answered. */
function search(saved = new SavedPlaces(() => storage())) {
  const [asked, chosen] = [[], []];
  const find = (request) => new Promise((succeed, fail) => { asked.push({ request, succeed, fail }); });
  const model = new SearchModel({ find, near: () => [9, 47], saved, onChange: () => {}, onChoose: ({ name }) => chosen.push(name), waitMs: 1 });
  return { asked, chosen, model };
}

test("kinds are plain words, RT-20", () => {
  assert.equal(kindText({ kind: "place", detail: "tram_stop" }), "Tram stop");
  assert.equal(kindText({ kind: "road", detail: "residential" }), "Street");
  assert.equal(kindText({ kind: "crossing", detail: "residential" }), "Intersection");
  assert.equal(kindText({ kind: "place", detail: "water_park_ride" }), "Water park ride");
  assert.equal(kindText({ kind: "place", detail: "constructor" }), "Constructor");
  assert.equal(kindText({ kind: "place", detail: "" }), "Place");
});

test("one call is made for a text that was typed quickly, RN-1, RT-20", async () => {
  const { asked, chosen, model } = search();
  for (const text of ["H", "Ha", "Har "]) model.type(text);
  await pause();
  assert.deepEqual(asked.map(({ request }) => request), [{ text: "Har", limit: 8, lon_deg: 9, lat_deg: 47 }]);
  asked[0].succeed({ places: [place("Harbour"), place("Harp")] });
  await pause();
  for (const step of [0, 1, 1, -1]) {
    if (step) model.move(step);
    model.choose();
  }
  assert.deepEqual(chosen, ["Harbour", "Harp", "Harbour", "Harp"]);
});

test("Enter right after the last key chooses the first place when it comes, RN-1", async () => {
  const { asked, chosen, model } = search();
  model.type("Harb");
  model.choose();
  await pause();
  asked[0].succeed({ places: [place("Harbour"), place("Harp")] });
  await pause();
  assert.deepEqual(chosen, ["Harbour"]);
  model.type("Harp");
  model.choose();
  model.type("Harpy");
  await pause();
  asked[1].succeed({ places: [place("Harpy")] });
  await pause();
  assert.deepEqual(chosen, ["Harbour"], "the text was changed after Enter");
});

test("a late reply to an older text is dropped, and chooses nothing, RN-1", async () => {
  const { asked, chosen, model } = search();
  model.type("old");
  await pause();
  model.type("new");
  await pause();
  asked[1].succeed({ places: [place("New")] });
  await pause();
  asked[0].succeed({ places: [place("Old")] });
  await pause();
  assert.deepEqual(model.places.map(({ name }) => name), ["New"]);
  model.type("newer");
  model.choose();
  assert.deepEqual(chosen, []);
  model.type("");
  await pause();
  asked[2]?.fail(new Error("late"));
  assert.equal(model.sentence, "");
});

test("errors are sentences, RN-1", async () => {
  const { asked, model } = search();
  model.type("xyz");
  await pause();
  asked[0].fail(Object.assign(new Error("The map contains no place named \"xyz\"."), { code: "not_found" }));
  await pause();
  assert.equal(model.sentence, "Nothing found");
  assert.deepEqual(model.places, []);
  model.type("xyza");
  await pause();
  asked[1].fail(new Error("there is no connection"));
  await pause();
  assert.equal(model.sentence, "there is no connection");
});

test("recent destinations and favourites stay on the device, RN-1", () => {
  const device = storage();
  const saved = new SavedPlaces(() => device);
  for (let i = 0; i < 10; i += 1) saved.record({ ...place(`Place ${i}`), distance_m: 5 });
  saved.record(place("Place 4"));
  saved.toggle(place("Place 7"));
  const again = new SavedPlaces(() => device);
  assert.deepEqual(again.recent.map(({ name }) => name), [4, 9, 8, 7, 6, 5, 3, 2].map((i) => `Place ${i}`));
  assert.equal(again.all[0].name, "Place 7");
  assert.equal(again.all.length, 8);
  assert.equal("distance_m" in again.recent[1], false);
  again.toggle(place("Place 7"));
  assert.equal(again.isFavourite(place("Place 7")), false);
});

test("without storage, or with nonsense in it, places are kept for this page, RN-1", () => {
  const forbidden = new SavedPlaces(() => { throw new Error("denied"); });
  forbidden.record(place("Here"));
  assert.equal(forbidden.all.length, 1);
  for (const text of ["{", "null", "7", "[]", '{"recent": 5, "favourites": [1, null, {"name": "x"}]}']) {
    assert.deepEqual(new SavedPlaces(() => storage({ "navstack.places": text })).all, []);
  }
});
