// The kinds of places in plain words.

/** By OSM value or class of road; a value that is missing here is shown with spaces for its underscores. */
const KINDS = {
  tram_stop: "Tram stop", bus_stop: "Bus stop", halt: "Railway halt", station: "Railway station", ferry_terminal: "Ferry terminal",
  townhall: "Town hall", place_of_worship: "Place of worship", fuel: "Filling station", charging_station: "Charging station",
  fast_food: "Fast food", pub: "Pub", atm: "Cash machine", parking_space: "Parking", doctors: "Doctor", college: "College",
  supermarket: "Supermarket", attraction: "Sight", guest_house: "Guest house", pitch: "Sports ground", swimming_pool: "Swimming pool",
  locality: "Place", isolated_dwelling: "Farm", border_control: "Border crossing", toll_booth: "Toll booth",
  motorway: "Motorway", motorway_link: "Motorway ramp", trunk: "Main road", trunk_link: "Ramp", primary: "Main road", primary_link: "Ramp",
  secondary: "Road", secondary_link: "Ramp", tertiary: "Road", tertiary_link: "Ramp", unclassified: "Street", residential: "Street",
  living_street: "Street", pedestrian: "Pedestrian street", service: "Service road", track: "Track", path: "Path", footway: "Footpath",
  cycleway: "Cycle path", steps: "Steps", ferry: "Ferry",
};
const BY_KIND = { place: "Place", road: "Road", crossing: "Intersection", coordinates: "Coordinates" };

/** The kind of a found place, as in `Tram stop`. */
export function kindText({ kind, detail }) {
  if (kind === "crossing" || kind === "coordinates" || !detail) return BY_KIND[kind] ?? BY_KIND.place;
  if (Object.hasOwn(KINDS, detail)) return KINDS[detail];
  const words = detail.replaceAll("_", " ").trim();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
