import { isJsonObject } from "../interpreter/flow.ts";

/** Whether two values are equal as JSON, ignoring the order of keys. */
export function isSame(a: unknown, b: unknown): boolean {
  return matches(a, b, { isWhole: true });
}

/**
 * Whether `actual` contains everything in `expected`. Objects may have additional members, but lists may not have
 * additional elements.
 */
export function contains(actual: unknown, expected: unknown): boolean {
  return matches(actual, expected, { isWhole: false });
}

function matches(actual: unknown, expected: unknown, how: { isWhole: boolean }): boolean {
  if (Array.isArray(actual) && Array.isArray(expected)) {
    return actual.length === expected.length && actual.every((item, index) => matches(item, expected[index], how));
  }
  if (isJsonObject(actual) && isJsonObject(expected)) {
    const names = how.isWhole ? [...Object.keys(actual), ...Object.keys(expected)] : Object.keys(expected);
    return names.every((name) => matches(actual[name], expected[name], how));
  }
  return Object.is(actual, expected) || (actual === 0 && expected === 0);
}
