// The look of the map: its style is fetched again where theme, mode of the route or colours ask for another one.

import { loadStyle, recolour } from "./mapstyle.js";

/** Milliseconds after which a style that did not come is asked for again. */
const RETRY_MS = 2000;

export class Look {
  /** `style` is shown by `look`, a `view.look`, in a set of colours; `painted` have `repaint(palette)`. */
  constructor(map, vehicle, look, colours, style, painted) {
    Object.assign(this, { map, vehicle, colours, style, painted });
    this.shown = look;
  }

  /** Draws `view.look`. */
  async draw(look) {
    if (look === this.shown) return;
    this.shown = look;
    document.documentElement.dataset.theme = look.theme;
    try {
      const style = await loadStyle(look.theme, look.mode, this.vehicle, this.colours);
      // A later change has asked for another one meanwhile.
      if (this.shown !== look) return;
      this.style = style;
      recolour(this.map, style);
      for (const part of this.painted) part.repaint(style.metadata.palette);
    } catch (failure) {
      console.warn(failure.message);
      setTimeout(() => { if (this.shown === look) this.shown = null; }, RETRY_MS);
    }
  }

  /** Shows another set of colours from now on. */
  async recolour(colours) {
    if (colours === this.colours) return;
    this.colours = colours;
    const look = this.shown;
    this.shown = null;
    await this.draw(look);
  }

  /** The stack has another map: its tiles have other addresses. */
  async reload() {
    this.style = await loadStyle(this.shown?.theme ?? "day", this.shown?.mode ?? null, this.vehicle, this.colours);
    for (const [name, source] of Object.entries(this.style.sources)) {
      if (source.tiles) this.map.getSource(name)?.setTiles?.(source.tiles);
    }
  }
}
