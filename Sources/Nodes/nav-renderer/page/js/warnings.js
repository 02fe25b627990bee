// What lies ahead and is warned of: cameras, school zones, crossings, bends; nearest first.

import { distance, escaped } from "./format.js";
import { WARNING } from "./icons.js";

/** More chips than this would cover the map. */
const SHOWN = 2;

const NAMES = {
  safety_camera: "Speed camera", school_zone: "School zone", railway_crossing: "Level crossing", toll_stop: "Toll",
  traffic_merge: "Merging traffic", lane_decrease: "Lane ends", danger_zone: "Danger zone", low_speed_zone: "Low-speed zone",
  environmental_zone: "Environmental zone", truck_restriction: "Truck restriction", jam_end: "End of a jam",
  traffic_signals: "Traffic lights", stop: "Stop sign", give_way: "Give way", speed_bump: "Speed bump", sharp_bend: "Sharp bend",
  road_sign: "Road sign", speed_limit: "New speed limit", incident: "Incident", border: "Border", tunnel: "Tunnel",
};

/** Kinds whose text says all by itself; of others it is a detail behind the name. */
const TEXT_ALONE = new Set(["incident", "custom", "other"]);

function label({ kind, text }) {
  const name = NAMES[kind] ?? "Attention";
  if (!text) return name;
  if (kind === "lane_decrease") return `${name}: ${text === "1" ? "1 lane" : `${text} lanes`} ahead`;
  return TEXT_ALONE.has(kind) ? text : `${name}: ${text}`;
}

export class Warnings {
  constructor() {
    this.open = new Map();
    this.element = document.getElementById("warnings");
  }

  /** Takes an event of guidance/warning; `alongM` is where on the route it came, or null. */
  tell(event, alongM) {
    if (event.event === "passed" || event.event === "cancelled") this.open.delete(event.id);
    else this.open.set(event.id, { ...event, alongM });
  }

  clear() { this.open.clear(); }

  /** Draws the nearest; distances count down as one moves along the route. */
  draw(alongM) {
    const left = (warning) => {
      const moved = alongM !== null && warning.alongM !== null ? alongM - warning.alongM : 0;
      return Math.max(0, (warning.distance_m ?? 0) - moved);
    };
    const nearest = [...this.open.values()].sort((a, b) => left(a) - left(b)).slice(0, SHOWN);
    const html = nearest.map((warning) => {
      const { number, unit } = distance(left(warning));
      const where = warning.event === "reached" ? "" : `<b>${number} ${unit}</b>`;
      return `<div class="card warning">${WARNING}<span>${escaped(label(warning))}</span>${where}</div>`;
    }).join("");
    if (html === this.shown) return;
    this.shown = html;
    this.element.innerHTML = html;
  }
}
