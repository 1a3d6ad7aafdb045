import { Type } from "@sinclair/typebox";
import { limits } from "../../../limits/index.ts";
import { exampleId, Id, IdInput, nullable } from "../../../platform/http/schemas.ts";
import { type Operation, operationFor } from "../../operations/operation.ts";
import {
  EventEndpointSchema,
  EventTypesInput,
  NewEventEndpointSchema,
  secretExample,
} from "../event-endpoints.routes.ts";
import { createEventListener, receiveEvents } from "./listeners.ts";

const operation = operationFor("Event endpoints");

const ReceivedCallSchema = Type.Object(
  {
    id: Type.String({ description: "The `webhook-id` of the call." }),
    deliveryIds: Type.Array(Id, {
      description: "Ids of the deliveries in the call. There are several if the endpoint accepts batches.",
    }),
    headers: Type.Record(Type.String(), Type.String(), {
      description: "Headers of the call, including the signature.",
    }),
    body: Type.String({ description: "Body of the call, byte for byte." }),
  },
  { description: "A call that Parley would make to the URL of an endpoint." },
);

const OutcomeSchema = Type.Object(
  {
    deliveryId: Type.String({ ...IdInput, description: "Id of the delivery." }),
    isDelivered: Type.Boolean({ description: "Whether the receiver accepted the call with a 2xx response." }),
    statusCode: nullable(
      Type.Integer({ minimum: 100, maximum: 599, description: "HTTP status of the receiver's response." }),
    ),
    error: nullable(
      Type.String({ maxLength: limits.events.responseCharacters, description: "Reason why there was no response." }),
    ),
    response: nullable(
      Type.String({
        maxLength: limits.events.responseCharacters,
        description: "Beginning of the receiver's response.",
      }),
    ),
  },
  { description: "The outcome of a delivery." },
);

export const eventListenerOperations: readonly Operation[] = [
  operation({
    id: "createEventListener",
    route: "POST /api/v1/workspaces/:workspaceId/event-listeners",
    description: [
      "For `parley listen`: an endpoint whose events are not sent to its URL, but fetched with `receive`, so that they reach a machine that Parley cannot call.",
      `The endpoint and its events are removed when nobody has fetched events for ${limits.events.listenerMinutes} minutes. All listeners of a user in a workspace have the same secret.`,
    ].join(" "),
    body: Type.Object({
      url: Type.String({
        minLength: 1,
        maxLength: limits.events.urlCharacters,
        description: "URL to which the listener forwards its events. It is only displayed.",
      }),
      eventTypes: Type.Optional(EventTypesInput),
      endpointId: Type.Optional(
        Type.String({ ...IdInput, description: "Id of an endpoint whose event types and `batchSize` are copied." }),
      ),
      replayCount: Type.Optional(
        Type.Integer({
          minimum: 0,
          maximum: limits.events.replayed,
          description: "Number of that endpoint's latest events that are sent first, with new ids.",
        }),
      ),
    }),
    answer: Type.Object({ eventEndpoint: NewEventEndpointSchema }),
    answerExample: {
      eventEndpoint: {
        ...EventEndpointSchema.example,
        url: "http://localhost:4000/events",
        description: null,
        isListener: true,
        maxConcurrency: 1,
        secret: secretExample,
      },
    },
    errors: ["workspace.takes_nothing", "event_endpoint.not_found", "event_endpoint.too_many", "secret.no_key"],
    handle: async (deps, { caller, params: { workspaceId }, body }) => ({
      eventEndpoint: await createEventListener(deps, caller, workspaceId, body),
    }),
  }),
  operation({
    id: "receiveEvents",
    route: "POST /api/v1/workspaces/:workspaceId/event-endpoints/:endpointId/receive",
    body: Type.Object({
      outcomes: Type.Optional(
        Type.Array(OutcomeSchema, {
          maxItems: limits.events.receivedOutcomes,
          description: "The outcomes of earlier calls, one for each delivery.",
        }),
      ),
    }),
    bodyExample: {
      outcomes: [{ deliveryId: exampleId, isDelivered: true, statusCode: 200, error: null, response: "ok" }],
    },
    shows: true,
    answer: Type.Object({ calls: Type.Array(ReceivedCallSchema, { description: "The next calls, oldest first." }) }),
    answerExample: {
      calls: [
        {
          id: exampleId,
          deliveryIds: [exampleId],
          headers: {
            "Content-Type": "application/json",
            "webhook-id": exampleId,
            "webhook-timestamp": "1767225600",
            "webhook-signature": "v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
          },
          body: '{"type":"ping","timestamp":"2026-01-01T00:00:00.000Z","data":{}}',
        },
      ],
    },
    isAudited: false,
    handle: async (deps, { caller, params: path, body: { outcomes = [] } }) => ({
      calls: await receiveEvents(
        deps,
        caller,
        path,
        outcomes.map(({ deliveryId, ...outcome }) => ({ messageId: deliveryId, ...outcome })),
      ),
    }),
  }),
];
