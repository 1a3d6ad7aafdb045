import { isObject, type Path } from "../forms/values.ts";

/** Returns the expression that reads a value from a response, for example `data.items[0]["first name"]`. */
export function codeOf(path: Path): string {
  return path.reduce<string>(
    (code, step) =>
      typeof step === "string" && /^[A-Za-z_$][\w$]*$/.test(step)
        ? `${code}.${step}`
        : `${code}[${JSON.stringify(step)}]`,
    "data",
  );
}

/** A line of a displayed response. The line of an object or list is followed by the lines of its members. */
export type AnswerLine = {
  readonly path: Path;
  readonly name: string;
  /** A short description of the value. */
  readonly text: string;
  /** Whether the lines of the value's members follow. */
  readonly isOpen: boolean;
};

/**
 * Returns the first `most` lines of a response in the original order. `isCut` is set if the response may have more
 * lines.
 */
export function linesOf(
  data: unknown,
  most: number,
): { readonly lines: readonly AnswerLine[]; readonly isCut: boolean } {
  const lines: AnswerLine[] = [];
  const add = (value: unknown, path: Path): void => {
    if (lines.length >= most) return;
    const entries = entriesIn(value);
    lines.push({ path, name: String(path.at(-1) ?? "data"), text: textFor(value), isOpen: entries.length > 0 });
    for (const [key, inner] of entries) add(inner, [...path, key]);
  };
  add(data, []);
  return { lines, isCut: lines.length >= most };
}

function entriesIn(value: unknown): readonly (readonly [string | number, unknown])[] {
  if (Array.isArray(value)) return value.map((entry: unknown, index) => [index, entry] as const);
  return isObject(value) ? Object.entries(value) : [];
}

function textFor(value: unknown): string {
  if (Array.isArray(value)) return `[${value.length}]`;
  if (isObject(value)) return `{${Object.keys(value).length}}`;
  const text = JSON.stringify(value) ?? "";
  return text.length > mostCharacters ? `${text.slice(0, mostCharacters)}…` : text;
}

const mostCharacters = 120;
