import type { BlockBase } from "../../interpreter/program/block.ts";
import type { Outcome, StepLog } from "../../interpreter/program/outcome.ts";
import type { View } from "../../interpreter/program/view.ts";
import { option, titled } from "../options.ts";
import { type Action, defineAction } from "./action.ts";
import { failureLog, goOn, info, placeOf } from "./call.ts";
import { accountAdvice, placeOptions } from "./chat-options.ts";

const context = "While creating speech";

export const voices = ["alloy", "ash", "coral", "echo", "fable", "nova", "onyx", "sage", "shimmer"];

const options = {
  ...placeOptions,
  model: option.text("Name of the model.", "tts-1"),
  input: titled("Text", option.longText("What is spoken.")),
  voice: option.suggested(voices, "Whose voice, as the provider names it."),
  instructions: option.longText("How it is spoken, for models that take that."),
  saveUrlInVariableId: titled(
    "Save address in",
    option.writtenVariable("Id of the variable that gets the address of the recording (mp3)."),
  ),
};

/** Turns a text into speech. The recording is a file of the result, and erased with it. */
export const createSpeech: Action = defineAction({
  name: "Create speech",
  options,
  advice: accountAdvice,
  run(block, given, view) {
    const { saveUrlInVariableId: variableId } = given;
    const place = placeOf(block, { ...given, model: given.model ?? "tts-1" }, { view, context });
    if ("problem" in place) return without(block, variableId, [place.problem]);
    const [input, voice, instructions] = [
      view.text(given.input),
      view.text(given.voice),
      view.text(given.instructions),
    ];
    const missing = input.trim() === "" ? "input" : voice.trim() === "" ? "voice" : undefined;
    if (missing) return without(block, variableId, [{ description: `No ${missing} provided`, context }]);
    const effect = { kind: "speech", ...place, blockId: block.id, input, voice: voice.trim() } as const;
    return { kind: "perform", effect: { ...effect, ...(instructions !== "" && { instructions }) } };
  },
  report(block, { saveUrlInVariableId: variableId }, _view: View, { report }) {
    if (report.kind !== "speech") {
      const reason = report.kind === "refused" ? report.reason : "The model was not called";
      return without(block, variableId, [info(reason, context)]);
    }
    if ("failure" in report) return without(block, variableId, [failureLog(block, report.failure, context)]);
    return goOn(block, { writes: variableId ? [{ variableId, value: report.url }] : [], logs: [] });
  },
});

/** A player must not play an earlier recording as if it were this one. */
function without(block: BlockBase, variableId: string | undefined, logs: readonly StepLog[]): Outcome {
  return goOn(block, { writes: variableId ? [{ variableId, value: null }] : [], logs });
}
