// The modules of the page as a whole: what they import is there, all are used, and the rules know no browser.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import test from "node:test";

const root = new URL("../../Sources/Nodes/nav-renderer/page/js/", import.meta.url);
const names = readdirSync(root, { recursive: true }).map(String).filter((name) => name.endsWith(".js"));
const texts = new Map(names.map((name) => [name, readFileSync(new URL(name, root), "utf8")]));

/** The imports of a module: {from, names}, `from` relative to the folder of the modules. */
function importsOf(name) {
  return [...texts.get(name).matchAll(/^(?:import|export)\s+(?:\{([^}]*)\}|\*\s+as\s+\w+)\s+from\s+"([^"]+)"/gm)].map(([, list, from]) => ({
    from: new URL(from, new URL(name, root)).href.slice(root.href.length),
    names: (list ?? "").split(",").map((entry) => entry.trim().split(/\s+as\s+/)[0]).filter(Boolean),
  }));
}

test("what a module imports is exported, RN-1", () => {
  for (const name of names) {
    for (const { from, names: wanted } of importsOf(name)) {
      assert.ok(texts.has(from), `${name}: there is no ${from}`);
      for (const entry of wanted) {
        assert.match(texts.get(from), new RegExp(`^export (async )?(function\\*?|class|const|let) ${entry}\\b|^export \\{[^}]*\\b${entry}\\b`, "m"), `${name} imports ${entry}, which ${from} does not export`);
      }
    }
  }
});

test("every module is used, RN-1", () => {
  const page = ["index", "fleet", "stack"].map((name) => readFileSync(new URL(`../${name}.html`, root), "utf8")).join("");
  const used = new Set(names.filter((name) => page.includes(`js/${name}`) || [...texts.values()].some((text) => text.includes(`new URL("${name}"`))));
  for (const name of used) for (const { from } of importsOf(name)) used.add(from);
  assert.deepEqual(names.filter((name) => !used.has(name)), []);
});

test("the rules know no browser, RN-1", () => {
  const rules = new Set(names.filter((name) => name.startsWith("view/") || name.endsWith("-model.js") || name === "motion.js" || name === "stack-clock.js"));
  for (const name of rules) for (const { from } of importsOf(name)) rules.add(from);
  for (const name of rules) {
    const code = texts.get(name).replace(/\/\*[^]*?\*\/|\/\/.*$/gm, "");
    assert.doesNotMatch(code, /\b(document|localStorage|maplibregl)\b|\bwindow\./, name);
  }
});
