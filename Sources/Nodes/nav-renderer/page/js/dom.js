// What components share: elements by their id, and HTML that is touched on change only.

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
