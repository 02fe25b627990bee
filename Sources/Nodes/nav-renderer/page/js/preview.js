// The card with the routes to a chosen place: select one, avoid kinds of road, start.

import { failureText } from "./failure-text.js";
import { distance, duration } from "./format.js";
import { BUTTONS } from "./icons.js";
import { kindText } from "./place-kinds.js";
import { fillIn } from "./page-words.js";
import { PreviewMap } from "./preview-map.js";
import { AVOIDANCES, boundsOf, routeRequest, routeRows, startCall, waypointOf } from "./preview-model.js";
import { shieldsHTML } from "./shields.js";
import { shieldsOf } from "./shields-model.js";
import { listText, words } from "./words.js";

const byID = (id) => document.getElementById(id);

export class Preview {
  /**
   * `call(name, payload)` makes a call; `vehicle()` returns {place, bearing, speedMps}, or null while the place is not
   * known; `active()` returns the route that is followed, or null, `defaults` are mode and language of the stack. `onOpen()` is called before the card is shown,
   * `onFit()` when all routes are to be shown, `onClose(isStarted)` after it is hidden.
   */
  constructor(map, palette, { call, vehicle, active, defaults, saved, onOpen, onFit, onClose }) {
    Object.assign(this, { call, vehicle, active, defaults, saved, onOpen, onFit, onClose });
    this.card = byID("preview");
    this.onMap = new PreviewMap(map, palette, (index) => this.select(index));
    this.avoid = new Set();
    this.number = 0;
    this.reset(null);
    byID("preview-close").innerHTML = BUTTONS.stop;
    byID("preview-close").onclick = () => this.close();
    byID("preview-start").onclick = () => this.start();
    byID("preview-stop").onclick = () => this.addStop();
    byID("preview-star").onclick = () => {
      this.saved.toggle(this.place);
      this.drawStar();
    };
    byID("preview-rows").onkeydown = (event) => this.press(event);
    byID("preview-avoid").append(...AVOIDANCES.map((name) => this.avoidButton(name)));
    fillIn(byID("preview-avoid"));
    document.addEventListener("keydown", ({ key }) => { if (key === "Escape") this.close(); });
  }

  get isOpen() { return !this.card.hidden; }
  /** [west, south, east, north] of all routes; null before they are there. */
  get bounds() { return this.routes.length > 0 ? boundsOf(this.routes) : null; }

  reset(place) {
    this.number += 1;
    this.place = place;
    this.routes = [];
    this.selected = 0;
    this.onMap.clear();
  }

  /** Shows the routes to a found place. */
  open(place) {
    this.onOpen();
    this.reset(place);
    this.card.hidden = false;
    byID("preview-name").textContent = place.name || words("preview.pin");
    byID("preview-kind").textContent = place.name ? kindText(place) : "";
    byID("preview-stop").hidden = !this.active();
    this.drawStar();
    this.compute();
  }

  close(isStarted = false) {
    if (!this.isOpen) return;
    const hadFocus = this.card.contains(document.activeElement);
    this.card.hidden = true;
    this.reset(null);
    this.onClose(isStarted === true);
    if (hadFocus) byID("find").focus({ preventScroll: true });
  }

  /** The words or units are others from now on. */
  reworded() {
    if (!this.isOpen) return;
    byID("preview-name").textContent = this.place.name || words("preview.pin");
    byID("preview-kind").textContent = this.place.name ? kindText(this.place) : "";
    if (this.routes.length > 0) this.show(this.routes, "");
  }

  async compute() {
    this.number += 1;
    const { number } = this;
    const vehicle = this.vehicle();
    this.show([], words(vehicle ? "preview.computing" : "preview.unlocated"));
    if (!vehicle) return;
    try {
      const { routes } = await this.call("route/calculate", routeRequest(vehicle, this.place, this.avoid, this.active()?.request ?? this.defaults));
      if (number === this.number) this.show(routes, "");
    } catch (failure) {
      if (number === this.number) this.show([], failureText(failure));
    }
  }

  show(routes, sentence) {
    this.routes = routes;
    const rows = routeRows(routes);
    byID("preview-status").textContent = sentence;
    byID("preview-start").disabled = routes.length === 0;
    byID("preview-rows").replaceChildren(...rows.map((row, index) => this.row(row, index)));
    this.onMap.show(routes, rows.map(calloutText), this.place && [this.place.lon_deg, this.place.lat_deg]);
    this.select(0);
    if (routes.length === 0) return;
    this.onFit();
    // Enter starts, unless the driver has gone to another button of the card meanwhile.
    if (!this.card.contains(document.activeElement)) byID("preview-start").focus({ preventScroll: true });
  }

  row({ seconds, metres, delay, hasToll, hasFerry, roads }, index) {
    const button = document.createElement("button");
    button.type = "button";
    button.setAttribute("role", "radio");
    const part = (text, look = "") => {
      const span = document.createElement("span");
      span.textContent = text;
      span.className = look;
      button.append(span);
    };
    part(duration(seconds).text, "time");
    part(distance(metres).text);
    if (delay) part(words("preview.delay", { duration: duration(delay.seconds).text }), `delay ${delay.colour}`);
    if (hasToll) part(words("preview.toll"), "mark");
    if (hasFerry) part(words("preview.ferry"), "mark");
    if (roads.length > 0) {
      part("", "shields");
      button.lastChild.innerHTML = shieldsHTML(roads.flatMap((road) => shieldsOf(road).slice(0, 1)));
    }
    button.onclick = () => this.select(index);
    return button;
  }

  select(index) {
    this.selected = index;
    [...byID("preview-rows").children].forEach((row, number) => {
      row.setAttribute("aria-checked", String(number === index));
      row.tabIndex = number === index ? 0 : -1;
    });
    this.onMap.mark(index);
  }

  press(event) {
    const step = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }[event.key];
    if (!step || this.routes.length === 0) return;
    event.preventDefault();
    this.select((this.selected + step + this.routes.length) % this.routes.length);
    byID("preview-rows").children[this.selected].focus();
  }

  avoidButton(name) {
    const button = document.createElement("button");
    button.type = "button";
    button.dataset.words = `avoid.${name}`;
    button.dataset.avoid = name;
    button.setAttribute("aria-pressed", "false");
    button.onclick = () => {
      if (!this.avoid.delete(name)) this.avoid.add(name);
      button.setAttribute("aria-pressed", String(this.avoid.has(name)));
      this.compute();
    };
    return button;
  }

  drawStar() {
    const isFavourite = this.saved.isFavourite(this.place);
    byID("preview-star").innerHTML = isFavourite ? BUTTONS.starred : BUTTONS.star;
    byID("preview-star").setAttribute("aria-pressed", String(isFavourite));
    byID("preview-star").hidden = !this.place.name;
  }

  start() {
    if (this.routes.length === 0) return;
    const { name, payload } = startCall(this.routes, this.selected, this.onMap.places[this.selected]);
    this.make(name, payload);
  }

  addStop() { this.make("navigate/add_waypoint", { waypoint: waypointOf(this.place), at: 0 }); }

  /** Makes the call that ends the preview; a failure is shown in the card. */
  async make(name, payload) {
    const { number, place } = this;
    byID("preview-start").disabled = true;
    byID("preview-status").textContent = words("preview.starting");
    try {
      await this.call(name, payload);
      if (place.name) this.saved.record(place);
      if (number === this.number) this.close(true);
    } catch (failure) {
      if (number !== this.number) return;
      byID("preview-status").textContent = failureText(failure);
      byID("preview-start").disabled = this.routes.length === 0;
    }
  }
}

function calloutText({ seconds, hasToll }) {
  return listText([duration(seconds).text, ...(hasToll ? [words("preview.toll")] : [])]);
}
