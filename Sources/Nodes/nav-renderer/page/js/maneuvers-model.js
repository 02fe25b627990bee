// The maneuvers that are left on a route, as rows of a list. Knows no DOM.

import { arrivalText, maneuverText } from "./turn-words.js";
import { words } from "./words.js";

/**
 * Rows of the maneuvers from `index` on: {maneuver, text, metres, isLeftHand}; `metres` is the distance from the one
 * before, for the first from the vehicle, which has `remainingM` left to it.
 */
export function maneuverRows(route, index, remainingM) {
  const maneuvers = route?.maneuvers ?? [];
  return maneuvers.slice(index).map((maneuver, number) => ({
    maneuver, isLeftHand: maneuver.onto_road?.left_hand ?? false, text: rowText(route, maneuver),
    metres: number === 0 ? remainingM : maneuver.offset_m - maneuvers[index + number - 1].offset_m,
  })).filter(({ maneuver }) => maneuver.action !== "depart");
}

/** The sentence of a maneuver; of an arrival, which has not happened yet, the name of the stop. */
function rowText(route, maneuver) {
  const section = (maneuver.section ?? 0) + 1;
  const isLast = section >= (route.waypoints?.length ?? 0) - 1;
  const isOffRoad = isLast && route.off_road_lat_deg !== undefined && route.off_road_lat_deg !== null;
  if (maneuver.action !== "arrive") return maneuverText(maneuver);
  if (isOffRoad) return words("arrival.end");
  return arrivalText(route.waypoints?.[section]?.original?.name, maneuver.arrival_side, isLast);
}
