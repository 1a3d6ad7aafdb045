import { limits } from "../../../limits/index.ts";
import { valueAt } from "../../interpreter/flow.ts";
import type { Report } from "../../interpreter/program/effect.ts";
import { optionsIn, type RemoteField, type RemoteOption } from "../../interpreter/program/remote-field.ts";
import { type Action, defineAction } from "../action.ts";
import { advanced, marked, option, titled } from "../options.ts";
import { missingCredentials, reportLog, writeOrEmpty } from "./call.ts";
import { accountAdvice, placeOptions } from "./chat-options.ts";
import { speechOptions } from "./create-speech.ts";
import { defineModelBlock } from "./model-block.ts";

const context = "While creating speech";

const usualModel = "eleven_multilingual_v2";

const convert: Action = defineAction({
  name: "Convert text to speech",
  options: {
    credentialsId: placeOptions.credentialsId,
    text: marked(
      { title: "Text", help: `Up to ${limits.models.spokenCharacters} characters.` },
      option.longText(`The text to speak, at most ${limits.models.spokenCharacters} characters.`),
    ),
    voiceId: titled("Voice", option.remote("Id of the voice.", ["credentialsId"])),
    modelId: advanced(titled("Model", option.remote("Id of the model.", ["credentialsId"], usualModel))),
    saveUrlInVariableId: speechOptions.saveUrlInVariableId,
    timeout: placeOptions.timeout,
  },
  advice: accountAdvice,
  run(block, { saveUrlInVariableId: variableId, ...given }, view) {
    const without = (description: string) => writeOrEmpty(block, variableId, { log: { description, context } });
    const credentialsId = view.text(given.credentialsId);
    if (credentialsId === "") return writeOrEmpty(block, variableId, { log: missingCredentials(block) });
    const [input, voice] = [view.text(given.text), view.text(given.voiceId).trim()];
    if (input.trim() === "") return without("No text provided");
    if (input.length > limits.models.spokenCharacters) return without("The text is too long to convert to speech");
    if (!/^[\w-]+$/.test(voice)) return without("No voice provided");
    const seconds = Math.min(Math.max(given.timeout ?? limits.models.seconds, 1), limits.models.mostSeconds);
    const asked = { input, voice, model: view.text(given.modelId).trim() || usualModel };
    const where = { credentialsType: block.type, credentialsId, timeoutMs: seconds * 1_000 };
    return { kind: "perform", effect: { kind: "speech", ...where, ...asked, blockId: block.id } };
  },
  report: (block, { saveUrlInVariableId: variableId }, _view, { report }) =>
    report.kind === "speech" && "url" in report
      ? writeOrEmpty(block, variableId, { value: report.url })
      : writeOrEmpty(block, variableId, { log: { ...reportLog(block, report, context), ...unknownVoice(report) } }),
});

/**
 * Returns a description if the voice is unknown. The URL contains the voice and the body contains the model, so a 404
 * means that the voice is unknown. For an id with an invalid format, ElevenLabs responds with 400.
 */
function unknownVoice(report: Report): { readonly description?: string } {
  if (report.kind !== "speech" || !("failure" in report)) return {};
  const { status, details = "" } = report.failure;
  const isVoice =
    status === 404 || (status === 400 && /\bvoice\b/i.test(details) && /not found|invalid/i.test(details));
  return isVoice ? { description: "ElevenLabs does not have this voice" } : {};
}

function voicesIn(answer: unknown): readonly RemoteOption[] | undefined {
  return optionsIn(valueAt(answer, "voices"), { value: "voice_id", label: "name" });
}

/**
 * Returns the models that convert text to speech, or undefined if the response does not list models. ElevenLabs also
 * lists models that only change voices.
 */
function modelsIn(answer: unknown): readonly RemoteOption[] | undefined {
  const speaking = Array.isArray(answer)
    ? answer.filter((model: unknown) => valueAt(model, "can_do_text_to_speech") !== false)
    : answer;
  return optionsIn(speaking, { value: "model_id", label: "name" });
}

function asked(path: string, read: (answer: unknown) => readonly RemoteOption[] | undefined): RemoteField {
  return {
    credentialsType: "elevenlabs",
    next(_, answers) {
      if (answers.length === 0) return { ask: { method: "GET", path } };
      const options = read(answers[0]);
      return options ? { options } : { unreadable: true };
    },
  };
}

export const elevenlabs = defineModelBlock({
  type: "elevenlabs",
  summary: "Converts a text to speech with an ElevenLabs voice. The recording is a file of the result.",
  actions: [convert],
  remoteFields: { voiceId: asked("/v1/voices", voicesIn), modelId: asked("/v1/models", modelsIn) },
  editor: {
    name: "ElevenLabs",
    icon: "volume-2",
    words: ["speech", "voice", "audio", "tts", "speak"],
    row: ["{options.text}", "{options.action}"],
    related: [],
  },
});
