import type { Answer } from "../../api/index.ts";

/** An address that receives events. */
export type Endpoint = Answer<"GET /api/v1/workspaces/:workspaceId/event-endpoints">["eventEndpoints"][number];
export type EventType = Endpoint["eventTypes"][number];

/** All events that an endpoint can receive, in the order of a chat. */
export const eventTypes: readonly EventType[] = [
  "result.started",
  "result.answered",
  "result.completed",
  "bot.published",
  "results.exported",
  "budget.reached",
];
