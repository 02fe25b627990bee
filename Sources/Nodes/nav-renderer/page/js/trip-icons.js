// Pictures of the trip: buttons of the stops, travel modes, categories, and the controls of a simulated drive.

const svg = (content) =>
  `<svg viewBox="0 0 26 26" fill="none" stroke="currentColor" stroke-width="2.2" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${content}</svg>`;
const dot = (x, y, r = 1.4) => `<circle cx="${x}" cy="${y}" r="${r}" fill="currentColor" stroke="none"/>`;
const wheel = (x, y = 19, r = 2.6) => `<circle cx="${x}" cy="${y}" r="${r}"/>`;

export const TRIP_ICONS = {
  stops: svg(`<circle cx="6.5" cy="6" r="2.6"/><circle cx="6.5" cy="20" r="2.6" fill="currentColor"/><path d="M6.5 10V16M13 6H22M13 20H22"/>`),
  up: svg('<path d="M6 16L13 9L20 16"/>'),
  down: svg('<path d="M6 10L13 17L20 10"/>'),
  remove: svg('<path d="M7 7L19 19M19 7L7 19"/>'),
  handle: svg([7, 13, 19].map((y) => dot(10, y) + dot(16, y)).join("")),
  pause: svg('<path d="M9 6V20M17 6V20" stroke-width="4"/>'),
  play: svg('<path d="M8 5L21 13L8 21Z" fill="currentColor"/>'),
};

export const MODE_ICONS = {
  car: svg(`<path d="M3.5 19V14L6 8.5Q6.6 7 8.2 7H17.8Q19.4 7 20 8.5L22.5 14V19ZM4 13.5H22"/>${dot(7.5, 16.4)}${dot(18.5, 16.4)}<path d="M6 19V21M20 19V21"/>`),
  truck: svg(`<path d="M2.5 18V6.5H15V18M15 10H19.5L23.5 14V18H2.5"/>${wheel(7.5)}${wheel(18.5)}`),
  bus: svg(`<rect x="5" y="4" width="16" height="16" rx="2.5"/><path d="M5 13H21M8 20V22M18 20V22"/>${dot(9, 16.5)}${dot(17, 16.5)}`),
  taxi: svg(`<path d="M3.5 20V15L6 10Q6.6 8.5 8.2 8.5H17.8Q19.4 8.5 20 10L22.5 15V20ZM4 14.5H22M10.5 8.5V5H15.5V8.5"/>${dot(7.5, 17.4)}${dot(18.5, 17.4)}`),
  scooter: svg(`${wheel(6)}${wheel(20)}<path d="M8.6 19H14Q15 13 19 12L17 5H14.5M19 12L19.7 16.3M5 14H11.5"/>`),
  bicycle: svg(`${wheel(6, 17.5, 4)}${wheel(20, 17.5, 4)}<path d="M6 17.5L10 10H17L13 17.5H6M9 7.5H11.5M10 10L13 17.5M17 10L20 17.5M17 10L16 6.5H19"/>`),
  pedestrian: svg(`${dot(13.5, 4.5, 2.2)}<path d="M13 9L11.5 15L15 18.5L15.5 23.5M11.5 15L10 19L7 23M13 9L8.5 11.5V15M13.5 9L15.5 12.5L19 13.5"/>`),
};
