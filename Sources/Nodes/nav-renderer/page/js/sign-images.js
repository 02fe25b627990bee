// Signs as pictures of the map: the same drawings that cards show.

const PX = 128;
/** Pixels of the picture for each one of the screen. */
const RATIO = 4;

/** A sign as an address of an image that the browser can draw. */
export function signAddress(svg) {
  return `data:image/svg+xml,${encodeURIComponent(svg.replace("<svg ", `<svg xmlns="http://www.w3.org/2000/svg" width="${PX}" height="${PX}" `))}`;
}

export class SignImages {
  constructor(map) {
    this.map = map;
    /** By name, the promise of each picture. */
    this.pictures = new Map();
  }

  /** Resolves when the map has a picture of this name, which `svg` draws. */
  add(name, svg) {
    if (!this.pictures.has(name)) this.pictures.set(name, this.load(name, svg));
    return this.pictures.get(name);
  }

  async load(name, svg) {
    const image = new Image(PX, PX);
    image.src = signAddress(svg);
    await image.decode();
    if (!this.map.hasImage(name)) this.map.addImage(name, image, { pixelRatio: RATIO });
  }
}
