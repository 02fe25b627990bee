// The warnings ahead as signs on the map.

import { warningSign } from "./warning-signs.js";

const SOURCE = "nav-warnings";

export class WarningMarks {
  constructor(map, images) {
    this.map = map;
    this.images = images;
    this.shown = null;
  }

  /** Draws `view.warningMarks`. */
  async draw(marks) {
    if (marks === this.shown) return;
    this.shown = marks;
    const features = marks.map(({ id, kind, lat_deg: lat, lon_deg: lon }) => ({
      type: "Feature", properties: { id, kind, icon: `warning-${kind}` }, geometry: { type: "Point", coordinates: [lon, lat] },
    }));
    await Promise.all(marks.map(({ kind }) => this.images.add(`warning-${kind}`, warningSign(kind))));
    // Others may have come meanwhile.
    if (marks === this.shown) this.map.getSource(SOURCE).setData({ type: "FeatureCollection", features });
  }
}
