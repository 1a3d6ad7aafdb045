import { type Static, Type } from "@sinclair/typebox";
import { isJsonObject, textAt } from "../../interpreter/flow.ts";
import { readKnown } from "../../interpreter/schemas/schema.ts";
import type { ChannelEvent, ContactFacts, Content } from "../channel.ts";
import { unreadable } from "../unreadable.ts";

const idText = Type.String({ minLength: 1, maxLength: 200 });

/** A message of a contact, as a custom service sends it. */
export const InboundMessage = Type.Object({
  id: Type.String({ ...idText, description: "Your id of the message. A message with a repeated id is ignored." }),
  contact: Type.Object(
    {
      id: Type.String({ ...idText, description: "Your id of the person." }),
      name: Type.Optional(Type.String({ maxLength: 200 })),
      phone: Type.Optional(Type.String({ maxLength: 32, description: "Phone number with `+` and the country code." })),
      language: Type.Optional(Type.String({ maxLength: 35 })),
    },
    { description: "The sender." },
  ),
  time: Type.Optional(
    Type.String({ maxLength: 40, description: "Time at which the message was written, in ISO 8601 format." }),
  ),
  message: Type.Union(
    [
      Type.Object({ text: Type.String() }, { description: "A text." }),
      Type.Object({ tap: idText }, { description: "The token of the button that was pressed." }),
      Type.Object(
        {
          file: Type.Object({
            url: Type.String({ maxLength: 2_000 }),
            name: Type.Optional(Type.String({ maxLength: 200 })),
            type: Type.Optional(Type.String({ maxLength: 100 })),
          }),
          caption: Type.Optional(Type.String()),
        },
        { description: "A file, which the service downloads from its URL." },
      ),
      Type.Object(
        { location: Type.Object({ latitude: Type.Number(), longitude: Type.Number() }) },
        { description: "A place." },
      ),
    ],
    { description: "Content of the message." },
  ),
});

type Inbound = Static<typeof InboundMessage>;

/** Converts a call to events. A call contains a single message, or a list of messages under `messages`. */
export function read(payload: unknown): readonly ChannelEvent[] {
  const messages = isJsonObject(payload) ? payload["messages"] : undefined;
  return (Array.isArray(messages) ? messages : [payload]).map(readOne);
}

function readOne(payload: unknown): ChannelEvent {
  const found = readKnown(InboundMessage, payload);
  if (found === undefined)
    return unreadable(payload, "The body is not a message of version v1.", textAt(payload, "id"));
  const contact = contactOf(found.contact);
  const sentAt = Date.parse(found.time ?? "");
  const from = { providerId: found.id, contact, ...(Number.isFinite(sentAt) && { sentAt }) };
  const { message } = found;
  if ("tap" in message) return { ...from, kind: "tap", token: message.tap };
  return { ...from, kind: "message", content: contentOf(message) };
}

function contactOf({ id, name, phone, language }: Inbound["contact"]): ContactFacts {
  return {
    kind: "person",
    addresses: [
      { kind: "user", value: id },
      ...(phone === undefined ? [] : [{ kind: "phone", value: phone } as const]),
    ],
    ...(name !== undefined && { name }),
    ...(language !== undefined && { language }),
  };
}

function contentOf(message: Exclude<Inbound["message"], { tap: string }>): Content {
  if ("text" in message) return { kind: "text", text: message.text };
  if ("location" in message) return { kind: "location", ...message.location };
  const { file, caption } = message;
  return {
    kind: "media",
    media: "document",
    reference: file.url,
    ...(caption !== undefined && { caption }),
    ...(file.name !== undefined && { fileName: file.name }),
    ...(file.type !== undefined && { mimeType: file.type }),
  };
}
