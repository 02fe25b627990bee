// The close-up of the next complex junction: null while none is shown.

import { isNear } from "../junction-model.js";
import { maneuverText } from "../turn-words.js";
import { framedRoute } from "./journey.js";
import { signOf } from "./sign-view.js";

/** `shape` is that of the route, along which the maneuver is `maneuver.offset_m` from the start. */
export function junctionView({ journey, away }) {
  const route = framedRoute(journey);
  const panel = journey.frame?.panel;
  if (!route || away.offRoad || away.offRoute || !isNear(route, panel)) return null;
  const maneuver = route.maneuvers[panel.maneuver_index];
  return {
    key: `${route.id} ${panel.maneuver_index}`, shape: route.shape, lanes: maneuver.lanes ?? [], text: maneuverText(maneuver),
    offsetM: maneuver.offset_m, isTunnel: maneuver.from_road?.tunnel ?? false,
    sign: signOf(panel.signpost ?? maneuver.signpost, { ...maneuver, next_road: panel.next_road ?? undefined }),
  };
}
