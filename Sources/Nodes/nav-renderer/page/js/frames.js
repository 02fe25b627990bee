// The loop of animation frames.

import { measureCards } from "./cards.js";
import { frameRateHz } from "./settings.js";

/** Milliseconds between two looks at which cards cover the map. */
const MEASURE_MS = 200;
/** A long pause between two frames (a hidden tab) counts as this many seconds. */
const STEP_LIMIT_S = 0.25;

export class Frames {
  /** Moves `mapView` at the frame rate of what `view()` gives; `onTurn()` is called when the camera has moved. */
  constructor(mapView, view, onTurn) {
    Object.assign(this, { mapView, view, onTurn });
    /** Frames in which something moved. */
    this.shown = 0;
    this.lastMs = performance.now();
    this.measuredMs = -Infinity;
    requestAnimationFrame((nowMs) => this.tick(nowMs));
  }

  tick(nowMs) {
    requestAnimationFrame((next) => this.tick(next));
    const { settings, routeID } = this.view();
    if (nowMs - this.lastMs < 1000 / frameRateHz(settings, routeID !== null) - 4) return;
    const stepS = Math.min((nowMs - this.lastMs) / 1000, STEP_LIMIT_S);
    this.lastMs = nowMs;
    if (nowMs - this.measuredMs > MEASURE_MS) {
      this.measuredMs = nowMs;
      this.mapView.camera.cards = measureCards();
    }
    const { isMoved, isTurned } = this.mapView.step(performance.now() / 1000, stepS);
    if (isTurned) this.onTurn();
    if (isMoved || isTurned) this.shown += 1;
  }
}
