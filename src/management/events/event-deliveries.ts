import { AppError } from "../../errors.ts";
import { events } from "../../events.ts";
import { cutPage, type PageRequest, readPage } from "../../platform/http/requests/cursor.ts";
import { isId, newId } from "../../platform/ids.ts";
import type { Caller } from "../access/access.ts";
import type { ManagementDependencies } from "../access/dependencies.ts";
import {
  type DeliveryStatus,
  deliveryStatuses,
  type EventDeliveryRow,
  endPause,
  insertTestMessage,
  listEventDeliveries as listRows,
  type MessageType,
  redeliver,
  type TestMessage,
} from "./event-deliveries.sql.ts";
import type { EndpointPlace } from "./event-endpoints.sql.ts";
import { getEventEndpoint } from "./event-endpoints.ts";

export { deliveryStatuses };

/** Returns the delivery log of an endpoint, including pending messages, newest first. GUESTs have no access. */
export async function listEventDeliveries(
  deps: ManagementDependencies,
  caller: Caller,
  path: EndpointPlace,
  { status, ...request }: PageRequest & { readonly status?: DeliveryStatus | undefined },
) {
  await getEventEndpoint(deps, caller, path);
  const page = readPage("event-deliveries", request, [path.endpointId, status]);
  const list = { endpointId: path.endpointId, status, ...page.part };
  const rows = await deps.replica.read((sql) => listRows(sql, list));
  const { rows: deliveries, ...rest } = cutPage({ rows, page });
  return { deliveries, ...rest };
}

/**
 * Makes a message due again with the same id, regardless of its status. Throws `event_endpoint.disabled`. Requires
 * ADMIN.
 */
export async function redeliverEvent(
  deps: ManagementDependencies,
  caller: Caller,
  { deliveryId, ...path }: EndpointPlace & { readonly deliveryId: string },
): Promise<EventDeliveryRow> {
  await requireEnabled(deps, caller, path);
  const { endpointId } = path;
  const delivery = isId(deliveryId) ? await redeliver(deps.sql, { endpointId, deliveryId }) : undefined;
  if (!delivery) throw new AppError("event_delivery.not_found");
  await endPause(deps.sql, endpointId);
  return delivery;
}

/**
 * Queues a `ping` without data, or a sample event. The delivery log shows the outcome. Throws
 * `event_endpoint.disabled`. Requires ADMIN.
 */
export async function testEventEndpoint(
  deps: ManagementDependencies,
  caller: Caller,
  path: EndpointPlace,
  type: MessageType,
): Promise<EventDeliveryRow> {
  await requireEnabled(deps, caller, path);
  const place = { id: newId(), endpointId: path.endpointId };
  const delivery = await insertTestMessage(deps.sql, place, sampleOf(type));
  await endPause(deps.sql, path.endpointId);
  return delivery;
}

/** Returns a sample message. Its ids refer to no object, so a receiver that requests them gets a not-found error. */
function sampleOf(type: MessageType): TestMessage {
  const sample = { type, botId: null, resultId: null, sessionId: null, content: null };
  if (type === "ping") return sample;
  const { about, content } = events[type];
  if (about === "workspace") return { ...sample, content };
  if (about === "bot") return { ...sample, botId: newId(), content };
  return { ...sample, botId: newId(), resultId: newId(), sessionId: newId(), content };
}

async function requireEnabled(deps: ManagementDependencies, caller: Caller, path: EndpointPlace): Promise<void> {
  const endpoint = await getEventEndpoint(deps, caller, path, "administer");
  if (!endpoint.isEnabled) throw new AppError("event_endpoint.disabled");
}
