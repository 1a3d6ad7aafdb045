import { isObject, type Path } from "../forms/values.ts";

/** The code that takes a value out of an answer: `data.items[0]["first name"]`. */
export function codeOf(path: Path): string {
  return path.reduce<string>(
    (code, step) =>
      typeof step === "string" && /^[A-Za-z_$][\w$]*$/.test(step)
        ? `${code}.${step}`
        : `${code}[${JSON.stringify(step)}]`,
    "data",
  );
}

/** A line of a shown answer: the members of an object or a list follow it. */
export type AnswerLine = {
  readonly path: Path;
  readonly name: string;
  /** The value in few words. */
  readonly text: string;
  /** Whether the value's own lines follow. */
  readonly isOpen: boolean;
};

/** An answer as lines, the values in their order; undefined: it is too long to be shown. */
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
