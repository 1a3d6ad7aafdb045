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
import { deliveryStatuses, listEventDeliveries, redeliverEvent, testEventEndpoint } from "./event-deliveries.ts";

const EventDeliverySchema = resource(
  "EventDelivery",
  {
    id: Type.String({ ...Id, description: "The event's `webhook-id`, which is the same for all attempts." }),
    endpointId: Id,
    type: oneOf([...eventTypes, "ping"], { description: "Type of the event." }),
    botId: nullable(Id),
    resultId: nullable(Id),
    status: oneOf(deliveryStatuses, { description: "State of the delivery." }),
    attempts: Type.Integer({ description: "Number of attempts." }),
    nextAttemptAt: described(nullable(Timestamp), "Time of the next attempt; null if there is none."),
    lastAttemptAt: described(nullable(Timestamp), "Time of the last attempt; null before the first one."),
    lastStatusCode: nullable(
      Type.Integer({ description: "HTTP status of the response to the last attempt. Null if there was no response." }),
    ),
    lastError: nullable(Type.String({ description: "The reason why the last attempt failed. Null if it succeeded." })),
    lastResponse: nullable(Type.String({ description: "The beginning of the receiver's response." })),
    createdAt: Timestamp,
  },
  "The delivery of one event to one endpoint.",
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
    query: Type.Object({
      ...PageQuery.properties,
      status: Type.Optional(oneOf(deliveryStatuses, { description: "Returns only deliveries in this state." })),
    }),
    answer: Type.Object({ deliveries: Type.Array(EventDeliverySchema), nextCursor: NextCursor }),
    handle: async (deps, { caller, params, query }) => listEventDeliveries(deps, caller, params, query),
  }),
  operation({
    id: "redeliverEvent",
    route: `POST ${base}/deliveries/:deliveryId/redeliver`,
    shows: true,
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
    body: Type.Object({
      type: Type.Optional(
        oneOf([...eventTypes, "ping"], { description: "Type of the sample event. Defaults to `ping`." }),
      ),
    }),
    shows: true,
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
    handle: async (deps, { caller, params, body }) => ({
      delivery: await testEventEndpoint(deps, caller, params, body.type ?? "ping"),
    }),
  }),
];
