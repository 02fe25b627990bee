// The location indicator: an element over the map that stands exactly where the map was last drawn.

import { indicatorIcon } from "./icons.js";

/** Share of the map's tilt that the indicator takes part in: lying quite flat it could not be read. */
const FLATTENED = 0.75;

export class Indicator {
  constructor(map) {
    this.map = map;
    this.element = document.getElementById("indicator");
    this.shown = null;
    this.style = null;
    this.point = null;
    map.on("render", () => this.place());
  }

  setStyle(style) {
    if (style === this.style) return;
    this.style = style;
    this.element.innerHTML = indicatorIcon(style);
  }

  /** Takes the place and bearing to show from the next drawing of the map on. */
  move(shown) {
    this.shown = { place: shown.place, bearing: shown.bearing };
    this.element.hidden = false;
  }

  place() {
    if (!this.shown) return;
    this.point = this.map.project(this.shown.place);
    const { x, y } = this.point;
    const turn = this.shown.bearing - this.map.getBearing();
    this.element.style.transform =
      `translate(${x.toFixed(2)}px, ${y.toFixed(2)}px) perspective(600px) rotateX(${(this.map.getPitch() * FLATTENED).toFixed(1)}deg) rotateZ(${turn.toFixed(2)}deg)`;
  }
}
