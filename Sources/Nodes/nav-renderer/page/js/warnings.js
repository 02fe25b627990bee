// Draws the warnings ahead.

import { byID } from "./dom.js";
import { escaped } from "./format.js";
import { warningSign } from "./warning-signs.js";

export class Warnings {
  /** Draws `view.warnings`. */
  draw(warnings) {
    if (warnings === this.shown) return;
    this.shown = warnings;
    byID("warnings").innerHTML = warnings.map(({ kind, text, distanceText }) =>
      `<div class="card warning" data-kind="${escaped(kind)}">${warningSign(kind)}<span dir="auto">${escaped(text)}</span>${
        distanceText && `<b>${escaped(distanceText)}</b>`}</div>`).join("");
  }
}
