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
  type: option.word(
    ["string", "number", "boolean", "enum"],
    "Type of the value. `enum` means one of `values`.",
    "string",
  ),
  name: option.text("Name of the parameter."),
  description: helped("Describes the value for the model.", option.text("Description of the parameter for the model.")),
  required: option.flag("Whether the model must set this parameter.", true),
  values: shownWhen({ type: ["enum"] }, option.texts("The values of an `enum`.")),
});

export const toolSchema = Type.Object({
  type: option.kept("The type, which is always `function`."),
  name: option.text("Name, for the model and for logs."),
  description: helped("Tells the model when to use the tool.", option.text("Purpose of the tool, for the model.")),
  parameters: Type.Optional(Type.Array(parameterSchema, { description: "Parameters of the tool." })),
  code: hiddenFromGuests(
    helped(
      "JavaScript that returns the result; each parameter is a variable in the code.",
      option.code(
        "JavaScript that returns the tool's result. Each parameter is a variable in the code; `fetch(url, init)` returns a response body, and `setVariable(name, value)` sets a variable.",
      ),
    ),
  ),
});

type WrittenTool = Static<typeof toolSchema>;
type Parameter = Static<typeof parameterSchema>;

/** A tool that is offered to models, with the code that runs when a model calls the tool. */
export type Tool = {
  readonly offered: ModelTool;
  /** The tool's name as the author wrote it. */
  readonly name: string;
  readonly code: string;
};

/**
 * Returns the tools of a block that have a name and code, in the format for models. Tools that exceed a limit are
 * skipped, and their names are returned in `leftOut`.
 */
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

/** Creates the JSON schema of a tool's parameters. If two parameters have the same name, the first is used. */
function schemaOf(parameters: readonly Parameter[], view: View): JsonSchema {
  const named = parameters.flatMap(({ name, ...rest }) => (name?.trim() ? [{ name: name.trim(), ...rest }] : []));
  const known = [...new Map(named.toReversed().map((one) => [one.name, one])).values()].toReversed();
  return {
    type: "object",
    // Unlike an assignment, `Object.fromEntries` treats `__proto__` as an ordinary property.
    properties: Object.fromEntries(known.map((parameter) => [parameter.name, memberOf(parameter, view)])),
    required: known.filter(({ required }) => required !== false).map(({ name }) => name),
    additionalProperties: false,
  };
}

type Member = { readonly type?: JsonType | "enum"; readonly description?: string; readonly values?: readonly string[] };

/** Returns the JSON schema of a property that an author describes. */
export function memberOf({ type = "string", description, values }: Member, view: View) {
  return {
    type: type === "enum" ? "string" : type,
    ...(description && { description: view.text(description) }),
    ...(type === "enum" && values && { enum: values }),
  };
}

/** Returns the arguments of a call by name, or an error message for the model. Omitted arguments are undefined. */
export function argumentsOf(
  { parameters }: ModelTool,
  { arguments: text }: ModelCall,
): { readonly values: readonly (readonly [name: string, value: unknown])[] } | { readonly problem: string } {
  if (text === null) return { problem: `The arguments are longer than ${limits.models.argumentCharacters} characters` };
  const given: unknown = text.trim() === "" ? {} : parseJsonOr(text, undefined);
  if (given === undefined) return { problem: "The arguments are not valid JSON" };
  if (!isJsonObject(given)) return { problem: "The arguments must be a JSON object" };
  const whole = argumentsProblem(parameters, given);
  // Models send null for properties that they omit.
  const without = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
  const problem = whole === undefined ? undefined : argumentsProblem(parameters, without);
  if (problem !== undefined) return { problem };
  const members = new Map(Object.entries(whole === undefined ? given : without));
  const { properties } = parameters;
  const declared = isJsonObject(properties) ? Object.keys(properties) : [];
  return { values: [...new Set([...declared, ...members.keys()])].map((name) => [name, members.get(name)]) };
}

/**
 * Runs a tool as a script. A variable inside a string literal is inserted as text, never as code. Anywhere else, the
 * variable itself is available.
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

/** Converts a tool's return value to the text that the model receives. */
export function valueForModel(value: unknown): string {
  if (value === undefined || value === null || value === "") return "ok";
  const text =
    typeof value === "string" ? value : typeof value === "bigint" ? `${value}` : (JSON.stringify(value) ?? "ok");
  const most = limits.models.toolCharacters;
  return text.length <= most
    ? text
    : `${text.slice(0, most).toWellFormed()}\n[truncated: ${text.length - most} more characters]`;
}
