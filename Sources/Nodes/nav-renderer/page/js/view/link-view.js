// Whether what the page shows is still true: the link, the renderer, the bus, the vehicle's location and its name.

import { language, words } from "../words.js";

/** Milliseconds without a message of the renderer, which sends one each second. */
const SILENT_MS = 3500;
/** Milliseconds for which the bus may be away before that is shown: a restart takes less. */
const BUS_MS = 2000;
/** A location that is lost for less than this is not shown as lost. */
const LOST_MS = 600;

const FAULTS = ["lost", "silent", "busless"];

/** `vehicle` is the one of this page, null for none; `refusal` says why the one that was asked for cannot be shown. */
export function start({ vehicle, refusal }) {
  return {
    vehicle: vehicle ?? null, refusal: refusal ?? "", isOpen: null, heardMs: 0, busLostMs: null, lostMs: null, refused: "",
    isHeard: false, total: null, isKnown: true,
  };
}

export function reduce(link, { topic, payload }, state, nowMs) {
  switch (topic) {
    case "_link": return { ...link, isOpen: payload.isOpen, heardMs: nowMs, busLostMs: null, ...(payload.isOpen && { refused: "" }) };
    // The page was hidden for a while, and its clock with it.
    case "_resumed": return { ...link, heardMs: nowMs };
    case "_refused": return { ...link, refused: payload.text };
    case "_vehicles": return { ...link, total: payload.total, isKnown: payload.known !== false };
    case "_answered":
    case "_failed":
    case "_caption":
      return link;
    case "_alive": return { ...link, heardMs: nowMs, busLostMs: payload?.bus === false ? link.busLostMs ?? nowMs : null };
    case "_map": return { ...link, heardMs: nowMs };
    case "scene/frame": {
      const isLost = payload.indicator_style === "grey";
      return { ...link, heardMs: nowMs, isHeard: true, lostMs: isLost ? link.lostMs ?? nowMs : null };
    }
    default: return { ...link, heardMs: nowMs, isHeard: true };
  }
}

function stateOf({ isOpen, heardMs, busLostMs }, nowMs) {
  const isSilent = nowMs - heardMs > SILENT_MS;
  if (isOpen === null) return isSilent ? "lost" : "connecting";
  if (!isOpen) return "lost";
  if (isSilent) return "silent";
  return busLostMs !== null && nowMs - busLostMs > BUS_MS ? "busless" : "open";
}

export function linkView({ link }, nowMs) { return stateOf(link, nowMs); }

const isLost = ({ lostMs }, nowMs) => lostMs !== null && nowMs - lostMs > LOST_MS;

export function gpsView({ link }, nowMs) { return isLost(link, nowMs) ? "lost" : "known"; }

/** The text about the location; "" while all is well. */
export function signalView({ link }, nowMs) { return isLost(link, nowMs) ? words("gps.lost") : ""; }

/** The line over everything: {text, isFault}; without text while all is well. */
export function noticeView({ link }, nowMs) {
  const current = stateOf(link, nowMs);
  if (current === "lost" && link.refused) return { text: link.refused, isFault: true };
  return current === "open" ? fleetNotice(link) : { text: FAULTS.includes(current) ? words(`link.${current}`) : "", isFault: true };
}

function fleetNotice({ vehicle, refusal, total, isKnown, isHeard }) {
  if (!vehicle && total !== null) {
    // The renderer's own sentence is English.
    const why = refusal && (language() === "en" ? refusal : words("vehicles.refused"));
    return { text: why || words(total === 0 ? "vehicles.none" : "vehicles.choose"), isFault: Boolean(refusal) };
  }
  const isThere = !vehicle || isHeard || isKnown;
  return { text: isThere ? "" : words("vehicles.absent", { name: vehicle }), isFault: true };
}

/** How many vehicles there are, and whether the one of this page is among them. */
export function fleetView({ link: { total, isKnown, isHeard } }) { return { total: total ?? 0, isKnown: isKnown || isHeard }; }
