import { readDestination, readTitle } from "./destinations.ts";

/** The URLs of link definitions `[label]: address`, by label. */
export type Definitions = Map<string, string>;

/** Normalises a label for comparison: case and repeated whitespace are ignored. */
export function labelOf(text: string): string {
  return text.trim().replaceAll(/\s+/g, " ").toLowerCase().toUpperCase();
}

/**
 * Removes the link definitions at the beginning of a paragraph's lines and adds them to `definitions`. If a label is
 * defined twice, the first definition is used.
 */
export function withoutDefinitions(lines: string[], definitions: Definitions): string[] {
  if (!lines[0]?.startsWith("[")) return lines;
  const text = lines.join("\n");
  let at = 0;
  for (;;) {
    const found = readDefinition(text, at);
    if (!found) break;
    if (!definitions.has(found.label)) definitions.set(found.label, found.url);
    at = found.end;
  }
  if (at === 0) return lines;
  return at >= text.length ? [] : text.slice(at).split("\n");
}

function readDefinition(text: string, begin: number) {
  start.lastIndex = begin;
  const found = start.exec(text);
  const label = labelOf(found?.[1] ?? "");
  if (!found || label === "" || found[1]?.startsWith("^")) return undefined;
  const destination = readDestination(text, start.lastIndex);
  if (!destination || destination.end === start.lastIndex) return undefined;
  const { url, end } = destination;
  const title = readTitle(text, end);
  const whole = title === undefined ? undefined : endOfLine(text, title);
  const last = whole ?? endOfLine(text, end);
  return last === undefined ? undefined : { label, url, end: last };
}

const start = /\[((?:[^[\]\\]|\\[\s\S]){1,999})\]:[ \t]*\n?[ \t]*/y;

/** Returns the start of the next line, or undefined if the rest of the current line is not blank. */
function endOfLine(text: string, at: number): number | undefined {
  blanks.lastIndex = at;
  return blanks.test(text) ? blanks.lastIndex : undefined;
}

const blanks = /[ \t]*(?:\n|$)/y;
