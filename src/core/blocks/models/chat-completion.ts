import { limits } from "../../../limits/index.ts";
import type { BlockBase } from "../../interpreter/program/block.ts";
import type { ModelAnswer, ModelMessage } from "../../interpreter/program/model.ts";
import type { Outcome, StepLog } from "../../interpreter/program/outcome.ts";
import type { Write } from "../../interpreter/program/variables.ts";
import type { View } from "../../interpreter/program/view.ts";
import { type Action, defineAction, type Reported } from "./action.ts";
import { afterRound, tooLargeTool, withoutAnswer } from "./answer.ts";
import { answerBubble } from "./answer-bubble.ts";
import { callOf, goOn } from "./call.ts";
import { type ChatOptions, chatItems, chatOptions, modelAdvice } from "./chat-options.ts";
import { conversationOf, endingLogs, leftOutLogs } from "./messages.ts";
import { firstRound } from "./rounds.ts";
import { notStreamed } from "./stream.ts";
import { toolsOf } from "./tools.ts";

const context = "While generating chat completion";

/** Asks a language model for an answer, and writes it to variables. The flow goes on with or without an answer. */
export const chatCompletion: Action = defineAction({
  name: "Create chat completion",
  options: chatOptions,
  items: chatItems,
  advice: modelAdvice,
  run: (block, options, view) => askChat(block, options, view),
  report: afterChat,
});

export function askChat(
  block: BlockBase,
  options: ChatOptions,
  view: View,
  /** Adapts messages to a provider's API. */
  adapt: (messages: readonly ModelMessage[]) => readonly ModelMessage[] = (messages) => messages,
): Outcome {
  const { messages: all, leftOut } = conversationOf(options.messages ?? [], view);
  const messages = adapt(all);
  const variableId = answerVariable(options);
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
    ...notStreamed(block, variableId, view),
    ...tooLong,
    ...endingLogs(messages, context),
  ];
  const offered = tools.length > 0 && { tools: tools.map((tool) => tool.offered) };
  const bubble = answerBubble(block, variableId, view);
  return firstRound({ ...call.effect, ...offered, ...(bubble?.isExact && { show: bubble.id }) }, logs);
}

export function afterChat(block: BlockBase, options: ChatOptions, view: View, reported: Reported): Outcome {
  const { tools } = toolsOf(options.tools, view);
  return afterRound(block, view, {
    ...reported,
    tools,
    context,
    rounds: limits.models.rounds,
    variableId: answerVariable(options),
    answered: (answer: ModelAnswer, logs: readonly StepLog[]) =>
      goOn(block, { writes: writesOf(options, answer), logs }),
  });
}

function writesOf({ responseMapping = [] }: ChatOptions, { text, tokens }: ModelAnswer): Write[] {
  const values = {
    "Message content": text,
    "Total tokens": tokens.in + tokens.out,
    "Prompt tokens": tokens.in,
    "Completion tokens": tokens.out,
  };
  return responseMapping.flatMap(({ item = "Message content", variableId }): Write[] =>
    variableId ? [{ variableId, value: values[item] }] : [],
  );
}

/** The variable that gets the answer's text. */
function answerVariable({ responseMapping = [] }: ChatOptions): string | undefined {
  return responseMapping.find(({ item = "Message content", variableId }) => variableId && item === "Message content")
    ?.variableId;
}
