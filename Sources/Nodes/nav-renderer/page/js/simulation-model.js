// A drive that is simulated or replayed: what the source of locations can do, and the calls that control it. Knows no DOM.

export const RATES = [1, 2, 4, 8];
/** Sources whose time can be paused and made faster. */
const CONTROLLED = new Set(["simulator", "recording"]);
/** The source is not asked again after so many answers that there is none. */
const MOST_REFUSALS = 3;

export class SimulationModel {
  /** `call(name, payload)` makes a call; `onChange()` is called when something else is to be shown. */
  constructor(call, onChange) {
    Object.assign(this, { call, onChange, state: null, refusals: 0, number: 0 });
  }

  /** Whether time can be paused and made faster. */
  get isControlled() { return CONTROLLED.has(this.state?.source); }
  /** Whether a simulated driver follows the route. */
  get isSimulated() { return this.state?.source === "simulator"; }
  get isPaused() { return this.state?.paused ?? false; }
  get rate() { return this.state?.rate ?? 1; }

  /** The link to the stack was opened: another source may be there. */
  reset() {
    this.refusals = 0;
    return this.ask();
  }

  /** Asks for the state of the source; does nothing once a stack has answered that it has none. */
  async ask() {
    if (this.refusals >= MOST_REFUSALS) return;
    const { number } = this;
    try {
      const state = await this.call("location/control", { command: "status" });
      this.refusals = 0;
      // A command that was given meanwhile knows better.
      if (number === this.number) this.take(state);
    } catch (failure) {
      if (failure.code === "no_such_service") this.refusals += 1;
      if (this.refusals >= MOST_REFUSALS) this.take(null);
    }
  }

  /** Makes a call of the source; throws what it throws. */
  async command(payload) {
    this.number += 1;
    this.take(await this.call("location/control", payload));
  }

  turn() { return this.command({ command: this.isPaused ? "resume" : "pause" }); }
  setRate(rate) { return this.command({ command: "rate", rate }); }

  /** A route was chosen to be driven: time goes on. */
  async drive() { if (this.isSimulated && this.isPaused) await this.command({ command: "resume" }); }

  take(state) {
    const isSame = JSON.stringify(shownPart(state)) === JSON.stringify(shownPart(this.state));
    this.state = state;
    if (!isSame) this.onChange();
  }
}

function shownPart(state) { return state && [state.source, state.rate, state.paused]; }
