// The colours of direction signs by country and class of road. Knows no DOM.

/**
 * Colours of the signs on motorways, on main roads (trunk, primary) and on other roads, a letter each, by country: blue, green,
 * yellow, white, red. Where a country signs by destination, the colour is that of the road.
 */
const ROWS = `
AD bbw AL gbb AT bbw BA gyy BE gbw BG gbb BY gbb CH gbw LI gbw CY gbb CZ gbw DE byw DK gbw EE gbb ES bww FI gbw FR bgw GB bgw
GI bww GR gbb HR gyy HU bgw IE bgw IS yyy IT gbw LT gbb LU bww LV bbb MC bgw MD gbb ME gyy MK gyy MT bbb NL bbw NO byy PL bgg PT bww RO gbb
RS gyy RU gbb SE gbw SI gyy SK gbw SM gbb TR gbb UA gbb XK gyy
US ggg CA ggg MX ggg BR ggg AR bgg CL bgg CO ggg PE ggg
AU ggg NZ ggg JP gbb KR ggb CN gbb TW ggg HK bbb TH ggg MY ggg SG ggg ID ggg PH ggg VN ggb IN bgg IL bgg AE ggg SA ggg ZA bgg MA bww TN ggg EG bbb KE bgg`;

const WORDS = { b: "blue", g: "green", y: "yellow", w: "white" };
const TABLE = new Map([...ROWS.matchAll(/([A-Z]{2}) ([a-z]{3})/g)].map(([, country, letters]) => [country, letters]));

/** The name of the colour of a sign at a road of a country (undefined if unknown) and a class: the Vienna Convention's blue by default. */
export function signColour(country, roadClass) {
  const index = roadClass === "motorway" ? 0 : roadClass === "trunk" || roadClass === "primary" ? 1 : 2;
  return WORDS[(TABLE.get(country) ?? "bbb")[index]];
}

/**
 * The road whose colour a sign has: a motorway's signs have its colour where one leaves it as well as where one enters it.
 */
export function signRoad(maneuver) {
  const [from, onto] = [maneuver.from_road, maneuver.next_road ?? maneuver.onto_road];
  return [from, onto].find((road) => road?.road_class === "motorway") ?? onto ?? from;
}
