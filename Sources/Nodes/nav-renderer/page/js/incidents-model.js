// Traffic incidents for the page: kinds in pictures and words, the facts of a card, and which one is next. Knows no DOM.

import { distance, duration, timeOfDay } from "./format.js";
import { distanceM } from "./geometry.js";
import { box, danger, ink, mark, pen, place } from "./warning-signs.js";
import { language, listText, words } from "./words.js";

const CAR = "M10.5 22.5H21.5V19.6L19.6 16.6H12.4L10.5 19.6ZM12.6 22.5V24.2M19.4 22.5V24.2";
/** The picture of each kind of the contract. */
const KINDS = {
  accident: danger(`<path d="M9.5 22.5H16V20.4L14.4 18.4H11L9.5 20.4ZM17 22.5H23V20.4L21.6 18.4H18.4L17 20.4ZM16 11V14M12.6 12.6L14 14.6M19.4 12.6L18 14.6" ${pen(1.7)}/>`),
  congestion: danger(`<path d="M12 25H20V22.4L18.6 20.6H13.4L12 22.4ZM13 18.6H19V17L18 15.6H14L13 17ZM14 13.4H18V12.4L17.4 11.6H14.6L14 12.4Z" ${pen(1.7)}/>`),
  construction: danger(`<circle cx="14.4" cy="12.6" r="1.7" fill="#1b1b1b"/><path d="M10.4 25L13 20.6L12.6 16.4L16 19L19.6 21M12.6 16.4L17 15.4M13 20.6L15.6 25M18.4 25H24Q22 20.8 19.6 22.6" ${pen(1.9)}/>`),
  road_closed: box('<circle cx="16" cy="16" r="13" fill="#d8232a" stroke="#fff" stroke-width="2"/><path d="M9 16H23" stroke="#fff" stroke-width="5"/>'),
  lane_restriction: danger(`<path d="M13 25V13M13 13L11 15.6M13 13L15 15.6M19.5 25V18M16.8 18H22.2" ${ink}/>`),
  vehicle_broken_down: danger(`<path d="${CAR}M16 10.4V13.6" ${pen(1.9)}/>`),
  obstacle: danger('<path d="M9.6 24.6L11.8 19.4L15 17.2L18.6 19L21 18.4L22.6 24.6Z" fill="#1b1b1b"/>'),
  weather: danger(`<path d="M12 20H20A2.5 2.5 0 0 0 19.8 15.2A4.2 4.2 0 0 0 11.8 15.8A2.2 2.2 0 0 0 12 20ZM12.6 22.4L11.8 24.6M16.4 22.4L15.6 24.6M20.2 22.4L19.4 24.6" ${pen(1.8)}/>`),
  event: place(`<path d="M7.5 10H24.5V24.5H7.5ZM7.5 14.5H24.5M12 7.5V11.5M20 7.5V11.5M16 17V22M13.5 19.5H18.5" ${mark}/>`),
  other: danger(`<path d="M16 12V19M16 23V23.2" ${ink}/>`),
};

/** All kinds of the contract. */
export const INCIDENT_KINDS = Object.keys(KINDS);

/** The kind whose picture and words a kind has: one that is not known here is an incident. */
export function knownKind(kind) { return Object.hasOwn(KINDS, kind) ? kind : "other"; }

export function incidentSign(kind) { return KINDS[knownKind(kind)]; }
export function incidentName(kind) { return words(`incident.${knownKind(kind)}`); }

const has = (value) => value !== undefined && value !== null;

/**
 * The facts of an incident's card as [name, text], the name "" for a fact that needs none; `nowNs` is the stack's time and `offsetS` its clock's distance from UTC,
 * both null where they are not known.
 */
export function incidentFacts(incident, nowNs, offsetS) {
  const facts = [];
  if (incident.closed && incident.kind !== "road_closed") facts.push(["", words("incident.road_closed")]);
  if (incident.delay_s > 0) facts.push([words("incident.delay"), duration(incident.delay_s).text]);
  if (incident.length_m > 0) facts.push([words("incident.length"), distance(incident.length_m).text]);
  if (has(incident.from_ns)) facts.push([words("incident.from"), moment(incident.from_ns, nowNs, offsetS)]);
  if (has(incident.until_ns)) facts.push([words("incident.until"), moment(incident.until_ns, nowNs, offsetS)]);
  return facts;
}

const DAY_NS = 86_400e9;

/** The time of day, with the date where it is another day. */
function moment(ns, nowNs, offsetS) {
  const time = timeOfDay(ns, offsetS);
  const day = (value) => Math.floor((value + (offsetS ?? 0) * 1e9) / DAY_NS);
  if (has(nowNs) && day(ns) === day(nowNs)) return time;
  const date = new Intl.DateTimeFormat(language(), { day: "numeric", month: "short", timeZone: "UTC" }).format(new Date(ns / 1e6 + (offsetS ?? 0) * 1000));
  return listText([date, time]);
}

/** The incident after the one named `name` in the order of their distances from `at` ([lon, lat]); null for none. */
export function nextIncident(incidents, at, name) {
  const far = ({ lon_deg: lon, lat_deg: lat }) => distanceM(at, [lon, lat]);
  const inOrder = [...incidents].sort((a, b) => far(a) - far(b));
  const index = inOrder.findIndex((incident) => incident.name === name);
  return inOrder[(index + 1) % inOrder.length] ?? null;
}
