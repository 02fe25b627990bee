// The sign at a maneuver, as it stands at the road: its colour, exit number, shields and destinations.

import { shieldsOf, signShields } from "../shields-model.js";
import { signColour, signRoad } from "../sign-colours.js";

/**
 * {exit, shields, places, colour} of a sign without the texts in `said`, which stand next to it; null for no sign, and for one
 * that has nothing else to say.
 */
export function signOf(sign, maneuver, said = new Set()) {
  if (!sign) return null;
  const road = maneuver.next_road ?? maneuver.onto_road;
  const board = signRoad(maneuver);
  // The country is that of the road where the sign stands if the road beyond has none.
  const beyond = road?.country ? road : { ...road, country: board?.country, state_code: board?.state_code };
  // The sign at the entrance of a motorway has its number, whatever a bare number is elsewhere.
  const level = maneuver.action === "ramp" && road?.road_class === "motorway" ? 1 : undefined;
  const shields = signShields(sign.road_numbers, beyond, level).filter(({ number }) => !said.has(number));
  const numbers = new Set([...said, ...shields.map(({ number }) => number)]);
  const places = (sign.destinations ?? []).filter((one) => !numbers.has(one));
  if (!sign.exit_number && shields.length === 0 && places.length === 0) return null;
  return { exit: sign.exit_number ?? "", shields, places, colour: signColour(board?.country, board?.road_class) };
}

/** What the line of a maneuver's road says already. */
export function saidOf(maneuver) {
  const road = maneuver.next_road ?? maneuver.onto_road;
  return new Set([...shieldsOf(road).map(({ number }) => number), road?.name ?? ""]);
}
