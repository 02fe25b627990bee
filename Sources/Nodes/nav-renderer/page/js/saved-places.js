// Favourites and recent destinations, kept on the device. Knows no DOM.

const KEY = "navstack.places";
const RECENT_LIMIT = 8;
/** Two places of one name that are nearer than this are the same one. */
const SAME_DEG = 1e-5;

export class SavedPlaces {
  /** `open()` returns the storage, like localStorage; without one, places are kept until the page is closed. */
  constructor(open) {
    this.open = open;
    const { recent, favourites } = this.read();
    this.recent = placesOf(recent).slice(0, RECENT_LIMIT);
    this.favourites = placesOf(favourites);
  }

  read() {
    // Storage can be forbidden, and its content is whatever an older page has left.
    try {
      return JSON.parse(this.open().getItem(KEY)) ?? {};
    } catch {
      return {};
    }
  }

  write() {
    try {
      this.open().setItem(KEY, JSON.stringify({ recent: this.recent, favourites: this.favourites }));
    } catch {
      // Full or forbidden: the lists of this page stay.
    }
  }

  /** Favourites first, then the recent destinations that are not among them. */
  get all() { return [...this.favourites, ...this.recent.filter((place) => !this.isFavourite(place))]; }

  isFavourite(place) { return this.favourites.some((other) => isSame(place, other)); }

  /** A destination was chosen: it is the most recent one now. */
  record(place) {
    this.recent = [savedForm(place), ...this.recent.filter((other) => !isSame(place, other))].slice(0, RECENT_LIMIT);
    this.write();
  }

  /** Makes a place a favourite, or no favourite any more. */
  toggle(place) {
    this.favourites = this.isFavourite(place)
      ? this.favourites.filter((other) => !isSame(place, other)) : [...this.favourites, savedForm(place)];
    this.write();
  }
}

function isSame(a, b) {
  return a.name === b.name && Math.abs(a.lat_deg - b.lat_deg) < SAME_DEG && Math.abs(a.lon_deg - b.lon_deg) < SAME_DEG;
}

/** What is kept of a place: its distance was that from the place of the search. */
function savedForm({ name, kind, detail, lat_deg, lon_deg }) { return { name, kind, detail, lat_deg, lon_deg }; }

function placesOf(list) {
  return Array.isArray(list)
    ? list.filter((place) => typeof place?.name === "string" && Number.isFinite(place.lat_deg) && Number.isFinite(place.lon_deg)) : [];
}
