// How colours are seen: contrast, and difference to each kind of eye.

const channels = (hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16) / 255);
const linear = (hex) => channels(hex).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
const luminance = (hex) => linear(hex).reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);

/** Contrast ratio, 1 to 21: Web Content Accessibility Guidelines 2.2, section 1.4.3. */
export function contrast(a, b) {
  const [low, high] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

/** What the three kinds of complete colour blindness see: Machado, Oliveira, Fernandes (2009), DOI 10.1109/TVCG.2009.113. */
export const EYES = {
  all: [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
  protanopia: [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
  deuteranopia: [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
  tritanopia: [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
};

/** CIE L*a*b* of a colour as seen by one kind of eye, white D65. */
function lab(hex, eye) {
  const seen = EYES[eye].map((row) => Math.min(1, Math.max(0, row.reduce((sum, m, i) => sum + m * linear(hex)[i], 0))));
  const xyz = [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
    .map((row, i) => row.reduce((sum, m, j) => sum + m * seen[j], 0) / [0.9505, 1, 1.089][i]);
  const [x, y, z] = xyz.map((t) => (t > 216 / 24389 ? Math.cbrt(t) : (t * 24389 / 27 + 16) / 116));
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

/** Distance of two colours by CIE 1976: 2 is just seen. */
export const difference = (a, b, eye = "all") => Math.hypot(...lab(a, eye).map((value, i) => value - lab(b, eye)[i]));
