import type { Reply } from "./state.ts";

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

/** What the visitor said, in one shape. */
export function replyIn(message: MessageBody): Reply | null {
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
