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
  url: Type.String({ description: "Where events are sent." }),
  description: nullable(Type.String({ description: "What it is for." })),
  eventTypes: Type.Array(oneOf(eventTypes), { description: "The events that are sent to it." }),
  isEnabled: Type.Boolean({ description: "Whether events are sent to it." }),
  disabledReason: nullable(
    Type.String({ description: "Why the service disabled it: it failed for days, or responded with 410." }),
  ),
  failingSince: described(nullable(Timestamp), "Since when no event was delivered; null where the last one was."),
  fallingBehindSince: described(
    nullable(Timestamp),
    "Since when its oldest event waits for too long; null where none does.",
  ),
  pendingCount: Type.Integer({ description: `Events that wait; ${limits.events.shownPending} means so many or more.` }),
  oldestPendingAt: described(nullable(Timestamp), "When the oldest event that waits happened; null where none waits."),
  maxConcurrency: Type.Integer({ description: "The most calls under way at once." }),
  batchSize: Type.Integer({ description: "The most events in one call." }),
  previousSecretUntil: described(
    nullable(Timestamp),
    "Until when calls are signed with the former secret, too; null where they are not.",
  ),
  createdAt: Timestamp,
  updatedAt: Timestamp,
};

const EventEndpointSchema = resource("EventEndpoint", endpointProperties, "An address that events are sent to.", {
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
});

const NewEventEndpointSchema = resource(
  "NewEventEndpoint",
  {
    ...endpointProperties,
    secret: Type.String({ description: "Shown only now: what signs, as Standard Webhooks writes it." }),
  },
  "An endpoint that was just made, or given a new secret, with it.",
);

const secretExample = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDbFvqyHqLlOg=";

const UrlInput = Type.String({
  minLength: 1,
  maxLength: limits.events.urlCharacters,
  description: "An http or https address that is reached from this service; redirects are not followed.",
});
const DescriptionInput = nullable(Type.String({ maxLength: limits.fields.noteCharacters }));
const EventTypesInput = Type.Array(oneOf(eventTypes), {
  minItems: 1,
  maxItems: eventTypes.length,
  description: "The events that are sent to it; absent: all.",
});

const MaxConcurrencyInput = Type.Integer({
  minimum: 1,
  maximum: limits.events.maxConcurrency,
  description:
    "The most calls under way at once. Fewer are made while the receiver answers with 429 or 5xx, not at all, or more slowly than before.",
});
const BatchSizeInput = Type.Integer({
  minimum: 1,
  maximum: limits.events.maxBatchSize,
  description: "The most events in one call. 1: each event is a call of its own, and no list.",
});

const operation = operationFor("Event endpoints");
const base = "/api/v1/workspaces/:workspaceId/event-endpoints";

function sentence(type: EventType): string {
  const { sentWhen }: EventDescription = events[type];
  return sentWhen === undefined ? `\`${type}\`` : `\`${type}\`: ${sentWhen}`;
}

const whatIsSent = [
  "Each event is one POST of `{ type, timestamp, data }`, signed as the Standard Webhooks specification says",
  `(\`webhook-id\`, \`webhook-timestamp\`, \`webhook-signature\`). ${eventTypes.map(sentence).join("; ")}.`,
  "2xx within 15 seconds is delivered; anything else is tried again for three days. Events of one chat",
  "arrive in their order, each at least once, always under the same `webhook-id`. Previews send nothing.",
  "With a `batchSize` above 1 the body is a list of `{ id, type, timestamp, data }`, of one chat at most one event: each `id` is what the",
  "`webhook-id` would be, and stays the same; the call's own `webhook-id` is new each time. Its status counts for all of the list, and what was",
  "refused is sent again in a list of one.",
  `An endpoint whose oldest event has waited for ${limits.events.fallingBehindSeconds / 60} minutes is falling behind (\`fallingBehindSince\`):`,
  "ADMINs get a mail then, and another one before its events are given up.",
].join(" ");

export const eventEndpointOperations: readonly Operation[] = [
  operation({
    id: "listEventEndpoints",
    route: `GET ${base}`,
    summary: "List a workspace's event endpoints",
    ...pageOf({ eventEndpoints: Type.Array(EventEndpointSchema) }),
    handle: async (deps, { caller, params: { workspaceId }, query }) =>
      listEventEndpoints(deps, caller, workspaceId, query),
  }),
  operation({
    id: "createEventEndpoint",
    route: `POST ${base}`,
    summary: "Create an event endpoint",
    description: whatIsSent,
    body: Type.Object({
      url: UrlInput,
      description: Type.Optional(DescriptionInput),
      eventTypes: Type.Optional(EventTypesInput),
      isEnabled: Type.Optional(Type.Boolean({ default: true, description: "Whether events are sent to it." })),
      maxConcurrency: Type.Optional(MaxConcurrencyInput),
      batchSize: Type.Optional(BatchSizeInput),
    }),
    bodyExample: { url: "https://example.com/parley-events", eventTypes: ["result.completed"] },
    answer: Type.Object({ eventEndpoint: NewEventEndpointSchema }),
    answerExample: { eventEndpoint: { ...EventEndpointSchema.example, secret: secretExample } },
    errors: ["event_endpoint.too_many", "secret.no_key"],
    handle: async (deps, { caller, params: { workspaceId }, body }) => ({
      eventEndpoint: await createEventEndpoint(deps, caller, workspaceId, body),
    }),
  }),
  operation({
    id: "getEventEndpoint",
    route: `GET ${base}/:endpointId`,
    summary: "Get an event endpoint",
    answer: Type.Object({ eventEndpoint: EventEndpointSchema }),
    handle: async (deps, { caller, params: path }) => ({
      eventEndpoint: await getEventEndpoint(deps, caller, path),
    }),
  }),
  operation({
    id: "updateEventEndpoint",
    route: `PATCH ${base}/:endpointId`,
    summary: "Change an event endpoint",
    description:
      "While it is disabled nothing new is kept for it, and what waits stays; enabling it, or another address, tries what waits at once.",
    body: Type.Object({
      url: Type.Optional(UrlInput),
      description: Type.Optional(DescriptionInput),
      eventTypes: Type.Optional(EventTypesInput),
      isEnabled: Type.Optional(Type.Boolean({ description: "Whether events are sent to it." })),
      maxConcurrency: Type.Optional(MaxConcurrencyInput),
      batchSize: Type.Optional(BatchSizeInput),
    }),
    bodyExample: { isEnabled: true },
    answer: Type.Object({ eventEndpoint: EventEndpointSchema }),
    handle: async (deps, { caller, params: path, body }) => ({
      eventEndpoint: await updateEventEndpoint(deps, caller, path, body),
    }),
  }),
  operation({
    id: "deleteEventEndpoint",
    route: `DELETE ${base}/:endpointId`,
    summary: "Delete an event endpoint",
    description: "Events that were waiting for it are not sent.",
    answer: Type.Object({ eventEndpoint: EventEndpointSchema }),
    handle: async (deps, { caller, params: path }) => ({
      eventEndpoint: await deleteEventEndpoint(deps, caller, path),
    }),
  }),
  operation({
    id: "rotateEventEndpointSecret",
    route: `POST ${base}/:endpointId/rotate-secret`,
    summary: "Give an event endpoint a new secret",
    description: `The secret before signs beside it for ${limits.events.oldSecretHours} hours, so that receivers can change over.`,
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
