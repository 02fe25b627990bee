// The page: puts the parts together and turns what the stack publishes into what is seen.

import { Banner } from "./banner.js";
import { Camera } from "./camera.js";
import { Connection } from "./connection.js";
import { isBeyond } from "./coverage.js";
import { DrawnLabels } from "./drawn-labels.js";
import { setUnits } from "./format.js";
import { distanceM } from "./geometry.js";
import { BUTTONS } from "./icons.js";
import { Indicator } from "./indicator.js";
import { freeMargins } from "./layout.js";
import { Liveness } from "./liveness.js";
import { Maneuvers } from "./maneuvers.js";
import { addImages, loadStyle, recolour } from "./mapstyle.js";
import { Motion } from "./motion.js";
import { OffRoad } from "./offroad.js";
import { OffRoute } from "./offroute.js";
import { Panel } from "./panel.js";
import { Pin } from "./pin.js";
import { Preview } from "./preview.js";
import { RouteView } from "./routeview.js";
import { SavedPlaces } from "./saved-places.js";
import { Search } from "./search.js";
import { coloursKey, frameRateHz, hiddenLayers } from "./settings.js";
import { Speech } from "./speech.js";
import { TripBar } from "./trip-bar.js";
import { Vehicles, askedVehicle } from "./vehicles.js";
import { Warnings } from "./warnings.js";

const byID = (id) => document.getElementById(id);
/** The indicator moves along the route while it stands within this many metres of it. */
const ON_ROUTE_M = 25;
/** Metres per second below which a vehicle without a route counts as parked. */
const PARKED_MPS = 1;
/** Milliseconds between two looks at which cards cover the map. */
const MEASURE_MS = 200;
/** A long pause between two animation frames (a hidden tab) counts as this much. */
const STEP_LIMIT_S = 0.25;

/** What is told of the link; nothing while all is well. */
const LINK_TEXTS = {
  open: "", lost: "No connection to navstack: trying again…", silent: "navstack does not answer: what is shown may be old.",
  busless: "navstack has lost its bus: what is shown may be old.",
};
const toolIDs = ["fleet", "find", "repeat", "sound", "overview", "north", "recentre"];
/** Layers of the map that are hidden while the preview is open. */
const PREVIEW_HIDES = ["route", "eat_up", "alternatives", "maneuver_arrows", "offroad"];

function sentence(text, isFault = true) {
  byID("link").textContent = text;
  byID("link").classList.toggle("note", !isFault);
  byID("link").hidden = !text;
  document.documentElement.toggleAttribute("data-has-notice", Boolean(text));
}

/** What the renderer says of the page's vehicle; of none, with the reason, where it cannot be shown. */
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

async function start() {
  if (!window.maplibregl) {
    sentence("MapLibre GL JS is missing: run Launch/fetch-page-parts, then load this page again.");
    return;
  }
  const { config, vehicle, refusal } = await configured();
  const forced = new URLSearchParams(window.location.search).get("theme");
  setUnits(config.units);
  let settings = config.scene;
  let theme = forced ?? (settings.theme === "night" ? "night" : "day");
  document.documentElement.dataset.theme = theme;
  let style = await loadStyle(theme, null, vehicle);
  const map = new maplibregl.Map({
    container: "map", style, center: config.center ?? [0, 0], zoom: config.center ? 13 : 2, maxPitch: 75,
    attributionControl: false, fadeDuration: 150, dragRotate: true, maplibreLogo: false,
  });
  map.addControl(new maplibregl.AttributionControl({ customAttribution: "MapLibre", compact: false }), "bottom-right");
  await map.once("style.load");
  addImages(map, style.metadata.palette);

  const motion = new Motion();
  const panel = new Panel();
  const warnings = new Warnings();
  const offRoad = new OffRoad();
  const offRoute = new OffRoute();
  const incidents = new Map();
  const camera = new Camera(map);
  const indicator = new Indicator(map);
  const routeView = new RouteView(map, style.metadata.palette);
  const drawnLabels = new DrawnLabels(map, style.metadata.palette);
  let connection = null;
  const liveness = new Liveness(({ link, isLocationLost }) => {
    const page = document.documentElement.dataset;
    if (page.link !== link) sentence(LINK_TEXTS[link]);
    page.link = link;
    page.gps = isLocationLost ? "lost" : "known";
    byID("signal").hidden = !isLocationLost;
    byID("signal").textContent = isLocationLost ? "No GPS signal" : "";
  });
  setInterval(() => liveness.check(), 250);
  document.addEventListener("visibilitychange", () => { if (!document.hidden) liveness.resumed(); });
  const call = (name, payload) => connection.call(name, payload);
  const banner = new Banner(call);
  const tripBar = new TripBar(style.metadata.palette);
  const maneuvers = new Maneuvers(() => openPanel(maneuvers));
  const saved = new SavedPlaces(() => window.localStorage);
  const search = new Search({
    saved, find: (request) => call("place/find", request), near: () => vehicleNow()?.place ?? map.getCenter().toArray(),
    choose: (place) => preview.open(place), onOpen: () => openPanel(search),
  });
  const preview = new Preview(map, style.metadata.palette, {
    call, saved, vehicle: vehicleNow, active: () => route, defaults: { mode: config.mode, language: config.language },
    onOpen: () => openPanel(preview),
    onFit: () => camera.onOverview(), onClose: closePreview,
  });
  const speech = new Speech(() => call("voice/repeat").catch((failure) => {
    banner.announce({ text: failure.code === "nothing_to_repeat" ? "There is nothing to repeat" : failure.message, expected_duration_s: 1 });
  }));
  let scene = null;
  /** What the camera did before the preview was opened. */
  let modeBefore = "tracking";
  let sceneStampS = null;
  let speedState = null;
  let roadCountry;
  let route = null;
  let framesShown = 0;
  let quickestMs = Infinity;

  byID("overview").innerHTML = BUTTONS.overview;
  byID("north").innerHTML = BUTTONS.north;
  byID("recentre").innerHTML = BUTTONS.recentre;
  byID("recentre").title = "Follow the vehicle";
  byID("recentre").setAttribute("aria-label", "Follow the vehicle");
  camera.onOverview = () => {
    const box = preview.isOpen ? preview.bounds : routeView.bounds;
    if (!box) return;
    const { clientWidth: width, clientHeight: height } = map.getContainer();
    // Callouts stand beside the routes of a preview.
    const airPx = preview.isOpen ? Math.min(Math.max(0.1 * Math.min(width, height), 40), 80) : 40;
    camera.overview(box, freeMargins(width, height, measureCards(), airPx));
  };
  let bounds = config.bounds ?? null;
  function tellCoverage() {
    const view = map.getBounds();
    const isOut = isBeyond(bounds, [view.getWest(), view.getSouth(), view.getEast(), view.getNorth()]);
    byID("beyond").hidden = !isOut;
    byID("beyond").textContent = isOut ? "The map of this stack does not reach here" : "";
  }
  map.on("moveend", tellCoverage);
  // The needle of the button points north, however the map is turned.
  map.on("rotate", () => byID("north").style.setProperty("--turn", `${-map.getBearing().toFixed(1)}deg`));

  // A screen that is turned or resized shows the whole route again.
  map.on("resize", () => {
    camera.cards = measureCards();
    if (camera.mode === "overview") camera.onOverview();
  });
  byID("stop").onclick = () => banner.answer("stop", "navigate/stop", {});

  // Messages of the stack.

  let styleKey = `${theme} ${coloursKey(settings, null)}`;

  /** Loads the style anew where the theme, the mode of the route or the colours ask for another one. */
  async function restyle() {
    const mode = route?.request?.mode ?? null;
    const key = `${theme} ${coloursKey(settings, mode)}`;
    if (key === styleKey) return;
    styleKey = key;
    try {
      const next = await loadStyle(theme, mode, vehicle);
      // A later change has asked for another one meanwhile.
      if (styleKey !== key) return;
      style = next;
      recolour(map, style);
      routeView.repaint(style.metadata.palette);
      preview.onMap.repaint(style.metadata.palette);
      tripBar.repaint(style.metadata.palette);
      drawnLabels.repaint(style.metadata.palette);
    } catch (failure) {
      if (styleKey === key) styleKey = "";
      console.warn(failure.message);
    }
  }

  function setTheme(next) {
    if (next === theme || forced) return;
    theme = next;
    document.documentElement.dataset.theme = next;
    restyle();
  }

  function hideLayers() {
    routeView.setHidden(new Set([...hiddenLayers(settings), ...(preview.isOpen ? PREVIEW_HIDES : [])]));
  }

  /** Panels lie in one zone: one of them is open at a time. */
  function openPanel(panelToOpen) {
    for (const other of [search, preview, maneuvers]) if (other !== panelToOpen) other.close();
    if (panelToOpen !== preview) return;
    if (!preview.isOpen) modeBefore = camera.mode;
    queueMicrotask(hideLayers);
  }

  function closePreview(isStarted) {
    hideLayers();
    if (isStarted) leaveOverview();
    else if (camera.mode !== "overview") return;
    else if (modeBefore === "free") camera.free();
    else if (modeBefore === "overview" && route) camera.onOverview();
    else leaveOverview();
  }

  function leaveOverview() {
    if (settings.tracking) camera.track();
    else camera.free();
  }

  /** Where the vehicle is: {place, bearing, speedMps}; null while that is not known. */
  function vehicleNow() {
    const place = motion.shown?.place ?? (scene && placeOf(scene));
    return place ? { place, bearing: motion.shown?.bearing, speedMps: scene?.panel?.speed_mps } : null;
  }

  /** Shows the scene as scene/settings says. */
  function present(next) {
    settings = next;
    document.documentElement.dataset.hides = [...hiddenLayers(settings)].join(" ");
    hideLayers();
    routeView.showLines(settings.routes ?? []);
    routeView.setEatenUp(settings.eat_up);
    indicator.present(settings);
    camera.present(settings);
    restyle();
  }
  present(settings);

  function showRoute(payload) {
    const isNew = payload?.route?.id !== route?.id;
    route = payload?.route ?? null;
    if (isNew) {
      motion.follow(routeView.show(route));
      offRoad.clear();
      offRoute.clear();
      warnings.clear();
      banner.followed(route?.id ?? null);
    } else if (route) routeView.refresh(route);
    byID("overview").hidden = !route;
    if (!route && camera.mode === "overview" && !preview.isOpen) leaveOverview();
    if (!route) drawPanel();
    restyle();
  }

  /** The moment on the page's clock, in seconds, at which a message was sent: the quickest one ever sets the offset. */
  function sentAt(sentMs) {
    const lagMs = performance.now() - sentMs;
    quickestMs = Math.min(quickestMs + 0.5, lagMs);
    return (sentMs + quickestMs) / 1000;
  }

  function showScene(frame, stampNs, sentMs) {
    scene = frame;
    sceneStampS = stampNs / 1e9;
    liveness.located(frame.indicator_style === "grey");
    if (has(frame.panel?.maneuver_index)) offRoute.clear();
    camera.tell(frame);
    setTheme(frame.night ? "night" : "day");
    const place = placeOf(frame);
    if (place) offRoute.move(place, routeView.line);
    drawPanel();
    drawWarnings();
    routeView.pointAt(frame.panel?.maneuver_index ?? null);
    indicator.setStyle(frame.indicator_style ?? "tracking");
    if (!place) return;
    motion.tell({
      place, bearing: bearingOf(frame), speedMps: frame.panel?.speed_mps ?? null,
      offsetM: offsetOnRoute(frame, place), stampS: stampNs / 1e9, nowS: sentAt(sentMs),
    });
  }

  function drawPanel() {
    panel.draw(scene?.panel, route, { offRoad, offRoute, mapBearing: map.getBearing(), speedState, country: roadCountry });
    const isOnRoute = !offRoad.left && !offRoute.left;
    maneuvers.move(isOnRoute ? route : null, scene?.panel);
    tripBar.draw(isOnRoute ? route : null, scene?.panel?.remaining_m);
  }

  function drawWarnings() {
    const speedMps = scene?.panel?.speed_mps;
    // After the arrival, say: what lies ahead concerns nobody until the vehicle moves again.
    const isParked = !route && has(speedMps) && speedMps < PARKED_MPS;
    warnings.draw(motion.shown?.offsetM ?? null, motion.shown?.place ?? null, isParked);
  }

  /** The rectangles of what lies over the map. */
  function measureCards() {
    return ["search", "preview", "guide", "maneuvers", "caption", "signal", "banner", "speed", "road", "bar", "beyond", ...toolIDs].map(byID).concat([...byID("warnings").children])
      .filter((element) => element.offsetParent !== null).map((element) => element.getBoundingClientRect());
  }

  const has = (value) => value !== undefined && value !== null;

  /** Where the vehicle is: a frame with a hidden indicator says it by its camera, or by the route. */
  function placeOf(frame) {
    if (has(frame.indicator_lat_deg)) return [frame.indicator_lon_deg, frame.indicator_lat_deg];
    if (frame.camera_mode !== "free") return [frame.camera_lon_deg, frame.camera_lat_deg];
    const isOnRoute = routeView.line && frame.route_id === route?.id && has(frame.eat_up_shape_index);
    return isOnRoute ? routeView.line.placeAt(eatenUpM(frame)) : null;
  }

  function bearingOf(frame) {
    if (has(frame.indicator_bearing_deg)) return frame.indicator_bearing_deg;
    return frame.camera_mode === "free" || settings.north_up ? null : frame.camera_bearing_deg;
  }

  const eatenUpM = (frame) => routeView.line.offsetAt(frame.eat_up_shape_index, frame.eat_up_shape_fraction ?? 0);

  /** Metres along the route, where the indicator stands on it; null elsewhere. */
  function offsetOnRoute(frame, place) {
    const line = routeView.line;
    if (!line || frame.route_id !== route?.id || !has(frame.eat_up_shape_index)) return null;
    const offset = eatenUpM(frame);
    routeView.reached = offset;
    return distanceM(line.placeAt(offset), place) <= ON_ROUTE_M ? offset : null;
  }

  const handlers = {
    "scene/frame": ({ payload, stamp, sent }) => showScene(payload, stamp, sent),
    "scene/settings": ({ payload }) => { if (payload) present(payload); },
    "route/active": ({ payload }) => showRoute(payload),
    "route/alternatives": ({ payload }) => routeView.showAlternatives(payload?.routes ?? []),
    "guidance/road": ({ payload }) => {
      const name = payload?.road?.name || payload?.road?.number || "";
      byID("road").textContent = name;
      byID("road").hidden = !name;
      roadCountry = payload?.road?.country;
      drawPanel();
    },
    "guidance/reroute": ({ payload }) => banner.reroute(payload),
    "guidance/warning": ({ payload, stamp }) => {
      warnings.tell(payload, motion.shown?.offsetM ?? null, stamp / 1e9, sceneStampS);
      drawWarnings();
    },
    "guidance/speed": ({ payload }) => {
      speedState = payload;
      drawPanel();
    },
    "guidance/deviation": ({ payload }) => {
      if (payload.route_id !== route?.id) return;
      // Warnings of the route do not apply to the road that the vehicle is on now.
      if (payload.first) warnings.clear();
      offRoute.deviate(payload, routeView.line);
      drawWarnings();
      drawPanel();
    },
    "route/error": ({ payload }) => banner.fail(payload.text),
    _alive: () => {},
    "traffic/incidents": ({ payload, key }) => {
      incidents.set(key ?? "", payload?.incidents ?? []);
      routeView.showIncidents([...incidents.values()].flat());
    },
    "guidance/arrival": ({ payload }) => {
      warnings.clear();
      drawWarnings();
      offRoad.arrive(payload, route, routeView.line);
      banner.arrival(payload, offRoad);
      drawPanel();
    },
    "guidance/offroad": ({ payload }) => {
      offRoad.progress(payload, route);
      drawPanel();
    },
    "route/better": ({ payload }) => {
      banner.better(payload);
      routeView.showAlternatives(payload.state === "proposed" && payload.route ? [payload.route] : []);
    },
    "voice/announcement": ({ payload }) => {
      banner.announce(payload);
      speech.announce(payload);
    },
    // The stack has another map: its tiles have other addresses.
    _map: async () => {
      style = await loadStyle(theme, route?.request?.mode ?? null, vehicle);
      for (const [name, source] of Object.entries(style.sources)) {
        if (source.tiles) map.getSource(name)?.setTiles?.(source.tiles);
      }
      bounds = (await configured()).config.bounds ?? null;
      tellCoverage();
    },
  };

  let vehicles = null;
  connection = new Connection(
    vehicle,
    (message) => {
      if (message.topic !== "_alive") vehicles?.heard();
      liveness.heard(message.topic === "_alive" ? message.payload.bus : undefined);
      handlers[message.topic]?.(message);
    },
    (isOpen) => {
      quickestMs = Infinity;
      liveness.opened(isOpen);
      if (isOpen) vehicles?.schedule(0);
      else explainRefusal();
    });
  vehicles = new Vehicles(connection, vehicle, refusal, (text, isFault) => {
    if (document.documentElement.dataset.link === "open") sentence(text, isFault);
  });
  vehicles.schedule(0);

  /** Explains a refusal: a restarted stack has a new token, which this page does not know. */
  async function explainRefusal() {
    const answer = await fetch("config.json", { cache: "no-store" }).catch(() => null);
    if (answer?.status === 401) sentence("The stack was started again: open the address that its launcher printed.");
  }

  // Actions of the driver on the map.

  const pin = new Pin(map, (lngLat) => {
    preview.open({ name: "", kind: "coordinates", detail: "", lat_deg: lngLat.lat, lon_deg: lngLat.lng });
  });

  // Each frame.

  let lastMs = performance.now();
  let measuredMs = -Infinity;
  function tick(nowMs) {
    requestAnimationFrame(tick);
    if (nowMs - lastMs < 1000 / frameRateHz(settings, Boolean(route)) - 4) return;
    const stepS = Math.min((nowMs - lastMs) / 1000, STEP_LIMIT_S);
    lastMs = nowMs;
    if (nowMs - measuredMs > MEASURE_MS) {
      measuredMs = nowMs;
      camera.cards = measureCards();
    }
    const moved = motion.step(performance.now() / 1000, stepS);
    if (motion.shown) indicator.move(motion.shown);
    const cameraMoved = camera.step(motion.shown, stepS);
    if (routeView.line) {
      const along = motion.shown?.offsetM ?? routeView.reached ?? 0;
      routeView.eatUp(along, 40075016 * Math.cos(map.getCenter().lat * Math.PI / 180) / (512 * 2 ** map.getZoom()));
    }
    if (moved && !cameraMoved) indicator.place();
    if (cameraMoved && (offRoad.left || offRoute.left)) drawPanel();
    if (moved || cameraMoved) framesShown += 1;
  }
  requestAnimationFrame(tick);

  window.navstack = {
    map,
    /** Makes a call of the stack, as scene/control; resolves with the reply's payload. */
    call: (name, payload) => connection.call(name, payload),
    get state() {
      return {
        link: document.documentElement.dataset.link, theme, vehicle, vehicles: vehicles.total, camera: camera.mode, northUp: camera.northUp,
        indicator: motion.shown && { place: motion.shown.place, bearing: motion.shown.bearing, offsetM: motion.shown.offsetM, screen: indicator.point },
        routeID: route?.id ?? null, routeLengthM: routeView.line?.lengthM ?? 0, aheadM: routeView.aheadM,
        zoom: map.getZoom(), bearing: map.getBearing(), pitch: map.getPitch(), banner: banner.current,
        received: connection.received, framesShown, settings, meter: window.navstackFrameMeter.figures(), scene,
        loaded: map.areTilesLoaded(), gps: document.documentElement.dataset.gps, pin: pin.marker?.getLngLat().toArray() ?? null,
        spot: camera.spot, preview: preview.isOpen ? { selected: preview.selected, routes: preview.routes.length } : null,
      };
    },
  };
}

start().catch((failure) => {
  sentence(`The page could not start: ${failure.message}`);
  throw failure;
});
