// The trip: what is left of it, its bar, and the list of its maneuvers.

import { distance, duration, timeOfDay, zoneName } from "../format.js";
import { maneuverRows } from "../maneuvers-model.js";
import { shieldsOf } from "../shields-model.js";
import { delayAhead } from "../traffic.js";
import { tripBar } from "../trip-bar-model.js";
import { framedRoute } from "./journey.js";
import { listText, numberText, words } from "../words.js";
import { pictureOf, printed } from "./panel-view.js";
import { has } from "./place.js";

/** A shorter delay is not shown. */
const DELAY_S = 60;
/** A distance that is printed in the larger unit. */
const FAR_M = 1e6;
const unknown = () => ({
  time: { text: "–", unit: words("unit.minute"), delay: null }, arrival: { text: "–", label: words("trip.arrival") },
});

/** What is left: distance, time with its delay, and arrival; null without a route. */
export function figuresView({ journey, away }) {
  const { frame, route } = journey;
  if (route && away.offRoad) return { ...unknown(), distance: figure(distance(away.offRoad.metres)) };
  // Off the route the length of the way is not known.
  if (route && away.offRoute) return { ...unknown(), distance: { text: "–", unit: distance(FAR_M).unit } };
  const panel = frame?.panel;
  if (!route || !has(panel?.remaining_m)) return null;
  return {
    distance: figure(distance(panel.remaining_m)),
    time: { ...figure(duration(panel.remaining_s ?? 0)), delay: delayOf(framedRoute(journey), panel.remaining_m) },
    arrival: {
      text: panel.eta_ns ? timeOfDay(panel.eta_ns, panel.eta_utc_offset_s) : "–",
      label: panel.eta_zone_differs && panel.eta_zone ? words("trip.zone", { zone: zoneName(panel.eta_zone) }) : words("trip.arrival"),
    },
  };
}

const figure = ({ number, unit }) => ({ text: number, unit });

function delayOf(route, remainingM) {
  const delay = delayAhead(route?.spans, (route?.length_m ?? 0) - remainingM);
  if (delay === null || delay.seconds < DELAY_S) return null;
  return { text: `+${duration(delay.seconds).text}`, colour: delay.colour };
}

/** The route that is followed and the panel of the scene, while the vehicle is on it; null elsewhere. */
function onRoute({ journey, away }) {
  const route = framedRoute(journey);
  return route && !away.offRoad && !away.offRoute ? { route, panel: journey.frame.panel ?? {} } : null;
}

/** Parts, stops and incidents of the bar, and its description; null while it is not shown. */
export function barView(state) {
  const on = onRoute(state);
  if (!on || !has(on.panel.remaining_m)) return null;
  const { route, panel } = on;
  const bar = tripBar(route, route.length_m - panel.remaining_m, state.traffic.ahead);
  const share = 1 - panel.remaining_m / route.length_m;
  const driven = words("trip.driven", { percent: numberText(share, { style: "percent" }), distance: printed(panel.remaining_m) });
  return {
    ...bar,
    label: bar.incidents.length > 0 ? listText([driven, words("trip.incidents", { number: bar.incidents.length })]) : driven,
  };
}

/** The maneuvers ahead; null while none is. `key` changes when other rows are listed. */
export function maneuversView(state) {
  const on = onRoute(state);
  if (!on || !has(on.panel.maneuver_index)) return null;
  const { route, panel } = on;
  const rows = maneuverRows(route, panel.maneuver_index, panel.maneuver_remaining_m ?? 0);
  return {
    key: `${route.id} ${panel.maneuver_index}`,
    rows: rows.map(({ maneuver, text, isLeftHand, metres }) => ({
      icon: pictureOf(maneuver, isLeftHand), text, distanceText: printed(metres),
      shields: maneuver.action === "arrive" ? [] : shieldsOf(maneuver.onto_road).slice(0, 2),
    })),
  };
}
