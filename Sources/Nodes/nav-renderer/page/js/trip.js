// The panel of the trip while guided: its stops, and pausing.

import { byID, hideCard, wordOf } from "./dom.js";
import { failureText } from "./failure-text.js";
import { BUTTONS } from "./icons.js";
import { StopList } from "./stop-list.js";
import { TRIP_ICONS } from "./trip-icons.js";
import { moved, orderCall, removeCall } from "./trip-model.js";
import { words } from "./words.js";

export class Trip {
  /** `call(name, payload)` makes a call; `addStop()` opens the search for another stop; `onOpen()` precedes the panel. */
  constructor({ call, addStop, onOpen }) {
    Object.assign(this, { call, onOpen, shown: null, rows: [], isBusy: false, proposed: null });
    this.card = byID("stops");
    this.button = byID("stops-open");
    this.button.innerHTML = TRIP_ICONS.stops;
    byID("stops-close").innerHTML = BUTTONS.stop;
    this.list = new StopList(byID("stops-list"), {
      move: (from, to) => this.reorder(from, to), remove: (index) => this.make(removeCall(this.rows[index])),
    });
    this.button.onclick = () => (this.isOpen ? this.close() : this.open());
    byID("stops-close").onclick = () => this.close();
    byID("stops-add").onclick = addStop;
    byID("stops-skip").onclick = () => this.make({ name: "navigate/skip_waypoint", payload: {} });
    byID("stops-pause").onclick = () => this.turn();
    byID("paused-resume").onclick = () => this.turn();
    document.addEventListener("keydown", ({ key }) => { if (key === "Escape") this.close(); });
  }

  get isOpen() { return !this.card.hidden; }

  open() {
    if (this.isOpen || !this.shown) return;
    this.onOpen();
    this.card.hidden = false;
    this.button.setAttribute("aria-expanded", "true");
    this.say("");
    this.update();
    byID("stops-close").focus({ preventScroll: true });
  }

  close() {
    if (!this.isOpen) return;
    hideCard(this.card, this.button);
  }

  /** Draws `view.stops`; null for no route. */
  draw(stops) {
    if (stops === this.shown) return;
    if (stops?.routeID !== this.shown?.routeID) this.proposed = null;
    this.shown = stops;
    byID("paused").hidden = !stops?.isPaused;
    if (!stops) this.close();
    else this.update();
  }

  update() {
    if (!this.isOpen) return;
    this.rows = this.proposed ?? this.shown.rows;
    this.list.draw(this.rows, this.isBusy);
    byID("stops-skip").disabled = this.isBusy || this.rows.length < 2;
    byID("stops-add").disabled = this.isBusy;
    wordOf(byID("stops-pause"), this.shown.isPaused ? "trip.resume" : "trip.pause");
  }

  reorder(from, to) {
    const call = orderCall(this.rows, from, to);
    // The new order is shown at once; the route that follows confirms it.
    if (call) this.proposed = moved(this.rows, from, to);
    this.make(call);
  }

  turn() { this.make({ name: this.shown?.isPaused ? "navigate/resume" : "navigate/pause", payload: {} }, ""); }

  /** Makes a call that changes the trip; resolves with whether that worked. */
  async make(call, sentence = words("preview.computing")) {
    if (!call) {
      this.update();
      return false;
    }
    this.isBusy = true;
    this.say(sentence);
    this.update();
    let failure = null;
    try {
      await this.call(call.name, call.payload);
    } catch (error) {
      failure = error;
    }
    this.isBusy = false;
    if (failure) this.proposed = null;
    this.say(failure ? failureText(failure) : "");
    this.update();
    return !failure;
  }

  /** Adds a place as the next stop. */
  add(waypoint) {
    this.open();
    return this.make({ name: "navigate/add_waypoint", payload: { waypoint, at: 0 } });
  }

  say(sentence) { byID("stops-status").textContent = sentence; }
}
