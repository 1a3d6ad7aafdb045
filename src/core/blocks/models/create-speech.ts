import { type Action, defineAction } from "../action.ts";
import { marked, option, titled } from "../options.ts";
import { placeOf, reportLog, writeOrEmpty } from "./call.ts";
import { accountAdvice, placeOptions } from "./chat-options.ts";

const context = "While creating speech";

export const voices = ["alloy", "ash", "coral", "echo", "fable", "nova", "onyx", "sage", "shimmer"];

export const speechOptions = {
  input: titled("Text", option.longText("The text to speak.")),
  saveUrlInVariableId: marked(
    { title: "Save URL in", help: "Stores the URL of the recording." },
    option.writtenVariable("Id of the variable that stores the URL of the recording (MP3)."),
  ),
};

const options = {
  ...placeOptions,
  model: option.text("Name of the model.", "tts-1"),
  input: speechOptions.input,
  voice: option.suggested(voices, "Name of the voice at the provider."),
  instructions: option.longText("Instructions for the voice, for models that support them."),
  saveUrlInVariableId: speechOptions.saveUrlInVariableId,
};

/** Converts text to speech. The recording is a file of the result and is deleted with the result. */
export const createSpeech: Action = defineAction({
  name: "Create speech",
  options,
  advice: accountAdvice,
  run(block, given, view) {
    const { saveUrlInVariableId: variableId } = given;
    const place = placeOf(block, { ...given, model: given.model ?? "tts-1" }, { view, context });
    if ("problem" in place) return writeOrEmpty(block, variableId, { log: place.problem });
    const [input, voice, instructions] = [
      view.text(given.input),
      view.text(given.voice),
      view.text(given.instructions),
    ];
    const missing = input.trim() === "" ? "input" : voice.trim() === "" ? "voice" : undefined;
    if (missing) return writeOrEmpty(block, variableId, { log: { description: `No ${missing} provided`, context } });
    const effect = { kind: "speech", ...place, blockId: block.id, input, voice: voice.trim() } as const;
    return { kind: "perform", effect: { ...effect, ...(instructions !== "" && { instructions }) } };
  },
  report: (block, { saveUrlInVariableId: variableId }, _view, { report }) =>
    report.kind === "speech" && "url" in report
      ? writeOrEmpty(block, variableId, { value: report.url })
      : writeOrEmpty(block, variableId, { log: reportLog(block, report, context) }),
});
