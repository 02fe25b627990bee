// The map of all vehicles: puts its parts together.

import { CROSS, LinkNotice, restWhenHidden, serveTheme } from "./board.js";
import { Connection } from "./connection.js";
import { h, setText } from "./elements.js";
import { FleetLayer } from "./fleet-layer.js";
import { ARROW_ZOOM, FleetModel, STATE_COLOURS, STATE_NAMES, decodeFrame, framesPerSecond, mercator, placeOf, sizeAt } from "./fleet-model.js";
import { FleetVehicle } from "./fleet-vehicle.js";
import { setUnits, speed } from "./format.js";
import { BUTTONS } from "./icons.js";
import { addImages, loadStyle, recolour } from "./mapstyle.js";
import { loadWords } from "./page-words.js";

const byID = (id) => document.getElementById(id);
/** Milliseconds between two looks at list and legend. */
const LIST_MS = 1000;
/** Pixels within which a click finds a vehicle. */
const CLICK_PX = 16;
/** Vehicles reach the places of a frame a little after the next one is due, so that none waits for a late frame. */
const SLACK = 1.08;

async function start() {
  const notice = new LinkNotice(byID("link"));
  if (!window.maplibregl) {
    notice.fault = "MapLibre GL JS is missing: run Launch/fetch-page-parts, then load this page again.";
    notice.show();
    return;
  }
  const config = await (await fetch("config.json")).json();
  setUnits(config.units);
  // Figures and their units; the page itself has English alone.
  await loadWords("en");
  const model = new FleetModel();
  let arrivedAt = 0;
  let stepMs = 1000;
  let sentMs = null;
  const share = (now = performance.now()) => Math.min(1, Math.max(0, (now - arrivedAt) / stepMs));
  const layer = new FleetLayer(model, () => share());
  let map = null;
  const theme = serveTheme(byID("theme"), (next) => restyle(next));
  const style = await loadStyle(theme(), null, null);
  map = new maplibregl.Map({
    container: "map", style, center: config.center ?? [0, 0], zoom: config.center ? 11 : 2, maxPitch: 60, attributionControl: false,
    fadeDuration: 0, maplibreLogo: false,
  });
  map.addControl(new maplibregl.AttributionControl({ customAttribution: "MapLibre", compact: false }), "bottom-right");
  map.getCanvas().setAttribute("aria-label", "Map: arrow keys move it, plus and minus zoom");
  await map.once("style.load");
  addImages(map, style.metadata.palette);
  const vehicle = new FleetVehicle(map, { onClose: () => choose(-1), describe });
  layer.paint(STATE_COLOURS[theme()], edgeOf(theme()));
  map.addLayer(layer);
  const scale = () => {
    layer.size = sizeAt(map.getZoom(), model.present);
    layer.isArrow = map.getZoom() >= ARROW_ZOOM;
  };
  map.on("zoom", scale);
  scale();
  byID("fit").innerHTML = BUTTONS.overview;
  byID("vehicle-close").innerHTML = CROSS;

  const state = { get present() { return model.present; }, get counts() { return model.counts; }, get chosen() { return model.names[layer.chosen] ?? null; }, get drawn() { return layer.drawn; }, frames: 0, fps: 0, fault: "" };
  window.navstack = { state, map, model, figures: () => window.navstackFrameMeter.figures(), placeOf: (name) => placeNow(model.rows.get(name)) };

  restWhenHidden(new Connection(null, receive, (isOpen) => notice.state(isOpen), "fleet"));
  let hasFitted = false;

  function receive(message) {
    if (message instanceof ArrayBuffer) {
      take(message);
      return;
    }
    if (!message) return;
    if (message.topic === "_alive") notice.heard(message.payload);
    if (message.topic === "fleet/names") model.name(message.payload);
  }

  function take(buffer) {
    let frame;
    try {
      frame = decodeFrame(buffer);
    } catch (fault) {
      state.fault = notice.fault = fault.message;
      notice.show();
      return;
    }
    const now = performance.now();
    model.take(frame, share(now));
    if (sentMs !== null) stepMs = SLACK * Math.min(3000, Math.max(250, frame.sentMs - sentMs));
    sentMs = frame.sentMs;
    arrivedAt = now;
    state.frames += 1;
    layer.changed();
    if (!hasFitted && model.present) {
      hasFitted = true;
      fit(false);
    }
  }

  function edgeOf(name) { return name === "night" ? "#0d1620" : "#ffffff"; }

  async function restyle(next) {
    drawLegend();
    if (!map) return;
    layer.paint(STATE_COLOURS[next], edgeOf(next));
    const made = await loadStyle(next, null, null);
    if (theme() !== next) return;
    recolour(map, made);
    vehicle.repaint(made.metadata.palette);
    map.triggerRepaint();
    list();
  }

  function fit(isAnimated = true) {
    const box = model.bounds();
    if (!box) return;
    const wide = window.innerWidth > 760;
    const room = { top: 40, bottom: wide ? 40 : byID("panel").offsetHeight + 40, left: wide ? byID("panel").offsetWidth + 50 : 30, right: 40 };
    map.fitBounds([placeOf([box[0], box[1]]), placeOf([box[2], box[3]])], {
      padding: room, maxZoom: 16, animate: isAnimated && !window.matchMedia("(prefers-reduced-motion: reduce)").matches,
    });
  }
  byID("fit").onclick = () => fit();

  // Vehicles are drawn as often as they move by half a pixel.
  let drawnAt = 0;
  let countedAt = performance.now();
  let countedFrames = 0;
  function tick(now) {
    requestAnimationFrame(tick);
    if (document.hidden || !model.present || share(now) >= 1) return;
    const rate = framesPerSecond(map.getZoom(), map.getCenter().lat);
    if (now - drawnAt < 1000 / rate - 4) return;
    drawnAt = now;
    countedFrames += 1;
    if (now - countedAt > 2000) {
      state.fps = 1000 * countedFrames / (now - countedAt);
      countedAt = now;
      countedFrames = 0;
    }
    map.triggerRepaint();
  }
  requestAnimationFrame(tick);

  // Choosing.

  function placeNow(row) { return row === undefined || row >= model.count ? null : placeOf(model.placeAt(row, share())); }

  function describe() {
    const row = layer.chosen;
    return { state: model.stateOf(row), text: STATE_NAMES[model.stateOf(row)] ?? "gone", speedMps: model.speedMps(row) };
  }

  function choose(row, isBrought = false) {
    layer.chosen = row;
    const name = model.names[row];
    vehicle.show(name ?? null);
    if (name && isBrought) {
      const target = { center: placeNow(row), zoom: Math.max(map.getZoom(), 15) };
      if (window.matchMedia("(prefers-reduced-motion: reduce)").matches) map.jumpTo(target); else map.easeTo({ ...target, duration: 600 });
    }
    map.triggerRepaint();
    list();
  }

  map.on("click", ({ lngLat, point }) => {
    const side = map.unproject([point.x + CLICK_PX, point.y]);
    const at = mercator(lngLat.lng, lngLat.lat);
    const [x, y] = mercator(side.lng, side.lat);
    choose(model.nearest(at, Math.hypot(x - at[0], y - at[1]), share()));
  });
  map.on("mousemove", ({ lngLat, point }) => {
    if (model.present > 20_000) return;
    const side = map.unproject([point.x + 10, point.y]);
    const at = mercator(lngLat.lng, lngLat.lat);
    const [x] = mercator(side.lng, side.lat);
    map.getCanvas().style.cursor = model.nearest(at, Math.abs(x - at[0]) + 1e-12, share()) >= 0 ? "pointer" : "";
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") choose(-1);
    if (event.key !== "/" || event.target.tagName === "INPUT") return;
    event.preventDefault();
    byID("fleet-search").focus();
  });

  // Legend and list.

  function drawLegend() {
    const colours = STATE_COLOURS[document.documentElement.dataset.theme] ?? STATE_COLOURS.day;
    byID("legend").replaceChildren(...Object.keys(STATE_NAMES).map((name) => h("li", {}, h("button", {
      type: "button", "data-state": name, "aria-pressed": String(!model.hidden.has(name)), onclick: () => {
        if (!model.hidden.delete(name)) model.hidden.add(name);
        drawLegend();
        list();
        map?.triggerRepaint();
      },
    }, h("i", { style: `background:${colours[name]}` }), h("span", {}, STATE_NAMES[name]), h("b", {}, (model.counts[name] ?? 0).toLocaleString("en"))))));
  }

  function list() {
    for (const button of byID("legend").querySelectorAll("button")) setText(button.lastElementChild, (model.counts[button.dataset.state] ?? 0).toLocaleString("en"));
    setText(byID("fleet-count"), `${model.present.toLocaleString("en")} vehicle${model.present === 1 ? "" : "s"}`);
    const words = byID("fleet-search").value;
    const { total, rows } = model.search(words);
    setText(byID("fleet-matches"), words.trim() || total > rows.length ? `${total.toLocaleString("en")} found${total > rows.length ? `, the first ${rows.length} are listed` : ""}` : "");
    const colours = STATE_COLOURS[theme()];
    const holder = byID("fleet-list");
    while (holder.children.length > rows.length) holder.lastElementChild.remove();
    while (holder.children.length < rows.length) holder.append(h("li", {}, h("button", { type: "button" }, h("i"), h("span"), h("small"))));
    rows.forEach((row, index) => {
      const button = holder.children[index].firstElementChild;
      const [mark, name, value] = button.children;
      setText(name, model.names[row]);
      const told = model.stateOf(row);
      const { number, unit } = speed(model.speedMps(row));
      setText(value, ["standing", "silent", "unmatched"].includes(told) ? STATE_NAMES[told] : `${number} ${unit}`);
      mark.style.background = colours[told];
      button.toggleAttribute("aria-current", row === layer.chosen);
      button.onclick = () => choose(row, true);
    });
    vehicle.update();
  }
  byID("fleet-search").oninput = () => list();
  byID("fleet-search").onkeydown = ({ key }) => { if (key === "Enter") byID("fleet-list").querySelector("button")?.click(); };
  drawLegend();
  setInterval(() => { if (!document.hidden) list(); }, LIST_MS);
}

start();
