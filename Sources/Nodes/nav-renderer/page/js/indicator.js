// The location indicator: an element over the map that stands exactly where the map was last drawn.

import { indicatorIcon } from "./icons.js";
import { bytesOf, indicatorPicture } from "./settings.js";

/** Share of the map's tilt that the indicator takes part in: lying quite flat it could not be read. */
const FLATTENED = 0.75;

export class Indicator {
  constructor(map) {
    this.map = map;
    this.element = document.getElementById("indicator");
    this.shown = null;
    this.style = "tracking";
    this.point = null;
    /** The own picture that is shown: {hex, url}; null for none. */
    this.picture = null;
    this.draw();
    map.on("render", () => this.place());
  }

  setStyle(style) {
    if (style === this.style) return;
    this.style = style;
    this.draw();
  }

  /** Takes the own picture of the settings, or takes it away. */
  present(settings) {
    const picture = indicatorPicture(settings);
    if (picture?.hex === this.picture?.hex) return;
    if (this.picture) URL.revokeObjectURL(this.picture.url);
    this.picture = picture && {
      hex: picture.hex, url: URL.createObjectURL(new Blob([bytesOf(picture.hex)], { type: picture.type })),
    };
    this.draw();
  }

  draw() {
    this.element.dataset.style = this.style;
    if (!this.picture) {
      this.element.innerHTML = indicatorIcon(this.style);
      return;
    }
    // As an image: scripts of an SVG do not run in one.
    const image = new Image();
    image.src = this.picture.url;
    image.alt = "";
    this.element.replaceChildren(image);
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
