// The cards of guidance: the next maneuver with sign and lanes, speed and
// limit, and the bar with what is left. Drawn from scene/frame; the DOM is touched on change only.

import { distance, duration, escaped, speed as speedText, timeOfDay, zoneName } from "./format.js";
import { BUTTONS, bearingIcon, isUsed, laneIcon, laneMark, laneText, maneuverIcon } from "./icons.js";
import { compass } from "./offroad.js";
import { speedSign } from "./speed-sign.js";
import { delayAhead } from "./traffic.js";

const byID = (id) => document.getElementById(id);
/** The maneuver after the next is named when it follows within this many metres. */
const THEN_M = 250;
const EMPTY_SIGN = "<span></span>";
/** Beyond the limit by more than this, the whole card warns. */
const FAR_OVER_MPS = 20 / 3.6;

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

  /** Names a picture for those who do not see it. */
  name(id, text) {
    byID(id).setAttribute("role", "img");
    byID(id).setAttribute("aria-label", text);
  }

  show(id, isShown) { byID(id).hidden = !isShown; }

  /**
   * Draws the panel of a scene; `route` is the active route, or null. Past the end of the road `offRoad`
   * has what is left, beside the route `offRoute` has the way back; `mapBearing` is the direction that is up on the
   * screen, `speedState` the last guidance/speed, `country` that of the road.
   */
  draw(panel, route, { offRoad, offRoute, mapBearing, speedState, country }) {
    this.drawSpeed(panel, speedState, speedSign(country));
    if (route && offRoad.left) {
      this.drawOffRoad(offRoad, mapBearing);
      return;
    }
    if (route && offRoute.left) {
      this.drawOffRoute(offRoute.left, mapBearing);
      return;
    }
    const index = panel?.maneuver_index;
    const maneuver = index === undefined || index === null
      ? null : { ...route?.maneuvers?.[index], ...definedOnly(panel) };
    this.show("guide", Boolean(maneuver?.action));
    if (maneuver?.action) this.drawManeuver(maneuver, panel, route, index);
    this.drawBar(panel, route);
  }

  drawManeuver(maneuver, panel, route, index) {
    const leftHand = maneuver.next_road?.left_hand ?? false;
    this.html("guide-icon", maneuverIcon(maneuver, leftHand));
    this.name("guide-icon", maneuver.text ?? "");
    const metres = panel.maneuver_remaining_m ?? 0;
    this.html("guide-distance", escaped(panel.maneuver_distance_text
      ?? `${distance(metres).number} ${distance(metres).unit}`));
    this.html("guide-road", roadText(maneuver, route));
    const sign = panel.signpost;
    const text = sign ? signText(sign, maneuver) : EMPTY_SIGN;
    this.show("guide-sign", text !== EMPTY_SIGN);
    this.html("guide-sign", text);
    const lanes = panel.lanes ?? [];
    this.show("guide-lanes", lanes.length > 0);
    this.html("guide-lanes", lanes.map((lane) => {
      const mark = laneMark(lane);
      return `<div class="lane${isUsed(lane) ? " use" : ""}" data-level="${escaped(lane.recommendation ?? "")}" data-active="${
        escaped(lane.active ?? "")}">${laneIcon(lane)}${mark && `<span>${mark}</span>`}</div>`;
    }).join(""));
    this.name("guide-lanes", lanes.length > 0 ? laneText(lanes) : "");
    const next = route?.maneuvers?.[index + 1];
    const isClose = Boolean(next) && (maneuver.length_m ?? Infinity) <= THEN_M && maneuver.action !== "arrive";
    this.show("guide-then", isClose);
    if (!isClose) return;
    const after = distance(maneuver.length_m ?? 0);
    this.html("guide-then", `Then ${maneuverIcon(next, leftHand)} <span>${after.number} ${after.unit}</span>`);
    byID("guide-then").setAttribute("aria-label", `Then, after ${after.number} ${after.unit}: ${next.text ?? ""}`);
  }

  drawOffRoad({ name, left: { metres, bearing } }, mapBearing) {
    const { number, unit } = distance(metres);
    for (const id of ["guide-sign", "guide-lanes", "guide-then"]) this.show(id, false);
    this.html("guide-icon", bearingIcon(bearing - mapBearing));
    this.html("guide-distance", `${number} ${unit}`);
    this.html("guide-road", escaped(`${name || "Your destination"}, to the ${compass(bearing)}`));
    this.show("guide", true);
    this.name("guide-icon", `To the ${compass(bearing)}`);
    this.drawUnknownArrival(number, unit);
  }

  drawOffRoute({ metres, bearing }, mapBearing) {
    for (const id of ["guide-sign", "guide-lanes", "guide-then"]) this.show(id, false);
    const { number, unit } = distance(metres ?? 0);
    this.html("guide-icon", bearing === null ? maneuverIcon({ action: "u_turn" }) : bearingIcon(bearing - mapBearing));
    this.name("guide-icon", bearing === null ? "Off the route" : `The route lies to the ${compass(bearing)}`);
    this.html("guide-distance", metres === null ? "–" : `${number} ${unit}`);
    this.html("guide-road", "Off the route");
    this.show("guide", true);
    this.drawUnknownArrival("–", "");
  }

  /** The bar while nobody knows how long the way is. */
  drawUnknownArrival(number, unit) {
    this.html("bar-distance", number);
    this.html("bar-distance-label", unit);
    this.html("bar-time", "–");
    this.html("bar-eta", "–");
    this.html("bar-eta-label", "arrival");
    this.show("bar", true);
  }

  drawSpeed(panel, speedState, { form, caption }) {
    const speed = panel?.speed_mps;
    const limit = panel?.speed_limit_mps;
    const has = (value) => value !== undefined && value !== null;
    this.show("speed", has(speed) || has(limit) || this.hasMoved);
    this.hasMoved ||= has(speed);
    this.html("speed-value", has(speed) ? speedText(speed).number : "–");
    this.html("speed-unit", speedText(0).unit);
    this.show("limit", has(limit));
    const text = limit > 0 ? speedText(limit).number : "0";
    if (has(limit)) this.html("limit", caption ? `<small>${caption}</small>${text}` : text);
    byID("limit").dataset.form = form;
    byID("limit").classList.toggle("none", limit === 0);
    byID("limit").classList.toggle("long", text.length > 2);
    this.name("limit", limit === 0 ? "No speed limit" : `Speed limit ${text} ${speedText(0).unit}`);
    // Whether it is too fast is for guidance to say: it knows the tolerance, and the voice warns by the same.
    const isOver = has(speed) && speedState?.exceeded === true && limit > 0;
    byID("speed").classList.toggle("over", isOver);
    byID("speed").classList.toggle("far", isOver && speed > limit + FAR_OVER_MPS);
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
    const delay = delayAhead(route.spans, route.length_m - panel.remaining_m);
    const isLate = delay !== null && delay.seconds >= 60;
    const late = isLate ? duration(delay.seconds) : null;
    this.html("bar-time-label", isLate
      ? `${time.unit} <span class="delay ${delay.colour}">+${late.number} ${late.unit}</span>` : time.unit);
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

/** The numbers of a road, one for each sign. */
function numbersOf(road) {
  return (road?.number ?? "").split(";").map((part) => part.trim()).filter(Boolean);
}

/** What the road is called after the maneuver; the place that is arrived at; the instruction where there is no name. */
function roadText(maneuver, route) {
  if (maneuver.action === "arrive" && route?.off_road_lat_deg === undefined) {
    const name = route?.waypoints?.[(maneuver.section ?? 0) + 1]?.original?.name || "Your destination";
    const side = { left: ", on the left", right: ", on the right" }[maneuver.arrival_side] ?? "";
    return escaped(name + side);
  }
  const road = maneuver.next_road ?? maneuver.onto_road;
  const numbers = numbersOf(road);
  if (maneuver.action === "arrive" || !(road?.name || numbers.length)) return escaped(maneuver.text ?? "");
  return shields(numbers) + escaped(road.name ?? "");
}

/** The signpost, without what the line above it says already. */
function signText(sign, maneuver) {
  const road = maneuver.next_road ?? maneuver.onto_road;
  const said = new Set([...numbersOf(road), road?.name ?? ""]);
  const exit = sign.exit_number ? `<span class="exit">Exit ${escaped(sign.exit_number)}</span>` : "";
  const numbers = (sign.road_numbers ?? []).flatMap((text) => numbersOf({ number: text })).filter((one) => !said.has(one));
  const places = (sign.destinations ?? []).filter((one) => !said.has(one)).map(escaped).join(" · ");
  return `${exit}${shields(numbers)}<span>${places}</span>`;
}
