// Which shields a road has, and what the renderer is asked for each of them. Knows no DOM.

/** At most so many shields of a road stand on the map. */
const MAP_MOST = 3;
/** Characters of the longest number that a sign has room for. */
const NUMBER_MOST = 24;
/** First part of the name of a picture of shields on the map; its other parts follow in lines of their own. */
const MAP_NAME = "shield";

/** The numbers of a text that OpenStreetMap separates by semicolons. */
export function splitNumbers(text) { return (text ?? "").split(";").map((part) => part.trim()).filter(Boolean); }

/**
 * The shields of a road as it comes over the wire: a list of fields of `shield.svg`. `road.numbers` says network, level and
 * direction of each number; a road that has none of them has its numbers as signed.
 */
export function shieldsOf(road) {
  const numbers = road?.numbers?.length > 0 ? road.numbers : splitNumbers(road?.number).map((text) => ({ text }));
  const seen = new Set();
  return numbers.filter(({ text }) => text && !seen.has(text) && seen.add(text)).map((number) => fields({
    number: number.text, shield_text: number.shield_text, level: number.level, direction: number.direction, network: number.network,
    country: road.country, state: road.state_code,
  }));
}

/**
 * The shields of the numbers on a signpost, which stands at a road of known country; `level` is that of numbers that the road
 * does not have itself.
 */
export function signShields(texts, road, level) {
  const known = new Map(shieldsOf(road).map((shield) => [shield.number, shield]));
  return (texts ?? []).flatMap(splitNumbers)
    .map((number) => known.get(number) ?? fields({ number, level, country: road?.country, state: road?.state_code }));
}

function fields(values) {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined && value !== null && value !== "")
    .map(([key, value]) => [key, String(value)]));
}

/** Why the renderer has no picture of a shield, as a code; null if it is worth asking. */
export function faultOf(shield) {
  if (!/^[A-Za-z]{2}$/.test(shield.country ?? "")) return "no_country";
  if ([...shield.number].length > NUMBER_MOST) return "too_long";
  return null;
}

/** The address of a shield's picture; equal shields have equal addresses. */
export function shieldAddress(shield, { scheme, isNight, heightPx }) {
  const query = new URLSearchParams(shield);
  if (scheme !== "map") query.set("scheme", scheme);
  if (isNight) query.set("night", "1");
  // As wide as the sign is: its height decides.
  query.set("width_px", 8 * heightPx);
  query.set("height_px", heightPx);
  query.sort();
  // In an address a plus sign is no space.
  return `shield.svg?${query.toString().replaceAll("+", "%20")}`;
}

/** The shields in the name of a picture on the map, as style.json makes it of a road's tags; null for other pictures. */
export function shieldsOfImage(name) {
  const [kind, ref, country, state, networks, levels] = name.split("\n");
  if (kind !== MAP_NAME || levels === undefined) return null;
  const [network, level] = [networks.split(";"), levels.split(";")];
  return splitNumbers(ref).slice(0, MAP_MOST)
    .map((number, index) => fields({ number, country, state, network: network[index], level: level[index] }));
}

/** The description in an SVG of the renderer. */
export function descriptionOf(svg) {
  const text = /<title>([^<]*)<\/title>/.exec(svg)?.[1] ?? "";
  return text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&quot;", '"').replaceAll("&amp;", "&");
}

/** Width divided by height, and height in hundredths of a sign's height, of an SVG of the renderer. */
export function shapeOf(svg) {
  const [width, height] = (/viewBox="0 0 ([\d.]+) ([\d.]+)"/.exec(svg)?.slice(1) ?? [100, 100]).map(Number);
  return { aspect: width / height, height };
}
