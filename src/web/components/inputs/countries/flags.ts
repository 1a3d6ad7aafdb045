import * as flags from "country-flag-icons/string/3x2";

const drawings: ReadonlyMap<string, string> = new Map(Object.entries(flags));

/**
 * Returns the data URL of a country's flag, if there is one. This file contains all flags and is loaded when a list of
 * countries is opened.
 */
export function flagOf(code: string): string | undefined {
  const drawing = drawings.get(code);
  return drawing && `data:image/svg+xml,${encodeURIComponent(drawing)}`;
}
