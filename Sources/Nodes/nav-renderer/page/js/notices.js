// Draws the single lines of text: caption, name of the road, lost location, state of the link.

import { byID } from "./dom.js";

export class Notices {
  /** Draws `caption`, `road`, `signal`, `notice`, `link` and `gps` of a view. */
  draw(view) {
    if (view === this.shown) return;
    const before = this.shown;
    this.shown = view;
    for (const id of ["caption", "road", "signal"]) if (view[id] !== before?.[id]) line(id, view[id]);
    const page = document.documentElement;
    page.dataset.link = view.link;
    page.dataset.gps = view.gps;
    if (view.notice !== before?.notice) notify(view.notice);
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
