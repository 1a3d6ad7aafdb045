import type { Theme } from "../interpreter/schemas/theme.ts";

/** A theme as it is on dark screens: what its dark variant leaves open is as in the theme. Undefined where it has none. */
export function darkVariant({ dark, ...light }: Theme): Theme | undefined {
  return dark && merged(light, dark);
}

/** Both are parts of themes, and so is what comes of them. */
function merged<Part extends object>(under: Part, over: Partial<Part>): Part {
  const both: Part = { ...under, ...over };
  for (const name of Object.keys(over)) {
    const [below, above]: unknown[] = [Reflect.get(under, name), Reflect.get(over, name)];
    if (isPart(below) && isPart(above)) Reflect.set(both, name, merged(below, above));
  }
  return both;
}

// One of its own: parts that this file shared with the page's script would make that larger.
function isPart(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
