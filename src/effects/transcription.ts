import { textAt } from "../core/interpreter/flow.ts";
import { parseJsonOr } from "../core/interpreter/language/json.ts";
import { cleanText } from "../core/interpreter/language/values.ts";
import type { Report } from "../core/interpreter/program/effect.ts";
import type { TranscriptionEffect } from "../core/interpreter/program/model.ts";
import { limits } from "../limits/index.ts";
import { fetchBytes } from "./fetch-bytes.ts";
import { withinBudgets } from "./model-use.ts";
import { callMedia, type MediaContext } from "./models/media-call.ts";

/** Converts a recording to text. */
export function performTranscription(effect: TranscriptionEffect, context: MediaContext): Promise<TranscriptionReport> {
  return withinBudgets<TranscriptionReport>(effect, context, {
    make: (watch) => makeTranscription(effect, { ...context, watch }),
    refuse: (failure) => ({ kind: "transcription", failure }),
  });
}

type TranscriptionReport = Extract<Report, { kind: "transcription" }>;

async function makeTranscription(
  { model, address, prompt, ...effect }: TranscriptionEffect,
  context: MediaContext,
): Promise<TranscriptionReport> {
  const timeoutMs = Math.min(limits.models.fileMs, context.timeLeftMs);
  const found = await fetchBytes(address, { ...context, timeoutMs, maxBytes: limits.models.audioBytes });
  if ("problem" in found) {
    return { kind: "transcription", failure: { reason: "file", details: `${address}: ${found.problem}` } };
  }
  const body = new FormData();
  body.set("model", model);
  if (prompt !== undefined) body.set("prompt", prompt);
  body.set("response_format", "json");
  // The file needs a name, because providers detect the format from it.
  body.set(
    "file",
    new File([Buffer.from(found.bytes)], found.name === "" ? "audio.mp3" : found.name, { type: found.type }),
  );
  const maxBytes = limits.models.answerCharacters * 4;
  const written = await callMedia(effect, { path: "/audio/transcriptions", body, maxBytes }, context);
  if ("failure" in written) return { kind: "transcription", failure: written.failure };
  const said = new TextDecoder().decode(written);
  const text = textAt(parseJsonOr(said, undefined), "text");
  if (text === undefined) return { kind: "transcription", failure: { reason: "unreadable" } };
  return { kind: "transcription", text: cleanText(text).slice(0, limits.models.answerCharacters) };
}
