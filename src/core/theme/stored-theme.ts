import { isJsonObject } from "../interpreter/flow.ts";
import type { Theme } from "../interpreter/schemas/theme.ts";

/**
 * A theme as it is stored. The service validated the theme when it was written, so its types are trusted; null counts
 * as absent.
 */
export function readTheme(stored: unknown): Theme {
  const theme = withoutNulls(stored);
  return isTheme(theme) ? theme : {};
}

function isTheme(value: unknown): value is Theme {
  return isJsonObject(value);
}

/** Stored documents nest to a bounded depth, so recursion is safe. */
export function withoutNulls(value: unknown): unknown {
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).filter(([, inner]) => inner !== null);
  return Object.fromEntries(entries.map(([key, inner]) => [key, withoutNulls(inner)]));
}
