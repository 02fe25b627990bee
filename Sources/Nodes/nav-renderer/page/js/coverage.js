// Whether the screen shows anything of the map that the stack has. Knows no DOM.

/**
 * Whether `view` lies beyond `bounds`, both [west, south, east, north] in degrees; false where the bounds are unknown.
 * A view may be turned over the antimeridian: its longitudes are then beyond 180.
 */
export function isBeyond(bounds, view) {
  if (!bounds) return false;
  const [west, south, east, north] = bounds;
  if (view[1] > north || view[3] < south) return true;
  return ![-360, 0, 360].some((turn) => view[0] + turn <= east && view[2] + turn >= west);
}
