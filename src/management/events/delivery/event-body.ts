import { type EventDescription, events } from "../../../events.ts";
import { newId } from "../../../platform/ids.ts";
import type { DueMessage, OpenEndpoint } from "./queue.sql.ts";

/** Returns the `webhook-id` and the body of a call: a single message, or a list if the endpoint accepts batches. */
export function callOf(
  messages: readonly DueMessage[],
  { batchSize, workspaceId }: Pick<OpenEndpoint, "batchSize" | "workspaceId">,
): { id: string; body: string } {
  const [only] = messages;
  if (only && batchSize === 1) return { id: only.id, body: eventBody(only, workspaceId) };
  return { id: newId(), body: batchBody(messages, workspaceId) };
}

/** Returns a message in the format for receivers: `{ type, timestamp, data }`. The text is the same at each attempt. */
export function eventBody(message: DueMessage, workspaceId: string): string {
  return JSON.stringify(eventOf(message, workspaceId));
}

/** Returns messages in the format for receivers that accept batches: a list in which each message has its own id. */
function batchBody(messages: readonly DueMessage[], workspaceId: string): string {
  return JSON.stringify(messages.map((message) => ({ id: message.id, ...eventOf(message, workspaceId) })));
}

function eventOf(message: DueMessage, workspaceId: string): object {
  const { type, createdAt } = message;
  return { type, timestamp: createdAt.toISOString(), data: { workspaceId, ...dataOf(message) } };
}

function dataOf({ type, botId, resultId, sessionId, content }: DueMessage): object {
  if (type === "ping") return {};
  const { about, within }: EventDescription = events[type];
  const ids = { result: { botId, resultId, sessionId }, bot: { botId }, workspace: {} };
  return Object.assign(ids[about], within === undefined ? content : { [within]: content });
}
