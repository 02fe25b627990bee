// The tables of nodes and of topics: sorted by any column, with small curves of the last minute.

import { arrange, h, s, setText } from "./elements.js";
import { History, byLeaf, bytesText, clockText, curve, leafOf, msText, rateText, sorted, tone } from "./stack-model.js";

/** A table whose rows stay the same elements while their figures change. */
class LiveTable {
  /** Each column: key, title, and whether it holds numbers; one without a key cannot be sorted by. */
  constructor(table, columns, select, sortKey = "name") {
    this.table = table;
    this.columns = columns;
    this.select = select;
    this.sort = { key: sortKey, isDown: false };
    this.rows = new Map();
    this.history = new History();
    this.heads = columns.map((column) => h("th", { scope: "col", class: column.number ? "number" : null },
      column.key ? h("button", { type: "button", onclick: () => this.sortBy(column) }, column.title) : h("span", {}, column.title)));
    table.tHead.replaceChildren(h("tr", {}, ...this.heads));
    this.mark();
  }

  sortBy({ key, number }) {
    this.sort = { key, isDown: this.sort.key === key ? !this.sort.isDown : Boolean(number) };
    this.mark();
    this.arrange();
  }

  mark() {
    this.columns.forEach((column, index) => {
      if (column.key && column.key === this.sort.key) this.heads[index].setAttribute("aria-sort", this.sort.isDown ? "descending" : "ascending");
      else this.heads[index].removeAttribute("aria-sort");
    });
  }

  /** Shows these rows, each with its `name`. */
  show(rows) {
    this.shown = rows;
    const names = new Set(rows.map((row) => row.name));
    for (const name of this.rows.keys()) if (!names.has(name)) this.rows.delete(name);
    for (const row of rows) {
      if (!this.rows.has(row.name)) {
        this.rows.set(row.name, h("tr", { "data-name": row.name }, ...this.columns.map((column, index) => h(index ? "td" : "th", { scope: index ? null : "row", class: [column.number ? "number" : "", column.class ?? ""].join(" ").trim() || null }))));
      }
      const element = this.rows.get(row.name);
      this.columns.forEach((column, index) => column.draw(element.children[index], row));
    }
    this.arrange();
  }

  arrange() {
    if (!this.shown) return;
    arrange(this.table.tBodies[0], sorted(this.shown, this.sort.key, this.sort.isDown).map((row) => this.rows.get(row.name)));
  }

  button(cell, name, kind, text = name) {
    const existing = cell.querySelector("button");
    if (existing) return setText(existing, text);
    return cell.append(h("button", { type: "button", class: "name", onclick: () => this.select(name, kind) }, text));
  }

  spark(cell, values, least) {
    let line = cell.querySelector("polyline");
    if (!line) {
      line = s("polyline");
      cell.replaceChildren(s("svg", { class: "spark", viewBox: "0 0 72 18", "aria-hidden": "true" }, line));
    }
    line.setAttribute("points", curve(values, 72, 18, this.history.length, least));
  }
}

const text = (key, format = (value) => value ?? "–") => (cell, row) => setText(cell, String(format(row[key], row)));

export class NodeTable extends LiveTable {
  constructor(table, select) {
    super(table, [
      { key: "name", title: "Node", draw: (cell, row) => this.button(cell, row.name, "node") },
      { key: "state", title: "State", draw: (cell, row) => {
        if (!cell.firstChild) cell.append(h("span", { class: "pill" }));
        setText(cell.firstChild, row.state);
        cell.firstChild.dataset.tone = tone(row.state);
      } },
      { key: "cpu", title: "CPU", number: true, draw: (cell, row) => {
        if (!cell.firstChild) cell.append(h("span"), h("span", { class: "meter", "aria-hidden": "true" }, h("i")));
        setText(cell.firstChild, row.cpu === undefined ? "–" : `${(row.cpu * 100).toFixed(1)} %`);
        cell.lastChild.firstChild.style.width = `${Math.min(100, 100 * (row.cpu ?? 0))}%`;
        cell.lastChild.classList.toggle("high", row.cpu > 0.8);
      } },
      { title: "last minute", draw: (cell, row) => this.spark(cell, this.history.values.get(row.name) ?? [], 0.05) },
      { key: "memory", title: "Memory", number: true, draw: text("memory", (value) => (value ? bytesText(value) : "–")) },
      { key: "restarts", title: "Restarts", number: true, draw: text("restarts", (value) => value ?? 0) },
      { key: "lost", title: "Lost", number: true, draw: (cell, row) => {
        setText(cell, `${row.lost}`);
        cell.classList.toggle("lost", row.lost > 0);
      } },
      { key: "queue", title: "Queue", number: true, draw: text("queue") },
      { key: "loop_ms", title: "Loop", number: true, draw: text("loop_ms", msText) },
      { key: "p50_ms", title: "p50", number: true, draw: text("p50_ms", msText) },
      { key: "p99_ms", title: "p99", number: true, draw: text("p99_ms", msText) },
      { key: "vehicles", title: "Vehicles", number: true, draw: text("vehicles") },
      { key: "uptime_s", title: "Up", number: true, draw: text("uptime_s", (value) => (value === undefined ? "–" : msText(value * 1000))) },
      { key: "pid", title: "PID", number: true, draw: text("pid") },
      { key: "version", title: "Version", class: "soft", draw: text("version") },
      { title: "Health", class: "why", draw: text("why", (value, row) => value ?? (row.last_end ? `last end: ${row.last_end}` : "")) },
    ], select);
  }

  draw(report) {
    const rows = report.nodes.map((node) => ({ ...node, lost: node.inputs.reduce((sum, input) => sum + (input.lost ?? 0), 0) }));
    for (const row of rows) this.history.add(row.name, row.cpu ?? 0);
    this.show(rows);
  }
}

export class TopicTable extends LiveTable {
  constructor(table, select) {
    super(table, [
      { key: "name", title: "Topic", draw: (cell, row) => this.button(cell, row.name, "topic") },
      { key: "hz", title: "Rate", number: true, draw: (cell, row) => {
        setText(cell, `${rateText(row.hz)} Hz`);
        cell.dataset.hz = row.hz;
      } },
      { title: "last minute", draw: (cell, row) => this.spark(cell, this.history.values.get(row.name) ?? []) },
      { key: "bytes_per_s", title: "Bytes", number: true, draw: text("bytes_per_s", (value) => `${bytesText(value)}/s`) },
      { key: "messages", title: "Messages", number: true, draw: text("messages", (value) => value.toLocaleString("en")) },
      { key: "vehicles", title: "Vehicles", number: true, draw: text("vehicles", (value) => value?.toLocaleString("en") ?? "–") },
      { key: "age_ms", title: "Age", number: true, draw: text("age_ms", msText) },
      { key: "stamp_ns", title: "Last stamp (UTC)", number: true, draw: text("stamp_ns", (value) => (value ? clockText(value, { utc: true, millis: true }) : "–")) },
      { key: "lost", title: "Lost", number: true, draw: (cell, row) => {
        setText(cell, `${row.lost}`);
        cell.classList.toggle("lost", row.lost > 0);
      } },
      { key: "gaps", title: "Gaps", number: true, draw: text("gaps") },
      { key: "health", title: "Health", draw: (cell, row) => {
        if (!cell.firstChild) cell.append(h("span"));
        const word = row.health === "never" ? null : row.health;
        cell.firstChild.className = word ? "pill" : "";
        cell.firstChild.dataset.tone = tone(word);
        setText(cell.firstChild, word ?? "–");
      } },
      { key: "writer", title: "Publisher", draw: text("writer", (value) => value || "–") },
      { key: "readerCount", title: "Subscribers", class: "readers", draw: (cell, row) => {
        setText(cell, row.readerText);
        cell.title = row.readerText;
      } },
    ], select);
  }

  draw(report) {
    const leaves = byLeaf(report);
    const words = document.getElementById("topic-search").value.trim().toLowerCase();
    const hasSystem = document.getElementById("topic-system").checked;
    const all = report.topics.map((topic) => {
      const leaf = leaves.get(leafOf(topic.name));
      const readers = [...new Set([...report.graph.filter((line) => !line.call && line.name === leafOf(topic.name)).flatMap((line) => line.to), ...topic.readers])].sort();
      const writers = topic.writers.length > 3 ? `${topic.writers.length} publishers` : topic.writers.join(", ");
      return { ...topic, lost: leaf?.lost ?? 0, gaps: leaf?.gaps ?? 0, health: leaf?.health, writer: writers, readerCount: readers.length, readerText: readers.length ? `${readers.length}: ${readers.join(", ")}` : "0" };
    });
    for (const row of all) this.history.add(row.name, row.hz);
    this.show(all.filter((row) => (hasSystem || !row.name.startsWith("_")) && row.name.toLowerCase().includes(words)));
  }
}
