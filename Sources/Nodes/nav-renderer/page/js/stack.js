// The dashboard: puts its parts together, and turns the reports of the renderer into what is seen.

import { CROSS, LinkNotice, restWhenHidden, serveTheme } from "./board.js";
import { Connection } from "./connection.js";
import { h, setText } from "./elements.js";
import { StackDecisions } from "./stack-decisions.js";
import { StackDetail } from "./stack-detail.js";
import { StackGraph } from "./stack-graph.js";
import { bytesText, clockText, msText, rateText, summary } from "./stack-model.js";
import { NodeTable, TopicTable } from "./stack-tables.js";

const byID = (id) => document.getElementById(id);

serveTheme(byID("theme"));
byID("detail-close").innerHTML = CROSS;
const notice = new LinkNotice(byID("link"));
const connection = new Connection(null, receive, (isOpen) => notice.state(isOpen), "stack");
restWhenHidden(connection);
const detail = new StackDetail((name) => connection.call("_why", { name }));
const select = (name, kind) => detail.open(name, kind);
const graph = new StackGraph(byID("graph"), select);
const nodes = new NodeTable(byID("node-table"), select);
const topics = new TopicTable(byID("topic-table"), select);
const decisions = new StackDecisions(byID("decisions"), byID("story-filter"), select);

let report = null;
const state = { report: null, reports: 0, decisions: 0 };
window.navstack = { state };

byID("topic-search").oninput = () => report && topics.draw(report);
byID("topic-system").onchange = () => report && topics.draw(report);
byID("story-filter").onchange = () => decisions.draw();

function receive(message) {
  const { topic, payload } = message ?? {};
  if (topic === "_alive") notice.heard(payload);
  if (topic === "stack/decisions") {
    decisions.show(payload);
    state.decisions = payload.length;
  }
  if (topic !== "stack/report") return;
  report = payload;
  state.report = payload;
  state.reports += 1;
  head(payload);
  graph.show(payload);
  nodes.draw(payload);
  topics.draw(payload);
  hops(payload);
  detail.update(payload);
}

function head(current) {
  const sum = summary(current);
  setText(byID("stack-name"), current.stack ?? "");
  document.title = `${sum.worst === "good" ? "" : `(${sum.troubles.length}) `}${current.stack ?? "Stack"} - navstack`;
  const figures = [
    ["health", sum.troubles.length ? sum.troubles.slice(0, 2).join(", ") + (sum.troubles.length > 2 ? ` and ${sum.troubles.length - 2} more` : "") : `${sum.nodes} nodes ready`, "", sum.worst],
    ["rate", rateText(sum.hz), "msg/s"], ["bytes", bytesText(sum.bytes), "per s"],
    ...(sum.vehicles > 1 ? [["vehicles", sum.vehicles.toLocaleString("en"), "vehicles"]] : []),
    ["cpu", `${Math.round(sum.cpu * 100)} %`, "CPU"], ["memory", bytesText(sum.memory), "memory"],
    ["lost", `${sum.lost}`, "lost", sum.lost > 0 ? "lost" : ""],
    ...(current.clock ? [["clock", clockText(current.clock.now_ns, { utc: true }), current.clock.paused ? "UTC, paused" : `UTC${current.clock.rate === 1 ? "" : ` × ${current.clock.rate}`}`]] : []),
  ];
  const list = byID("summary");
  const key = figures.map(([name]) => name).join(" ");
  if (list.dataset.key !== key) {
    list.dataset.key = key;
    list.replaceChildren(...figures.map(([name]) => h("div", { "data-name": name }, h("dt"), h("dd"))));
  }
  figures.forEach(([name, value, unit, mark], index) => {
    const entry = list.children[index];
    const [term, text] = entry.children;
    setText(term, unit || "state");
    term.classList.toggle("unseen", !unit);
    setText(text, value);
    if (name === "health") {
      text.className = "pill";
      text.dataset.tone = mark;
    } else entry.className = mark ?? "";
  });
}

/** The hops of one vehicle as bars on one scale: the median, and what the slowest hundredth takes. */
function hops(current) {
  const list = byID("hops");
  setText(byID("latency-vehicle"), current.vehicle ? `${current.vehicle}, p50 / p99` : "");
  if (!current.hops.length) {
    list.replaceChildren(h("li", { class: "empty" }, current.vehicle ? "Waiting for messages…" : "No vehicle drives."));
    return;
  }
  // What happens once a minute says little about latency.
  const often = current.hops.filter((hop) => hop.count >= 5);
  const shown = often.length ? often : current.hops;
  const top = Math.max(...shown.map((hop) => hop.p99_ms), 1);
  list.replaceChildren(...shown.map((hop) => h("li", { "data-hop": `${hop.from} ${hop.to}` },
    h("b", {}, hop.to), h("span", {}, `${hop.node}, after ${hop.from}${hop.depth > 1 ? `; ${msText(hop.total_ms)} in all` : ""}`),
    h("div", { class: "value" }, msText(hop.p50_ms), h("small", {}, ` / ${msText(hop.p99_ms)}`)),
    h("div", { class: "bar" },
      h("i", { class: "tail", style: `width:${(100 * hop.p99_ms / top).toFixed(1)}%` }),
      h("i", { style: `width:${(100 * hop.p50_ms / top).toFixed(1)}%` })))));
}
