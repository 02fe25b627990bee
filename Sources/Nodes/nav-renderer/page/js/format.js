// Numbers as one prints them.

/** Metres as people read them: 20 m, 350 m, 1.2 km, 34 km. */
export function distance(metres) {
  if (metres < 1000) {
    const step = metres < 300 ? 10 : 50;
    const rounded = Math.round(metres / step) * step;
    if (rounded < 1000) return { number: `${rounded}`, unit: "m" };
  }
  const km = metres / 1000;
  return { number: km < 9.95 ? km.toFixed(1) : `${Math.round(km)}`, unit: "km" };
}

/** Seconds as minutes or hours: 4 min, 1:05 h. */
export function duration(seconds) {
  const minutes = Math.max(seconds > 0 ? 1 : 0, Math.round(seconds / 60));
  if (minutes < 60) return { number: `${minutes}`, unit: "min" };
  return { number: `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}`, unit: "h" };
}

const CLOCK = new Intl.DateTimeFormat([], { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });

/** The time of day of an instant in nanoseconds, where the browser is. */
export function timeOfDay(nanoseconds) { return CLOCK.format(new Date(nanoseconds / 1e6)); }

export function kmh(metresPerSecond) { return Math.round(metresPerSecond * 3.6); }

const ESCAPES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** Text that may stand in HTML. */
export function escaped(text) { return String(text).replace(/[&<>"']/g, (c) => ESCAPES[c]); }
