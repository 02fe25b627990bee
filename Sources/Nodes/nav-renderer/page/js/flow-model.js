// Whether the traffic layer is shown, and where its tiles are. Knows no DOM.

import { besidePage } from "./page-address.js";
import { listText, words } from "./words.js";

const KEY = "navstack.flow";

export class FlowModel {
  /** `open()` returns the storage, like localStorage; without one, the switch is kept until the page is closed. */
  constructor(open, vehicle) {
    this.open = open;
    this.vehicle = vehicle;
    this.isOn = this.read() === "on";
    /** Hidden for all pages by the call scene/control. */
    this.isHidden = false;
    /** What the renderer said last: {version, segments, slow, jam, closed}; null for nothing. */
    this.state = null;
  }

  read() {
    // Storage can be forbidden.
    try {
      return this.open().getItem(KEY);
    } catch {
      return null;
    }
  }

  turn(isOn) {
    this.isOn = isOn;
    try {
      this.open().setItem(KEY, isOn ? "on" : "off");
    } catch {
      // Full or forbidden: the switch of this page counts.
    }
  }

  /** A page without a vehicle has no traffic. */
  get isShown() { return this.isOn && !this.isHidden && Boolean(this.vehicle); }

  /** Takes what the renderer says of the traffic. */
  tell(state) { this.state = state?.version ? state : null; }

  /** The address of the tiles for the page at `href`; null while none are shown. */
  tiles(href) {
    if (!this.isShown || !this.state) return null;
    const query = new URLSearchParams({ vehicle: this.vehicle, version: this.state.version });
    return besidePage(`/flow/{z}/{x}/{y}.mvt?${query}`, href);
  }

  /** What the button says of the layer. */
  get title() {
    const name = words("layer.flow");
    return this.isShown && this.state?.segments === 0 ? listText([name, words("flow.none")]) : name;
  }
}
