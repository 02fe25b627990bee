// The speed of the vehicle, the limit, and whether it is exceeded.

import { speed as printedSpeed } from "../format.js";
import { speedSign } from "../speed-sign.js";
import { words } from "../words.js";
import { has } from "./place.js";

/** Beyond the limit by more than this, the whole card warns. */
const FAR_OVER_MPS = 20 / 3.6;

export function start() { return { isExceeded: false, hasMoved: false }; }

export function reduce(speed, { topic, payload }) {
  switch (topic) {
    case "scene/frame": return speed.hasMoved || !has(payload.panel?.speed_mps) ? speed : { ...speed, hasMoved: true };
    // Whether it is too fast is for guidance to say: it knows the tolerance, and the voice warns by the same.
    case "guidance/speed": return { ...speed, isExceeded: payload?.exceeded === true };
    default: return speed;
  }
}

/** Null before anything is known; `limit` is null while it is unknown, and `isNone` where there is none. */
export function speedView({ journey: { frame, road }, speed: { isExceeded, hasMoved } }) {
  const { speed_mps: mps, speed_limit_mps: limit } = frame?.panel ?? {};
  if (!has(mps) && !has(limit) && !hasMoved) return null;
  const isOver = has(mps) && isExceeded && limit > 0;
  return {
    text: has(mps) ? printedSpeed(mps).number : "–", unit: printedSpeed(0).unit, isOver, isFar: isOver && mps > limit + FAR_OVER_MPS,
    limit: has(limit) ? limitView(limit, road?.country) : null, form: speedSign(road?.country).form,
  };
}

function limitView(limit, country) {
  const { number, text } = printedSpeed(limit);
  return {
    text: limit > 0 ? number : "0", caption: speedSign(country).caption, isNone: limit === 0,
    label: limit === 0 ? words("speed.none") : words("speed.limit", { speed: text }),
  };
}
