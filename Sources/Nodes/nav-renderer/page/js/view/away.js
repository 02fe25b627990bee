// Away from the route: the way back to a route that was left, and from the end of the road to an off-road destination.

import { bearingDeg, distanceM } from "../geometry.js";
import { isOtherRoute } from "./journey.js";
import { has, lineOf, placeOf } from "./place.js";

/** `offRoute` and `offRoad` are {metres, bearing} while the vehicle is there, else null. */
export function start() {
  // The name of the last destination: the route may be gone before the arrival is reported.
  return { offRoute: null, offRoad: null, name: "" };
}

export function reduce(away, message, state) {
  const { topic, payload } = message;
  const { route } = state.journey;
  switch (topic) {
    case "scene/frame":
      if (has(payload.panel?.maneuver_index)) return { ...away, offRoute: null };
      return { ...away, offRoute: away.offRoute && wayBack(away.offRoute, placeOf(payload, route), route) };
    case "route/active": return isOtherRoute(message, state) ? { ...away, offRoute: null, offRoad: null } : away;
    case "guidance/deviation": {
      if (payload.route_id !== route?.id) return away;
      const { lat_deg: lat, lon_deg: lon } = payload.location;
      const left = { metres: payload.distance_m ?? null, bearing: null };
      return { ...away, offRoute: wayBack(left, has(lat) && has(lon) ? [lon, lat] : null, route) };
    }
    case "guidance/arrival": return arrive(away, payload, route);
    case "guidance/offroad":
      if (payload.route_id !== route?.id) return away;
      return { ...away, name: nameOf(route), offRoad: { metres: payload.remaining_m, bearing: payload.bearing_deg } };
    default: return away;
  }
}

/** The way from a place to the nearest point of the route; `left` where it cannot be said. */
function wayBack(left, place, route) {
  const line = lineOf(route);
  if (!place || !line || line.places.length < 2) return left;
  const nearest = line.nearest(place);
  return { metres: nearest.metres, bearing: bearingDeg(place, nearest.place) };
}

/** Until the first progress, the way to an off-road destination counts from the end of the route. */
function arrive(away, event, route) {
  const isAtDestination = event.event === "off_road_destination_reached";
  const name = event.name || nameOf(route) || (isAtDestination ? away.name : "");
  const line = lineOf(route);
  if (isAtDestination || !event.off_road || !line) return { ...away, name, offRoad: null };
  const destination = [event.lon_deg, event.lat_deg];
  const end = line.placeAt(line.lengthM);
  return { ...away, name, offRoad: { metres: distanceM(end, destination), bearing: bearingDeg(end, destination) } };
}

function nameOf(route) { return route?.waypoints?.at(-1)?.original?.name ?? ""; }
