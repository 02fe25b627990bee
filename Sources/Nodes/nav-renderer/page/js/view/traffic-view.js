// What lies beside the route on the map: incidents of all feeds, and routes to choose from.

import { has } from "./place.js";

export function start() { return { incidents: {}, routes: [] }; }

export function reduce(traffic, { topic, payload, key }) {
  switch (topic) {
    case "traffic/incidents":
      return { ...traffic, incidents: { ...traffic.incidents, [key ?? ""]: payload?.incidents ?? [] } };
    case "route/alternatives": return { ...traffic, routes: payload?.routes ?? [] };
    case "route/better":
      // A route that was only found proposes nothing, and ends no proposal.
      if (payload.state === "found") return traffic;
      return { ...traffic, routes: payload.state === "proposed" && payload.route ? [payload.route] : [] };
    default: return traffic;
  }
}

/** The incidents that have a place. */
export function incidentsView({ traffic: { incidents } }) {
  return Object.values(incidents).flat().filter((incident) => has(incident.lat_deg) && has(incident.lon_deg));
}

/** Shapes of the routes that are drawn next to the one that is followed. */
export function alternativesView({ traffic: { routes } }) { return routes.map(({ shape }) => shape); }
