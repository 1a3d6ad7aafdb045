/**
 * Translates a sentence. In a pattern, `{1}` matches a name, which is also translated if it is known. An unknown
 * sentence is returned unchanged.
 */
export function sentenceIn(patterns: Readonly<Record<string, string>>, english: string): string {
  const whole = Object.hasOwn(patterns, english) ? patterns[english] : undefined;
  if (whole !== undefined) return whole;
  for (const { expression, said } of compiled(patterns)) {
    const found = expression.exec(english);
    if (found)
      return said.replaceAll(/\{(\d)\}/g, (_, index: string) => sentenceIn(patterns, found[Number(index)] ?? ""));
  }
  return english;
}

type Pattern = { readonly expression: RegExp; readonly said: string };

const known = new WeakMap<object, readonly Pattern[]>();

/** Compiles the patterns once. Long patterns come first, because a sentence may also match a shorter one. */
function compiled(patterns: Readonly<Record<string, string>>): readonly Pattern[] {
  const found = known.get(patterns) ?? Object.entries(patterns).flatMap(patternOf).sort(longestFirst);
  known.set(patterns, found);
  return found;
}

function patternOf([english, said]: readonly [string, string]): readonly Pattern[] {
  if (!english.includes("{1}")) return [];
  const parts = english.split(/\{\d\}/).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return [{ expression: new RegExp(`^${parts.join("([\\s\\S]*?)")}$`), said }];
}

function longestFirst(one: Pattern, other: Pattern): number {
  return other.expression.source.length - one.expression.source.length;
}
