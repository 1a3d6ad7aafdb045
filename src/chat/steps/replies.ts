import { hash } from "node:crypto";
import { type MessageBody, replyIn } from "../../core/interpreter/program/message.ts";
import type { Reply } from "../../core/interpreter/program/state.ts";
import { AppError } from "../../errors.ts";
import { limits } from "../../limits/index.ts";

export type { MessageBody };

/** The visitor's reply in one shape. Throws `request.too_large` when it is longer than a reply may be. */
export function replyOf(message: MessageBody): Reply | null {
  const reply = replyIn(message);
  if (reply && !isShort(reply) && Buffer.byteLength(JSON.stringify(reply)) > limits.reply.bytes) {
    throw new AppError("request.too_large", {
      data: { maxBytes: limits.reply.bytes },
      message: "This reply is longer than 64 KB.",
    });
  }
  return reply;
}

/** Whether it is short without being written as JSON, in which a letter may take six bytes. */
function isShort(reply: Reply): boolean {
  if (reply.type !== "text" || reply.replyId !== undefined || reply.attachedFileUrls !== undefined) return false;
  return reply.text.length < limits.reply.bytes / 6 - 100;
}

/** A hash of a request's content, which detects the same key with another body. */
export function requestHash(body: unknown): string {
  // Flat values have no keys to sort, and `JSON.stringify` with a replacer is several times slower.
  const isFlat = Array.isArray(body) && body.every((part) => typeof part !== "object" || part === null);
  return hash("sha256", (isFlat ? JSON.stringify(body) : JSON.stringify(body, sortedKeys)) ?? "null", "hex");
}

function sortedKeys(_key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
