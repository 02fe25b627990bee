// The categories of places as buttons under the text of the search.

import { CATEGORY_NAMES } from "./categories.js";
import { wordOf } from "./dom.js";

export class CategoryChips {
  /** `line()` returns the followed route, or null. */
  constructor(model, line) {
    Object.assign(this, { model, line });
    const box = this.box = document.getElementById("search-categories");
    this.along = this.chip("search.along", () => model.turnAlong());
    this.along.classList.add("along");
    this.chips = CATEGORY_NAMES.map((name) => {
      const chip = this.chip(`place.${name}`, () => model.turn(name));
      chip.dataset.category = name;
      return chip;
    });
    box.append(this.along, ...this.chips);
  }

  chip(key, action) {
    const button = document.createElement("button");
    button.type = "button";
    wordOf(button, key);
    button.onclick = action;
    // A tap leaves the focus in the text, so that arrows go through the list.
    button.onmousedown = (event) => event.preventDefault();
    return button;
  }

  draw() {
    const { category, text } = this.model;
    this.box.classList.toggle("row", Boolean(category || text));
    for (const chip of this.chips) chip.setAttribute("aria-pressed", String(chip.dataset.category === category));
    this.along.hidden = category === null || this.line() === null;
    this.along.setAttribute("aria-pressed", String(this.model.isAlong));
    if (category === this.shown) return;
    this.shown = category;
    this.chips.find((chip) => chip.dataset.category === category)?.scrollIntoView({ block: "nearest", inline: "center" });
  }
}
