// Everything that the page shows, from the messages of the stack and the clock alone. Knows no DOM and no map.
//
// Each part of the state in `view/` is reduced by one module. The view is computed from the state, frozen, and
// shares what has not changed with the view before, so that a component draws its part where `===` says it is another.

import * as away from "./view/away.js";
import * as banner from "./view/banner-view.js";
import * as caption from "./view/caption-view.js";
import { frozen, shared } from "./view/frozen.js";
import * as journey from "./view/journey.js";
import { junctionView } from "./view/junction-view.js";
import * as link from "./view/link-view.js";
import { refusal } from "./view/message-checks.js";
import { panelView } from "./view/panel-view.js";
import * as speed from "./view/speed-view.js";
import * as stops from "./view/stops-view.js";
import * as traffic from "./view/traffic-view.js";
import { barView, figuresView, maneuversView } from "./view/trip-view.js";
import * as warnings from "./view/warnings-view.js";

/**
 * Parts of the state, in the order in which they take a message: each sees the parts before it as the message leaves them, and
 * those after it as they were. The journey is last, so that all others can compare a route or a frame with the one before.
 */
const PARTS = { away, warnings, speed, banner, caption, traffic, stops, link, journey };

/** The parts of the view: what computes each, from which parts of the state; those with a clock change with time alone, too. */
const VIEW = {
  link: { of: ["link"], view: link.linkView, hasClock: true },
  notice: { of: ["link"], view: link.noticeView, hasClock: true },
  fleet: { of: ["link"], view: link.fleetView },
  gps: { of: ["link"], view: link.gpsView, hasClock: true },
  signal: { of: ["link"], view: link.signalView, hasClock: true },
  look: { of: ["journey"], view: journey.lookView },
  hidden: { of: ["journey"], view: journey.hiddenView },
  settings: { of: ["journey"], view: (state) => state.journey.settings },
  scene: { of: ["journey"], view: (state) => state.journey.frame },
  camera: { of: ["journey"], view: journey.cameraView },
  fix: { of: ["journey"], view: (state) => state.journey.fix },
  indicator: { of: ["journey"], view: journey.indicatorView },
  route: { of: ["journey"], view: journey.routeView },
  routeID: { of: ["journey"], view: (state) => state.journey.route?.id ?? null },
  road: { of: ["journey"], view: journey.roadView },
  panel: { of: ["journey", "away"], view: panelView },
  junction: { of: ["journey", "away"], view: junctionView },
  away: { of: ["journey", "away"], view: ({ journey: { route }, away: { offRoad, offRoute } }) =>
    (route && offRoad ? "off_road" : route && offRoute ? "off_route" : "") },
  speed: { of: ["journey", "speed"], view: speed.speedView },
  figures: { of: ["journey", "away"], view: figuresView },
  bar: { of: ["journey", "away", "traffic"], view: barView },
  maneuvers: { of: ["journey", "away"], view: maneuversView },
  stops: { of: ["journey", "stops"], view: stops.stopsView },
  warnings: { of: ["journey", "warnings"], view: warnings.warningsView },
  warningMarks: { of: ["journey", "warnings"], view: warnings.marksView },
  banner: { of: ["banner"], view: banner.bannerView, hasClock: true },
  caption: { of: ["caption"], view: caption.captionView, hasClock: true },
  announcement: { of: ["caption"], view: caption.announcementView },
  incidents: { of: ["traffic"], view: traffic.incidentsView },
  flow: { of: ["traffic"], view: (state) => state.traffic.flow },
  alternatives: { of: ["traffic"], view: traffic.alternativesView },
};

export class ViewModel {
  #state;
  #view;
  #refused = { count: 0, byTopic: {}, last: "" };

  /**
   * `config` is the renderer's config.json: `scene` are the settings. `vehicle` is the one of this page, or null; `refusal` says
   * why the one that was asked for cannot be shown; `theme` is one that the page's address asks for, or null.
   */
  constructor({ scene, vehicle, refusal: why, theme } = {}, nowMs = 0) {
    const options = { scene: frozen(scene ?? {}), vehicle, refusal: why, theme };
    this.#state = Object.fromEntries(Object.entries(PARTS).map(([name, part]) => [name, part.start(options)]));
    this.#state.link = { ...this.#state.link, heardMs: nowMs };
    this.#view = this.#computed(null, nowMs);
  }

  /** What is shown now; deeply frozen. */
  get view() { return this.#view; }

  /** Messages that were refused: {count, byTopic, last}; `last` is a sentence that names the field. */
  get refused() { return this.#refused; }

  /**
   * Takes a message, `{topic, stamp, sent, key, payload}`, that came at `nowMs` on the page's clock, and gives the view. A message
   * that is not known or not whole changes nothing and is counted.
   */
  take(message, nowMs) {
    let why = refusal(message);
    if (!why) {
      try {
        return this.#advance(this.#reduced(frozen(message), nowMs), nowMs);
      } catch (failure) {
        why = `${message.topic}: ${failure.message}`;
      }
    }
    const topic = typeof message?.topic === "string" ? message.topic : "";
    this.#refused = frozen({
      count: this.#refused.count + 1, byTopic: { ...this.#refused.byTopic, [topic]: (this.#refused.byTopic[topic] ?? 0) + 1 }, last: why,
    });
    return this.at(nowMs);
  }

  /** The view at a later time, without a message. */
  at(nowMs) { return this.#advance(this.#state, nowMs); }

  /** The view in the words and units that hold from now on. */
  reworded(nowMs) {
    this.#view = this.#computed(null, nowMs, true);
    return this.#view;
  }

  #reduced(message, nowMs) {
    let state = this.#state;
    for (const [name, part] of Object.entries(PARTS)) {
      if (!part.reduce) continue;
      const next = part.reduce(state[name], message, state, nowMs);
      if (next !== state[name]) state = { ...state, [name]: next };
    }
    return state;
  }

  /** Changes state and view together, or neither. */
  #advance(state, nowMs) {
    this.#view = this.#computed(state === this.#state ? null : state, nowMs);
    this.#state = state;
    return this.#view;
  }

  /** The view of `next`, or of the state as it is; only parts whose inputs have changed are computed. */
  #computed(next, nowMs, isReworded = false) {
    const before = this.#view;
    const state = next ?? this.#state;
    const parts = Object.entries(VIEW).map(([name, { of, view, hasClock }]) => {
      const isSame = before && !hasClock && !isReworded && of.every((part) => state[part] === this.#state[part]);
      return [name, isSame ? before[name] : shared(before?.[name], view(state, nowMs))];
    });
    return frozen(shared(before, Object.fromEntries(parts)));
  }
}
