// What stands over the map while one is guided: the next maneuver with sign and lanes, speed and
// limit, and the bar with what is left. Drawn from scene/frame; the DOM is touched on change only.

import { distance, duration, escaped, speed as speedText, timeOfDay, zoneName } from "./format.js";
import { BUTTONS, bearingIcon, laneIcon, maneuverIcon } from "./icons.js";
import { compass } from "./offroad.js";

const byID = (id) => document.getElementById(id);
/** The maneuver after the next is named when it follows within this many metres. */
const THEN_M = 250;

export class Panel {
  constructor() {
    this.shown = new Map();
    byID("stop").innerHTML = BUTTONS.stop;
  }

  /** Sets an element's HTML where it differs from what is there. */
  html(id, content) {
    if (this.shown.get(id) === content) return;
    this.shown.set(id, content);
    byID(id).innerHTML = content;
  }

  show(id, isShown) { byID(id).hidden = !isShown; }

  /**
   * Draws the panel of a scene; `route` is the active route, or null. Past the end of the road `offRoad`
   * has what is left; `mapBearing` is the direction that is up on the screen.
   */
  draw(panel, route, offRoad, mapBearing) {
    if (route && offRoad.left) {
      this.drawOffRoad(offRoad, mapBearing);
      this.drawSpeed(panel);
      return;
    }
    const index = panel?.maneuver_index;
    const maneuver = index === undefined || index === null
      ? null : { ...route?.maneuvers?.[index], ...definedOnly(panel) };
    this.show("guide", Boolean(maneuver?.action));
    if (maneuver?.action) this.drawManeuver(maneuver, panel, route, index);
    this.drawSpeed(panel);
    this.drawBar(panel, route);
  }

  drawManeuver(maneuver, panel, route, index) {
    const leftHand = maneuver.next_road?.left_hand ?? false;
    this.html("guide-icon", maneuverIcon(maneuver, leftHand));
    const metres = panel.maneuver_remaining_m ?? 0;
    this.html("guide-distance", escaped(panel.maneuver_distance_text
      ?? `${distance(metres).number} ${distance(metres).unit}`));
    this.html("guide-road", roadText(maneuver));
    const sign = panel.signpost;
    const hasSign = Boolean(sign && (sign.exit_number || sign.destinations?.length || sign.road_numbers?.length));
    this.show("guide-sign", hasSign);
    if (hasSign) this.html("guide-sign", signText(sign));
    const lanes = panel.lanes ?? [];
    this.show("guide-lanes", lanes.length > 0);
    this.html("guide-lanes", lanes.map((lane) =>
      `<div class="lane${lane.recommendation && lane.recommendation !== "not_recommended" ? " use" : ""}">${laneIcon(lane)}</div>`).join(""));
    const next = route?.maneuvers?.[index + 1];
    const isClose = Boolean(next) && (maneuver.length_m ?? Infinity) <= THEN_M && maneuver.action !== "arrive";
    this.show("guide-then", isClose);
    if (isClose) this.html("guide-then", `Then ${maneuverIcon(next, leftHand)}`);
  }

  drawOffRoad({ name, left: { metres, bearing } }, mapBearing) {
    const { number, unit } = distance(metres);
    for (const id of ["guide-sign", "guide-lanes", "guide-then"]) this.show(id, false);
    this.html("guide-icon", bearingIcon(bearing - mapBearing));
    this.html("guide-distance", `${number} ${unit}`);
    this.html("guide-road", escaped(`${name || "Your destination"}, to the ${compass(bearing)}`));
    this.show("guide", true);
    this.html("bar-distance", number);
    this.html("bar-distance-label", unit);
    this.html("bar-time", "–");
    this.html("bar-eta", "–");
    this.html("bar-eta-label", "arrival");
    this.show("bar", true);
  }

  drawSpeed(panel) {
    const speed = panel?.speed_mps;
    const limit = panel?.speed_limit_mps;
    const has = (value) => value !== undefined && value !== null;
    this.show("speed", has(speed) || has(limit));
    this.html("speed-value", has(speed) ? speedText(speed).number : "–");
    this.html("speed-unit", speedText(0).unit);
    this.show("limit", has(limit));
    if (has(limit)) this.html("limit", limit > 0 ? speedText(limit).number : "0");
    byID("limit").classList.toggle("none", limit === 0);
    byID("speed").classList.toggle("over", has(speed) && limit > 0 && speed > limit + 5 / 3.6);
  }

  drawBar(panel, route) {
    const isGuiding = Boolean(route) && panel?.remaining_m !== undefined && panel?.remaining_m !== null;
    this.show("bar", isGuiding);
    if (!isGuiding) return;
    const left = distance(panel.remaining_m);
    this.html("bar-distance", left.number);
    this.html("bar-distance-label", left.unit);
    const time = duration(panel.remaining_s ?? 0);
    this.html("bar-time", time.number);
    this.html("bar-time-label", time.unit);
    this.html("bar-eta", panel.eta_ns ? timeOfDay(panel.eta_ns, panel.eta_utc_offset_s) : "–");
    this.html("bar-eta-label", panel.eta_zone_differs && panel.eta_zone ? `arrival, ${escaped(zoneName(panel.eta_zone))} time` : "arrival");
  }
}

function definedOnly(value) {
  return Object.fromEntries(Object.entries(value).filter(([, entry]) => entry !== null && entry !== undefined));
}

function shields(numbers) {
  return numbers.map((number) => `<span class="shield">${escaped(number)}</span>`).join("");
}

/** What the road is called after the maneuver; the instruction where it has no name. */
function roadText(maneuver) {
  const road = maneuver.next_road ?? maneuver.onto_road;
  const numbers = (road?.number ?? "").split(";").map((part) => part.trim()).filter(Boolean);
  if (maneuver.action === "arrive" || !(road?.name || numbers.length)) return escaped(maneuver.text ?? "");
  return shields(numbers) + escaped(road.name ?? "");
}

function signText(sign) {
  const exit = sign.exit_number ? `<span class="exit">Exit ${escaped(sign.exit_number)}</span>` : "";
  const places = (sign.destinations ?? []).map(escaped).join(" · ");
  return `${exit}${shields(sign.road_numbers ?? [])}<span>${places}</span>`;
}
