// The words of the page: the same keys in every language, nothing visible outside the tables, and texts in each language.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";

import { table, use } from "./english.mjs";

const folder = new URL("../../Sources/Nodes/nav-renderer/page/", import.meta.url);
const page = new URL("js/", folder);
const { LANGUAGES, chosenLanguage, words, numberText } = await import(new URL("words.js", page));
const { distance, duration, setUnits, speed } = await import(new URL("format.js", page));
const { captionText, directionText, maneuverText, turnText } = await import(new URL("turn-words.js", page));
const { failureText } = await import(new URL("failure-text.js", page));
const { kindText } = await import(new URL("place-kinds.js", page));
const { LAYERS } = await import(new URL("settings-model.js", page));

const english = table("en");
const forms = (entry) => (typeof entry === "string" ? [entry] : Object.values(entry));
const placeholders = (text) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();
const modules = readdirSync(page, { recursive: true }).map(String).filter((name) => name.endsWith(".js"));

test("there is a table for each language, and none besides, P19", () => {
  assert.deepEqual(readdirSync(new URL("words", folder)).sort(), Object.keys(LANGUAGES).map((tag) => `${tag}.json`).sort());
});

for (const tag of Object.keys(LANGUAGES)) {
  test(`${tag}: the same keys and placeholders as English, none empty, and every plural, P19`, () => {
    const own = table(tag);
    assert.deepEqual(Object.keys(own), Object.keys(english));
    const categories = new Intl.PluralRules(tag).resolvedOptions().pluralCategories;
    for (const [key, entry] of Object.entries(own)) {
      assert.equal(typeof entry, typeof english[key], key);
      if (typeof entry !== "string") assert.deepEqual(Object.keys(entry).sort(), [...categories].sort(), key);
      const wanted = new Set(forms(english[key]).flatMap(placeholders));
      for (const text of forms(entry)) {
        assert.ok(text.trim().length > 0, key);
        for (const name of placeholders(text)) assert.ok(wanted.has(name), `${key}: {${name}} is unknown`);
        // A plural may spell its number out.
        for (const name of wanted) if (name !== "count") assert.ok(placeholders(text).includes(name), `${key}: {${name}} is missing`);
      }
    }
  });
}

test("each key is used, and each used key is in the tables, P19", () => {
  const source = modules.map((name) => readFileSync(new URL(name, page), "utf8")).join("\n") + readFileSync(new URL("index.html", folder), "utf8");
  const used = (key) => source.includes(`"${key}"`) || source.includes(`\`${key.slice(0, key.lastIndexOf(".") + 1)}\${`);
  // Codes of failures come from the stack.
  const unused = Object.keys(english).filter((key) => !used(key) && !key.startsWith("failure.") && !key.startsWith("place."));
  assert.deepEqual(unused, []);
  const named = [...source.matchAll(/(?:words\(|data-words(?:-\w+)?=)"([\w.-]+)"/g)].map(([, key]) => key);
  assert.ok(named.length > 50);
  assert.deepEqual(named.filter((key) => !Object.hasOwn(english, key)), []);
});

/** Names that are no words of a language: keys of the keyboard, of GeoJSON, of products. */
const NAMES = new Set([
  "Arrow", "ArrowDown", "ArrowLeft", "ArrowRight", "ArrowUp", "Enter", "Escape", "Feature", "FeatureCollection", "LineString", "MapLibre",
  "Point", "Polygon", "GET", "POST", "UTC", "GMT", "Etc",
]);
/** Signs are written in the language of their country, and languages in their own. */
const OWN_LANGUAGE = new Set(["speed-sign.js", "words.js", "frame-meter.js"]);
/** The pages about the whole stack have the words of `nav` and of its logs, which are English. */
const IN_ENGLISH = /^(stack|fleet|board)\b/;
/** What is wrong with a message goes to the console. */
const FOR_THE_CONSOLE = new Set(["view/message-checks.js"]);

/** Literals of a module that a reader could see. */
function visibleTexts(source) {
  const code = source.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$|\s\/\/ .*$/gm, "")
    .replace(/(?:new Error|console\.\w+|new TypeError)\((?:[^()]|\([^()]*\))*\)/g, "");
  const literals = [...code.matchAll(/"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\]|\\.)*)`/g)].map(([, a, b, c]) => a ?? b ?? c);
  return literals.flatMap((text) => text.replace(/\$\{[^}]*\}/g, " ").split(/<[^>]*>/))
    .map((text) => text.trim())
    .filter((text) => /^[A-Z][a-z]{2,}|^[A-Z][a-z]* [a-z]/.test(text) || /\b[a-z]{2,} [a-z]{2,} [a-z]{2,}\b/.test(text))
    .filter((text) => !NAMES.has(text) && !text.startsWith("navstack."));
}

test("no module holds a visible text outside the tables, P19", () => {
  assert.deepEqual(visibleTexts('x = `<b>Then ${y}</b>`; z = "No route"; // Comment of one\nf("card dialog", "ArrowUp")'), ["Then", "No route"]);
  for (const name of modules.filter((one) => !OWN_LANGUAGE.has(one) && !FOR_THE_CONSOLE.has(one) && !IN_ENGLISH.test(one))) {
    assert.deepEqual(visibleTexts(readFileSync(new URL(name, page), "utf8")), [], name);
  }
  const html = readFileSync(new URL("index.html", folder), "utf8").replace(/<title>.*<\/title>/, "").replace(/<h1>navstack<\/h1>/, "");
  assert.deepEqual(html.split(/<[^>]*>/).map((text) => text.trim()).filter(Boolean), []);
  assert.doesNotMatch(html, /\s(aria-label|title|placeholder|alt)="[^"]/);
});

test("layers of the drawer are those of the contract, RN-7, RN-10", () => {
  const schema = readFileSync(new URL("../../Protocols/types/scene_layer.yaml", import.meta.url), "utf8");
  assert.deepEqual(LAYERS, /values: \[([^\]]+)\]/.exec(schema)[1].split(/,\s*/));
});

test("the language is the first wanted one with a table, P19", () => {
  assert.equal(chosenLanguage(["de-AT", "en"]), "de");
  assert.equal(chosenLanguage(["tlh", "pt-BR"]), "pt");
  assert.equal(chosenLanguage(["iw"]), "he");
  assert.equal(chosenLanguage([undefined, "", null, "constructor"]), "en");
});

test("numbers, units and plurals are those of the language, P19", () => {
  setUnits("metric");
  use("de");
  assert.equal(distance(1234).text, "1,2 km");
  assert.equal(duration(3900).text, "1:05 Std.");
  assert.equal(words("warnings.lanes", { name: "X", count: 1 }), "X: noch 1 Fahrstreifen");
  use("pl");
  assert.deepEqual([1, 2, 5].map((count) => words("vehicles.count", { count })), ["1 pojazd", "2 pojazdy", "5 pojazdów"]);
  use("ar");
  assert.equal(words("lanes.all", { count: 3 }), `${numberText(3)} حارات`);
  use("en");
  setUnits("imperial_us");
  assert.equal(distance(804.7).text, "0.5 mi");
  assert.equal(speed(13.4).text, "30 mph");
  setUnits("metric");
});

test("names keep their direction in a line of the other one, P19", () => {
  use("he");
  assert.equal(words("arrival.at", { name: "Mill Lane (4)" }), "הגעתם: \u2068Mill Lane (4)\u2069");
  use("en");
  assert.equal(words("arrival.at", { name: "Mill Lane" }), "Arrived: Mill Lane");
});

test("every maneuver and direction has words in every language, and none are English, P19", () => {
  const schema = (name) => /values: \[([^\]]+)\]/.exec(readFileSync(new URL(`../../Protocols/types/${name}.yaml`, import.meta.url), "utf8"))[1].split(/,\s*/);
  const maneuvers = [
    ...schema("maneuver_action").map((action) => ({ action })), ...schema("turn_grade").map((grade) => ({ action: "turn", grade })),
    ...schema("side").map((side) => ({ action: "fork", side })), { action: "exit", signpost: { exit_number: "4a" } },
    { action: "roundabout", exit_count: 2 }, { action: "turn", grade: "left", onto_road: { name: "X" } },
  ];
  const said = {};
  for (const tag of Object.keys(LANGUAGES)) {
    use(tag);
    const texts = [...maneuvers.map(maneuverText), ...[0, 45, 90, 135, 180, 225, 270, 315].map(directionText)];
    for (const text of texts) assert.doesNotMatch(text, /^\w+\.\w+$|\{/, `${tag}: ${text}`);
    said[tag] = texts;
  }
  for (const tag of Object.keys(said).filter((one) => one !== "en")) {
    for (const [index, text] of said[tag].entries()) assert.notEqual(text, said.en[index], tag);
  }
  use("en");
  assert.equal(turnText({ action: "turn", grade: "right" }), "Turn right");
  assert.equal(maneuverText({ action: "turn", grade: "right", onto_road: { name: "", number: "B 12;B 3" } }), "Turn right onto B 12");
});

test("a caption is the announcement where it is in the page's language, else the page's own words, P19", () => {
  const turn = { action: "turn", grade: "right", onto_road: { name: "Mill Lane" } };
  const announcement = { kind: "reminder", text: "In 200 meters, turn right onto Mill Lane.", language: "en-US", distance_m: 200 };
  assert.equal(captionText(announcement, turn, "en"), announcement.text);
  use("de");
  assert.equal(captionText(announcement, turn, "de"), "In 200 m: Rechts abbiegen auf Mill Lane");
  assert.equal(captionText({ ...announcement, kind: "action" }, turn, "de"), "Rechts abbiegen auf Mill Lane");
  assert.equal(captionText({ ...announcement, kind: "better_route" }, undefined, "de"), "");
  assert.equal(captionText({ ...announcement, text: "In 200 Metern", language: "de" }, turn, "de"), "In 200 Metern");
  assert.equal(failureText({ code: "strange", message: "An English sentence." }), "Fehler: strange");
  assert.equal(kindText({ kind: "place", detail: "water_park_ride" }), "Ort");
  use("en");
  assert.equal(failureText({ code: "strange", message: "An English sentence." }), "An English sentence.");
});
