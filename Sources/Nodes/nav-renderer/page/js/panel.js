// Draws the panel of guidance: the next maneuver with its sign and lanes, or the way back or on.

import { byID, name, setHTML } from "./dom.js";
import { escaped } from "./format.js";
import { bearingIcon, laneIcon, maneuverIcon } from "./icons.js";
import { shieldsHTML } from "./shields.js";
import { signHTML } from "./signpost.js";
import { words } from "./words.js";

export class Panel {
  constructor() {
    this.shown = null;
    this.mapBearing = 0;
  }

  /** Draws `view.panel`; null hides it. */
  draw(panel) {
    if (panel === this.shown) return;
    this.shown = panel;
    byID("guide").hidden = panel === null;
    if (panel === null) return;
    this.drawIcon();
    byID("guide-turn").setAttribute("aria-label", panel.label);
    setHTML("guide-distance", escaped(panel.distanceText));
    setHTML("guide-road", `${shieldsHTML(panel.shields)}<bdi>${escaped(panel.text)}</bdi>`);
    byID("guide-sign").hidden = panel.sign === null;
    byID("guide-sign").dataset.sign = panel.sign?.colour ?? "";
    setHTML("guide-sign", panel.sign ? signHTML(panel.sign) : "");
    byID("guide-lanes").hidden = panel.lanes.length === 0;
    setHTML("guide-lanes", panel.lanes.map(laneHTML).join(""));
    name("guide-lanes", panel.lanesLabel);
    byID("guide-then").hidden = panel.then === null;
    if (panel.then) this.drawThen(panel.then);
  }

  /** Turns the arrows to places on the map, which has another direction up. */
  turn(mapBearing) {
    this.mapBearing = mapBearing;
    if (this.shown?.icon.bearing !== undefined) this.drawIcon();
  }

  drawIcon() {
    const { bearing, maneuver, isLeftHand } = this.shown.icon;
    setHTML("guide-icon", bearing === undefined ? maneuverIcon(maneuver, isLeftHand) : bearingIcon(bearing - this.mapBearing));
  }

  drawThen({ icon, distanceText, label }) {
    setHTML("guide-then", `<b>${escaped(words("then"))}</b> ${maneuverIcon(icon.maneuver, icon.isLeftHand)} <span>${escaped(distanceText)}</span>`);
    name("guide-then", label);
  }
}

function laneHTML(lane) {
  return `<div class="lane${lane.isUsed ? " use" : ""}" data-level="${escaped(lane.level)}" data-active="${escaped(lane.active)}">${
    laneIcon(lane)}${lane.mark && `<span>${escaped(lane.mark)}</span>`}</div>`;
}
