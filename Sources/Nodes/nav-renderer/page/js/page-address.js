// Addresses of the renderer as the page reaches them. Knows no DOM.

/**
 * An address of the renderer as the page at `href` reaches it: through a proxy it may have another protocol, or lie under
 * another path, than the renderer knows.
 */
export function besidePage(address, href) {
  const { origin, pathname } = new URL(href);
  return address.replace(/^(https?:\/\/[^/]+)?\//, origin + pathname.replace(/[^/]*$/, ""));
}
