// The kinds of places in plain words. Knows no DOM.

import { hasWords, language, words } from "./words.js";

/** OSM values and classes of roads that share the words of another kind. */
const SAME = {
  motorway_link: "ramp", trunk: "main_road", trunk_link: "ramp", primary: "main_road", primary_link: "ramp", secondary: "road",
  secondary_link: "ramp", tertiary: "road", tertiary_link: "ramp", unclassified: "street", residential: "street",
  living_street: "street", pedestrian: "pedestrian_street", service: "service_road", footway: "footpath", cycleway: "cycle_path",
  parking_space: "parking", locality: "place", hamlet: "village", neighbourhood: "suburb", quarter: "suburb",
  isolated_dwelling: "farm", aerodrome: "airport", clinic: "hospital", bus_station: "bus_stop", mall: "shop",
};

/** The kind of a found place, as in `Tram stop`. */
export function kindText({ kind, detail }) {
  const own = kind === "crossing" || kind === "coordinates" || !detail ? kind : SAME[detail] ?? detail;
  if (hasWords(`place.${own}`)) return words(`place.${own}`);
  if (own === kind || language() !== "en") return words(hasWords(`place.${kind}`) ? `place.${kind}` : "place.place");
  // OSM's values are English.
  const text = detail.replaceAll("_", " ").trim();
  return text.charAt(0).toUpperCase() + text.slice(1);
}
