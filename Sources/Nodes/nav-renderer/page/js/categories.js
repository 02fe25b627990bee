// The categories of places that the search offers, and what each asks for. Knows no DOM.

/** By name, which is that of a kind of place: the fields of place/find. */
const REQUESTS = {
  fuel: { category: "fuel" }, charging_station: { category: "charging" }, parking: { category: "parking" }, restaurant: { category: "food" },
  hotel: { category: "lodging" }, hospital: { kinds: ["hospital", "clinic"] }, pharmacy: { kinds: ["pharmacy"] },
  supermarket: { kinds: ["supermarket", "convenience", "mall", "department_store"] }, attraction: { category: "sight" },
  station: { category: "station" },
};

export const CATEGORY_NAMES = Object.keys(REQUESTS);

/** What a search for a category asks for; nothing for none. */
export function requestOf(category) { return REQUESTS[category] ?? {}; }

/** At most this many points of a line are sent with a search; a command of the live link has 64 KiB. */
const MOST_POINTS = 2000;

/**
 * The part of a line of [lon, lat] from `fromM` on as a polyline with six decimals, thinned where it has too many points.
 */
export function polylineFrom(line, fromM) {
  const places = line.slice(fromM, line.lengthM);
  const step = Math.max(1, Math.ceil(places.length / MOST_POINTS));
  const kept = places.filter((_, index) => index % step === 0 || index === places.length - 1);
  let [lat, lon, text] = [0, 0, ""];
  const write = (value) => {
    let rest = value < 0 ? -2 * value - 1 : 2 * value;
    for (; rest >= 32; rest = Math.floor(rest / 32)) text += String.fromCharCode((rest % 32) + 32 + 63);
    text += String.fromCharCode(rest + 63);
  };
  for (const place of kept) {
    const [x, y] = place.map((degrees) => Math.round(degrees * 1e6));
    write(y - lat);
    write(x - lon);
    [lon, lat] = [x, y];
  }
  return text;
}
