// The settings of this screen as they take effect: language, units, colours.

import { setUnits } from "./format.js";
import { loadWords } from "./page-words.js";

const contrast = window.matchMedia("(prefers-contrast: more)");

export class Display {
  /** `device` are the DeviceSettings, `config` the renderer's config.json. */
  constructor(device, config) {
    Object.assign(this, { device, config });
    this.showColours();
  }

  get language() { return this.device.language(this.config.language, navigator.languages ?? []); }
  get colours() { return this.device.colours(contrast.matches); }

  /** Loads the words; the page has none before. */
  async start() {
    setUnits(this.device.units(this.config.units));
    await loadWords(this.language);
  }

  /** `onColours(colours)` is called when the device asks for more contrast, or no longer. */
  watch(onColours) {
    contrast.addEventListener("change", () => {
      this.showColours();
      onColours(this.colours);
    });
  }

  showColours() { document.documentElement.dataset.colours = this.colours; }
}
