// The thin bar under the figures of the trip: what is driven, the traffic ahead, and the stops.

import { distance } from "./format.js";
import { tripBar } from "./trip-bar-model.js";

const percent = (share) => `${(share * 100).toFixed(1)}%`;

export class TripBar {
  constructor(palette) {
    this.element = document.getElementById("trip-bar");
    this.palette = palette;
    this.shown = "";
  }

  repaint(palette) {
    this.palette = palette;
    this.shown = "";
  }

  /** Draws the bar of a route; hidden without one, or while `remainingM` is not known. */
  draw(route, remainingM) {
    const isKnown = Boolean(route) && remainingM !== undefined && remainingM !== null;
    this.element.hidden = !isKnown;
    if (!isKnown) return;
    const { parts, stops } = tripBar(route, route.length_m - remainingM);
    const key = JSON.stringify([parts.map(({ to, colour }) => [percent(to), colour]), stops.map(percent)]);
    if (key === this.shown) return;
    this.shown = key;
    const part = document.createElement.bind(document, "i");
    this.element.replaceChildren(...parts.map(({ from, to, colour }) => {
      const element = part();
      element.dataset.colour = colour;
      Object.assign(element.style, { left: percent(from), width: percent(to - from), background: this.palette[colour] });
      return element;
    }), ...stops.map((share) => {
      const element = part();
      element.className = "stop";
      element.style.left = percent(share);
      return element;
    }));
    const { number, unit } = distance(remainingM);
    this.element.setAttribute("aria-label", `${Math.round(100 * (1 - remainingM / route.length_m))} percent driven, ${number} ${unit} left`);
  }
}
