// The card of a simulated or replayed drive: says what it is, pauses it, and makes it faster.

import { byID, labelOf, wordOf } from "./dom.js";
import { RATES, SimulationModel } from "./simulation-model.js";
import { TRIP_ICONS } from "./trip-icons.js";
import { words } from "./words.js";

/** Milliseconds between two looks at a source that others can pause as well. */
const ASK_MS = 5000;

export class Simulation {
  /** `call(name, payload)` makes a call, `fail(failure)` tells why one failed; `onChange()` follows each change. */
  constructor({ call, fail, onChange }) {
    Object.assign(this, { fail, onChange });
    this.model = new SimulationModel(call, () => this.draw());
    this.card = byID("simulation");
    byID("simulation-pause").onclick = () => this.make(this.model.turn());
    this.rates = RATES.map((rate) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = `×${rate}`;
      button.dataset.rate = rate;
      button.onclick = () => this.make(this.model.setRate(rate));
      return button;
    });
    byID("simulation-rates").append(...this.rates);
    setInterval(() => { if (!document.hidden) this.model.ask(); }, ASK_MS);
  }

  /** The words are others from now on. */
  reworded() { this.draw(); }

  opened() { this.model.reset(); }

  drive() { this.make(this.model.drive()); }

  draw() {
    const { model } = this;
    this.card.hidden = !model.isControlled;
    this.onChange();
    if (!model.isControlled) return;
    wordOf(byID("simulation-text"), `simulation.${model.state.source}`);
    byID("simulation-pause").innerHTML = model.isPaused ? TRIP_ICONS.play : TRIP_ICONS.pause;
    labelOf(byID("simulation-pause"), model.isPaused ? "simulation.resume" : "simulation.pause");
    for (const button of this.rates) {
      const rate = Number(button.dataset.rate);
      button.setAttribute("aria-pressed", String(rate === model.rate));
      button.setAttribute("aria-label", words("simulation.rate", { rate }));
    }
  }

  async make(promise) {
    try {
      await promise;
    } catch (failure) {
      this.fail(failure);
    }
  }
}
