// Values that cannot change, and that stay the same objects where they are equal.

/** Freezes a value of JSON and everything in it. */
export function frozen(value) {
  if (value === null || typeof value !== "object" || Object.isFrozen(value)) return value;
  for (const entry of Object.values(value)) frozen(entry);
  return Object.freeze(value);
}

/**
 * `next`, in which each part that equals that of `before` is that of `before`: whoever draws a part compares it with `===`.
 * Both are values of JSON; parts that are the same object are not looked into.
 */
export function shared(before, next) {
  if (Object.is(before, next)) return before;
  if (before === null || next === null || typeof before !== "object" || typeof next !== "object") return next;
  if (Array.isArray(before) !== Array.isArray(next)) return next;
  const keys = Object.keys(next);
  const parts = keys.map((key) => shared(before[key], next[key]));
  const isEqual = keys.length === Object.keys(before).length
    && keys.every((key, index) => Object.hasOwn(before, key) && Object.is(parts[index], before[key]));
  if (isEqual) return before;
  return Array.isArray(next) ? parts : Object.fromEntries(keys.map((key, index) => [key, parts[index]]));
}
