import { type Static, Type } from "@sinclair/typebox";
import { limits } from "../../../limits/index.ts";
import { isJsonObject } from "../../interpreter/flow.ts";
import { parseJsonOr } from "../../interpreter/language/json.ts";
import type { BlockBase } from "../../interpreter/program/block.ts";
import type { JsonSchema, JsonSchemaMember, ModelEffect } from "../../interpreter/program/model.ts";
import type { Outcome, StepLog } from "../../interpreter/program/outcome.ts";
import type { Write } from "../../interpreter/program/variables.ts";
import type { View } from "../../interpreter/program/view.ts";
import { readKnown } from "../../interpreter/schemas/schema.ts";
import { type Action, defineAction, type Reported } from "../action.ts";
import { helped, option, shownWhen, titled } from "../options.ts";
import { callOf, failedCall, failureLog, goOn, info, refusalOf } from "./call.ts";
import { callOptions, modelAdvice } from "./chat-options.ts";
import { memberOf } from "./tools.ts";

const context = "While generating variables";

const wantedSchema = Type.Object({
  type: option.word(
    ["string", "number", "boolean", "array", "enum"],
    "Type of the value. `enum` means one of `values`.",
    "string",
  ),
  variableId: helped(
    "The model receives the variable's name.",
    option.writtenVariable("Id of the variable. The model receives the variable's name."),
  ),
  description: helped("Describes the value for the model.", option.text("Description of the value for the model.")),
  isRequired: Type.Optional(Type.Boolean({ description: "Whether the model must find a value.", default: true })),
  values: shownWhen({ type: ["enum"] }, option.texts("The values of an `enum`.")),
});

const options = {
  ...callOptions,
  prompt: titled("Text", option.longText("The text to extract values from.")),
  variablesToExtract: Type.Optional(
    Type.Array(wantedSchema, { title: "Variables to extract", description: "The values to extract." }),
  ),
};

type Options = Static<ReturnType<typeof schemaOfOptions>>;
type Wanted = {
  readonly variableId: string;
  readonly name: string;
  readonly member: JsonSchemaMember;
  readonly isRequired: boolean;
};

/**
 * Uses a model to extract values from a text into variables. A variable without an extracted value is left unchanged.
 */
export const generateVariables: Action = defineAction({
  name: "Generate variables",
  options,
  advice: modelAdvice,
  run: ask,
  report: afterAnswer,
});

function schemaOfOptions() {
  return Type.Object(options);
}

const memoSchema = Type.Object({ request: Type.Unsafe<ModelEffect>(Type.Unknown()), isSecond: Type.Boolean() });

function ask(block: BlockBase, given: Options, view: View): Outcome {
  const prompt = view.text(given.prompt);
  const call = callOf(block, given, { view, messages: [{ role: "user", content: prompt }], context });
  if ("problem" in call) return failedCall(block, [call.problem]);
  if (prompt.trim() === "") return failedCall(block, [{ description: "No prompt provided", context }]);
  const { wanted, twice } = wantedOf(given, view);
  if (wanted.length === 0) return failedCall(block, [{ description: "No variables to extract", context }]);
  const output = schemaOf(wanted);
  if (JSON.stringify(output).length > limits.models.schemaCharacters) {
    return failedCall(block, [
      { description: "There are too many variables to extract, or their descriptions are too long", context },
    ]);
  }
  const request = { ...call.effect, output };
  const logs = [
    ...call.logs,
    ...twice.map((name) => info(`The variable ${name} is listed twice, and only the first entry is used`, context)),
  ];
  return { kind: "perform", effect: request, memo: { request, isSecond: false }, ...(logs.length > 0 && { logs }) };
}

function afterAnswer(block: BlockBase, given: Options, view: View, { report, memo }: Reported): Outcome {
  const asked = readKnown(memoSchema, memo);
  if (!asked || report.kind !== "model") {
    return goOn(block, { logs: [info(refusalOf(report), context)] });
  }
  const notes = (report.notes ?? []).map((note) => info(note, context));
  if ("failure" in report) return failedCall(block, [...notes, failureLog(block, report.failure, context)]);
  const { writes, problems } = readAnswer(report.answer.text, wantedOf(given, view).wanted);
  if (problems.length === 0 || asked.isSecond || report.answer.ended === "stopped") {
    const logs = [...notes, ...problems.map((description): StepLog => ({ description, context }))];
    const isUnreadable = problems.length > 0 && writes.length === 0;
    return { ...goOn(block, { writes, logs }), ...(isUnreadable && { failed: {} }) };
  }
  // Repeats the request with the first answer and its problems.
  const { request } = asked;
  const messages = [
    ...request.messages,
    { role: "assistant", content: report.answer.text } as const,
    {
      role: "user",
      content: `This does not fit: ${problems.join("; ")}. Answer with the whole JSON object once more.`,
    } as const,
  ];
  const again = { ...request, messages };
  return {
    kind: "perform",
    effect: again,
    memo: { request: again, isSecond: true },
    ...(notes.length > 0 && { logs: notes }),
  };
}

/** Returns the variables to extract. If two variables share a name, the first is used and `twice` contains the name. */
function wantedOf({ variablesToExtract = [] }: Options, view: View): { wanted: Wanted[]; twice: string[] } {
  const byName = new Map<string, Wanted>();
  const twice: string[] = [];
  for (const { variableId, isRequired = true, ...described } of variablesToExtract) {
    const name = variableId === undefined ? "" : view.variables.nameOf(variableId);
    if (variableId === undefined || name === "") continue;
    const { type, enum: values, ...rest } = memberOf(described, view);
    const member = {
      type: isRequired ? type : ([type, "null"] as const),
      ...rest,
      ...(values && { enum: isRequired ? values : [...values, null] }),
      ...(type === "array" && { items: { type: "string" as const } }),
    };
    if (byName.has(name)) twice.push(name);
    else byName.set(name, { variableId, name, member, isRequired });
  }
  return { wanted: [...byName.values()].slice(0, limits.models.parameters), twice };
}

/**
 * Returns the schema of the answer. Every property is required because the strictest servers demand it. An optional
 * property may be null.
 */
function schemaOf(wanted: readonly Wanted[]): JsonSchema {
  return {
    type: "object",
    properties: Object.fromEntries(wanted.map(({ name, member }) => [name, member])),
    required: wanted.map(({ name }) => name),
    additionalProperties: false,
  };
}

function readAnswer(text: string, wanted: readonly Wanted[]): { writes: Write[]; problems: string[] } {
  const found = parseJsonOr(withoutFence(text), undefined);
  if (!isJsonObject(found)) return { writes: [], problems: ["The answer is not a JSON object"] };
  const members = new Map(Object.entries(found));
  const writes: Write[] = [];
  const problems: string[] = [];
  for (const { name, variableId, member, isRequired } of wanted) {
    const value = members.get(name) ?? null;
    if (value === null && isRequired) problems.push(`The answer has no ${name}`);
    else if (value !== null && !fits(value, member))
      problems.push(`The value of ${name} has the wrong type, and was dropped`);
    else if (value !== null) writes.push({ variableId, value });
  }
  return { writes, problems };
}

function fits(value: unknown, { type, enum: values }: JsonSchemaMember): boolean {
  const [kind] = typeof type === "string" ? [type] : type;
  if (kind === "array") return Array.isArray(value) && value.every((one) => typeof one === "string");
  return typeof value === kind && (values === undefined || values.some((one) => one === value));
}

/** Removes the Markdown code fence in which models often wrap JSON. */
function withoutFence(text: string): string {
  return /^\s*```(?:json)?\s*\n([\s\S]*?)\n?\s*```\s*$/.exec(text)?.[1] ?? text;
}
