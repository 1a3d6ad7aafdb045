import type { Piece } from "./rich-text/nodes.ts";
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
};

export type TemplateMode = "plain" | "json" | "html" | "last";

/** `T(text)`: inline code and variables replaced by their values. */
export function render(text: string, context: TemplateContext, mode: TemplateMode = "plain"): string {
  if (!text.includes("{{")) return text;
  const coded = replaceCode(text, (code) => words(context.evaluate(code)));
  return split(coded).map((part) => partText(part, context, mode)).join("");
}

/** A text's literal parts and its references, for rich text. Empty values print as nothing. */
export function pieces(text: string, context: TemplateContext, mode: TemplateMode = "plain"): Piece[] {
  if (!text.includes("{{")) return [{ kind: "literal", text }];
  const found: Piece[] = [];
  let from = 0;
  for (const match of text.matchAll(inlineCode)) {
    found.push(...plainPieces(text.slice(from, match.index), context, mode));
    const value = context.evaluate(match[1] ?? "");
    found.push({ kind: "reference", text: value === null || value === undefined ? "" : words(value), isPlainVariable: false });
    from = match.index + match[0].length;
  }
  return [...found, ...plainPieces(text.slice(from), context, mode)];
}

/** Code with variables replaced by their ids, and the variables that it mentions. */
export function toCode(text: string, variables: VariableReader): { code: string; mentioned: { id: string; value: Value }[] } {
  const mentioned = new Map<string, Value>();
  const code = split(text).map((part) => {
    if (part.kind === "literal") return part.text;
    const id = variables.idOf(part.name);
    if (id === undefined) return part.prefix;
    mentioned.set(id, variables.get(id));
    return part.prefix + id;
  });
  return { code: code.join(""), mentioned: [...mentioned].map(([id, value]) => ({ id, value })) };
}

/** The name, when the text is exactly one variable reference. */
export function singleReference(text: string): string | undefined {
  return /^\{\{([^{}]+)\}\}$/.exec(text)?.[1];
}

export type DeepOptions = { readonly removeEmptyStrings?: boolean; readonly guessTypes?: boolean };

/** `DT(value)`: every text property of nested objects rendered; texts directly inside lists stay as they are. */
export function renderDeep(value: unknown, context: TemplateContext, options: DeepOptions = {}): unknown {
  if (typeof value === "string") return renderProperty(value, context, options);
  if (Array.isArray(value)) return value.map((element) => (typeof element === "string" ? element : renderDeep(element, context, options)));
  if (typeof value !== "object" || value === null) return value;
  const rendered: [string, unknown][] = [];
  for (const [key, property] of Object.entries(value)) {
    const found = renderDeep(property, context, options);
    if (found === "" && options.removeEmptyStrings) continue;
    rendered.push([key, found]);
  }
  return Object.fromEntries(rendered);
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

const inlineCode = /\{\{=(.+?)=\}\}/g;

function replaceCode(text: string, replace: (code: string) => string): string {
  return text.includes("{{=") ? text.replace(inlineCode, (_, code: string) => replace(code)) : text;
}

function words(value: unknown): string {
  if (typeof value === "string") return value;
  if (value === null || value === undefined) return String(value);
  return JSON.stringify(value) ?? String(value);
}

type Part = { readonly kind: "literal"; readonly text: string } | { readonly kind: "variable"; readonly name: string; readonly prefix: string };

function split(text: string): Part[] {
  const parts: Part[] = [];
  let from = 0;
  for (const match of text.matchAll(/(\$?)\{\{([^{}]+)\}\}/g)) {
    if (match.index > from) parts.push({ kind: "literal", text: text.slice(from, match.index) });
    parts.push({ kind: "variable", name: match[2] ?? "", prefix: match[1] ?? "" });
    from = match.index + match[0].length;
  }
  if (from < text.length) parts.push({ kind: "literal", text: text.slice(from) });
  return parts;
}

function partText(part: Part, context: TemplateContext, mode: TemplateMode): string {
  if (part.kind === "literal") return part.text;
  const value = context.variables.byName(part.name);
  return value === undefined ? part.prefix : part.prefix + valueText(value, mode);
}

function plainPieces(text: string, context: TemplateContext, mode: TemplateMode): Piece[] {
  return split(text).flatMap((part): Piece[] => {
    if (part.kind === "literal") return [part];
    const value = context.variables.byName(part.name);
    const reference: Piece = { kind: "reference", text: value === undefined ? "" : valueText(value, mode), isPlainVariable: true };
    return part.prefix === "" ? [reference] : [{ kind: "literal", text: part.prefix }, reference];
  });
}

function valueText(value: Value, mode: TemplateMode): string {
  if (mode === "last" && Array.isArray(value)) return String(value.at(-1) ?? null);
  if (mode === "json") return typeof value === "string" ? JSON.stringify(value).slice(1, -1) : toText(value);
  if (mode === "html") return toText(value).replaceAll("<", "&lt;").replaceAll(">", "&gt;");
  return toText(value);
}
