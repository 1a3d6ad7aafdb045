import { hash } from "node:crypto";
import { type MessageBody, replyIn } from "../../core/interpreter/program/message.ts";
import type { Reply } from "../../core/interpreter/program/state.ts";
import { AppError } from "../../errors.ts";
import { limits } from "../../limits/index.ts";

export type { MessageBody };

/** Returns the visitor's reply in a uniform format. Throws `request.too_large` if the reply is too long. */
export function replyOf(message: MessageBody): Reply | null {
  const reply = replyIn(message);
  if (reply && Buffer.byteLength(JSON.stringify(reply)) > limits.reply.bytes) {
    throw new AppError("request.too_large", {
      data: { maxBytes: limits.reply.bytes },
      message: "This reply is longer than 64 KB.",
    });
  }
  return reply;
}

/** Hashes a value as JSON, independent of the order of keys, to compare requests or replies. */
export function requestHash(body: unknown): string {
  return hash("sha256", sortedText(body) ?? "null", "hex");
}

/**
 * Converts a body to JSON with sorted keys. `JSON.stringify` with a replacer is several times slower. Most bodies are
 * flat, so only their top-level keys need sorting.
 */
function sortedText(body: unknown): string | undefined {
  if (Array.isArray(body) && body.every(isFlat)) return JSON.stringify(body);
  if (typeof body !== "object" || body === null || Array.isArray(body) || !Object.values(body).every(isFlat))
    return JSON.stringify(body, sortedKeys);
  return JSON.stringify(sortedKeys("", body));
}

/** Whether the value is a primitive or empty, so that nothing must be sorted. */
function isFlat(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return true;
  for (const _ in value) return false;
  return true;
}

function sortedKeys(_key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
