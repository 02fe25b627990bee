// The panel of guidance: the next maneuver with its sign and lanes, the way back to the route, or the way on off the road.

import { distance } from "../format.js";
import { isUsed, laneMark, laneText } from "../icons.js";
import { compass } from "./away.js";
import { framedRoute } from "./journey.js";
import { has } from "./place.js";

/** The maneuver after the next is named when it follows within this many metres. */
const THEN_M = 250;
const PLAIN = { numbers: [], sign: null, lanes: [], lanesLabel: "", then: null };

/**
 * Null while there is nothing to show. `icon` is that of a maneuver, or a direction on the map as {bearing}; `numbers` are the
 * road numbers before `text`, one for each sign.
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
  return {
    kind: "maneuver", icon: pictureOf(maneuver, isLeftHand), iconLabel: maneuver.text ?? "",
    distanceText: panel.maneuver_distance_text ?? printed(panel.maneuver_remaining_m ?? 0),
    ...roadOf(maneuver, route), sign: signOf(panel.signpost, maneuver),
    lanes: (panel.lanes ?? []).map((lane) => ({
      directions: lane.directions ?? [], active: lane.active ?? "", level: lane.recommendation ?? "", isUsed: isUsed(lane), mark: laneMark(lane),
    })),
    lanesLabel: panel.lanes?.length > 0 ? laneText(panel.lanes) : "",
    then: thenOf(maneuver, route?.maneuvers?.[index + 1], isLeftHand),
  };
}

function offRoadPanel({ name, offRoad: { metres, bearing } }) {
  const where = `to the ${compass(bearing)}`;
  return {
    ...PLAIN, kind: "off_road", icon: { bearing }, iconLabel: `To the ${compass(bearing)}`, distanceText: printed(metres),
    text: `${name || "Your destination"}, ${where}`,
  };
}

function offRoutePanel({ metres, bearing }) {
  const isKnown = bearing !== null;
  return {
    ...PLAIN, kind: "off_route", icon: isKnown ? { bearing } : pictureOf({ action: "u_turn" }, false),
    iconLabel: isKnown ? `The route lies to the ${compass(bearing)}` : "Off the route",
    distanceText: metres === null ? "–" : printed(metres), text: "Off the route",
  };
}

/** Metres as one text. */
export function printed(metres) {
  const { number, unit } = distance(metres);
  return `${number} ${unit}`;
}

/** What the picture of a maneuver depends on. */
export function pictureOf(maneuver, isLeftHand) {
  const { action, side, grade, turn_angle_deg: turn, roundabout_angle_deg: arc, exit_count: exit } = maneuver;
  return { isLeftHand, maneuver: definedOnly({ action, side, grade, turn_angle_deg: turn, roundabout_angle_deg: arc, exit_count: exit }) };
}

const definedOnly = (value) => Object.fromEntries(Object.entries(value).filter(([, entry]) => has(entry)));

/** The numbers of a road, one for each sign. */
function numbersOf(road) {
  return (road?.number ?? "").split(";").map((part) => part.trim()).filter(Boolean);
}

/** What the road is called after the maneuver; the place that is arrived at; the instruction where there is no name. */
function roadOf(maneuver, route) {
  if (maneuver.action === "arrive" && !has(route?.off_road_lat_deg)) {
    const name = route?.waypoints?.[(maneuver.section ?? 0) + 1]?.original?.name || "Your destination";
    const side = { left: ", on the left", right: ", on the right" }[maneuver.arrival_side] ?? "";
    return { numbers: [], text: name + side };
  }
  const road = maneuver.next_road ?? maneuver.onto_road;
  const numbers = numbersOf(road);
  if (maneuver.action === "arrive" || !(road?.name || numbers.length)) return { numbers: [], text: maneuver.text ?? "" };
  return { numbers, text: road.name ?? "" };
}

/** The signpost, without what the line above it says already; null for none. */
function signOf(sign, maneuver) {
  if (!sign) return null;
  const road = maneuver.next_road ?? maneuver.onto_road;
  const said = new Set([...numbersOf(road), road?.name ?? ""]);
  const numbers = (sign.road_numbers ?? []).flatMap((text) => numbersOf({ number: text })).filter((one) => !said.has(one));
  const places = (sign.destinations ?? []).filter((one) => !said.has(one));
  const isEmpty = !sign.exit_number && numbers.length === 0 && places.length === 0;
  return isEmpty ? null : { exit: sign.exit_number ?? "", numbers, places };
}

function thenOf(maneuver, next, isLeftHand) {
  if (!next || maneuver.action === "arrive" || (maneuver.length_m ?? Infinity) > THEN_M) return null;
  const distanceText = printed(maneuver.length_m);
  return { icon: pictureOf(next, isLeftHand), distanceText, label: `Then, after ${distanceText}: ${next.text ?? ""}` };
}
