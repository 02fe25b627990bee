// The drive itself: the newest frame of the scene, the route, the settings, and where the vehicle is.

import { coloursKey, hiddenLayers } from "../settings.js";
import { shieldsOf } from "../shields-model.js";
import { alongM, bearingOf, behindM, has, lineOf, placeOf } from "./place.js";

/** A quickest message stands for a clock that drifts: each further one adds this many milliseconds to it. */
const DRIFT_MS = 0.5;

export function start({ scene, theme }) {
  return {
    settings: scene ?? {}, forcedTheme: theme ?? null, theme: theme ?? (scene?.theme === "night" ? "night" : "day"),
    frame: null, stampS: null, place: null, alongM: null, behindM: 0, fix: null, route: null, road: null,
    // The least time, in milliseconds, that a message took from the renderer's clock to that of the page.
    lagMs: null,
  };
}

export function reduce(journey, message, state, nowMs) {
  const { topic, payload } = message;
  switch (topic) {
    case "scene/frame": return drive(journey, message, nowMs);
    case "scene/settings": return payload ? { ...journey, settings: payload } : journey;
    case "route/active": return follow(journey, payload?.route ?? null);
    case "guidance/road": return { ...journey, road: payload?.road ?? null };
    // Another connection has another delay.
    case "_link": return { ...journey, lagMs: null };
    default: return journey;
  }
}

/** Whether a message of `route/active` begins another route, or ends the one that is followed. */
export const isOtherRoute = ({ topic, payload }, { journey }) =>
  topic === "route/active" && (payload?.route?.id ?? null) !== (journey.route?.id ?? null);

function follow(journey, route) {
  // A shape that breaks off is refused before anything changes.
  lineOf(route);
  return route?.id === journey.route?.id ? { ...journey, route } : { ...journey, route, behindM: 0, alongM: null };
}

function drive(journey, { payload: frame, stamp, sent }, nowMs) {
  const { route } = journey;
  const lagMs = Math.min(journey.lagMs === null ? Infinity : journey.lagMs + DRIFT_MS, nowMs - sent);
  const place = placeOf(frame, route);
  const along = alongM(frame, route);
  const fix = place && {
    place, bearing: bearingOf(frame, journey.settings.north_up), speedMps: frame.panel?.speed_mps ?? null, offsetM: along,
    atS: stamp / 1e9, sentS: (sent + lagMs) / 1000,
  };
  // A lost location is the scene's own extrapolation, and no new fix.
  const isLost = frame.indicator_style === "grey" && journey.fix !== null;
  return {
    ...journey, frame, stampS: stamp / 1e9, lagMs, place, alongM: along, behindM: behindM(frame, route) ?? journey.behindM,
    fix: isLost ? journey.fix : fix ?? journey.fix, theme: journey.forcedTheme ?? (frame.night ? "night" : "day"),
  };
}

/** How the map is drawn: theme, mode of the route and colours; the style is fetched again when one of them changes. */
export function lookView({ journey: { theme, route, settings } }) {
  const mode = route?.request?.mode ?? null;
  return { theme, mode, colours: coloursKey(settings, mode) };
}

export function hiddenView({ journey: { settings } }) { return [...hiddenLayers(settings)].sort(); }

/** What the scene asks of the camera; null before the first frame. */
export function cameraView({ journey: { frame } }) {
  return frame && {
    isFree: frame.camera_mode === "free", place: [frame.camera_lon_deg, frame.camera_lat_deg], zoom: frame.camera_zoom,
    tilt: frame.camera_tilt_deg, bearing: frame.camera_bearing_deg, anchorX: frame.anchor_x ?? 0.5, anchorY: frame.anchor_y ?? 0.775,
  };
}

/** Shields and name of the road that the vehicle is on; null for one that has neither. */
export function roadView({ journey: { road } }) {
  const shields = shieldsOf(road);
  return shields.length > 0 || road?.name ? { shields, name: road.name ?? "" } : null;
}

/** The route that the newest frame is of; null between a new route and its first frame. */
export const framedRoute = ({ frame, route }) => (route && frame?.route_id === route.id ? route : null);

/** What the map draws of the route. */
export function routeView({ journey }) {
  const index = journey.frame?.panel?.maneuver_index;
  return { route: journey.route, behindM: journey.behindM, arrowIndex: framedRoute(journey) && has(index) ? index : null };
}

/** The look of the indicator: its style, and how sure its place is; the accuracy in metres, or null. */
export function indicatorView({ journey: { frame } }) {
  return {
    style: frame?.indicator_style ?? "tracking", isEstimated: frame?.indicator_estimated === true, accuracyM: frame?.indicator_accuracy_m ?? null,
  };
}
