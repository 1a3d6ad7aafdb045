import { readPath, shortcutOf } from "../language/expression-shortcuts.ts";
import type { FetchInit, RecordedFetch, ScriptError, ScriptOutcome, ScriptValue } from "../language/script.ts";
import { render, type TemplateContext, toCode, type VariableReader } from "../language/template.ts";
import { guessType, normalise, type Value } from "../language/values.ts";
import type { Write } from "../program/variables.ts";
import type { ScriptCall } from "../program/view.ts";
import { type Failure, inAuthorsWords } from "./code-errors.ts";

/** Runs code in the sandbox within the step's remaining budget for scripts. */
export type RunCode = (call: ScriptCall) => ScriptOutcome;

export type CodeView = {
  readonly variables: VariableReader;
  readonly templates: TemplateContext;
  readonly requestTemplates: TemplateContext;
  readonly runScript: RunCode;
};

/**
 * A `fetch` that the code waits for. The caller performs the call, then evaluates the code again with the new response
 * added to the earlier responses.
 */
export type WantedFetch = { readonly kind: "fetch"; readonly url: string; readonly init: FetchInit };

export type ExpressionOutcome =
  | { readonly kind: "evaluated"; readonly value: Value }
  /** The code failed, for example because the expression is plain text. The value is the rendered text. */
  | ({ readonly kind: "failed"; readonly value: Value; readonly error: ScriptError } & Failure)
  | WantedFetch;

/**
 * Evaluates a custom expression. A single reference or a padded number is not run as code. If the code fails, the value
 * is the rendered text of the expression. Calls to `setVariable` have no effect.
 */
export function evaluateExpression(
  expression: string | undefined,
  view: CodeView,
  fetched: readonly RecordedFetch[] = [],
): ExpressionOutcome {
  if (!expression) return { kind: "evaluated", value: null };
  const rendered = (): Value => normalise(render(expression, view.templates));
  if (isOneReference(expression)) return { kind: "evaluated", value: rendered() };
  if (isPaddedNumber(expression)) return { kind: "evaluated", value: normalise(expression) };
  const outcome = run(view, expression, fetched);
  switch (outcome.kind) {
    case "returned":
      return { kind: "evaluated", value: normalise(outcome.value) };
    case "fetch":
      return wanted(outcome);
    default: {
      const { error: inner, ...failure } = failureOf(outcome, expression, view.variables);
      const error = { context: "While evaluating set variable expression", description: JSON.stringify(inner) };
      return { kind: "failed", value: rendered(), error, ...failure };
    }
  }
}

export type ScriptResult =
  /** The return value of the script, and the last `setVariable` call for each variable. */
  | { readonly kind: "finished"; readonly value: ScriptValue; readonly writes: readonly Write[] }
  /** The writes of a failed script are discarded. */
  | ({ readonly kind: "failed"; readonly error: ScriptError } & Failure)
  | WantedFetch;

/** Runs the author's script. In addition to the variables that it mentions, the script can access `values` by name. */
export function runServerScript(
  content: string,
  view: CodeView,
  options: { fetched?: readonly RecordedFetch[]; values?: readonly (readonly [name: string, value: unknown])[] } = {},
): ScriptResult {
  const tokens = new Set<string>();
  const secret = (name: string): string => {
    const token = view.requestTemplates.secret?.(name) ?? "";
    tokens.add(token);
    return token;
  };
  const { code, mentioned } = toCode(content, view.variables, { ...view.templates, secret });
  const variables = mentioned.map(({ name, value }) => [name, guessType(value)] as const);
  // Each token is defined as a variable whose value is the token itself. A token therefore works with and without
  // quotes.
  const secrets = [...tokens].map((token) => [token, token] as const);
  const outcome = view.runScript({
    source: code,
    form: "async",
    globals: [...variables, ...secrets, ...(options.values ?? [])],
    offersHostFunctions: true,
    fetched: options.fetched ?? [],
  });
  switch (outcome.kind) {
    case "returned":
      return { kind: "finished", value: outcome.value, writes: writesOf(outcome.assignments, view.variables) };
    case "fetch":
      return wanted(outcome);
    default:
      return { kind: "failed", ...failureOf(outcome, content, view.variables) };
  }
}

export type MappedResponse = { readonly statusCode: unknown; readonly data: unknown };

export type ResponseMapping = { readonly variableId?: string; readonly bodyPath?: string };

/**
 * Returns the values that the mappings of a response write to variables. A mapping whose expression fails writes
 * nothing.
 */
export function mapResponse(mappings: readonly ResponseMapping[], response: MappedResponse, view: CodeView): Write[] {
  const globals = [
    ["statusCode", response.statusCode],
    ["data", response.data],
  ] as const;
  return mappings.flatMap(({ variableId, bodyPath }) => {
    if (!variableId || !bodyPath) return [];
    const source = functionBody(render(bodyPath, view.templates));
    const outcome =
      readPath(source, globals) ??
      view.runScript({ source, form: "sync", globals, offersHostFunctions: false, fetched: [] });
    return outcome.kind === "returned" ? [{ variableId, value: normalise(outcome.value) }] : [];
  });
}

/**
 * Evaluates inline code `{{= … =}}`. If the code fails, `onFailure` is called and the value is the code as text with
 * its variables replaced.
 */
export function evaluateInline(
  code: string,
  variables: VariableReader,
  runScript: RunCode,
  { onFailure, ...budget }: Pick<TemplateContext, "spend"> & { onFailure?(failure: Failure): void } = {},
): ScriptValue {
  const source = functionBody(toCode(code, variables, budget).code);
  const globals = [...variables.all()].map(([id, value]) => [variables.codeName(id), guessType(value)] as const);
  budget.spend?.(globals.length);
  const outcome = evaluate({ source, form: "sync", globals, offersHostFunctions: false, fetched: [] }, runScript);
  if (outcome.kind === "returned") return outcome.value;
  if (onFailure && outcome.kind !== "fetch") onFailure(failureOf(outcome, code, variables));
  const withoutCode: TemplateContext = { ...budget, variables, evaluate: () => "" };
  return render(code, withoutCode);
}

/**
 * Whether a text matches a pattern in the author's notation, with or without delimiters (`/…/flags`). Returns undefined
 * if the pattern is invalid or exceeds the sandbox's budget.
 */
export function matchesPattern(pattern: string, text: string, runScript: RunCode): boolean | undefined {
  const { source, flags } = readPattern(pattern);
  // A pattern of letters, digits and spaces matches literally, so no script is needed.
  if (flags === "" && /^[a-z0-9 ]+$/i.test(source)) return text.includes(source);
  const outcome = runScript({
    source: "return new RegExp(source, flags).test(text)",
    form: "sync",
    globals: [
      ["source", source],
      ["flags", flags],
      ["text", text],
    ],
    offersHostFunctions: false,
    fetched: [],
  });
  return outcome.kind === "returned" ? outcome.value === true : undefined;
}

function run(view: CodeView, expression: string, fetched: readonly RecordedFetch[]): CodeOutcome {
  const { code, mentioned } = toCode(expression, view.variables, view.templates);
  const globals = mentioned.map(({ name, value }) => [name, guessType(value)] as const);
  const source = functionBody(code);
  return evaluate({ source, form: "async", globals, offersHostFunctions: true, fetched }, view.runScript);
}

type CodeOutcome = ScriptOutcome | NonNullable<ReturnType<typeof shortcutOf>>;

function evaluate(call: ScriptCall, runScript: RunCode): CodeOutcome {
  return shortcutOf(call.source, call.globals) ?? runScript(call);
}

type FailedCode = Exclude<CodeOutcome, { kind: "returned" | "fetch" }>;

function failureOf(
  outcome: FailedCode,
  code: string,
  variables: VariableReader,
): Failure & { readonly error: ScriptError } {
  const error = { ...outcome.error, description: inAuthorsWords(outcome.error.description, code, variables) };
  const reason = error.description.replace(/^\[undefined\] /, "");
  return { error, reason, ...("line" in outcome && outcome.line !== undefined && { line: outcome.line }) };
}

function functionBody(code: string): string {
  return code.includes("return ") ? code : `return ${code}`;
}

function isOneReference(expression: string): boolean {
  return expression.startsWith("{{") && expression.endsWith("}}") && expression.lastIndexOf("{{") === 0;
}

/**
 * Whether the expression is a number such as `0123`, `1000` or `0x10`, but not `10.5`. Such a number is stored as
 * typed.
 */
function isPaddedNumber(expression: string): boolean {
  return /0[^.][\s\S]/.test(expression) && !Number.isNaN(Number(expression));
}

function wanted({ url, init }: { url: string; init: FetchInit }): WantedFetch {
  return { kind: "fetch", url, init };
}

/** Returns the last write for each variable. Names that are not variables of the flow are ignored. */
function writesOf(assignments: readonly (readonly [string, ScriptValue])[], variables: VariableReader): Write[] {
  const values = new Map<string, Value>();
  for (const [name, value] of assignments) {
    const id = variables.idOf(name);
    if (id === undefined) continue;
    values.delete(id);
    values.set(id, normalise(value));
  }
  return [...values].map(([variableId, value]) => ({ variableId, value }));
}

function readPattern(pattern: string): { source: string; flags: string } {
  const first = pattern.indexOf("/");
  const last = pattern.lastIndexOf("/");
  const flags = pattern.slice(last + 1);
  const isDelimited = last > first + 1 && /^[gimuy]*$/.test(flags);
  return isDelimited ? { source: pattern.slice(first + 1, last), flags } : { source: pattern, flags: "" };
}
