// Gives the page its words: loads the table of a language, and fills in what stands in the page from its start.

import { direction, setWords, words } from "./words.js";

/** The attributes of elements that name keys, and where the text goes. */
const PLACES = {
  "data-words": (element, text) => { element.textContent = text; },
  "data-words-label": (element, text) => element.setAttribute("aria-label", text),
  "data-words-placeholder": (element, text) => element.setAttribute("placeholder", text),
};

/** Loads the table of a language and shows the page in it. */
export async function loadWords(language) {
  const answer = await fetch(`words/${language}.json`);
  if (!answer.ok) throw new Error(`words/${language}.json: ${answer.status}`);
  setWords(language, await answer.json());
  document.documentElement.lang = language;
  document.documentElement.dir = direction(language);
  fillIn(document);
}

/** Fills in the words of the elements in `root` that name their keys. A button's label is its tip, too. */
export function fillIn(root) {
  for (const [attribute, put] of Object.entries(PLACES)) {
    for (const element of root.querySelectorAll(`[${attribute}]`)) {
      const text = words(element.getAttribute(attribute));
      put(element, text);
      if (attribute === "data-words-label" && element.tagName === "BUTTON") element.title = text;
    }
  }
}
