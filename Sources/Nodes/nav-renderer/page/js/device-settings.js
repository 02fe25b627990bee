// The driver's settings for this screen, kept on the device. Knows no DOM.

import { UNIT_NAMES } from "./format.js";
import { LANGUAGES, chosenLanguage } from "./words.js";

const KEY = "navstack.settings";
/** Sets of colours that the renderer serves. */
export const COLOUR_SETS = ["standard", "colour-blind", "high-contrast"];
/** Seconds after which the camera returns to the vehicle; 0 for never. */
export const RETURN_CHOICES_S = [0, 5, 10, 20, 30, 60];

/** By setting: its value before anybody has set it, and whether a value can be one of it. "auto" leaves it to the stack or the device. */
const SETTINGS = {
  language: { first: "auto", isValid: (value) => value === "auto" || Object.hasOwn(LANGUAGES, value) },
  units: { first: "auto", isValid: (value) => value === "auto" || UNIT_NAMES.includes(value) },
  colours: { first: "auto", isValid: (value) => value === "auto" || COLOUR_SETS.includes(value) },
  returnS: { first: 10, isValid: (value) => Number.isFinite(value) && value >= 0 && value <= 3600 },
  volume: { first: 1, isValid: (value) => Number.isFinite(value) && value >= 0 && value <= 1 },
};

export class DeviceSettings {
  /** `open()` returns the storage, like localStorage; without one, settings are kept until the page is closed. */
  constructor(open) {
    this.open = open;
    const kept = this.read();
    this.values = Object.fromEntries(Object.entries(SETTINGS).map(([name, { first, isValid }]) =>
      [name, isValid(kept[name]) ? kept[name] : first]));
  }

  read() {
    // Storage can be forbidden, and its content is whatever an older page has left.
    try {
      return JSON.parse(this.open().getItem(KEY)) ?? {};
    } catch {
      return {};
    }
  }

  /** Sets one setting; a value that cannot be one of it is refused with `false`. */
  set(name, value) {
    if (!Object.hasOwn(SETTINGS, name) || !SETTINGS[name].isValid(value)) return false;
    this.values = { ...this.values, [name]: value };
    try {
      this.open().setItem(KEY, JSON.stringify(this.values));
    } catch {
      // Full or forbidden: the settings of this page stay.
    }
    return true;
  }

  /** The language of the page: the one that was set, that of the stack, or the first of the browser that has a table. */
  language(stack, browser) {
    const { language } = this.values;
    return chosenLanguage(language === "auto" ? [stack, ...browser] : [language]);
  }

  units(stack) { return this.values.units === "auto" ? stack : this.values.units; }

  /** The set of colours; `wantsContrast` is what the device asks for. */
  colours(wantsContrast) {
    if (this.values.colours !== "auto") return this.values.colours;
    return wantsContrast ? "high-contrast" : "standard";
  }
}
