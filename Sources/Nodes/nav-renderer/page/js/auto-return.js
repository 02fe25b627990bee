// When a camera that the driver has taken away goes back to the vehicle by itself. Knows no DOM.

export class AutoReturn {
  /** `now()` gives milliseconds. */
  constructor(now = () => performance.now()) {
    this.now = now;
    this.touchedMs = now();
  }

  /** The driver has touched the map or the page. */
  touched() { this.touchedMs = this.now(); }

  /**
   * Whether it is time: the camera is free though the scene follows the vehicle, guidance runs, nothing is being chosen on
   * the map, and `afterS` seconds have passed without a touch; never for 0.
   */
  isDue({ mode, isFollowing, isGuiding, isChoosing, afterS }) {
    if (mode !== "free" || !isFollowing || !isGuiding || isChoosing) {
      // Time counts from when all of that is true.
      this.touchedMs = this.now();
      return false;
    }
    return afterS > 0 && this.now() - this.touchedMs >= afterS * 1000;
  }
}
