// Draws the single lines of text: caption, name of the road, lost location, state of the link.

import { byID, setHTML } from "./dom.js";
import { escaped } from "./format.js";
import { shieldsHTML } from "./shields.js";

export class Notices {
  /** Draws `caption`, `road`, `signal`, `notice`, `link` and `gps` of a view. */
  draw(view) {
    if (view === this.shown) return;
    const before = this.shown;
    this.shown = view;
    for (const id of ["caption", "signal"]) if (view[id] !== before?.[id]) line(id, view[id]);
    if (view.road !== before?.road) this.drawRoad(view.road);
    const page = document.documentElement;
    page.dataset.link = view.link;
    page.dataset.gps = view.gps;
    if (view.notice !== before?.notice) notify(view.notice);
  }

  drawRoad(road) {
    byID("road").hidden = road === null;
    setHTML("road", road ? shieldsHTML(road.shields) + (road.name && `<span>${escaped(road.name)}</span>`) : "");
  }
}

function line(id, text) {
  byID(id).textContent = text;
  byID(id).hidden = !text;
}

/** Shows {text, isFault} over everything else; no text hides it. */
export function notify({ text, isFault }) {
  line("link", text);
  byID("link").classList.toggle("note", !isFault);
  document.documentElement.toggleAttribute("data-has-notice", Boolean(text));
}
