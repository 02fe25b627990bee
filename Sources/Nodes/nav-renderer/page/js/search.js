// The panel for the search of places: an input with a list of what is found.

import { byID, hideCard } from "./dom.js";
import { distance } from "./format.js";
import { distanceM } from "./geometry.js";
import { BUTTONS } from "./icons.js";
import { CategoryChips } from "./category-chips.js";
import { kindText } from "./place-kinds.js";
import { SearchModel } from "./search-model.js";
import { words } from "./words.js";

export class Search {
  /**
   * `find(request)` makes the call place/find; `near()` returns [lon, lat] of the vehicle or of the map's middle, or null;
   * `line()` returns the followed route as {line, fromM}, from the vehicle on, or null; `choose(place)` gets the place that is
   * chosen; `onOpen()` is called before the panel is shown.
   */
  constructor({ find, near, line, saved, choose, onOpen }) {
    Object.assign(this, { near, saved, choose, onOpen });
    /** {choose, cancel} of a search for something else than a destination; null for that. */
    this.purpose = null;
    this.card = byID("search");
    this.input = byID("search-text");
    this.list = byID("search-list");
    this.button = byID("find");
    this.button.innerHTML = BUTTONS.find;
    byID("search-close").innerHTML = BUTTONS.stop;
    this.model = new SearchModel({ find, near, line, saved, onChange: () => this.draw(), onChoose: (place) => this.pick(place) });
    this.chips = new CategoryChips(this.model, line);
    this.button.onclick = () => (this.isOpen ? this.dismiss() : this.open());
    byID("search-close").onclick = () => this.dismiss();
    this.input.oninput = () => this.model.type(this.input.value);
    this.input.onkeydown = (event) => this.press(event);
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.dismiss();
      if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || event.target.matches?.("input, textarea")) return;
      event.preventDefault();
      this.open();
    });
  }

  get isOpen() { return !this.card.hidden; }

  open() {
    if (!this.isOpen) {
      this.onOpen();
      this.card.hidden = false;
      this.button.setAttribute("aria-expanded", "true");
      this.input.value = "";
      this.model.clear();
      this.draw();
    }
    this.input.focus({ preventScroll: true });
  }

  /** Searches for something else than a destination; `cancel()` is called if the driver closes the search. */
  openFor(purpose) {
    this.open();
    this.purpose = purpose;
  }

  /** The driver closes the search without a choice. */
  dismiss() {
    const { purpose } = this;
    if (!this.isOpen) return;
    this.close();
    // Not within the key that has closed the search: it would close what opens now as well.
    if (purpose) setTimeout(purpose.cancel);
  }

  close() {
    if (!this.isOpen) return;
    this.purpose = null;
    this.model.clear();
    hideCard(this.card, this.button);
  }

  /** The words or units are others from now on. */
  reworded() { if (this.isOpen) this.draw(); }

  press(event) {
    const { model } = this;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") model.move(event.key === "ArrowDown" ? 1 : -1);
    else if (event.key === "Enter") model.choose();
    else return;
    event.preventDefault();
  }

  pick(place) {
    const choose = this.purpose?.choose ?? this.choose;
    this.close();
    choose(place);
  }

  draw() {
    const { model } = this;
    this.chips.draw();
    byID("search-status").textContent = model.sentence
      || (model.isSaved && !model.isBusy && model.places.length === 0 ? words("search.hint") : "");
    this.list.classList.toggle("old", model.isBusy && !model.isSaved);
    const near = this.near();
    this.list.replaceChildren(...model.places.map((place, index) => this.entry(place, index, near)));
    this.list.hidden = model.places.length === 0;
    this.input.setAttribute("aria-expanded", String(model.places.length > 0));
    const active = this.list.children[model.active];
    if (active) this.input.setAttribute("aria-activedescendant", active.id);
    else this.input.removeAttribute("aria-activedescendant");
    active?.scrollIntoView({ block: "nearest" });
  }

  entry(place, index, near) {
    const item = document.createElement("li");
    item.id = `search-place-${index}`;
    item.setAttribute("role", "option");
    item.setAttribute("aria-selected", String(index === this.model.active));
    const name = document.createElement("b");
    name.textContent = place.name;
    name.dir = "auto";
    const kind = document.createElement("span");
    kind.textContent = kindText(place);
    const text = document.createElement("div");
    text.append(name, kind);
    const far = document.createElement("span");
    far.className = "far";
    const metres = isAlong(place) ? place.along_m : near ? distanceM(near, [place.lon_deg, place.lat_deg]) : place.distance_m;
    if (metres !== undefined && metres !== null) far.textContent = distance(metres).text;
    // A short cut for a finger or a mouse; the preview of the place has a button that keys reach, too.
    const star = document.createElement("span");
    star.className = "star";
    star.setAttribute("aria-hidden", "true");
    star.innerHTML = this.saved.isFavourite(place) ? BUTTONS.starred : BUTTONS.star;
    star.onclick = (event) => {
      event.stopPropagation();
      this.model.toggleFavourite(place);
    };
    item.append(text, far, star);
    // The input keeps the focus, and with it the keys.
    item.onmousedown = (event) => event.preventDefault();
    item.onclick = () => this.pick(place);
    return item;
  }
}

function isAlong({ along_m: metres }) { return metres !== undefined && metres !== null; }
