// What lies beside the route on the map: incidents of all feeds, the traffic layer, and routes to choose from.

import { has } from "./place.js";

/**
 * `ahead` is the state of guidance/traffic, with the incidents on the route; `flow` what the renderer has said last of the traffic
 * layer: {version, segments, free, slow, jam, closed}.
 */
export function start() { return { incidents: {}, ahead: null, flow: null, routes: [] }; }

export function reduce(traffic, { topic, payload, key }) {
  switch (topic) {
    case "traffic/incidents":
      return { ...traffic, incidents: { ...traffic.incidents, [key ?? ""]: payload?.incidents ?? [] } };
    // The renderer sends again what still applies.
    case "_link": return payload.isOpen ? { ...traffic, incidents: {}, ahead: null, routes: [] } : traffic;
    case "guidance/traffic": return { ...traffic, ahead: payload ?? null };
    case "_flow": return { ...traffic, flow: has(payload?.version) ? payload : null };
    case "route/alternatives": return { ...traffic, routes: payload?.routes ?? [] };
    case "route/better":
      // A route that was only found proposes nothing, and ends no proposal.
      if (payload.state === "found") return traffic;
      return { ...traffic, routes: payload.state === "proposed" && payload.route ? [payload.route] : [] };
    default: return traffic;
  }
}

/** The incidents that have a place; `name` tells those of several feeds apart. */
export function incidentsView({ traffic: { incidents } }) {
  return Object.entries(incidents).flatMap(([feed, list]) => list.map((incident) => ({ ...incident, name: `${feed} ${incident.id}` })))
    .filter((incident) => has(incident.lat_deg) && has(incident.lon_deg));
}

/** Shapes of the routes that are drawn next to the one that is followed. */
export function alternativesView({ traffic: { routes } }) { return routes.map(({ shape }) => shape); }
