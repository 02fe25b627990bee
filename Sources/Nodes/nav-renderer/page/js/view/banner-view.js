// The banner: rerouting, proposals with their answers, arrival, failures.

import { distance, duration } from "../format.js";
import { compass } from "./away.js";
import { isOtherRoute } from "./journey.js";
import { printed } from "./panel-view.js";

const FAILURE_MS = 6000;
const NO_ROUTE_MS = 8000;
const NEW_ROUTE_MS = 3500;
const ACCEPTED_MS = 5000;
const ARRIVAL_MS = 20_000;

/** What is shown: a banner, until when on the page's clock, and the route that a proposal is for. */
export function start() { return null; }

export function reduce(banner, message, state, nowMs) {
  const { topic, payload } = message;
  const current = isOver(banner, nowMs) ? null : banner;
  const shown = (view, forMs = Infinity, proposedFor = null) => ({
    view: { look: "", text: "", buttons: [], ...view }, untilMs: nowMs + forMs, proposedFor,
  });
  const hidden = (kind) => (current?.view.kind === kind ? null : current);
  switch (topic) {
    case "guidance/reroute": return reroute(payload, shown, hidden);
    case "route/better": return better(payload, shown, hidden, current);
    case "guidance/arrival": return shown(arrival(payload, state.away), ARRIVAL_MS);
    case "route/error":
    case "_failed":
      return shown({ kind: "failure", look: "alert", title: "That did not work", text: payload.text }, FAILURE_MS);
    case "_answered": return hidden(payload.kind);
    case "route/active": {
      // A proposal for another route can no longer be answered.
      const followed = payload?.route?.id ?? null;
      const isLate = isOtherRoute(message, state) && (current?.proposedFor ?? followed) !== followed;
      return isLate ? null : current;
    }
    default: return current;
  }
}

const isOver = (banner, nowMs) => banner !== null && banner.untilMs <= nowMs;

/** The banner: {kind, title, text, look, buttons}, each button {label, style, call, payload}; null for none. */
export function bannerView({ banner }, nowMs) { return banner && !isOver(banner, nowMs) ? banner.view : null; }

const REASONS = {
  deviation: "You have left the route.", missed_stop: "You have passed a stop.",
  route_outdated: "The map has changed, and the route with it.",
};

function reroute(event, shown, hidden) {
  const text = REASONS[event.reason] ?? REASONS.deviation;
  const banner = { kind: "reroute", look: "alert" };
  switch (event.state) {
    case "proposed":
      return shown({
        ...banner, title: "Another way?", text,
        buttons: [
          { label: "New route", style: "yes", call: "navigate/accept_reroute", payload: {} },
          { label: "No", style: "", call: "navigate/reject_reroute", payload: {} },
        ],
      }, Infinity, event.route_id ?? null);
    case "started": return shown({ ...banner, title: "Rerouting…", text });
    case "failed": return shown({ ...banner, title: "No new route yet", text: event.error_text ?? "" }, NO_ROUTE_MS);
    case "completed": return shown({ ...banner, title: "New route", look: "good" }, NEW_ROUTE_MS);
    default: return hidden("reroute");
  }
}

function better(event, shown, hidden, current) {
  const longerM = event.longer_m ?? 0;
  const isSame = distance(Math.abs(longerM)).number === "0";
  const text = isSame ? "as long" : `${printed(Math.abs(longerM))} ${longerM > 0 ? "longer" : "shorter"}`;
  const { number, unit } = duration(event.gain_s ?? 0);
  const banner = { kind: "better", look: "good", text };
  switch (event.state) {
    case "proposed":
      return shown({
        ...banner, title: `${number} ${unit} faster`,
        buttons: [
          { label: "Take it", style: "yes", call: "navigate/accept_better", payload: { id: event.id } },
          { label: "Keep mine", style: "", call: "navigate/reject_better", payload: { id: event.id } },
        ],
      }, Infinity, event.route_id ?? null);
    case "accepted": return shown({ ...banner, title: `Faster route, ${number} ${unit} less` }, ACCEPTED_MS);
    case "found": return current;
    default: return hidden("better");
  }
}

/** An arrival; `away` has the destination's name, and what is left where the road has ended before it. */
function arrival(event, { name, offRoad }) {
  if (event.off_road && event.event === "destination_reached") {
    const where = offRoad ? `lies ${printed(offRoad.metres)} to the ${compass(offRoad.bearing)}` : "is off the road";
    return {
      kind: "arrival", title: "The road ends here",
      text: `${name || "Your destination"} ${where}. The direct line may cross what nobody can cross.`,
    };
  }
  const text = { left: "It is on the left.", right: "It is on the right." }[event.side] ?? "";
  return { kind: "arrival", look: "good", title: name ? `Arrived: ${name}` : "You have arrived", text };
}
