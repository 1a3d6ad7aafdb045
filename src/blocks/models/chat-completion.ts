import { type Static, type TProperties, Type } from "@sinclair/typebox";
import { type BlockBase, type BlockDefinition, type BlockExample, defineIntegration } from "../../interpreter/block.ts";
import type { ModelFailure, ModelMessage, Report } from "../../interpreter/effect.ts";
import { continueAfter, type Outcome, type StepLog } from "../../interpreter/outcome.ts";
import type { Write } from "../../interpreter/variables.ts";
import type { View } from "../../interpreter/view.ts";
import { limits } from "../../limits.ts";
import {
  codeOption,
  flagOption,
  hiddenFromGuests,
  numberOption,
  numberOrVariableOption,
  readVariableOption,
  textOption,
  wordOption,
  writtenVariableOption,
} from "../options.ts";
import { conversationOf } from "./messages.ts";

const items = ["Message content", "Total tokens", "Prompt tokens", "Completion tokens"] as const;

const action = "Create chat completion";

const optionsSchema = Type.Object({
  action: textOption(`What is done: \`${action}\`. Without it, and with any other, the block does nothing but log it.`),
  credentialsId: textOption("Id of the workspace's credentials of this type."),
  baseUrl: textOption("Address of the API, where its origin is that of the credentials; absent: theirs."),
  apiVersion: textOption("The query parameter `api-version`, which Azure asks for."),
  model: textOption("Name of the model, as its provider writes it."),
  messages: Type.Optional(
    Type.Array(
      Type.Object({
        role: wordOption(["system", "user", "assistant", "Dialogue"], "Who says it; `Dialogue`: a list of turns."),
        content: textOption("What is said. A message that is blank is left out."),
        dialogueVariableId: readVariableOption("Id of the variable that holds the turns of a `Dialogue`."),
        startsBy: wordOption(["user", "assistant"], "Whose the first turn of a `Dialogue` is.", "user"),
      }),
      { description: "What the model is told. Those of `system` come first." },
    ),
  ),
  tools: Type.Optional(
    Type.Array(
      Type.Object({
        type: textOption("`function`."),
        name: textOption("Its name."),
        description: textOption("What it is for, for the model."),
        parameters: Type.Optional(
          Type.Array(
            Type.Object({
              type: wordOption(["string", "number", "boolean", "enum"], "What it takes."),
              name: textOption("Its name."),
              description: textOption("What it means, for the model."),
              required: flagOption("Whether the model has to give it.", true),
            }),
            { description: "What it is called with." },
          ),
        ),
        code: hiddenFromGuests(codeOption("JavaScript that gives its value.")),
      }),
      { description: "Kept, and not offered to the model yet; the log says so." },
    ),
  ),
  temperature: numberOrVariableOption(
    "From 0 to 2: how freely the model chooses its words. Absent: as the model does.",
  ),
  maxTokens: numberOption(
    `The most tokens of the answer, up to ${limits.models.mostTokens}. Absent: as the model does.`,
  ),
  responseMapping: Type.Optional(
    Type.Array(
      Type.Object({
        item: wordOption(items, "What the variable gets.", "Message content"),
        variableId: writtenVariableOption("Id of the variable that is set."),
      }),
      { description: "What variables take from the answer. Where there is none, that of the message is emptied." },
    ),
  ),
  timeout: numberOption(
    `Seconds to wait for the answer, further tries included, at most ${limits.models.mostSeconds}.`,
    limits.models.seconds,
  ),
});

const schema = Type.Object({ options: Type.Optional(optionsSchema) });

type Options = Static<typeof optionsSchema>;
type ModelBlock = BlockBase & Static<typeof schema>;

const context = "While generating chat completion";

/** A block that asks a language model for an answer, at servers that speak OpenAI's language. Whatever comes of it, the flow goes on. */
export function defineChatCompletion({
  type,
  provider,
  kept,
  examples = [],
}: {
  readonly type: string;
  readonly provider: string;
  /** Options of actions that are not served yet. */
  readonly kept?: TProperties;
  readonly examples?: readonly BlockExample[];
}): BlockDefinition {
  const definition = defineIntegration({
    type,
    summary: `Asks a language model of ${provider} for an answer, and gives it to variables.`,
    schema,
    examples: [...examples, notConfigured(type)],
    run: (block, view) => ask(block, view),
    report: (block, _view, report) => goOn(block, report),
  });
  if (!kept) return definition;
  const options = Type.Object({ ...optionsSchema.properties, ...kept });
  return { ...definition, schema: Type.Object({ options: Type.Optional(options) }) };
}

function notConfigured(type: string): BlockExample {
  return {
    title: "Without an action it does nothing; the log says so.",
    block: { options: { model: `any model of ${type}` } },
    expect: { messages: [], actions: [] },
  };
}

function ask(block: ModelBlock, view: View): Outcome {
  const { type, options = {} } = block;
  if (!options.action) return withLog(block, { description: `${type} is not configured` });
  if (options.action !== action) {
    return withLog(block, {
      description: `The action "${options.action}" is not served here; it was passed over`,
      status: "info",
    });
  }
  const model = view.text(options.model).trim();
  if (model === "") return failedWith(block, { description: "No model provided", context });
  const credentialsId = view.text(options.credentialsId);
  if (credentialsId === "") return failedWith(block, missingCredentials(block));
  const { messages, leftOut } = conversationOf(options.messages ?? [], view);
  if (!messages.some(({ role }) => role === "user")) {
    return failedWith(block, { description: "No messages provided", context });
  }
  const temperature = temperatureOf(options, view);
  const logs: StepLog[] = [];
  if (temperature === "wrong") logs.push(note("The temperature is no number from 0 to 2: it was left out"));
  if (options.tools?.length) logs.push(note("Tools are not served here yet: the model is not offered any"));
  if (leftOut > 0) logs.push(note(`The conversation is too long: its oldest messages (${leftOut}) were left out`));
  const effect = effectOf(type, { ...options, model, credentialsId }, { view, messages });
  return {
    kind: "perform",
    effect: { ...effect, ...(typeof temperature === "number" && { temperature }) },
    ...(logs.length > 0 && { logs }),
  };
}

function effectOf(
  credentialsType: string,
  { model, credentialsId, baseUrl, apiVersion, maxTokens, timeout }: Options & { model: string; credentialsId: string },
  { view, messages }: { view: View; messages: readonly ModelMessage[] },
) {
  const [address, version] = [view.text(baseUrl), view.text(apiVersion)];
  const seconds = Math.min(Math.max(timeout ?? limits.models.seconds, 1), limits.models.mostSeconds);
  const isCount = maxTokens !== undefined && Number.isInteger(maxTokens) && maxTokens >= 1;
  return {
    kind: "model",
    credentialsType,
    credentialsId,
    ...(address !== "" && { baseUrl: address }),
    ...(version !== "" && { apiVersion: version }),
    model,
    messages,
    ...(isCount && maxTokens <= limits.models.mostTokens && { maxTokens }),
    timeoutMs: seconds * 1_000,
  } as const;
}

function temperatureOf({ temperature }: Options, view: View): number | "wrong" | undefined {
  const text = typeof temperature === "string" ? view.text(temperature).trim() : temperature;
  if (text === undefined || text === "") return undefined;
  const value = Number(text);
  return value >= 0 && value <= 2 ? value : "wrong";
}

function goOn(block: ModelBlock, report: Report): Outcome {
  if (report.kind !== "model") {
    const description = report.kind === "refused" ? report.reason : "The model was not called";
    return failedWith(block, { status: "info", description, context });
  }
  if ("failure" in report) return failedWith(block, failureLog(block, report.failure));
  const { text, ended, tokens } = report.answer;
  const values = {
    "Message content": text,
    "Total tokens": tokens.in + tokens.out,
    "Prompt tokens": tokens.in,
    "Completion tokens": tokens.out,
  };
  const writes = (block.options?.responseMapping ?? []).flatMap(({ item = "Message content", variableId }): Write[] =>
    variableId ? [{ variableId, value: values[item] }] : [],
  );
  const log = endingLogs[ended];
  return { ...continueAfter(block), writes, ...(log && { logs: [log] }) };
}

const endingLogs: Readonly<Record<string, StepLog>> = {
  length: note("The answer reached the most that it may have, and ends there"),
  cut: note("The answer was cut off by its provider, and ends there"),
  filtered: { description: "The provider withheld a part of the answer", context },
};

/** A bubble must not show an earlier answer as if it were this one. */
function failedWith(block: ModelBlock, log: StepLog): Outcome {
  const writes = (block.options?.responseMapping ?? []).flatMap(({ item = "Message content", variableId }): Write[] =>
    variableId && item === "Message content" ? [{ variableId, value: null }] : [],
  );
  return { ...continueAfter(block), logs: [log], writes };
}

function withLog(block: ModelBlock, log: StepLog): Outcome {
  return { ...continueAfter(block), logs: [log] };
}

function failureLog(block: ModelBlock, { reason, status, details }: ModelFailure): StepLog {
  if (reason === "credentials") return { ...missingCredentials(block), ...(details && { details }) };
  const told = [...(status === undefined ? [] : [`status ${status}`]), ...(details ? [details] : [])].join(": ");
  return { description: sentences[reason], ...(told && { details: told }), context };
}

const sentences: Readonly<Record<Exclude<ModelFailure["reason"], "credentials">, string>> = {
  address: "The model was not called, because its address is not allowed",
  key: "The provider refused the key",
  credit: "The account at the provider has no credit",
  model: "The provider does not know the model",
  requests: "The provider gets too many requests from this account",
  overloaded: "The provider is overloaded or out of order",
  "too long": "The conversation is too long for the model",
  withheld: "The provider withheld the answer",
  unreachable: "The provider cannot be reached",
  time: "The model took too long",
  refused: "The provider refused the request",
  unreadable: "The provider's answer cannot be read",
  empty: "The model's answer is empty",
};

function missingCredentials({ type }: BlockBase): StepLog {
  return { description: `Could not find credentials for block ${type}` };
}

function note(description: string): StepLog {
  return { status: "info", description, context };
}
