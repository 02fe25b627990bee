// Draws direction signs.

import { escaped } from "./format.js";
import { shieldsHTML } from "./shields.js";
import { words } from "./words.js";

/** The HTML of a sign of the view. */
export function signHTML({ exit, shields, places }) {
  const names = places.map((place) => `<bdi>${escaped(place)}</bdi>`).join("");
  return (exit && `<span class="exit">${escaped(words("sign.exit", { number: exit }))}</span>`) + shieldsHTML(shields) + (names && `<span class="places">${names}</span>`);
}
