// The list of vehicles: search by name, and a click shows another vehicle.

import { BUTTONS } from "./icons.js";
import { listText, words } from "./words.js";

/** While the list is open, or the page waits for a vehicle, the stack is asked again after this time. */
const REFRESH_MS = 2000;
/** Otherwise after this one. */
const REST_MS = 30_000;
const SEARCH_MS = 120;

/** The name of the vehicle that the page's address asks for; null for none. */
export function askedVehicle() {
  return new URLSearchParams(window.location.search).get("vehicle");
}

/** The address of this page for another vehicle; all other parameters stay. */
export function addressOf(vehicle) {
  const url = new URL(window.location.href);
  url.searchParams.set("vehicle", vehicle);
  return url.href;
}

export class Vehicles {
  /**
   * `call(name, payload)` makes a call. `shown` is the vehicle of this page, null for none; `refusal` says why the one that was
   * asked for cannot be shown. `onList(reply)` gets each list of the stack.
   */
  constructor(call, shown, refusal, onList) {
    this.call = call;
    this.shown = shown;
    this.refusal = refusal;
    this.onList = onList;
    this.fleet = null;
    this.button = document.getElementById("fleet");
    this.card = document.getElementById("vehicles");
    this.search = document.getElementById("vehicles-search");
    this.entries = document.getElementById("vehicles-list");
    this.count = document.getElementById("vehicles-count");
    this.button.innerHTML = BUTTONS.fleet;
    this.button.onclick = () => this.toggle(this.card.hidden);
    this.search.oninput = () => this.schedule(SEARCH_MS);
    this.search.onkeydown = ({ key }) => {
      if (key === "Escape") this.toggle(false);
      if (key === "Enter") this.entries.querySelector("a")?.click();
    };
    if (shown) document.title = `${shown} - navstack`;
  }

  get isOpen() { return !this.card.hidden; }

  toggle(isOpen) {
    this.card.hidden = !isOpen;
    this.button.setAttribute("aria-expanded", String(isOpen));
    if (isOpen) {
      this.search.focus();
      this.schedule(0);
    }
  }

  /** Draws `view.fleet`. */
  draw(fleet) {
    if (fleet === this.fleet) return;
    this.fleet = fleet;
    this.button.hidden = fleet.total < 2 && fleet.isKnown && Boolean(this.shown);
  }

  schedule(ms) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.refresh(), ms);
  }

  /** Asks for the vehicles, and draws what comes. */
  async refresh() {
    const request = { search: this.search.value.trim() };
    if (this.shown) request.vehicle = this.shown;
    const answer = await this.call("_vehicles", request).catch(() => null);
    if (answer) this.list(answer);
    this.schedule(this.isOpen || !this.shown || !this.fleet?.isKnown ? REFRESH_MS : REST_MS);
  }

  /** Lists the vehicles of a reply. */
  list(reply) {
    const { total, matching, vehicles } = reply;
    this.onList(reply);
    if (!this.shown && !this.refusal && total === 1) {
      window.location.replace(addressOf(vehicles[0]));
      return;
    }
    if (!this.shown && total > 0 && !this.hasOffered) {
      this.hasOffered = true;
      this.card.hidden = false;
    }
    const counts = [matching === total ? words("vehicles.count", { count: total }) : words("vehicles.matching", { matching, count: total })];
    if (vehicles.length < matching) counts.push(words("vehicles.listed", { count: vehicles.length }));
    this.count.textContent = listText(counts);
    const names = vehicles.join(" ");
    if (names === this.names) return;
    this.names = names;
    this.entries.replaceChildren(...vehicles.map((name) => this.entry(name)));
  }

  entry(name) {
    const link = document.createElement("a");
    link.href = addressOf(name);
    link.textContent = name;
    if (name === this.shown) link.setAttribute("aria-current", "true");
    const item = document.createElement("li");
    item.append(link);
    return item;
  }
}
