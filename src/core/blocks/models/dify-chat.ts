import { limits } from "../../../limits/index.ts";
import type { ModelAnswer, ModelApp, ModelEffect } from "../../interpreter/program/model.ts";
import type { Write } from "../../interpreter/program/variables.ts";
import type { View } from "../../interpreter/program/view.ts";
import { type Action, defineAction } from "../action.ts";
import { advanced, helped, mappingOption, marked, option, titled } from "../options.ts";
import { afterRound, withoutAnswer } from "./answer.ts";
import { answerBubble } from "./answer-bubble.ts";
import { goOn, placeOf } from "./call.ts";
import { accountAdvice, answerVariable, placeOptions } from "./chat-options.ts";
import { firstRound } from "./rounds.ts";
import { notStreamed } from "./stream.ts";

const context = "While creating chat message";

const items = ["Answer", "Conversation ID", "Total Tokens"] as const;

/** The default user name of the reference product. Dify finds a conversation only for the user who started it. */
const usualUser = "system@typebot.io";

const { credentialsId, timeout } = placeOptions;

const options = {
  credentialsId,
  query: titled("Message", option.longText("The message to the app, or the text to look up.")),
  conversationVariableId: marked(
    { title: "Store the conversation in", help: "While it has a value, the same conversation continues." },
    option.writtenVariable(
      "Id of the variable for the conversation's id. If the variable has a value, that conversation continues.",
    ),
  ),
  user: advanced(
    helped(
      "The user to whom the conversation belongs at Dify.",
      option.text("The user to whom the conversation belongs at Dify.", usualUser),
    ),
  ),
  inputs: titled(
    "Inputs of the app",
    option.list("Values for the inputs of the app.", {
      key: titled("Name", option.text("Name of the input.")),
      value: option.longText("Value of the input."),
    }),
  ),
  timeout,
  responseMapping: mappingOption(items),
};

/** Sends a message to a Dify app. The answer is streamed like the answers of models. */
export const difyChat: Action = defineAction({
  name: "Create Chat Message",
  options,
  items,
  advice: accountAdvice,
  run(block, given, view) {
    const variableId = answerVariable(given.responseMapping, items);
    const query = view.text(given.query);
    const place = placeOf(block, { ...given, model: "dify" }, { view, context });
    const without = (log: { description: string; context?: string }) =>
      withoutAnswer(block, variableId, { view, logs: [log] });
    if ("problem" in place) return without(place.problem);
    if (query.trim() === "") return without({ description: "No message provided", context });
    const bubble = answerBubble(block, variableId, view);
    const effect: ModelEffect = {
      kind: "model",
      ...place,
      app: appOf(given, view),
      messages: [{ role: "user", content: query }],
      ...(bubble?.isExact && { show: bubble.id }),
    };
    return firstRound(effect, notStreamed(block, variableId, view));
  },
  report: (block, given, view, reported) =>
    afterRound(block, view, {
      ...reported,
      tools: [],
      context,
      rounds: 1,
      variableId: answerVariable(given.responseMapping, items),
      answered: (answer, logs) => goOn(block, { writes: writesOf(given, answer), logs }),
    }),
});

type Given = {
  readonly user?: string;
  readonly inputs?: readonly { readonly key?: string; readonly value?: string }[];
  readonly conversationVariableId?: string;
  readonly responseMapping?: readonly { readonly item?: (typeof items)[number]; readonly variableId?: string }[];
};

function appOf({ user, inputs = [], conversationVariableId: kept }: Given, view: View): ModelApp {
  const before = kept === undefined ? null : view.variables.get(kept);
  const named = inputs.slice(0, limits.models.appInputs).flatMap(({ key, value }): [string, string][] => {
    const name = view.text(key).trim();
    return name === "" ? [] : [[name, view.text(value)]];
  });
  return {
    user: view.text(user).trim() || usualUser,
    inputs: Object.fromEntries(named),
    ...(typeof before === "string" && before !== "" && { conversationId: before }),
  };
}

function writesOf({ responseMapping = [], conversationVariableId }: Given, answer: ModelAnswer): Write[] {
  const { text, responseId, tokens } = answer;
  const values = { Answer: text, "Conversation ID": responseId ?? null, "Total Tokens": tokens.in + tokens.out };
  return [
    ...(conversationVariableId && responseId !== undefined
      ? [{ variableId: conversationVariableId, value: responseId }]
      : []),
    ...responseMapping.flatMap(({ item = items[0], variableId }): Write[] =>
      variableId ? [{ variableId, value: values[item] }] : [],
    ),
  ];
}
