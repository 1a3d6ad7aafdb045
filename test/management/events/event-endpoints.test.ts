import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { usualEventTypes } from "../../../src/events.ts";
import { limits } from "../../../src/limits/index.ts";
import { newId } from "../../../src/platform/ids.ts";
import { createTestApi, type TestApi, type TestUser } from "../../support/api.ts";
import { putAnswer, putEndpoint, testKey } from "../../support/events.ts";

let api: TestApi;
let admin: TestUser;
let member: TestUser;
let guest: TestUser;
let workspaceId: string;
let base: string;

beforeAll(async () => {
  api = await createTestApi({ config: { ENCRYPTION_KEY: testKey } });
  [admin, member, guest] = [await api.makeUser(), await api.makeUser(), await api.makeUser()];
  workspaceId = await api.makeWorkspace(admin, { [member.userId]: "MEMBER", [guest.userId]: "GUEST" });
  base = `/api/v1/workspaces/${workspaceId}/event-endpoints`;
});
afterAll(() => api.close());

const url = "https://example.com/events";
const create = (body: object = {}, token = admin.token) => api.client.post(base, { token, body: { url, ...body } });
async function created(body: object = {}): Promise<string> {
  return (await create(body)).text("eventEndpoint.id");
}
const at = (endpointId: string, rest = "") => `${base}/${endpointId}${rest}`;

describe("creating an endpoint", () => {
  test("creating an endpoint returns a secret that is shown only once", async () => {
    const answer = await create({ description: "Our CRM", eventTypes: ["bot.published", "result.completed"] });

    expect(answer.body).toEqual({
      eventEndpoint: {
        id: expect.any(String),
        workspaceId,
        url,
        description: "Our CRM",
        eventTypes: ["bot.published", "result.completed"],
        isEnabled: true,
        disabledReason: null,
        failingSince: null,
        fallingBehindSince: null,
        pendingCount: 0,
        oldestPendingAt: null,
        maxConcurrency: 128,
        batchSize: 1,
        previousSecretUntil: null,
        isListener: false,
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
        secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
      },
    });
    const endpointId = answer.text("eventEndpoint.id");
    const got = await api.client.get(at(endpointId), { token: admin.token });
    expect(got.at("eventEndpoint.secret")).toBeUndefined();
    const [row] = await api.deps.sql`select secret::text from event_endpoints where id = ${endpointId}`;
    const secretText = Buffer.from(answer.text("eventEndpoint.secret")).toString("hex");
    expect(JSON.stringify(row)).not.toContain(secretText);
  });

  test("the concurrency and batch size of an endpoint can be set and changed", async () => {
    const made = await create({ maxConcurrency: 3, batchSize: 50 });
    expect(made.at("eventEndpoint")).toMatchObject({ maxConcurrency: 3, batchSize: 50 });
    const place = at(made.text("eventEndpoint.id"));

    const changed = await api.client.patch(place, { token: admin.token, body: { batchSize: 1 } });
    expect(changed.at("eventEndpoint")).toMatchObject({ maxConcurrency: 3, batchSize: 1 });
    const again = await api.client.patch(place, { token: admin.token, body: { maxConcurrency: 256 } });
    expect(again.at("eventEndpoint")).toMatchObject({ maxConcurrency: 256, batchSize: 1 });
    await api.client.delete(place, { token: admin.token });
  });

  test("a new endpoint subscribes to the usual event types by default", async () => {
    const all = await create();
    const twice = await create({ eventTypes: ["bot.published", "bot.published"] });

    expect(all.at("eventEndpoint.eventTypes")).toEqual([...usualEventTypes]);
    expect(twice.at("eventEndpoint.eventTypes")).toEqual(["bot.published"]);
  });

  test.each([
    ["an invalid address", { url: "not an address" }, "url"],
    ["an address with another protocol", { url: "ftp://example.com/" }, "url"],
    ["an address of this machine", { url: "http://localhost/events" }, "url"],
    ["an address with port 25", { url: "http://example.com:25/" }, "url"],
    ["an unknown event", { eventTypes: ["result.lost"] }, "eventTypes[0]"],
    ["no events", { eventTypes: [] }, "eventTypes"],
    ["zero concurrent calls", { maxConcurrency: 0 }, "maxConcurrency"],
    ["more concurrent calls than the limit", { maxConcurrency: 257 }, "maxConcurrency"],
    ["an empty batch", { batchSize: 0 }, "batchSize"],
    ["a batch that is too large", { batchSize: 101 }, "batchSize"],
  ])("an endpoint cannot be created with %s", async (_, body, path) => {
    const answer = await create(body);

    expect(answer.status).toBe(400);
    expect(answer.at("code")).toBe("request.invalid");
    expect(answer.at("data.issues.0.path")).toBe(path);
  });

  test("the address of an endpoint cannot be loopback or private", async () => {
    const own = `/api/v1/workspaces/${await api.makeWorkspace(admin)}/event-endpoints`;
    const endpoint = await api.client.post(own, { token: admin.token, body: { url } });
    const place = `${own}/${endpoint.text("eventEndpoint.id")}`;
    const inner = [
      "http://localhost/events",
      "http://127.0.0.1:8080/",
      "http://[::1]/",
      "http://169.254.169.254/latest/meta-data",
      "http://192.168.1.20/events",
      "http://[fd00::20]/",
    ];

    for (const address of inner) {
      const made = await api.client.post(own, { token: admin.token, body: { url: address } });
      const changed = await api.client.patch(place, { token: admin.token, body: { url: address } });
      for (const answer of [made, changed]) {
        expect(answer.at("code")).toBe("request.invalid");
        expect(answer.at("data.issues.0.path")).toBe("url");
        expect(answer.text("data.issues.0.message")).toContain("OUTGOING_ALLOW");
      }
    }
  });

  test("creating an endpoint accepts a private address that is allowed", async () => {
    const opened = await createTestApi({
      config: { ENCRYPTION_KEY: testKey, OUTGOING_ALLOW: "crm.internal, 192.168.1.20" },
    });
    const owner = await opened.makeUser();
    const path = `/api/v1/workspaces/${await opened.makeWorkspace(owner)}/event-endpoints`;
    const make = (url: string) => opened.client.post(path, { token: owner.token, body: { url } });

    expect((await make("http://192.168.1.20/events")).status).toBe(200);
    expect((await make("http://192.168.1.21/events")).status).toBe(400);
    expect((await make("http://crm.internal/events")).status).toBe(200);
    await opened.close();
  });

  test("creating an endpoint is refused above the limit", async () => {
    const owner = await api.makeUser();
    const full = await api.makeWorkspace(owner);
    for (let index = 0; index < limits.events.endpoints; index++) {
      await putEndpoint(api.deps.sql, { url, workspaceId: full });
    }

    const answer = await api.client.post(`/api/v1/workspaces/${full}/event-endpoints`, {
      token: owner.token,
      body: { url },
    });

    expect(answer.at("code")).toBe("event_endpoint.too_many");
  });

  test("creating an endpoint is refused without an encryption key", async () => {
    const keyless = await createTestApi();
    const owner = await keyless.makeUser();
    const path = `/api/v1/workspaces/${await keyless.makeWorkspace(owner)}/event-endpoints`;

    const answer = await keyless.client.post(path, { token: owner.token, body: { url } });

    expect(answer.status).toBe(409);
    expect(answer.at("code")).toBe("secret.no_key");
    expect(answer.text("message")).toContain("ENCRYPTION_KEY");
    await keyless.close();
  });
});

test("endpoints are listed newest first for workspace members", async () => {
  const owner = await api.makeUser();
  const helper = await api.makeUser();
  const own = await api.makeWorkspace(owner, { [helper.userId]: "MEMBER" });
  const ids: string[] = [];
  for (let index = 0; index < 3; index++) {
    ids.push((await putEndpoint(api.deps.sql, { url, workspaceId: own })).endpointId);
  }
  await api.spreadCreation("event_endpoints", ids);
  const path = `/api/v1/workspaces/${own}/event-endpoints`;

  const first = await api.client.get(path, { token: helper.token, query: { limit: 2 } });
  const cursor = first.text("nextCursor");
  const second = await api.client.get(path, { token: helper.token, query: { limit: 2, cursor } });

  expect([first.at("eventEndpoints.*.id"), second.at("eventEndpoints.*.id")]).toEqual([[ids[2], ids[1]], [ids[0]]]);
  expect(second.at("nextCursor")).toBeUndefined();
  const foreign = await api.client.get(`/api/v1/workspaces`, { token: helper.token, query: { cursor } });
  expect(foreign.at("code")).toBe("cursor.invalid");
});

test("an endpoint is found only in its own workspace", async () => {
  const endpointId = await created();
  const other = await api.makeWorkspace(admin);

  for (const path of [`/api/v1/workspaces/${other}/event-endpoints/${endpointId}`, at(newId()), at("not-an-id")]) {
    expect((await api.client.get(path, { token: admin.token })).at("code")).toBe("event_endpoint.not_found");
  }
});

describe("changing an endpoint", () => {
  test("changing an endpoint changes the given fields and keeps all other fields", async () => {
    const endpointId = await created({ description: "Before", eventTypes: ["bot.published"] });
    const change = (body: object) => api.client.patch(at(endpointId), { token: admin.token, body });

    const changed = await change({ url: "https://example.com/other", isEnabled: false });
    const emptied = await change({ description: null, eventTypes: ["result.started"] });

    expect(changed.at("eventEndpoint")).toMatchObject({
      url: "https://example.com/other",
      description: "Before",
      eventTypes: ["bot.published"],
      isEnabled: false,
      disabledReason: null,
    });
    expect(emptied.at("eventEndpoint")).toMatchObject({
      url: "https://example.com/other",
      description: null,
      eventTypes: ["result.started"],
      isEnabled: false,
    });
    expect(emptied.text("eventEndpoint.updatedAt") > changed.text("eventEndpoint.updatedAt")).toBe(true);
  });

  test("enabling an endpoint again clears its failure and ends its pause", async () => {
    const endpointId = await created();
    await api.deps.sql`
      update event_endpoints
      set is_enabled = false, disabled_reason = 'It failed', failing_since = clock(), paused_until = clock() + interval '1 hour',
        unreachable_jobs = 3
      where id = ${endpointId}`;

    const untouched = await api.client.patch(at(endpointId), { token: admin.token, body: { description: "x" } });
    const enabled = await api.client.patch(at(endpointId), { token: admin.token, body: { isEnabled: true } });

    expect(untouched.at("eventEndpoint")).toMatchObject({ isEnabled: false, disabledReason: "It failed" });
    expect(untouched.at("eventEndpoint.failingSince")).not.toBeNull();
    expect(enabled.at("eventEndpoint")).toMatchObject({ isEnabled: true, disabledReason: null, failingSince: null });
    const [row] = await api.deps.sql`
      select paused_until, unreachable_jobs from event_endpoints where id = ${endpointId}`;
    expect(row).toEqual({ pausedUntil: null, unreachableJobs: 0 });
  });

  test("waiting events become due when the endpoint's address changes", async () => {
    const endpointId = await created();
    await putAnswer(api.deps.sql, { endpointId, sessionId: newId(), content: "x" });
    await api.deps.sql`update event_deliveries set next_attempt_at = clock() + interval '1 day', attempts = 8`;
    const isDueAfter = async (body: object) => {
      await api.client.patch(at(endpointId), { token: admin.token, body });
      const rows = await api.deps.sql<{ isDue: boolean }[]>`
        select next_attempt_at <= clock() as is_due
        from event_deliveries
        where endpoint_id = ${endpointId}`;
      return rows.map(({ isDue }) => isDue);
    };

    expect(await isDueAfter({ description: "Other" })).toEqual([false]);
    expect(await isDueAfter({ url: "https://other.example/" })).toEqual([true]);
  });

  test("changing an endpoint requires a valid address and the role ADMIN", async () => {
    const endpointId = await created();
    const change = (body: object, token: string, id = endpointId) => api.client.patch(at(id), { token, body });

    expect((await change({ url: "http://localhost/" }, admin.token)).at("code")).toBe("request.invalid");
    expect((await change({ isEnabled: false }, member.token)).at("code")).toBe("workspace.forbidden");
    expect((await change({ isEnabled: false }, admin.token, newId())).at("code")).toBe("event_endpoint.not_found");
  });
});

describe("deleting an endpoint", () => {
  test("deleting an endpoint removes and returns the endpoint", async () => {
    const endpointId = await created();

    const deleted = await api.client.delete(at(endpointId), { token: admin.token });

    expect(deleted.at("eventEndpoint.id")).toBe(endpointId);
    expect((await api.client.get(at(endpointId), { token: admin.token })).at("code")).toBe("event_endpoint.not_found");
    expect((await api.client.delete(at(endpointId), { token: admin.token })).at("code")).toBe(
      "event_endpoint.not_found",
    );
  });
});

describe("rotating the secret", () => {
  test("rotating the secret returns a new secret", async () => {
    const made = await create();
    const endpointId = made.text("eventEndpoint.id");

    const rotated = await api.client.post(at(endpointId, "/rotate-secret"), { token: admin.token });

    expect(rotated.text("eventEndpoint.secret")).toStartWith("whsec_");
    expect(rotated.text("eventEndpoint.secret")).not.toBe(made.text("eventEndpoint.secret"));
    const until = Date.parse(rotated.text("eventEndpoint.previousSecretUntil"));
    const hours = (until - Date.parse(rotated.text("eventEndpoint.updatedAt"))) / 3_600_000;
    expect(hours).toBeCloseTo(limits.events.oldSecretHours, 2);
  });

  test("rotating the secret requires an existing endpoint", async () => {
    const answer = await api.client.post(at(newId(), "/rotate-secret"), { token: admin.token });

    expect(answer.at("code")).toBe("event_endpoint.not_found");
  });
});

describe("the log of deliveries", () => {
  test("the log of deliveries is listed newest first", async () => {
    const endpointId = await created();
    const put = () => putAnswer(api.deps.sql, { endpointId, sessionId: newId(), content: "x" });
    const ids = [await put(), await put(), await put(), await put()];
    await api.spreadCreation("event_deliveries", ids);
    for (const [index, status] of ["delivered", "failed", "pending", "delivered"].entries()) {
      await api.deps.sql`update event_deliveries set status = ${status} where id = ${ids[index] ?? ""}`;
    }
    const list = (query: Record<string, string | number> = {}) =>
      api.client.get(at(endpointId, "/deliveries"), { token: member.token, query });

    const first = await list({ limit: 3 });
    const second = await list({ limit: 3, cursor: first.text("nextCursor") });

    expect(first.at("deliveries.*.id")).toEqual([ids[3], ids[2], ids[1]]);
    expect(second.at("deliveries.*.id")).toEqual([ids[0]]);
    expect((await list({ status: "delivered" })).at("deliveries.*.id")).toEqual([ids[3], ids[0]]);
    expect((await list({ status: "failed" })).at("deliveries.*.id")).toEqual([ids[1]]);
    expect((await list({ status: "pending" })).at("deliveries")).toEqual([
      {
        id: ids[2],
        endpointId,
        type: "result.answered",
        botId: expect.any(String),
        resultId: expect.any(String),
        status: "pending",
        attempts: 0,
        nextAttemptAt: expect.any(String),
        lastAttemptAt: null,
        lastStatusCode: null,
        lastError: null,
        lastResponse: null,
        createdAt: expect.any(String),
      },
    ]);
    expect((await list({ status: "lost" })).at("code")).toBe("request.invalid");
    expect((await list({ cursor: "x" })).at("code")).toBe("cursor.invalid");
  });

  test("the log of deliveries is refused to GUESTs", async () => {
    const endpointId = await created();

    const forGuest = await api.client.get(at(endpointId, "/deliveries"), { token: guest.token });
    const ofNone = await api.client.get(at(newId(), "/deliveries"), { token: admin.token });

    expect(forGuest.at("code")).toBe("workspace.forbidden");
    expect(ofNone.at("code")).toBe("event_endpoint.not_found");
  });

  test.each(["delivered", "failed", "pending"])(
    "an event that is %s is immediately due again on request, with a new count of attempts",
    async (status) => {
      const endpointId = await created();
      const id = await putAnswer(api.deps.sql, { endpointId, sessionId: newId(), content: "x" });
      await api.deps.sql`
      update event_deliveries
      set status = ${status}, attempts = 9, next_attempt_at = clock() + interval '1 day', give_up_at = clock()`;
      await api.deps.sql`update event_endpoints set paused_until = clock() + interval '1 hour'`;

      const again = await api.client.post(at(endpointId, `/deliveries/${id}/redeliver`), { token: admin.token });

      expect(again.at("delivery")).toMatchObject({ id, status: "pending", attempts: 0 });
      const [row] = await api.deps.sql`
      select next_attempt_at <= clock() as is_due, give_up_at > clock() + interval '2 days' as has_time
      from event_deliveries
      where id = ${id}`;
      expect(row).toEqual({ isDue: true, hasTime: true });
      const [endpoint] = await api.deps.sql`select paused_until from event_endpoints where id = ${endpointId}`;
      expect(endpoint).toEqual({ pausedUntil: null });
    },
  );

  test("a redelivery requires the role ADMIN, a known event and an enabled endpoint", async () => {
    const endpointId = await created();
    const id = await putAnswer(api.deps.sql, { endpointId, sessionId: newId(), content: "x" });
    const redeliver = (deliveryId: string, token = admin.token) =>
      api.client.post(at(endpointId, `/deliveries/${deliveryId}/redeliver`), { token });

    expect((await redeliver(id, member.token)).at("code")).toBe("workspace.forbidden");
    expect((await redeliver(newId())).at("code")).toBe("event_delivery.not_found");
    await api.client.patch(at(endpointId), { token: admin.token, body: { isEnabled: false } });
    expect((await redeliver(id)).at("code")).toBe("event_endpoint.disabled");
  });
});

describe("a test call to an endpoint", () => {
  test("a test call to an endpoint appears as a ping in the log", async () => {
    const endpointId = await created();

    const answer = await api.client.post(at(endpointId, "/test"), { token: admin.token });

    expect(answer.at("delivery")).toMatchObject({ endpointId, type: "ping", status: "pending", botId: null });
    const log = await api.client.get(at(endpointId, "/deliveries"), { token: admin.token });
    expect(log.at("deliveries.*.id")).toEqual([answer.at("delivery.id")]);
  });

  test("a test call to an endpoint requires the role ADMIN and an enabled endpoint", async () => {
    const endpointId = await created({ isEnabled: false });
    const ping = (token: string) => api.client.post(at(endpointId, "/test"), { token });

    expect((await ping(member.token)).at("code")).toBe("workspace.forbidden");
    expect((await ping(admin.token)).at("code")).toBe("event_endpoint.disabled");
  });
});
