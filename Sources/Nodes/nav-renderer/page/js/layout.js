// The part of the screen that no card covers, and where the vehicle stands in it. Knows no DOM but the rectangles.

/** Half of the indicator's picture and a little air around it, in pixels. */
const VEHICLE_PX = 34;

/**
 * Where the vehicle is drawn on a screen of `width` x `height` pixels whose cards cover `cards`, rectangles of
 * {left, top, right, bottom}. It is at the anchor, 0 to 1 from the left and from the top, wherever no card touches it
 * there. Else the anchor counts within what cards at the sides and at the top leave free, and the place moves up or down
 * until no card touches the vehicle.
 */
export function vehiclePlace(width, height, anchor, cards) {
  const shown = cards.filter((card) => card.right > card.left && card.bottom > card.top);
  const wanted = { x: anchor.x * width, y: anchor.y * height };
  let [left, right, top] = [0, width, 0];
  for (const card of shown) {
    const spansWidth = card.right - card.left > width * 0.6;
    if (spansWidth && card.bottom < height * 0.6) top = Math.max(top, card.bottom);
    else if (card.left < width * 0.1 && card.right < width * 0.6 && touches(card, wanted)) left = Math.max(left, card.right);
    // In a language that is written from the right, what lies ahead stands there; buttons are narrower.
    else if (card.right > width * 0.9 && card.left > width * 0.4 && card.right - card.left > width * 0.2 && touches(card, wanted)) {
      right = Math.min(right, card.left);
    }
  }
  const x = left > 0 || right < width ? left + anchor.x * (right - left) : wanted.x;
  // Cards in the vehicle's own column bound it from below and from above.
  let [highest, lowest] = [VEHICLE_PX, height - VEHICLE_PX];
  for (const card of shown) {
    if (card.right < x - VEHICLE_PX || card.left > x + VEHICLE_PX) continue;
    if ((card.top + card.bottom) / 2 > (top + height) / 2) lowest = Math.min(lowest, card.top - VEHICLE_PX);
    else highest = Math.max(highest, card.bottom + VEHICLE_PX);
  }
  return { x, y: Math.min(Math.max(wanted.y, highest), Math.max(lowest, highest)) };
}

function touches(card, place) {
  return card.right + VEHICLE_PX > place.x && card.left - VEHICLE_PX < place.x
    && card.bottom + VEHICLE_PX > place.y && card.top - VEHICLE_PX < place.y;
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
