// Draws the banner; its buttons make the calls that they stand for.

import { byID } from "./dom.js";
import { escaped } from "./format.js";

export class Banner {
  /** `answer(kind, call, payload)` makes the call of a button in a banner of that kind. */
  constructor(answer) { this.answer = answer; }

  /** Draws `view.banner`; null hides it. */
  draw(banner) {
    if (banner === this.shown) return;
    this.shown = banner;
    byID("banner").hidden = banner === null;
    if (banner === null) return;
    const { kind, title, text, look, buttons } = banner;
    byID("banner").className = `card ${look}`;
    byID("banner-text").innerHTML = `<b>${escaped(title)}</b><span>${escaped(text)}</span>`;
    byID("banner-buttons").replaceChildren(...buttons.map(({ label, style, call, payload }) => {
      const button = document.createElement("button");
      button.type = "button";
      button.className = style;
      button.textContent = label;
      button.onclick = () => this.answer(kind, call, payload);
      return button;
    }));
  }
}
