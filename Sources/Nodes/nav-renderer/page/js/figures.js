// Draws what is left of the trip: arrival, time, distance.

import { byID, setHTML } from "./dom.js";
import { escaped } from "./format.js";
import { BUTTONS } from "./icons.js";

export class Figures {
  /** `onStop()` is called to end the guidance. */
  constructor(onStop) {
    byID("stop").innerHTML = BUTTONS.stop;
    byID("stop").onclick = onStop;
  }

  /** Draws `view.figures`; null hides them. */
  draw(figures) {
    if (figures === this.shown) return;
    this.shown = figures;
    byID("bar").hidden = figures === null;
    if (figures === null) return;
    const { distance, time, arrival } = figures;
    setHTML("bar-distance", escaped(distance.text));
    setHTML("bar-distance-label", escaped(distance.unit));
    setHTML("bar-time", escaped(time.text));
    const delay = time.delay ? ` <span class="delay ${time.delay.colour}">${escaped(time.delay.text)}</span>` : "";
    setHTML("bar-time-label", escaped(time.unit) + delay);
    setHTML("bar-eta", escaped(arrival.text));
    setHTML("bar-eta-label", escaped(arrival.label));
  }
}
