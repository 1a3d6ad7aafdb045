import { hash } from "node:crypto";
import { AppError } from "../errors.ts";
import type { Reply } from "../interpreter/state.ts";
import { limits } from "../limits.ts";

/** A message as callers may send it. */
export type MessageBody =
  | string
  | null
  | undefined
  | {
      readonly type: "text";
      readonly text: string;
      readonly attachedFileUrls?: readonly string[];
      readonly metadata?: { readonly replyId?: string };
    }
  | { readonly type: "audio"; readonly url: string }
  | { readonly type: "command"; readonly command: string };

/** What the visitor said, in one shape. Throws `request.too_large` when it is longer than a reply may be. */
export function replyOf(message: MessageBody): Reply | null {
  const reply = shape(message);
  if (reply && Buffer.byteLength(JSON.stringify(reply)) > limits.reply.bytes) {
    throw new AppError("request.too_large", {
      data: { maxBytes: limits.reply.bytes },
      message: "This reply is longer than 64 KB.",
    });
  }
  return reply;
}

/** Names a request by its content, so that the same key with another body is noticed. */
export function requestHash(body: unknown): string {
  // Where no object is, there is nothing to sort: a replacer makes writing several times as slow.
  const isFlat = Array.isArray(body) && body.every((part) => typeof part !== "object" || part === null);
  return hash("sha256", (isFlat ? JSON.stringify(body) : JSON.stringify(body, sortedKeys)) ?? "null", "hex");
}

function shape(message: MessageBody): Reply | null {
  if (message === null || message === undefined) return null;
  if (typeof message === "string") return { type: "text", text: message };
  if (message.type !== "text") return message;
  const { text, attachedFileUrls, metadata } = message;
  return {
    type: "text",
    text,
    ...(metadata?.replyId !== undefined && { replyId: metadata.replyId }),
    ...(attachedFileUrls && { attachedFileUrls }),
  };
}

function sortedKeys(_key: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
