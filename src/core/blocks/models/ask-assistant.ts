import type { BlockBase } from "../../interpreter/program/block.ts";
import type { Outcome } from "../../interpreter/program/outcome.ts";
import type { View } from "../../interpreter/program/view.ts";
import { type Action, defineAction } from "../action.ts";
import { advanced, hiddenFromGuests, mappingOption, option } from "../options.ts";
import { withoutAnswer } from "./answer.ts";
import { answerVariable, placeOptions } from "./chat-options.ts";

const kept = "Stored, but no longer used.";

const items = ["Message", "Thread ID"] as const;

const options = {
  ...placeOptions,
  assistantId: option.kept(kept),
  threadVariableId: advanced(option.writtenVariable(kept)),
  threadId: option.kept(kept),
  message: option.text(kept),
  additionalInstructions: option.kept(kept),
  functions: option.list(kept, { name: option.text(kept), code: hiddenFromGuests(option.code(kept)) }),
  responseMapping: mappingOption(items),
};

const assistantsAreOff = 'OpenAI switched the Assistants API off on 2026-08-26: use the action "Ask Model"';

/** The action of older flows that use OpenAI's assistants. OpenAI has shut down its assistants. */
export const askAssistant: Action = defineAction({
  name: "Ask Assistant",
  isRetired: true,
  options,
  items,
  advice: () => assistantsAreOff,
  run: (block, given, view) => without(block, answerVariable(given.responseMapping, items), view),
  report: (block, given, view) => without(block, answerVariable(given.responseMapping, items), view),
});

function without(block: BlockBase, variableId: string | undefined, view: View): Outcome {
  return withoutAnswer(block, variableId, { view, logs: [{ description: assistantsAreOff }] });
}
