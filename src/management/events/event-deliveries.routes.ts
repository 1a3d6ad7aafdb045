import { Type } from "@sinclair/typebox";
import { eventTypes } from "../../events.ts";
import {
  described,
  exampleTime,
  Id,
  NextCursor,
  nullable,
  oneOf,
  PageQuery,
  resource,
  Timestamp,
} from "../../platform/http/schemas.ts";
import { type Operation, operationFor } from "../operations/operation.ts";
import { deliveryStatuses, listEventDeliveries, pingEventEndpoint, redeliverEvent } from "./event-deliveries.ts";

const EventDeliverySchema = resource(
  "EventDelivery",
  {
    id: Type.String({ ...Id, description: "The message's `webhook-id`: the same however often it is sent." }),
    endpointId: Id,
    type: oneOf([...eventTypes, "ping"], { description: "What happened." }),
    botId: nullable(Id),
    resultId: nullable(Id),
    status: oneOf(deliveryStatuses, { description: "How far it has come." }),
    attempts: Type.Integer({ description: "How often it was sent." }),
    nextAttemptAt: described(nullable(Timestamp), "When it is sent next; null where it is not any more."),
    lastAttemptAt: described(nullable(Timestamp), "When it was last sent; null before the first time."),
    lastStatusCode: nullable(Type.Integer({ description: "The status that the receiver last answered with." })),
    lastError: nullable(Type.String({ description: "Why there was no answer the last time." })),
    lastResponse: nullable(Type.String({ description: "The beginning of what the receiver answered." })),
    createdAt: Timestamp,
  },
  "An event, and how it came to its endpoint.",
  {
    type: "result.completed",
    status: "delivered",
    attempts: 1,
    nextAttemptAt: null,
    lastStatusCode: 200,
    lastError: null,
    lastResponse: "ok",
  },
);

const operation = operationFor("Event endpoints");
const base = "/api/v1/workspaces/:workspaceId/event-endpoints/:endpointId";

export const eventDeliveryOperations: readonly Operation[] = [
  operation({
    id: "listEventDeliveries",
    route: `GET ${base}/deliveries`,
    summary: "List an endpoint's deliveries",
    description:
      "Newest first, also what still waits. `failed`: given up after three days of attempts. Kept for two weeks; events of a result go with it.",
    query: Type.Object({
      ...PageQuery.properties,
      status: Type.Optional(oneOf(deliveryStatuses, { description: "Only those that have come so far." })),
    }),
    answer: Type.Object({ deliveries: Type.Array(EventDeliverySchema), nextCursor: NextCursor }),
    handle: async (deps, { caller, params, query }) => listEventDeliveries(deps, caller, params, query),
  }),
  operation({
    id: "redeliverEvent",
    route: `POST ${base}/deliveries/:deliveryId/redeliver`,
    summary: "Send an event again",
    description: "Sends it at once, under the same `webhook-id`, with the full number of attempts.",
    answer: Type.Object({ delivery: EventDeliverySchema }),
    answerExample: {
      delivery: { ...EventDeliverySchema.example, status: "pending", attempts: 0, nextAttemptAt: exampleTime },
    },
    errors: ["event_endpoint.disabled"],
    handle: async (deps, { caller, params }) => ({
      delivery: await redeliverEvent(deps, caller, params),
    }),
  }),
  operation({
    id: "testEventEndpoint",
    route: `POST ${base}/test`,
    summary: "Send a ping",
    description:
      "Sends an event of type `ping` without content, signed like all others. Its delivery shows the outcome.",
    answer: Type.Object({ delivery: EventDeliverySchema }),
    answerExample: {
      delivery: {
        ...EventDeliverySchema.example,
        type: "ping",
        botId: null,
        resultId: null,
        status: "pending",
        attempts: 0,
        nextAttemptAt: exampleTime,
        lastAttemptAt: null,
        lastStatusCode: null,
        lastResponse: null,
      },
    },
    errors: ["event_endpoint.disabled"],
    handle: async (deps, { caller, params }) => ({
      delivery: await pingEventEndpoint(deps, caller, params),
    }),
  }),
];
