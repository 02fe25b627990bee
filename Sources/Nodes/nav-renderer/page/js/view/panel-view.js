// The panel of guidance: the next maneuver with its sign and lanes, the way back to the route, or the way on off the road.

import { distance } from "../format.js";
import { isUsed, laneMark, laneText } from "../icons.js";
import { shieldsOf } from "../shields-model.js";
import { arrivalText, directionText, maneuverText } from "../turn-words.js";
import { words } from "../words.js";
import { framedRoute } from "./journey.js";
import { has } from "./place.js";
import { saidOf, signOf } from "./sign-view.js";

/** The maneuver after the next is named when it follows within this many metres. */
const THEN_M = 250;
const PLAIN = { shields: [], sign: null, lanes: [], lanesLabel: "", then: null };

/**
 * Null while there is nothing to show. `icon` is that of a maneuver, or a direction on the map as {bearing}; `shields` stand
 * before `text`.
 */
export function panelView({ journey, away }) {
  if (!journey.route) return null;
  if (away.offRoad) return offRoadPanel(away);
  if (away.offRoute) return offRoutePanel(away.offRoute);
  const route = framedRoute(journey);
  const panel = journey.frame?.panel;
  const index = panel?.maneuver_index;
  if (!has(index)) return null;
  const maneuver = { ...route?.maneuvers?.[index], ...definedOnly(panel) };
  if (!maneuver.action) return null;
  const isLeftHand = maneuver.next_road?.left_hand ?? false;
  const distanceText = printed(panel.maneuver_remaining_m ?? 0);
  return {
    kind: "maneuver", icon: pictureOf(maneuver, isLeftHand), distanceText,
    label: words("guide.turn", { turn: maneuverText(maneuver), distance: distanceText }),
    ...roadOf(maneuver, route), sign: signOf(panel.signpost, maneuver, saidOf(maneuver)),
    lanes: (panel.lanes ?? []).map((lane) => ({
      directions: lane.directions ?? [], active: lane.active ?? "", level: lane.recommendation ?? "", isUsed: isUsed(lane), mark: laneMark(lane),
    })),
    lanesLabel: panel.lanes?.length > 0 ? laneText(panel.lanes) : "",
    then: thenOf(maneuver, route?.maneuvers?.[index + 1], isLeftHand),
  };
}

function offRoadPanel({ name, offRoad: { metres, bearing } }) {
  const text = words("offroad.name", { name: name || words("destination"), direction: directionText(bearing) });
  const distanceText = printed(metres);
  return { ...PLAIN, kind: "off_road", icon: { bearing }, label: words("guide.turn", { turn: text, distance: distanceText }), distanceText, text };
}

function offRoutePanel({ metres, bearing }) {
  const isKnown = bearing !== null;
  return {
    ...PLAIN, kind: "off_route", icon: isKnown ? { bearing } : pictureOf({ action: "u_turn" }, false),
    label: isKnown ? words("offroute.way", { direction: directionText(bearing) }) : words("offroute"),
    distanceText: metres === null ? "–" : printed(metres), text: words("offroute"),
  };
}

/** Metres as one text. */
export function printed(metres) { return distance(metres).text; }

/** What the picture of a maneuver depends on. */
export function pictureOf(maneuver, isLeftHand) {
  const { action, side, grade, turn_angle_deg: turn, roundabout_angle_deg: arc, exit_count: exit } = maneuver;
  return { isLeftHand, maneuver: definedOnly({ action, side, grade, turn_angle_deg: turn, roundabout_angle_deg: arc, exit_count: exit }) };
}

const definedOnly = (value) => Object.fromEntries(Object.entries(value).filter(([, entry]) => has(entry)));

/** What the road is called after the maneuver; the place that is arrived at; the instruction where there is no name. */
function roadOf(maneuver, route) {
  if (maneuver.action === "arrive") {
    if (has(route?.off_road_lat_deg)) return { shields: [], text: words("arrival.end") };
    const name = route?.waypoints?.[(maneuver.section ?? 0) + 1]?.original?.name;
    return { shields: [], text: arrivalText(name, maneuver.arrival_side, true) };
  }
  const road = maneuver.next_road ?? maneuver.onto_road;
  const shields = shieldsOf(road);
  if (!(road?.name || shields.length)) return { shields: [], text: maneuverText(maneuver) };
  return { shields, text: road.name ?? "" };
}

function thenOf(maneuver, next, isLeftHand) {
  if (!next || maneuver.action === "arrive" || (maneuver.length_m ?? Infinity) > THEN_M) return null;
  const distanceText = printed(maneuver.length_m);
  return { icon: pictureOf(next, isLeftHand), distanceText, label: words("then.after", { distance: distanceText, turn: maneuverText(next) }) };
}
