// How the scene is shown, as scene/settings says: read into what a browser needs. Knows no DOM.

/** A colour `#rrggbb` or `#aarrggbb` as CSS writes it: the opacity comes last. */
export function cssColour(text) {
  return text.length === 9 ? `#${text.slice(3)}${text.slice(1, 3)}` : text;
}

/** Names of what is not drawn, as a set; an indicator can be hidden by its look, too. */
export function hiddenLayers(settings) {
  const hidden = new Set((settings.layers ?? []).filter(({ visible }) => !visible).map(({ name }) => name));
  if (settings.indicator === "hidden") hidden.add("indicator");
  return hidden;
}

/** Differs where the colours differ that are drawn while a route of `mode` is followed, or none. */
export function coloursKey(settings, mode) {
  const used = (settings.colours ?? []).filter((colour) => (colour.mode ?? mode) === mode);
  return JSON.stringify(used);
}

const MEDIA_TYPES = { png: "image/png", svg: "image/svg+xml" };

/** The own picture of the indicator: {type, hex}; null where none is shown, or one that browsers do not draw. */
export function indicatorPicture(settings) {
  const type = MEDIA_TYPES[settings.indicator_picture_type];
  const hex = settings.indicator_picture?.$bytes;
  return settings.indicator === "picture" && type && hex ? { type, hex } : null;
}

/** The bytes of a text of two hexadecimal digits each. */
export function bytesOf(hex) {
  return Uint8Array.from({ length: hex.length / 2 }, (_, i) => parseInt(hex.slice(2 * i, 2 * i + 2), 16));
}

/** Frames a second that are to be drawn. */
export function frameRateHz(settings, hasRoute) {
  return hasRoute ? settings.guidance_frame_rate_hz : settings.frame_rate_hz;
}
