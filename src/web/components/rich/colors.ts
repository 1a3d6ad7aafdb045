import type { Parser } from "@lezer/common";
import type { ColoredCode } from "./code-parts.ts";

/** Returns the colored parts of code if `readColors` has found them before. */
export function knownColors(text: string, language: string): ColoredCode | undefined {
  return known.get(keyOf(text, language));
}

/**
 * Finds the colored parts of code. Returns undefined for a language without a parser, and for code that is too long.
 */
export async function readColors(text: string, language: string): Promise<ColoredCode | undefined> {
  const load = languages.get(language.toLowerCase());
  if (!load || text.length > mostCharacters) return undefined;
  const [parser, { partsOf }] = await Promise.all([load(), import("./code-parts.ts")]);
  const colored = { text, spans: partsOf(text, parser) };
  const [oldest] = known.keys();
  if (known.size >= mostKnown && oldest !== undefined) known.delete(oldest);
  known.set(keyOf(text, language), colored);
  return colored;
}

const mostCharacters = 20_000;

/** A cache, so that a finished answer is drawn with the same colors as the growing answer. */
const known = new Map<string, ColoredCode>();
const mostKnown = 50;

function keyOf(text: string, language: string): string {
  return `${language}\n${text}`;
}

const script = (dialect: string) => async (): Promise<Parser> =>
  (await import("@lezer/javascript")).parser.configure({ dialect });
const json = async (): Promise<Parser> => (await import("@lezer/json")).parser;
const css = async (): Promise<Parser> => (await import("@lezer/css")).parser;
const html = async (): Promise<Parser> => (await import("@lezer/html")).parser;

const languages = new Map<string, () => Promise<Parser>>([
  ...["js", "javascript", "mjs", "cjs", "node"].map((name) => [name, script("jsx")] as const),
  ...["jsx", "react"].map((name) => [name, script("jsx")] as const),
  ...["ts", "typescript", "mts"].map((name) => [name, script("ts")] as const),
  ["tsx", script("jsx ts")],
  ...["json", "jsonc", "json5"].map((name) => [name, json] as const),
  ["css", css],
  ...["html", "xml", "svg", "vue"].map((name) => [name, html] as const),
]);
