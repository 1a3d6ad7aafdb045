import type { ServerResponse } from "node:http";
import { Webhook } from "standardwebhooks";
import { type EventDescription, type EventType, events, eventTypes } from "../../src/events.ts";
import { laneCount } from "../../src/management/events/delivery/lanes.sql.ts";
import { type DueMessage, listDueMessages } from "../../src/management/events/delivery/queue.sql.ts";
import type { Sql } from "../../src/platform/database/sql.ts";
import { newId } from "../../src/platform/ids.ts";
import { createSecrets, eventSecretPlace } from "../../src/platform/secrets.ts";
import { type OutsideRequest, type OutsideServer, startOutside } from "./outside.ts";

export const testKey = "a key for tests, of thirty-two characters";
export const testSecrets = createSecrets({ current: testKey });
export const testSecret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;

/** Creates an endpoint in the database, by default in a new workspace. */
export async function putEndpoint(
  sql: Sql,
  endpoint: { url: string; workspaceId?: string; eventTypes?: readonly EventType[]; previousSecret?: string },
): Promise<{ endpointId: string; workspaceId: string }> {
  const workspaceId = endpoint.workspaceId ?? newId();
  const endpointId = newId();
  await sql`
    insert into workspaces (id, name)
    values (${workspaceId}, 'ChatSnapshot of events')
    on conflict do nothing`;
  await sql`
    insert into event_endpoints (id, workspace_id, url, event_types, secret)
    values (
      ${endpointId}, ${workspaceId}, ${endpoint.url}, ${[...(endpoint.eventTypes ?? eventTypes)]},
      ${await testSecrets.seal(testSecret, eventSecretPlace(endpointId))}
    )`;
  return { endpointId, workspaceId };
}

/** Stores an event for an answer with this content. */
export async function putAnswer(
  sql: Sql,
  { endpointId, sessionId, content }: { endpointId: string; sessionId: string; content: string },
): Promise<string> {
  const id = newId();
  await sql`
    insert into event_deliveries (id, endpoint_id, type, bot_id, result_id, session_id, order_key, content)
    values (
      ${id}, ${endpointId}, 'result.answered', ${newId()}, ${newId()},
      ${sessionId}, ${sessionId}, ${JSON.stringify({ content })}::text::json
    )`;
  return id;
}

export async function dueMessages(sql: Sql, endpointId: string): Promise<DueMessage[]> {
  const lanes = Array.from({ length: laneCount }, (_, lane) => lane);
  return listDueMessages(sql, { endpointId, lanes, exceptKeys: [], keysPerLane: 100, messagesPerKey: 100 });
}

/** A received event, verified with the Standard Webhooks library. */
export type ReceivedEvent = {
  readonly id: string;
  readonly type: string;
  readonly timestamp: string;
  readonly data: Readonly<Record<string, unknown>>;
};

export type Receiver = OutsideServer & { events(secret?: string): ReceivedEvent[] };

/** Starts a receiver that responds with 200, unless `answer` returns another status or sends the response itself. */
export async function startReceiver(
  answer: (request: OutsideRequest, response: ServerResponse) => number | undefined = () => 200,
): Promise<Receiver> {
  const server = await startOutside((request, response) => {
    const status = answer(request, response);
    if (status !== undefined) response.writeHead(status).end();
  });
  return {
    ...server,
    events: (secret = testSecret) => server.requests.map((request) => received(request, secret)),
  };
}

/** Returns the calls to an endpoint that accepts batches of events. */
export function receivedBatches({ requests }: Receiver): { id: string; events: readonly ReceivedEvent[] }[] {
  return requests.map((request) => {
    const { id, content } = verified(request, testSecret);
    if (!Array.isArray(content)) throw new Error(`This is no list of events: ${request.body}`);
    return { id, events: content.map((event) => eventOf(event, String(Object(event).id))) };
  });
}

function received(request: OutsideRequest, secret: string): ReceivedEvent {
  const { id, content } = verified(request, secret);
  return eventOf(content, id);
}

function eventOf(content: unknown, id: string): ReceivedEvent {
  if (!isEvent(content)) throw new Error(`This is no event: ${JSON.stringify(content)}`);
  const strange = strangeMembers(content);
  if (strange.length > 0) throw new Error(`${content.type} has what src/events.ts does not say: ${strange.join(", ")}`);
  return { ...content, id };
}

/** Returns the members of an event's data that are missing, unknown, or of another type than in the events table. */
function strangeMembers({ type, data }: Omit<ReceivedEvent, "id">): string[] {
  if (type === "ping") return Object.keys(data).filter((name) => name !== "workspaceId");
  const known = eventTypes.find((each) => each === type);
  if (!known) return [type];
  const { about, within, content }: EventDescription = events[known];
  const named = { workspace: [], bot: ["botId"], result: ["botId", "resultId", "sessionId"] };
  const ids = ["workspaceId", ...named[about]];
  const { own, rest } = Object.groupBy(Object.entries(data), ([name]) => (ids.includes(name) ? "own" : "rest"));
  const missing = ids.filter((name) => !own?.some(([each]) => each === name));
  const members = within === undefined ? (rest ?? []) : Object.entries(Object(data[within]));
  const outside = within === undefined ? [] : (rest ?? []).filter(([name]) => name !== within);
  const wrong = members.filter(([name, value]) => value !== null && kindOf(content[name]) !== kindOf(value));
  return [...missing, ...[...outside, ...wrong].map(([name]) => name)];
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return "list";
  return typeof value === "string" ? "text" : typeof value;
}

function verified({ headers, body }: OutsideRequest, secret: string): { id: string; content: unknown } {
  const plain = Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : [])),
  );
  return { id: String(plain["webhook-id"]), content: new Webhook(secret).verify(body, plain) };
}

function isEvent(value: unknown): value is Omit<ReceivedEvent, "id"> {
  return typeof value === "object" && value !== null && "type" in value && "timestamp" in value && "data" in value;
}
