import { parseJsonOr } from "./json.ts";
import { readValues, singleReference, type TemplateContext, type ValuePart } from "./template.ts";
import { toText, type Value } from "./values.ts";

/**
 * The format of an author's body. A single reference is `value`, and valid JSON is `json`. For any other body, the
 * content type decides.
 */
export type BodyKind = "json" | "form" | "xml" | "csv" | "plain" | "value";

/**
 * Returns the format of a body. The author's text takes precedence over the content type: valid JSON is sent as JSON
 * even with another content type, because some servers require `text/plain`.
 */
export function kindOfBody(body: string, contentType: string): BodyKind {
  if (singleReference(body) !== undefined) return "value";
  if (isJson(readSkeleton(body))) return "json";
  const type = contentType.toLowerCase();
  if (isFormType(type)) return "form";
  if (/[/+]xml\b/.test(type)) return "xml";
  if (/[/+]csv\b/.test(type)) return "csv";
  return namesJson(type) && beginsAsJson(body) ? "json" : "plain";
}

export function isFormType(contentType: string): boolean {
  return /x-www-form-urlencoded/i.test(contentType);
}

/**
 * Whether a content type is JSON or JSON Lines. Values in such a body are escaped for JSON even if the whole body is
 * not a single JSON value.
 */
export function namesJson(contentType: string): boolean {
  return /json\b/i.test(contentType);
}

/** Whether a body is a JSON object, list or string after each reference is replaced with `0`. */
export function isWrittenAsJson(body: string): boolean {
  return isJson(readSkeleton(body));
}

/** Returns the body with its variables replaced. */
export function writeBody(body: string, kind: BodyKind, context: TemplateContext): string {
  const parts = readValues(body, context);
  const write = writers[kind];
  let isInString = false;
  return parts
    .map((part, index) => {
      if (part.kind === "literal") {
        isInString = endsInString(part.text, isInString);
        return part.text;
      }
      // Values of inline code and secrets are inserted unchanged because they come from the author.
      const text =
        part.kind === "own"
          ? part.text
          : write(part.value, { isInString, before: parts[index - 1], after: parts[index + 1] });
      context.spend?.(text.length);
      return text;
    })
    .join("");
}

type Around = {
  readonly isInString: boolean;
  readonly before: ValuePart | undefined;
  readonly after: ValuePart | undefined;
};

const writers: Readonly<Record<BodyKind, (value: Value, around: Around) => string>> = {
  json: (value, { isInString }) =>
    typeof value === "string" || isInString ? JSON.stringify(toText(value)).slice(1, -1) : toText(value),
  form: (value) => encodeURIComponent(toText(value).toWellFormed()),
  xml: (value) => toText(value).replace(/[&<>"']/g, (character) => entities[character] ?? character),
  csv: (value, around) => cellOf(toText(value), around),
  plain: toText,
  value: toText,
};

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

/**
 * Quotes a value if it fills a whole CSV cell and requires quotes. Inside a longer cell, quoting is left to the author.
 */
function cellOf(text: string, { before, after }: Around): string {
  const isAlone = isBoundary(before, /[,;\r\n]$/) && isBoundary(after, /^[,;\r\n]/);
  return isAlone && /[",;\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function isBoundary(part: ValuePart | undefined, pattern: RegExp): boolean {
  return part === undefined || (part.kind === "literal" && pattern.test(part.text));
}

function endsInString(text: string, isInString: boolean): boolean {
  let isIn = isInString;
  for (let at = 0; at < text.length; at++) {
    if (isIn && text[at] === "\\") at++;
    else if (text[at] === '"') isIn = !isIn;
  }
  return isIn;
}

/** Returns the body with `0` in place of each reference. Adjacent references become a single `0`. */
function readSkeleton(body: string): string {
  return readValues(body, withoutValues)
    .map((part, index, parts) => {
      if (part.kind === "literal") return part.text;
      return (parts[index - 1]?.kind ?? "literal") === "literal" ? "0" : "";
    })
    .join("");
}

const withoutValues: TemplateContext = {
  variables: {
    get: () => null,
    byName: () => null,
    idOf: () => undefined,
    codeName: (id) => id,
    inLiterals: () => new Set(),
    all: () => [],
  },
  evaluate: () => "",
};

function isJson(text: string): boolean {
  return beginsAsJson(text) && parseJsonOr(text, undefined) !== undefined;
}

function beginsAsJson(text: string): boolean {
  return /^\s*(?:["[]|\{(?!\{))/.test(text);
}
