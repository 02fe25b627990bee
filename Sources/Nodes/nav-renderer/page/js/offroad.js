// The way from the end of the road to a destination that no road reaches.

import { distance } from "./format.js";
import { bearingDeg, distanceM } from "./geometry.js";

const COMPASS = ["north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest"];

/** Distance and direction to the off-road destination, from the end of the road until it is reached. */
export class OffRoad {
  constructor() {
    this.left = null;
    /** Of the last destination: the route may be gone before the arrival is reported. */
    this.name = "";
  }

  clear() { this.left = null; }

  /** Takes a `guidance/arrival`; until the first progress the way counts from the end of `line`. */
  arrive(event, route, line) {
    this.clear();
    const isAtDestination = event.event === "off_road_destination_reached";
    this.name = event.name || nameOf(route) || (isAtDestination ? this.name : "");
    if (isAtDestination || !event.off_road || !route || !line) return;
    const destination = [event.lon_deg, event.lat_deg];
    const end = line.placeAt(line.lengthM);
    this.left = { metres: distanceM(end, destination), bearing: bearingDeg(end, destination) };
  }

  /** Takes a `guidance/offroad`, which comes only between the two arrivals. */
  progress(event, route) {
    if (event.route_id !== route?.id) return;
    this.name = nameOf(route);
    this.left = { metres: event.remaining_m, bearing: event.bearing_deg };
  }
}

function nameOf(route) { return route?.waypoints?.at(-1)?.original?.name ?? ""; }

/** `1.3 km to the southwest`. */
export function offset({ metres, bearing }) {
  const { number, unit } = distance(metres);
  return `${number} ${unit} to the ${compass(bearing)}`;
}

/** A direction in degrees as one of eight words. */
export function compass(bearing) { return COMPASS[Math.round((((bearing % 360) + 360) % 360) / 45) % 8]; }
