// The banner: rerouting, proposals with their answers, arrival, failures.

import { failureText } from "../failure-text.js";
import { duration, isNothing } from "../format.js";
import { wayText } from "../turn-words.js";
import { words } from "../words.js";
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
    case "_failed": {
      const text = failureText({ code: payload.code, message: payload.text });
      return shown({ kind: "failure", look: "alert", title: words("failure.title"), text }, FAILURE_MS);
    }
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

const REASONS = { deviation: "reroute.deviation", missed_stop: "reroute.missed_stop", passed_stop: "reroute.missed_stop", route_outdated: "reroute.route_outdated" };

function reroute(event, shown, hidden) {
  const text = words(REASONS[event.reason] ?? REASONS.deviation);
  const banner = { kind: "reroute", look: "alert" };
  switch (event.state) {
    case "proposed":
      return shown({
        ...banner, title: words("reroute.proposed"), text,
        buttons: [
          { label: words("reroute.new"), style: "yes", call: "navigate/accept_reroute", payload: {} },
          { label: words("no"), style: "", call: "navigate/reject_reroute", payload: {} },
        ],
      }, Infinity, event.route_id ?? null);
    case "started": return shown({ ...banner, title: words("reroute.started"), text });
    case "failed": {
      const failed = event.error_code || event.error_text ? failureText({ code: event.error_code, message: event.error_text }) : "";
      return shown({ ...banner, title: words("reroute.failed"), text: failed }, NO_ROUTE_MS);
    }
    case "completed": return shown({ ...banner, title: words("reroute.new"), look: "good" }, NEW_ROUTE_MS);
    default: return hidden("reroute");
  }
}

function better(event, shown, hidden, current) {
  const longerM = event.longer_m ?? 0;
  const distance = printed(Math.abs(longerM));
  const text = isNothing(Math.abs(longerM)) ? words("better.same") : words(longerM > 0 ? "better.longer" : "better.shorter", { distance });
  const gain = { duration: duration(event.gain_s ?? 0).text };
  const banner = { kind: "better", look: "good", text };
  switch (event.state) {
    case "proposed":
      return shown({
        ...banner, title: words("better.title", gain),
        buttons: [
          { label: words("better.take"), style: "yes", call: "navigate/accept_better", payload: { id: event.id } },
          { label: words("better.keep"), style: "", call: "navigate/reject_better", payload: { id: event.id } },
        ],
      }, Infinity, event.route_id ?? null);
    case "accepted": return shown({ ...banner, title: words("better.accepted", gain) }, ACCEPTED_MS);
    case "found": return current;
    default: return hidden("better");
  }
}

/** An arrival; `away` has the destination's name, and what is left where the road has ended before it. */
function arrival(event, { name, offRoad }) {
  if (event.off_road && event.event === "destination_reached") {
    const place = name || words("destination");
    const text = offRoad ? words("arrival.lies", { name: place, way: wayText(offRoad) }) : words("arrival.off", { name: place });
    return { kind: "arrival", title: words("arrival.end"), text };
  }
  const text = event.side === "left" || event.side === "right" ? words(`arrival.${event.side}`) : "";
  return { kind: "arrival", look: "good", title: name ? words("arrival.at", { name }) : words("arrival.done"), text };
}
