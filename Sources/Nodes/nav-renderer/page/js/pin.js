// A place that the driver has pointed at: a pin that stays there, and the question whether to drive to it.

import { escaped } from "./format.js";
import { words } from "./words.js";

const HOLD_MS = 550;
const STILL_PX = 8;
const PIN = '<svg class="pin" viewBox="0 0 32 42" aria-hidden="true"><path d="M16 41S30 25 30 15.5A14 14 0 1 0 2 15.5C2 25 16 41 16 41Z" fill="#1f6feb" stroke="#fff" stroke-width="2"/><circle cx="16" cy="15.5" r="5" fill="#fff"/></svg>';

export class Pin {
  /**
   * `drive(lngLat)` starts guidance to the pin; `stop` is {isWanted(), add(lngLat)}, which makes it a stop of the trip.
   * A pin is dropped by a long press, by the right button, or by Enter on the map.
   */
  constructor(map, drive, stop) {
    Object.assign(this, { map, drive, stop });
    this.box = document.getElementById("choice");
    this.marker = null;
    map.on("contextmenu", ({ lngLat }) => this.drop(lngLat));
    const canvas = map.getCanvas();
    canvas.addEventListener("keydown", (event) => {
      if (event.key === "Enter") this.drop(map.getCenter());
    });
    document.addEventListener("keydown", (event) => { if (event.key === "Escape") this.remove(); });
    this.watchTouch(map.getCanvasContainer());
    map.on("render", () => this.place());
  }

  watchTouch(element) {
    let timer = null;
    let start = null;
    const give = () => clearTimeout(timer);
    element.addEventListener("touchstart", (event) => {
      give();
      if (event.touches.length !== 1) return;
      const { clientX, clientY } = event.touches[0];
      start = [clientX, clientY];
      const box = element.getBoundingClientRect();
      timer = setTimeout(() => this.drop(this.map.unproject([clientX - box.left, clientY - box.top])), HOLD_MS);
    }, { passive: true });
    element.addEventListener("touchmove", (event) => {
      const { clientX, clientY } = event.touches[0];
      if (Math.hypot(clientX - start[0], clientY - start[1]) > STILL_PX) give();
    }, { passive: true });
    element.addEventListener("touchend", give, { passive: true });
    element.addEventListener("touchcancel", give, { passive: true });
  }

  drop(lngLat) {
    this.remove();
    const element = document.createElement("div");
    element.innerHTML = PIN;
    this.marker = new maplibregl.Marker({ element, anchor: "bottom" }).setLngLat(lngLat).addTo(this.map);
    const text = (key) => escaped(words(key));
    this.box.innerHTML = `<span>${text("pin.ask")}</span><button type="button" class="yes">${text("pin.go")}</button><button type="button">${text("no")}</button>`;
    this.box.hidden = false;
    const [go, no] = this.box.querySelectorAll("button");
    no.onclick = () => this.remove();
    go.onclick = () => {
      this.remove();
      this.drive(lngLat);
    };
    if (this.stop.isWanted()) {
      const add = document.createElement("button");
      add.type = "button";
      add.className = "add";
      add.textContent = words("trip.add");
      add.onclick = () => {
        this.remove();
        this.stop.add(lngLat);
      };
      go.after(add);
    }
    this.place();
    go.focus({ preventScroll: true });
  }

  /** The question stands over the pin, within the window. */
  place() {
    if (!this.marker || this.box.hidden) return;
    const { x, y } = this.map.project(this.marker.getLngLat());
    const { offsetWidth: width, offsetHeight: height } = this.box;
    const { clientWidth: mapWidth, clientHeight: mapHeight } = this.map.getContainer();
    const air = 8;
    const left = Math.max(Math.min(x - width / 2, mapWidth - width - air), air);
    const top = Math.max(Math.min(y - height - 48, mapHeight - height - air), air);
    this.box.style.left = `${left}px`;
    this.box.style.top = `${top}px`;
  }

  remove() {
    this.marker?.remove();
    this.marker = null;
    if (this.box.contains(document.activeElement)) this.map.getCanvas().focus({ preventScroll: true });
    this.box.hidden = true;
  }
}
