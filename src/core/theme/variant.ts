import type { Theme } from "../interpreter/schemas/theme.ts";

/**
 * A theme on dark screens: fields that its dark variant leaves out are the theme's own. Undefined if it has no dark
 * variant.
 */
export function darkVariant({ dark, ...light }: Theme): Theme | undefined {
  return dark && merged(light, dark);
}

/** Both are parts of themes, and so is the result. */
function merged<Part extends object>(under: Part, over: Partial<Part>): Part {
  const both: Part = { ...under, ...over };
  for (const name of Object.keys(over)) {
    const [below, above]: unknown[] = [Reflect.get(under, name), Reflect.get(over, name)];
    if (isPart(below) && isPart(above)) Reflect.set(both, name, merged(below, above));
  }
  return both;
}

// A private copy: sharing this file's helpers would enlarge the page's script.
function isPart(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
