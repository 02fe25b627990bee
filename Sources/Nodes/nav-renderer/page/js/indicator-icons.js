// The location indicator of each mode, seen from above; up is ahead.

const svg = (content) => `<svg viewBox="0 0 64 64" stroke-linejoin="round" stroke-linecap="round">${content}</svg>`;
/** A shape of the vehicle: white outline, the side away from the light darker. */
const body = (path) => `<path class="edge" d="${path}"/><path class="body" d="${path}"/>`;
const shade = (path) => `<path class="shade" d="${path}"/>`;
const glass = (path) => `<path class="glass" d="${path}"/>`;
/** The tip that shows the direction, before a shape that does not. */
const tip = (y) => `<path class="edge" d="M32 ${y}L40 ${y + 11}H24Z"/><path class="body" d="M32 ${y}L40 ${y + 11}H24Z"/>`;

const ARROW = body("M32 5L56 57L32 45L8 57Z") + shade("M32 5L56 57L32 45Z");
const DOT = `${tip(2)}<circle class="edge" cx="32" cy="36" r="17"/><circle class="body" cx="32" cy="36" r="17"/>`;

const LOOKS = {
  tracking: DOT,
  car: ARROW,
  grey: ARROW,
  truck: tip(1) + body("M23 12H41Q43 12 43 15V23H21V15Q21 12 23 12Z") + glass("M24 16H40V20H24Z")
    + body("M19 25H45Q46 25 46 26V59Q46 61 44 61H20Q18 61 18 59V26Q18 25 19 25Z") + shade("M32 25H45Q46 25 46 26V59Q46 61 44 61H32Z"),
  bus: tip(1) + body("M24 12H40Q44 12 44 17V56Q44 61 39 61H25Q20 61 20 56V17Q20 12 24 12Z") + shade("M32 12H40Q44 12 44 17V56Q44 61 39 61H32Z")
    + glass("M24 16H40V21H24ZM23.5 26H26.5V54H23.5ZM37.5 26H40.5V54H37.5Z"),
  scooter: tip(1) + body("M16 18Q32 13 48 18V23Q40 20 36 21V30Q41 34 41 42Q41 50 36 54V59Q32 63 28 59V54Q23 50 23 42Q23 34 28 30V21Q24 20 16 23Z")
    + shade("M32 16Q42 16 48 18V23Q40 20 36 21V30Q41 34 41 42Q41 50 36 54V59Q34 61 32 61Z") + '<circle class="glass" cx="32" cy="41" r="6"/>',
  bicycle: tip(1) + body("M18 24Q32 18 46 24V28Q38 25 34.5 26V34Q40 37 40 43Q40 48 35 50V60Q32 63 29 60V50Q24 48 24 43Q24 37 29.5 34V26Q26 25 18 28Z")
    + `<path class="spoke" d="M32 14V24M32 52V60"/><circle class="glass" cx="32" cy="42" r="4.5"/>`,
  pedestrian: tip(3) + body("M32 20Q46 20 50 32Q52 40 46 43Q40 38 32 38Q24 38 18 43Q12 40 14 32Q18 20 32 20Z") + `<circle class="edge" cx="32" cy="35" r="9"/><circle class="body" cx="32" cy="35" r="9"/>`,
};

/** Styles that have a look. */
export const INDICATOR_STYLES = Object.keys(LOOKS);

/** The picture of a style; one that is not known here is drawn as a car. */
export function indicatorIcon(style) { return svg(LOOKS[style] ?? LOOKS.car); }
