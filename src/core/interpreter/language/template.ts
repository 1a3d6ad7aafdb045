import type { Meter } from "../meter.ts";
import { parseJsonOr } from "./json.ts";
import { escaped } from "./literals.ts";
import { secretIn } from "./secret-tokens.ts";
import {
  findVariables,
  inlineCodes,
  mentions,
  type Piece,
  readParts,
  type Template,
  type TemplatePart,
} from "./template-scan.ts";
import { toText, type Value } from "./values.ts";

/** Read access to the variables that a text may mention. */
export type VariableReader = {
  /** Returns the value of a variable, or null if it is empty or unknown. */
  get(id: string): Value;
  /** Returns the value of the first non-empty variable with exactly this name, if any. */
  byName(name: string): Value | undefined;
  /** Returns the id of the first variable with this name, if any. The variable may be empty. */
  idOf(name: string): string | undefined;
  /** Returns the identifier of a variable in code: see `codeNameOf`. */
  codeName(id: string): string;
  /** Returns the positions in literals where code mentions variables: see `mentionsInLiterals`. */
  inLiterals(code: string): ReadonlySet<number>;
  /** Returns all variables with their values, in order. */
  all(): Iterable<readonly [id: string, value: Value]>;
};

export type TemplateContext = {
  readonly variables: VariableReader;
  /** Evaluates inline code. If the code fails, returns a text. */
  evaluate(code: string): unknown;
  /** Counts inserted characters against the step's budget. */
  spend?(characters: number): void;
  /** Returns the text inserted for `{{secret.NAME}}`, unless a variable has this name. */
  secret?(name: string): string;
  /** The meter that is charged before a comparison and before a value is parsed as Markdown. */
  readonly meter?: Meter | undefined;
};

/**
 * How values are inserted: `plain` inserts text, `json` escapes text for a JSON string, `html` escapes angle brackets,
 * and `last` inserts only the last element of a list. Values of inline code are never escaped, because they come from
 * the author.
 */
export type TemplateMode = "plain" | "json" | "html" | "last";

/** Replaces inline code with its value, then variables with their values. Inserted values are not rendered again. */
export function render(text: string, context: TemplateContext, mode: TemplateMode = "plain"): string {
  if (!text.includes("{{")) return text;
  const textOf = (name: string) => {
    const value = context.variables.byName(name);
    return value === undefined ? secretText(name, context) : valueText(value, mode);
  };
  return replaceVariables(renderCode(text, context), textOf, context);
}

/**
 * Returns the literal parts and references of a text, for rich text. Inline code whose value is null or undefined
 * yields an empty text.
 */
export function pieces({ text, parts }: Template, context: TemplateContext, mode: TemplateMode = "plain"): Piece[] {
  const found: Piece[] = [];
  if (parts) {
    addPieces(found, parts, context, mode);
    return found;
  }
  let from = 0;
  for (const { start, end, inner } of inlineCodes(text)) {
    addPieces(found, readParts(text.slice(from, start)), context, mode);
    const value = context.evaluate(inner);
    const isNothing = value === null || value === undefined;
    found.push({ kind: "reference", text: isNothing ? "" : spent(words(value), context), isPlainVariable: false });
    from = end;
  }
  addPieces(found, readParts(text.slice(from)), context, mode);
  return found;
}

/**
 * A part of a text: `literal` is the author's text, `value` is a variable's value, and `own` is the value of inline
 * code or a secret.
 */
export type ValuePart =
  | { readonly kind: "literal"; readonly text: string }
  | { readonly kind: "value"; readonly value: Value }
  | { readonly kind: "own"; readonly text: string };

/** Splits a text into parts. The caller inserts each value as required by its position, and counts the characters. */
export function readValues(text: string, context: TemplateContext): ValuePart[] {
  const read: ValuePart[] = [];
  const add = (parts: readonly TemplatePart[]) => {
    for (const part of parts) {
      const value = part.kind === "literal" ? undefined : context.variables.byName(part.name);
      if (part.kind === "literal") read.push(part);
      else if (value === undefined) read.push({ kind: "own", text: secretText(part.name, context) });
      else read.push({ kind: "value", value });
    }
  };
  let from = 0;
  for (const { start, end, inner } of inlineCodes(text)) {
    add(readParts(text.slice(from, start)));
    read.push({ kind: "own", text: words(context.evaluate(inner)) });
    from = end;
  }
  add(readParts(text.slice(from)));
  return read;
}

/**
 * Replaces variables in code with their identifiers, and returns the variables that the code mentions. In `${{{Name}}}`
 * the name is replaced, but the variable is not returned, because flows depend on this behaviour. Within quotes a
 * variable is replaced with its id. A secret is replaced with the text that `budget.secret` returns.
 */
export function toCode(
  text: string,
  variables: VariableReader,
  budget: Budget = {},
): { code: string; mentioned: { name: string; value: Value }[] } {
  if (!text.includes("{{")) return { code: text, mentioned: [] };
  const mentioned = new Map<string, Value>();
  for (const { inner } of mentions(text)) {
    const id = variables.idOf(inner);
    if (id !== undefined) mentioned.set(variables.codeName(id), variables.get(id));
  }
  const codeOf = (reference: string, start: number): string => {
    const id = variables.idOf(reference);
    if (id === undefined) return secretText(reference, { ...budget, variables });
    const name = variables.codeName(id);
    return name !== id && variables.inLiterals(text).has(start) ? escaped(id) : name;
  };
  const code = replaceVariables(text, codeOf, budget);
  return { code, mentioned: [...mentioned].map(([name, value]) => ({ name, value })) };
}

/** Returns the name if the text is exactly one variable reference, and undefined otherwise. */
export function singleReference(text: string): string | undefined {
  const [reference] = text.startsWith("{{") ? findVariables(text) : [];
  if (reference?.start !== 0 || reference.end !== text.length) return undefined;
  return inlineCodes(text).length > 0 ? undefined : reference.inner;
}

export type DeepOptions = {
  /** Removes properties whose rendered text is empty. */
  readonly removeEmptyStrings?: boolean;
  /** Parses each text that is valid JSON. The text `undefined` becomes the value `undefined`. */
  readonly guessTypes?: boolean;
};

/**
 * Renders every text property of nested objects. Flows depend on two quirks: a text directly inside a list is not
 * rendered, and a list directly inside a list becomes an object with indexes as keys.
 */
export function renderDeep(value: unknown, context: TemplateContext, options: DeepOptions = {}): unknown {
  if (typeof value === "string") return renderProperty(value, context, options);
  return Array.isArray(value) ? renderList(value, context, options) : renderObject(value, context, options);
}

function renderList(list: readonly unknown[], context: TemplateContext, options: DeepOptions): unknown[] {
  return list.map((element) => renderObject(element, context, options));
}

function renderObject(object: unknown, context: TemplateContext, options: DeepOptions): unknown {
  if (typeof object !== "object" || object === null) return object;
  const properties: [string, unknown][] = [];
  for (const [name, value] of Object.entries(object)) {
    const rendered = renderDeep(value, context, options);
    if (rendered !== "" || !options.removeEmptyStrings) properties.push([name, rendered]);
  }
  // Unlike an assignment, `Object.fromEntries` treats `__proto__` as an ordinary property.
  return Object.fromEntries(properties);
}

function renderProperty(text: string, context: TemplateContext, { guessTypes }: DeepOptions): unknown {
  const rendered = render(text, context);
  if (!guessTypes) return rendered;
  return rendered === "undefined" ? undefined : parseJsonOr(rendered, rendered);
}

function renderCode(text: string, context: TemplateContext): string {
  let rendered = "";
  let from = 0;
  for (const { start, end, inner } of inlineCodes(text)) {
    rendered += text.slice(from, start) + spent(words(context.evaluate(inner)), context);
    from = end;
  }
  return from === 0 ? text : rendered + text.slice(from);
}

/**
 * Converts the value of inline code to text. Values other than texts become JSON, and `undefined` becomes "undefined".
 */
function words(value: unknown): string {
  if (typeof value === "string") return value;
  return typeof value === "bigint" ? `${value}` : (JSON.stringify(value) ?? "undefined");
}

type Budget = Pick<TemplateContext, "spend" | "secret">;

/**
 * Counts an inserted text and returns it. Each insertion is counted immediately, because a flow may insert texts that
 * it has built before.
 */
function spent(inserted: string, budget: Budget): string {
  budget.spend?.(inserted.length);
  return inserted;
}

/**
 * Returns the text inserted for a reference without a value. The text is empty unless the reference names a secret and
 * no variable has the same name.
 */
function secretText(reference: string, { secret, variables }: Pick<TemplateContext, "secret" | "variables">): string {
  const name = secret && secretIn(reference);
  return name === undefined || variables.idOf(reference) !== undefined ? "" : (secret?.(name) ?? "");
}

function replaceVariables(text: string, replacement: (name: string, start: number) => string, budget: Budget): string {
  let replaced = "";
  let from = 0;
  for (const { start, end, inner } of findVariables(text)) {
    replaced += text.slice(from, start) + spent(replacement(inner, start), budget);
    from = end;
  }
  return from === 0 ? text : replaced + text.slice(from);
}

/** Pushes pieces individually because a text may contain more references than the maximum number of call arguments. */
function addPieces(found: Piece[], parts: readonly TemplatePart[], context: TemplateContext, mode: TemplateMode): void {
  for (const part of parts) {
    if (part.kind === "literal") {
      found.push(part);
      continue;
    }
    const value = context.variables.byName(part.name);
    const shown = value === undefined ? secretText(part.name, context) : valueText(value, mode);
    found.push({ kind: "reference", text: spent(shown, context), isPlainVariable: true });
  }
}

function valueText(value: Value, mode: TemplateMode): string {
  switch (mode) {
    case "plain":
      return toText(value);
    case "json":
      return typeof value === "string" ? JSON.stringify(value).slice(1, -1) : toText(value);
    case "html":
      return toText(value).replaceAll("<", "&lt;").replaceAll(">", "&gt;");
    case "last":
      return Array.isArray(value) ? lastText(value) : toText(value);
    default:
      return mode satisfies never;
  }
}

function lastText(list: readonly (string | null)[]): string {
  return list.length === 0 ? "" : String(list.at(-1));
}
