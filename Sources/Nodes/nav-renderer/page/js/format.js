// Numbers as one prints them, in the page's units and language.

import { language, numberText, unitText, words } from "./words.js";

const UNITS = {
  metric: { small: "meter", perMetre: 1, great: "kilometer", metres: 1000, speed: "kilometer-per-hour", perMps: 3.6 },
  imperial_us: { small: "foot", perMetre: 1 / 0.3048, great: "mile", metres: 1609.344, speed: "mile-per-hour", perMps: 2.23694 },
  imperial_uk: { small: "yard", perMetre: 1 / 0.9144, great: "mile", metres: 1609.344, speed: "mile-per-hour", perMps: 2.23694 },
};
export const UNIT_NAMES = Object.keys(UNITS);
let units = UNITS.metric;

/** The units in which everything is printed from now on. */
export function setUnits(name) { units = UNITS[name] ?? UNITS.metric; }

/** Number and unit, apart and as one text. */
function figure(number, unit) { return { number, unit, text: `${number} ${unit}` }; }

/** Metres as people read them: 20 m, 350 m, 1.2 km, 34 km; by the rules of the stack's own texts. */
export function distance(metres) {
  const count = metres * units.perMetre;
  const step = count < 300 ? 10 : 50;
  const rounded = Math.round(count / step) * step;
  if (rounded < 1000) return figure(numberText(rounded), unitText(rounded, units.small));
  const great = metres / units.metres;
  const digits = great < 9.95 ? 1 : 0;
  return figure(numberText(great, { minimumFractionDigits: digits, maximumFractionDigits: digits }), unitText(great, units.great));
}

/** Whether a distance is printed as zero. */
export function isNothing(metres) { return Math.round(metres * units.perMetre / 10) === 0; }

/** Seconds as minutes or hours: 4 min, 1:05 h. */
export function duration(seconds) {
  const minutes = Math.max(seconds > 0 ? 1 : 0, Math.round(seconds / 60));
  if (minutes < 60) return figure(numberText(minutes), words("unit.minute"));
  return figure(
    `${numberText(Math.floor(minutes / 60))}:${numberText(minutes % 60, { minimumIntegerDigits: 2 })}`, words("unit.hour"));
}

/** The time of day of an instant in nanoseconds by a clock `offsetS` seconds ahead of UTC; without it, where the browser is. */
export function timeOfDay(nanoseconds, offsetS) {
  const known = offsetS !== undefined && offsetS !== null;
  const clock = new Intl.DateTimeFormat(language(), {
    hour: "2-digit", minute: "2-digit", hourCycle: "h23", ...(known && { timeZone: "UTC" }),
  });
  return clock.format(new Date(nanoseconds / 1e6 + (known ? offsetS * 1000 : 0)));
}

/** The place of a time zone's IANA name: Ho Chi Minh for Asia/Ho_Chi_Minh; UTC+3 for Etc/GMT-3. */
export function zoneName(zone) {
  const nautical = /^Etc\/GMT([+-]?)(\d*)$/.exec(zone);
  if (nautical) return nautical[2] ? `UTC${nautical[1] === "-" ? "+" : "−"}${nautical[2]}` : "UTC";
  return zone.slice(zone.lastIndexOf("/") + 1).replaceAll("_", " ");
}

/** Metres a second as a whole number, and the unit of it. */
export function speed(metresPerSecond) {
  const count = Math.round(metresPerSecond * units.perMps);
  return figure(numberText(count), unitText(count, units.speed));
}

const ESCAPES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** Text that may stand in HTML. */
export function escaped(text) { return String(text).replace(/[&<>"']/g, (c) => ESCAPES[c]); }
