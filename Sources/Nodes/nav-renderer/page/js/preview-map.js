// The routes of the preview on the map: the selected one over the others, a callout at each, and the destination.

import { Line, decodePolyline6 } from "./geometry.js";
import { calloutOffsets, differingPlaces } from "./preview-model.js";
import { LineDrag } from "./line-drag.js";
import { EDGE, FILL, SLIM } from "./routeview.js";
import { words } from "./words.js";

/** A line counts as tapped within this many pixels. */
const NEAR_PX = 12;
const LINES = ["nav-preview-other", "nav-preview-selected"];

export class PreviewMap {
  /**
   * `select(index)` is called when a line or a callout is tapped, `drag(metres, place)` when the selected line is dragged,
   * `move(number, place)` when the marker of a stop is.
   */
  constructor(map, palette, { select, drag, move }) {
    Object.assign(this, { map, select, move, selected: null, stops: [] });
    this.lines = [];
    this.markers = [];
    /** Where each route differs from the others, as [lon, lat]. */
    this.places = [];
    for (const id of ["preview", "preview-end"]) map.addSource(`nav-${id}`, { type: "geojson", data: collection([]), tolerance: 0.1 });
    const before = map.getStyle().layers.find((layer) => layer.type === "symbol")?.id;
    const layout = { "line-cap": "round", "line-join": "round" };
    const add = (id, width, isSelected) => map.addLayer({
      id: `nav-preview-${id}`, source: "nav-preview", type: "line", layout, paint: { "line-width": width },
      filter: ["==", ["get", "isSelected"], isSelected],
    }, before);
    add("other-edge", FILL, false);
    add("other", SLIM, false);
    add("selected-edge", EDGE, true);
    add("selected", FILL, true);
    map.addLayer({
      id: "nav-preview-end", source: "nav-preview-end", type: "symbol",
      layout: { "icon-image": "destination", "icon-anchor": "bottom", "icon-allow-overlap": true, "icon-ignore-placement": true },
    });
    this.repaint(palette);
    map.on("click", ({ point: { x, y } }) => {
      if (this.lines.length === 0) return;
      const box = [[x - NEAR_PX, y - NEAR_PX], [x + NEAR_PX, y + NEAR_PX]];
      const [tapped] = map.queryRenderedFeatures(box, { layers: LINES });
      if (tapped) this.select(tapped.properties.index);
    });
    map.on("moveend", () => this.arrange());
    new LineDrag(map, "nav-preview-selected", () => this.lines[this.selected] ?? null, drag);
  }

  /** Shows the stops before the destination as markers that can be dragged. */
  showStops(stops) {
    for (const marker of this.stops) marker.remove();
    this.stops = stops.map((stop, number) => {
      const element = document.createElement("div");
      element.className = stop.isVia ? "via-dot" : "stop-dot";
      if (!stop.isVia) element.textContent = `${stops.slice(0, number + 1).filter(({ isVia }) => !isVia).length}`;
      const marker = new maplibregl.Marker({ element, draggable: true }).setLngLat([stop.lon_deg, stop.lat_deg]).addTo(this.map);
      marker.on("dragend", () => this.move(number, marker.getLngLat().toArray()));
      return marker;
    });
  }

  repaint(palette) {
    const colours = { "other-edge": "alternative-edge", other: "alternative", "selected-edge": "ahead-edge", selected: "ahead" };
    for (const [id, colour] of Object.entries(colours)) this.map.setPaintProperty(`nav-preview-${id}`, "line-color", palette[colour]);
  }

  /** Shows routes with the text of each one's callout, and the destination; nothing for no routes. */
  show(routes, texts, destination) {
    this.lines = routes.map((route) => new Line(decodePolyline6(route.shape)));
    this.places = differingPlaces(this.lines);
    for (const marker of this.markers) marker.remove();
    this.markers = texts.map((text, index) => this.callout(text, index));
    this.map.getSource("nav-preview-end").setData(collection(destination
      ? [{ type: "Feature", properties: {}, geometry: { type: "Point", coordinates: destination } }] : []));
  }

  callout(text, index) {
    const element = document.createElement("button");
    element.type = "button";
    element.className = "callout";
    element.textContent = text;
    element.onclick = (event) => {
      event.stopPropagation();
      this.select(index);
    };
    return new maplibregl.Marker({ element }).setLngLat(this.places[index]).addTo(this.map);
  }

  mark(selected) {
    this.selected = selected;
    this.map.getSource("nav-preview").setData(collection(this.lines.map(({ places }, index) => (
      { type: "Feature", properties: { index, isSelected: index === selected }, geometry: { type: "LineString", coordinates: places } }))));
    this.markers.forEach((marker, index) => {
      const element = marker.getElement();
      element.classList.toggle("selected", index === selected);
      // MapLibre gives each marker the role of a picture.
      element.setAttribute("role", "button");
      element.setAttribute("aria-pressed", String(index === selected));
      element.setAttribute("aria-label", words("preview.route", { text: element.textContent }));
    });
    this.arrange();
  }

  /** Moves callouts that would cover one another to other sides of their places. */
  arrange() {
    const offsets = calloutOffsets(this.markers.map((marker) => {
      const { x, y } = this.map.project(marker.getLngLat());
      const { offsetWidth: width, offsetHeight: height } = marker.getElement();
      return { x, y, width, height };
    }));
    this.markers.forEach((marker, index) => marker.setOffset(offsets[index]));
  }

  clear() {
    this.show([], [], null);
    this.showStops([]);
    this.mark(null);
  }
}

function collection(features) { return { type: "FeatureCollection", features }; }
