// The route on the map: ahead and behind in two colours with outlines, traffic, the arrow of the
// next maneuver, waypoints, alternatives, further lines, and the dashed way to a destination off the road.

import { bearingDeg, decodePolyline6 } from "./geometry.js";
import { cssColour } from "./settings.js";
import { trafficColour } from "./traffic.js";
import { lineOf } from "./view/place.js";

const EMPTY = { type: "FeatureCollection", features: [] };
/** Pixels by which the seam of the two colours may lie off under the indicator. */
const HIDDEN_PX = 6;
const ARROW_BEFORE_M = 28;
const ARROW_AFTER_M = 32;

const widths = (...stops) => ["interpolate", ["exponential", 1.4], ["zoom"], ...stops.flat()];
export const FILL = widths([9, 3], [14, 6], [16, 10], [18, 22]);
export const EDGE = widths([9, 5], [14, 9], [16, 14.5], [18, 29]);
export const SLIM = widths([9, 2.5], [14, 5], [18, 14]);

/** Layers of the map by the layer of the scene that hides them. */
const LAYERS = {
  route: ["nav-behind-edge", "nav-behind", "nav-ahead-edge", "nav-ahead", "nav-waypoints"],
  eat_up: ["nav-behind-edge", "nav-behind"],
  incidents: ["nav-incidents"],
  warnings: ["nav-warnings"],
  alternatives: ["nav-alternative-edge", "nav-alternative"],
  maneuver_arrows: ["nav-arrow-edge", "nav-arrow", "nav-arrow-head"],
  offroad: ["nav-off-road"],
  shields: ["shield", "shield-plain"],
  labels: ["name", "name-drawn", "place", "place-drawn", "poi", "poi-drawn"],
};

const line = (places, properties = {}) => ({ type: "Feature", properties, geometry: { type: "LineString", coordinates: places } });
const point = (place, properties) => ({ type: "Feature", properties, geometry: { type: "Point", coordinates: place } });

export class RouteView {
  constructor(map, palette) {
    this.map = map;
    this.palette = palette;
    this.route = null;
    this.line = null;
    this.passedM = 0;
    this.paintedM = -1;
    this.arrowIndex = null;
    this.isEatenUp = true;
    this.showsTraffic = true;
    this.linesShown = "";
    for (const id of ["route", "alternatives", "lines", "waypoints", "arrow", "off-road", "warnings", "incidents"]) {
      map.addSource(`nav-${id}`, { type: "geojson", data: EMPTY, lineMetrics: id === "route", tolerance: 0.1 });
    }
    this.addLayers();
  }

  addLayers() {
    const { map, palette } = this;
    const before = map.getStyle().layers.find((layer) => layer.type === "symbol")?.id;
    const round = { "line-cap": "round", "line-join": "round" };
    const add = (id, source, layout, paint, type = "line") => map.addLayer(
      { id: `nav-${id}`, source: `nav-${source}`, type, layout, paint }, type === "line" ? before : undefined);
    add("alternative-edge", "alternatives", round, { "line-color": palette["alternative-edge"], "line-width": FILL });
    add("alternative", "alternatives", round, { "line-color": palette.alternative, "line-width": SLIM });
    add("line-edge", "lines", round, { "line-color": ["get", "outline"], "line-width": ["+", ["get", "width"], 4] });
    map.setFilter("nav-line-edge", ["has", "outline"]);
    add("line", "lines", round, { "line-color": ["get", "colour"], "line-width": ["get", "width"] });
    add("behind-edge", "route", round, { "line-color": palette["behind-edge"], "line-width": EDGE });
    add("behind", "route", round, { "line-color": palette.behind, "line-width": FILL });
    add("ahead-edge", "route", round, { "line-color": palette["ahead-edge"], "line-width": EDGE });
    add("ahead", "route", round, { "line-color": palette.ahead, "line-width": FILL });
    add("off-road", "off-road", round, {
      "line-color": palette["off-road"], "line-width": SLIM, "line-dasharray": [0.4, 2],
    });
    add("arrow-edge", "arrow", round, { "line-color": palette["arrow-edge"], "line-width": widths([14, 8], [18, 18]) });
    add("arrow", "arrow", round, { "line-color": palette.arrow, "line-width": widths([14, 5], [18, 11]) });
    map.setFilter("nav-arrow", ["==", ["geometry-type"], "LineString"]);
    map.setFilter("nav-arrow-edge", ["==", ["geometry-type"], "LineString"]);
    add("arrow-head", "arrow", {
      "icon-image": "arrow-head", "icon-size": widths([14, 0.6], [16, 0.8], [18, 1.1]), "icon-rotate": ["get", "bearing"],
      "icon-rotation-alignment": "map", "icon-pitch-alignment": "map", "icon-allow-overlap": true,
      "icon-ignore-placement": true, "icon-offset": [0, -6],
    }, {}, "symbol");
    map.setFilter("nav-arrow-head", ["==", ["geometry-type"], "Point"]);
    for (const signs of ["warnings", "incidents"]) {
      add(signs, signs, {
        "icon-image": ["get", "icon"], "icon-size": widths([10, 0.65], [14, 0.9], [17, 1.25]),
        // Far away, signs would cover one another.
        "icon-allow-overlap": ["step", ["zoom"], false, 13, true],
      }, {}, "symbol");
    }
    add("waypoints", "waypoints", {
      "icon-image": ["get", "icon"], "icon-anchor": ["get", "anchor"], "icon-allow-overlap": true,
      "icon-ignore-placement": true,
    }, {}, "symbol");
  }

  /** Shows a route as it came over the wire; null for none. Gives its line. */
  show(route) {
    this.route = route ?? null;
    this.line = lineOf(route);
    this.passedM = 0;
    this.paintedM = -1;
    this.arrowIndex = null;
    const drawable = this.line && this.line.places.length > 1;
    this.setData("route", drawable ? [line(this.line.places)] : []);
    this.setData("waypoints", route ? this.waypoints(route) : []);
    this.setData("off-road", route?.off_road_lat_deg === undefined || !drawable ? [] : [
      line([this.line.placeAt(this.line.lengthM), [route.off_road_lon_deg, route.off_road_lat_deg]])]);
    this.setData("arrow", []);
    this.colour();
    return this.line;
  }

  /** Takes new times and traffic for the route that is shown. */
  refresh(route) {
    this.route = route;
    this.colour();
  }

  /** [west, south, east, north] of the route and of a destination off the road; null for no route. */
  get bounds() {
    const { route } = this;
    if (!route) return null;
    const box = [route.west_deg, route.south_deg, route.east_deg, route.north_deg];
    const [lon, lat] = [route.off_road_lon_deg, route.off_road_lat_deg];
    if (lon === undefined || lon === null) return box;
    return [Math.min(box[0], lon), Math.min(box[1], lat), Math.max(box[2], lon), Math.max(box[3], lat)];
  }

  /** Takes the names of the layers that are not drawn. */
  setHidden(hidden) {
    const isHidden = (layer) => Object.entries(LAYERS).some(([name, layers]) => hidden.has(name) && layers.includes(layer));
    for (const layer of new Set(Object.values(LAYERS).flat())) {
      this.map.setLayoutProperty(layer, "visibility", isHidden(layer) ? "none" : "visible");
    }
    this.showsTraffic = !hidden.has("traffic");
    this.colour();
  }

  /** Gives the driven part a colour of its own, or takes it away. */
  setEatenUp(isEatenUp) {
    this.isEatenUp = isEatenUp;
    this.colour();
  }

  /** Draws further lines, each in colours of its own. */
  showLines(lines) {
    const shown = JSON.stringify(lines);
    if (shown === this.linesShown) return;
    this.linesShown = shown;
    this.setData("lines", lines.map(({ id, shape, colour, outline, width_px: width }) => line(decodePolyline6(shape), {
      id, colour: cssColour(colour), width, ...(outline && { outline: cssColour(outline) }),
    })));
  }

  showAlternatives(shapes) {
    this.setData("alternatives", shapes.map((shape) => line(decodePolyline6(shape))));
  }

  waypoints(route) {
    const places = route.waypoints ?? [];
    return places.slice(1).map((waypoint, index) => {
      const isLast = index === places.length - 2;
      const place = isLast && route.off_road_lat_deg !== undefined
        ? [route.off_road_lon_deg, route.off_road_lat_deg] : [waypoint.matched_lon_deg, waypoint.matched_lat_deg];
      return point(place, isLast
        ? { icon: "destination", anchor: "bottom" } : { icon: "stop", anchor: "center" });
    });
  }

  setData(id, features) {
    this.map.getSource(`nav-${id}`).setData({ type: "FeatureCollection", features });
  }

  /** Eats the route up to `metres`; repaints only what can be seen to change. */
  eatUp(metres, metresPerPixel) {
    this.passedM = metres;
    // Each repaint costs the map a texture for every tile: it may wait as long as the indicator,
    // which stands on the seam, hides it.
    if (Math.abs(metres - this.paintedM) >= Math.max(HIDDEN_PX * metresPerPixel, 0.5)) this.colour();
  }

  /** Metres of the route that are drawn as still to be driven. */
  get aheadM() { return this.line ? Math.max(0, this.line.lengthM - this.drivenM) : 0; }

  /** Metres that are drawn as driven. */
  get drivenM() { return this.isEatenUp ? this.passedM : 0; }

  colour() {
    if (!this.line || this.line.lengthM === 0) return;
    const { map, palette } = this;
    this.paintedM = this.passedM;
    const set = (layer, gradient) =>
      map.setPaintProperty(layer, "line-gradient", gradient, { validate: false });
    set("nav-ahead", this.gradient((span) => this.spanColour(span)));
    set("nav-ahead-edge", this.gradient(() => palette["ahead-edge"]));
  }

  /** Nothing up to where the driver is, then the colour of each span. */
  gradient(colourOf) {
    const length = this.line.lengthM;
    const drivenM = this.drivenM;
    const at = Math.min(Math.max(drivenM / length, 0), 1);
    const steps = ["step", ["line-progress"], at > 0 ? "rgba(0,0,0,0)" : colourOf(0)];
    let shown = at > 0 ? null : colourOf(0);
    let last = 0;
    const push = (fraction, colour) => {
      if (colour === shown || fraction <= last || fraction >= 1) return;
      steps.push(fraction, colour);
      [last, shown] = [fraction, colour];
    };
    const spans = this.route.spans?.start_m ?? [];
    let index = 0;
    while (index + 1 < spans.length && spans[index + 1] <= drivenM) index += 1;
    push(at, colourOf(index));
    for (index += 1; index < spans.length; index += 1) push(spans[index] / length, colourOf(index));
    if (steps.length === 3) steps.push(1, shown ?? colourOf(0));
    return steps;
  }

  spanColour(index) {
    return this.palette[trafficColour(this.showsTraffic ? this.route.spans?.jam_factor?.[index] ?? 0 : 0)];
  }

  /** Draws the arrow of a maneuver; null for none. */
  pointAt(index) {
    if (index === this.arrowIndex) return;
    this.arrowIndex = index;
    const maneuver = index === null ? null : this.route?.maneuvers?.[index];
    if (!maneuver || !this.line || maneuver.action === "arrive" || maneuver.action === "depart") {
      this.setData("arrow", []);
      return;
    }
    const after = maneuver.action === "roundabout"
      ? Math.min(maneuver.length_m ?? 0, 90) : ARROW_AFTER_M;
    const places = this.line.slice(maneuver.offset_m - ARROW_BEFORE_M, maneuver.offset_m + after);
    const tip = places[places.length - 1];
    const bearing = bearingDeg(this.line.placeAt(maneuver.offset_m + after - 6), tip);
    this.setData("arrow", [line(places), point(tip, { bearing })]);
  }

  repaint(palette) {
    this.palette = palette;
    const set = (layer, colour) => this.map.setPaintProperty(`nav-${layer}`, "line-color", palette[colour ?? layer]);
    for (const layer of ["alternative", "alternative-edge", "behind", "behind-edge", "off-road", "arrow", "arrow-edge"]) {
      set(layer);
    }
    this.colour();
  }
}
