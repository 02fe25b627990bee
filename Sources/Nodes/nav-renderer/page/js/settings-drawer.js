// The drawer with the settings of this screen and of the renderer.

import { byID, hideCard } from "./dom.js";
import { BUTTONS } from "./icons.js";
import { controlRequest, deviceValue, settingGroups } from "./settings-model.js";

export class SettingsDrawer {
  /**
   * `device` are the DeviceSettings; `speech` has `isOn` (null without a voice) and `turn(isOn)`; `control(request)` makes the call
   * scene/control; `onOpen()` is called before the drawer is shown, `onChange(id)` after a setting of this screen has changed.
   */
  constructor({ device, speech, control, onOpen, onChange, onFailure }) {
    Object.assign(this, { device, speech, control, onOpen, onChange, onFailure });
    this.card = byID("settings");
    this.button = byID("set");
    this.scene = {};
    this.shown = "";
    this.button.innerHTML = BUTTONS.settings;
    byID("settings-close").innerHTML = BUTTONS.stop;
    this.button.onclick = () => (this.isOpen ? this.close() : this.open());
    byID("settings-close").onclick = () => this.close();
    byID("sound").addEventListener("click", () => this.update());
    document.addEventListener("keydown", ({ key }) => { if (key === "Escape") this.close(); });
  }

  get isOpen() { return !this.card.hidden; }

  open() {
    this.onOpen();
    this.card.hidden = false;
    this.button.setAttribute("aria-expanded", "true");
    this.update();
    byID("settings-close").focus({ preventScroll: true });
  }

  close() {
    if (!this.isOpen) return;
    hideCard(this.card, this.button);
  }

  /** Draws `view.settings`. */
  draw(scene) {
    if (scene === this.scene) return;
    this.scene = scene;
    this.update();
  }

  update() {
    if (!this.isOpen) return;
    const groups = settingGroups({ device: this.device.values, scene: this.scene, isVoiceOn: this.speech.isOn });
    const key = JSON.stringify([document.documentElement.lang, groups]);
    if (key === this.shown) return;
    this.shown = key;
    const focused = document.activeElement?.id;
    byID("settings-rows").replaceChildren(...groups.map((group) => this.group(group)));
    if (focused?.startsWith("setting-")) byID(focused)?.focus({ preventScroll: true });
  }

  group({ title, rows }) {
    const box = document.createElement("fieldset");
    const legend = document.createElement("legend");
    legend.textContent = title;
    box.append(legend, ...rows.map((row) => this.row(row)));
    return box;
  }

  row(row) {
    const label = document.createElement("label");
    const text = document.createElement("span");
    text.textContent = row.text;
    const field = { choice: choiceField, range: rangeField, switch: switchField }[row.kind](row);
    field.id = `setting-${row.id}`;
    field.addEventListener("change", () => this.change(row, field));
    label.append(text, field);
    if (row.kind !== "range") return label;
    const shown = document.createElement("output");
    shown.textContent = row.shown;
    shown.setAttribute("aria-hidden", "true");
    field.setAttribute("aria-valuetext", row.shown);
    label.insertBefore(shown, field);
    return label;
  }

  async change(row, field) {
    const value = row.kind === "switch" ? field.checked : field.value;
    const request = controlRequest(row.id, value);
    if (row.id === "voice") this.speech.turn(value);
    else if (!request) {
      this.device.set(row.id, deviceValue(row.id, value));
      await this.onChange(row.id);
    } else {
      // The row shows what the renderer has, also where it refuses.
      await this.control(request).catch((failure) => this.onFailure(failure));
      this.shown = "";
    }
    this.update();
  }
}

function choiceField({ value, choices }) {
  const field = document.createElement("select");
  field.append(...choices.map((choice) => {
    const option = document.createElement("option");
    option.value = choice.value;
    option.textContent = choice.text;
    if (choice.language) option.lang = choice.language;
    option.selected = choice.value === value;
    return option;
  }));
  return field;
}

function rangeField({ value, least, most, step }) {
  const field = document.createElement("input");
  Object.assign(field, { type: "range", min: least, max: most, step, value });
  return field;
}

function switchField({ isOn }) {
  const field = document.createElement("input");
  field.type = "checkbox";
  field.setAttribute("role", "switch");
  field.checked = isOn;
  return field;
}
