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

/**
 * `question` waits for an answer: {kind, event, routeID} with the route that it is about. `passing` is shown over it for a while:
 * {kind, event, untilMs, away}, until that moment of the page's clock. Texts are made when they are shown.
 */
export function start() { return { question: null, passing: null }; }

export function reduce(banner, message, state, nowMs) {
  const { topic, payload } = message;
  const passing = (kind, forMs, more = {}) => ({ kind, event: payload, untilMs: nowMs + forMs, ...more });
  switch (topic) {
    case "guidance/reroute": return reroute(without(banner, "reroute"), payload, passing);
    case "route/better": return payload.state === "found" ? banner : better(without(banner, "better"), payload, passing);
    case "guidance/arrival": {
      const question = payload.event === "destination_reached" ? null : banner.question;
      return { question, passing: passing("arrival", ARRIVAL_MS, { away: state.away }) };
    }
    case "route/error":
    case "_failed": return { ...banner, passing: passing("failure", FAILURE_MS) };
    case "_answered": return without(banner, payload.kind);
    case "route/active": return isOtherRoute(message, state) ? followed(banner, payload?.route?.id ?? null) : banner;
    // The renderer sends a question again that still waits.
    case "_link": return payload.isOpen ? { question: null, passing: hasBegun(banner.passing) ? null : banner.passing } : banner;
    default: return banner;
  }
}

const without = ({ question, passing }, kind) => ({
  question: question?.kind === kind ? null : question, passing: passing?.kind === kind ? null : passing,
});

const hasBegun = (passing) => passing?.kind === "reroute" && passing.event.state === "started";

/** With another route, a question about the old one can no longer be answered, and a calculation has ended. */
function followed({ question, passing }, routeID) {
  return {
    question: question && (question.routeID ?? routeID) !== routeID ? null : question, passing: hasBegun(passing) ? null : passing,
  };
}

const asked = (banner, kind, event) => ({ ...banner, question: { kind, event, routeID: event.route_id ?? null } });

function reroute(banner, event, passing) {
  switch (event.state) {
    case "proposed": return asked(banner, "reroute", event);
    case "started": return { ...banner, passing: passing("reroute", Infinity) };
    case "failed": return { ...banner, passing: passing("reroute", NO_ROUTE_MS) };
    case "completed": return { ...banner, passing: passing("reroute", NEW_ROUTE_MS) };
    default: return banner;
  }
}

function better(banner, event, passing) {
  switch (event.state) {
    case "proposed": return asked(banner, "better", event);
    case "accepted": return { ...banner, passing: passing("better", ACCEPTED_MS) };
    default: return banner;
  }
}

const VIEWS = { reroute: rerouteView, better: betterView, arrival: arrivalView, failure: failureView };

/** The banner: {kind, title, text, look, buttons}, each button {label, style, call, payload}; null for none. */
export function bannerView({ banner: { question, passing } }, nowMs) {
  const shown = passing && passing.untilMs > nowMs ? passing : question;
  return shown && { kind: shown.kind, look: "", text: "", buttons: [], ...VIEWS[shown.kind](shown.event, shown.away) };
}

const REASONS = { deviation: "reroute.deviation", missed_stop: "reroute.missed_stop", passed_stop: "reroute.missed_stop", route_outdated: "reroute.route_outdated" };

function rerouteView(event) {
  const text = words(REASONS[event.reason] ?? REASONS.deviation);
  switch (event.state) {
    case "proposed":
      return {
        look: "alert", title: words("reroute.proposed"), text,
        buttons: [
          { label: words("reroute.new"), style: "yes", call: "navigate/accept_reroute", payload: {} },
          { label: words("no"), style: "", call: "navigate/reject_reroute", payload: {} },
        ],
      };
    case "started": return { look: "alert", title: words("reroute.started"), text };
    case "failed": {
      const failed = event.error_code || event.error_text ? failureText({ code: event.error_code, message: event.error_text }) : "";
      return { look: "alert", title: words("reroute.failed"), text: failed };
    }
    default: return { look: "good", title: words("reroute.new"), text };
  }
}

function betterView(event) {
  const longerM = event.longer_m ?? 0;
  const distance = printed(Math.abs(longerM));
  const text = isNothing(Math.abs(longerM)) ? words("better.same") : words(longerM > 0 ? "better.longer" : "better.shorter", { distance });
  const gain = { duration: duration(event.gain_s ?? 0).text };
  if (event.state === "accepted") return { look: "good", title: words("better.accepted", gain), text };
  return {
    look: "good", title: words("better.title", gain), text,
    buttons: [
      { label: words("better.take"), style: "yes", call: "navigate/accept_better", payload: { id: event.id } },
      { label: words("better.keep"), style: "", call: "navigate/reject_better", payload: { id: event.id } },
    ],
  };
}

/** An arrival; `away` has the destination's name, and what is left where the road has ended before it. */
function arrivalView(event, { name, offRoad }) {
  if (event.off_road && event.event === "destination_reached") {
    const place = name || words("destination");
    const text = offRoad ? words("arrival.lies", { name: place, way: wayText(offRoad) }) : words("arrival.off", { name: place });
    return { title: words("arrival.end"), text };
  }
  const text = event.side === "left" || event.side === "right" ? words(`arrival.${event.side}`) : "";
  return { look: "good", title: name ? words("arrival.at", { name }) : words("arrival.done"), text };
}

function failureView({ code, text }) {
  return { look: "alert", title: words("failure.title"), text: failureText({ code, message: text }) };
}
