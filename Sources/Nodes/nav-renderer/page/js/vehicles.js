// The list of vehicles: search by name, and a click shows another vehicle.

import { BUTTONS } from "./icons.js";

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
   * `shown` is the vehicle of this page, null for none; `refusal` says why the one that was asked for cannot be shown.
   * `onNotice(text, isFault)` gets a sentence, or "" where all is well.
   */
  constructor(connection, shown, refusal, onNotice) {
    this.connection = connection;
    this.shown = shown;
    this.refusal = refusal;
    this.onNotice = onNotice;
    this.total = 0;
    this.isKnown = true;
    this.isHeard = false;
    this.button = document.getElementById("fleet");
    this.card = document.getElementById("vehicles");
    this.search = document.getElementById("vehicles-search");
    this.list = document.getElementById("vehicles-list");
    this.count = document.getElementById("vehicles-count");
    this.button.innerHTML = BUTTONS.fleet;
    this.button.onclick = () => this.toggle(this.card.hidden);
    this.search.oninput = () => this.schedule(SEARCH_MS);
    this.search.onkeydown = ({ key }) => {
      if (key === "Escape") this.toggle(false);
      if (key === "Enter") this.list.querySelector("a")?.click();
    };
    if (shown) document.title = `${shown} - navstack`;
  }

  get isOpen() { return !this.card.hidden; }

  toggle(isOpen) {
    this.card.hidden = !isOpen;
    if (isOpen) {
      this.search.focus();
      this.schedule(0);
    }
  }

  /** The vehicle of this page has been heard: it is there, whatever an older list says. */
  heard() {
    if (this.isHeard || !this.shown) return;
    this.isHeard = true;
    this.isKnown = true;
    this.onNotice("");
  }

  schedule(ms) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.refresh(), ms);
  }

  /** Asks for the vehicles, and draws what comes. */
  async refresh() {
    const request = { search: this.search.value.trim() };
    if (this.shown) request.vehicle = this.shown;
    const answer = await this.connection.call("_vehicles", request).catch(() => null);
    if (answer) this.draw(answer);
    this.schedule(this.isOpen || !this.shown || !this.isKnown ? REFRESH_MS : REST_MS);
  }

  draw({ total, matching, vehicles, known }) {
    this.total = total;
    this.isKnown = this.isHeard || known !== false;
    this.button.hidden = total < 2 && this.isKnown && Boolean(this.shown);
    if (!this.shown && !this.refusal && total === 1) {
      window.location.replace(addressOf(vehicles[0]));
      return;
    }
    if (!this.shown) {
      this.onNotice(this.refusal || (total === 0 ? "No vehicle is on the bus yet." : "Choose a vehicle."), Boolean(this.refusal));
      if (total > 0 && !this.hasOffered) {
        this.hasOffered = true;
        this.card.hidden = false;
      }
    } else {
      this.onNotice(
        this.isKnown ? "" : `There is no vehicle "${this.shown}" on the bus: choose another one, or wait until it drives.`, true);
    }
    this.count.textContent = matching === total ? `${total} vehicles` : `${matching} of ${total} vehicles`;
    if (vehicles.length < matching) this.count.textContent += `, the first ${vehicles.length} are listed`;
    const names = vehicles.join(" ");
    if (names === this.names) return;
    this.names = names;
    this.list.replaceChildren(...vehicles.map((name) => this.entry(name)));
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
