import { AppError } from "../../errors.ts";
import { usualEventTypes } from "../../events.ts";
import { limits } from "../../limits/index.ts";
import { cutPage, type PageRequest, readPage } from "../../platform/http/requests/cursor.ts";
import { invalidInput } from "../../platform/http/requests/invalid-input.ts";
import { isId, newId } from "../../platform/ids.ts";
import { eventSecretPlace } from "../../platform/secrets.ts";
import { type Caller, requireWorkspace } from "../access/access.ts";
import type { ManagementDependencies } from "../access/dependencies.ts";
import { outgoingProblem } from "../access/outgoing-addresses.ts";
import {
  type EndpointPlace,
  type EventEndpointChange,
  type EventEndpointRow,
  eventEndpointRows,
  insertEventEndpoint,
  rotateEventSecret as rotateRow,
  updateEventEndpoint as updateRow,
} from "./event-endpoints.sql.ts";

type NewSecret = { readonly secret: string };

const secretBytes = 32;

/** Returns a workspace's endpoints, newest first. GUESTs have no access. */
export async function listEventEndpoints(
  deps: ManagementDependencies,
  caller: Caller,
  workspaceId: string,
  request: PageRequest,
) {
  await requireWorkspace(deps, caller, workspaceId, "work");
  const page = readPage("event-endpoints", request, [workspaceId]);
  const rows = await eventEndpointRows.list(deps.sql, { ownerId: workspaceId, ...page.part });
  const { rows: eventEndpoints, ...rest } = cutPage({ rows, page });
  return { eventEndpoints, ...rest };
}

/**
 * Returns one endpoint of the workspace. `right` has the same meaning as in `requireWorkspace`. Throws
 * `event_endpoint.not_found`.
 */
export async function getEventEndpoint(
  deps: ManagementDependencies,
  caller: Caller,
  path: EndpointPlace,
  right: "work" | "administer" = "work",
): Promise<EventEndpointRow> {
  await requireWorkspace(deps, caller, path.workspaceId, right);
  const endpoint = isId(path.endpointId) ? await eventEndpointRows.find(deps.sql, keyOf(path)) : undefined;
  if (!endpoint) throw new AppError("event_endpoint.not_found");
  return endpoint;
}

/** Creates an endpoint. Only this response contains its secret. Requires ADMIN. */
export async function createEventEndpoint(
  deps: ManagementDependencies,
  caller: Caller,
  workspaceId: string,
  wanted: EventEndpointChange & { readonly url: string },
): Promise<EventEndpointRow & NewSecret> {
  await requireWorkspace(deps, caller, workspaceId, "administer", { isFilled: true });
  requireUrl(deps, wanted.url);
  const id = newId();
  const secret = newSecret();
  const endpoint = await insertEventEndpoint(
    deps.sql,
    {
      id,
      workspaceId,
      url: wanted.url,
      description: wanted.description ?? null,
      eventTypes: [...new Set(wanted.eventTypes ?? usualEventTypes)],
      isEnabled: wanted.isEnabled ?? true,
      maxConcurrency: wanted.maxConcurrency ?? limits.events.defaultConcurrency,
      batchSize: wanted.batchSize ?? 1,
      isListener: false,
      secret: await deps.secrets.seal(secret, eventSecretPlace(id)),
    },
    { most: limits.events.endpoints },
  );
  if (!endpoint) throw new AppError("event_endpoint.too_many", { data: { most: limits.events.endpoints } });
  return { ...endpoint, secret };
}

/** Changes the given fields. Requires ADMIN. */
export async function updateEventEndpoint(
  deps: ManagementDependencies,
  caller: Caller,
  path: EndpointPlace,
  change: EventEndpointChange,
): Promise<EventEndpointRow> {
  await requireWorkspace(deps, caller, path.workspaceId, "administer");
  if (change.url !== undefined) requireUrl(deps, change.url);
  const types = change.eventTypes && [...new Set(change.eventTypes)];
  const endpoint = await updateRow(deps.sql, path, { ...change, eventTypes: types });
  if (!endpoint) throw new AppError("event_endpoint.not_found");
  return endpoint;
}

/** Deletes an endpoint. Nothing more is sent to it, not even pending events. Requires ADMIN. */
export async function deleteEventEndpoint(
  deps: ManagementDependencies,
  caller: Caller,
  path: EndpointPlace,
): Promise<EventEndpointRow> {
  await requireWorkspace(deps, caller, path.workspaceId, "administer");
  const endpoint = await eventEndpointRows.remove(deps.sql, keyOf(path));
  if (!endpoint) throw new AppError("event_endpoint.not_found");
  return endpoint;
}

/**
 * Gives an endpoint a new secret. For a day, messages are also signed with the previous secret, so that receivers can
 * switch. Requires ADMIN.
 */
export async function rotateEventSecret(
  deps: ManagementDependencies,
  caller: Caller,
  path: EndpointPlace,
): Promise<EventEndpointRow & NewSecret> {
  await requireWorkspace(deps, caller, path.workspaceId, "administer");
  const secret = newSecret();
  const sealed = await deps.secrets.seal(secret, eventSecretPlace(path.endpointId));
  const endpoint = await rotateRow(deps.sql, path, { secret: sealed, hours: limits.events.oldSecretHours });
  if (!endpoint) throw new AppError("event_endpoint.not_found");
  return { ...endpoint, secret };
}

function keyOf({ workspaceId, endpointId }: EndpointPlace) {
  return { ownerId: workspaceId, key: endpointId };
}

/** Creates a secret in the format of Standard Webhooks. */
function newSecret(): string {
  return `whsec_${Buffer.from(crypto.getRandomValues(new Uint8Array(secretBytes))).toString("base64")}`;
}

function requireUrl({ config }: ManagementDependencies, url: string): void {
  const problem = outgoingProblem(config, url);
  if (problem !== undefined) throw invalidInput([{ path: "url", message: problem }]);
}
