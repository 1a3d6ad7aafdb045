import { channels } from "../../core/channels/index.ts";
import { textsOf } from "../../core/channels/texts.ts";
import { isJsonObject, type JsonObject, textAt, valueAt } from "../../core/interpreter/flow.ts";
import { AppError } from "../../errors.ts";
import { limits } from "../../limits/index.ts";
import { cutPage, type PageRequest, readPage } from "../../platform/http/requests/cursor.ts";
import { isId, newId, shardOf } from "../../platform/ids.ts";
import type { Caller } from "../access/access.ts";
import type { ManagementDependencies } from "../access/dependencies.ts";
import { endSessions } from "../row-erasure/erasure.sql.ts";
import { channelOf } from "./connection-data.ts";
import type { ConnectionPlace } from "./connections.sql.ts";
import { findForCaller } from "./connections.ts";
import {
  type ConversationFilter,
  type ConversationRow,
  findConversation,
  leaveSession,
  listConversations,
  listMessages,
  type MessageRow,
} from "./conversations.sql.ts";
import { insertTest, type Refusal, settleFailed } from "./sendings.sql.ts";

/** A contact of a connection with the state of the conversation. */
export type Conversation = Omit<ConversationRow, "id" | "connectionId" | "createdAt"> & { readonly contactId: string };

/** A message in either direction as plain text. The text is null once the content is erased. */
export type ConversationMessage = Pick<MessageRow, "id" | "direction" | "kind" | "state" | "sessionId"> & {
  readonly text: string | null;
  readonly choices: string[];
  readonly reason: string | null;
  readonly at: Date;
};

type ConversationPlace = ConnectionPlace & { readonly contactId: string };

const shown = limits.channels.shownUnsent;

/**
 * Returns the contacts of a connection. Contacts who sent a message most recently come first. GUESTs have no access.
 */
export async function listChannelConversations(
  deps: ManagementDependencies,
  caller: Caller,
  path: ConnectionPlace,
  { limit, cursor, ...filter }: PageRequest & ConversationFilter,
) {
  const { id: connectionId } = await findForCaller(deps, caller, path, "work");
  const { botId, isRunning, isOptedOut, address } = filter;
  const filters = [connectionId, botId ?? null, isRunning ?? null, isOptedOut ?? null, address ?? null];
  const page = readPage("conversations", { limit, cursor }, filters);
  if (botId !== undefined && !isId(botId)) return { conversations: [] };
  const rows = await listConversations(deps.sql, { connectionId, ...filter, ...page.part, shown });
  const { rows: cut, ...rest } = cutPage({ rows, page });
  return { conversations: cut.map(conversationOf), ...rest };
}

export async function getChannelConversation(
  deps: ManagementDependencies,
  caller: Caller,
  path: ConversationPlace,
): Promise<Conversation> {
  return conversationOf(await requireContact(deps, caller, path));
}

/** Returns the messages of a contact in both directions, newest first. */
export async function listChannelMessages(
  deps: ManagementDependencies,
  caller: Caller,
  path: ConversationPlace,
  request: PageRequest,
) {
  const { channel } = await findForCaller(deps, caller, path, "work");
  await requireContact(deps, caller, path);
  const page = readPage("channel-messages", request, [path.contactId]);
  const rows = await listMessages(deps.sql, { contactId: path.contactId, ...page.part });
  const last = rows.slice(0, page.size).at(-1);
  const window = last && `${last.direction} ${last.rank}`;
  const { rows: cut, ...rest } = cutPage({ rows, page, window });
  return { messages: cut.map((row) => messageOf(channel, row)), ...rest };
}

/** Ends the running chat, so that the next message starts a new chat. Queued messages are still sent. */
export async function endChannelConversation(
  deps: ManagementDependencies,
  caller: Caller,
  path: ConversationPlace,
): Promise<Conversation> {
  await requireContact(deps, caller, path);
  const sessionId = await leaveSession(deps.sql, path);
  if (sessionId !== undefined) await endSessions(deps.sql, [sessionId]);
  return conversationOf(await requireContact(deps, caller, path));
}

/**
 * Queues a text for a contact of the connection, after all other queued messages. The contact's list of messages shows
 * whether the text was sent. Throws an error if the connection is disabled, or if the contact has opted out or is
 * blocked.
 */
export async function testChannelConnection(
  deps: ManagementDependencies,
  caller: Caller,
  path: ConnectionPlace,
  { contactId, text }: { contactId: string; text: string },
): Promise<{ readonly id: string }> {
  const connection = await findForCaller(deps, caller, path, "work");
  if (!connection.isEnabled) throw new AppError("channel_connection.disabled");
  const contact = await requireContact(deps, caller, { ...path, contactId });
  if (contact.optedOutAt !== null) throw new AppError("contact.opted_out");
  if (contact.blockedAt !== null) throw new AppError("contact.blocked");
  const channel = channelOf(connection.channel);
  const context = { texts: textsOf(undefined), token: String, isGroup: contact.kind === "group" };
  const [message] = channel.render({ kind: "text", text: { text, spans: [] } }, context).messages;
  const id = newId(shardOf(connection.id));
  const sending = message && (await insertTest(deps.sql, { connectionId: connection.id, contactId, id, message }));
  if (!sending) throw new AppError("contact.not_found");
  return sending;
}

/**
 * Retries or permanently drops a failed message. Throws an error instead of retrying if the content is erased, if the
 * contact has opted out or is blocked, or if a later message was sent.
 */
export async function settleChannelSending(
  deps: ManagementDependencies,
  caller: Caller,
  path: ConnectionPlace & { readonly sendingId: string },
  act: "retry" | "drop",
): Promise<void> {
  await findForCaller(deps, caller, path, "work");
  const settled = await settleFailed(deps.sql, path, act);
  if (!settled) throw new AppError("sending.not_found");
  if (settled.refusal !== null) throw refusalOf(settled.refusal);
}

function refusalOf(refusal: Refusal): AppError {
  switch (refusal) {
    case "erased":
      return new AppError("sending.not_found", { message: "The content of this message is erased. Drop it." });
    case "opted_out":
      return new AppError("contact.opted_out");
    case "blocked":
      return new AppError("contact.blocked");
    default:
      return new AppError("sending.passed");
  }
}

/** Returns a contact of a connection that the caller may read. Throws `contact.not_found`. */
async function requireContact(
  deps: ManagementDependencies,
  caller: Caller,
  path: ConversationPlace,
): Promise<ConversationRow> {
  const { id: connectionId } = await findForCaller(deps, caller, path, "work");
  const { contactId } = path;
  const row = isId(contactId) ? await findConversation(deps.sql, { connectionId, contactId, shown }) : undefined;
  if (!row) throw new AppError("contact.not_found");
  return row;
}

function conversationOf({ id, connectionId: _, createdAt: __, ...row }: ConversationRow): Conversation {
  return { contactId: id, ...row };
}

function messageOf(channel: string, row: MessageRow): ConversationMessage {
  const { id, direction, kind, content, state, reason, sessionId, createdAt: at } = row;
  const said = content && (direction === "in" ? received(content) : sent(channel, content));
  return {
    ...{ id, direction, kind, state, sessionId, at },
    text: said?.text ?? null,
    choices: said ? [...said.choices] : [],
    reason: reason === "" ? null : reason,
  };
}

function sent(channel: string, message: JsonObject) {
  const { method, body } = message;
  if (typeof method !== "string" || !isJsonObject(body)) return { text: "", choices: [] };
  return channels.get(channel)?.wordsOf({ method, body }) ?? { text: "", choices: [] };
}

/** Returns the main text of a received event. A received event has no choices. */
function received(event: JsonObject): { text: string; choices: readonly string[] } {
  const content = event["content"];
  const texts = [
    textAt(content, "text"),
    commandIn(content),
    textAt(content, "caption"),
    placeIn(content),
    [textAt(content, "name"), textAt(content, "phone"), textAt(content, "email")].filter(isText).join(", ") ||
      undefined,
    textAt(content, "fileName"),
    textAt(event, "title"),
    textAt(event, "token"),
    textAt(event, "start"),
  ];
  return { text: texts.find(isText) ?? "", choices: [] };
}

function commandIn(content: unknown): string | undefined {
  const command = textAt(content, "command");
  return command === undefined ? undefined : `/${command} ${textAt(content, "payload") ?? ""}`.trim();
}

function placeIn(content: unknown): string | undefined {
  const [latitude, longitude] = [valueAt(content, "latitude"), valueAt(content, "longitude")];
  return typeof latitude === "number" && typeof longitude === "number" ? `${latitude}, ${longitude}` : undefined;
}

function isText(text: string | undefined): text is string {
  return text !== undefined;
}
