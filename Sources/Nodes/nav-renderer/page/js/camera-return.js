// Brings the camera back to the vehicle when the driver has left the map alone for a while.

import { AutoReturn } from "./auto-return.js";

export class CameraReturn {
  /** `view()` gives the view; `isChoosing()` is whether something is being chosen on the map; `afterS()` are the seconds to wait, 0 for ever. */
  constructor(map, camera, { view, isChoosing, afterS }) {
    Object.assign(this, { camera, view, isChoosing, afterS });
    this.timer = new AutoReturn();
    const container = map.getContainer();
    const options = { capture: true, passive: true };
    for (const event of ["pointerdown", "pointerup", "pointercancel", "wheel", "keydown"]) {
      container.addEventListener(event, () => this.timer.touched(), options);
    }
    container.addEventListener("pointermove", ({ buttons }) => { if (buttons) this.timer.touched(); }, options);
  }

  /** To be called a few times each second. */
  check() {
    const { settings, routeID } = this.view();
    const state = {
      mode: this.camera.mode, isFollowing: settings.tracking === true, isGuiding: routeID !== null, isChoosing: this.isChoosing(), afterS: this.afterS(),
    };
    // A finger that rests on the map touches it.
    if (this.camera.isHeld) this.timer.touched();
    if (this.timer.isDue(state)) this.camera.track();
  }
}
