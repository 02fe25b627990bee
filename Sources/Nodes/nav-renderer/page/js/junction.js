// The close-up of the next complex junction, drawn on a canvas from the map's own tiles.

import { byID, setHTML } from "./dom.js";
import { Line, decodePolyline6 } from "./geometry.js";
import { junctionPicture } from "./junction-model.js";
import { signHTML } from "./signpost.js";
import { linesOf, placeInTile, tilesAround } from "./vector-tile.js";

/** The zoom of the tiles that have every road unsimplified. */
const ZOOM = 15;
const AROUND_M = 220;
/** The sky and the asphalt are the same on each map; other colours come from the palette. */
const LOOKS = {
  day: { sky: ["#9cc3ea", "#dfeaf4"], road: "#8d949b", edge: "#f4f5f6", approach: "#767e86", mark: "#f4f6f8", dim: "rgba(255, 255, 255, .5)" },
  night: { sky: ["#0c1622", "#1d2b3b"], road: "#4a545e", edge: "#8a949e", approach: "#3c464f", mark: "#c9d1d9", dim: "rgba(255, 255, 255, .38)" },
};

export class Junction {
  /** `tileAddress({z, x, y})` is the address of a tile of the map. */
  constructor(palette, tileAddress) {
    this.palette = palette;
    this.tileAddress = tileAddress;
    this.card = byID("junction");
    this.canvas = byID("junction-picture");
    /** The part of the view that is drawn, and the line and the roads around it; null until they are there. */
    this.shown = null;
    this.ground = null;
    new ResizeObserver(() => this.paint()).observe(this.canvas);
  }

  repaint(palette) {
    this.palette = palette;
    this.paint();
  }

  /** Draws `view.junction`; null hides it. */
  draw(junction) {
    if (junction === this.shown) return;
    const isOther = junction?.key !== this.shown?.key;
    this.shown = junction;
    if (isOther) {
      this.ground = null;
      this.card.hidden = true;
      if (junction) this.open(junction);
    } else if (this.ground) this.update();
  }

  async open({ key, shape, offsetM }) {
    try {
      const line = new Line(decodePolyline6(shape));
      const roads = await this.roads(line.placeAt(offsetM));
      if (this.shown?.key !== key) return;
      this.ground = { line, roads };
    } catch {
      // Without the map around it there is no picture; the panel says what is to be done.
      return;
    }
    this.card.hidden = false;
    this.update();
  }

  /** The roads {tags, places} around a place. */
  async roads(place) {
    const tiles = await Promise.all(tilesAround(place, AROUND_M, ZOOM).map(async (tile) => {
      const answer = await fetch(this.tileAddress(tile));
      if (!answer.ok) throw new Error(`no tile: ${answer.status}`);
      const { extent, features } = linesOf(new Uint8Array(await answer.arrayBuffer()), "roads");
      return features.flatMap(({ tags, lines }) =>
        lines.map((line) => ({ tags, places: line.map((point) => placeInTile(tile, extent, point)) })));
    }));
    return tiles.flat();
  }

  /** Writes the sign over the picture, and names and paints the picture. */
  update() {
    const { sign, text } = this.shown;
    byID("junction-sign").hidden = sign === null;
    byID("junction-sign").dataset.sign = sign?.colour ?? "";
    setHTML("junction-sign", sign ? signHTML(sign) : "");
    this.canvas.setAttribute("aria-label", text);
    this.paint();
  }

  paint() {
    const { clientWidth, clientHeight } = this.canvas;
    if (!this.shown || !this.ground || clientWidth === 0 || clientHeight === 0) return;
    const ratio = Math.max(window.devicePixelRatio, 1);
    const [width, height] = [Math.round(clientWidth * ratio), Math.round(clientHeight * ratio)];
    Object.assign(this.canvas, { width, height });
    this.picture = junctionPicture({ ...this.shown, ...this.ground, width, height });
    /** Where the branch ends, as shares of the picture. */
    this.end = { x: this.picture.end.x / width, y: this.picture.end.y / height };
    draw(this.canvas.getContext("2d"), this.picture, width, height, this.palette,
      LOOKS[document.documentElement.dataset.theme === "night" ? "night" : "day"]);
  }
}

function draw(context, picture, width, height, palette, look) {
  const fill = (points, colour) => {
    context.beginPath();
    points.forEach(({ x, y }, index) => (index === 0 ? context.moveTo(x, y) : context.lineTo(x, y)));
    context.closePath();
    context.fillStyle = colour;
    context.fill();
  };
  context.fillStyle = palette.land;
  context.fillRect(0, 0, width, height);
  // Roads of one height are one surface: first their edges, then their faces.
  const layers = [...new Set(picture.roads.map(({ tags }) => tags.layer ?? 0))];
  for (const layer of layers) {
    const roads = picture.roads.filter(({ tags }) => (tags.layer ?? 0) === layer);
    for (const { edge } of roads) fill(edge, look.edge);
    for (const { face } of roads) fill(face, look.road);
  }
  if (picture.approach) {
    fill(picture.approach.edge, look.edge);
    fill(picture.approach.face, look.approach);
  }
  for (const mark of picture.marks) fill(mark, look.mark);
  context.lineJoin = "round";
  for (const part of [picture.route, picture.head]) {
    outline(context, part, palette["ahead-edge"], Math.max(height / 90, 2));
  }
  fill(picture.route, palette.ahead);
  fill(picture.head, palette.ahead);
  for (const { shapes, isLit } of picture.arrows) for (const part of shapes) fill(part, isLit ? "#fff" : look.dim);
  // The far ground fades into the sky.
  const haze = context.createLinearGradient(0, picture.horizon, 0, picture.horizon + height * 0.12);
  haze.addColorStop(0, look.sky[1]);
  haze.addColorStop(1, `${look.sky[1]}00`);
  context.fillStyle = haze;
  context.fillRect(0, picture.horizon, width, height * 0.12);
  const sky = context.createLinearGradient(0, 0, 0, picture.horizon);
  sky.addColorStop(0, look.sky[0]);
  sky.addColorStop(1, look.sky[1]);
  context.fillStyle = sky;
  context.fillRect(0, 0, width, picture.horizon);
}

function outline(context, points, colour, width) {
  context.beginPath();
  points.forEach(({ x, y }, index) => (index === 0 ? context.moveTo(x, y) : context.lineTo(x, y)));
  context.closePath();
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.stroke();
}
