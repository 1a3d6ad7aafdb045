import { type Static, Type } from "@sinclair/typebox";
import { limits } from "../../../limits/index.ts";
import { runServerScript, type ScriptResult } from "../../interpreter/evaluation/expression.ts";
import { argumentsProblem, schemaProblem } from "../../interpreter/evaluation/tool-schema.ts";
import { isJsonObject } from "../../interpreter/flow.ts";
import { parseJsonOr } from "../../interpreter/language/json.ts";
import { valuesIntoLiterals } from "../../interpreter/language/literals.ts";
import type { RecordedFetch } from "../../interpreter/language/script.ts";
import { secretIn } from "../../interpreter/language/secret-tokens.ts";
import { findVariables } from "../../interpreter/language/template-scan.ts";
import { guessType, toText } from "../../interpreter/language/values.ts";
import type { JsonSchema, JsonType, ModelCall, ModelTool } from "../../interpreter/program/model.ts";
import type { View } from "../../interpreter/program/view.ts";
import { helped, hiddenFromGuests, option, shownWhen } from "../options.ts";

const parameterSchema = Type.Object({
  type: option.word(["string", "number", "boolean", "enum"], "Type of the value; `enum`: one of `values`.", "string"),
  name: option.text("Its name."),
  description: helped("Tell the model what it is.", option.text("Description for the model.")),
  required: option.flag("Whether the model has to give it.", true),
  values: shownWhen({ type: ["enum"] }, option.texts("The values of an `enum`.")),
});

export const toolSchema = Type.Object({
  type: option.kept("`function`."),
  name: option.text("Name, for the model and for logs."),
  description: helped("Tell the model when to use it.", option.text("Purpose of the tool, for the model.")),
  parameters: Type.Optional(Type.Array(parameterSchema, { description: "Parameters of the tool." })),
  code: hiddenFromGuests(
    helped(
      "JavaScript that returns the result; each parameter is a variable.",
      option.code(
        "JavaScript that returns its value. Parameters are variables of their names; `fetch(url, init)` gives a body and `setVariable(name, value)` sets a variable.",
      ),
    ),
  ),
});

type WrittenTool = Static<typeof toolSchema>;
type Parameter = Static<typeof parameterSchema>;

/** A tool that models are offered, and the code that runs when one calls it. */
export type Tool = {
  readonly offered: ModelTool;
  /** The author's name. */
  readonly name: string;
  readonly code: string;
};

/** The tools of a block that have a name and code, in the form for models. Tools beyond the limits are left out. */
export function toolsOf(
  written: readonly WrittenTool[] | undefined,
  view: View,
): { readonly tools: readonly Tool[]; readonly leftOut: readonly string[] } {
  const tools: Tool[] = [];
  const leftOut: string[] = [];
  const taken = new Set<string>();
  for (const { name, description, parameters, code } of written ?? []) {
    if (!name?.trim() || !code) continue;
    const offered = {
      name: freeName(name, taken),
      ...(description && { description: view.text(description) }),
      parameters: schemaOf(parameters ?? [], view),
    };
    const isTooLarge =
      (parameters?.length ?? 0) > limits.models.parameters ||
      charactersOf(offered) > limits.models.schemaCharacters ||
      schemaProblem(offered.parameters) !== undefined;
    if (isTooLarge || tools.length >= limits.models.tools) leftOut.push(name);
    else tools.push({ offered, name, code });
    taken.add(offered.name);
  }
  return { tools, leftOut };
}

function charactersOf(offered: ModelTool): number {
  return JSON.stringify(offered).length;
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  const known = name
    .trim()
    .replaceAll(/[^A-Za-z0-9_-]/g, "_")
    .slice(0, 64);
  if (!taken.has(known)) return known;
  for (let number = 2; ; number++) {
    const numbered = `${known.slice(0, 60)}_${number}`;
    if (!taken.has(numbered)) return numbered;
  }
}

/** If two parameters have the same name, the first one counts. */
function schemaOf(parameters: readonly Parameter[], view: View): JsonSchema {
  const named = parameters.flatMap(({ name, ...rest }) => (name?.trim() ? [{ name: name.trim(), ...rest }] : []));
  const known = [...new Map(named.toReversed().map((one) => [one.name, one])).values()].toReversed();
  return {
    type: "object",
    // Unlike an assignment this makes `__proto__` a member like any other.
    properties: Object.fromEntries(known.map((parameter) => [parameter.name, memberOf(parameter, view)])),
    required: known.filter(({ required }) => required !== false).map(({ name }) => name),
    additionalProperties: false,
  };
}

type Member = { readonly type?: JsonType | "enum"; readonly description?: string; readonly values?: readonly string[] };

/** A member of a schema, as an author describes it. */
export function memberOf({ type = "string", description, values }: Member, view: View) {
  return {
    type: type === "enum" ? "string" : type,
    ...(description && { description: view.text(description) }),
    ...(type === "enum" && values && { enum: values }),
  };
}

/** The arguments of a call by name, including omitted ones; or the fault of the arguments, for the model. */
export function argumentsOf(
  { parameters }: ModelTool,
  { arguments: text }: ModelCall,
): { readonly values: readonly (readonly [name: string, value: unknown])[] } | { readonly problem: string } {
  if (text === null) return { problem: `The arguments are longer than ${limits.models.argumentCharacters} characters` };
  const given: unknown = text.trim() === "" ? {} : parseJsonOr(text, undefined);
  if (given === undefined) return { problem: "The arguments are not valid JSON" };
  if (!isJsonObject(given)) return { problem: "The arguments have to be a JSON object" };
  const whole = argumentsProblem(parameters, given);
  // Models give null for members that they leave out.
  const without = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
  const problem = whole === undefined ? undefined : argumentsProblem(parameters, without);
  if (problem !== undefined) return { problem };
  const members = new Map(Object.entries(whole === undefined ? given : without));
  const { properties } = parameters;
  const declared = isJsonObject(properties) ? Object.keys(properties) : [];
  return { values: [...new Set([...declared, ...members.keys()])].map((name) => [name, members.get(name)]) };
}

/**
 * Runs a tool as a script. A variable mentioned within a literal of its code is a text, never code; elsewhere it is the
 * variable.
 */
export function runTool(
  { code }: Tool,
  view: View,
  { values, fetched }: { values: readonly (readonly [string, unknown])[]; fetched: readonly RecordedFetch[] },
): ScriptResult {
  const { variables } = view;
  const textOf = (name: string): string | undefined =>
    secretIn(name) !== undefined && variables.idOf(name) === undefined
      ? undefined
      : toText(variables.byName(name) ?? null);
  const own = valuesIntoLiterals(code, textOf);
  const mentioned = findVariables(own).flatMap(({ inner }) => {
    const id = variables.idOf(inner);
    return id === undefined ? [] : [[variables.codeName(id), guessType(variables.get(id))] as const];
  });
  return runServerScript(own, view, { fetched, values: [...mentioned, ...values] });
}

/** A tool's value, as the model gets it. */
export function valueForModel(value: unknown): string {
  if (value === undefined || value === null || value === "") return "ok";
  const text =
    typeof value === "string" ? value : typeof value === "bigint" ? `${value}` : (JSON.stringify(value) ?? "ok");
  const most = limits.models.toolCharacters;
  return text.length <= most
    ? text
    : `${text.slice(0, most).toWellFormed()}\n[cut off here: ${text.length - most} more characters]`;
}
