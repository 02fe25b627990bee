// Draws the thin bar under the figures of the trip: what is driven, the traffic ahead, and the stops.

import { byID } from "./dom.js";

const percent = (share) => `${(share * 100).toFixed(1)}%`;

export class TripBar {
  constructor(palette) {
    this.element = byID("trip-bar");
    this.palette = palette;
    this.bar = null;
    this.key = "";
  }

  repaint(palette) {
    this.palette = palette;
    this.key = "";
    this.update();
  }

  /** Draws `view.bar`; null hides it. */
  draw(bar) {
    if (bar === this.bar) return;
    this.bar = bar;
    this.element.hidden = bar === null;
    this.update();
  }

  update() {
    if (this.bar === null) return;
    const { parts, stops, incidents, label } = this.bar;
    this.element.setAttribute("aria-label", label);
    const key = JSON.stringify([parts.map(({ to, colour }) => [percent(to), colour]), stops.map(percent), incidents.map(percent)]);
    if (key === this.key) return;
    this.key = key;
    const part = document.createElement.bind(document, "i");
    this.element.replaceChildren(...parts.map(({ from, to, colour }) => {
      const element = part();
      element.dataset.colour = colour;
      Object.assign(element.style, { insetInlineStart: percent(from), width: percent(to - from), background: this.palette[colour] });
      return element;
    }), ...[["incident", incidents], ["stop", stops]].flatMap(([name, shares]) => shares.map((share) => {
      const element = part();
      element.className = name;
      element.style.insetInlineStart = percent(share);
      return element;
    })));
  }
}
