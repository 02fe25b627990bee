// Numbers as one prints them.

const UNITS = {
  metric: { small: "m", perMetre: 1, great: "km", metres: 1000, speed: "km/h", perMps: 3.6 },
  imperial_us: { small: "ft", perMetre: 1 / 0.3048, great: "mi", metres: 1609.344, speed: "mph", perMps: 2.23694 },
  imperial_uk: { small: "yd", perMetre: 1 / 0.9144, great: "mi", metres: 1609.344, speed: "mph", perMps: 2.23694 },
};
let units = UNITS.metric;

/** The units in which everything is printed from now on. */
export function setUnits(name) { units = UNITS[name] ?? UNITS.metric; }

/** Metres as people read them: 20 m, 350 m, 1.2 km, 34 km; by the rules of the stack's own texts. */
export function distance(metres) {
  const count = metres * units.perMetre;
  const step = count < 300 ? 10 : 50;
  const rounded = Math.round(count / step) * step;
  if (rounded < 1000) return { number: `${rounded}`, unit: units.small };
  const great = metres / units.metres;
  return { number: great < 9.95 ? great.toFixed(1) : `${Math.round(great)}`, unit: units.great };
}

/** Seconds as minutes or hours: 4 min, 1:05 h. */
export function duration(seconds) {
  const minutes = Math.max(seconds > 0 ? 1 : 0, Math.round(seconds / 60));
  if (minutes < 60) return { number: `${minutes}`, unit: "min" };
  return { number: `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}`, unit: "h" };
}

const CLOCK = new Intl.DateTimeFormat([], { hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone: "UTC" });
const HERE = new Intl.DateTimeFormat([], { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });

/** The time of day of an instant in nanoseconds by a clock `offsetS` seconds ahead of UTC; without it, where the browser is. */
export function timeOfDay(nanoseconds, offsetS) {
  const known = offsetS !== undefined && offsetS !== null;
  return (known ? CLOCK : HERE).format(new Date(nanoseconds / 1e6 + (known ? offsetS * 1000 : 0)));
}

/** The place of a time zone's IANA name: Ho Chi Minh for Asia/Ho_Chi_Minh; UTC+3 for Etc/GMT-3. */
export function zoneName(zone) {
  const nautical = /^Etc\/GMT([+-]?)(\d*)$/.exec(zone);
  if (nautical) return nautical[2] ? `UTC${nautical[1] === "-" ? "+" : "−"}${nautical[2]}` : "UTC";
  return zone.slice(zone.lastIndexOf("/") + 1).replaceAll("_", " ");
}

/** Metres a second as a whole number, and the unit of it. */
export function speed(metresPerSecond) {
  return { number: `${Math.round(metresPerSecond * units.perMps)}`, unit: units.speed };
}

const ESCAPES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** Text that may stand in HTML. */
export function escaped(text) { return String(text).replace(/[&<>"']/g, (c) => ESCAPES[c]); }
