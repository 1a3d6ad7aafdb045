import type { DueMessage } from "./queue.sql.ts";

/** A message as receivers get it: `{ type, timestamp, data }`, the same text at each attempt. */
export function eventBody(message: DueMessage, workspaceId: string): string {
  return JSON.stringify(eventOf(message, workspaceId));
}

/** Messages as receivers that take several at once get them: a list, each under its own id. */
export function batchBody(messages: readonly DueMessage[], workspaceId: string): string {
  return JSON.stringify(messages.map((message) => ({ id: message.id, ...eventOf(message, workspaceId) })));
}

function eventOf(message: DueMessage, workspaceId: string): object {
  const { type, createdAt } = message;
  return { type, timestamp: createdAt.toISOString(), data: { workspaceId, ...dataOf(message) } };
}

function dataOf({ type, botId, resultId, sessionId, content }: DueMessage): object {
  switch (type) {
    case "result.started":
      return { botId, resultId, sessionId };
    case "result.answered":
      return { botId, resultId, sessionId, answer: content };
    case "result.completed":
      return { botId, resultId, sessionId, ...membersOf(content) };
    case "bot.published":
    case "results.exported":
    case "budget.reached":
      return { botId, ...membersOf(content) };
    case "ping":
      return {};
    default:
      return type satisfies never;
  }
}

function membersOf(content: unknown): object {
  return typeof content === "object" && content !== null ? content : {};
}
