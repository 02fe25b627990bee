// The traffic layer of the whole map: the renderer's tiles, in the colours of the traffic on the route.

import { FlowModel } from "./flow-model.js";
import { BUTTONS } from "./icons.js";

/** The renderer forgets a page that has not asked for two minutes. */
const RENEW_MS = 40_000;
const SOURCE = "flow";
const LAYERS = ["flow-edge", "flow-closed-base", "flow-closed", "flow"];

const byZoom = (...stops) => ["interpolate", ["exponential", 1.5], ["zoom"], ...stops.flat()];
/** Big roads are drawn wider. */
const ofClass = (big, small) => ["match", ["get", "class"], ["motorway", "trunk", "primary"], big, small];
const width = (more) => byZoom(...[[6, 1.2, 1], [12, 2.4, 1.8], [14, 3.4, 2.2], [16, 5, 3.6], [18, 11, 8]]
  .map(([zoom, big, small]) => [zoom, ofClass(big + more, small + more)]));
/** Each direction has its side of the road; one-way roads have the middle. */
const OFFSET = byZoom(...[[6, 0.8, 0.7], [12, 1.7, 1.3], [14, 2.5, 1.8], [16, 4, 2.8], [18, 9, 6]]
  .map(([zoom, big, small]) => [zoom, ["*", ["get", "side"], ofClass(big, small)]]));
const COLOURED = ["match", ["get", "level"], ["slow", "jam"], true, false];
const CLOSED = ["==", ["get", "level"], "closed"];

export class Flow {
  /** `ask()` takes or renews the renderer's lease, whose answer is drawn as `view.flow`. */
  constructor(map, palette, { vehicle, ask, storage = () => window.localStorage }) {
    this.map = map;
    this.palette = palette;
    this.ask = ask;
    this.model = new FlowModel(storage, vehicle);
    this.button = document.getElementById("flow");
    this.button.innerHTML = BUTTONS.flow;
    this.button.hidden = !vehicle;
    this.button.onclick = () => {
      this.model.turn(!this.model.isOn);
      this.update();
    };
    this.timer = null;
    this.state = null;
    if (this.model.isShown) this.timer = setInterval(() => this.renew(), RENEW_MS);
    this.redraw();
  }

  /** Takes the names of the layers that scene/control hides. */
  setHidden(hidden) {
    if (this.model.isHidden === hidden.includes("flow")) return;
    this.model.isHidden = hidden.includes("flow");
    this.update();
  }

  /** Draws `view.flow`: the renderer may have another version. */
  draw(state) {
    if (state === this.state) return;
    this.state = state;
    this.model.tell(state);
    this.redraw();
  }

  /** Asks the renderer for traffic; also after each opening of the link, since the renderer may be another one. */
  renew() {
    // Without a link the next opening asks.
    if (this.model.isShown) this.ask().catch(() => {});
  }

  update() {
    clearInterval(this.timer);
    if (this.model.isShown) {
      this.timer = setInterval(() => this.renew(), RENEW_MS);
      this.renew();
    }
    this.redraw();
  }

  redraw() {
    const { map, model } = this;
    this.button.setAttribute("aria-pressed", String(model.isShown));
    this.button.title = model.title;
    this.button.dataset.segments = model.state?.segments ?? "";
    this.button.setAttribute("aria-label", model.title);
    const tiles = model.tiles(window.location.href);
    const source = map.getSource(SOURCE);
    if (!tiles) {
      if (source) this.remove();
    } else if (!source) {
      this.add(tiles);
    } else if (source.tiles?.[0] !== tiles) {
      // The old tiles stay until the new ones are there.
      source.setTiles([tiles]);
    }
  }

  add(tiles) {
    const { map } = this;
    map.addSource(SOURCE, { type: "vector", tiles: [tiles], minzoom: 4, maxzoom: 15 });
    const add = (id, filter, paint, cap = "round") => map.addLayer({
      id, source: SOURCE, "source-layer": "flow", type: "line", filter, layout: { "line-cap": cap, "line-join": "round" },
      paint: { "line-offset": OFFSET, ...paint },
    }, "nav-alternative-edge");
    add("flow-edge", ["!=", ["get", "level"], "free"], { "line-width": width(1.6), "line-opacity": 0.75 });
    add("flow-closed-base", CLOSED, { "line-width": width(0) });
    add("flow-closed", CLOSED, { "line-width": width(0), "line-dasharray": [1.6, 1.1] }, "butt");
    add("flow", COLOURED, { "line-width": width(0) });
    this.repaint(this.palette);
  }

  remove() {
    for (const layer of LAYERS) this.map.removeLayer(layer);
    this.map.removeSource(SOURCE);
  }

  repaint(palette) {
    this.palette = palette;
    if (!this.map.getSource(SOURCE)) return;
    const colour = (layer, value) => this.map.setPaintProperty(layer, "line-color", value);
    colour("flow-edge", palette.halo);
    colour("flow-closed-base", palette.shield);
    colour("flow-closed", palette.closed);
    colour("flow", ["match", ["get", "level"], "jam", palette.jam, palette.slow]);
  }
}
