// The page: puts the parts together. What is shown is decided in view-model.js alone.

import { Banner } from "./banner.js";
import { Beyond } from "./beyond.js";
import { CameraReturn } from "./camera-return.js";
import { Connection } from "./connection.js";
import { DeviceSettings } from "./device-settings.js";
import { Display } from "./display.js";
import { DrawnLabels } from "./drawn-labels.js";
import { failureText } from "./failure-text.js";
import { Figures } from "./figures.js";
import { Flow } from "./flow.js";
import { Frames } from "./frames.js";
import { Incidents } from "./incidents.js";
import { Junction } from "./junction.js";
import { Look } from "./look.js";
import { Maneuvers } from "./maneuvers.js";
import { MapView } from "./map-view.js";
import { addImages, loadStyle } from "./mapstyle.js";
import { Notices, notify } from "./notices.js";
import { Overview } from "./overview.js";
import { Panel } from "./panel.js";
import { Pin } from "./pin.js";
import { Preview } from "./preview.js";
import { waypointOf } from "./preview-model.js";
import { SavedPlaces } from "./saved-places.js";
import { Search } from "./search.js";
import { SettingsDrawer } from "./settings-drawer.js";
import { CardShields, MapShields } from "./shields.js";
import { SignImages } from "./sign-images.js";
import { Simulation } from "./simulation.js";
import { Speech } from "./speech.js";
import { Speed } from "./speed.js";
import { Trip } from "./trip.js";
import { TripBar } from "./trip-bar.js";
import { Vehicles, askedVehicle } from "./vehicles.js";
import { ViewModel } from "./view-model.js";
import { WarningMarks } from "./warning-marks.js";
import { Warnings } from "./warnings.js";
import { hasWords, words } from "./words.js";

/** Milliseconds between two looks at the clock. */
const CLOCK_MS = 250;

/** The renderer's config.json for the page's vehicle; without one, and with the reason, where it cannot be shown. */
async function configured() {
  const asked = askedVehicle();
  const answer = await fetch(asked === null ? "config.json" : `config.json?${new URLSearchParams({ vehicle: asked })}`);
  if (answer.ok) {
    const config = await answer.json();
    return { config, vehicle: asked ?? config.vehicle, refusal: "" };
  }
  const refusal = (await answer.text()).trim();
  return { config: await (await fetch("config.json")).json(), vehicle: null, refusal };
}

/** The map without anything of the drive on it. */
async function mapOf(style, center) {
  const map = new maplibregl.Map({
    container: "map", style, center: center ?? [0, 0], zoom: center ? 13 : 2, maxPitch: 75,
    attributionControl: false, fadeDuration: 150, dragRotate: true, maplibreLogo: false,
  });
  map.addControl(new maplibregl.AttributionControl({ customAttribution: "MapLibre", compact: false }), "bottom-right");
  await map.once("style.load");
  addImages(map, style.metadata.palette);
  return map;
}

async function start() {
  const { config, vehicle, refusal } = await configured();
  const device = new DeviceSettings(() => window.localStorage);
  const display = new Display(device, config);
  await display.start();
  if (!window.maplibregl) {
    notify({ text: words("page.maplibre"), isFault: true });
    return;
  }
  const theme = new URLSearchParams(window.location.search).get("theme");
  const model = new ViewModel({ ...config, vehicle, refusal, theme }, performance.now());
  const { look } = model.view;
  document.documentElement.dataset.theme = look.theme;
  const style = await loadStyle(look.theme, look.mode, vehicle, display.colours);
  const { palette } = style.metadata;
  const map = await mapOf(style, config.center);
  const mapView = new MapView(map, palette);
  const { camera, motion } = mapView;

  // Actions of the driver. What the page itself has to report goes to the model as a message.

  let connection = null;
  const own = (topic, payload = {}) => show(model.take({ topic, payload }, performance.now()));
  const call = (name, payload) => connection.call(name, payload);
  const fail = ({ code, message }) => own("_failed", { code, text: message });
  /** Makes a call for the driver, and shows a failure; `kind` is the banner that asked. */
  const answer = (kind, name, payload) => call(name, payload).then(
    () => own("_answered", { kind }), fail);
  const repeat = () => call("voice/repeat").catch((failure) => own("_caption", {
    text: failureText(failure), expected_duration_s: 1,
  }));
  const vehicleNow = () => {
    const place = motion.shown?.place ?? model.view.fix?.place;
    return place ? { place, bearing: motion.shown?.bearing, speedMps: model.view.scene?.panel?.speed_mps } : null;
  };

  // Panels lie in one zone: one of them is open at a time.

  const open = (panel) => {
    for (const other of [search, preview, maneuvers, drawer, trip, incidents]) if (other !== panel) other.close();
    if (panel === preview) overview.previewOpens();
  };
  const saved = new SavedPlaces(() => window.localStorage);
  const maneuvers = new Maneuvers(() => open(maneuvers));
  const signs = new SignImages(map);
  const incidents = new Incidents(map, signs, {
    vehicle: vehicleNow, onOpen: () => open(incidents),
    clock: () => ({ ns: model.view.fix ? model.view.fix.stampS * 1e9 : null, offsetS: model.view.scene?.panel?.eta_utc_offset_s ?? null }),
  });
  const search = new Search({
    saved, find: (request) => call("place/find", request), near: () => vehicleNow()?.place ?? map.getCenter().toArray(),
    line: () => (mapView.route.line ? { line: mapView.route.line, fromM: motion.shown?.offsetM ?? model.view.route.behindM } : null),
    choose: (place) => preview.open(place), onOpen: () => open(search),
  });
  const preview = new Preview(map, palette, {
    call, saved, vehicle: vehicleNow, active: () => model.view.route.route, defaults: { mode: config.mode, language: config.language },
    pickStop: (purpose) => search.openFor(purpose), onOpen: () => open(preview), onFit: () => overview.fit(),
    onClose: (isStarted) => overview.previewClosed(isStarted), onStart: () => simulation.drive(),
  });
  const trip = new Trip({
    call, onOpen: () => open(trip),
    addStop: () => search.openFor({ choose: (place) => trip.add(waypointOf(place)), cancel: () => trip.open() }),
  });
  const simulation = new Simulation({
    call, fail, onChange: () => preview.nameStart(simulation.model.isSimulated),
  });
  const overview = new Overview(map, mapView, preview, () => model.view);
  const speech = new Speech(repeat, () => device.values.volume);
  const drawer = new SettingsDrawer({
    device, speech, control: (request) => call("scene/control", request), onOpen: () => open(drawer), onChange: applySetting, onFailure: fail,
  });
  const placeAt = ({ lat, lng }) => ({ name: "", kind: "coordinates", detail: "", lat_deg: lat, lon_deg: lng });
  const pin = new Pin(map, (lngLat) => preview.open(placeAt(lngLat)), {
    isWanted: () => preview.isOpen || model.view.routeID !== null,
    add: (lngLat) => (preview.isOpen ? preview.addPlace(placeAt(lngLat)) : trip.add(waypointOf(placeAt(lngLat)))),
  });

  // Components that draw a view.

  const beyond = new Beyond(map, config.bounds ?? null);
  const panel = new Panel();
  const tripBar = new TripBar(palette);
  const notices = new Notices();
  const vehicles = new Vehicles(call, vehicle, refusal, (reply) => own("_vehicles", reply));
  const flow = new Flow(map, palette, { vehicle, ask: () => call("_flow").then((state) => own("_flow", state)) });
  const junction = new Junction(palette, ({ z, x, y }) =>
    lookOfMap.style.sources.map.tiles[0].replace("{z}", z).replace("{x}", x).replace("{y}", y));
  const lookOfMap = new Look(map, vehicle, look, display.colours, style, [
    mapView.route, preview.onMap, tripBar, new DrawnLabels(map, palette),
    new MapShields(map), new CardShields(), junction, flow]);
  const drawn = Object.entries({
    panel, junction, speed: new Speed(), figures: new Figures(() => answer("stop", "navigate/stop", {})), bar: tripBar, warnings: new Warnings(),
    maneuvers, stops: trip, banner: new Banner(answer), announcement: speech, settings: drawer, fleet: vehicles, look: lookOfMap, routeID: overview,
    flow, incidents, warningMarks: new WarningMarks(map, signs),
  });
  function show(view) {
    notices.draw(view);
    mapView.draw(view);
    flow.setHidden(view.hidden);
    for (const [part, component] of drawn) component.draw(view[part]);
  }
  show(model.view);
  const cameraReturn = new CameraReturn(map, camera, {
    view: () => model.view, isChoosing: () => preview.isOpen || pin.marker !== null, afterS: () => device.values.returnS,
  });
  setInterval(() => {
    show(model.at(performance.now()));
    cameraReturn.check();
  }, CLOCK_MS);
  document.addEventListener("visibilitychange", () => { if (!document.hidden) own("_resumed"); });

  // The settings of this screen.

  async function applySetting(id) {
    display.showColours();
    if (id === "colours") await lookOfMap.recolour(display.colours);
    if (id !== "language" && id !== "units") return;
    await display.start();
    for (const part of [maneuvers, search, preview, simulation, beyond, mapView]) part.reworded();
    show(model.reworded(performance.now()));
    vehicles.schedule(0);
  }
  display.watch((colours) => lookOfMap.recolour(colours));
  mapView.reworded();

  // The stack.

  async function receive(message) {
    const { count } = model.refused;
    show(model.take(message, performance.now()));
    if (model.refused.count > count) console.warn(`not shown: ${model.refused.last}`);
    else if (message.topic === "_map") {
      await lookOfMap.reload();
      beyond.reach((await configured()).config.bounds ?? null);
    }
  }

  /** Explains a refusal: a restarted stack has a new token, which this page does not know. */
  async function explainRefusal() {
    const reply = await fetch("config.json", { cache: "no-store" }).catch(() => null);
    if (reply?.status === 401) own("_refused", { text: words("link.restarted") });
  }

  connection = new Connection(vehicle, receive, (isOpen) => {
    own("_link", { isOpen });
    if (isOpen) simulation.opened();
    if (isOpen) flow.renew();
    if (isOpen) vehicles.schedule(0);
    else explainRefusal();
  });
  vehicles.schedule(0);
  const frames = new Frames(mapView, () => model.view, () => panel.turn(map.getBearing()));

  window.navstack = {
    map, call, junction,
    /** What is shown; deeply frozen. */
    get view() { return model.view; },
    /** What is shown, and how it is shown just now, for tests and for the curious. */
    get state() {
      const { view } = model;
      return {
        link: view.link, gps: view.gps, theme: view.look.theme, banner: view.banner?.kind ?? null, settings: view.settings, scene: view.scene,
        routeID: view.routeID, vehicle, vehicles: view.fleet.total, received: connection.received, refused: model.refused,
        camera: camera.mode, northUp: camera.northUp, spot: camera.spot, zoom: map.getZoom(), bearing: map.getBearing(), pitch: map.getPitch(),
        indicator: motion.shown && { place: motion.shown.place, bearing: motion.shown.bearing, offsetM: motion.shown.offsetM, screen: mapView.indicator.point },
        routeLengthM: mapView.route.line?.lengthM ?? 0, aheadM: mapView.route.aheadM, framesShown: frames.shown,
        meter: window.navstackFrameMeter.figures(), loaded: map.areTilesLoaded(), pin: pin.marker?.getLngLat().toArray() ?? null,
        preview: preview.isOpen ? { selected: preview.selected, routes: preview.routes.length, ids: preview.routes.map(({ id }) => id) } : null,
        simulation: simulation.model.state,
      };
    },
  };
}

start().catch((failure) => {
  notify({ text: hasWords("page.failed") ? words("page.failed", { reason: failure.message }) : failure.message, isFault: true });
  throw failure;
});
