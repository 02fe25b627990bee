// The picture and the words of each kind of warning.

import { speed } from "./format.js";
import { words } from "./words.js";

export const box = (content) => `<svg viewBox="0 0 32 32" fill="none" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${content}</svg>`;
export const pen = (width) => `stroke="#1b1b1b" stroke-width="${width}"`;
export const ink = pen(2.2);

/** A danger sign: red triangle on white. */
export const danger = (content) =>
  box(`<path d="M16 3.5L29.5 27.5H2.5Z" fill="#fff" stroke="#d8232a" stroke-width="3.2"/>${content}`);
/** A rule: red ring on white. */
const rule = (content) => box(`<circle cx="16" cy="16" r="12.6" fill="#fff" stroke="#d8232a" stroke-width="3.4"/>${content}`);
/** A place: white on blue. */
export const place = (content) => box(`<rect x="3" y="3" width="26" height="26" rx="5" fill="#1d56b8"/>${content}`);
export const mark = 'stroke="#fff" stroke-width="2.4"';

/** The picture of each kind. */
const SIGNS = {
  safety_camera: place(`<path d="M8 12H19V20H8ZM19 15L24 12.5V19.5L19 17" ${mark}/>`),
  road_sign: place(`<path d="M16 7V25M9 7H23V14H9Z" ${mark}/>`),
  school_zone: danger(`<circle cx="13" cy="14" r="1.8" fill="#1b1b1b"/><circle cx="19.4" cy="15.4" r="1.5" fill="#1b1b1b"/><path d="M13 17V21L11.4 25M13 21L15 25M13 18L19 19M19.4 18V21.5L18.4 25M19.4 21.5L21 25" ${ink}/>`),
  railway_crossing: danger(`<path d="M10.5 24V16M16 24V14.5M21.5 24V16M8.5 18.5H23.5M8.5 22H23.5" ${ink}/>`),
  border: place(`<path d="M10 6V26M10 7H23L19.5 11L23 15H10" ${mark}/>`),
  toll_stop: place(`<path d="M8 24H24M10 24V13H22V24M7 13H25M16 8V9" ${mark}/>`),
  traffic_merge: danger(`<path d="M16 25V13M16 13L13.6 16M16 13L18.4 16M21.5 25V22Q21.5 19.5 17 18" ${ink}/>`),
  lane_decrease: danger(`<path d="M13 25V13M13 13L11 15.6M13 13L15 15.6M19.5 25V21L15.6 18.6" ${ink}/>`),
  danger_zone: danger(`<path d="M16 12V19M16 23V23.2" ${ink}/>`),
  low_speed_zone: rule(`<path d="M10 19A6.4 6.4 0 0 1 22 19M16 19L12.4 15.4" ${ink}/>`),
  environmental_zone: rule(`<path d="M11 21Q10 11 22 10.5Q22 21 12.5 20.5M11 22.5Q13 17 17.5 14.5" stroke="#2f7d32" stroke-width="2.2"/>`),
  truck_restriction: rule(`<path d="M7.5 12H17V20H7.5ZM17 14.5H21.5L24 17.5V20H17" ${ink}/><circle cx="11" cy="21" r="1.7" fill="#1b1b1b"/><circle cx="20.5" cy="21" r="1.7" fill="#1b1b1b"/>`),
  incident: danger(`<path d="M9.5 22.5H16V20.4L14.4 18.4H11L9.5 20.4ZM17 22.5H23V20.4L21.6 18.4H18.4L17 20.4ZM16 11V14M12.6 12.6L14 14.6M19.4 12.6L18 14.6" ${pen(1.7)}/>`),
  jam_end: danger(`<path d="M12 24.5H20V21.8L18.6 19.8H13.4L12 21.8ZM13 17.8H19V16L18 14.6H14L13 16Z" ${pen(1.8)}/>`),
  traffic_signals: danger(`<rect x="13" y="11" width="6" height="14" rx="2.6" fill="#1b1b1b"/><circle cx="16" cy="13.6" r="1.6" fill="#e5484d"/><circle cx="16" cy="18" r="1.6" fill="#f0b429"/><circle cx="16" cy="22.4" r="1.6" fill="#2f9e5b"/>`),
  stop: box('<path d="M10.6 3H21.4L29 10.6V21.4L21.4 29H10.6L3 21.4V10.6Z" fill="#d8232a" stroke="#fff" stroke-width="1.6"/><path d="M9 16H23" stroke="#fff" stroke-width="4.4"/>'),
  give_way: box('<path d="M3 5H29L16 28Z" fill="#fff" stroke="#d8232a" stroke-width="3.6"/>'),
  speed_bump: danger(`<path d="M8 23.5H11.5Q13 18 16 18T20.5 23.5H24" ${ink}/>`),
  sharp_bend: danger(`<path d="M12.5 25V20Q12.5 16 19.5 16V13M19.5 12L17 14.8M19.5 12L22 14.8" ${ink}/>`),
  speed_limit: rule(`<path d="M11 20.5V12.5L8.6 14.4M19 12A2.8 4.2 0 1 1 18.9 12" ${ink}/>`),
  custom: place(`<path d="M16 26S23.5 18.6 23.5 13.4A7.5 7.5 0 1 0 8.5 13.4C8.5 18.6 16 26 16 26Z" ${mark}/><circle cx="16" cy="13.4" r="1.8" fill="#fff"/>`),
  other: danger(`<path d="M16 12V19M16 23V23.2" ${ink}/>`),
  tunnel: place(`<path d="M6 25V17A10 9.4 0 0 1 26 17V25M11 25V18.4A5 5 0 0 1 21 18.4V25M16 21V25" ${mark}/>`),
};

/** Kinds whose text says all by itself; of others it is a detail behind the name. */
const TEXT_ALONE = new Set(["incident", "custom", "other"]);

/** All kinds of the contract. */
export const WARNING_KINDS = Object.keys(SIGNS);

/** The picture of a kind; a kind that is not known here is a hazard. */
export function warningSign(kind) { return SIGNS[kind] ?? SIGNS.other; }

/** What a warning says, without its distance. */
export function warningText({ kind, text, limit_mps: limit }) {
  const name = words(`warning.${Object.hasOwn(SIGNS, kind) ? kind : "other"}`);
  const limited = limit > 0 ? words("warnings.limit", { name, speed: speed(limit).text }) : name;
  if (!text) return limited;
  // The text of a place where lanes end is the number of lanes that go on.
  if (kind === "lane_decrease") return words("warnings.lanes", { name, count: Number(text) || 0 });
  if (TEXT_ALONE.has(kind)) return text;
  const detailed = words("warnings.detail", { name, text });
  return limit > 0 ? words("warnings.limit", { name: detailed, speed: speed(limit).text }) : detailed;
}
