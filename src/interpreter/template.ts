import type { Meter } from "./meter.ts";
import type { Piece } from "./rich-text/nodes.ts";
import { findVariables, inlineCodes, mentions } from "./template-scan.ts";
import { toText, type Value } from "./values.ts";

/** The variables that a text may name. */
export type VariableReader = {
  get(id: string): Value;
  /** The first variable of exactly this name that holds something. */
  byName(name: string): Value | undefined;
  /** The id of the first variable of this name, holding something or not. */
  idOf(name: string): string | undefined;
  /** Every variable with its value, in order. */
  all(): Iterable<readonly [id: string, value: Value]>;
};

export type TemplateContext = {
  readonly variables: VariableReader;
  /** The value of inline code; a text where it failed. */
  evaluate(code: string): unknown;
  /** Counts the characters that take the place of references against what a step may make. */
  spend?(characters: number): void;
  /** Told before something that may take a while: a comparison, or reading a value as markdown. */
  readonly meter?: Meter;
};

/**
 * How a variable's value stands in a text: as it is, inside the quotes of a JSON text, inside HTML, or with a list's
 * last element instead of the list. What inline code gives is the author's own and stands as it is in each of them.
 */
export type TemplateMode = "plain" | "json" | "html" | "last";

/** `T(text)`: inline code replaced by its value, then variables by theirs. What variables hold is not read again. */
export function render(text: string, context: TemplateContext, mode: TemplateMode = "plain"): string {
  if (!text.includes("{{")) return text;
  const textOf = (name: string) => valueText(context.variables.byName(name) ?? null, mode);
  return replaceVariables(renderCode(text, context), textOf, context);
}

/** A text's literal parts and its references, for rich text, where nothing prints as nothing. */
export function pieces(text: string, context: TemplateContext, mode: TemplateMode = "plain"): Piece[] {
  if (!text.includes("{{")) return [{ kind: "literal", text }];
  const found: Piece[] = [];
  let from = 0;
  for (const { start, end, inner } of inlineCodes(text)) {
    addVariablePieces(found, text.slice(from, start), context, mode);
    const value = context.evaluate(inner);
    const isNothing = value === null || value === undefined;
    found.push({ kind: "reference", text: isNothing ? "" : spent(words(value), context), isPlainVariable: false });
    from = end;
  }
  addVariablePieces(found, text.slice(from), context, mode);
  return found;
}

/**
 * Code with its variables replaced by their ids, also where they are empty, and the variables that it mentions. A name
 * in `${{{Name}}}` is replaced but not mentioned: flows depend on that.
 */
export function toCode(
  text: string,
  variables: VariableReader,
  budget: Budget = {},
): { code: string; mentioned: { id: string; value: Value }[] } {
  if (!text.includes("{{")) return { code: text, mentioned: [] };
  const mentioned = new Map<string, Value>();
  for (const { inner } of mentions(text)) {
    const id = variables.idOf(inner);
    if (id !== undefined) mentioned.set(id, variables.get(id));
  }
  const code = replaceVariables(text, (name) => variables.idOf(name) ?? "", budget);
  return { code, mentioned: [...mentioned].map(([id, value]) => ({ id, value })) };
}

/** The name, when the text is exactly one variable reference. */
export function singleReference(text: string): string | undefined {
  const [reference] = text.startsWith("{{") ? findVariables(text) : [];
  if (reference?.start !== 0 || reference.end !== text.length) return undefined;
  return inlineCodes(text).length > 0 ? undefined : reference.inner;
}

export type DeepOptions = {
  /** Leaves out properties that become empty. */
  readonly removeEmptyStrings?: boolean;
  /** Reads each text as JSON where it is, and the word `undefined` as nothing. */
  readonly guessTypes?: boolean;
};

/**
 * `DT(value)`: every text property of nested objects rendered. Flows depend on two quirks: a text directly inside a
 * list stays as it is, and a list directly inside a list becomes an object with its places as keys.
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
  // Unlike assigning, this makes `__proto__` a property like any other.
  return Object.fromEntries(properties);
}

function renderProperty(text: string, context: TemplateContext, { guessTypes }: DeepOptions): unknown {
  const rendered = render(text, context);
  if (!guessTypes) return rendered;
  if (rendered === "undefined") return undefined;
  try {
    const parsed: unknown = JSON.parse(rendered);
    return parsed;
  } catch {
    return rendered;
  }
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

/** What inline code gives, in words: `null` and `undefined` as such, everything but texts as JSON. */
function words(value: unknown): string {
  if (typeof value === "string") return value;
  return typeof value === "bigint" ? `${value}` : (JSON.stringify(value) ?? "undefined");
}

type Budget = Pick<TemplateContext, "spend">;

/** Texts grow with every reference, and a flow may insert what it has built before: so each is paid for at once. */
function spent(inserted: string, budget: Budget): string {
  budget.spend?.(inserted.length);
  return inserted;
}

function replaceVariables(text: string, replacement: (name: string) => string, budget: Budget): string {
  let replaced = "";
  let from = 0;
  for (const { start, end, inner } of findVariables(text)) {
    replaced += text.slice(from, start) + spent(replacement(inner), budget);
    from = end;
  }
  return from === 0 ? text : replaced + text.slice(from);
}

/** Adds to a list: a text may hold more references than a call may have arguments. */
function addVariablePieces(found: Piece[], text: string, context: TemplateContext, mode: TemplateMode): void {
  let from = 0;
  for (const { start, end, inner } of findVariables(text)) {
    if (start > from) found.push({ kind: "literal", text: text.slice(from, start) });
    const value = context.variables.byName(inner) ?? null;
    found.push({ kind: "reference", text: spent(valueText(value, mode), context), isPlainVariable: true });
    from = end;
  }
  if (from < text.length) found.push({ kind: "literal", text: text.slice(from) });
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
