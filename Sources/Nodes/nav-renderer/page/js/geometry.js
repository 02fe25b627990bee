// Lines on the globe: decoding, metres along, places and bearings. Coordinates are [lon, lat].

/** Mean radius of WGS 84, as the stack has it. */
const EARTH_RADIUS_M = 6371008.771415;
const RAD = Math.PI / 180;

/** The places of a polyline with six decimals; throws for a text that breaks off. */
export function decodePolyline6(text) {
  const places = [];
  let index = 0;
  let lat = 0;
  let lon = 0;
  const next = () => {
    let value = 0;
    let shift = 1;
    for (;;) {
      const code = text.charCodeAt(index++) - 63;
      if (!(code >= 0 && code < 64)) throw new Error(`polyline breaks off at ${index - 1}`);
      value += (code & 31) * shift;
      shift *= 32;
      if (code < 32) return value % 2 ? -(value + 1) / 2 : value / 2;
    }
  };
  while (index < text.length) {
    lat += next();
    lon += next();
    places.push([lon / 1e6, lat / 1e6]);
  }
  return places;
}

/** Metres between two places (haversine). */
export function distanceM([lon1, lat1], [lon2, lat2]) {
  const a = Math.sin((lat2 - lat1) * RAD / 2) ** 2
    + Math.cos(lat1 * RAD) * Math.cos(lat2 * RAD) * Math.sin((lon2 - lon1) * RAD / 2) ** 2;
  return 2 * EARTH_RADIUS_M * Math.asin(Math.min(1, Math.sqrt(a)));
}

/** Direction from one place to another, clockwise from north, 0 to 360. */
export function bearingDeg([lon1, lat1], [lon2, lat2]) {
  const y = Math.sin((lon2 - lon1) * RAD) * Math.cos(lat2 * RAD);
  const x = Math.cos(lat1 * RAD) * Math.sin(lat2 * RAD)
    - Math.sin(lat1 * RAD) * Math.cos(lat2 * RAD) * Math.cos((lon2 - lon1) * RAD);
  return (Math.atan2(y, x) / RAD + 360) % 360;
}

/** The place `metres` from another in a direction; for short ways. */
export function moved(place, bearing, metres) {
  return new LocalPlane(place).place([metres * Math.sin(bearing * RAD), metres * Math.cos(bearing * RAD)]);
}

/** The turn from one direction to another, -180 to 180. */
export function turnDeg(from, to) {
  return ((to - from + 540) % 360 + 360) % 360 - 180;
}

/** The same direction within 0 ..< 360. */
export function normalizedDeg(degrees) {
  const rest = degrees % 360;
  const positive = rest < 0 ? rest + 360 : rest;
  return positive >= 360 ? 0 : positive;
}

/** The same direction within -180 to 180. */
export function signedDeg(degrees) {
  if (degrees >= -180 && degrees <= 180) return degrees;
  const positive = normalizedDeg(degrees);
  return positive > 180 ? positive - 360 : positive;
}

/** A flat map around one place: [metres east, metres north] of it. */
export class LocalPlane {
  constructor(origin) {
    this.origin = origin;
    this.metresPerDegree = EARTH_RADIUS_M * RAD;
    this.metresPerDegreeEast = this.metresPerDegree * Math.cos(origin[1] * RAD);
  }

  point([lon, lat]) {
    return [signedDeg(lon - this.origin[0]) * this.metresPerDegreeEast, (lat - this.origin[1]) * this.metresPerDegree];
  }

  place([east, north]) {
    const lon = this.metresPerDegreeEast > 0 ? east / this.metresPerDegreeEast : 0;
    return [signedDeg(this.origin[0] + lon), this.origin[1] + north / this.metresPerDegree];
  }
}

/** A line with the metres from its start to each of its points. */
export class Line {
  constructor(places) {
    this.places = places;
    this.offsets = new Float64Array(places.length);
    for (let i = 1; i < places.length; i += 1) {
      this.offsets[i] = this.offsets[i - 1] + distanceM(places[i - 1], places[i]);
    }
  }

  get lengthM() { return this.offsets[this.offsets.length - 1] ?? 0; }

  /** Metres from the start to `fraction` of the way between point `index` and the next. */
  offsetAt(index, fraction) {
    const last = this.places.length - 1;
    if (last < 0) return 0;
    const i = Math.min(Math.max(index, 0), last);
    const j = Math.min(i + 1, last);
    return this.offsets[i] + (this.offsets[j] - this.offsets[i]) * fraction;
  }

  /** Index of the segment that holds `metres`; logarithmic in the points. */
  segmentAt(metres) {
    let low = 0;
    let high = this.offsets.length - 2;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.offsets[middle] <= metres) low = middle; else high = middle - 1;
    }
    return Math.max(low, 0);
  }

  placeAt(metres) {
    if (this.places.length < 2) return this.places[0];
    const i = this.segmentAt(metres);
    const span = this.offsets[i + 1] - this.offsets[i];
    const f = span > 0 ? Math.min(Math.max((metres - this.offsets[i]) / span, 0), 1) : 0;
    const [a, b] = [this.places[i], this.places[i + 1]];
    return [signedDeg(a[0] + signedDeg(b[0] - a[0]) * f), a[1] + (b[1] - a[1]) * f];
  }

  /** The point of the line nearest to a place, the metres to it, and those along the line; linear in the points. */
  nearest([lon, lat]) {
    const scale = Math.cos(lat * RAD);
    const metres = EARTH_RADIUS_M * RAD;
    let best = { place: this.places[0], metres: Infinity, offsetM: 0 };
    for (let i = 0; i + 1 < this.places.length; i += 1) {
      const [a, b] = [this.places[i], this.places[i + 1]];
      const [ax, ay] = [(a[0] - lon) * scale, a[1] - lat];
      const [dx, dy] = [(b[0] - a[0]) * scale, b[1] - a[1]];
      const length = dx * dx + dy * dy;
      const share = length > 0 ? Math.min(Math.max(-(ax * dx + ay * dy) / length, 0), 1) : 0;
      const away = Math.hypot(ax + share * dx, ay + share * dy) * metres;
      if (away >= best.metres) continue;
      best = {
        place: [a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share], metres: away,
        offsetM: this.offsets[i] + (this.offsets[i + 1] - this.offsets[i]) * share,
      };
    }
    return best;
  }

  /** The part between two offsets, with its cut ends. */
  slice(fromM, toM) {
    const from = Math.max(0, fromM);
    const to = Math.min(this.lengthM, toM);
    const part = [this.placeAt(from)];
    for (let i = this.segmentAt(from) + 1; i < this.places.length && this.offsets[i] < to; i += 1) {
      if (this.offsets[i] > from) part.push(this.places[i]);
    }
    part.push(this.placeAt(to));
    return part;
  }
}
