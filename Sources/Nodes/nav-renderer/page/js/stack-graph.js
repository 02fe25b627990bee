// Draws the graph of nodes and topics: cards, and lines from each topic to its readers.

import { h, s, setText } from "./elements.js";
import { CARD, bytesText, layout, rateText, tone } from "./stack-model.js";

/** A smaller drawing could not be read: it is scrolled. */
const LEAST_SCALE = 0.74;

export class StackGraph {
  constructor(element, select) {
    this.element = element;
    this.select = select;
    this.key = "";
    new ResizeObserver(() => {
      this.key = "";
      if (this.report) this.show(this.report);
    }).observe(element);
  }

  show(report) {
    this.report = report;
    const drawn = layout(report, Math.max(0, this.element.clientWidth - 36));
    // The whole graph is seen where that leaves it readable.
    const room = [(this.element.clientWidth - 34) / drawn.width, (this.element.clientHeight - 34) / drawn.height];
    const scale = Math.min(1, Math.max(LEAST_SCALE, Math.min(...room)));
    const key = JSON.stringify([drawn.width, scale, drawn.cards.map((card) => [card.name, card.x, card.y, card.quiet, card.rows.map((row) => row.topic)]), drawn.links.map((link) => [link.topic, link.to]), drawn.calls.map((call) => [call.from, call.to])]);
    if (key !== this.key) {
      this.key = key;
      this.build(drawn, scale);
    }
    for (const card of drawn.cards) this.update(card);
    for (const link of drawn.links) {
      const line = this.lines.get(`${link.from} ${link.topic} ${link.to}`);
      const health = report.nodes.find((node) => node.name === link.to)?.inputs.find((input) => input.topic === link.topic)?.health;
      line?.setAttribute("class", link.hz > 0 || ["slow", "stale", "invalid"].includes(health) ? health ?? "" : "still");
    }
  }

  build(drawn, scale) {
    this.lines = new Map();
    this.cards = new Map();
    const paths = [
      ...drawn.calls.map((call) => s("path", { d: call.path, class: "call", "data-from": call.from, "data-to": call.to }, s("title", {}, call.calls.join(", ")))),
      ...drawn.links.map((link) => {
        const path = s("path", { d: link.path, "data-topic": link.topic, "data-from": link.from, "data-to": link.to });
        this.lines.set(`${link.from} ${link.topic} ${link.to}`, path);
        return path;
      }),
    ];
    const left = Math.max(0, (this.element.clientWidth - 34 - drawn.width * scale) / 2);
    const top = Math.max(0, (this.element.clientHeight - 34 - drawn.height * scale) / 2);
    const canvas = h("div", { style: `width:${drawn.width}px;height:${drawn.height}px;transform:translate(${left}px,${top}px) scale(${scale})` },
      s("svg", { class: "lines", width: drawn.width, height: drawn.height, "aria-hidden": "true" }, ...paths),
      ...drawn.cards.map((card) => this.card(card)));
    // What has the keyboard keeps it, though the card is another one now.
    const held = this.element.contains(document.activeElement) ? document.activeElement.dataset.id : null;
    this.element.replaceChildren(canvas);
    this.canvas = canvas;
    if (held) this.element.querySelector(`[data-id="${CSS.escape(held)}"]`)?.focus({ preventScroll: true });
  }

  card(card) {
    const light = (mark) => ({
      onmouseenter: () => this.light(mark), onmouseleave: () => this.light(null), onfocus: () => this.light(mark), onblur: () => this.light(null),
    });
    const head = h("button", {
      class: "head", type: "button", "data-id": card.name, disabled: card.node.isForeign ?? false, onclick: () => this.select(card.name, "node"),
      ...light((line) => line.dataset.from === card.name || line.dataset.to === card.name),
    }, h("span", { class: "dot" }), h("span", { class: "title" }, card.name), h("span", { class: "cpu" }), h("span", { class: "word" }), h("span", { class: "memory" }));
    const rows = card.rows.map((row) => h("button", {
      class: "row", type: "button", "data-id": `${card.name} ${row.topic}`, title: row.topic, onclick: () => this.select(row.topic, "topic"),
      ...light((line) => line.dataset.topic === row.topic && line.dataset.from === card.name),
    }, h("span", {}, row.topic), h("b")));
    const element = h("section", {
      class: `node${card.node.isForeign ? " foreign" : ""}`, "data-node": card.name, "aria-label": card.name,
      style: `left:${card.x}px;top:${card.y}px;width:${CARD.width}px;height:${card.height}px`,
    }, head, ...rows, card.quiet ? h("div", { class: "quiet" }, `${card.quiet} quiet topic${card.quiet > 1 ? "s" : ""}`) : null);
    this.cards.set(card.name, { element, head, rows });
    return element;
  }

  update(card) {
    const { element, head, rows } = this.cards.get(card.name);
    const { node } = card;
    element.dataset.tone = node.isForeign ? "idle" : tone(node.state);
    element.dataset.state = node.state;
    head.firstElementChild.dataset.tone = element.dataset.tone;
    setText(head.querySelector(".cpu"), node.cpu === undefined ? "" : `${(node.cpu * 100).toFixed(node.cpu < 0.0995 ? 1 : 0)} %`);
    setText(head.querySelector(".memory"), node.memory ? bytesText(node.memory) : "");
    setText(head.querySelector(".word"), node.isForeign ? "outside the stack" : node.restarts ? `${node.state}, ${node.restarts} restart${node.restarts > 1 ? "s" : ""}` : node.state);
    card.rows.forEach((row, index) => {
      const text = row.hz > 0 ? `${rateText(row.hz)} Hz` : "–";
      setText(rows[index].lastElementChild, text);
      rows[index].classList.toggle("still", !(row.hz > 0));
    });
  }

  /** Lights the lines for which `mark` is true; null lights none. */
  light(mark) {
    this.canvas?.classList.toggle("has-focus", Boolean(mark));
    for (const line of this.canvas?.querySelectorAll("path") ?? []) line.classList.toggle("lit", Boolean(mark?.(line)));
  }
}
