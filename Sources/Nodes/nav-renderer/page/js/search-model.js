// The search for a place while a text is typed: what is listed, which entry is active. Knows no DOM.

import { polylineFrom, requestOf } from "./categories.js";
import { failureText } from "./failure-text.js";

/** Milliseconds without another key before the stack is asked. */
const WAIT_MS = 120;
const LIMIT = 8;

export class SearchModel {
  /**
   * `find(request)` makes the call place/find; `near()` returns [lon, lat] of the place whose surroundings come first, or
   * null; `line()` returns the followed route as {line, fromM}, or null; `onChange()` is called whenever something else is to be shown, `onChoose(place)` when a place is chosen.
   */
  constructor({ find, near, saved, onChange, onChoose, line = () => null, waitMs = WAIT_MS }) {
    Object.assign(this, { find, near, line, saved, onChange, onChoose, waitMs });
    this.number = 0;
    this.clear();
  }

  clear() {
    clearTimeout(this.timer);
    this.number += 1;
    this.text = "";
    this.sentence = "";
    this.isBusy = false;
    this.isHasty = false;
    /** The chosen category of places; null for none. */
    this.category = null;
    /** Whether only places along the followed route are listed. */
    this.isAlong = false;
    this.showSaved();
  }

  /** Shows favourites and recent destinations, as without any text. */
  showSaved() {
    this.isSaved = true;
    this.places = this.saved.all;
    this.active = -1;
  }

  /** The text was changed; replies to an older one come too late. */
  type(text) {
    const trimmed = text.trim();
    if (trimmed === this.text) return;
    clearTimeout(this.timer);
    if (!trimmed && !this.category) {
      this.clear();
      this.onChange();
      return;
    }
    this.text = trimmed;
    this.schedule(this.waitMs);
  }

  /** Chooses a category, or none where it is the chosen one already. */
  turn(category) {
    this.category = this.category === category ? null : category;
    if (this.text || this.category) {
      this.schedule(0);
      return;
    }
    this.clear();
    this.onChange();
  }

  /** Lists places along the followed route, or around the vehicle. */
  turnAlong() {
    this.isAlong = !this.isAlong;
    this.schedule(0);
  }

  schedule(waitMs) {
    clearTimeout(this.timer);
    this.number += 1;
    this.isBusy = true;
    this.isHasty = false;
    const { number } = this;
    this.timer = setTimeout(() => this.ask(number), waitMs);
    // The entries of the last text stay until those of this one come, so that the list does not flicker.
    this.onChange();
  }

  async ask(number) {
    const request = { text: this.text, limit: LIMIT, ...requestOf(this.category) };
    const line = this.category && this.isAlong ? this.line() : null;
    if (line) request.line = polylineFrom(line.line, line.fromM);
    const near = this.near();
    if (near) [request.lon_deg, request.lat_deg] = near;
    let [places, sentence] = [[], ""];
    try {
      places = (await this.find(request)).places ?? [];
      if (places.length === 0) sentence = failureText({ code: "not_found" });
    } catch (failure) {
      sentence = failureText(failure);
    }
    if (number !== this.number) return;
    Object.assign(this, { places, sentence, isSaved: false, isBusy: false, active: places.length > 0 ? 0 : -1 });
    this.onChange();
    if (this.isHasty) this.choose();
  }

  /** Makes the next (1) or the previous (-1) entry the active one, around the ends. */
  move(step) {
    const count = this.places.length;
    if (count === 0) return;
    const from = this.active < 0 && step < 0 ? 0 : this.active;
    this.active = (from + step + count) % count;
    this.onChange();
  }

  /** Chooses the active entry, never one of an older text: while the search runs, the best place that it will find. */
  choose() {
    this.isHasty = this.isBusy;
    const place = this.isBusy ? null : this.places[this.active];
    if (place) this.onChoose(place);
  }

  toggleFavourite(place) {
    this.saved.toggle(place);
    if (this.isSaved) this.showSaved();
    this.onChange();
  }
}
