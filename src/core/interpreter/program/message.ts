import { Type } from "@sinclair/typebox";
import type { Reply } from "./state.ts";

/** The schemas of messages that callers may send as objects. */
export const replySchemas = [
  Type.Object(
    {
      type: Type.Literal("text", { description: "A text." }),
      text: Type.String({
        description: "The visitor's message. For a choice, its text or id.",
      }),
      attachedFileUrls: Type.Optional(Type.Array(Type.String(), { description: "URLs of attached files." })),
      metadata: Type.Optional(
        Type.Object(
          { replyId: Type.Optional(Type.String({ description: "Id of the item or button that was chosen." })) },
          { description: "Further information from the client." },
        ),
      ),
    },
    { $id: "TextReply", description: "A text reply." },
  ),
  Type.Object(
    {
      type: Type.Literal("audio", { description: "Marks a voice clip." }),
      url: Type.String({ description: "URL of the voice clip." }),
    },
    { $id: "AudioReply", description: "A voice reply." },
  ),
  Type.Object(
    {
      type: Type.Literal("command", { description: "A command." }),
      command: Type.String({ description: "The command of one of the flow's events." }),
    },
    { $id: "CommandReply", description: "A command to the flow, instead of a reply." },
  ),
] as const;

/** The schemas of the positions at which a preview can start, other than the start of the flow. */
export const startPlaceSchemas = [
  Type.Object(
    {
      type: Type.Literal("group", { description: "A group." }),
      groupId: Type.String({ description: "Id of the group at which the preview starts." }),
    },
    { $id: "StartFromGroup", description: "Starts at a group." },
  ),
  Type.Object(
    {
      type: Type.Literal("event", { description: "Marks a start at an event." }),
      eventId: Type.String({ description: "Id of the event at which the preview starts." }),
    },
    { $id: "StartFromEvent", description: "Starts at an event." },
  ),
  Type.Object(
    {
      type: Type.Literal("block", { description: "A block." }),
      blockId: Type.String({
        description: "Id of the block at which the preview starts. Earlier blocks in its group do not run.",
      }),
    },
    { $id: "StartFromBlock", description: "Starts at a block." },
  ),
] as const;

/** A message in any form that callers may send. */
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

/** Converts a message to a uniform format. Returns null if there is no message. */
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

/**
 * Returns the text of the reply for a block that waits for a call from another program. If the body has no `data`, the
 * whole body is used as the data.
 */
export function calledWith(body: unknown): string {
  const isWhole = typeof body === "object" && body !== null && Object.hasOwn(body, "data");
  return JSON.stringify(isWhole ? body : { statusCode: 200, data: body });
}
