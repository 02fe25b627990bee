// The list of the maneuvers that are left, which a tap on the guide panel opens.

import { distance, escaped } from "./format.js";
import { BUTTONS, maneuverIcon } from "./icons.js";
import { maneuverRows } from "./maneuvers-model.js";

const byID = (id) => document.getElementById(id);

export class Maneuvers {
  /** `onOpen()` is called before the list is shown. */
  constructor(onOpen) {
    this.onOpen = onOpen;
    this.card = byID("maneuvers");
    this.handle = byID("guide-turn");
    byID("guide-more").innerHTML = BUTTONS.more;
    this.route = null;
    this.index = null;
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
    if (this.index === null) return;
    this.onOpen();
    this.card.hidden = false;
    this.handle.setAttribute("aria-expanded", "true");
    this.draw();
    this.card.scrollTop = 0;
  }

  close() {
    this.card.hidden = true;
    this.handle.setAttribute("aria-expanded", "false");
    this.shown = null;
  }

  /** The vehicle has moved on along `route`, which is null for none; `panel` is that of the scene. */
  move(route, panel) {
    const index = panel?.maneuver_index;
    this.route = route;
    this.index = route && index !== undefined && index !== null ? index : null;
    this.remainingM = panel?.maneuver_remaining_m ?? 0;
    byID("guide-more").hidden = this.index === null;
    if (!this.isOpen) return;
    // Off the route, and after the arrival, nothing lies ahead.
    if (this.index === null) this.close();
    else this.draw();
  }

  draw() {
    const key = `${this.route.id} ${this.index}`;
    const rows = maneuverRows(this.route, this.index, this.remainingM);
    if (key !== this.shown) {
      this.shown = key;
      this.card.innerHTML = rows.map(({ maneuver, text, isLeftHand, metres }) =>
        `<li>${maneuverIcon(maneuver, isLeftHand)}<div><b>${far(metres)}</b><span>${escaped(text)}</span></div></li>`).join("");
    }
    const first = this.card.querySelector("b");
    if (first && rows.length > 0 && first.textContent !== far(rows[0].metres)) first.textContent = far(rows[0].metres);
  }
}

function far(metres) {
  const { number, unit } = distance(metres);
  return `${number} ${unit}`;
}
