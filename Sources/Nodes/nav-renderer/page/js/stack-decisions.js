// The list of decisions and events, each with the evidence that its message contains and what caused it.

import { arrange, h } from "./elements.js";
import { clockText, evidencePairs, tone, trailLines } from "./stack-model.js";

/** Number of entries that are drawn. */
const MOST = 100;
const FILTERS = {
  "": () => true, trouble: ({ level }) => level === "warning" || level === "error",
  decision: ({ kind }) => kind !== "log" && kind !== "process", log: ({ kind }) => kind === "log",
};

export class StackDecisions {
  constructor(list, filter, select) {
    this.list = list;
    this.filter = filter;
    this.select = select;
    this.entries = new Map();
    this.all = [];
  }

  show(all) {
    this.all = all;
    // After a restart of the renderer numbers begin again: the same number is another decision.
    const keys = new Set(all.map(keyOf));
    for (const key of this.entries.keys()) if (!keys.has(key)) this.entries.delete(key);
    this.draw();
  }

  draw() {
    const shown = this.all.filter(FILTERS[this.filter.value] ?? FILTERS[""]).slice(0, MOST);
    if (!shown.length) {
      this.list.replaceChildren(h("li", { class: "empty" }, "Nothing yet."));
      return;
    }
    arrange(this.list, shown.map((decision) => this.entry(decision)));
  }

  entry(decision) {
    const key = keyOf(decision);
    if (!this.entries.has(key)) {
      const who = [decision.vehicle, decision.node, decision.kind].filter(Boolean).join(" · ");
      const details = h("details", { ontoggle: () => this.fill(details, decision) },
        h("summary", {}, h("time", {}, clockText(decision.wall_ns)), h("span", { class: "dot", "data-tone": decision.level === "error" ? "bad" : tone(decision.level) }),
          h("span", { class: "what" }, decision.text), h("span", { class: "who" }, who)));
      this.entries.set(key, h("li", { "data-kind": decision.kind, "data-level": decision.level }, details));
    }
    return this.entries.get(key);
  }

  /** The evidence, made when it is asked for. */
  fill(details, decision) {
    if (!details.open || details.querySelector(".proof")) return;
    const pairs = evidencePairs(decision.evidence);
    if (decision.stamp_ns) pairs.unshift(["event time", `${clockText(decision.stamp_ns, { utc: true, millis: true })} UTC`]);
    const trail = trailLines(decision.trail ?? []);
    details.append(h("div", { class: "proof" },
      h("dl", { class: "pairs" }, ...pairs.flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)])),
      trail.length ? h("ol", { class: "trail", "aria-label": "Caused by" }, ...trail.map((line) => h("li", {}, line.text, h("span", {}, line.took)))) : null,
      decision.node ? h("button", { type: "button", class: "name", onclick: () => this.select(decision.node, "node") }, `Explain ${decision.node}`) : null));
  }
}

function keyOf({ number, wall_ns: wall }) { return `${number} ${wall}`; }
