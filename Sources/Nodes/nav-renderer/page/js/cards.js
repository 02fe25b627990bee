// The rectangles of the cards over the map.

import { byID } from "./dom.js";

const CARDS = [
  "search", "preview", "incident", "stops", "paused", "simulation", "settings", "guide", "maneuvers", "caption", "signal", "banner", "junction", "speed",
  "road", "bar", "beyond",
  "fleet", "find", "flow", "set", "repeat", "sound", "overview", "north", "recentre",
];

export function measureCards() {
  return [...CARDS.map(byID), ...byID("warnings").children]
    .filter((element) => element.offsetParent !== null).map((element) => element.getBoundingClientRect());
}
