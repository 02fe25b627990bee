// The way back to a route that the vehicle has left.

import { bearingDeg } from "./geometry.js";

export class OffRoute {
  constructor() { this.left = null; }

  clear() { this.left = null; }

  /** Takes a guidance/deviation; `line` is the route's line, or null. */
  deviate(event, line) {
    const { lat_deg: lat, lon_deg: lon } = event.location ?? {};
    this.left = { metres: event.distance_m ?? null, bearing: null };
    if (lat !== undefined && lat !== null) this.move([lon, lat], line);
  }

  /** The vehicle has moved on, still off the route. */
  move(place, line) {
    if (!this.left || !line || line.places.length < 2) return;
    const nearest = line.nearest(place);
    this.left = { metres: nearest.metres, bearing: bearingDeg(place, nearest.place) };
  }
}
