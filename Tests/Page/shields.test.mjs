import assert from "node:assert/strict";
import { test } from "node:test";
import { numberedRoads } from "../../Sources/Nodes/nav-renderer/page/js/preview-model.js";
import { descriptionOf, faultOf, shapeOf, shieldAddress, shieldsOf, shieldsOfImage, signShields } from "../../Sources/Nodes/nav-renderer/page/js/shields-model.js";
import { saidOf, signOf } from "../../Sources/Nodes/nav-renderer/page/js/view/sign-view.js";
import { signColour, signRoad } from "../../Sources/Nodes/nav-renderer/page/js/sign-colours.js";

const WIRE = {
  number: "E 45;A 7", country: "DE", state_code: "DE-BY",
  numbers: [
    { text: "E 45", level: 1, network: "e-road", shield_text: "E45" },
    { text: "A 7", level: 1, network: "DE:A", shield_text: "7", direction: "north" },
  ],
};

test("each number of a road is a shield of its own, RN-4", () => {
  assert.deepEqual(shieldsOf(WIRE), [
    { number: "E 45", shield_text: "E45", level: "1", network: "e-road", country: "DE", state: "DE-BY" },
    { number: "A 7", shield_text: "7", level: "1", direction: "north", network: "DE:A", country: "DE", state: "DE-BY" },
  ]);
  assert.deepEqual(shieldsOf({ number: "B 3; B 3 ;K 9", country: "DE" }).map(({ number }) => number), ["B 3", "K 9"]);
  for (const none of [undefined, null, {}, { number: "" }, { number: " ; " }, { numbers: [] }]) assert.deepEqual(shieldsOf(none), []);
});

test("a sign's numbers have the network of the road beyond it where they are its, RN-4", () => {
  assert.deepEqual(signShields(["A 7", "B 19;B 8"], WIRE).map(({ number, network, country }) => [number, network, country]),
    [["A 7", "DE:A", "DE"], ["B 19", undefined, "DE"], ["B 8", undefined, "DE"]]);
  assert.equal(signShields(["1"], { country: "CH" }, 1)[0].level, "1");
  assert.deepEqual(signShields(["M 1"], undefined), [{ number: "M 1" }]);
});

test("equal shields have one address, and all that changes the picture is in it, RN-4", () => {
  const look = { scheme: "panel", isNight: false, heightPx: 64 };
  const [first, second] = shieldsOf(WIRE);
  assert.equal(shieldAddress(first, look), shieldAddress({ ...Object.fromEntries(Object.entries(first).reverse()) }, look));
  const addresses = [
    shieldAddress(first, look), shieldAddress(second, look), shieldAddress(first, { ...look, isNight: true }),
    shieldAddress(first, { ...look, scheme: "map" }), shieldAddress({ ...first, country: "SE" }, look),
    shieldAddress({ ...first, direction: "north" }, look), shieldAddress({ ...first, state: "DE-HE" }, look),
  ];
  assert.equal(new Set(addresses).size, addresses.length);
  assert.match(shieldAddress({ number: "A 5" }, look), /number=A%205&/);
  assert.match(shieldAddress({ number: "国道1&x=2", country: "JP" }, look), /number=%E5%9B%BD%E9%81%931%26x%3D2/);
});

test("a number without a country has no picture, and a reason, RN-4", () => {
  assert.equal(faultOf({ number: "A 5", country: "DE" }), null);
  assert.equal(faultOf({ number: "A 5" }), "no_country");
  assert.equal(faultOf({ number: "A 5", country: "Germany" }), "no_country");
  assert.equal(faultOf({ number: "9".repeat(25), country: "DE" }), "too_long");
});

test("the map's name of an image holds its shields, RN-4", () => {
  assert.deepEqual(shieldsOfImage("shield\nE 45;A 7\nDE\n\ne-road;DE:A\n1;1"), [
    { number: "E 45", country: "DE", network: "e-road", level: "1" }, { number: "A 7", country: "DE", network: "DE:A", level: "1" },
  ]);
  assert.deepEqual(shieldsOfImage("shield\nCA 1\nUS\nUS-CA\n\n3"), [{ number: "CA 1", country: "US", state: "US-CA", level: "3" }]);
  assert.equal(shieldsOfImage("shield\n1;2;3;4;5\nCH\n\n\n1;1;1;1;1").length, 3);
  for (const other of ["arrow-head", "shield", "name|Shield", "shield\nB 3\nDE"]) assert.equal(shieldsOfImage(other), null);
});

test("description and shape are read from the picture, RN-4", () => {
  const svg = '<svg xmlns="x" width="90" height="40" viewBox="0 0 225.5 100"><title>A &amp; B &lt;1&gt;</title></svg>';
  assert.equal(descriptionOf(svg), "A & B <1>");
  assert.deepEqual(shapeOf(svg), { aspect: 2.255, height: 100 });
  assert.equal(descriptionOf("<svg></svg>"), "");
});

test("direction signs have the colours of their country and road, P10", () => {
  const rows = [
    ["DE", "motorway", "blue"], ["DE", "primary", "yellow"], ["DE", "residential", "white"], ["CH", "motorway", "green"],
    ["CH", "trunk", "blue"], ["GB", "motorway", "blue"], ["GB", "trunk", "green"], ["GB", "tertiary", "white"], ["IT", "motorway", "green"],
    ["IT", "primary", "blue"], ["FR", "motorway", "blue"], ["FR", "primary", "green"], ["US", "motorway", "green"], ["US", "secondary", "green"],
    ["JP", "motorway", "green"], ["JP", "primary", "blue"], ["ES", "primary", "white"], ["NO", "secondary", "yellow"], ["XX", "motorway", "blue"],
    [undefined, undefined, "blue"],
  ];
  for (const [country, roadClass, colour] of rows) assert.equal(signColour(country, roadClass), colour, `${country} ${roadClass}`);
});

test("a sign at a motorway has its colour, whether one enters or leaves it, P10", () => {
  const [street, motorway] = [{ road_class: "primary" }, { road_class: "motorway" }];
  assert.equal(signRoad({ from_road: motorway, onto_road: street }), motorway);
  assert.equal(signRoad({ from_road: street, onto_road: motorway }), motorway);
  assert.equal(signRoad({ from_road: motorway, next_road: street, onto_road: motorway }), motorway);
  assert.equal(signRoad({ from_road: street, onto_road: { road_class: "residential" } }).road_class, "residential");
});

test("a sign says what the line next to it does not, RN-1, P10", () => {
  const maneuver = {
    action: "exit", from_road: { road_class: "motorway", country: "DE" }, onto_road: { road_class: "primary", country: "DE", number: "B 8", name: "Ring" },
  };
  const sign = { exit_number: "13", destinations: ["Ring", "Würzburg", "B 19"], road_numbers: ["B 8", "B 19"] };
  assert.deepEqual(signOf(sign, maneuver), {
    exit: "13", shields: [{ number: "B 8", country: "DE" }, { number: "B 19", country: "DE" }], places: ["Ring", "Würzburg"], colour: "blue",
  });
  const rest = signOf(sign, maneuver, saidOf(maneuver));
  assert.deepEqual([rest.shields.map(({ number }) => number), rest.places], [["B 19"], ["Würzburg"]]);
  assert.equal(signOf({ road_numbers: ["B 8"], destinations: ["Ring"] }, maneuver, saidOf(maneuver)), null);
  assert.equal(signOf(undefined, maneuver), null);
  // A bare number at the entrance of a motorway is that of the motorway.
  const entrance = { action: "ramp", from_road: { road_class: "secondary", country: "CH" }, onto_road: { road_class: "motorway", link: true, country: "CH" } };
  assert.deepEqual(signOf({ road_numbers: ["1"] }, entrance).shields, [{ number: "1", level: "1", country: "CH" }]);
});

test("a route is described by the numbered roads that make it up, in their order, P10", () => {
  const route = {
    length_m: 1000, roads: [{ number: "B 3" }, { number: "" }, { number: "A 5" }, { number: "K 1" }],
    spans: { road: [0, 1, 2, 3, 2, 0], length_m: [100, 100, 300, 50, 300, 150] },
  };
  assert.deepEqual(numberedRoads(route).map(({ number }) => number), ["B 3", "A 5"]);
  assert.deepEqual(numberedRoads({}), []);
});
