// The card of one vehicle, and its route on the map; its own live link is open while the card is.

import { Connection } from "./connection.js";
import { h, setText } from "./elements.js";
import { distance, duration, speed, timeOfDay } from "./format.js";
import { decodePolyline6 } from "./geometry.js";

const byID = (id) => document.getElementById(id);
const TONES = { guided: "good", driving: "good", off_route: "warn", unmatched: "warn", estimated: "warn", wrong_way: "bad" };
const EMPTY = { type: "FeatureCollection", features: [] };

export class FleetVehicle {
  /** `describe()` gives state and speed of the chosen vehicle; `onClose()` follows the button. */
  constructor(map, { onClose, describe }) {
    this.map = map;
    this.describe = describe;
    this.element = byID("vehicle");
    this.name = null;
    byID("vehicle-close").onclick = onClose;
    const palette = map.getStyle().metadata.palette;
    map.addSource("fleet-route", { type: "geojson", data: EMPTY });
    for (const [id, width, colour] of [["fleet-route-edge", 8, palette["ahead-edge"]], ["fleet-route-line", 5, palette.ahead]]) {
      map.addLayer({ id, type: "line", source: "fleet-route", layout: { "line-join": "round", "line-cap": "round" }, paint: { "line-color": colour, "line-width": width, "line-opacity": 0.85 } });
    }
  }

  repaint(palette) {
    this.map.setPaintProperty("fleet-route-edge", "line-color", palette["ahead-edge"]);
    this.map.setPaintProperty("fleet-route-line", "line-color", palette.ahead);
  }

  /** Shows a vehicle; null for none. */
  show(name) {
    if (name === this.name) return;
    this.name = name;
    this.connection?.close();
    this.connection = null;
    this.panel = null;
    this.route = null;
    this.draw();
    this.element.hidden = name === null;
    if (name === null) return;
    setText(byID("vehicle-name"), name);
    byID("vehicle-page").href = `./?${new URLSearchParams({ vehicle: name })}`;
    byID("vehicle-page").setAttribute("aria-label", `Open the page of ${name}`);
    this.connection = new Connection(name, (message) => this.receive(name, message), () => {});
    this.update();
  }

  receive(name, message) {
    const { topic, payload } = message ?? {};
    if (name !== this.name) return;
    if (topic === "scene/frame") this.panel = payload?.panel ?? null;
    if (topic === "route/active") {
      this.route = payload?.route ?? null;
      this.draw();
    }
    if (topic === "scene/frame" || topic === "route/active") this.update();
  }

  draw() {
    let data = EMPTY;
    try {
      if (this.route) data = { type: "Feature", properties: {}, geometry: { type: "LineString", coordinates: decodePolyline6(this.route.shape) } };
    } catch (fault) {
      console.warn(fault.message);
    }
    this.map.getSource("fleet-route").setData(data);
  }

  update() {
    if (this.name === null) return;
    const { state, text, speedMps } = this.describe();
    setText(byID("vehicle-state"), text);
    byID("vehicle-state").dataset.tone = TONES[state] ?? "idle";
    const facts = [["speed", speed(speedMps)]];
    if (this.route && this.panel?.eta_ns !== undefined) {
      facts.push(["arrival", { number: timeOfDay(this.panel.eta_ns, this.panel.eta_utc_offset_s), unit: "" }], ["time left", duration(this.panel.remaining_s ?? 0)], ["distance left", distance(this.panel.remaining_m ?? 0)]);
    }
    const list = byID("vehicle-facts");
    const key = facts.map(([name]) => name).join(" ");
    if (list.dataset.key !== key) {
      list.dataset.key = key;
      list.replaceChildren(...facts.map(([name]) => h("div", {}, h("dt", {}, name), h("dd", {}, h("span"), h("small")))));
    }
    facts.forEach(([, value], index) => {
      const [number, unit] = list.children[index].lastElementChild.children;
      setText(number, value.number);
      setText(unit, value.unit && ` ${value.unit}`);
    });
    const road = this.panel?.text ? `${this.panel.maneuver_distance_text ? `${this.panel.maneuver_distance_text}: ` : ""}${this.panel.text}` : this.route ? "" : "No route is followed.";
    setText(byID("vehicle-road"), road);
  }
}
