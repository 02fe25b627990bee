// Shields as the renderer draws them: in the page's cards as SVG, on the map as images.

import { escaped } from "./format.js";
import { descriptionOf, faultOf, shapeOf, shieldAddress, shieldsOfImage } from "./shields-model.js";

/** Pixels of a shield's height on the map, and between two of one road. */
const MAP_PX = 21;
const GAP_PX = 3;
/** Pixels of a shield's height in a card, which the page scales, and units of a sign's height in its drawing. */
const CARD_PX = 64;
const SIGN_UNITS = 108;
/** Pictures that are kept. */
const MOST = 400;

/** SVG texts by address, or the reason why there is none: {svg} or {reason}. */
const known = new Map();
const loading = new Map();

async function load(address) {
  const answer = await fetch(address);
  const text = await answer.text();
  return answer.ok ? { svg: text } : { reason: text.trim() };
}

/** The picture of an address: {svg} or {reason}; a failure of the link is tried again at the next use. */
function picture(address) {
  if (known.has(address)) return Promise.resolve(known.get(address));
  if (!loading.has(address)) {
    loading.set(address, load(address).then((loaded) => keep(address, loaded)).finally(() => loading.delete(address)));
  }
  return loading.get(address);
}

function keep(address, loaded) {
  if (known.size >= MOST) known.delete(known.keys().next().value);
  known.set(address, loaded);
  return loaded;
}

const isNight = () => document.documentElement.dataset.theme === "night";

/** The HTML of shields in a card; one that has not come yet, or has no picture, is its number in plain type. */
export function shieldsHTML(shields) {
  return shields.map((shield) => {
    const address = addressInCard(shield);
    if (!known.has(address)) picture(address).then(() => replace(shield), () => {});
    return html(shield);
  }).join("");
}

function addressInCard(shield) {
  const address = shieldAddress(shield, { scheme: "panel", isNight: isNight(), heightPx: CARD_PX });
  const reason = faultOf(shield);
  if (reason && !known.has(address)) keep(address, { reason });
  return address;
}

function html(shield) {
  const loaded = known.get(addressInCard(shield));
  const id = `data-shield="${escaped(JSON.stringify(shield))}"`;
  if (!loaded?.svg) {
    return `<span class="shield plain" ${id}${loaded ? ` data-reason="${escaped(loaded.reason)}"` : ""}>${escaped(shield.number)}</span>`;
  }
  const { height } = shapeOf(loaded.svg);
  const name = escaped(descriptionOf(loaded.svg));
  // A plate with the direction adds to the height, so that the signs themselves have one size.
  return `<span class="shield" ${id} role="img" aria-label="${name}" style="--tall:${(height / SIGN_UNITS).toFixed(2)}">${
    loaded.svg.replace("<svg ", '<svg aria-hidden="true" ').replace(/ role="img"/, "")}</span>`;
}

/** Draws a shield again wherever it stands. */
function replace(shield) {
  const wanted = JSON.stringify(shield);
  for (const element of document.querySelectorAll(".shield")) if (element.dataset.shield === wanted) element.outerHTML = html(shield);
}

/** The shields in the cards, in the colours of the page's theme. */
export class CardShields {
  repaint() {
    for (const element of document.querySelectorAll("[data-shield]")) element.outerHTML = shieldsHTML([JSON.parse(element.dataset.shield)]);
  }
}

/** The images of the style's `shield` layer, which are drawn when the map asks for them. */
export class MapShields {
  constructor(map) {
    this.map = map;
    /** Names of the images, the oldest first. */
    this.names = new Set();
    map.on("styleimagemissing", ({ id }) => this.add(id));
  }

  async add(name) {
    const shields = shieldsOfImage(name);
    if (!shields || this.map.hasImage(name)) return;
    // The map counts it as there, so it asks once; the road has no shield until the picture has come.
    const ratio = Math.max(2, Math.ceil(window.devicePixelRatio));
    this.map.addImage(name, { width: 1, height: 1, data: new Uint8Array(4) }, { pixelRatio: ratio });
    this.names.add(name);
    if (this.names.size > MOST) {
      const oldest = this.names.values().next().value;
      this.names.delete(oldest);
      if (this.map.hasImage(oldest)) this.map.removeImage(oldest);
    }
    await this.put(name, shields, ratio);
  }

  async put(name, shields, ratio) {
    try {
      const image = await drawn(shields, ratio);
      if (!image || !this.map.hasImage(name)) return;
      this.map.removeImage(name);
      this.map.addImage(name, image, { pixelRatio: ratio });
    } catch {
      // The link is down: the map asks again for an image that it has not.
      this.names.delete(name);
      if (this.map.hasImage(name)) this.map.removeImage(name);
    }
  }

  /** Draws all images again, in the colours of the page's theme. */
  repaint() {
    const ratio = Math.max(2, Math.ceil(window.devicePixelRatio));
    for (const name of this.names) this.put(name, shieldsOfImage(name), ratio);
  }
}

/** The shields of a road side by side, as pixels; null if none of them has a picture. */
async function drawn(shields, ratio) {
  const addresses = shields.filter((shield) => !faultOf(shield)).map((shield) => shieldAddress(shield, { scheme: "map", isNight: isNight(), heightPx: MAP_PX }));
  const svgs = (await Promise.all(addresses.map(picture))).map(({ svg }) => svg).filter(Boolean);
  if (svgs.length === 0) return null;
  const height = Math.round(MAP_PX * ratio);
  const images = await Promise.all(svgs.map((svg) => decoded(svg, Math.round(height * shapeOf(svg).aspect), height)));
  const gap = GAP_PX * ratio;
  const width = images.reduce((sum, image) => sum + image.width + gap, -gap);
  const context = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  Object.assign(context.canvas, { width, height });
  let x = 0;
  for (const image of images) {
    context.drawImage(image, x, 0, image.width, height);
    x += image.width + gap;
  }
  return context.getImageData(0, 0, width, height);
}

async function decoded(svg, width, height) {
  const image = new Image(width, height);
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  return image;
}
