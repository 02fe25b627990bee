// The page: puts the parts together and turns what the stack publishes into what is seen.

import { Banner } from "./banner.js";
import { Camera } from "./camera.js";
import { Connection } from "./connection.js";
import { setUnits } from "./format.js";
import { distanceM } from "./geometry.js";
import { serveGlyphs } from "./glyphs.js";
import { BUTTONS } from "./icons.js";
import { Indicator } from "./indicator.js";
import { addImages, loadStyle, recolour } from "./mapstyle.js";
import { Motion } from "./motion.js";
import { OffRoad } from "./offroad.js";
import { Panel } from "./panel.js";
import { RouteView } from "./routeview.js";
import { Warnings } from "./warnings.js";

const byID = (id) => document.getElementById(id);
/** The indicator moves along the route while it stands within this many metres of it. */
const ON_ROUTE_M = 25;
/** A long pause between two animation frames (a hidden tab) counts as this much. */
const STEP_LIMIT_S = 0.25;

function sentence(text) {
  byID("link").textContent = text;
  byID("link").hidden = !text;
}

async function start() {
  if (!window.maplibregl) {
    sentence("MapLibre GL JS is missing: run Launch/fetch-page-parts, then load this page again.");
    return;
  }
  const config = await (await fetch("config.json")).json();
  const forced = new URLSearchParams(window.location.search).get("theme");
  setUnits(config.units);
  let theme = forced ?? (config.theme === "night" ? "night" : "day");
  document.documentElement.dataset.theme = theme;
  let style = await loadStyle(theme);
  serveGlyphs(maplibregl);
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
  const incidents = new Map();
  const camera = new Camera(map);
  const indicator = new Indicator(map);
  const routeView = new RouteView(map, style.metadata.palette);
  let connection = null;
  const banner = new Banner((name, payload) => connection.call(name, payload));
  let scene = null;
  let route = null;
  let framesShown = 0;
  let quickestMs = Infinity;

  byID("overview").innerHTML = BUTTONS.overview;
  byID("north").innerHTML = BUTTONS.north;
  byID("recentre").innerHTML = `${BUTTONS.recentre}<span>Recentre</span>`;
  camera.onOverview = () => {
    if (!route) return;
    const isWide = window.innerWidth > 720;
    const { off_road_lon_deg: lon = route.west_deg, off_road_lat_deg: lat = route.south_deg } = route;
    camera.overview([
      Math.min(route.west_deg, lon), Math.min(route.south_deg, lat), Math.max(route.east_deg, lon), Math.max(route.north_deg, lat),
    ], {
      top: isWide ? 80 : 220, bottom: 130, left: isWide ? 430 : 50, right: 90,
    });
  };
  byID("stop").onclick = () => banner.answer("stop", "navigate/stop", {});

  // What the stack says.

  async function setTheme(next) {
    if (next === theme || forced) return;
    theme = next;
    document.documentElement.dataset.theme = next;
    style = await loadStyle(next);
    recolour(map, style);
    routeView.repaint(style.metadata.palette);
  }

  function showRoute(payload) {
    const isNew = payload?.route?.id !== route?.id;
    route = payload?.route ?? null;
    if (isNew) {
      motion.follow(routeView.show(route));
      offRoad.clear();
      warnings.clear();
    } else if (route) routeView.refresh(route);
    byID("overview").hidden = !route;
    if (!route && camera.mode === "overview") camera.track();
    if (!route) drawPanel();
  }

  /** The moment on the page's clock, in seconds, at which a message was sent: the quickest one ever sets the offset. */
  function sentAt(sentMs) {
    const lagMs = performance.now() - sentMs;
    quickestMs = Math.min(quickestMs + 0.5, lagMs);
    return (sentMs + quickestMs) / 1000;
  }

  function showScene(frame, stampNs, sentMs) {
    scene = frame;
    camera.tell(frame);
    setTheme(frame.night ? "night" : "day");
    drawPanel();
    warnings.draw(motion.shown?.offsetM ?? null);
    routeView.pointAt(frame.panel?.maneuver_index ?? null);
    if (frame.indicator_lat_deg === undefined || frame.indicator_lat_deg === null) return;
    const place = [frame.indicator_lon_deg, frame.indicator_lat_deg];
    indicator.setStyle(frame.indicator_style ?? "tracking");
    motion.tell({
      place, bearing: frame.indicator_bearing_deg ?? null, speedMps: frame.panel?.speed_mps ?? 0,
      offsetM: offsetOnRoute(frame, place), stampS: stampNs / 1e9, nowS: sentAt(sentMs),
    });
  }

  function drawPanel() { panel.draw(scene?.panel, route, offRoad, map.getBearing()); }

  /** Metres along the route, where the indicator stands on it; null elsewhere. */
  function offsetOnRoute(frame, place) {
    const line = routeView.line;
    const index = frame.eat_up_shape_index;
    if (!line || frame.route_id !== route?.id || index === undefined || index === null) return null;
    const offset = line.offsetAt(index, frame.eat_up_shape_fraction ?? 0);
    routeView.reached = offset;
    return distanceM(line.placeAt(offset), place) <= ON_ROUTE_M ? offset : null;
  }

  const handlers = {
    "scene/frame": ({ payload, stamp, sent }) => showScene(payload, stamp, sent),
    "route/active": ({ payload }) => showRoute(payload),
    "route/alternatives": ({ payload }) => routeView.showAlternatives(payload?.routes ?? []),
    "guidance/road": ({ payload }) => {
      const name = payload?.road?.name || payload?.road?.number || "";
      byID("road").textContent = name;
      byID("road").hidden = !name;
    },
    "guidance/reroute": ({ payload }) => banner.reroute(payload),
    "guidance/warning": ({ payload }) => {
      warnings.tell(payload, motion.shown?.offsetM ?? null);
      warnings.draw(motion.shown?.offsetM ?? null);
    },
    "traffic/incidents": ({ payload, key }) => {
      incidents.set(key ?? "", payload?.incidents ?? []);
      routeView.showIncidents([...incidents.values()].flat());
    },
    "guidance/arrival": ({ payload }) => {
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
    "voice/announcement": ({ payload }) => banner.announce(payload),
    // The stack has another map: its tiles have other addresses.
    _map: async () => {
      style = await loadStyle(theme);
      for (const [name, source] of Object.entries(style.sources)) {
        if (source.tiles) map.getSource(name)?.setTiles?.(source.tiles);
      }
    },
  };

  connection = new Connection(
    (message) => handlers[message.topic]?.(message),
    (isOpen) => {
      document.documentElement.dataset.link = isOpen ? "open" : "lost";
      quickestMs = Infinity;
      sentence(isOpen ? "" : "No connection to navstack: trying again…");
    });

  // What the driver does on the map.

  map.on("click", ({ lngLat, point }) => {
    const box = byID("choice");
    box.innerHTML = '<span>Drive here?</span><button type="button" class="yes">Go</button><button type="button">No</button>';
    box.style.left = `${point.x}px`;
    box.style.top = `${point.y}px`;
    box.hidden = false;
    const [go, no] = box.querySelectorAll("button");
    no.onclick = () => { box.hidden = true; };
    go.onclick = () => {
      box.hidden = true;
      banner.answer("go", "navigate/start", { to: { lat_deg: lngLat.lat, lon_deg: lngLat.lng }, from_here: true });
    };
  });
  map.on("movestart", () => { if (camera.mode !== "tracking") byID("choice").hidden = true; });

  // Each frame.

  let lastMs = performance.now();
  function tick(nowMs) {
    requestAnimationFrame(tick);
    const hz = route ? config.guidance_frame_rate_hz : config.frame_rate_hz;
    if (nowMs - lastMs < 1000 / hz - 4) return;
    const stepS = Math.min((nowMs - lastMs) / 1000, STEP_LIMIT_S);
    lastMs = nowMs;
    const moved = motion.step(performance.now() / 1000, stepS);
    if (motion.shown) indicator.move(motion.shown);
    const cameraMoved = camera.step(motion.shown, stepS);
    if (routeView.line && config.eat_up) {
      const along = motion.shown?.offsetM ?? routeView.reached ?? 0;
      routeView.eatUp(along, 40075016 * Math.cos(map.getCenter().lat * Math.PI / 180) / (512 * 2 ** map.getZoom()));
    }
    if (moved && !cameraMoved) indicator.place();
    if (cameraMoved && offRoad.left) drawPanel();
    if (moved || cameraMoved) framesShown += 1;
  }
  requestAnimationFrame(tick);

  window.navstack = {
    map,
    get state() {
      return {
        link: document.documentElement.dataset.link, theme, camera: camera.mode, northUp: camera.northUp,
        indicator: motion.shown && { place: motion.shown.place, bearing: motion.shown.bearing, offsetM: motion.shown.offsetM, screen: indicator.point },
        routeID: route?.id ?? null, routeLengthM: routeView.line?.lengthM ?? 0, aheadM: routeView.aheadM,
        zoom: map.getZoom(), bearing: map.getBearing(), pitch: map.getPitch(), banner: banner.current,
        received: connection.received, framesShown, meter: window.navstackFrameMeter.figures(), scene,
        loaded: map.areTilesLoaded(),
      };
    },
  };
}

start().catch((failure) => {
  sentence(`The page could not start: ${failure.message}`);
  throw failure;
});
