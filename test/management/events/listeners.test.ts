import { afterAll, afterEach, beforeAll, expect, test } from "bun:test";
import { eventTypes, usualEventTypes } from "../../../src/events.ts";
import { listBacklogs } from "../../../src/management/events/delivery/backlog.sql.ts";
import { eventBody } from "../../../src/management/events/delivery/event-body.ts";
import { listDueEndpoints } from "../../../src/management/events/delivery/lanes.sql.ts";
import { sendSigned } from "../../../src/management/events/event-delivery.ts";
import { deleteLeftListeners } from "../../../src/management/events/listeners/listeners.sql.ts";
import { newId } from "../../../src/platform/ids.ts";
import { createTestApi, type TestApi, type TestUser } from "../../support/api.ts";
import { dueMessages, putAnswer, putEndpoint, startReceiver, testKey } from "../../support/events.ts";
import { outsideFetch } from "../../support/outside.ts";

let api: TestApi;
let admin: TestUser;
let workspaceId: string;
let base: string;

beforeAll(async () => {
  api = await createTestApi({ config: { ENCRYPTION_KEY: testKey } });
  admin = await api.makeUser();
  workspaceId = await api.makeWorkspace(admin);
  base = `/api/v1/workspaces/${workspaceId}`;
});
afterAll(() => api.close());
afterEach(async () => {
  await api.deps.sql`truncate event_deliveries, event_endpoints, event_lanes`;
});

const post = (path: string, body: object = {}) => api.client.post(`${base}/${path}`, { token: admin.token, body });
const listen = async (body: object = {}) => {
  const made = await post("event-listeners", { url: "http://localhost:4000/", ...body });
  const [id, secret] = [made.at("eventEndpoint.id"), made.at("eventEndpoint.secret")].map(String);
  return { made, id: id ?? "", secret: secret ?? "" };
};
const receive = async (id: string, outcomes: object[] = []) =>
  (await post(`event-endpoints/${id}/receive`, { outcomes })).at("calls");
const putSome = async (endpointId: string, contents: readonly string[], sessionId = newId()) => {
  const ids: string[] = [];
  for (const content of contents) ids.push(await putAnswer(api.deps.sql, { endpointId, sessionId, content }));
  return ids;
};
const taken = (deliveryId: string) => ({ deliveryId, isDelivered: true, statusCode: 204, error: null, response: "" });
const refused = (deliveryId: string) => ({ ...taken(deliveryId), isDelivered: false, statusCode: 500, error: "No" });

test("all listeners of a user in a workspace share one secret", async () => {
  const { made, id, secret } = await listen({ eventTypes: ["bot.published"] });
  const again = await listen();
  const listed = await api.client.get(`${base}/event-endpoints`, { token: admin.token });

  expect(made.at("eventEndpoint")).toMatchObject({ isListener: true, eventTypes: ["bot.published"], isEnabled: true });
  expect(again.made.at("eventEndpoint.eventTypes")).toEqual([...usualEventTypes]);
  expect(again.secret).toBe(secret);
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(listed.at("eventEndpoints.*.id")).toEqual([again.id, id]);
  const elsewhere = await api.makeWorkspace(admin);
  const other = await api.client.post(`/api/v1/workspaces/${elsewhere}/event-listeners`, {
    token: admin.token,
    body: { url: "http://localhost:4000/" },
  });
  expect(other.text("eventEndpoint.secret")).not.toBe(secret);
});

test("a listener gets a chat's events in order until it acknowledges them", async () => {
  const { id } = await listen();
  const [first = "", second = ""] = await putSome(id, ["one", "two"]);
  const both = [{ deliveryIds: [first] }, { deliveryIds: [second] }];

  expect(await receive(id)).toMatchObject(both);
  // A text that is not a valid id identifies no event, even if it decodes to the same bits.
  expect(await receive(id, [taken(first.replace("0", "o"))])).toMatchObject(both);
  expect(await receive(id, [taken(first)])).toMatchObject([{ deliveryIds: [second] }]);
  expect(await receive(id, [refused(second), taken(newId())])).toEqual([]);
  // A repeated or late report changes nothing.
  await receive(id, [refused(first), taken(second)]);
  const log = await api.client.get(`${base}/event-endpoints/${id}/deliveries`, { token: admin.token });
  expect(log.at("deliveries")).toMatchObject([
    { id: second, status: "failed", attempts: 1, lastStatusCode: 500, lastError: "No" },
    { id: first, status: "delivered", attempts: 1, lastStatusCode: 204, lastError: null },
  ]);

  await post(`event-endpoints/${id}/deliveries/${first}/redeliver`);
  expect(await receive(id)).toMatchObject([{ id: first, deliveryIds: [first] }]);
});

test("a listener gets large events one at a time", async () => {
  const { id } = await listen();
  const large = "x".repeat(700_000);
  const [first = "", second = ""] = await putSome(id, [large, large]);

  expect(await receive(id)).toMatchObject([{ id: first }]);
  expect(await receive(id, [taken(first)])).toMatchObject([{ id: second }]);
});

test("a listener can report outcomes only for its own deliveries", async () => {
  const { id } = await listen();
  const other = await listen();
  const [foreign = ""] = await putSome(other.id, ["foreign"]);

  await receive(id, [taken(foreign)]);

  expect(await receive(other.id)).toMatchObject([{ deliveryIds: [foreign] }]);
});

test("a listener gets the same signed call as an endpoint with a URL", async () => {
  const receiver = await startReceiver();
  const { id, secret } = await listen();
  await putSome(id, ["Grüße"]);
  const [message] = await dueMessages(api.deps.sql, id);
  if (!message) throw new Error("Nothing is due");
  const body = eventBody(message, workspaceId);
  await sendSigned(
    { safeFetch: outsideFetch() },
    { ...{ url: receiver.url(), id: message.id, body, workspaceId, keepAliveKey: id }, secrets: [secret] },
  );
  const [call] = Object(await receive(id));
  await fetch(`http://127.0.0.1:${receiver.port}/`, { method: "POST", headers: call.headers, body: call.body });

  expect(receiver.events(secret)).toMatchObject([{ id: message.id }, { id: message.id }]);
  const [sent, received] = receiver.requests;
  expect(received?.body).toBe(sent?.body ?? "");
  const names = Object.keys(call.headers).map((name) => name.toLowerCase());
  const ofConnection = ["host", "connection", "content-length", "transfer-encoding"];
  expect(names.sort()).toEqual(
    Object.keys(sent?.headers ?? {})
      .filter((name) => !ofConnection.includes(name))
      .sort(),
  );
  expect(call.headers["Parley-Hops"]).toBe(String(sent?.headers["parley-hops"]));
  await receiver.close();
});

test("a listener for an endpoint first gets the endpoint's last events", async () => {
  const url = "https://example.com/events";
  const made = await post("event-endpoints", { url, eventTypes: ["result.answered"], batchSize: 10 });
  const endpointId = made.text("eventEndpoint.id");
  await putSome(endpointId, ["too early"]);
  const sessionId = newId();
  await putSome(endpointId, ["one", "two"], sessionId);
  await putSome(endpointId, ["three"]);
  // Simulates that all events were created at the same time, and that the oldest event has the highest id.
  await api.deps.sql`
    update event_deliveries
    set created_at = date_trunc('minute', created_at),
      id = case when content ->> 'content' = 'too early' then 'ffffffff-ffff-ffff-ffff-ffffffffffff' else id end`;

  const { id, made: listener } = await listen({ endpointId, replayCount: 3 });
  const calls = Object(await receive(id));

  expect(listener.at("eventEndpoint")).toMatchObject({ eventTypes: ["result.answered"], batchSize: 10 });
  const bodies: object[][] = calls.map(({ body }: { body: string }) => JSON.parse(body));
  const contents = bodies.map((events) => events.map((event) => Object(event).data.answer.content));
  // A call returns at most one event of each chat.
  expect(contents).toEqual([["one"], ["two", "three"]]);
  expect((await listen({ endpointId: newId() })).made.status).toBe(404);
});

test("test calls send the listener a sample of each event type", async () => {
  const { id } = await listen();
  const receiver = await startReceiver();
  for (const type of [...eventTypes, undefined]) await post(`event-endpoints/${id}/test`, { type });

  // The events do not arrive in one call, because each call returns the first chats of each lane.
  let outcomes: object[] = [];
  for (let calls = Object(await receive(id)); calls.length > 0; calls = Object(await receive(id, outcomes))) {
    for (const { headers, body } of calls)
      await fetch(`http://127.0.0.1:${receiver.port}/`, { method: "POST", headers, body });
    outcomes = calls.map(({ id: deliveryId }: { id: string }) => taken(deliveryId));
  }

  const { secret } = await listen();
  const received = receiver.events(secret).map(({ type }) => type);
  expect(received.sort()).toEqual([...eventTypes, "ping"].sort());
  await receiver.close();
});

test("a listener is not listed as due for a call or as falling behind", async () => {
  const { sql } = api.deps;
  const { id } = await listen();
  const { endpointId } = await putEndpoint(sql, { url: "https://example.com/", workspaceId });
  await putSome(id, ["for the listener"]);
  await putSome(endpointId, ["for the URL"]);
  // Clears the pause, as `…/test` and `…/redeliver` do.
  await sql`update event_endpoints set paused_until = null`;

  expect((await listDueEndpoints(sql, { holder: newId(), limit: 10 })).map((due) => due.id)).toEqual([endpointId]);
  expect((await listBacklogs(sql)).map((backlog) => backlog.endpointId)).toEqual([endpointId]);
  expect((await post(`event-endpoints/${endpointId}/receive`)).status).toBe(404);
});

test("a listener that stops polling is removed", async () => {
  const { sql } = api.deps;
  const { id } = await listen();
  const left = await listen();
  const { endpointId } = await putEndpoint(sql, { url: "https://example.com/", workspaceId });
  await sql`update event_endpoints set listened_at = clock() - interval '6 minutes' where listened_at is not null`;
  await receive(id);

  expect(await deleteLeftListeners(sql, 5)).toBe(1);

  const listed = await api.client.get(`${base}/event-endpoints`, { token: admin.token });
  expect(listed.at("eventEndpoints.*.id")).toEqual([endpointId, id]);
  expect((await post(`event-endpoints/${left.id}/receive`)).body).toMatchObject({ code: "event_endpoint.not_found" });
});

test("a listener gets no events of a suspended workspace", async () => {
  const { id } = await listen();
  await putSome(id, ["later"]);
  await api.deps.sql`update workspaces set is_suspended = true where id = ${workspaceId}`;
  const meanwhile = await receive(id);
  await api.deps.sql`update workspaces set is_suspended = false where id = ${workspaceId}`;

  expect(meanwhile).toEqual([]);
  expect(await receive(id)).toHaveLength(1);
});
