import type { ChannelEvent, ContactFacts, ProviderMessage } from "../../core/channels/channel.ts";
import { plainText } from "../../core/channels/marked-text.ts";
import { type CommonSettings, commonSettingsOf, wordsIn } from "../../core/channels/settings.ts";
import type { Texts } from "../../core/channels/texts.ts";
import type { Words } from "../../core/channels/words.ts";
import type { ChatContact } from "../../core/interpreter/program/contact.ts";
import type { OpenConnection } from "../../management/channels/open-connections.ts";
import { newId, shardOf } from "../../platform/ids.ts";
import { connectionTexts, textsInChat } from "../connection-texts.ts";
import type { ChannelDependencies } from "../dependencies.ts";
import type { ContactFiles } from "../files/contact-files.ts";
import type { HeldConnection } from "../held-connection.ts";
import type { Draft, DraftOutcome } from "../outbound/signs.ts";
import type { BotChooser } from "./bots.ts";
import type { Decision } from "./decision.ts";
import type { Notice } from "./end-turn.sql.ts";
import type { ReceivedRow, TurnPlace } from "./received-events.sql.ts";
import type { TurnFacts } from "./turn-facts.sql.ts";
import type { TurnStore } from "./turn-store.ts";

/** An event of a contact that needs processing. */
export type ContactEvent = Exclude<
  Extract<ChannelEvent, { readonly contact: ContactFacts }>,
  { readonly kind: "ignored" }
>;

/** A row of the inbox in its contact's queue. */
export type QueuedRow = {
  readonly id: string;
  readonly event: ContactEvent;
  decision: Decision | undefined;
  attempts: number;
  /** The row is not processed before this time, by the process' clock. */
  notBeforeAt: number;
  /** The time of arrival by the database's clock, in milliseconds since the epoch. */
  readonly arrivedAt: number;
  /**
   * The age of the message in milliseconds when the holder read it: since the contact wrote it, or since its arrival if
   * that is longer.
   */
  readonly lateMs: number;
  /**
   * The URL of the row's file, once the file is stored. Empty if no input requested the file and the file did not
   * arrive.
   */
  fileUrl?: string;
};

/** A connection whose messages are processed, with the functions that send messages for it. */
export type TurnTools = {
  readonly deps: ChannelDependencies;
  readonly connection: OpenConnection;
  readonly held: HeldConnection;
  readonly bots: BotChooser;
  readonly files: ContactFiles;
  readonly store: TurnStore;
  /** Shows a sign to a contact. Failures are ignored. */
  sign(contactId: string, message: ProviderMessage): void;
  /** Shows unsaved text as a draft. */
  draft(draft: Draft): Promise<DraftOutcome>;
};

export function settingsOf({ settings }: OpenConnection): CommonSettings {
  return commonSettingsOf(settings);
}

/** Returns the texts of the connection in the contact's chat. */
export async function textsFor(
  { deps, connection }: Pick<TurnTools, "deps" | "connection">,
  { session, language }: Pick<TurnFacts, "session" | "language">,
): Promise<Texts> {
  return await textsInChat(deps.sql, connection.settings, { sessionId: session?.id ?? null, language });
}

export function wordsOf({ channel, settings }: OpenConnection): Words {
  return wordsIn(channel, settings);
}

/** Returns the age of a row in milliseconds, at the time when its contact was read. */
export function ageOf({ nowMs }: TurnFacts, row: QueuedRow): number {
  return nowMs - row.arrivedAt;
}

export function placeOf({ connection }: TurnTools, contactId: string): TurnPlace {
  const { id: connectionId, channel, workspaceId } = connection;
  return { connectionId, channel: channel.type, workspaceId, contactId };
}

/** Converts a row to the form that events use. */
export function receivedRow(row: QueuedRow): ReceivedRow {
  const { id, event } = row;
  if (event.kind === "tap") return { id, kind: "tap", text: event.title ?? "" };
  const caption = event.kind === "message" && event.content.kind === "media" ? event.content.caption : undefined;
  return { id, kind: event.kind, text: typedText(row) ?? caption ?? "" };
}

/** Returns the contact's data as of this step. */
export function chatContact({ connection }: TurnTools, facts: TurnFacts, startPayload?: string): ChatContact {
  const { id, name, username, phone, language } = facts;
  const { timeZone } = settingsOf(connection);
  return {
    ...{ id, connectionId: connection.id, channel: connection.channel.type, connectionName: connection.name },
    ...(name !== null && { name }),
    ...(username !== null && { username }),
    ...(phone !== null && { phone: phone.replace(/\D/g, "") }),
    ...(language !== null && { language }),
    ...(timeZone !== "UTC" && { timeZone }),
    ...(startPayload !== undefined && startPayload !== "" && { startPayload }),
  };
}

/** Returns the messages for a text of the connection itself, in the language of the contact's chat. */
export async function noticesFor(tools: TurnTools, facts: TurnFacts, name: keyof Texts): Promise<Notice[]> {
  const texts = await textsFor(tools, facts);
  return noticesOf(tools, facts, texts[name]);
}

/**
 * Converts a text of the connection itself to messages. Returns an empty list if the connection does not have this
 * text.
 */
export function noticesOf(
  { connection }: Pick<TurnTools, "connection">,
  facts: Pick<TurnFacts, "name" | "kind">,
  words: string | null,
): Notice[] {
  if (words === null || words.trim() === "") return [];
  const text = words.replaceAll("{{contactName}}", facts.name ?? "");
  const { messages } = connection.channel.render(
    { kind: "text", text: plainText(text) },
    { texts: connectionTexts(connection.settings), isGroup: facts.kind === "group", token: () => "" },
  );
  return messages.map((message) => ({ id: newId(shardOf(connection.id)), message: JSON.stringify(message) }));
}

/** Returns the text that a contact typed, such as a command, or undefined for any other event. */
export function typedText({ event }: QueuedRow): string | undefined {
  if (event.kind !== "message") return undefined;
  const { content } = event;
  if (content.kind === "text") return content.text;
  return content.kind === "command" ? `/${content.command}` : undefined;
}
