// The warnings ahead, the nearest first.

import { distanceM } from "../geometry.js";
import { warningText } from "../warning-signs.js";
import { isOtherRoute } from "./journey.js";
import { printed } from "./panel-view.js";
import { alongM, has } from "./place.js";

/** More chips than this would cover the map. */
const SHOWN = 2;
/** A warning that is older by more event seconds than this was sent before the page was opened. */
const FRESH_S = 2;
/** Metres per second below which a vehicle counts as parked. */
const PARKED_MPS = 1;

/**
 * `open` are the events by their order, each with `stampS` and `fromM`: where along the route its distance counts from,
 * undefined until a frame as new as it has come, null where that is not known. `rest` is `arrived` from the arrival on, then
 * `parked` as soon as the vehicle stands.
 */
export function start() { return { open: [], rest: "driving" }; }

export function reduce(warnings, message, state) {
  const { topic, payload, stamp } = message;
  switch (topic) {
    case "guidance/warning": {
      const followed = state.journey.route?.id;
      if (has(payload.route_id) && has(followed) && payload.route_id !== followed) return warnings;
      const others = warnings.open.filter(({ id }) => id !== payload.id);
      if (payload.event === "passed" || payload.event === "cancelled") return { ...warnings, open: others };
      const opened = { ...payload, stampS: stamp / 1e9, fromM: undefined, isFresh: true };
      return { ...warnings, open: [...others, state.journey.frame ? placed(opened, state.journey) : opened] };
    }
    case "scene/frame": {
      const journey = { ...state.journey, frame: payload, stampS: stamp / 1e9, alongM: alongM(payload, state.journey.route) };
      const open = warnings.open.map((warning) => (warning.fromM === undefined ? placed(warning, journey) : warning));
      return { open, rest: restAfter(warnings.rest, payload.panel?.speed_mps) };
    }
    case "route/active":
      if (!isOtherRoute(message, state)) return warnings;
      // A page that is opened later may get the warnings of the route before the route.
      return {
        open: warnings.open.filter(({ route_id: id }) => has(id) && id === payload?.route?.id),
        rest: payload?.route ? "driving" : warnings.rest,
      };
    // Warnings of the route do not apply to the road that the vehicle is on now.
    case "guidance/deviation":
      return payload.first && payload.route_id === state.journey.route?.id ? { ...warnings, open: [] } : warnings;
    case "guidance/arrival":
      return { open: [], rest: payload.event === "destination_reached" && !payload.off_road ? "arrived" : warnings.rest };
    // The renderer sends again what is still open.
    case "_link": return payload.isOpen ? { ...warnings, open: [] } : warnings;
    default: return warnings;
  }
}

/** A warning with the place that its distance counts from, once a frame as new as it is there. */
function placed(warning, { stampS, alongM: metres }) {
  if (stampS < warning.stampS) return warning;
  const isFresh = stampS - warning.stampS <= FRESH_S;
  return { ...warning, isFresh, fromM: isFresh ? metres : null };
}

function restAfter(rest, speedMps) {
  if (!has(speedMps) || rest === "driving") return rest;
  if (speedMps < PARKED_MPS) return "parked";
  return rest === "parked" ? "driving" : rest;
}

/** What lies ahead concerns nobody until the vehicle moves again. */
function isResting({ journey: { frame, route }, warnings: { rest } }) {
  const speedMps = frame?.panel?.speed_mps;
  return rest !== "driving" || (!route && has(speedMps) && speedMps < PARKED_MPS);
}

/** The warnings that have a place, for the map: {id, kind, lat_deg, lon_deg}; incidents have signs of their own. */
export function marksView(state) {
  if (isResting(state)) return [];
  return state.warnings.open.filter(({ kind, lat_deg: lat, lon_deg: lon }) => kind !== "incident" && has(lat) && has(lon))
    .map(({ id, kind, lat_deg, lon_deg }) => ({ id, kind, lat_deg, lon_deg }));
}

/** The nearest warnings: {id, kind, text, distanceText}, the distance "" where it is reached; none of them after the arrival. */
export function warningsView(state) {
  if (isResting(state)) return [];
  const { journey: { place, alongM: metres }, warnings: { open } } = state;
  const left = (warning) => {
    // Where the vehicle was when an old warning was sent is not known: the straight line is.
    if (!warning.isFresh && place && has(warning.lat_deg) && has(warning.lon_deg)) return distanceM(place, [warning.lon_deg, warning.lat_deg]);
    const moved = has(metres) && has(warning.fromM) ? metres - warning.fromM : 0;
    return Math.max(0, (warning.distance_m ?? 0) - moved);
  };
  return open.map((warning) => ({ warning, metres: left(warning) })).sort((a, b) => a.metres - b.metres).slice(0, SHOWN)
    .map(({ warning, metres: ahead }) => ({
      id: warning.id, kind: warning.kind, text: warningText(warning), distanceText: warning.event === "reached" ? "" : printed(ahead),
    }));
}
