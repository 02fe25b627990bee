// Shared by the components: elements by their id, and HTML that is touched on change only.

import { words } from "./words.js";

export const byID = (id) => document.getElementById(id);

const drawn = new WeakMap();

/** Sets an element's HTML where it differs from what was set before. */
export function setHTML(id, html) {
  const element = byID(id);
  if (drawn.get(element) === html) return;
  drawn.set(element, html);
  element.innerHTML = html;
}

/** Names a picture for those who do not see it. */
export function name(id, text) {
  byID(id).setAttribute("role", "img");
  byID(id).setAttribute("aria-label", text);
}

/** Writes the word of a key into an element, which keeps the key for other languages. */
export function wordOf(element, key) {
  element.dataset.words = key;
  element.textContent = words(key);
}

/** Labels an element with the word of a key, which it keeps for other languages; a button shows it as its tip, too. */
export function labelOf(element, key) {
  const text = words(key);
  element.setAttribute("data-words-label", key);
  element.setAttribute("aria-label", text);
  if (element.tagName === "BUTTON") element.title = text;
}

/** Hides a card that `button` opens; a focus that was in the card goes to the button. */
export function hideCard(card, button) {
  const hadFocus = card.contains(document.activeElement);
  card.hidden = true;
  button.setAttribute("aria-expanded", "false");
  if (hadFocus) button.focus({ preventScroll: true });
}
