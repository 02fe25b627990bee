// The camera: it follows the indicator, heading or north up, until it is taken by hand; one tap
// brings it back. Overview shows the whole route. What is done by hand is of this page alone; a call
// of scene/control changes the camera of every page.

import { turnDeg } from "./geometry.js";
import { vehiclePlace } from "./layout.js";

const byID = (id) => document.getElementById(id);
/** Seconds in which zoom and tilt follow what the scene asks for. */
const ZOOM_SETTLE_S = 1.1;
const BEARING_SETTLE_S = 0.25;
const SPOT_SETTLE_S = 0.35;
const RETURN_S = 0.8;
const OVERVIEW_MS = 900;
const BIAS_LIMIT = 3;
/** Whether the device asks for no more motion than the drive itself makes. */
const isCalm = () => window.matchMedia("(prefers-reduced-motion: reduce)").matches;

export class Camera {
  constructor(map) {
    this.map = map;
    /** Rectangles of the cards over the map. */
    this.cards = [];
    /** Where the vehicle is drawn, in pixels; it moves there when cards come and go. */
    this.spot = null;
    this.mode = "tracking";
    this.northUp = false;
    this.wanted = { zoom: 16.5, anchorX: 0.5, anchorY: 0.775 };
    /** What scene/settings says of the camera; null before it has. */
    this.settings = null;
    this.now = null;
    /** What the wheel added to the zoom while the camera follows. */
    this.zoomBias = 0;
    this.away = 0;
    this.isHeld = false;
    for (const event of ["dragstart", "rotatestart", "pitchstart", "zoomstart"]) {
      map.on(event, ({ originalEvent }) => { if (originalEvent) this.free(); });
    }
    // Moving the map stops the gesture that begins on it: while a finger is down, it stands still.
    const container = map.getCanvasContainer();
    for (const event of ["mousedown", "touchstart"]) {
      container.addEventListener(event, () => { this.isHeld = true; }, { capture: true, passive: true });
    }
    for (const event of ["mouseup", "touchend", "touchcancel", "blur"]) {
      window.addEventListener(event, () => { this.isHeld = false; }, { capture: true, passive: true });
    }
    container.addEventListener("wheel", (event) => this.wheel(event), { capture: true, passive: false });
    byID("recentre").onclick = () => this.track();
    byID("overview").onclick = () => this.onOverview();
    byID("north").onclick = () => {
      this.northUp = !this.northUp;
      if (this.mode !== "tracking") this.track();
      this.change();
    };
  }

  /** Takes what the scene asks of the camera, a `view.camera`. */
  ask(wanted) {
    this.wanted = wanted;
    if (wanted.isFree && this.mode === "free" && !this.isPlaced) this.placeAt(wanted);
  }

  /** Takes the settings of the scene; what was done by hand stays where they do not change. */
  present({ tracking, north_up: northUp, tilt_deg: tilt }) {
    const before = this.settings;
    this.settings = { tracking, northUp, tilt };
    if (northUp !== (before?.northUp ?? false)) this.northUp = northUp;
    if (tracking === (before?.tracking ?? true)) return;
    if (!tracking) this.free();
    else if (this.mode !== "tracking") this.track();
  }

  /** Looks where a camera that does not follow stands, on a page that has not looked anywhere yet. */
  placeAt({ place, zoom, tilt, bearing }) {
    this.map.jumpTo({ center: place, zoom, pitch: tilt, bearing, padding: this.padding(this.wantedSpot) });
    this.isPlaced = true;
  }

  wheel(event) {
    if (this.mode !== "tracking" || !this.now) return;
    event.preventDefault();
    event.stopPropagation();
    const bias = this.zoomBias - event.deltaY * 0.0025;
    this.zoomBias = Math.min(Math.max(bias, -BIAS_LIMIT), BIAS_LIMIT);
  }

  free() {
    if (this.mode === "free") return;
    this.mode = "free";
    this.change();
  }

  track() {
    const center = this.map.getCenter();
    this.now = {
      place: [center.lng, center.lat], zoom: this.map.getZoom(), tilt: this.map.getPitch(),
      bearing: this.map.getBearing(),
    };
    this.away = isCalm() ? 0 : 1;
    this.mode = "tracking";
    this.change();
  }

  /** Shows a box of [west, south, east, north]. */
  overview(box, margins) {
    this.mode = "overview";
    this.change();
    this.map.setPadding({ top: 0, bottom: 0, left: 0, right: 0 });
    this.map.fitBounds([[box[0], box[1]], [box[2], box[3]]], {
      padding: margins, bearing: 0, pitch: 0, duration: isCalm() ? 0 : OVERVIEW_MS, maxZoom: 17,
    });
  }

  change() {
    byID("recentre").hidden = this.mode === "tracking";
    byID("north").setAttribute("aria-pressed", String(this.northUp));
    this.onChange?.(this.mode);
  }

  /** Follows the indicator for `stepS` seconds; true while the camera moves. */
  step(shown, stepS) {
    if (this.mode !== "tracking" || this.isHeld || !shown) return false;
    const bearing = this.northUp ? 0 : shown.bearing;
    const tilt = this.northUp ? 0 : this.settings?.tilt ?? 0;
    const zoom = this.wanted.zoom + this.zoomBias;
    this.now ??= { place: shown.place, zoom, tilt, bearing };
    const { now } = this;
    const before = { ...now };
    const follow = (settleS) => (isCalm() ? 1 : 1 - Math.exp(-stepS / settleS));
    this.away = Math.max(0, this.away - stepS / RETURN_S);
    const pull = this.away > 0 ? 1 - this.away ** 3 : 1;
    now.place = [
      now.place[0] + (shown.place[0] - now.place[0]) * pull, now.place[1] + (shown.place[1] - now.place[1]) * pull];
    const settle = this.away > 0 ? ZOOM_SETTLE_S / 3 : ZOOM_SETTLE_S;
    now.zoom += (zoom - now.zoom) * follow(settle);
    now.tilt += (tilt - now.tilt) * follow(settle);
    now.bearing += turnDeg(now.bearing, bearing) * follow(BEARING_SETTLE_S);
    const spot = this.wantedSpot;
    const spotBefore = this.spot;
    const pace = spotBefore ? follow(SPOT_SETTLE_S) : 1;
    this.spot = { x: (spotBefore?.x ?? 0) + (spot.x - (spotBefore?.x ?? 0)) * pace, y: (spotBefore?.y ?? 0) + (spot.y - (spotBefore?.y ?? 0)) * pace };
    const isSpotStill = spotBefore && Math.hypot(spot.x - spotBefore.x, spot.y - spotBefore.y) < 0.25;
    if (isSpotStill) this.spot = spot;
    const isStill = now.place[0] === before.place[0] && now.place[1] === before.place[1]
      && Math.abs(now.zoom - before.zoom) < 1e-4 && Math.abs(now.tilt - before.tilt) < 1e-3
      && Math.abs(now.bearing - before.bearing) < 1e-3;
    if (isStill && isSpotStill && this.isPlaced) return false;
    this.apply();
    return true;
  }

  /** Where the vehicle is to be drawn, in pixels: at its anchor in what the cards leave free. */
  get wantedSpot() {
    const { clientWidth: width, clientHeight: height } = this.map.getContainer();
    return vehiclePlace(width, height, { x: this.wanted.anchorX, y: this.wanted.anchorY }, this.cards);
  }

  /** The map centres what lies in the middle of what padding leaves. */
  padding(spot) {
    const { clientWidth: width, clientHeight: height } = this.map.getContainer();
    const y = 2 * spot.y - height;
    const x = 2 * spot.x - width;
    return { top: Math.max(y, 0), bottom: Math.max(-y, 0), left: Math.max(x, 0), right: Math.max(-x, 0) };
  }

  apply() {
    const { now, map } = this;
    map.jumpTo({
      center: now.place, zoom: now.zoom, pitch: Math.min(Math.max(now.tilt, 0), 70), bearing: now.bearing,
      padding: this.padding(this.spot ?? this.wantedSpot),
    });
    this.isPlaced = true;
  }
}
