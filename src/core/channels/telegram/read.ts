import { isJsonObject, type JsonObject, textAt, valueAt } from "../../interpreter/flow.ts";
import type { ChannelEvent, ContactFacts, Content, Self } from "../channel.ts";
import { unreadable } from "../unreadable.ts";

/** The update types that the bot subscribes to. */
export const allowedUpdates = ["message", "callback_query", "my_chat_member"] as const;

/** Converts a Telegram update to one event. An update never contains more than one event. */
export function read(payload: unknown, self?: Self): readonly ChannelEvent[] {
  const id = valueAt(payload, "update_id");
  if (typeof id !== "number" || !Number.isSafeInteger(id) || !isJsonObject(payload)) {
    return [unreadable(payload, "The update has no update_id.")];
  }
  const providerId = String(id);
  const press = payload["callback_query"];
  if (isJsonObject(press)) return [readPress(press, providerId)];
  const member = payload["my_chat_member"];
  if (isJsonObject(member)) return [readMember(member, providerId)];
  const message = payload["message"];
  if (isJsonObject(message)) return [readMessage(message, providerId, self)];
  const what = Object.keys(payload).find((key) => key !== "update_id");
  const part = what === undefined ? undefined : payload[what];
  const contact = isJsonObject(part) ? contactOf(part["chat"], part["from"]) : undefined;
  if (what === undefined || contact === undefined)
    return [unreadable(payload, "The update has no known content.", providerId)];
  return [{ kind: "ignored", providerId, contact, what }];
}

function readMessage(given: JsonObject, providerId: string, self: Self | undefined): ChannelEvent {
  const contact = contactOf(given["chat"], given["from"]);
  if (contact === undefined) return unreadable(given, "The update's message has no chat.", providerId);
  const from = { providerId, contact, ...timeOf(given) };
  const moved = numberIn(given, "migrate_to_chat_id");
  const was = contact.addresses[0];
  if (moved !== undefined && was) {
    return { ...from, kind: "identity", was, is: { kind: "chat", value: String(moved) } };
  }
  const group = contact.kind === "group" ? self : undefined;
  if (group && !isMeant(group, given)) return { ...from, kind: "ignored", what: "not_mentioned" };
  const message = group ? withoutMention(group, given) : given;
  const content = contentOf(message);
  if (content === undefined) return { ...from, kind: "ignored", what: whatOf(message) };
  const quotedText = textAt(message, "reply_to_message", "text");
  return { ...from, kind: "message", content, ...(quotedText !== undefined && { quotedText }) };
}

function readPress(press: JsonObject, providerId: string): ChannelEvent {
  const chat = valueAt(press, "message", "chat") ?? press["from"];
  const contact = contactOf(chat, press["from"]);
  const token = textAt(press, "data");
  if (contact === undefined) return unreadable(press, "The update's button press has no sender.", providerId);
  if (token === undefined) return { kind: "ignored", providerId, contact, what: "callback_query" };
  const noticeId = textAt(press, "id");
  const messageId = numberIn(press["message"], "message_id");
  const title = titleOf(press, token);
  return {
    kind: "tap",
    providerId,
    contact,
    token,
    ...(title !== undefined && { title }),
    ...(noticeId !== undefined && { noticeId }),
    ...(messageId !== undefined && { messageId: String(messageId) }),
  };
}

function titleOf(press: JsonObject, token: string): string | undefined {
  const rows = valueAt(press, "message", "reply_markup", "inline_keyboard");
  const buttons = Array.isArray(rows) ? rows.flatMap((row: unknown) => (Array.isArray(row) ? row : [])) : [];
  return textAt(
    buttons.find((button) => textAt(button, "callback_data") === token),
    "text",
  );
}

function readMember(member: JsonObject, providerId: string): ChannelEvent {
  const contact = contactOf(member["chat"], member["from"]);
  if (contact === undefined) return unreadable(member, "The update's membership has no chat.", providerId);
  const status = textAt(member, "new_chat_member", "status");
  const isBlocked = status === "kicked" || status === "left";
  return { kind: "blocked", providerId, contact, isBlocked, ...timeOf(member) };
}

/**
 * Returns the contact of a chat, or undefined if the chat has no id. A private chat is a person. Any other chat is a
 * group, which is a single contact.
 */
function contactOf(chat: unknown, from: unknown): ContactFacts | undefined {
  const id = numberIn(chat, "id");
  if (id === undefined) return undefined;
  const type = textAt(chat, "type") ?? "private";
  const addresses = [{ kind: "chat", value: String(id) }] as const;
  if (type !== "private") {
    const name = textAt(chat, "title");
    return { kind: "group", addresses, ...(name !== undefined && { name }) };
  }
  const person = isJsonObject(from) ? from : chat;
  const name = [textAt(person, "first_name"), textAt(person, "last_name")].filter((one) => one !== undefined).join(" ");
  const username = textAt(person, "username");
  const language = textAt(person, "language_code");
  return {
    kind: "person",
    addresses,
    ...(name !== "" && { name }),
    ...(username !== undefined && { username }),
    ...(language !== undefined && { language }),
  };
}

/**
 * Removes a mention of the bot from the beginning or end of a group message, because the mention is not part of the
 * answer.
 */
function withoutMention({ display }: Self, message: JsonObject): JsonObject {
  const found = ["text", "caption"].flatMap((key) => {
    const text = textAt(message, key);
    return text === undefined || display === null ? [] : [[key, withoutName(text, display)] as const];
  });
  return found.some(([key, text]) => text !== message[key]) ? { ...message, ...Object.fromEntries(found) } : message;
}

function withoutName(text: string, name: string): string {
  const [folded, own] = [text.toLowerCase(), name.toLowerCase()];
  if (folded.startsWith(`${own} `)) return text.slice(own.length).trimStart();
  return folded.endsWith(` ${own}`) ? text.slice(0, -own.length).trimEnd() : text;
}

/**
 * Returns whether a group message is addressed to the bot: it mentions the bot, replies to the bot, or is a command
 * that does not name another bot.
 */
function isMeant({ externalId, display }: Self, message: JsonObject): boolean {
  if (String(numberIn(valueAt(message, "reply_to_message", "from"), "id")) === externalId) return true;
  const text = textAt(message, "text") ?? textAt(message, "caption") ?? "";
  const entities = message["entities"] ?? message["caption_entities"];
  return (Array.isArray(entities) ? entities : []).some((entity: unknown) => {
    const [offset, length] = [numberIn(entity, "offset") ?? 0, numberIn(entity, "length") ?? 0];
    const words = text.slice(offset, offset + length).toLowerCase();
    const type = textAt(entity, "type");
    if (type === "mention") return words === display?.toLowerCase();
    if (type === "text_mention") return String(numberIn(valueAt(entity, "user"), "id")) === externalId;
    if (type !== "bot_command") return false;
    const [, of] = words.split("@");
    return of === undefined || `@${of}` === display?.toLowerCase();
  });
}

function contentOf(message: JsonObject): Content | undefined {
  const text = textAt(message, "text");
  if (text !== undefined) return commandIn(message, text) ?? { kind: "text", text };
  return mediaIn(message) ?? placeIn(message) ?? cardIn(message) ?? unsupportedIn(message);
}

/** Returns the command at the beginning of a message, if any. The command may include the bot's name. */
function commandIn(message: JsonObject, text: string): Content | undefined {
  const entities = message["entities"];
  const isCommand = (one: unknown) => textAt(one, "type") === "bot_command" && valueAt(one, "offset") === 0;
  if (!Array.isArray(entities) || !entities.some(isCommand)) return undefined;
  const [, command = "", payload = ""] = /^\/([a-z0-9_]{1,32})(?:@\w+)?(?:\s+([\s\S]*))?$/i.exec(text) ?? [];
  return command === "" ? undefined : { kind: "command", command: command.toLowerCase(), payload: payload.trim() };
}

const mediaKinds = {
  animation: "animation",
  audio: "audio",
  document: "document",
  sticker: "sticker",
  video: "video",
  video_note: "video",
  voice: "voice",
} as const;

/**
 * Returns the file in a message, if any. Telegram sends a GIF both as an animation and as a document. The animation is
 * used.
 */
function mediaIn(message: JsonObject): Content | undefined {
  const photos = message["photo"];
  const largest = Array.isArray(photos) ? photos.at(-1) : undefined;
  const found =
    largest === undefined
      ? Object.entries(mediaKinds).find(([key]) => isJsonObject(message[key]))
      : (["photo", "image"] as const);
  if (found === undefined) return undefined;
  const file = largest ?? message[found[0]];
  const reference = textAt(file, "file_id");
  if (reference === undefined) return undefined;
  const caption = textAt(message, "caption");
  const fileName = textAt(file, "file_name");
  const mimeType = textAt(file, "mime_type");
  const bytes = numberIn(file, "file_size");
  return {
    kind: "media",
    media: found[1],
    reference,
    ...(caption !== undefined && { caption }),
    ...(fileName !== undefined && { fileName }),
    ...(mimeType !== undefined && { mimeType }),
    ...(bytes !== undefined && { bytes }),
  };
}

function placeIn(message: JsonObject): Content | undefined {
  const venue = message["venue"];
  const place = valueAt(venue, "location") ?? message["location"];
  const latitude = numberIn(place, "latitude");
  const longitude = numberIn(place, "longitude");
  if (latitude === undefined || longitude === undefined) return undefined;
  const name = textAt(venue, "title");
  const address = textAt(venue, "address");
  return {
    kind: "location",
    latitude,
    longitude,
    ...(name !== undefined && { name }),
    ...(address !== undefined && { address }),
  };
}

function cardIn(message: JsonObject): Content | undefined {
  const card = message["contact"];
  const phone = textAt(card, "phone_number");
  if (phone === undefined) return undefined;
  const name = [textAt(card, "first_name"), textAt(card, "last_name")].filter((one) => one !== undefined).join(" ");
  return { kind: "card", name, phone: phone.startsWith("+") ? phone : `+${phone}` };
}

/**
 * Message types that bots do not support. A message of any other unknown type is a service message, for example about a
 * new member.
 */
const unsupported = ["poll", "dice", "game", "story", "invoice", "checklist", "paid_media"];

function unsupportedIn(message: JsonObject): Content | undefined {
  const what = unsupported.find((key) => isJsonObject(message[key]));
  return what === undefined ? undefined : { kind: "unsupported", what };
}

function whatOf(message: JsonObject): string {
  const known = ["message_id", "from", "chat", "date", "sender_chat"];
  return Object.keys(message).find((key) => !known.includes(key)) ?? "message";
}

function timeOf(part: JsonObject): { readonly sentAt?: number } {
  const seconds = numberIn(part, "date");
  return seconds === undefined ? {} : { sentAt: seconds * 1_000 };
}

function numberIn(value: unknown, key: string): number | undefined {
  const found = valueAt(value, key);
  return typeof found === "number" && Number.isFinite(found) ? found : undefined;
}
