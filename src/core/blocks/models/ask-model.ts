import { type Static, Type } from "@sinclair/typebox";
import { limits } from "../../../limits/index.ts";
import type { BlockBase } from "../../interpreter/program/block.ts";
import type { ModelAnswer, ModelResponses } from "../../interpreter/program/model.ts";
import type { Outcome } from "../../interpreter/program/outcome.ts";
import type { Write } from "../../interpreter/program/variables.ts";
import type { View } from "../../interpreter/program/view.ts";
import { type Action, defineAction, type Reported } from "../action.ts";
import { advanced, mappingOption, marked, option, titled } from "../options.ts";
import { afterRound, tooLargeTool, withoutAnswer } from "./answer.ts";
import { answerBubble } from "./answer-bubble.ts";
import { callOf, goOn } from "./call.ts";
import { answerVariable, callOptions, modelAdvice } from "./chat-options.ts";
import { messageOf } from "./messages.ts";
import { firstRound } from "./rounds.ts";
import { notStreamed } from "./stream.ts";
import { toolSchema, toolsOf } from "./tools.ts";

const context = "While asking the model";

const items = ["Message", "Response ID"] as const;

const options = {
  ...callOptions,
  message: option.longText("The message to the model."),
  instructions: option.longText("Instructions for the model."),
  responseIdVariableId: marked(
    { title: "Store the conversation in", help: "While it has a value, the model remembers the conversation." },
    option.writtenVariable(
      "Id of the variable for the response id. If it has a value, the model continues that conversation.",
    ),
  ),
  fileSearchVectorStoreIds: marked(
    { title: "Vector stores to search", isAdvanced: true, help: "Ids of vector stores at the provider." },
    option.texts("Ids of vector stores at the provider that the model can search."),
  ),
  fileSearchMaxNumResults: advanced(
    marked(
      { title: "Maximum number of results", help: "From 1 to 50." },
      option.number("Maximum number of results for the model, from 1 to 50."),
    ),
  ),
  fileSearchScoreThreshold: advanced(
    marked({ title: "Minimum score", help: "From 0 to 1." }, option.number("Minimum score of a result, from 0 to 1.")),
  ),
  webSearchEnabled: advanced(titled("Search the web", option.flag("Whether the model may search the web."))),
  codeInterpreterEnabled: advanced(
    marked(
      { title: "Run code", help: "Lets the model run code at the provider." },
      option.flag("Whether the model may run code at the provider."),
    ),
  ),
  functions: Type.Optional(
    Type.Array(toolSchema, {
      description: "Tools that the model may use, in the same form as `tools`.",
      help: "The model can call tools before it answers.",
      isAdvanced: true,
    }),
  ),
  responseMapping: mappingOption(items),
};

const schema = Type.Object(options);

type Options = Static<typeof schema>;

/** Calls a model through OpenAI's Responses API, which can store conversations at the provider. */
export const askModel: Action = defineAction({
  name: "Ask Model",
  options,
  items,
  advice: modelAdvice,
  run: ask,
  report,
});

function ask(block: BlockBase, given: Options, view: View): Outcome {
  const message = messageOf(given.message ?? "", view);
  const variableId = answerVariable(given.responseMapping, items);
  const call = callOf(block, given, { view, messages: [message], context });
  const without = (log: { description: string; context?: string }) =>
    withoutAnswer(block, variableId, { view, logs: [log] });
  if ("problem" in call) return without(call.problem);
  if (message.content.trim() === "") return without({ description: "No message provided", context });
  const { tools, leftOut } = toolsOf(given.functions, view);
  const bubble = answerBubble(block, variableId, view);
  return firstRound(
    {
      ...call.effect,
      responses: responsesOf(given, view),
      ...(tools.length > 0 && { tools: tools.map(({ offered }) => offered) }),
      ...(bubble?.isExact && { show: bubble.id }),
    },
    [...call.logs, ...leftOut.map((name) => tooLargeTool(name, context)), ...notStreamed(block, variableId, view)],
  );
}

function report(block: BlockBase, given: Options, view: View, reported: Reported): Outcome {
  const { tools } = toolsOf(given.functions, view);
  return afterRound(block, view, {
    ...reported,
    tools,
    context,
    rounds: limits.models.askModelRounds,
    variableId: answerVariable(given.responseMapping, items),
    answered: (answer, logs) => goOn(block, { writes: writesOf(given, answer), logs }),
  });
}

/**
 * Returns the settings for OpenAI's Responses API. The provider stores a response only if the flow stores the
 * response's id.
 */
function responsesOf(given: Options, view: View): ModelResponses {
  const { responseIdVariableId: idVariable, fileSearchVectorStoreIds = [] } = given;
  const instructions = view.text(given.instructions);
  const before = idVariable === undefined ? null : view.variables.get(idVariable);
  const mapsId = given.responseMapping?.some(({ item, variableId }) => item === "Response ID" && variableId) ?? false;
  const { fileSearchMaxNumResults: most, fileSearchScoreThreshold: least } = given;
  const vectorStoreIds = fileSearchVectorStoreIds.map((id) => view.text(id).trim()).filter((id) => id !== "");
  const fileSearch = {
    vectorStoreIds,
    ...(most !== undefined && most >= 1 && most <= 50 && { maxNumResults: Math.floor(most) }),
    ...(least !== undefined && least >= 0 && least <= 1 && { scoreThreshold: least }),
  };
  return {
    ...(instructions.trim() !== "" && { instructions }),
    isStored: idVariable !== undefined || mapsId,
    ...(typeof before === "string" && { previousResponseId: before }),
    ...(vectorStoreIds.length > 0 && { fileSearch }),
    ...(given.webSearchEnabled && { usesWebSearch: true }),
    ...(given.codeInterpreterEnabled && { usesCodeInterpreter: true }),
  };
}

function writesOf({ responseMapping = [], responseIdVariableId }: Options, { text, responseId }: ModelAnswer): Write[] {
  const values = { Message: text, "Response ID": responseId ?? null };
  return [
    ...(responseIdVariableId && responseId !== undefined
      ? [{ variableId: responseIdVariableId, value: responseId }]
      : []),
    ...responseMapping.flatMap(({ item = "Message", variableId }): Write[] =>
      variableId ? [{ variableId, value: values[item] }] : [],
    ),
  ];
}
