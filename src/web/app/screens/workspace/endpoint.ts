import type { Answer } from "../../api/index.ts";

/** An address that is told of events. */
export type Endpoint = Answer<"GET /api/v1/workspaces/:workspaceId/event-endpoints">["eventEndpoints"][number];
export type EventType = Endpoint["eventTypes"][number];

/** All that an endpoint can be told of, in the order of a chat. */
export const eventTypes: readonly EventType[] = [
  "result.started",
  "result.answered",
  "result.completed",
  "bot.published",
  "results.exported",
  "budget.reached",
];
