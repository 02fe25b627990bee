// The map's look: the style that the renderer serves, by day and by night.

import { besidePage } from "./page-address.js";
import { POI_ICONS, drawPOI } from "./poi-icons.js";

/**
 * The style of a theme in a set of colours and those of a travel mode and of a vehicle (null for none), ready for the map,
 * with its palette in `metadata`.
 */
export async function loadStyle(theme, mode, vehicle, colours = "standard") {
  const query = new URLSearchParams({ theme, colours, ...(mode && { mode }), ...(vehicle && { vehicle }) });
  const answer = await fetch(`style.json?${query}`, { cache: "no-store" });
  if (!answer.ok) throw new Error(`the map's style did not come: ${answer.status}`);
  const style = await answer.json();
  for (const source of Object.values(style.sources)) {
    source.tiles = source.tiles?.map((address) => besidePage(address, window.location.href));
  }
  return style;
}

/** Gives a map that has a style the colours of another theme's. */
export function recolour(map, style) {
  for (const layer of style.layers) {
    for (const [name, value] of Object.entries(layer.paint ?? {})) {
      map.setPaintProperty(layer.id, name, value, { validate: false });
    }
  }
  addImages(map, style.metadata.palette);
}

/** Adds the pictures that the style's symbols use, in the palette's colours. */
export function addImages(map, palette) {
  put(map, "shield", shield(palette), {
    pixelRatio: 2, content: [8, 6, 40, 30], stretchX: [[16, 32]], stretchY: [[14, 22]],
  });
  put(map, "oneway", arrow(palette.label), { pixelRatio: 2 });
  put(map, "arrow-head", arrowHead(palette), { pixelRatio: 2 });
  put(map, "destination", pin(palette.ahead, palette["ahead-edge"]), { pixelRatio: 2 });
  put(map, "stop", dot(palette), { pixelRatio: 2 });
  for (const category of Object.keys(POI_ICONS)) {
    put(map, `poi-${category}`, drawn(40, 40, (c) => drawPOI(c, 40, category)), { pixelRatio: 2 });
  }
}

function put(map, name, image, options) {
  if (map.hasImage(name)) map.removeImage(name);
  map.addImage(name, image, options);
}

function drawn(width, height, draw) {
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext("2d");
  draw(context);
  return context.getImageData(0, 0, width, height);
}

function shield(palette) {
  return drawn(48, 36, (c) => {
    c.beginPath();
    c.roundRect(2, 2, 44, 32, 9);
    c.fillStyle = palette.shield;
    c.fill();
    c.lineWidth = 2.5;
    c.strokeStyle = palette["shield-edge"];
    c.stroke();
  });
}

function arrow(colour) {
  return drawn(48, 24, (c) => {
    c.strokeStyle = colour;
    c.lineWidth = 3;
    c.lineCap = "round";
    c.lineJoin = "round";
    c.stroke(new Path2D("M6 12H40M32 5L41 12L32 19"));
  });
}

function arrowHead(palette) {
  return drawn(64, 64, (c) => {
    const path = new Path2D("M32 6L58 52L32 42L6 52Z");
    c.lineJoin = "round";
    c.lineWidth = 8;
    c.strokeStyle = palette["arrow-edge"];
    c.stroke(path);
    c.fillStyle = palette.arrow;
    c.fill(path);
  });
}

function pin(fill, edge) {
  return drawn(64, 84, (c) => {
    c.fillStyle = fill;
    c.strokeStyle = edge;
    c.lineWidth = 4;
    const path = new Path2D("M32 80C32 80 60 50 60 31A28 28 0 1 0 4 31C4 50 32 80 32 80Z");
    c.fill(path);
    c.stroke(path);
    c.fillStyle = "#fff";
    c.beginPath();
    c.arc(32, 31, 11, 0, 7);
    c.fill();
  });
}

function dot(palette) {
  return drawn(36, 36, (c) => {
    c.beginPath();
    c.arc(18, 18, 13, 0, 7);
    c.fillStyle = "#fff";
    c.fill();
    c.lineWidth = 6;
    c.strokeStyle = palette["ahead-edge"];
    c.stroke();
  });
}
