// Draws the 256 glyphs of a range and packs their signed distance fields as the glyph protocol
// buffers that MapLibre reads (glyphs.proto: stacks 1; name 1, range 2, glyphs 3; id 1, bitmap 2,
// width 3, height 4, left 5, top 6, advance 7). 24 pixels an em, 3 pixels of border.

import { distanceField } from "./distance-field.js";

const SIZE = 24;
const BORDER = 3;
const RADIUS = 8;
const CUTOFF = 0.25;
const SPAN = SIZE * 2 + BORDER * 2;
/** MapLibre counts a glyph's top from here down. */
const TOP_LINE = 27;

const canvas = new OffscreenCanvas(SPAN, SPAN);
const context = canvas.getContext("2d", { willReadFrequently: true });
const cache = new Map();

onmessage = ({ data: { id, stack, first } }) => {
  const key = `${stack}/${first}`;
  if (!cache.has(key)) cache.set(key, packStack(stack, first));
  postMessage({ id, bytes: cache.get(key).slice().buffer });
};

function packStack(stack, first) {
  const weight = /bold/i.test(stack) ? 700 : 500;
  context.font = `${weight} ${SIZE}px system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif`;
  context.textBaseline = "alphabetic";
  context.fillStyle = "#000";
  const out = [];
  text(out, 1, stack);
  text(out, 2, `${first}-${first + 255}`);
  for (let code = Math.max(first, 32); code < first + 256; code += 1) {
    if ((code >= 0x7f && code < 0xa0) || (code >= 0xd800 && code < 0xe000)) continue;
    bytes(out, 3, packGlyph(code));
  }
  const whole = [];
  bytes(whole, 1, out);
  return Uint8Array.from(whole);
}

function packGlyph(code) {
  const character = String.fromCharCode(code);
  const box = context.measureText(character);
  const left = Math.floor(-box.actualBoundingBoxLeft);
  const top = Math.ceil(box.actualBoundingBoxAscent);
  const width = Math.min(Math.max(0, Math.ceil(box.actualBoundingBoxRight) - left), SPAN - 2 * BORDER);
  const height = Math.min(
    Math.max(0, top + Math.ceil(box.actualBoundingBoxDescent)), SPAN - 2 * BORDER);
  const out = [];
  number(out, 1, code);
  if (width > 0 && height > 0) {
    const [w, h] = [width + 2 * BORDER, height + 2 * BORDER];
    context.clearRect(0, 0, w, h);
    context.fillText(character, BORDER - left, BORDER + top);
    const pixels = context.getImageData(0, 0, w, h).data;
    bytes(out, 2, distanceField(pixels, w, h, RADIUS, CUTOFF));
  }
  number(out, 3, width);
  number(out, 4, height);
  number(out, 5, zigzag(left));
  number(out, 6, zigzag(top - TOP_LINE));
  number(out, 7, Math.round(box.width));
  return out;
}

function zigzag(value) { return value < 0 ? -2 * value - 1 : 2 * value; }

function varint(out, value) {
  let rest = value;
  while (rest > 127) {
    out.push((rest & 127) | 128);
    rest >>>= 7;
  }
  out.push(rest);
}

function number(out, field, value) {
  varint(out, field << 3);
  varint(out, value);
}

function bytes(out, field, content) {
  varint(out, (field << 3) | 2);
  varint(out, content.length);
  for (const byte of content) out.push(byte);
}

function text(out, field, value) { bytes(out, field, new TextEncoder().encode(value)); }
