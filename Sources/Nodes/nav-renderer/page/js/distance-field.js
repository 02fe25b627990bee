// Signed distance fields of small pictures.

const FAR = 1e20;

/**
 * One byte for each pixel of an RGBA picture: `255 * (1 - cutoff)` at the glyph's edge, less outside.
 *
 * Exact Euclidean distances, P. Felzenszwalb and D. Huttenlocher, "Distance Transforms of Sampled
 * Functions", Theory of Computing 8 (2012); half-covered pixels count as edges where they are half covered.
 */
export function distanceField(pixels, width, height, radius, cutoff) {
  const outer = new Float64Array(width * height).fill(FAR);
  const inner = new Float64Array(width * height);
  for (let i = 0; i < width * height; i += 1) {
    const cover = pixels[4 * i + 3] / 255;
    if (cover === 0) continue;
    const d = 0.5 - cover;
    outer[i] = cover === 1 ? 0 : Math.max(0, d) ** 2;
    inner[i] = cover === 1 ? FAR : Math.max(0, -d) ** 2;
  }
  transform(outer, width, height);
  transform(inner, width, height);
  const field = new Uint8Array(width * height);
  for (let i = 0; i < field.length; i += 1) {
    const distance = Math.sqrt(outer[i]) - Math.sqrt(inner[i]);
    const value = 255 - 255 * (distance / radius + cutoff);
    field[i] = Math.min(255, Math.max(0, Math.round(value)));
  }
  return field;
}

function transform(grid, width, height) {
  for (let x = 0; x < width; x += 1) transformLine(grid, x, width, height);
  for (let y = 0; y < height; y += 1) transformLine(grid, y * width, 1, width);
}

/** The lower envelope of parabolas over one row or column. */
function transformLine(grid, offset, stride, length) {
  const values = new Float64Array(length);
  for (let i = 0; i < length; i += 1) values[i] = grid[offset + i * stride];
  const roots = new Int32Array(length);
  const bounds = new Float64Array(length + 1);
  bounds[0] = -FAR;
  bounds[1] = FAR;
  let k = 0;
  for (let q = 1; q < length; q += 1) {
    let s;
    do {
      const r = roots[k];
      s = (values[q] - values[r] + q * q - r * r) / (q - r) / 2;
    } while (s <= bounds[k] && --k > -1);
    k += 1;
    roots[k] = q;
    bounds[k] = s;
    bounds[k + 1] = FAR;
  }
  k = 0;
  for (let q = 0; q < length; q += 1) {
    while (bounds[k + 1] < q) k += 1;
    grid[offset + q * stride] = values[roots[k]] + (q - roots[k]) ** 2;
  }
}
