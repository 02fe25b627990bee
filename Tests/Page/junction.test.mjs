import assert from "node:assert/strict";
import { test } from "node:test";
import { Line, moved } from "../../Sources/Nodes/nav-renderer/page/js/geometry.js";
import { clipAhead, groundAt, isComplex, isNear, junctionPicture } from "../../Sources/Nodes/nav-renderer/page/js/junction-model.js";
import { junctionView } from "../../Sources/Nodes/nav-renderer/page/js/view/junction-view.js";
import { maneuverText } from "../../Sources/Nodes/nav-renderer/page/js/turn-words.js";
import { linesOf, placeInTile, tilesAround } from "../../Sources/Nodes/nav-renderer/page/js/vector-tile.js";

const START = [8.6, 49.4];
const MOTORWAY = { road_class: "motorway" };
const [WIDTH, HEIGHT] = [400, 300];

/** A route that goes 500 m in a direction, and then `after` metres in steps that turn by `turn` degrees each 10 m. */
function routeLine(bearing, turn, steps, stepDeg = 0) {
  const places = [START, moved(START, bearing, 500)];
  let direction = bearing + turn;
  for (let step = 0; step < steps; step += 1, direction += stepDeg) places.push(moved(places.at(-1), direction, 10));
  return new Line(places);
}

const exit = { action: "exit", side: "right", offset_m: 500, from_road: MOTORWAY, onto_road: { ...MOTORWAY, link: true } };
const lane = (recommendation, ...directions) => ({ directions, recommendation, active: directions.at(-1) });
const LANES = [lane("not_recommended", "through"), lane("not_recommended", "through"), lane("recommended", "slight_right")];

test("exits, forks and ramps of fast roads have a close-up, for motor vehicles, P9", () => {
  const route = { request: { mode: "car" } };
  for (const maneuver of [exit, { action: "fork" }, { action: "ramp", onto_road: MOTORWAY }, { action: "ramp", from_road: { road_class: "trunk" } }]) {
    assert.equal(isComplex(route, maneuver), true, maneuver.action);
  }
  for (const maneuver of [{ action: "turn" }, { action: "roundabout" }, { action: "arrive" }, { action: "ramp", onto_road: { road_class: "primary" } }, null]) {
    assert.equal(isComplex(route, maneuver), false, maneuver?.action);
  }
  assert.equal(isComplex({ request: { mode: "bicycle" } }, exit), false);
  assert.equal(isComplex({}, exit), true);
});

test("it is shown from 400 m before, and gone past the maneuver, P9", () => {
  const route = { maneuvers: [{ action: "depart" }, exit, { action: "arrive" }] };
  const at = (index, metres) => isNear(route, { maneuver_index: index, maneuver_remaining_m: metres });
  assert.deepEqual([at(1, 401), at(1, 400), at(1, 0), at(2, 300)], [false, true, true, false]);
  for (const panel of [{}, null, { maneuver_index: 1 }, { maneuver_remaining_m: 10 }]) assert.equal(isNear(route, panel), false);
  assert.equal(isNear(null, { maneuver_index: 1, maneuver_remaining_m: 10 }), false);
});

test("the view has the junction of the route that is followed, and none off it, P9", () => {
  const route = { id: "r-1", shape: "", maneuvers: [{ action: "depart" }, { ...exit, text: "Take exit 13.", lanes: LANES, signpost: { exit_number: "13" } }] };
  const frame = { route_id: "r-1", panel: { maneuver_index: 1, maneuver_remaining_m: 200 } };
  const view = (changes) => junctionView({ journey: { route, frame, ...changes }, away: { offRoad: null, offRoute: null, ...changes } });
  assert.deepEqual(view({}), {
    key: "r-1 1", shape: "", lanes: LANES, text: maneuverText({ ...exit, signpost: { exit_number: "13" } }), offsetM: 500, isTunnel: false,
    sign: { exit: "13", shields: [], places: [], colour: "blue" },
  });
  assert.equal(view({ offRoute: { metres: 20, bearing: 0 } }), null);
  assert.equal(view({ offRoad: { metres: 20, bearing: 0 } }), null);
  assert.equal(view({ route: null }), null);
  assert.equal(view({ frame: { ...frame, route_id: "r-2" } }), null);
  assert.equal(view({ frame: { route_id: "r-1" } }), null);
});

test("the route's branch ends in the upper third and inside, however it bends, P9", () => {
  const inside = ({ x, y }) => x > 0 && x < WIDTH && y < HEIGHT;
  for (const bearing of [0, 77, 180, 311]) {
    for (const [turn, steps, bend] of [[0, 30, 0], [8, 30, 0], [-12, 30, 1], [25, 40, 3], [-40, 30, -2], [60, 60, 6], [90, 30, 0], [15, 3, 0]]) {
      const line = routeLine(bearing, turn, steps, bend);
      const picture = junctionPicture({ line, offsetM: 500, lanes: LANES, roads: [], width: WIDTH, height: HEIGHT });
      const name = `${bearing} ${turn} ${bend}`;
      assert.ok(inside(picture.end), `${name}: ends at ${JSON.stringify(picture.end)}`);
      assert.ok(picture.end.y <= HEIGHT / 3, `${name}: ${picture.end.y}`);
      assert.ok(picture.end.y > picture.horizon, name);
      for (const point of [...picture.route, ...picture.head]) {
        assert.ok(Number.isFinite(point.x) && Number.isFinite(point.y) && point.y > picture.horizon, name);
      }
      // A branch to the right ends to the right of where the route comes from.
      if (Math.abs(turn) > 5 && bend >= 0 === turn >= 0) assert.equal(Math.sign(picture.end.x - WIDTH / 2), Math.sign(turn), name);
    }
  }
});

test("the route keeps to the lanes that lead to its branch, whose arrows alone are lit, P8, P9", () => {
  const line = routeLine(20, 6, 30);
  const picture = (lanes) => junctionPicture({ line, offsetM: 500, lanes, roads: [], width: WIDTH, height: HEIGHT });
  const nearest = ({ route }) => {
    const low = Math.max(...route.map(({ y }) => y));
    const points = route.filter(({ y }) => low - y < 12);
    return points.reduce((sum, { x }) => sum + x, 0) / points.length;
  };
  const right = picture(LANES);
  const left = picture([lane("recommended", "slight_left"), lane("not_recommended", "through"), lane("not_recommended", "through")]);
  assert.ok(nearest(right) > WIDTH / 2 + 20 && nearest(left) < WIDTH / 2 - 20, `${nearest(left)} ${nearest(right)}`);
  assert.deepEqual(right.arrows.map(({ isLit }) => isLit), [false, false, true]);
  // One arrow of a lane with two is lit.
  const both = picture([{ directions: ["through", "slight_right"], recommendation: "recommended", active: "slight_right" }]);
  assert.deepEqual(both.arrows.map(({ isLit }) => isLit), [false, true]);
  assert.equal(picture([]).approach, null);
  assert.equal(right.marks.length > 4, true);
});

test("roads of the map are cut where the ground ends, ways for feet and tunnels left out, P9", () => {
  const line = routeLine(0, 5, 30);
  const places = [moved(START, 180, 3000), moved(START, 0, 4000)];
  const road = (tags) => ({ tags: { class: "motorway", ...tags }, places });
  const { roads, horizon } = junctionPicture({
    line, offsetM: 500, roads: [road({ oneway: 1 }), road({ class: "path" }), road({ tunnel: 1 }), road({ class: "residential", layer: -1 })],
    width: WIDTH, height: HEIGHT,
  });
  assert.deepEqual(roads.map(({ tags }) => tags.class), ["residential", "motorway"]);
  for (const { face } of roads) for (const { x, y } of face) assert.ok(Number.isFinite(x) && y > horizon && y < 2 * HEIGHT);
});

test("a line is cut at both ends of the ground, P9", () => {
  const points = (...ys) => ys.map((y, x) => ({ x, y }));
  const ys = (...line) => clipAhead(points(...line), -10, 100).map((part) => part.map(({ y }) => y));
  assert.deepEqual(ys(-50, 200), [[-10, 100]]);
  assert.deepEqual(ys(200, -50), [[100, -10]]);
  assert.deepEqual(ys(0, 50, 150, 90, 20), [[0, 50, 100], [100, 90, 20]]);
  assert.deepEqual(ys(-30, -20), []);
  assert.deepEqual(ys(110, 120, 300), []);
  const ground = groundAt(START, 90)(moved(START, 90, 100));
  assert.ok(Math.abs(ground.y - 100) < 0.5 && Math.abs(ground.x) < 0.5);
});

// Vector tiles.

const varint = (value) => (value < 128 ? [value] : [value % 128 + 128, ...varint(Math.floor(value / 128))]);
const part = (field, bytes) => [...varint(field * 8 + 2), ...varint(bytes.length), ...bytes];
const text = (field, value) => part(field, [...new TextEncoder().encode(value)]);
const zigzag = (value) => varint(value < 0 ? -2 * value - 1 : 2 * value);

/** A tile with one line and one point in a layer. */
function tile() {
  const moveTo = [9, ...zigzag(10), ...zigzag(-5)];
  const lineTo = [18, ...zigzag(300), ...zigzag(7), ...zigzag(-1), ...zigzag(0)];
  const line = [...part(2, [0, 0, 1, 1, 2, 2]), 0x18, 2, ...part(4, [...moveTo, ...lineTo])];
  const point = [...part(2, []), 0x18, 1, ...part(4, moveTo)];
  const layer = [
    0x78, 2, ...text(1, "roads"), ...part(2, line), ...part(2, point), ...text(3, "class"), ...text(3, "layer"), ...text(3, "oneway"),
    ...part(4, text(1, "motorway")), ...part(4, [0x30, 1]), ...part(4, [0x20, 1]), 0x28, ...varint(4096),
  ];
  return new Uint8Array([...part(3, [...text(1, "water"), 0x78, 2]), ...part(3, layer)]);
}

test("lines of a tile are read with their tags, P9", () => {
  assert.deepEqual(linesOf(tile(), "roads"), {
    name: "roads", extent: 4096,
    features: [{ tags: { class: "motorway", layer: -1, oneway: 1 }, lines: [[[10, -5], [310, 2], [309, 2]]] }],
  });
  assert.deepEqual(linesOf(tile(), "places").features, []);
  assert.deepEqual(linesOf(new Uint8Array(0), "roads").features, []);
  for (let length = 25; length < tile().length; length += 1) {
    try { linesOf(tile().subarray(0, length), "roads"); } catch (failure) { assert.match(failure.message, /tile/); }
  }
});

test("the tiles around a place hold it, P9", () => {
  const tiles = tilesAround(START, 300, 15);
  assert.ok(tiles.length >= 1 && tiles.length <= 4);
  const [west, north] = placeInTile(tiles[0], 4096, [0, 0]);
  const [east, south] = placeInTile(tiles.at(-1), 4096, [4096, 4096]);
  assert.ok(west < START[0] && START[0] < east && south < START[1] && START[1] < north);
});
