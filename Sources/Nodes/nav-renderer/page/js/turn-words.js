// A maneuver in the page's own words, from what it is: the sentences of the stack are in the stack's language. Knows no DOM.

import { distance } from "./format.js";
import { words } from "./words.js";

const KEEP = { left: "turn.keep_left", right: "turn.keep_right", ahead: "turn.keep_middle" };
const PLAIN = ["u_turn", "ramp", "merge", "ferry", "depart"];

/** What is to be done, without the road: Turn right. */
export function turnText(maneuver) {
  const { action } = maneuver;
  const exit = maneuver.signpost?.exit_number;
  if (PLAIN.includes(action)) return words(`turn.${action}`);
  switch (action) {
    case "turn": return words(`turn.${maneuver.grade ?? "straight"}`);
    case "fork": return words(KEEP[maneuver.side] ?? KEEP.ahead);
    case "exit": return exit ? words("turn.exit_number", { number: exit }) : words("turn.exit");
    case "roundabout":
      return maneuver.exit_count ? words("turn.roundabout_exit", { number: maneuver.exit_count }) : words("turn.roundabout");
    case "arrive": return words("destination");
    default: return words("turn.continue");
  }
}

/** The maneuver with the road that it leads onto, where that has a name: Turn right onto Mill Lane. */
export function maneuverText(maneuver) {
  const road = maneuver.onto_road ?? maneuver.next_road;
  const name = road?.name || (road?.number ?? "").split(";")[0].trim();
  const turn = turnText(maneuver);
  return name && maneuver.action !== "arrive" ? words("guide.onto", { turn, road: name }) : turn;
}

/** Where an arrival is: the name of the stop and its side; `isLast` for the destination. */
export function arrivalText(name, side, isLast) {
  const place = name || words(isLast ? "destination" : "stop");
  return side === "left" || side === "right" ? words(`side.${side}`, { name: place }) : place;
}

const DIRECTIONS = ["north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest"];

/** A direction in degrees in words: to the north. */
export function directionText(bearing) {
  return words(`to.${DIRECTIONS[Math.round((((bearing % 360) + 360) % 360) / 45) % 8]}`);
}

/** 1.3 km to the southwest. */
export function wayText({ metres, bearing }) {
  return words("offroad.way", { distance: distance(metres).text, direction: directionText(bearing) });
}

/** Kinds of announcements that the page says without a maneuver, and what of it is shown elsewhere on the page anyway. */
const OCCASIONS = {
  off_road: "arrival.end", deviation: "offroute", reroute: "reroute.started", speed: "announce.speed", location_lost: "gps.lost",
  location_found: "gps.found", tunnel: "warning.tunnel", arrive: "arrival.done",
};

/**
 * An announcement as a caption: its own text where that is in the page's language, else what the page can say of it;
 * "" where that is nothing. `maneuver` is the one that it is about, or undefined.
 */
export function captionText(announcement, maneuver, language) {
  const spoken = String(announcement.language ?? "en").toLowerCase().split("-")[0];
  if (spoken === language) return announcement.text ?? "";
  if (maneuver && announcement.kind !== "continue") {
    if (maneuver.action === "arrive" && announcement.kind === "arrive") return words("arrival.done");
    const turn = maneuverText(maneuver);
    const metres = announcement.distance_m;
    return announcement.kind === "action" || !(metres > 0) ? turn : words("announce.in", { distance: distance(metres).text, turn });
  }
  if (announcement.kind === "continue") return words("turn.continue");
  return OCCASIONS[announcement.kind] ? words(OCCASIONS[announcement.kind]) : "";
}
