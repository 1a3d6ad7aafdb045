import type { Report } from "../core/interpreter/program/effect.ts";
import type { SpeechEffect } from "../core/interpreter/program/model.ts";
import { AppError } from "../errors.ts";
import { limits } from "../limits/index.ts";
import { withinBudgets } from "./model-use.ts";
import { callMedia, type MediaContext } from "./models/media-call.ts";

/** Turns a text into speech, and keeps the recording as a file of the session. */
export function performSpeech(effect: SpeechEffect, context: MediaContext): Promise<SpeechReport> {
  return withinBudgets<SpeechReport>(effect, context, {
    make: (watch) => makeSpeech(effect, { ...context, watch }),
    refuse: (failure) => ({ kind: "speech", failure }),
  });
}

type SpeechReport = Extract<Report, { kind: "speech" }>;

async function makeSpeech(
  { model, input, voice, instructions, blockId, ...effect }: SpeechEffect,
  context: MediaContext,
): Promise<SpeechReport> {
  const asked = { model, input, voice, ...(instructions !== undefined && { instructions }), response_format: "mp3" };
  const maxBytes = limits.models.audioBytes;
  const spoken = await callMedia(effect, { path: "/audio/speech", body: JSON.stringify(asked), maxBytes }, context);
  if ("failure" in spoken) return { kind: "speech", failure: spoken.failure };
  if (spoken.byteLength === 0 || !context.files) return { kind: "speech", failure: { reason: "empty" } };
  const file = { blockId, name: "speech.mp3", extension: "mp3", type: "audio/mpeg", bytes: spoken };
  try {
    return { kind: "speech", url: await context.files.keep(file) };
  } catch (error) {
    // The storage is unavailable, or the session has its full number of files: the flow goes on without this one.
    if (!(error instanceof AppError)) throw error;
    return { kind: "speech", failure: { reason: "file", details: error.message } };
  }
}
