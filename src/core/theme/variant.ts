import type { Theme } from "../interpreter/schemas/theme.ts";

/**
 * Returns the theme for dark screens, or undefined if there is no dark variant. Fields that are absent in the dark
 * variant fall back to the theme.
 */
export function darkVariant({ dark, ...light }: Theme): Theme | undefined {
  return dark && merged(light, dark);
}

/** Merges two parts of themes. The members of `over` take precedence. */
function merged<Part extends object>(under: Part, over: Partial<Part>): Part {
  const both: Part = { ...under, ...over };
  for (const name of Object.keys(over)) {
    const [below, above]: unknown[] = [Reflect.get(under, name), Reflect.get(over, name)];
    if (isPart(below) && isPart(above)) Reflect.set(both, name, merged(below, above));
  }
  return both;
}

// This function is duplicated because importing it from another file would enlarge the page's script.
function isPart(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
