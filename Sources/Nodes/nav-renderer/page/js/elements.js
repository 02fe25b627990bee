// Elements of a page, made of texts alone: nothing that is shown is ever read as HTML.

const SVG = "http://www.w3.org/2000/svg";

/** An element with attributes (`on…` for handlers, null for none) and children (texts, elements, null). */
export function h(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

/** The same for an element of a drawing. */
export function s(tag, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

/** Sets a text only where it differs, so that a quiet page costs nothing. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** Brings the children of `parent` to the order of `elements`, and moves only what stands elsewhere. */
export function arrange(parent, elements) {
  elements.forEach((element, index) => {
    if (parent.children[index] !== element) parent.insertBefore(element, parent.children[index] ?? null);
  });
  while (parent.children.length > elements.length) parent.lastElementChild.remove();
}
