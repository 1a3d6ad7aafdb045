import type { Report } from "../core/interpreter/program/effect.ts";
import type { SpeechEffect } from "../core/interpreter/program/model.ts";
import { limits } from "../limits/index.ts";
import { withinBudgets } from "./model-use.ts";
import { callMedia, type MediaContext } from "./models/media-call.ts";
import { keepFile } from "./stored-file.ts";

/** Converts text to speech and stores the recording as a file of the session. */
export function performSpeech(effect: SpeechEffect, context: MediaContext): Promise<SpeechReport> {
  return withinBudgets<SpeechReport>(effect, context, {
    make: (watch) => makeSpeech(effect, { ...context, watch }),
    refuse: (failure) => ({ kind: "speech", failure }),
  });
}

type SpeechReport = Extract<Report, { kind: "speech" }>;

async function makeSpeech(effect: SpeechEffect, context: MediaContext): Promise<SpeechReport> {
  const maxBytes = limits.models.audioBytes;
  const spoken = await callMedia(effect, { ...requestOf(effect), maxBytes }, context);
  if ("failure" in spoken) return { kind: "speech", failure: spoken.failure };
  if (spoken.byteLength === 0) return { kind: "speech", failure: { reason: "empty" } };
  if (!isRecording(spoken)) return { kind: "speech", failure: { reason: "unreadable" } };
  const { blockId } = effect;
  const file = { blockId, name: "speech.mp3", extension: "mp3", type: "audio/mpeg", bytes: spoken };
  return { kind: "speech", ...(await keepFile(context.files, file)) };
}

function requestOf({ credentialsType, model, input, voice, instructions }: SpeechEffect) {
  if (credentialsType === "elevenlabs") {
    const path = `/v1/text-to-speech/${encodeURIComponent(voice)}?output_format=mp3_44100_128`;
    return { path, body: JSON.stringify({ text: input, model_id: model }), takesService: true };
  }
  const asked = { model, input, voice, ...(instructions !== undefined && { instructions }), response_format: "mp3" };
  return { path: "/audio/speech", body: JSON.stringify(asked) };
}

/**
 * Whether the bytes may be a recording. An HTML page or JSON text with a success status, for example from a gateway, is
 * not a recording.
 */
function isRecording(bytes: Uint8Array): boolean {
  return bytes[0] !== 0x3c && bytes[0] !== 0x7b;
}
