// Draws the list of the maneuvers that are left, which a tap on the guide panel opens.

import { byID } from "./dom.js";
import { escaped } from "./format.js";
import { BUTTONS, maneuverIcon } from "./icons.js";
import { shieldsHTML } from "./shields.js";

export class Maneuvers {
  /** `onOpen()` is called before the list is shown. */
  constructor(onOpen) {
    this.onOpen = onOpen;
    this.card = byID("maneuvers");
    this.handle = byID("guide-turn");
    byID("guide-more").innerHTML = BUTTONS.more;
    this.list = null;
    this.handle.onclick = () => this.toggle();
    this.handle.onkeydown = (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      this.toggle();
    };
    document.addEventListener("keydown", ({ key }) => { if (key === "Escape") this.close(); });
  }

  get isOpen() { return !this.card.hidden; }

  toggle() {
    if (this.isOpen) {
      this.close();
      return;
    }
    if (this.list === null) return;
    this.onOpen();
    this.card.hidden = false;
    this.handle.setAttribute("aria-expanded", "true");
    this.update();
    this.card.scrollTop = 0;
  }

  close() {
    this.card.hidden = true;
    this.handle.setAttribute("aria-expanded", "false");
    this.key = null;
  }

  /** Draws `view.maneuvers`; null, off the route and after the arrival, closes the list. */
  draw(list) {
    if (list === this.list) return;
    this.list = list;
    byID("guide-more").hidden = list === null;
    if (!this.isOpen) return;
    if (list === null) this.close();
    else this.update();
  }

  /** The words or units are others from now on. */
  reworded() { this.key = null; }

  update() {
    const { key, rows } = this.list;
    if (key !== this.key) {
      this.key = key;
      this.card.innerHTML = rows.map(({ icon, text, distanceText, shields }) =>
        `<li>${maneuverIcon(icon.maneuver, icon.isLeftHand)}<div><b>${escaped(distanceText)}</b><span dir="auto">${escaped(text)}</span></div>${
          shields.length > 0 ? `<div class="shields">${shieldsHTML(shields)}</div>` : ""}</li>`).join("");
    }
    const first = this.card.querySelector("b");
    if (first && rows.length > 0 && first.textContent !== rows[0].distanceText) first.textContent = rows[0].distanceText;
  }
}
