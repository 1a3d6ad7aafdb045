import { isJsonObject } from "../interpreter/flow.ts";
import type { Theme } from "../interpreter/schemas/theme.ts";

/**
 * Returns a theme from its stored form. The theme was validated when it was stored, so its types are trusted. Null is
 * treated as absent.
 */
export function readTheme(stored: unknown): Theme {
  const theme = withoutNulls(stored);
  return isTheme(theme) ? theme : {};
}

function isTheme(value: unknown): value is Theme {
  return isJsonObject(value);
}

/**
 * Removes nulls from nested objects, but not from lists. Recursion is safe because stored documents have a limited
 * depth.
 */
export function withoutNulls(value: unknown): unknown {
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).filter(([, inner]) => inner !== null);
  return Object.fromEntries(entries.map(([key, inner]) => [key, withoutNulls(inner)]));
}
