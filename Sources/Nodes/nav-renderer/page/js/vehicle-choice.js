// The travel modes as a row of pictures, and the size of a truck or bus.

import { byID, labelOf, wordOf } from "./dom.js";
import { MODE_ICONS } from "./trip-icons.js";
import { MODE_NAMES, SIZE_NAMES } from "./vehicle-model.js";

export class VehicleChoice {
  /** `base()` returns the request that the choice begins with; `change()` is called when something else was chosen. */
  constructor(model, base, change) {
    Object.assign(this, { model, base, change });
    this.modes = byID("preview-mode");
    this.sizes = byID("preview-sizes");
    this.modes.append(...MODE_NAMES.map((mode) => this.button(mode)));
    this.modes.onkeydown = (event) => this.press(event);
    this.sizes.append(...SIZE_NAMES.map((name) => this.field(name)), this.goods());
  }

  button(mode) {
    const button = document.createElement("button");
    button.type = "button";
    button.dataset.mode = mode;
    button.innerHTML = MODE_ICONS[mode];
    button.setAttribute("role", "radio");
    labelOf(button, `mode.${mode}`);
    button.onclick = () => this.pick(mode);
    return button;
  }

  pick(mode) {
    this.model.choose(mode);
    this.draw();
    this.change();
  }

  press(event) {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const at = MODE_NAMES.indexOf(this.model.mode(this.base()));
    this.pick(MODE_NAMES[(at + step + MODE_NAMES.length) % MODE_NAMES.length]);
    this.modes.querySelector('[aria-checked="true"]').focus();
  }

  field(name) {
    const label = document.createElement("label");
    const text = document.createElement("span");
    wordOf(text, `size.${name}`);
    const input = document.createElement("input");
    input.type = "text";
    input.inputMode = "decimal";
    input.dataset.size = name;
    input.autocomplete = "off";
    input.onchange = () => {
      const isValid = this.model.set(this.model.mode(this.base()), name, input.value);
      input.setAttribute("aria-invalid", String(!isValid));
      if (isValid) this.change();
    };
    label.append(text, input);
    return label;
  }

  goods() {
    const label = document.createElement("label");
    label.className = "goods";
    const input = document.createElement("input");
    input.type = "checkbox";
    input.dataset.size = "hazardous_goods";
    input.onchange = () => {
      this.model.set(this.model.mode(this.base()), "hazardous_goods", input.checked);
      this.change();
    };
    const text = document.createElement("span");
    wordOf(text, "size.hazardous_goods");
    label.append(input, text);
    return label;
  }

  draw() {
    const mode = this.model.mode(this.base());
    for (const button of this.modes.children) {
      const isChosen = button.dataset.mode === mode;
      button.setAttribute("aria-checked", String(isChosen));
      button.tabIndex = isChosen ? 0 : -1;
    }
    // The sizes that a route of another program was computed with are not those of the device.
    const isSized = this.model.isSized(mode) && this.model.chosen !== null;
    this.sizes.hidden = !isSized;
    if (!isSized) return;
    for (const input of this.sizes.querySelectorAll("input")) {
      const value = this.model.sizes[mode][input.dataset.size];
      if (input.type === "checkbox") input.checked = value === true;
      else input.value = value ? String(value) : "";
      input.removeAttribute("aria-invalid");
    }
  }
}
