// Tells that the screen shows nothing of the map that the stack has.

import { isBeyond } from "./coverage.js";
import { byID } from "./dom.js";
import { words } from "./words.js";

export class Beyond {
  /** `bounds` are [west, south, east, north] of the stack's map, or null. */
  constructor(map, bounds) {
    Object.assign(this, { map, bounds });
    map.on("moveend", () => this.draw());
  }

  /** The stack has another map. */
  reach(bounds) {
    this.bounds = bounds;
    this.draw();
  }

  /** The words are others from now on. */
  reworded() { this.draw(); }

  draw() {
    const shown = this.map.getBounds();
    const isOut = isBeyond(this.bounds, [shown.getWest(), shown.getSouth(), shown.getEast(), shown.getNorth()]);
    byID("beyond").hidden = !isOut;
    byID("beyond").textContent = isOut ? words("map.beyond") : "";
  }
}
