// Labels in scripts whose letters must be ordered or joined (Arabic, Hebrew, Devanagari and its relatives, Tibetan, Khmer …):
// MapLibre places one glyph after the other from the left, so the browser draws each such name as a picture.

/** By the first part of a picture's name: pixels of the letters, weight, and the palette's colour of the ink. */
const KINDS = {
  name: { px: 14, weight: 400, ink: "label" },
  poi: { px: 12, weight: 400, ink: "label" },
  place: { px: 16, weight: 700, ink: "place" },
};
const RATIO = 2;
const HALO_PX = 2;
/** Pictures that are kept; one that is needed again is drawn again. */
const MOST = 400;

/** Parts of the name of a picture: kind and text; null for the name of another picture. */
export function labelOf(name) {
  const cut = name.indexOf("|");
  const kind = name.slice(0, cut);
  return cut > 0 && Object.hasOwn(KINDS, kind) && cut + 1 < name.length ? { kind, text: name.slice(cut + 1) } : null;
}

/** The names to be removed so that `name` can be added to those in `names`, the oldest first. */
export function outdated(names, most = MOST) { return names.slice(0, Math.max(0, names.length + 1 - most)); }

export class DrawnLabels {
  constructor(map, palette) {
    this.map = map;
    this.palette = palette;
    /** Names of the pictures, the oldest first. */
    this.names = [];
    map.on("styleimagemissing", ({ id }) => this.add(id));
  }

  add(name) {
    const label = labelOf(name);
    if (!label || this.map.hasImage(name)) return;
    for (const old of outdated(this.names)) {
      this.names.shift();
      if (this.map.hasImage(old)) this.map.removeImage(old);
    }
    this.names.push(name);
    this.map.addImage(name, this.draw(label), { pixelRatio: RATIO });
  }

  /** Draws all labels in the colours of another palette. */
  repaint(palette) {
    this.palette = palette;
    for (const name of this.names) {
      if (this.map.hasImage(name)) this.map.updateImage(name, this.draw(labelOf(name)));
    }
  }

  draw({ kind, text }) {
    const { px, weight, ink } = KINDS[kind];
    const font = `${weight} ${px * RATIO}px system-ui, sans-serif`;
    const edge = (HALO_PX + 1) * RATIO;
    const context = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    context.font = font;
    const size = context.measureText(text);
    const width = Math.ceil(size.width) + 2 * edge;
    const rise = Math.ceil(size.actualBoundingBoxAscent);
    const height = rise + Math.ceil(size.actualBoundingBoxDescent) + 2 * edge;
    context.canvas.width = width;
    context.canvas.height = height;
    // The size of a canvas resets its state.
    Object.assign(context, { font, textAlign: "center", lineJoin: "round", lineWidth: 2 * HALO_PX * RATIO });
    context.strokeStyle = this.palette.halo;
    context.strokeText(text, width / 2, rise + edge);
    context.fillStyle = this.palette[ink];
    context.fillText(text, width / 2, rise + edge);
    return context.getImageData(0, 0, width, height);
  }
}
