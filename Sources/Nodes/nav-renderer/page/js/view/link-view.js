// Whether what the page shows is still true: the link, the renderer, the bus, the vehicle's location and its name.

/** Milliseconds without a message of the renderer, which sends one each second. */
const SILENT_MS = 3500;
/** Milliseconds for which the bus may be away before that is shown: a restart takes less. */
const BUS_MS = 2000;
/** A location that is lost for less than this is not shown as lost. */
const LOST_MS = 600;

const TEXTS = {
  connecting: "", open: "", lost: "No connection to navstack: trying again…",
  silent: "navstack does not answer: what is shown may be old.",
  busless: "navstack has lost its bus: what is shown may be old.",
};

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
export function signalView({ link }, nowMs) { return isLost(link, nowMs) ? "No GPS signal" : ""; }

/** The line over everything: {text, isFault}; without text while all is well. */
export function noticeView({ link }, nowMs) {
  const current = stateOf(link, nowMs);
  if (current === "lost" && link.refused) return { text: link.refused, isFault: true };
  return current === "open" ? fleetNotice(link) : { text: TEXTS[current], isFault: true };
}

function fleetNotice({ vehicle, refusal, total, isKnown, isHeard }) {
  if (!vehicle && total !== null) {
    return { text: refusal || (total === 0 ? "No vehicle is on the bus yet." : "Choose a vehicle."), isFault: Boolean(refusal) };
  }
  const isThere = !vehicle || isHeard || isKnown;
  return { text: isThere ? "" : `There is no vehicle "${vehicle}" on the bus: choose another one, or wait until it drives.`, isFault: true };
}

/** How many vehicles there are, and whether the one of this page is among them. */
export function fleetView({ link: { total, isKnown, isHeard } }) { return { total: total ?? 0, isKnown: isKnown || isHeard }; }
