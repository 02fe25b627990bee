// The close-up of the next complex junction: when it is shown, and what it is made of. Knows no DOM.
//
// The ground is seen from above and behind, with the direction of travel upwards. Metres on the ground are {x: to the right,
// y: ahead} of the maneuver; pictures are made of polygons in pixels.

import { bearingDeg } from "./geometry.js";

/** Shown from so many metres before the maneuver on. */
export const SHOWN_M = 400;
/** Metres of the ground before the maneuver, after it along the route, and to each side. */
const BEFORE_M = 48;
const AFTER_M = 150;
const SIDE_M = 170;
/** The branch counts as reaching at least so far ahead, so that a ramp at a right angle is not seen from straight above. */
const LEAST_AHEAD_M = 12;
/** Heights of the horizon, of the branch's end and of the nearest ground, as shares of the picture's. */
const HORIZON = 0.07;
const END = 0.24;
const NEAREST = 1.04;
const LANE_M = 3.5;
const ROUTE_M = 3.6;
const EARTH_M = 6371008.8;
const RAD = Math.PI / 180;

const MOTOR_MODES = new Set(["car", "truck", "bus", "taxi", "scooter"]);
const FAST = new Set(["motorway", "trunk"]);

/** Whether a maneuver is at a junction whose lanes and branches are worth a close-up: exits, forks, and ramps of fast roads. */
export function isComplex(route, maneuver) {
  if (!maneuver || !MOTOR_MODES.has(route?.request?.mode ?? "car")) return false;
  switch (maneuver.action) {
    case "exit": case "fork": return true;
    case "ramp": return FAST.has(maneuver.onto_road?.road_class) || FAST.has(maneuver.from_road?.road_class);
    default: return false;
  }
}

/** Whether the next maneuver has a close-up and is near enough for it, by the panel of a scene. */
export function isNear(route, panel) {
  const metres = panel?.maneuver_remaining_m ?? Infinity;
  return metres <= SHOWN_M && isComplex(route, route?.maneuvers?.[panel?.maneuver_index]);
}

/** Turns places [lon, lat] into metres on the ground ahead of `origin`, seen in the direction `bearing`. */
export function groundAt(origin, bearing) {
  const [cos, sin] = [Math.cos(bearing * RAD), Math.sin(bearing * RAD)];
  const scale = EARTH_M * RAD;
  return ([lon, lat]) => {
    const [east, north] = [(lon - origin[0]) * scale * Math.cos(origin[1] * RAD), (lat - origin[1]) * scale];
    return { x: east * cos - north * sin, y: east * sin + north * cos };
  };
}

/** The camera over the ground for a branch that ends at `aheadM` and lies between `left` and `right` metres there. */
export function viewOf(width, height, aheadM, farthest) {
  const ahead = Math.max(aheadM, LEAST_AHEAD_M);
  // y pixels fall with the distance: HORIZON + strength / (metres ahead + back).
  const ratio = (NEAREST - HORIZON) / (END - HORIZON);
  const back = (ahead + ratio * BEFORE_M) / (ratio - 1);
  const strength = (END - HORIZON) * (ahead + back);
  // Five lanes fill most of the nearest ground, and the branch stays in the picture.
  const wide = 0.8 * width * (back - BEFORE_M) / (5 * LANE_M);
  const scale = farthest.reduce((least, { x, y }) => Math.min(least, 0.42 * width * (y + back) / Math.max(Math.abs(x) + ROUTE_M, 1)), wide);
  return {
    horizon: HORIZON * height,
    project: ({ x, y }) => ({ x: width / 2 + scale * x / (y + back), y: (HORIZON + strength / (y + back)) * height }),
  };
}

/** The part of a line on the ground whose points lie between `low` and `high` metres ahead: a list of lines. */
export function clipAhead(points, low, high) {
  const parts = [];
  let part = [];
  const close = () => {
    if (part.length > 1) parts.push(part);
    part = [];
  };
  const at = (a, b, y) => ({ x: a.x + (b.x - a.x) * (y - a.y) / (b.y - a.y), y });
  points.forEach((point, index) => {
    const before = points[index - 1];
    if (before) {
      // Crossings in the order in which the line is followed.
      const crossings = [low, high].filter((y) => (before.y - y) * (point.y - y) < 0).map((y) => at(before, point, y));
      if (crossings.length === 2 && before.y > point.y) crossings.reverse();
      for (const crossing of crossings) {
        part.push(crossing);
        if (part.length > 1) close();
      }
    }
    if (point.y >= low && point.y <= high) part.push(point);
  });
  close();
  return parts;
}

/** The outline of a line with a width on the ground; `shift` metres to its right. */
export function band(points, widthM, shift = () => 0) {
  const [left, right] = [[], []];
  points.forEach((point, index) => {
    const [a, b] = [points[Math.max(index - 1, 0)], points[Math.min(index + 1, points.length - 1)]];
    const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
    // To the right of the direction of travel.
    const normal = { x: (b.y - a.y) / length, y: -(b.x - a.x) / length };
    const middle = shift(point);
    const place = (metres) => ({ x: point.x + normal.x * metres, y: point.y + normal.y * metres });
    left.push(place(middle - widthM / 2));
    right.push(place(middle + widthM / 2));
  });
  return [...left, ...right.reverse()];
}

/** The width of a road by its tags in the map's tiles. */
export function widthOf({ class: roadClass, link, oneway }) {
  if (link) return oneway ? 4.8 : 8;
  const lanes = { motorway: 2.5, trunk: 2.3, primary: 2.1, secondary: 2 }[roadClass] ?? 1.7;
  return lanes * LANE_M * (oneway || !FAST.has(roadClass) ? 1 : 1.6);
}

const isDriven = ({ class: roadClass }) => !["path", "cycleway", "steps", "track", "ferry", "shuttle_train", "pedestrian"].includes(roadClass);

/** Metres ahead of the maneuver where the arrows on the lanes bend. */
const ARROW_Y = -26;
/** Metres between two points of a dense line. */
const STEP_M = 4;
const LEAST_STEPS = 9;
/** The branch ends where it leads to the side by more than this, in degrees from straight ahead. */
const ASIDE_DEG = 62;

/**
 * The picture of a junction of `width` x `height` pixels. `line` is the route's with the maneuver at `offsetM`, `roads` are
 * {tags, places}, lanes those before the maneuver, which is in a tunnel or not. The result has `horizon` in pixels, `roads` ({edge, face, tags}, to be drawn in their order), the `approach` with
 * its lane `marks`, the `route` with its `head`, the `arrows` ({shapes, isLit}) and `end`, where the branch ends.
 */
export function junctionPicture({ line, offsetM: offset, isTunnel = false, lanes = [], roads, width, height }) {
  const ground = groundAt(line.placeAt(offset), bearingDeg(line.placeAt(Math.max(offset - 35, 0)), line.placeAt(Math.max(offset - 5, 1))));
  const driven = route(line, offset, ground);
  const end = driven.after[driven.after.length - 1];
  const view = viewOf(width, height, end.y, driven.after);
  const shape = (points) => points.map(view.project);
  const high = Math.max(end.y, LEAST_AHEAD_M) + 160;
  const near = (points) => clipAhead(points, -BEFORE_M - 4, high);

  const faces = roads.filter(({ tags }) => isDriven(tags) && (!tags.tunnel || isTunnel))
    .sort((a, b) => (a.tags.layer ?? 0) - (b.tags.layer ?? 0))
    .flatMap(({ tags, places }) => near(places.map(ground)).filter((part) => part.some(({ x }) => Math.abs(x) < SIDE_M))
      .map((part) => ({ tags, edge: shape(band(part, widthOf(tags) + 1.4)), face: shape(band(part, widthOf(tags))) })));

  const wide = lanes.length * LANE_M;
  const used = lanes.map((lane, index) => ({ lane, x: (index - (lanes.length - 1) / 2) * LANE_M })).filter(({ lane }) => isLit(lane));
  const lit = used.length > 0 ? used : [{ x: 0 }];
  const middle = lit.reduce((sum, { x }) => sum + x, 0) / lit.length;
  // The route keeps to its lanes until the branches part.
  const shift = ({ y }) => middle * Math.min(Math.max(1 - y / 40, 0), 1);
  const path = [...driven.before, ...driven.after.slice(1)];
  const routeWidth = Math.max(ROUTE_M, lit.length > 1 ? ROUTE_M + 0.6 : 0);
  return {
    horizon: view.horizon, roads: faces, end: view.project(end),
    approach: wide > 0 ? { edge: shape(band(driven.before, wide + 2)), face: shape(band(driven.before, wide + 0.8)) } : null,
    marks: lanes.slice(1).flatMap((_, index) => dashes(driven.before, (index + 1 - lanes.length / 2) * LANE_M).map(shape)),
    route: shape(band(path.slice(0, -1), routeWidth, shift)),
    head: headOf(path.slice(-3).map(view.project), 0.055 * width),
    arrows: lanes.flatMap((lane, index) => laneArrows(lane, (index - (lanes.length - 1) / 2) * LANE_M)
      .map((arrow) => ({ shapes: arrow.shapes.map(shape), isLit: arrow.isLit }))),
  };
}

/** The route on the ground before and after a maneuver; after it to where it leads to the side more than ahead. */
function route(line, offset, ground) {
  const dense = (from, to) => {
    const count = Math.max(Math.ceil((to - from) / STEP_M), 1);
    return Array.from({ length: count + 1 }, (_, index) => ground(line.placeAt(from + (to - from) * index / count)));
  };
  const before = clipAhead(dense(Math.max(offset - BEFORE_M - 60, 0), offset), -BEFORE_M - 4, Infinity).at(-1)
    ?? [{ x: 0, y: -BEFORE_M }, { x: 0, y: 0 }];
  const whole = dense(offset, Math.min(offset + AFTER_M, line.lengthM));
  // A branch that turns off sharply is followed until its direction is seen.
  let last = Math.min(LEAST_STEPS, whole.length - 1);
  while (last + 1 < whole.length) {
    const [a, b] = [whole[last], whole[last + 1]];
    if (Math.abs(Math.atan2(b.x - a.x, b.y - a.y)) > ASIDE_DEG * RAD) break;
    last += 1;
  }
  return { before, after: whole.slice(0, last + 1) };
}

/** The head of an arrow at the end of a path. */
function headOf(path, size) {
  const [tail, tip] = [path[0], path[path.length - 1]];
  const length = Math.hypot(tip.x - tail.x, tip.y - tail.y) || 1;
  const along = { x: (tip.x - tail.x) / length, y: (tip.y - tail.y) / length };
  const at = (forward, side) => ({ x: tip.x + along.x * forward + along.y * side, y: tip.y + along.y * forward - along.x * side });
  return [at(size, 0), at(-size / 3, size * 0.8), at(-size / 3, -size * 0.8)];
}

/** Dashes along a line, `shift` metres to its right. */
function dashes(points, shift) {
  const parts = [];
  for (let index = 1; index < points.length; index += 2) parts.push(band([points[index - 1], points[index]], 0.25, () => shift));
  return parts;
}

function isLit(lane) { return Boolean(lane.recommendation) && lane.recommendation !== "not_recommended"; }

const ANGLES = {
  sharp_left: -120, left: -80, slight_left: -35, through: 0, straight: 0, none: 0, slight_right: 35, right: 80, sharp_right: 120,
  merge_to_left: -30, merge_to_right: 30,
};

/** The arrows painted on a lane, the one to follow on top: outlines of stem and head. */
function laneArrows(lane, x) {
  const words = lane.directions?.length ? lane.directions : ["none"];
  const lit = isLit(lane) ? words.filter((word) => !lane.active || word === lane.active) : [];
  return [...words.filter((word) => !lit.includes(word)), ...lit].map((word) => {
    const angle = (ANGLES[word] ?? 0) * RAD;
    const bend = { x, y: ARROW_Y };
    // Arrows on roads are long, because they are seen from low: what is to the side is short.
    const along = { x: Math.sin(angle) * 0.35, y: Math.cos(angle) };
    const at = (far, side) => ({ x: bend.x + along.x * far + (along.y + 0.3) * side, y: bend.y + 1 + along.y * far - along.x * 3 * side });
    const path = [{ x, y: ARROW_Y - 6 }, bend, at(3, 0)];
    return { shapes: [band(path, 0.5), [at(7, 0), at(2.6, 0.8), at(2.6, -0.8)]], isLit: lit.includes(word) };
  });
}
