// The stops that are ahead on the trip, with the arrival at each, and whether guidance is paused.

import { stopsAhead } from "../trip-model.js";

export function start() { return { progress: null, isPaused: false }; }

export function reduce(stops, { topic, payload }) {
  switch (topic) {
    case "guidance/progress": return { ...stops, progress: payload };
    case "route/active": return { ...stops, isPaused: Boolean(payload?.route) && payload.paused === true };
    default: return stops;
  }
}

/** {routeID, isPaused, rows}; null without a route. */
export function stopsView({ journey: { route }, stops: { progress, isPaused } }) {
  return route ? { routeID: route.id, isPaused, rows: stopsAhead(route, progress) } : null;
}
