// The routes to a destination before one is driven: request, rows, where they differ, and how one is started. Knows no DOM.

import { delayAhead } from "./traffic.js";
import { viaKind } from "./vehicle-model.js";

export const ALTERNATIVES = 2;
/** Below this speed the direction of the vehicle is not known well enough to ask for it. */
const MOVING_MPS = 2;
/** Less delay than this is not shown. */
const DELAY_S = 60;

/** What a route can avoid, as in the contract. */
export const AVOIDANCES = ["tolls", "motorways", "ferries", "unpaved"];

/** A waypoint at a found place. */
export function waypointOf(place) { return { lat_deg: place.lat_deg, lon_deg: place.lon_deg, name: place.name ?? "" }; }

/**
 * The request of route/calculate from a vehicle {place: [lon, lat], bearing, speedMps} through stops, the destination
 * last; those with `isVia` are only passed, where the mode can. `avoid` are the chosen avoidances, `options` are
 * {mode, vehicle, language}, each only where it is known.
 */
export function routeRequest(vehicle, stops, avoid, options) {
  const origin = { lat_deg: vehicle.place[1], lon_deg: vehicle.place[0] };
  if ((vehicle.speedMps ?? 0) > MOVING_MPS && Number.isFinite(vehicle.bearing)) {
    origin.bearing_deg = ((vehicle.bearing % 360) + 360) % 360;
  }
  const waypoints = stops.map((stop) => (stop.isVia ? { ...waypointOf(stop), kind: viaKind(options?.mode) } : waypointOf(stop)));
  return {
    waypoints: [origin, ...waypoints], alternatives: ALTERNATIVES, avoid: [...avoid], ...chosen(options, ["mode", "vehicle", "language"]),
  };
}

/** The named options of a request, where it has them. */
function chosen(request, names) {
  return Object.fromEntries(names.map((name) => [name, request?.[name]]).filter(([, value]) => value !== undefined && value !== null));
}

/** What is shown of each route: {seconds, metres, delay, hasToll, hasFerry, roads}; `delay` is {seconds, colour} or null. */
export function routeRows(routes) {
  return routes.map((route) => {
    const delay = delayAhead(route.spans, 0);
    return {
      seconds: route.duration_latest_s, metres: route.length_m, delay: delay && delay.seconds >= DELAY_S ? delay : null,
      roads: numberedRoads(route), hasToll: (route.roads ?? []).some(({ toll }) => toll), hasFerry: (route.roads ?? []).some(({ ferry }) => ferry),
    };
  });
}

/** At most so many numbered roads describe a route, each of them with at least this share of its length. */
const MOST_ROADS = 3;
const LEAST_SHARE = 0.1;

/** The roads with a number that make up most of a route, in the order in which they are driven. */
export function numberedRoads(route) {
  const metres = new Map();
  (route.spans?.road ?? []).forEach((road, index) => {
    const { number } = route.roads?.[road] ?? {};
    if (!number) return;
    const known = metres.get(number) ?? { road: route.roads[road], metres: 0 };
    known.metres += route.spans.length_m[index];
    metres.set(number, known);
  });
  const longest = [...metres.values()].filter((road) => road.metres >= LEAST_SHARE * route.length_m)
    .sort((a, b) => b.metres - a.metres).slice(0, MOST_ROADS);
  return [...metres.values()].filter((road) => longest.includes(road)).map(({ road }) => road);
}

const stretchKey = ([lon1, lat1], [lon2, lat2]) => [lon1, lat1, lon2, lat2].map((value) => value.toFixed(5)).join();

/** For each line, the middle of its longest stretch that no other line takes; of the whole line where there is none. */
export function differingPlaces(lines) {
  const takers = new Map();
  const keys = lines.map(({ places }) => places.slice(1).map((place, index) => stretchKey(places[index], place)));
  for (const own of keys) for (const key of new Set(own)) takers.set(key, (takers.get(key) ?? 0) + 1);
  return lines.map((line, number) => {
    let [best, start] = [[0, 0], null];
    const end = keys[number].length;
    for (let index = 0; index <= end; index += 1) {
      const isOwn = index < end && takers.get(keys[number][index]) === 1;
      if (isOwn) start ??= index;
      else if (start !== null) {
        const stretch = [line.offsets[start], line.offsets[index]];
        if (stretch[1] - stretch[0] > best[1] - best[0]) best = stretch;
        start = null;
      }
    }
    return line.placeAt(best[1] > best[0] ? (best[0] + best[1]) / 2 : line.lengthM / 2);
  });
}

/** [west, south, east, north] of all routes. */
export function boundsOf(routes) {
  return [
    Math.min(...routes.map((route) => route.west_deg)), Math.min(...routes.map((route) => route.south_deg)),
    Math.max(...routes.map((route) => route.east_deg)), Math.max(...routes.map((route) => route.north_deg))];
}

/**
 * The call that starts guidance on one of the routes: {name, payload}. The renderer has kept the route that it handed out,
 * and follows that one, however long it is.
 */
export function startCall(routes, selected) {
  return { name: "navigate/set_route", payload: { route_id: routes[selected].id } };
}

/** Where the middle of a callout can stand, as fractions of its size from its place. */
const SIDES = [[0, -0.5], [0, 0.5], [0.5, 0], [-0.5, 0]];

/**
 * Pixels from the place of each callout to its middle, so that none covers another if possible: `callouts` are
 * {x, y, width, height}, the first has the first choice.
 */
export function calloutOffsets(callouts) {
  const taken = [];
  return callouts.map(({ x, y, width, height }) => {
    const covers = ([dx, dy]) => taken.some((other) => Math.abs(x + dx * width - other.x) < (width + other.width) / 2
      && Math.abs(y + dy * height - other.y) < (height + other.height) / 2);
    const [dx, dy] = SIDES.find((side) => !covers(side)) ?? SIDES[0];
    taken.push({ x: x + dx * width, y: y + dy * height, width, height });
    return [dx * width, dy * height];
  });
}
