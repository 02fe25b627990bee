// Where the vehicle is by a frame of the scene, and how far along its route.

import { Line, decodePolyline6, distanceM } from "../geometry.js";

/** The indicator moves along the route while it is within this many metres of it. */
const ON_ROUTE_M = 25;

export const has = (value) => value !== undefined && value !== null;

const lines = new WeakMap();

/** The line of a route as it came over the wire; decoded once. Null for no route, and for one whose shape breaks off. */
export function lineOf(route) {
  if (!route) return null;
  if (!lines.has(route)) lines.set(route, new Line(decodePolyline6(route.shape)));
  return lines.get(route);
}

/** Metres of `route` that lie behind by a frame; null where the frame does not say so of this route. */
export function behindM(frame, route) {
  const isOfRoute = route && frame?.route_id === route.id && has(frame.eat_up_shape_index);
  return isOfRoute ? lineOf(route).offsetAt(frame.eat_up_shape_index, frame.eat_up_shape_fraction ?? 0) : null;
}

/** [lon, lat] of the vehicle: a frame with a hidden indicator has it as its camera's, or on the route. Null if unknown. */
export function placeOf(frame, route) {
  if (!frame) return null;
  if (has(frame.indicator_lat_deg) && has(frame.indicator_lon_deg)) return [frame.indicator_lon_deg, frame.indicator_lat_deg];
  if (frame.camera_mode !== "free") return [frame.camera_lon_deg, frame.camera_lat_deg];
  const metres = behindM(frame, route);
  return metres === null ? null : lineOf(route).placeAt(metres) ?? null;
}

/** Metres along the route, while the vehicle is on it; null elsewhere. */
export function alongM(frame, route) {
  const metres = behindM(frame, route);
  const place = metres === null ? null : placeOf(frame, route);
  if (!place || lineOf(route).places.length === 0) return null;
  return distanceM(lineOf(route).placeAt(metres), place) <= ON_ROUTE_M ? metres : null;
}

/** The direction of the vehicle in degrees; null where the frame does not have it. */
export function bearingOf(frame, isNorthUp) {
  if (has(frame.indicator_bearing_deg)) return frame.indicator_bearing_deg;
  return frame.camera_mode === "free" || isNorthUp ? null : frame.camera_bearing_deg;
}
