// The stops of a trip: what is listed before and during the drive, and the calls that change them. Knows no DOM.

import { distance, duration, timeOfDay } from "./format.js";
import { words } from "./words.js";

const isKnown = (value) => value !== undefined && value !== null;

/**
 * The stops that are ahead on the active route, the destination last: {key, index, name, detail, isVia, isDestination};
 * `index` is that of the user's list, null where the stop has none. `progress` is guidance/progress, or null.
 */
export function stopsAhead(route, progress) {
  const waypoints = route?.waypoints ?? [];
  const isCurrent = Boolean(progress) && progress.route_id === route?.id;
  const travelledM = isCurrent ? progress.travelled_m : 0;
  const next = (isCurrent && progress.next_waypoint) || 1;
  return waypoints.map((waypoint, number) => ({ waypoint, number })).slice(Math.max(1, next)).map(({ waypoint, number }) => {
    const isDestination = number === waypoints.length - 1;
    const isVia = waypoint.original?.kind === "pass_through" && !isDestination;
    const section = isCurrent && !isVia ? progress.sections?.find((one) => one.section === waypoint.section) : null;
    const metres = section?.remaining_m ?? Math.max(0, waypoint.offset_m - travelledM);
    const arrival = section && isKnown(section.eta_ns) ? timeOfDay(section.eta_ns, progress.eta_utc_offset_s) : "";
    return {
      key: `${route.id} ${number}`, index: waypoint.user_index ?? null, isVia, isDestination,
      name: nameOf(waypoint.original, isVia, isDestination), detail: [arrival, distance(metres).text].filter(Boolean).join(" · "),
    };
  });
}

/** The stops of a route that is previewed, with time and distance from its start; `stops` are those of the request. */
export function previewStops(stops, route) {
  return stops.map((stop, number) => {
    const waypoint = route?.waypoints?.[number + 1];
    const isDestination = number === stops.length - 1;
    const isVia = Boolean(stop.isVia) && !isDestination;
    const parts = waypoint
      ? [!isVia && isKnown(waypoint.arrival_s) ? duration(waypoint.arrival_s).text : "", distance(waypoint.offset_m).text] : [];
    return {
      key: `${number} ${stop.lat_deg} ${stop.lon_deg}`, isVia, isDestination, name: nameOf(stop, isVia, isDestination),
      detail: parts.filter(Boolean).join(" · "),
    };
  });
}

function nameOf(place, isVia, isDestination) {
  if (place?.name) return place.name;
  if (isVia) return words("trip.via");
  return words(isDestination ? "destination" : "stop");
}

/** A list with the entry `from` at the place `to`. */
export function moved(list, from, to) {
  const left = list.filter((_, number) => number !== from);
  return [...left.slice(0, to), list[from], ...left.slice(to)];
}

/** The call that puts the stop `from` to the place `to`: {name, payload}; null where the stops have no indices. */
export function orderCall(stops, from, to) {
  const order = moved(stops, from, to).map(({ index }) => index);
  if (from === to || order.some((index) => !isKnown(index))) return null;
  return { name: "navigate/order_waypoints", payload: { stops: order } };
}

/** The call that leaves out a stop; null for the destination, and for one without an index. */
export function removeCall(stop) {
  if (!stop || stop.isDestination || !isKnown(stop.index)) return null;
  return { name: "navigate/skip_waypoint", payload: { index: stop.index } };
}

/**
 * The stops with a point that the line of a route was dragged to: it comes between those that lie before and after the
 * place where the line was taken, `grabbedM` metres along the route.
 */
export function withVia(stops, route, grabbedM, [lon, lat]) {
  const waypoints = (route?.waypoints ?? []).slice(1);
  const at = waypoints.findIndex(({ offset_m: offset }) => offset > grabbedM);
  const via = { lat_deg: lat, lon_deg: lon, name: "", isVia: true };
  const place = at < 0 ? stops.length - 1 : Math.min(at, stops.length - 1);
  return [...stops.slice(0, place), via, ...stops.slice(place)];
}

/** The stops with those points on the road that a line was dragged to, once there is a route. */
export function onRoads(stops, route) {
  return stops.map((stop, number) => {
    const waypoint = route?.waypoints?.[number + 1];
    return stop.isVia && waypoint ? { ...stop, lat_deg: waypoint.matched_lat_deg, lon_deg: waypoint.matched_lon_deg } : stop;
  });
}

/** The index of the row over whose middle the pointer has moved: `middles` are those of the rows, `y` that of the pointer. */
export function rowAt(middles, from, y) {
  let to = from;
  while (to > 0 && y < middles[to - 1]) to -= 1;
  while (to < middles.length - 1 && y > middles[to + 1]) to += 1;
  return to;
}
