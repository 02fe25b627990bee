// The location indicator: an element over the map that stands exactly where the map was last drawn.

import { moved } from "./geometry.js";
import { indicatorIcon } from "./indicator-icons.js";
import { bytesOf, indicatorPicture } from "./settings.js";

/** Share of the map's tilt that the indicator takes part in: lying quite flat it could not be read. */
const FLATTENED = 0.75;
/** Metres up to which the accuracy is as good as the picture shows, and no circle is drawn. */
const ACCURATE_M = 20;

export class Indicator {
  constructor(map) {
    this.map = map;
    this.element = document.getElementById("indicator");
    this.circle = document.getElementById("accuracy");
    this.accuracyM = null;
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

  /** Whether the place is estimated, and within how many metres the vehicle is; null where that is not known. */
  setTrust(isEstimated, accuracyM) {
    this.element.toggleAttribute("data-estimated", isEstimated);
    this.accuracyM = accuracyM > ACCURATE_M ? accuracyM : null;
    if (this.accuracyM === null) this.circle.hidden = true;
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
    this.placeCircle(this.point);
    const turn = this.shown.bearing - this.map.getBearing();
    this.element.style.transform =
      `translate(${x.toFixed(2)}px, ${y.toFixed(2)}px) perspective(600px) rotateX(${(this.map.getPitch() * FLATTENED).toFixed(1)}deg) rotateZ(${turn.toFixed(2)}deg)`;
  }

  /** The circle lies flat on the ground: as wide as it is there, and lower the more the map is tilted. */
  placeCircle({ x, y }) {
    if (this.accuracyM === null) return;
    const side = this.map.project(moved(this.shown.place, this.map.getBearing() + 90, this.accuracyM));
    const radius = Math.hypot(side.x - x, side.y - y);
    this.circle.hidden = false;
    Object.assign(this.circle.style, {
      width: `${(2 * radius).toFixed(1)}px`, height: `${(2 * radius).toFixed(1)}px`,
      transform: `translate(${(x - radius).toFixed(1)}px, ${(y - radius).toFixed(1)}px) scaleY(${Math.cos(this.map.getPitch() * Math.PI / 180).toFixed(3)})`,
    });
  }
}
