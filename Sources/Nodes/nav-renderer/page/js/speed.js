// Draws speed and limit.

import { byID, name, setHTML } from "./dom.js";
import { escaped } from "./format.js";

export class Speed {
  /** Draws `view.speed`; null hides it. */
  draw(speed) {
    if (speed === this.shown) return;
    this.shown = speed;
    byID("speed").hidden = speed === null;
    if (speed === null) return;
    const { limit } = speed;
    setHTML("speed-value", escaped(speed.text));
    setHTML("speed-unit", escaped(speed.unit));
    byID("speed").classList.toggle("over", speed.isOver);
    byID("speed").classList.toggle("far", speed.isFar);
    byID("limit").hidden = limit === null;
    byID("limit").dataset.form = speed.form;
    if (limit === null) return;
    setHTML("limit", limit.caption ? `<small lang="en">${escaped(limit.caption)}</small>${escaped(limit.text)}` : escaped(limit.text));
    byID("limit").classList.toggle("none", limit.isNone);
    byID("limit").classList.toggle("long", limit.text.length > 2);
    name("limit", limit.label);
  }
}
