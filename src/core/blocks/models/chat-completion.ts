import { limits } from "../../../limits/index.ts";
import { nameOfProvider } from "../../credentials/providers.ts";
import type { BlockBase, BlockDefinition } from "../../interpreter/program/block.ts";
import type { BlockEditor } from "../../interpreter/program/block-editor.ts";
import type { ModelAnswer, ModelEffect, ModelMessage } from "../../interpreter/program/model.ts";
import type { Outcome } from "../../interpreter/program/outcome.ts";
import type { Write } from "../../interpreter/program/variables.ts";
import type { View } from "../../interpreter/program/view.ts";
import { type Action, defineAction, type Reported } from "../action.ts";
import { afterRound, tooLargeTool, withoutAnswer } from "./answer.ts";
import { answerBubble } from "./answer-bubble.ts";
import { callOf, goOn } from "./call.ts";
import {
  answerVariable,
  type CallOptions,
  type ChatOptions,
  chatItems,
  chatOptions,
  modelAdvice,
} from "./chat-options.ts";
import { conversationOf, endingLogs, leftOutLogs, type WrittenMessage } from "./messages.ts";
import { defineModelBlock } from "./model-block.ts";
import { firstRound } from "./rounds.ts";
import { notStreamed } from "./stream.ts";
import { toolsOf } from "./tools.ts";

const context = "While generating chat completion";

/**
 * Requests an answer from a language model and stores it in variables. The flow continues even if there is no answer.
 */
export const chatCompletion: Action = defineAction({
  name: "Create chat completion",
  options: chatOptions,
  items: chatItems,
  advice: modelAdvice,
  run: (block, options, view) => askChat(block, options, view),
  report: afterChat,
});

/** The stored options of a chat, or the converted options of an older block. */
type AskedOptions = CallOptions &
  Pick<ChatOptions, "tools" | "responseMapping"> & { readonly messages?: readonly WrittenMessage[] };

type Asking = {
  adapt?(messages: readonly ModelMessage[]): readonly ModelMessage[];
  /** The reason why the answer cannot be streamed, regardless of the next block. */
  readonly againstStreaming?: string | undefined;
  readonly effect?: Pick<ModelEffect, "isTrimmedWhenRefused">;
};

export function askChat(
  block: BlockBase,
  options: AskedOptions,
  view: View,
  { adapt = (messages) => messages, againstStreaming, effect }: Asking = {},
): Outcome {
  const { messages: all, leftOut } = conversationOf(options.messages ?? [], view);
  const messages = adapt(all);
  const variableId = answerVariable(options.responseMapping, chatItems);
  const call = callOf(block, options, { view, messages, context });
  if ("problem" in call) return withoutAnswer(block, variableId, { view, logs: [call.problem] });
  const tooLong = leftOutLogs(leftOut, context);
  if (!messages.some(({ role }) => role === "user")) {
    const none = { description: "No messages provided", context };
    return withoutAnswer(block, variableId, { view, logs: [...tooLong, none] });
  }
  const { tools, leftOut: strange } = toolsOf(options.tools, view);
  const logs = [
    ...call.logs,
    ...strange.map((name) => tooLargeTool(name, context)),
    ...notStreamed(block, variableId, view, againstStreaming),
    ...tooLong,
    ...endingLogs(messages, context),
  ];
  const offered = tools.length > 0 && { tools: tools.map((tool) => tool.offered) };
  const bubble = againstStreaming === undefined ? answerBubble(block, variableId, view) : undefined;
  return firstRound({ ...call.effect, ...effect, ...offered, ...(bubble?.isExact && { show: bubble.id }) }, logs);
}

export function afterChat(block: BlockBase, options: ChatOptions, view: View, reported: Reported): Outcome {
  const { tools } = toolsOf(options.tools, view);
  return afterRound(block, view, {
    ...reported,
    tools,
    context,
    rounds: limits.models.rounds,
    variableId: answerVariable(options.responseMapping, chatItems),
    answered: (answer, logs) => goOn(block, { writes: writesOf(options, answer), logs }),
  });
}

function writesOf({ responseMapping = [] }: ChatOptions, answer: ModelAnswer): Write[] {
  const values = partsOf(answer);
  return responseMapping.flatMap(({ item = "Message content", variableId }): Write[] =>
    variableId ? [{ variableId, value: values[item] }] : [],
  );
}

/** Returns the parts of an answer that can be stored in variables. */
export function partsOf({ text, tokens }: ModelAnswer): Readonly<Record<(typeof chatItems)[number], unknown>> {
  return {
    "Message content": text,
    "Total tokens": tokens.in + tokens.out,
    "Prompt tokens": tokens.in,
    "Completion tokens": tokens.out,
  };
}

/** Defines the block of a provider that offers only chat models. */
export function defineChatBlock(type: string, editor: Pick<BlockEditor, "icon" | "words">): BlockDefinition {
  const name = nameOfProvider(type);
  const summary = `Asks a language model of ${name} for an answer, and saves it in variables.`;
  return defineModelBlock({ type, summary, editor: { ...editor, name }, actions: [chatCompletion] });
}
