// The page's own pictures, drawn as SVG: maneuvers, lanes, buttons.

import { turnDeg } from "./geometry.js";
import { hasWords, listText, words } from "./words.js";

const svg = (box, content) =>
  `<svg viewBox="0 0 ${box} ${box}" fill="none" stroke="currentColor" stroke-linecap="round" stroke-linejoin="round">${content}</svg>`;

const RAD = Math.PI / 180;

/** Angles of the arrow for each grade of a turn; right is positive. */
const GRADES = {
  sharp_left: -135, left: -90, slight_left: -45, straight: 0, slight_right: 45, right: 90, sharp_right: 135,
};
const SIDES = { left: -1, right: 1, ahead: 0 };

/** The head of an arrow whose tip is at (x, y) and that points in a direction clockwise from up. */
function head(x, y, angle, size, width) {
  const wing = (turn) => {
    const a = (angle + 180 + turn) * RAD;
    return `${(x + size * Math.sin(a)).toFixed(1)} ${(y - size * Math.cos(a)).toFixed(1)}`;
  };
  return `<path d="M${wing(40)}L${x.toFixed(1)} ${y.toFixed(1)}L${wing(-40)}" stroke-width="${width}"/>`;
}

/** An arrow that comes from below, turns at the middle and leaves at an angle. */
function turnArrow(angle) {
  if (Math.abs(angle) < 8) return `<path d="M36 64V12" stroke-width="8"/>${head(36, 9, 0, 17, 8)}`;
  const sign = Math.sign(angle);
  const isSharp = Math.abs(angle) > 100;
  // The stem stands off to the side that the arrow leaves free.
  const [cx, cy] = [36 - sign * (isSharp ? 14 : 9), isSharp ? 20 : 32];
  const reach = isSharp ? 36 : 29;
  const x = cx + reach * Math.sin(angle * RAD);
  const y = cy - reach * Math.cos(angle * RAD);
  const at = (share) => `${(cx + (x - cx) * share).toFixed(1)} ${(cy + (y - cy) * share).toFixed(1)}`;
  const bend = isSharp ? 7 : 10;
  return `<path d="M${cx} 64V${cy + bend}Q${cx} ${cy} ${at(0.28)}L${at(1)}" stroke-width="8"/>${head(x, y, angle, 15, 8)}`;
}

function uTurn(sign) {
  const x = (value) => 36 + sign * value;
  return `<path d="M${x(-13)} 64V30A13 13 0 0 1 ${x(13)} 30V46" stroke-width="8" ${sign < 0 ? 'transform="translate(0 0)"' : ""}/>${head(x(13), 50, 180, 15, 8)}`
    .replace("A13 13 0 0 1", `A13 13 0 0 ${sign > 0 ? 1 : 0}`);
}

function fork(sign) {
  const faint = '<path d="M36 64V40Q36 34 40 29L52 14" stroke-width="8" opacity=".35"/>';
  const mirrored = (content) => `<g transform="translate(72 0) scale(-1 1)">${content}</g>`;
  if (sign === 0) return `${faint}${mirrored(faint)}${turnArrow(0)}`;
  const arrow = `<path d="M36 64V42Q36 36 40 31L52 15" stroke-width="8"/>${head(53, 13, 38, 16, 8)}`;
  return sign > 0 ? mirrored(faint) + arrow : faint + mirrored(arrow);
}

function exitArrow(sign) {
  const content = `<path d="M26 64V10" stroke-width="8" opacity=".35"/><path d="M26 64V48Q26 38 34 32L54 17" stroke-width="8"/>${head(56, 15, 52, 16, 8)}`;
  return sign < 0 ? `<g transform="translate(72 0) scale(-1 1)">${content}</g>` : content;
}

function mergeArrow(sign) {
  const content = `<path d="M46 64V12" stroke-width="8" opacity=".35"/><path d="M22 64V52Q22 44 32 38T46 24V14" stroke-width="8"/>${head(46, 10, 0, 16, 8)}`;
  return sign < 0 ? `<g transform="translate(72 0) scale(-1 1)">${content}</g>` : content;
}

/**
 * How a roundabout is driven: `turn` is the direction in which it is left, clockwise from that of the entry (-180 to 180),
 * `arc` the degrees driven on the ring, `isClockwise` whether the ring is driven clockwise.
 */
export function roundaboutShape(maneuver, isLeftHand = false) {
  const driven = maneuver.roundabout_angle_deg ?? (isLeftHand ? -180 : 180);
  const isClockwise = driven < 0;
  // A whole turn has an end beside its beginning.
  const arc = Math.min(Math.max(Math.abs(driven), RING_GAP), 360 - RING_GAP);
  return { turn: turnDeg(0, (isClockwise ? -1 : 1) * (180 - arc)), arc, isClockwise };
}

const RING_GAP = 12;

function roundabout(maneuver, isLeftHand) {
  const { turn, arc, isClockwise } = roundaboutShape(maneuver, isLeftHand);
  const [cx, cy, r] = [36, 33, 14];
  const at = (radius) => [cx + radius * Math.sin(turn * RAD), cy - radius * Math.cos(turn * RAD)];
  const [x1, y1] = at(r);
  const [x2, y2] = at(r + 14);
  const ring = `A${r} ${r} 0 ${arc > 180 ? 1 : 0} ${isClockwise ? 1 : 0} ${x1.toFixed(1)} ${y1.toFixed(1)}`;
  return `<circle cx="${cx}" cy="${cy}" r="${r}" stroke-width="7" opacity=".35"/>
    <path d="M${cx} 68V${cy + r}${ring}L${x2.toFixed(1)} ${y2.toFixed(1)}" stroke-width="7"/>${head(x2, y2, turn, 12, 7)}
    <text x="${cx}" y="${cy + 6}" text-anchor="middle" font-size="17" font-weight="700" fill="currentColor" stroke="none">${maneuver.exit_count ?? ""}</text>`;
}

const ARRIVE = `<path d="M36 66S60 42 60 27A24 24 0 1 0 12 27C12 42 36 66 36 66Z" stroke-width="7"/><circle cx="36" cy="27" r="8" fill="currentColor" stroke="none"/>`;
const FERRY = `<path d="M12 44H60L52 58H20ZM20 44V30H46L54 44M30 30V18" stroke-width="6"/><path d="M10 66Q18 60 24 66T38 66T52 66T62 64" stroke-width="4"/>`;

/** The picture of a maneuver as it came over the wire. */
export function maneuverIcon(maneuver, isLeftHand = false) {
  const side = SIDES[maneuver.side] ?? 0;
  switch (maneuver.action) {
    case "turn": return svg(72, turnArrow(GRADES[maneuver.grade] ?? maneuver.turn_angle_deg ?? 0));
    case "u_turn": return svg(72, uTurn(side || (isLeftHand ? 1 : -1)));
    case "fork": return svg(72, fork(side));
    case "exit": return svg(72, exitArrow(side || 1));
    case "ramp": return svg(72, exitArrow(side || 1));
    case "merge": return svg(72, mergeArrow(side || 1));
    case "roundabout":
      return svg(72, roundabout(maneuver, isLeftHand));
    case "arrive": return svg(72, ARRIVE);
    case "ferry": return svg(72, FERRY);
    default: return svg(72, turnArrow(0));
  }
}

/** An arrow in a direction on the screen, clockwise from up; in steps of 5 degrees, so that it is redrawn seldom. */
export function bearingIcon(angle) {
  const steps = ((Math.round(angle / 5) * 5) % 360 + 360) % 360;
  return svg(72, `<g transform="rotate(${steps} 36 36)">${turnArrow(0)}</g>`);
}

/** OSM's turn:lanes words in the grades of a turn. */
const LANE_ANGLES = {
  sharp_left: -130, left: -90, slight_left: -40, through: 0, straight: 0, none: 0, slight_right: 40, right: 90,
  sharp_right: 130, merge_to_left: -30, merge_to_right: 30,
};

/** The arrows of one lane, one over the other: the one to follow is lit and lies on top, all of a lane that has none. */
export function laneIcon(lane) {
  const words = lane.directions?.length ? lane.directions : ["none"];
  const dim = words.filter((word) => lane.active && word !== lane.active);
  const lit = words.filter((word) => !dim.includes(word));
  return `<svg viewBox="0 0 40 48" fill="none" stroke="currentColor" stroke-linecap="round" stroke-linejoin="round">${
    dim.length > 0 ? `<g class="dim">${dim.map(laneArrow).join("")}</g>` : ""}${lit.map(laneArrow).join("")}</svg>`;
}

function laneArrow(word) {
  if (word === "reverse" || word === "u_turn") {
    return `<path d="M25 44V22A6 6 0 0 0 13 22V30" stroke-width="5"/>${head(13, 33, 180, 8, 5)}`;
  }
  const angle = LANE_ANGLES[word] ?? 0;
  if (angle === 0) return `<path d="M20 44V10" stroke-width="5"/>${head(20, 7, 0, 10, 5)}`;
  const [x, y] = [20 + 13 * Math.sin(angle * RAD), 24 - 13 * Math.cos(angle * RAD)];
  return `<path d="M20 44V30Q20 24 ${(20 + (x - 20) * 0.4).toFixed(1)} ${(24 + (y - 24) * 0.4).toFixed(1)}L${x.toFixed(1)} ${y.toFixed(1)}" stroke-width="5"/>${head(x, y, angle, 9, 5)}`;
}

const LANE_MARKS = { bus: "bus", psv: "bus", taxi: "taxi", bicycle: "bicycle" };

/** Whom a lane is reserved for, as it is painted on the road; nothing for all. */
export function laneMark(lane) {
  const mark = (word) => (word === "hov" ? "◇" : LANE_MARKS[word] && words(`lane.${LANE_MARKS[word]}`));
  return [...new Set((lane.access ?? []).map(mark).filter(Boolean))].join(" ");
}

const LANE_WORDS = { none: "straight", through: "straight", reverse: "u_turn", merge_to_left: "slight_left", merge_to_right: "slight_right" };

/** The lanes in words, for those who do not see them: those to take and their arrow. */
export function laneText(lanes) {
  const use = lanes.map((lane, index) => ({ lane, number: index + 1 })).filter(({ lane }) => isUsed(lane));
  if (use.length === 0) return words("lanes.all", { count: lanes.length });
  const text = words("lanes.use", { lanes: listText(use.map(({ number }) => String(number))), total: lanes.length, count: use.length });
  const arrow = use[0].lane.active;
  const key = `direction.${LANE_WORDS[arrow] ?? arrow}`;
  return arrow && hasWords(key) ? words("lanes.way", { lanes: text, direction: words(key) }) : text;
}

/** Whether a lane leads to the next maneuver. */
export function isUsed(lane) { return Boolean(lane.recommendation) && lane.recommendation !== "not_recommended"; }

export const BUTTONS = {
  fleet: svg(26, '<path d="M4 7H22M4 13H22M4 19H22" stroke-width="2.4"/>'),
  overview: svg(26, '<path d="M4 20C8 6 12 24 16 12S22 6 22 6" stroke-width="2.4"/><circle cx="4" cy="20" r="2" fill="currentColor" stroke="none"/><circle cx="22" cy="6" r="2" fill="currentColor" stroke="none"/>'),
  flow: svg(26, '<path d="M8 23L10.5 3M18 23L15.5 3" stroke-width="2.2"/><path d="M13 5V8" stroke="#2f9e5b" stroke-width="3"/><path d="M13 11.5V14.5" stroke="#f0a020" stroke-width="3"/><path d="M13 18V22" stroke="#e5484d" stroke-width="3.4"/>'),
  north: svg(26, '<path d="M13 3L18 13H8Z" fill="#e5484d" stroke="none"/><path d="M13 23L8 13H18Z" fill="currentColor" stroke="none"/>'),
  recentre: svg(26, '<path d="M13 3L21 22L13 18L5 22Z" fill="currentColor" stroke="none"/>'),
  find: svg(26, '<circle cx="11.5" cy="11.5" r="7" stroke-width="2.6"/><path d="M17 17L23 23" stroke-width="2.8"/>'),
  star: svg(26, '<path d="M13 3.5L15.9 9.8L22.8 10.6L17.7 15.3L19.1 22.1L13 18.7L6.9 22.1L8.3 15.3L3.2 10.6L10.1 9.8Z" stroke-width="1.8"/>'),
  starred: svg(26, '<path d="M13 3.5L15.9 9.8L22.8 10.6L17.7 15.3L19.1 22.1L13 18.7L6.9 22.1L8.3 15.3L3.2 10.6L10.1 9.8Z" stroke-width="1.8" fill="#f2a71b" stroke="#c97f00"/>'),
  sound: svg(26, '<path d="M4 10V16H8L14 21V5L8 10Z" fill="currentColor" stroke-width="1.6"/><path d="M17.5 9.5Q20 13 17.5 16.5M20.5 6.5Q25 13 20.5 19.5" stroke-width="2.2"/>'),
  muted: svg(26, '<path d="M4 10V16H8L14 21V5L8 10Z" fill="currentColor" stroke-width="1.6"/><path d="M17.5 10L23.5 16M23.5 10L17.5 16" stroke-width="2.2"/>'),
  repeat: svg(26, '<path d="M5 13A8 8 0 1 1 8 19.2" stroke-width="2.4"/><path d="M2.4 9.8L5 13.4L8.6 10.8" stroke-width="2.4"/>'),
  more: svg(26, '<path d="M7 10L13 16L19 10" stroke-width="2.6"/>'),
  settings: svg(26, '<path d="M4 8H13M19 8H22M4 18H7M13 18H22" stroke-width="2.4"/><circle cx="16" cy="8" r="3" stroke-width="2.2"/><circle cx="10" cy="18" r="3" stroke-width="2.2"/>'),
  stop: svg(20, '<path d="M4 4L16 16M16 4L4 16" stroke-width="2.6"/>'),
};
