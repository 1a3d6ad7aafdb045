import { type Static, Type } from "@sinclair/typebox";
import { limits } from "../../../limits/index.ts";
import { type BlockBase, defineIntegration } from "../../interpreter/program/block.ts";
import type { ModelAnswer, ModelFailure } from "../../interpreter/program/model.ts";
import { continueAfter, type Outcome, type StepLog } from "../../interpreter/program/outcome.ts";
import type { Write } from "../../interpreter/program/variables.ts";
import type { View } from "../../interpreter/program/view.ts";
import type { Reported } from "../action.ts";
import { advanced, helped, marked, option, shownWhen, titled } from "../options.ts";
import { afterRound, withoutAnswer } from "./answer.ts";
import { failureLog, goOn } from "./call.ts";
import { askChat, partsOf } from "./chat-completion.ts";
import { accountAdvice, answerVariable, chatItems, dialogueOptions, placeOptions } from "./chat-options.ts";
import { createSpeech, speechOptions, voices } from "./create-speech.ts";
import examples from "./examples.json";
import type { WrittenMessage } from "./messages.ts";
import { legacyStreamAction, unlessStreamed } from "./stream.ts";

const context = "While generating chat completion";
const roles = ["system", "user", "assistant", "Dialogue"] as const;
const sequence = "Messages sequence ✨";

const chat = { task: ["Create chat completion"] };
const speech = { task: ["Create speech"] };

const optionsSchema = Type.Object({
  task: titled(
    "Action",
    option.word(
      ["Create chat completion", "Create speech", "Create image"],
      "The action. Without an action, or with `Create image`, the block has no effect.",
    ),
  ),
  credentialsId: option.credentials("Id of the workspace's credentials of the type `openai`.", {
    credentialsType: "openai",
  }),
  baseUrl: placeOptions.baseUrl,
  apiVersion: placeOptions.apiVersion,
  model: option.text("Name of the model.", "gpt-3.5-turbo"),
  messages: shownWhen(
    chat,
    option.list("The messages to the model. Messages with the role `system` come first.", {
      role: option.word([...roles, sequence], "Sender of the message, or its source."),
      content: Type.Optional(
        Type.Union(
          [
            Type.String(),
            Type.Object({
              assistantMessagesVariableId: titled(
                "Messages of the model",
                option.readVariable("Id of the variable with the model's messages."),
              ),
              userMessagesVariableId: titled(
                "Messages of the visitor",
                option.readVariable("Id of the variable with the visitor's messages."),
              ),
            }),
          ],
          {
            title: "Text",
            description: "Text of the message. For a sequence, the variables with the messages of both sides.",
            widget: "either",
            shownWhen: { role: ["system", "user", "assistant", sequence] },
          },
        ),
      ),
      name: option.kept("Stored, but not sent to models."),
      ...dialogueOptions,
    }),
  ),
  advancedSettings: marked(
    { isAdvanced: true, shownWhen: chat },
    option.part("Settings for the answer.", {
      temperature: helped(
        "From 0 (nearly the same answer each time) to 2 (very varied).",
        option.numberOrVariable("Randomness of the answer, from 0 to 2."),
      ),
    }),
  ),
  responseMapping: marked(
    { title: "Save in variables", shownWhen: chat },
    option.list("Parts of the answer to save in variables.", {
      valueToExtract: titled(
        "Part",
        option.word(
          chatItems,
          "Part of the answer. If the variable is a list, the message is appended to it.",
          "Message content",
        ),
      ),
      variableId: option.writtenVariable("Id of the variable to set."),
    }),
  ),
  input: shownWhen(speech, speechOptions.input),
  voice: shownWhen(speech, option.suggested(voices, "Name of the voice at OpenAI.")),
  saveUrlInVariableId: shownWhen(speech, speechOptions.saveUrlInVariableId),
  failure: option.failure,
  timeout: advanced(
    helped(
      `In seconds, up to ${limits.models.mostSeconds}.`,
      option.number(
        `Maximum number of seconds to wait for the answer, up to ${limits.models.mostSeconds}.`,
        limits.models.seconds,
      ),
    ),
  ),
});

type Options = Static<typeof optionsSchema>;

/** The block type of flows created before the `openai` type existed. */
export const legacyOpenai = defineIntegration({
  type: "OpenAI",
  schemaName: "LegacyOpenAi",
  summary: "The older version of `openai`: asks a language model, or converts a text to speech.",
  schema: Type.Object({ options: Type.Optional(optionsSchema) }),
  callsOut: () => ({ writes: false }),
  advice({ options: { task, ...options } = {} }) {
    return task === undefined || task === "Create image" ? undefined : accountAdvice(options);
  },
  answerVariable: ({ options: { task, ...options } = {} }) =>
    task === "Create chat completion" ? answerVariable(mappingOf(options), chatItems) : undefined,
  run(block, view) {
    const { options = {} } = block;
    switch (options.task) {
      case "Create chat completion":
        return unlessStreamed(ask(block, options, view), view, legacyStreamAction);
      case "Create speech":
        return createSpeech.run(asOpenai(block), options, view);
      default:
        return continueAfter(block);
    }
  },
  resume: (block, view) => ask(block, block.options ?? {}, view),
  report(block, view, report, memo) {
    const { options = {} } = block;
    if (options.task === "Create speech") return createSpeech.report(asOpenai(block), options, view, { report, memo });
    return afterAnswer(block, options, view, { report, memo });
  },
  editor: {
    name: "OpenAI (older)",
    icon: "brain-circuit",
    family: "thinks",
    words: ["gpt", "chatgpt", "ai", "legacy"],
    row: ["{options.task}"],
    related: ["openai"],
  },
  examples: examples["OpenAI"],
});

/** Returns the block with the type `openai`, because its credentials have that type. */
function asOpenai({ id, outgoingEdgeId }: BlockBase): BlockBase {
  return { id, type: "openai", ...(outgoingEdgeId !== undefined && { outgoingEdgeId }) };
}

function ask(block: BlockBase, options: Options, view: View): Outcome {
  const { credentialsId, model = "gpt-3.5-turbo", advancedSettings: { temperature } = {} } = options;
  const responseMapping = mappingOf(options);
  const variableId = answerVariable(responseMapping, chatItems);
  if (!credentialsId) return keepingLists(withoutAnswer(block, variableId, { view, logs: [noAccount] }), view);
  const messages = (options.messages ?? []).flatMap((message) => turnsOf(message, view));
  const asked = { ...options, model, messages, responseMapping, ...(temperature !== undefined && { temperature }) };
  const againstStreaming = isList(variableId, view) ? "its variable contains a list" : undefined;
  const effect = { isTrimmedWhenRefused: true };
  return keepingLists(askChat(asOpenai(block), asked, view, { againstStreaming, effect }), view);
}

function mappingOf({ responseMapping = [] }: Options) {
  return responseMapping.map(({ valueToExtract: item = chatItems[0], ...rest }) => ({ item, ...rest }));
}

const noAccount: StepLog = { description: "Make sure to select an OpenAI account", context, reason: "credentials" };

type Written = NonNullable<Options["messages"]>[number];

function turnsOf({ role: named, content, dialogueVariableId, startsBy }: Written, view: View): WrittenMessage[] {
  const role = roles.find((one) => one === named);
  if (role === undefined) return named === sequence ? sequenceOf(content, view) : [];
  const text = typeof content === "string" ? content : undefined;
  return [
    {
      role,
      ...(text !== undefined && { content: text }),
      ...(dialogueVariableId !== undefined && { dialogueVariableId }),
      ...(startsBy && { startsBy }),
    },
  ];
}

/**
 * Returns messages that alternate between the assistant's list and the user's list, starting with the longer list. The
 * items are not evaluated as templates.
 */
function sequenceOf(content: Written["content"], view: View): WrittenMessage[] {
  const { assistantMessagesVariableId, userMessagesVariableId } = typeof content === "object" ? content : {};
  const [assistant, user] = [assistantMessagesVariableId, userMessagesVariableId].map((id) => listIn(id, view));
  const sides = [
    { role: "assistant", items: assistant ?? [] },
    { role: "user", items: user ?? [] },
  ] as const;
  const [first, second] = (user?.length ?? 0) > (assistant?.length ?? 0) ? [sides[1], sides[0]] : sides;
  return first.items.flatMap((item, index): WrittenMessage[] => [
    { role: first.role, spoken: item ?? "" },
    { role: second.role, spoken: second.items[index] ?? "" },
  ]);
}

function listIn(id: string | undefined, view: View): readonly (string | null)[] {
  const value = id === undefined ? null : view.variables.get(id);
  return typeof value === "string" ? [value] : (value ?? []);
}

function afterAnswer(block: BlockBase, options: Options, view: View, reported: Reported): Outcome {
  const outcome = afterRound(block, view, {
    ...reported,
    tools: [],
    context,
    rounds: 1,
    variableId: answerVariable(mappingOf(options), chatItems),
    answered: (answer, logs) => goOn(block, { writes: writesOf(options, answer, view), logs }),
    failureLog: logOf,
  });
  return keepingLists(outcome, view);
}

/**
 * Drops writes that would clear a list. A list contains the conversation and must stay unchanged if there is no answer.
 */
function keepingLists(outcome: Outcome, view: View): Outcome {
  const { writes = [] } = outcome;
  return { ...outcome, writes: writes.filter(({ variableId, value }) => value !== null || !isList(variableId, view)) };
}

function isList(variableId: string | undefined, view: View): boolean {
  return variableId !== undefined && Array.isArray(view.variables.get(variableId));
}

function logOf(block: BlockBase, failure: ModelFailure): StepLog {
  const { status, reason } = failure;
  if (reason === "credentials") return { ...noAccount, ...(failure.details && { details: failure.details }) };
  const log = failureLog(block, failure, context);
  if (status === undefined) return log;
  const { description, details } = log;
  return {
    ...log,
    description: `OpenAI API error - ${status}`,
    details: details ? `${description}: ${details}` : description,
  };
}

function writesOf(options: Options, answer: ModelAnswer, view: View): Write[] {
  const values = partsOf(answer);
  return mappingOf(options).flatMap(({ item, variableId }): Write[] => {
    if (!variableId) return [];
    const before = item === "Message content" ? view.variables.get(variableId) : null;
    return [{ variableId, value: Array.isArray(before) ? [...before, answer.text] : values[item] }];
  });
}
