// The part of the screen that no card covers, and where the vehicle stands in it. Knows no DOM but the rectangles.

/** Half of the indicator's picture and some air around it, in pixels. */
const VEHICLE_PX = 38;

/**
 * Where the vehicle is drawn on a screen of `width` x `height` pixels whose cards cover `cards`, rectangles of
 * {left, top, right, bottom}. The anchor, 0 to 1 from the left and from the top, counts within what a card at the left
 * or at the top leaves free; then the place moves up or down until no card touches the vehicle.
 */
export function vehiclePlace(width, height, anchor, cards) {
  const isUpright = height > width;
  const margins = { left: 0, right: width, top: 0, bottom: height };
  for (const card of cards) {
    if (card.right <= card.left || card.bottom <= card.top) continue;
    const spansWidth = card.right - card.left > width * 0.6;
    if (isUpright || spansWidth) {
      if (spansWidth && card.bottom < height * 0.6) margins.top = Math.max(margins.top, card.bottom);
    } else if (card.left < width * 0.1 && card.top < height * 0.3 && card.right < width * 0.6) {
      margins.left = Math.max(margins.left, card.right);
    }
  }
  const x = margins.left + anchor.x * (margins.right - margins.left);
  let y = margins.top + anchor.y * (margins.bottom - margins.top);
  // Cards in the vehicle's own column bound it from below and from above.
  let [highest, lowest] = [VEHICLE_PX, height - VEHICLE_PX];
  for (const card of cards) {
    if (card.right < x - VEHICLE_PX || card.left > x + VEHICLE_PX) continue;
    if ((card.top + card.bottom) / 2 > (margins.top + height) / 2) lowest = Math.min(lowest, card.top - VEHICLE_PX);
    else highest = Math.max(highest, card.bottom + VEHICLE_PX);
  }
  y = Math.min(Math.max(y, highest), Math.max(lowest, highest));
  return { x, y };
}

/** The largest margins of cards at each side, for a map that is to show something whole. */
export function freeMargins(width, height, cards, airPx = 40) {
  const margins = { top: airPx, bottom: airPx, left: airPx, right: airPx };
  for (const card of cards) {
    if (card.right <= card.left || card.bottom <= card.top) continue;
    // Each card is left out at the side where that costs least of the screen.
    const costs = [
      ["top", card.bottom / height], ["bottom", (height - card.top) / height],
      ["left", card.right / width], ["right", (width - card.left) / width],
    ];
    const [side] = costs.reduce((least, cost) => (cost[1] < least[1] ? cost : least));
    const needed = { top: card.bottom, bottom: height - card.top, left: card.right, right: width - card.left }[side];
    margins[side] = Math.max(margins[side], needed + airPx / 2);
  }
  // Where cards cover nearly all, the middle is shown all the same.
  const fit = (a, b, size) => {
    const sum = margins[a] + margins[b];
    if (sum > size * 0.8) for (const side of [a, b]) margins[side] *= size * 0.8 / sum;
  };
  fit("top", "bottom", height);
  fit("left", "right", width);
  return margins;
}
