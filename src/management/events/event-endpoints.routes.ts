import { Type } from "@sinclair/typebox";
import { type EventDescription, type EventType, events, eventTypes } from "../../events.ts";
import { limits } from "../../limits/index.ts";
import {
  described,
  exampleTime,
  Id,
  nullable,
  oneOf,
  pageOf,
  resource,
  Timestamp,
} from "../../platform/http/schemas.ts";
import { type Operation, operationFor } from "../operations/operation.ts";
import {
  createEventEndpoint,
  deleteEventEndpoint,
  getEventEndpoint,
  listEventEndpoints,
  rotateEventSecret,
  updateEventEndpoint,
} from "./event-endpoints.ts";

const endpointProperties = {
  id: Id,
  workspaceId: Id,
  url: Type.String({ description: "URL that events are sent to." }),
  description: nullable(Type.String({ description: "The purpose of the endpoint." })),
  eventTypes: Type.Array(oneOf(eventTypes), { description: "The event types that are sent to the endpoint." }),
  isEnabled: Type.Boolean({ description: "Whether events are sent to the endpoint." }),
  disabledReason: nullable(
    Type.String({
      description: "Reason why the service disabled the endpoint: it failed for days, or responded with 410.",
    }),
  ),
  failingSince: described(
    nullable(Timestamp),
    "Time since which deliveries have failed; null if the last delivery succeeded.",
  ),
  fallingBehindSince: described(
    nullable(Timestamp),
    "Time since which the endpoint's oldest event has been late; null if no event is late.",
  ),
  pendingCount: Type.Integer({
    description: `Number of waiting events; ${limits.events.shownPending} means ${limits.events.shownPending} or more.`,
  }),
  oldestPendingAt: described(nullable(Timestamp), "Time of the oldest waiting event; null if no event waits."),
  maxConcurrency: Type.Integer({ description: "Maximum number of concurrent calls." }),
  batchSize: Type.Integer({ description: "Maximum number of events in one call." }),
  previousSecretUntil: described(
    nullable(Timestamp),
    "Time until which calls are also signed with the previous secret; null if there is no such secret.",
  ),
  isListener: Type.Boolean({
    description: "Whether `parley listen` fetches the endpoint's events. Parley then does not send them to the URL.",
  }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
};

export const EventEndpointSchema = resource("EventEndpoint", endpointProperties, "A URL to which events are sent.", {
  url: "https://example.com/parley-events",
  description: "Our CRM",
  eventTypes: ["result.completed"],
  isEnabled: true,
  disabledReason: null,
  failingSince: null,
  fallingBehindSince: null,
  pendingCount: 0,
  oldestPendingAt: null,
  maxConcurrency: limits.events.defaultConcurrency,
  batchSize: 1,
  previousSecretUntil: null,
  isListener: false,
});

export const NewEventEndpointSchema = resource(
  "NewEventEndpoint",
  {
    ...endpointProperties,
    secret: Type.String({
      description: "The signing secret in the format of Standard Webhooks. It is returned only in this response.",
    }),
  },
  "A new endpoint, or one with a new secret, together with the secret.",
);

export const secretExample = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDbFvqyHqLlOg=";

const UrlInput = Type.String({
  minLength: 1,
  maxLength: limits.events.urlCharacters,
  description: "An http or https URL that this service can reach. Redirects are not followed.",
});
const DescriptionInput = nullable(Type.String({ maxLength: limits.fields.noteCharacters }));
export const EventTypesInput = Type.Array(oneOf(eventTypes), {
  minItems: 1,
  maxItems: eventTypes.length,
  description:
    "The event types that are sent to the endpoint. Defaults to all current types except `message.received`, `message.sent` and `message.failed`. Types of later releases are not added automatically.",
});

const MaxConcurrencyInput = Type.Integer({
  minimum: 1,
  maximum: limits.events.maxConcurrency,
  description:
    "Maximum number of concurrent calls. Parley makes fewer calls while the receiver responds with 429 or 5xx, times out, or becomes slower.",
});
const BatchSizeInput = Type.Integer({
  minimum: 1,
  maximum: limits.events.maxBatchSize,
  description: "Maximum number of events in one call. With 1, each event has its own call, and the body is not a list.",
});

const operation = operationFor("Event endpoints");
const base = "/api/v1/workspaces/:workspaceId/event-endpoints";

function sentence(type: EventType): string {
  const { sentWhen }: EventDescription = events[type];
  return sentWhen === undefined ? `\`${type}\`` : `\`${type}\`: ${sentWhen}`;
}

const whatIsSent = [
  "Each event is one POST of `{ type, timestamp, data }`, signed as the Standard Webhooks specification requires",
  `(\`webhook-id\`, \`webhook-timestamp\`, \`webhook-signature\`). ${eventTypes.map(sentence).join("; ")}.`,
  "A 2xx response within 15 seconds counts as delivered; otherwise the call is retried for three days. Events of one chat",
  "arrive in order, each at least once, always with the same `webhook-id`. Previews send no events.",
  "With a `batchSize` above 1 the body is a list of `{ id, type, timestamp, data }`, with at most one event of each chat. Each `id` is the event's permanent",
  "`webhook-id`; the `webhook-id` of the call itself is new each time. The response's status applies to the whole list, and rejected events",
  "are sent again in lists of one event.",
  `An endpoint whose oldest event has waited for ${limits.events.fallingBehindSeconds / 60} minutes is falling behind (\`fallingBehindSince\`):`,
  "ADMINs get an e-mail, and another one before events are dropped.",
].join(" ");

export const eventEndpointOperations: readonly Operation[] = [
  operation({
    id: "listEventEndpoints",
    route: `GET ${base}`,
    ...pageOf({ eventEndpoints: Type.Array(EventEndpointSchema) }),
    handle: async (deps, { caller, params: { workspaceId }, query }) =>
      listEventEndpoints(deps, caller, workspaceId, query),
  }),
  operation({
    id: "createEventEndpoint",
    route: `POST ${base}`,
    description: whatIsSent,
    body: Type.Object({
      url: UrlInput,
      description: Type.Optional(DescriptionInput),
      eventTypes: Type.Optional(EventTypesInput),
      isEnabled: Type.Optional(
        Type.Boolean({ default: true, description: "Whether events are sent to the endpoint." }),
      ),
      maxConcurrency: Type.Optional(MaxConcurrencyInput),
      batchSize: Type.Optional(BatchSizeInput),
    }),
    answer: Type.Object({ eventEndpoint: NewEventEndpointSchema }),
    answerExample: { eventEndpoint: { ...EventEndpointSchema.example, secret: secretExample } },
    errors: ["workspace.takes_nothing", "event_endpoint.too_many", "secret.no_key"],
    handle: async (deps, { caller, params: { workspaceId }, body }) => ({
      eventEndpoint: await createEventEndpoint(deps, caller, workspaceId, body),
    }),
  }),
  operation({
    id: "getEventEndpoint",
    route: `GET ${base}/:endpointId`,
    answer: Type.Object({ eventEndpoint: EventEndpointSchema }),
    handle: async (deps, { caller, params: path }) => ({
      eventEndpoint: await getEventEndpoint(deps, caller, path),
    }),
  }),
  operation({
    id: "updateEventEndpoint",
    route: `PATCH ${base}/:endpointId`,
    body: Type.Object({
      url: Type.Optional(UrlInput),
      description: Type.Optional(DescriptionInput),
      eventTypes: Type.Optional(EventTypesInput),
      isEnabled: Type.Optional(Type.Boolean({ description: "Whether events are sent to the endpoint." })),
      maxConcurrency: Type.Optional(MaxConcurrencyInput),
      batchSize: Type.Optional(BatchSizeInput),
    }),
    answer: Type.Object({ eventEndpoint: EventEndpointSchema }),
    handle: async (deps, { caller, params: path, body }) => ({
      eventEndpoint: await updateEventEndpoint(deps, caller, path, body),
    }),
  }),
  operation({
    id: "deleteEventEndpoint",
    route: `DELETE ${base}/:endpointId`,
    answer: Type.Object({ eventEndpoint: EventEndpointSchema }),
    handle: async (deps, { caller, params: path }) => ({
      eventEndpoint: await deleteEventEndpoint(deps, caller, path),
    }),
  }),
  operation({
    id: "rotateEventEndpointSecret",
    route: `POST ${base}/:endpointId/rotate-secret`,
    description: `Calls are also signed with the previous secret for ${limits.events.oldSecretHours} hours, so that receivers have time to switch.`,
    answer: Type.Object({ eventEndpoint: NewEventEndpointSchema }),
    answerExample: {
      eventEndpoint: { ...EventEndpointSchema.example, previousSecretUntil: exampleTime, secret: secretExample },
    },
    errors: ["secret.no_key"],
    handle: async (deps, { caller, params: path }) => ({
      eventEndpoint: await rotateEventSecret(deps, caller, path),
    }),
  }),
];
