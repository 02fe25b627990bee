// The warnings ahead, the nearest first.

import { distance, escaped } from "./format.js";
import { distanceM } from "./geometry.js";
import { warningSign, warningText } from "./warning-signs.js";

/** More chips than this would cover the map. */
const SHOWN = 2;
/** A warning that is older than the newest frame by more event seconds than this was sent before the page was opened. */
const FRESH_S = 2;

export class Warnings {
  constructor() {
    this.open = new Map();
    this.element = document.getElementById("warnings");
  }

  /** Takes an event of guidance/warning at `stampS`; `alongM` is where on the route the vehicle is, or null. */
  tell(event, alongM, stampS, newestS) {
    if (event.event === "passed" || event.event === "cancelled") {
      this.open.delete(event.id);
      return;
    }
    const isFresh = newestS === null || newestS - stampS <= FRESH_S;
    this.open.set(event.id, { ...event, alongM: isFresh ? alongM : null, isFresh });
  }

  clear() { this.open.clear(); }

  /**
   * Draws the nearest; distances count down as one moves along the route. `place` is the vehicle's. Nothing is drawn for a
   * vehicle that is parked.
   */
  draw(alongM, place, isParked) {
    const left = (warning) => {
      // Where the vehicle was when an old warning was sent is not known: the straight line is.
      if (!warning.isFresh && place && warning.lat_deg !== undefined && warning.lat_deg !== null) {
        return distanceM(place, [warning.lon_deg, warning.lat_deg]);
      }
      const moved = alongM !== null && warning.alongM !== null ? alongM - warning.alongM : 0;
      return Math.max(0, (warning.distance_m ?? 0) - moved);
    };
    const nearest = (isParked ? [] : [...this.open.values()]).sort((a, b) => left(a) - left(b)).slice(0, SHOWN);
    const html = nearest.map((warning) => {
      const { number, unit } = distance(left(warning));
      const where = warning.event === "reached" ? "" : `<b>${number} ${unit}</b>`;
      return `<div class="card warning" data-kind="${escaped(warning.kind)}">${warningSign(warning.kind)}<span>${escaped(warningText(warning))}</span>${where}</div>`;
    }).join("");
    if (html === this.shown) return;
    this.shown = html;
    this.element.innerHTML = html;
  }
}
