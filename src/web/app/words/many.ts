import { plural } from "./language.ts";

/** A count with its noun: the first form for one, otherwise the second, in which `#` is the number. */
export function many(count: number, one: string, other: string): string {
  return plural(count, { one, other: other.replace("#", String(count)) });
}
