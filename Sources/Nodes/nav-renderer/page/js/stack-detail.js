// The panel of one node or topic: figures, subscribers, what `nav why` explains, and the log.

import { h, setText } from "./elements.js";
import { bytesText, clockText, leafOf, msText, rateText, subscribers, tone } from "./stack-model.js";

/** While the panel is open, the explanation is asked for again after this time. */
const REFRESH_MS = 3000;

export class StackDetail {
  /** `ask(name)` resolves with the explanation of a node, a vehicle or a topic. */
  constructor(ask) {
    this.ask = ask;
    this.element = document.getElementById("detail");
    this.body = document.getElementById("detail-body");
    this.title = document.getElementById("detail-name");
    this.kindText = document.getElementById("detail-kind");
    document.getElementById("detail-close").onclick = () => this.close();
    this.element.onkeydown = ({ key }) => { if (key === "Escape") this.close(); };
    this.name = null;
  }

  open(name, kind) {
    this.opener = document.activeElement;
    this.name = name;
    this.kind = kind;
    this.shownKey = null;
    this.element.hidden = false;
    setText(this.title, name);
    setText(this.kindText, kind);
    this.facts = h("div");
    this.why = h("div", { "aria-live": "polite" }, h("p", { class: "hint" }, "Asking…"));
    this.log = h("div");
    this.body.replaceChildren(this.facts, h("h3", {}, "Why"), this.why, this.log);
    this.body.scrollTop = 0;
    this.title.focus();
    if (this.report) this.update(this.report);
    this.refresh();
  }

  close() {
    clearTimeout(this.timer);
    this.name = null;
    this.element.hidden = true;
    // The graph may have been drawn anew since.
    const opener = this.opener?.isConnected ? this.opener : document.querySelector(`[data-id="${CSS.escape(this.opener?.dataset.id ?? "")}"]`);
    opener?.focus();
  }

  async refresh() {
    clearTimeout(this.timer);
    const name = this.name;
    if (!name) return;
    const answer = await this.ask(name).catch((failure) => ({ failure: failure.message }));
    if (this.name !== name) return;
    this.explain(answer);
    this.timer = setTimeout(() => this.refresh(), REFRESH_MS);
  }

  explain(answer) {
    const key = JSON.stringify(answer);
    if (key === this.shownKey) return;
    this.shownKey = key;
    if (answer.failure) {
      this.why.replaceChildren(h("p", { class: "hint" }, answer.failure));
      return;
    }
    this.why.replaceChildren(h("ol", { class: "why-lines", "data-deviates": String(answer.deviates) },
      ...answer.steps.map((step) => h("li", { class: step.first ? "first" : null, style: `--depth:${step.depth}` }, step.text))));
    const lines = (answer.log ?? []).slice(-60);
    const list = (title, items) => (items.length ? [h("h3", {}, title), h("ol", { class: "log", tabindex: "0", role: "region", "aria-label": title }, ...items)] : []);
    const isLow = [...this.log.querySelectorAll(".log")].every((element) => element.scrollTop + element.clientHeight > element.scrollHeight - 30);
    this.log.replaceChildren(
      ...list("Log", lines.map((line) => h("li", { class: line.level }, h("time", {}, clockText(line.wall_ns)), line.text))),
      ...list("Output of the process", (answer.output ?? []).map((line) => h("li", {}, line))));
    if (isLow) for (const element of this.log.querySelectorAll(".log")) element.scrollTop = element.scrollHeight;
  }

  update(report) {
    this.report = report;
    if (!this.name) return;
    if (this.kind === "node") this.showNode(report.nodes.find((node) => node.name === this.name));
    else this.showTopic(report);
  }

  showNode(node) {
    if (!node) {
      this.facts.replaceChildren(h("p", { class: "hint" }, "This node is not on the bus."));
      return;
    }
    setText(this.kindText, [node.program, node.version && `version ${node.version}`, node.host].filter(Boolean).join(" · "));
    const facts = [
      ["state", node.state], ["PID", node.pid], ["restarts", node.restarts], ["CPU", node.cpu === undefined ? null : `${(node.cpu * 100).toFixed(1)} %`],
      ["memory", node.memory ? bytesText(node.memory) : null], ["uptime", node.uptime_s === undefined ? null : msText(node.uptime_s * 1000)],
      ["queue", node.queue], ["loop", node.loop_ms === undefined ? null : msText(node.loop_ms)], ["p50", node.p50_ms === undefined ? null : msText(node.p50_ms)],
      ["p99", node.p99_ms === undefined ? null : msText(node.p99_ms)], ["vehicles", node.vehicles], ["last end", node.last_end],
    ];
    this.facts.replaceChildren(list(facts), ...inputs(node.inputs.map((input) => ({ ...input, label: input.topic })), "Inputs", "Topic"));
  }

  showTopic(report) {
    const rows = report.topics.filter((topic) => topic.name === this.name || leafOf(topic.name) === this.name);
    const sum = (key) => rows.reduce((total, row) => total + row[key], 0);
    const facts = rows.length ? [
      ["rate", `${rateText(sum("hz"))} Hz`], ["bytes", `${bytesText(sum("bytes_per_s"))}/s`], ["messages", sum("messages").toLocaleString("en")],
      ["age", msText(Math.min(...rows.map((row) => row.age_ms)))], ["last stamp (UTC)", clockText(Math.max(...rows.map((row) => row.stamp_ns)), { utc: true, millis: true })],
      ["publisher", [...new Set(rows.flatMap((row) => row.writers))].slice(0, 3).join(", ")], ["refused by the bus", sum("refused")],
    ] : [["messages", "none yet"]];
    this.facts.replaceChildren(list(facts), ...inputs(subscribers(report.nodes, this.name).map((input) => ({ ...input, label: input.node })), "Subscribers", "Node"));
  }
}

function list(facts) {
  return h("dl", { class: "facts" }, ...facts.filter(([, value]) => value !== null && value !== undefined && value !== "")
    .map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, String(value)))));
}

/** What a node has received of each topic, or each node of one topic. */
function inputs(rows, title, first) {
  if (!rows.length) return [];
  const heads = [first, "Received", "Gaps", "Lost", "Late", "Refused", "Rate", "Health"];
  return [h("h3", {}, title), h("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": title }, h("table", {},
    h("thead", {}, h("tr", {}, ...heads.map((head, index) => h("th", { scope: "col", class: index && index < 7 ? "number" : null }, h("span", {}, head))))),
    h("tbody", {}, ...rows.map((row) => h("tr", {}, h("th", { scope: "row" }, row.label),
      ...["received", "gaps", "lost", "late", "refused"].map((key) => h("td", { class: `number${key === "lost" && row[key] ? " lost" : ""}` }, (row[key] ?? 0).toLocaleString("en"))),
      h("td", { class: "number" }, row.hz === undefined ? "–" : `${rateText(row.hz)} Hz`),
      h("td", {}, row.health && row.health !== "never" ? h("span", { class: "pill", "data-tone": tone(row.health) }, row.health) : row.health === "never" ? "none yet" : "–"))))))];
}
