// Label glyphs for the map, made by the browser from its own fonts: no font files are served, and
// every script that the machine can show, the map can label.

/** The protocol of the style's `glyphs` address. */
export const GLYPHS_URL = "glyphs://{fontstack}/{range}";

export function serveGlyphs(maplibregl) {
  const worker = new Worker(new URL("glyphs.worker.js", import.meta.url), { type: "module" });
  const waiting = new Map();
  let nextID = 0;
  worker.onmessage = ({ data: { id, bytes } }) => {
    waiting.get(id)?.(bytes);
    waiting.delete(id);
  };
  maplibregl.addProtocol("glyphs", ({ url }) => new Promise((resolve) => {
    const [stack, range] = decodeURIComponent(url.slice("glyphs://".length)).split("/");
    const id = nextID;
    nextID += 1;
    waiting.set(id, (data) => resolve({ data }));
    worker.postMessage({ id, stack, first: Number.parseInt(range, 10) });
  }));
}
