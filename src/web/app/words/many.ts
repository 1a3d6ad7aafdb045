import { plural } from "./language.ts";

/** A count with its noun: the first where there is one, else the second, in which `#` stands for the number. */
export function many(count: number, one: string, other: string): string {
  return plural(count, { one, other: other.replace("#", String(count)) });
}
