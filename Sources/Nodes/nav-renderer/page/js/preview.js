// The card with the routes to a chosen place: stops, select a route, travel mode, avoid kinds of road, start.

import { wordOf } from "./dom.js";
import { failureText } from "./failure-text.js";
import { distance, duration } from "./format.js";
import { BUTTONS } from "./icons.js";
import { kindText } from "./place-kinds.js";
import { fillIn } from "./page-words.js";
import { PreviewMap } from "./preview-map.js";
import { AVOIDANCES, boundsOf, routeRequest, routeRows, startCall, waypointOf } from "./preview-model.js";
import { shieldsHTML } from "./shields.js";
import { shieldsOf } from "./shields-model.js";
import { StopList } from "./stop-list.js";
import { moved, onRoads, previewStops, withVia } from "./trip-model.js";
import { VehicleChoice } from "./vehicle-choice.js";
import { VehicleModel } from "./vehicle-model.js";
import { listText, words } from "./words.js";

const byID = (id) => document.getElementById(id);

export class Preview {
  /**
   * `call(name, payload)` makes a call; `vehicle()` returns {place, bearing, speedMps}, or null while the place is not
   * known; `active()` returns the route that is followed, or null, `defaults` are mode and language of the stack.
   * `pickStop({choose, cancel})` lets the driver search for another stop. `onOpen()` is called before the card is shown,
   * `onFit()` when all routes are to be shown, `onClose(isStarted)` after it is hidden, `onStart()` once a route is followed.
   */
  constructor(map, palette, { call, vehicle, active, defaults, saved, pickStop, onOpen, onFit, onClose, onStart }) {
    Object.assign(this, { call, vehicle, active, defaults, saved, pickStop, onOpen, onFit, onClose, onStart });
    this.card = byID("preview");
    this.onMap = new PreviewMap(map, palette, {
      select: (index) => this.select(index),
      drag: (metres, place) => this.change(withVia(this.stops, this.routes[this.selected], metres, place)),
      move: (number, place) => this.change(this.stops.map((stop, at) => (at === number ? { ...stop, name: "", lon_deg: place[0], lat_deg: place[1] } : stop))),
    });
    this.list = new StopList(byID("preview-stops"), {
      move: (from, to) => this.change(moved(this.stops, from, to)),
      remove: (index) => this.change(this.stops.filter((_, at) => at !== index)),
    });
    this.choice = new VehicleChoice(new VehicleModel(() => window.localStorage), () => this.base, () => this.compute());
    byID("preview-add").onclick = () => this.searchStop();
    this.avoid = new Set();
    this.number = 0;
    this.reset([]);
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

  /** The destination; null for none. */
  get place() { return this.stops.at(-1) ?? null; }
  /** What the next request takes its options from. */
  get base() { return this.active()?.request ?? this.defaults; }

  reset(stops) {
    this.number += 1;
    this.stops = stops;
    this.routes = [];
    this.selected = 0;
    this.onMap.clear();
  }

  /** Shows the routes to a found place, through `stops` on the way. */
  open(place, stops = []) {
    this.onOpen();
    this.reset([...stops, place]);
    this.card.hidden = false;
    this.choice.draw();
    this.drawHeader();
    this.compute();
  }

  drawHeader() {
    const { place } = this;
    byID("preview-name").textContent = place.name || words("preview.pin");
    byID("preview-kind").textContent = place.name && place.kind ? kindText(place) : "";
    const canJoin = Boolean(this.active()) && this.stops.length === 1;
    byID("preview-stop").hidden = !canJoin;
    byID("preview-add").hidden = canJoin;
    this.drawStar();
  }

  /** Other stops, the destination last: the routes are computed anew. */
  change(stops) {
    this.stops = stops.map((stop, number) => (number === stops.length - 1 ? { ...stop, isVia: false } : stop));
    this.drawHeader();
    this.compute();
  }

  /** Adds a place as the last stop before the destination. */
  addPlace(place) { this.change([...this.stops.slice(0, -1), place, this.place]); }

  searchStop() {
    const { place, stops } = this;
    const before = stops.slice(0, -1);
    this.pickStop({ choose: (found) => this.open(place, [...before, found]), cancel: () => this.open(place, before) });
  }

  drawStops() {
    this.list.draw(this.stops.length > 1 ? previewStops(this.stops, this.routes[this.selected]) : []);
    byID("preview-stops").hidden = this.stops.length < 2;
  }

  close(isStarted = false) {
    if (!this.isOpen) return;
    const hadFocus = this.card.contains(document.activeElement);
    this.card.hidden = true;
    this.reset([]);
    this.onClose(isStarted === true);
    if (hadFocus) byID("find").focus({ preventScroll: true });
  }

  /** The words or units are others from now on. */
  reworded() {
    if (!this.isOpen) return;
    this.drawHeader();
    if (this.routes.length > 0) this.show(this.routes, "");
  }

  /** Computes the routes; `sentence` is shown with them. */
  async compute(sentence = "") {
    this.number += 1;
    const { number } = this;
    const vehicle = this.vehicle();
    this.show([], words(vehicle ? "preview.computing" : "preview.unlocated"));
    if (!vehicle) return;
    try {
      const options = { language: this.base?.language, ...this.choice.model.options(this.base) };
      const { routes } = await this.call("route/calculate", routeRequest(vehicle, this.stops, this.avoid, options));
      if (number === this.number) this.show(routes, sentence);
    } catch (failure) {
      if (number === this.number) this.show([], failureText(failure));
    }
  }

  show(routes, sentence) {
    this.routes = routes;
    this.stops = onRoads(this.stops, routes[0]);
    this.onMap.showStops(this.stops.slice(0, -1));
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

  /** The button says what it starts: a drive in a simulation, or guidance. */
  nameStart(isSimulated) { wordOf(byID("preview-start"), isSimulated ? "simulation.drive" : "preview.start"); }

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
    this.drawStops();
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
    const { name, payload } = startCall(this.routes, this.selected);
    this.make(name, payload, () => this.onStart());
  }

  addStop() { this.make("navigate/add_waypoint", { waypoint: waypointOf(this.place), at: 0 }); }

  /** Makes the call that ends the preview; a failure is shown in the card. */
  async make(name, payload, done = () => {}) {
    const { number, place } = this;
    byID("preview-start").disabled = true;
    byID("preview-status").textContent = words("preview.starting");
    try {
      await this.call(name, payload);
      if (place.name) this.saved.record(place);
      done();
      if (number === this.number) this.close(true);
    } catch (failure) {
      if (number !== this.number) return;
      if (failure.code === "unknown_route") {
        this.compute(words("preview.outdated"));
        return;
      }
      byID("preview-status").textContent = failureText(failure);
      byID("preview-start").disabled = this.routes.length === 0;
    }
  }
}

function calloutText({ seconds, hasToll }) {
  return listText([duration(seconds).text, ...(hasToll ? [words("preview.toll")] : [])]);
}
