// The overview: shows the whole route, or all routes of a preview, and leads back from it.

import { measureCards } from "./cards.js";
import { byID } from "./dom.js";
import { BUTTONS } from "./icons.js";
import { freeMargins } from "./layout.js";

export class Overview {
  /** `preview` is the card of routes to choose from; `view()` gives what is shown. */
  constructor(map, mapView, preview, view) {
    Object.assign(this, { map, mapView, camera: mapView.camera, preview, view });
    /** What the camera did before the preview was opened. */
    this.modeBefore = "tracking";
    for (const id of ["overview", "north", "recentre"]) byID(id).innerHTML = BUTTONS[id];
    this.camera.onOverview = () => this.fit();
    // The needle of the button points north, however the map is turned.
    map.on("rotate", () => byID("north").style.setProperty("--turn", `${-map.getBearing().toFixed(1)}deg`));
    // A screen that is turned or resized shows the whole route again.
    map.on("resize", () => {
      this.camera.cards = measureCards();
      if (this.camera.mode === "overview") this.fit();
    });
  }

  fit() {
    const { preview, mapView } = this;
    const box = preview.isOpen ? preview.bounds : mapView.route.bounds;
    if (!box) return;
    const { clientWidth: width, clientHeight: height } = this.map.getContainer();
    // Callouts stand beside the routes of a preview.
    const airPx = preview.isOpen ? Math.min(Math.max(0.1 * Math.min(width, height), 40), 80) : 40;
    this.camera.overview(box, freeMargins(width, height, measureCards(), airPx));
  }

  leave() {
    if (this.view().settings.tracking) this.camera.track();
    else this.camera.free();
  }

  /** Draws `view.routeID`: without a route there is nothing to look over. */
  draw(routeID) {
    byID("overview").hidden = routeID === null;
    if (routeID === null && this.camera.mode === "overview" && !this.preview.isOpen) this.leave();
  }

  /** The preview is about to be opened. */
  previewOpens() {
    if (!this.preview.isOpen) this.modeBefore = this.camera.mode;
    queueMicrotask(() => this.mapView.setPreview(this.preview.isOpen));
  }

  /** The preview was closed: the camera does what it did before. */
  previewClosed(isStarted) {
    this.mapView.setPreview(false);
    if (isStarted) this.leave();
    else if (this.camera.mode !== "overview") return;
    else if (this.modeBefore === "free") this.camera.free();
    else if (this.modeBefore === "overview" && this.view().routeID !== null) this.fit();
    else this.leave();
  }
}
