// The parts of the trip bar: what is driven, the traffic ahead, and the stops, as shares of the route. Knows no DOM.

import { trafficColour } from "./traffic.js";

const share = (metres, lengthM) => Math.min(Math.max(metres / lengthM, 0), 1);

/**
 * `parts` are {from, to, colour}, with the palette's names of colours, from the start to the end of the route without gaps;
 * `stops` and `incidents` are the shares of the stops and of the incidents (of guidance/traffic) that are still ahead.
 */
export function tripBar(route, travelledM, traffic = null) {
  const lengthM = route?.length_m ?? 0;
  if (!(lengthM > 0)) return { parts: [], stops: [], incidents: [] };
  const driven = share(travelledM, lengthM);
  const parts = driven > 0 ? [{ from: 0, to: driven, colour: "behind" }] : [];
  const push = (to, colour) => {
    const last = parts.at(-1);
    const from = last?.to ?? 0;
    if (to <= from) return;
    if (last?.colour === colour) last.to = to;
    else parts.push({ from, to, colour });
  };
  const spans = route.spans ?? {};
  (spans.start_m ?? []).forEach((start, index) => {
    push(share(start + spans.length_m[index], lengthM), trafficColour(spans.jam_factor?.[index] ?? 0));
  });
  push(1, "ahead");
  const stops = (route.waypoints ?? []).slice(1, -1)
    .filter(({ original, offset_m: offset }) => original?.kind !== "pass_through" && offset > travelledM)
    .map(({ offset_m: offset }) => share(offset, lengthM));
  // Incidents of another route are those of the route before.
  const incidents = (traffic?.route_id === route.id ? traffic?.incidents ?? [] : [])
    .filter(({ start_m: start, length_m: length }) => start + length > travelledM)
    .map(({ start_m: start }) => share(Math.max(start, travelledM), lengthM));
  return { parts, stops, incidents: [...new Set(incidents)] };
}
