// What is spoken, as a caption, and for the voice of the browser.

import { captionText } from "../turn-words.js";
import { language } from "../words.js";

/** A caption stays as long as it takes to read, in milliseconds: at least and at most. */
const LEAST_MS = 3000;
const MOST_MS = 6000;
/** Milliseconds that a text stays after it is spoken. */
const AFTER_MS = 1200;

export function start() { return { text: "", untilMs: -Infinity, announcement: null }; }

export function reduce(caption, { topic, payload }, state, nowMs) {
  switch (topic) {
    case "voice/announcement": {
      const { route } = state.journey;
      const maneuver = payload.route_id && payload.route_id === route?.id ? route.maneuvers?.[payload.maneuver_index] : undefined;
      return { ...captioned({ ...payload, text: captionText(payload, maneuver, language()) }, nowMs), announcement: payload };
    }
    case "_caption": return { ...caption, ...captioned(payload, nowMs) };
    default: return caption;
  }
}

function captioned({ text, expected_duration_s: seconds }, nowMs) {
  return { text, untilMs: nowMs + Math.max(LEAST_MS, Math.min(MOST_MS, (seconds ?? 4) * 1000 + AFTER_MS)) };
}

/** The caption; "" for none. */
export function captionView({ caption: { text, untilMs } }, nowMs) { return untilMs > nowMs ? text : ""; }

/** The newest announcement, as it came; null before the first. */
export function announcementView({ caption: { announcement } }) { return announcement; }
