import { createHmac } from "node:crypto";
import { AppError } from "../../../errors.ts";
import { type EventType, usualEventTypes } from "../../../events.ts";
import { limits } from "../../../limits/index.ts";
import { isId, newId } from "../../../platform/ids.ts";
import { eventSecretPlace } from "../../../platform/secrets.ts";
import { type Caller, requireWorkspace } from "../../access/access.ts";
import type { ManagementDependencies } from "../../access/dependencies.ts";
import { createInstanceKey } from "../../access/instance-keys.ts";
import type { AttemptOutcome } from "../delivery/attempts.ts";
import { callOf } from "../delivery/event-body.ts";
import { laneCount } from "../delivery/lanes.sql.ts";
import { type DueMessage, listDueMessages, type OpenEndpoint } from "../delivery/queue.sql.ts";
import { createSecretReader } from "../delivery/secret-reader.ts";
import { headersOf } from "../event-delivery.ts";
import { type EndpointPlace, type EventEndpointRow, insertEventEndpoint } from "../event-endpoints.sql.ts";
import { getEventEndpoint } from "../event-endpoints.ts";
import { copyDeliveries, noteListening, saveReceived } from "./listeners.sql.ts";

export type NewListener = {
  readonly url: string;
  readonly description?: string | null | undefined;
  readonly eventTypes?: readonly EventType[] | undefined;
  /**
   * The endpoint to copy from. The listener gets its batch size, its last `replayCount` messages and, unless
   * `eventTypes` is given, its subscribed events.
   */
  readonly endpointId?: string | undefined;
  readonly replayCount?: number | undefined;
};

/** A call that the listener sends instead of Parley, with the headers and the body that Parley would send. */
export type ReceivedCall = {
  readonly id: string;
  readonly deliveryIds: string[];
  readonly headers: Record<string, string>;
  readonly body: string;
};

const noSource = { eventTypes: usualEventTypes, batchSize: 1 };

/**
 * Creates an endpoint for a listener, which requests the events itself. The events thus reach a machine that Parley
 * cannot reach. The endpoint is deleted if there is no request for some minutes. The secret is always the same for this
 * user and workspace. Requires ADMIN.
 */
export async function createEventListener(
  deps: ManagementDependencies,
  caller: Caller,
  workspaceId: string,
  { url, description, endpointId, replayCount = 0, ...wanted }: NewListener,
): Promise<EventEndpointRow & { readonly secret: string }> {
  await requireWorkspace(deps, caller, workspaceId, "administer", { isFilled: true });
  const source =
    endpointId === undefined ? noSource : await getEventEndpoint(deps, caller, { workspaceId, endpointId });
  const id = newId();
  const secret = await listenerSecret(deps, { workspaceId, userId: caller.userId });
  const endpoint = await insertEventEndpoint(
    deps.sql,
    {
      ...{ id, workspaceId, url, description: description ?? null, isListener: true, isEnabled: true },
      eventTypes: [...new Set(wanted.eventTypes ?? source.eventTypes)],
      maxConcurrency: 1,
      batchSize: source.batchSize,
      secret: await deps.secrets.seal(secret, eventSecretPlace(id)),
    },
    { most: limits.events.endpoints },
  );
  if (!endpoint) throw new AppError("event_endpoint.too_many", { data: { most: limits.events.endpoints } });
  if (endpointId !== undefined && replayCount > 0)
    await copyDeliveries(deps.sql, { from: endpointId, to: id, count: replayCount });
  return { ...endpoint, secret };
}

/**
 * Derives the secret from the user and workspace, so that a receiver under development needs no new setting for each
 * listener. The secret signs only events of these listeners.
 */
async function listenerSecret(
  { sql }: ManagementDependencies,
  { workspaceId, userId }: { workspaceId: string; userId: string },
): Promise<string> {
  const key = await createInstanceKey(sql, "event-listeners")();
  return `whsec_${createHmac("sha256", key).update(`${workspaceId} ${userId}`).digest("base64")}`;
}

const lanes = Array.from({ length: laneCount }, (_, lane) => lane);
/** At most 32 keys in all lanes together, each with its next messages. */
const few = { keysPerLane: 4, messagesPerKey: 20, exceptKeys: [] };

/**
 * Saves the listener's outcomes for earlier messages and returns the next calls, in the order in which Parley would
 * send them. A message is returned again, with the same id, until its outcome is reported, so that a broken connection
 * loses nothing. Requires ADMIN.
 */
export async function receiveEvents(
  deps: ManagementDependencies,
  caller: Caller,
  path: EndpointPlace,
  outcomes: readonly Omit<AttemptOutcome, "retrySeconds">[],
): Promise<ReceivedCall[]> {
  await requireWorkspace(deps, caller, path.workspaceId, "administer");
  const endpoint = await noteListening(deps.sql, path);
  if (!endpoint) throw new AppError("event_endpoint.not_found");
  if (outcomes.length > 0) {
    const received = outcomes.filter(({ messageId }) => isId(messageId));
    await saveReceived(
      deps.sql,
      endpoint.id,
      received.map((outcome) => ({ ...outcome, retrySeconds: null })),
    );
  }
  if (endpoint.isSuspended) return [];
  const secrets = await createSecretReader(deps)(endpoint);
  if (!secrets) throw new Error("The secret of a listener cannot be decrypted with this ENCRYPTION_KEY");
  const messages = await listDueMessages(deps.sql, { endpointId: endpoint.id, lanes, ...few });
  const calls: ReceivedCall[] = [];
  let bytes = 0;
  for (const shipment of shipmentsOf(messages, endpoint)) {
    const call = callOf(shipment, endpoint);
    bytes += call.body.length;
    if (calls.length > 0 && bytes > limits.events.receivedBytes) break;
    const headers = Object.fromEntries(headersOf({ ...call, secrets }));
    calls.push({ ...call, headers, deliveryIds: shipment.map(({ id }) => id) });
  }
  return calls;
}

/** Divides messages into calls. Each call contains at most one message of each key. */
function shipmentsOf(messages: readonly DueMessage[], { batchSize }: Pick<OpenEndpoint, "batchSize">): DueMessage[][] {
  const shipments: DueMessage[][] = [];
  for (const message of messages) {
    const last = shipments.at(-1);
    const isInLast = last && last.length < batchSize && last.every(({ orderKey }) => orderKey !== message.orderKey);
    if (isInLast) last.push(message);
    else shipments.push([message]);
  }
  return shipments;
}
