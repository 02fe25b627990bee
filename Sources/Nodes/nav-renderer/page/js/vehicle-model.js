// The travel mode and the size of the vehicle that a route is computed for, kept on the device. Knows no DOM.

export const MODE_NAMES = ["car", "truck", "bus", "taxi", "scooter", "bicycle", "pedestrian"];
/** Modes whose size counts. */
const SIZED = new Set(["truck", "bus"]);
/** Modes that only pass a point on a road; the others stop there. */
const ON_FOOT = new Set(["pedestrian", "bicycle"]);
const KEY = "navstack.vehicle";
/** Greatest number of each size, as type `vehicle` bounds it. */
const LIMITS = { height_m: 100, width_m: 100, length_m: 1000, weight_t: 10000, axle_load_t: 1000 };
export const SIZE_NAMES = Object.keys(LIMITS);
/** A common truck, until the driver says more. */
const USUAL = { truck: { height_m: 4, width_m: 2.55, length_m: 16.5, weight_t: 40, axle_load_t: 11.5 }, bus: { height_m: 3.8, width_m: 2.55, length_m: 13.5, weight_t: 19.5, axle_load_t: 11.5 } };

export class VehicleModel {
  /** `open()` returns the storage, like localStorage; `request` is that of the followed route, or the stack's defaults. */
  constructor(open) {
    this.open = open;
    /** The mode that the driver has chosen; null for that of the stack. */
    this.chosen = null;
    this.sizes = { truck: { ...USUAL.truck }, bus: { ...USUAL.bus } };
    let stored = {};
    try {
      stored = JSON.parse(open().getItem(KEY)) ?? {};
    } catch {
      // Storage can be forbidden, and its content is whatever an older page has left.
    }
    for (const mode of SIZED) {
      for (const name of SIZE_NAMES) this.store(mode, name, stored[mode]?.[name]);
      if (stored[mode]?.hazardous_goods === true) this.sizes[mode].hazardous_goods = true;
    }
  }

  /** The mode of the next request: the chosen one, else that of `base`. */
  mode(base) { return this.chosen ?? base?.mode ?? "car"; }

  choose(mode) { this.chosen = mode; }

  isSized(mode) { return SIZED.has(mode); }

  /** Sets a size from what was typed; false where that is no number in its range. */
  set(mode, name, text) {
    const value = name === "hazardous_goods" ? Boolean(text) : Number(String(text).replace(",", ".") || 0);
    if (!this.store(mode, name, value)) return false;
    try {
      this.open().setItem(KEY, JSON.stringify(this.sizes));
    } catch {
      // Full or forbidden: the sizes of this page stay.
    }
    return true;
  }

  store(mode, name, value) {
    if (name === "hazardous_goods") {
      this.sizes[mode].hazardous_goods = value === true;
      return true;
    }
    if (typeof value !== "number" || !(value >= 0 && value <= LIMITS[name])) return false;
    this.sizes[mode][name] = value;
    return true;
  }

  /** {mode, vehicle} of a request; `base` is the request before, or the stack's defaults. */
  options(base) {
    const mode = this.mode(base);
    if (this.chosen === null || !SIZED.has(mode)) {
      const isSame = this.chosen === null || this.chosen === base?.mode;
      return { mode: this.chosen ?? base?.mode, vehicle: isSame ? base?.vehicle : undefined };
    }
    return { mode, vehicle: { ...this.sizes[mode] } };
  }
}

/** The kind of waypoint of a point that a route is led through. */
export function viaKind(mode) { return ON_FOOT.has(mode) ? "stopover" : "pass_through"; }
