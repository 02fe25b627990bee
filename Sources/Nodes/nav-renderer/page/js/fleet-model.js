// The vehicles of the whole stack as columns of numbers: decoded, counted, found, and placed between two frames.

/** The states of a vehicle by their number on the wire. */
export const STATES = ["gone", "driving", "guided", "standing", "off_route", "unmatched", "estimated", "wrong_way", "silent"];
/** What the page calls them. */
export const STATE_NAMES = {
  guided: "on a route", driving: "driving", standing: "standing", off_route: "off its route", unmatched: "no road", estimated: "estimated",
  wrong_way: "wrong way", silent: "silent",
};
/** Colours of the states, chosen so that they differ in lightness too. */
export const STATE_COLOURS = {
  day: { guided: "#1f6feb", driving: "#0b8a8f", standing: "#6b7682", off_route: "#d97a00", unmatched: "#b42fb0", estimated: "#7a5af8", wrong_way: "#d8232a", silent: "#a9b2bc" },
  night: { guided: "#5aa2ff", driving: "#35d0c5", standing: "#93a1b0", off_route: "#ffab3d", unmatched: "#f07ae8", estimated: "#a896ff", wrong_way: "#ff6166", silent: "#5a6674" },
};
const HEAD_BYTES = 16;
const VERSION = 1;

/** The columns of a binary frame; throws for one of another version or length. The columns share the buffer. */
export function decodeFrame(buffer) {
  const view = new DataView(buffer);
  if (buffer.byteLength < HEAD_BYTES || view.getUint32(0, true) !== VERSION) throw new Error("this page is older or newer than the renderer: load it again");
  const count = view.getUint32(4, true);
  if (buffer.byteLength !== HEAD_BYTES + 11 * count) throw new Error(`a frame of ${count} vehicles has ${buffer.byteLength} bytes`);
  const bytes = HEAD_BYTES + 8 * count;
  return {
    count, sentMs: view.getFloat64(8, true),
    lat: new Int32Array(buffer, HEAD_BYTES, count), lon: new Int32Array(buffer, HEAD_BYTES + 4 * count, count),
    bearing: new Uint8Array(buffer, bytes, count), speed: new Uint8Array(buffer, bytes + count, count), state: new Uint8Array(buffer, bytes + 2 * count, count),
  };
}

/** Mercator coordinates of a place, 0 to 1 from the north-west corner. */
export function mercator(lonDeg, latDeg) {
  const sin = Math.sin(Math.min(Math.max(latDeg, -85.05), 85.05) * Math.PI / 180);
  return [lonDeg / 360 + 0.5, 0.5 - Math.log((1 + sin) / (1 - sin)) / (4 * Math.PI)];
}

/** The longest way, in metres, that a vehicle is drawn to glide; a longer one is a jump. */
const GLIDE_M = 400;
const EARTH_M = 40_030_000;

/** The vehicles of the stack: names, and their places in the last two frames. */
export class FleetModel {
  constructor() {
    this.names = [];
    this.rows = new Map();
    this.count = 0;
    this.hidden = new Set();
    this.counts = {};
    /** Rows in the order of their names; null where it must be made again. */
    this.order = null;
  }

  /** Names of rows from `from` on. */
  name({ from, names }) {
    names.forEach((name, index) => {
      const old = this.names[from + index];
      if (old === name) return;
      if (old !== undefined && this.rows.get(old) === from + index) this.rows.delete(old);
      this.names[from + index] = name;
      this.rows.set(name, from + index);
      this.order = null;
    });
  }

  /**
   * Takes a frame: what is drawn moves from where it stands at `share` of the last step to the new places.
   * Coordinates are Mercator, in doubles.
   */
  take(frame, share = 1) {
    const { count } = frame;
    const [fromX, fromY, toX, toY] = [0, 1, 2, 3].map(() => new Float64Array(count));
    const fromTurn = new Float32Array(count);
    const toTurn = new Float32Array(count);
    const counts = {};
    for (let i = 0; i < count; i += 1) {
      const state = STATES[frame.state[i]] ?? "silent";
      counts[state] = (counts[state] ?? 0) + 1;
      const latDeg = frame.lat[i] / 1e7;
      const [x, y] = mercator(frame.lon[i] / 1e7, latDeg);
      toX[i] = x;
      toY[i] = y;
      toTurn[i] = frame.bearing[i] / 256;
      fromX[i] = x;
      fromY[i] = y;
      fromTurn[i] = toTurn[i];
      if (i >= this.count || this.frame?.state[i] === 0) continue;
      const shownX = this.fromX[i] + (this.toX[i] - this.fromX[i]) * share;
      const shownY = this.fromY[i] + (this.toY[i] - this.fromY[i]) * share;
      const metres = Math.hypot(shownX - x, shownY - y) * EARTH_M * Math.cos(latDeg * Math.PI / 180);
      if (metres > GLIDE_M) continue;
      fromX[i] = shownX;
      fromY[i] = shownY;
      const shownTurn = this.fromTurn[i] + (this.toTurn[i] - this.fromTurn[i]) * share;
      // The shorter way round: both turns differ by at most a half.
      fromTurn[i] = shownTurn - Math.round(shownTurn - toTurn[i]);
    }
    Object.assign(this, { frame, count, fromX, fromY, toX, toY, fromTurn, toTurn, counts });
  }

  /** Number of vehicles that are there. */
  get present() { return this.count - (this.counts.gone ?? 0); }

  stateOf(row) { return STATES[this.frame?.state[row]] ?? "gone"; }
  speedMps(row) { return (this.frame?.speed[row] ?? 0) / 2; }
  isShown(row) { return row < this.count && this.frame.state[row] !== 0 && !this.hidden.has(this.stateOf(row)); }

  /** Where a vehicle is drawn at `share` of the step. */
  placeAt(row, share) {
    return [this.fromX[row] + (this.toX[row] - this.fromX[row]) * share, this.fromY[row] + (this.toY[row] - this.fromY[row]) * share];
  }

  /** The row of the vehicle nearest to a Mercator place within `reach` of it; -1 for none. Linear in the vehicles. */
  nearest([x, y], reach, share) {
    let best = -1;
    let least = reach;
    for (let i = 0; i < this.count; i += 1) {
      if (!this.isShown(i)) continue;
      const [px, py] = this.placeAt(i, share);
      const away = Math.hypot(px - x, py - y);
      if (away < least) {
        least = away;
        best = i;
      }
    }
    return best;
  }

  /** The box of all vehicles that are shown, [west, south, east, north] in Mercator; null for none. */
  bounds() {
    let box = null;
    for (let i = 0; i < this.count; i += 1) {
      if (!this.isShown(i)) continue;
      const [x, y] = [this.toX[i], this.toY[i]];
      box = box ? [Math.min(box[0], x), Math.max(box[1], y), Math.max(box[2], x), Math.min(box[3], y)] : [x, y, x, y];
    }
    return box;
  }

  /** The first `most` vehicles whose names contain a text, in the order of their names, and how many there are. */
  search(text, most = 100) {
    const wanted = text.trim().toLowerCase();
    // Sorted only where names have come or changed: thousands are listed each second.
    this.order ??= [...this.names.keys()].filter((row) => this.names[row] !== undefined).sort((a, b) => (this.names[a] < this.names[b] ? -1 : 1));
    const rows = [];
    let total = 0;
    for (const row of this.order) {
      if (!this.isShown(row) || !this.names[row].includes(wanted)) continue;
      total += 1;
      if (rows.length < most) rows.push(row);
    }
    return { total, rows };
  }
}

/** The place of a Mercator coordinate, [lon, lat] in degrees. */
export function placeOf([x, y]) {
  return [(x - 0.5) * 360, Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180 / Math.PI];
}

/** Side of a vehicle's picture in CSS pixels: a dot from afar, an arrow nearby. */
export function sizeAt(zoom, count) {
  // Many vehicles on a small piece of the screen would be one blot.
  const crowd = count > 3000 ? 0.8 : 1;
  if (zoom < 10) return 5 * crowd;
  if (zoom < ARROW_ZOOM) return (5 + (zoom - 10) * 1.6) * crowd;
  return Math.min(30, 16 + (zoom - ARROW_ZOOM) * 4.5);
}

/** From this zoom on, vehicles are arrows. */
export const ARROW_ZOOM = 13.5;

/** Frames a second that motion of `speedMps` needs at a zoom and latitude so that a step is half a pixel; 2 to 30. */
export function framesPerSecond(zoom, latDeg, speedMps = 25) {
  const metresPerPixel = EARTH_M * Math.cos(latDeg * Math.PI / 180) / (512 * 2 ** zoom);
  return Math.min(30, Math.max(2, 2 * speedMps / metresPerPixel));
}

/** Product of a 4 x 4 matrix (column by column) with a shift and a scale: what places relative to an origin need. */
export function relativeMatrix(matrix, [x, y], scale) {
  const m = Float64Array.from(matrix);
  const result = new Float32Array(16);
  for (let i = 0; i < 4; i += 1) {
    result[i] = m[i] * scale;
    result[4 + i] = m[4 + i] * scale;
    result[8 + i] = m[8 + i] * scale;
    result[12 + i] = m[i] * scale * x + m[4 + i] * scale * y + m[12 + i];
  }
  return result;
}
