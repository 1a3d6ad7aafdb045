import { type Action, defineAction } from "../action.ts";
import { advanced, marked, option, titled } from "../options.ts";
import { placeOf, reportLog, writeOrEmpty } from "./call.ts";
import { accountAdvice, placeOptions } from "./chat-options.ts";

const context = "While creating transcription";

const options = {
  ...placeOptions,
  model: option.text("Name of the model.", "whisper-1"),
  url: marked(
    { title: "Recording", help: "The URL of a sound file, or a variable that contains it." },
    option.address("URL of the recording: a file of this chat, or any other file."),
  ),
  prompt: advanced(option.text("A prompt that helps the model to understand the recording.")),
  transcriptionVariableId: titled(
    "Save text in",
    option.writtenVariable("Id of the variable that stores the transcription."),
  ),
};

/** Converts an audio recording to text. */
export const createTranscription: Action = defineAction({
  name: "Create transcription",
  options,
  advice: accountAdvice,
  run(block, given, view) {
    const { transcriptionVariableId: variableId } = given;
    const place = placeOf(block, { ...given, model: given.model ?? "whisper-1" }, { view, context });
    if ("problem" in place) return writeOrEmpty(block, variableId, { log: place.problem });
    const [address, prompt] = [view.text(given.url).trim(), view.text(given.prompt)];
    if (address === "")
      return writeOrEmpty(block, variableId, { log: { description: "No audio URL provided", context } });
    return { kind: "perform", effect: { kind: "transcription", ...place, address, ...(prompt !== "" && { prompt }) } };
  },
  report: (block, { transcriptionVariableId: variableId }, _view, { report }) =>
    report.kind === "transcription" && "text" in report
      ? writeOrEmpty(block, variableId, { value: report.text })
      : writeOrEmpty(block, variableId, { log: reportLog(block, report, context) }),
});
