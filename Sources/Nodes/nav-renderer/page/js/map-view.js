// What of a view is drawn on the map: route, indicator, camera. Each frame moves them between the views.

import { Camera } from "./camera.js";
import { distanceM, turnDeg } from "./geometry.js";
import { Indicator } from "./indicator.js";
import { Motion } from "./motion.js";
import { RouteView } from "./routeview.js";
import { StackClock } from "./stack-clock.js";
import { words } from "./words.js";

/** Layers that are hidden while routes are previewed. */
const PREVIEW_HIDES = ["route", "eat_up", "alternatives", "maneuver_arrows", "offroad"];
/** The earth's circumference in metres over the pixels of the map at zoom 0. */
const METRES_PER_PIXEL = 40_075_016 / 512;

export class MapView {
  constructor(map, palette) {
    this.map = map;
    this.motion = new Motion();
    this.clock = new StackClock();
    this.camera = new Camera(map);
    this.indicator = new Indicator(map);
    this.route = new RouteView(map, palette);
    this.shown = null;
    this.isPreview = false;
  }

  /** The words are others from now on. The attribution is in the words of the data's owners. */
  reworded() {
    this.map.getCanvas().setAttribute("aria-label", words("map"));
    this.map.getContainer().querySelector(".maplibregl-ctrl-attrib")?.setAttribute("lang", "en");
  }

  /** Draws what has changed since the view before. */
  draw(view) {
    const before = this.shown;
    this.shown = view;
    const draw = (part, action) => { if (view[part] !== before?.[part]) action(view[part]); };
    draw("settings", (settings) => this.present(settings));
    draw("hidden", () => this.hideLayers());
    draw("camera", (camera) => { if (camera) this.camera.ask(camera); });
    if (view.routeID !== before?.routeID) this.motion.follow(this.route.show(view.route.route));
    else if (view.route.route !== before?.route.route) this.route.refresh(view.route.route);
    this.route.pointAt(view.route.arrowIndex);
    draw("indicator", ({ style, isEstimated, accuracyM }) => {
      this.indicator.setStyle(style);
      this.indicator.setTrust(isEstimated, accuracyM);
    });
    draw("fix", (fix) => { if (fix) this.locate(fix); });
    draw("alternatives", (shapes) => this.route.showAlternatives(shapes));
  }

  /** Takes a fix of the vehicle, a `view.fix`. */
  locate(fix) {
    this.clock.take(fix.atS, fix.sentS);
    this.motion.record(fix, this.clock.at(performance.now() / 1000));
  }

  /** Shows the scene as scene/settings says. */
  present(settings) {
    this.route.showLines(settings.routes ?? []);
    this.route.setEatenUp(settings.eat_up);
    this.indicator.present(settings);
    this.camera.present(settings);
  }

  /** Hides the route that is followed while others are previewed. */
  setPreview(isPreview) {
    this.isPreview = isPreview;
    this.hideLayers();
  }

  hideLayers() {
    const { hidden } = this.shown;
    document.documentElement.dataset.hides = hidden.join(" ");
    this.route.setHidden(new Set([...hidden, ...(this.isPreview ? PREVIEW_HIDES : [])]));
  }

  /** Moves everything by `stepS` seconds: {isMoved, isTurned}, whether anything moved and whether the camera did. */
  step(nowS, stepS) {
    const { motion, map, route } = this;
    const before = motion.shown;
    motion.advance(this.clock.at(nowS));
    const isMoved = isOther(before, motion.shown);
    if (motion.shown) this.indicator.move(motion.shown);
    const isTurned = this.camera.step(motion.shown, stepS);
    if (route.line) {
      const metresPerPixel = METRES_PER_PIXEL * Math.cos(map.getCenter().lat * Math.PI / 180) / 2 ** map.getZoom();
      route.eatUp(motion.shown?.offsetM ?? this.shown.route.behindM, metresPerPixel);
    }
    if (isMoved && !isTurned) this.indicator.place();
    return { isMoved, isTurned };
  }
}

/** Whether an indicator is drawn elsewhere, or in another direction. */
function isOther(before, after) {
  if (!before || !after) return Boolean(after);
  return distanceM(before.place, after.place) > 0.01 || Math.abs(turnDeg(before.bearing, after.bearing)) > 0.03;
}
