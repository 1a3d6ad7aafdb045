import type {
  ModelEffect,
  ModelFailure,
  ModelTokens,
  SpeechEffect,
  TranscriptionEffect,
} from "../core/interpreter/program/model.ts";
import { limits } from "../limits/index.ts";

export type ModelCallEffect = ModelEffect | SpeechEffect | TranscriptionEffect;

/**
 * Estimates the maximum number of tokens that a call may use. If a model's answer has no maximum,
 * `limits.models.tokens` is assumed.
 */
export function mostTokens(effect: ModelCallEffect): Pick<ModelTokens, "in" | "out"> {
  const read = Math.ceil(charactersIn(effect) / limits.modelBudgets.charactersPerToken);
  switch (effect.kind) {
    case "model": {
      const { messages, maxTokens = limits.models.tokens } = effect;
      const parts = messages.flatMap((message) => (message.role === "user" ? (message.parts ?? []) : []));
      const files = parts.filter((part) => "address" in part).length;
      return { in: read + limits.modelBudgets.fileTokens * files, out: maxTokens };
    }
    case "speech":
      return { in: read, out: 0 };
    case "transcription":
      return { in: read, out: limits.modelBudgets.fileTokens };
    default:
      return effect satisfies never;
  }
}

/** Returns the number of characters that a provider bills as the input of a call, without files. */
export function charactersIn(effect: ModelCallEffect): number {
  switch (effect.kind) {
    case "model": {
      const { messages, tools, output, responses, app } = effect;
      const said = messages.reduce((sum, message) => sum + charactersOf(message), 0);
      return [tools, output, responses, app].reduce(
        (sum, part) => sum + (part ? JSON.stringify(part).length : 0),
        said,
      );
    }
    case "speech":
      // ElevenLabs does not bill tokens, so its calls use no tokens from budgets.
      if (effect.credentialsType === "elevenlabs") return 0;
      return effect.input.length + (effect.instructions?.length ?? 0);
    case "transcription":
      return effect.prompt?.length ?? 0;
    default:
      return effect satisfies never;
  }
}

function charactersOf(message: ModelEffect["messages"][number]): number {
  if (message.role !== "assistant") return message.content.length;
  const { content, calls = [], echo } = message;
  const more = (value: unknown): number => (value === undefined ? 0 : JSON.stringify(value).length);
  const called = calls.reduce((sum, call) => sum + (call.arguments?.length ?? 0) + more(call.echo?.data), 0);
  return content.length + more(echo?.data) + called;
}

/** Failures for which the provider may charge, because it may have processed the request. */
export const billed: ReadonlySet<ModelFailure["reason"]> = new Set([
  "empty",
  "spent",
  "unreadable",
  "withheld",
  "time",
]);

export function estimatedTokens(characters: number): number {
  return Math.ceil(characters / 4);
}

/** Returns the sum of the tokens of two calls, or undefined if both are undefined. */
export function sumOf(one: ModelTokens | undefined, other: ModelTokens | undefined): ModelTokens | undefined {
  if (!one || !other) return one ?? other;
  return {
    in: one.in + other.in,
    cached: one.cached + other.cached,
    out: one.out + other.out,
    isEstimated: one.isEstimated || other.isEstimated,
  };
}
