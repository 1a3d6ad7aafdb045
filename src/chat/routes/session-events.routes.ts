import { Type } from "@sinclair/typebox";
import { limits } from "../../limits/index.ts";
import { needsNoToken } from "../../management/operations/authentication.ts";
import { type Operation, operationFor } from "../../management/operations/operation.ts";
import { originsOf } from "../../management/operations/origins.ts";
import { eventsType } from "../../platform/http/event-stream.ts";
import { sessionEvents } from "../session-events.ts";
import type { ChatDependencies } from "../steps/dependencies.ts";

const operation = operationFor<ChatDependencies>("Chat");

/** Operations to watch the steps of a session, including steps without a request. */
export const sessionEventOperations: readonly Operation[] = [
  operation({
    id: "watchSession",
    route: "GET /api/v1/sessions/:sessionId/events",
    description:
      "Returns server-sent events. Each event is a `step` with the response of a saved step; its `id` is the number of the step in the chat. Use this while the chat waits for an external call or for time to pass, " +
      `instead of polling. The newest step comes first. With \`Last-Event-ID\`, the steps after that step come first, if there are no more than ${limits.sessionEvents.steps}. Ignore steps that you already have. The stream sends an SSE comment every 10 seconds. It ends ` +
      "with the chat, and after four minutes: then reconnect with `Last-Event-ID`. A step arrives at most two seconds after it was saved, on any node.",
    host: "chat",
    isForBuilder: true,
    act: "steps",
    auth: needsNoToken,
    answer: Type.String(),
    answerType: eventsType,
    errors: ["session.not_found", "session.ended", "session.expired", "origin.not_allowed", "server.overloaded"],
    async handle(deps, { params: { sessionId }, headers, request }) {
      if (request.method === "HEAD") return new Response(null, { headers: { "Content-Type": eventsType } });
      return sessionEvents(deps, {
        sessionId,
        lastEventId: headers.get("last-event-id"),
        origins: originsOf(headers),
        signal: request.signal,
      });
    },
  }),
];
