// Traffic on a route: how it is coloured, and what it costs. Knows no DOM.

/** Jam factors from which a span is drawn in another colour. */
const SLOW = 4;
const JAM = 8;
const CLOSED = 10;

/** The palette's colour of a jam factor. */
export function trafficColour(jamFactor) {
  if (jamFactor >= CLOSED) return "closed";
  if (jamFactor >= JAM) return "jam";
  return jamFactor >= SLOW ? "slow" : "ahead";
}

/**
 * What jams add on the rest of a route, from `travelledM` on: {seconds, colour}, the colour of the worst one; null where
 * no span ahead is slow.
 */
export function delayAhead(spans, travelledM) {
  const delay = { seconds: 0, worst: 0 };
  const starts = spans?.start_m ?? [];
  for (let index = 0; index < starts.length; index += 1) {
    const jam = spans.jam_factor?.[index] ?? 0;
    const length = spans.length_m[index];
    const left = Math.min(length, starts[index] + length - travelledM);
    if (jam < SLOW || left <= 0 || length <= 0) continue;
    const added = spans.duration_latest_s[index] - spans.duration_free_flow_s[index];
    delay.seconds += Math.max(0, added) * left / length;
    delay.worst = Math.max(delay.worst, jam);
  }
  return delay.worst > 0 ? { seconds: delay.seconds, colour: trafficColour(delay.worst) } : null;
}
