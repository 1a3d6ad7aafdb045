import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { limits } from "../../../../src/limits/index.ts";
import {
  claimRequestKey,
  findRequestKey,
  keepAnswer,
} from "../../../../src/platform/http/requests/request-keys.sql.ts";
import { createApp } from "../../../../src/service/app.ts";
import { oldRows } from "../../../../src/service/old-rows.ts";
import type { TestApi, TestUser } from "../../../support/api.ts";
import { idOf } from "../../../support/builder-ids.ts";
import { createClient } from "../../../support/client.ts";
import { createTestNodes, type TestNodes } from "../../../support/nodes.ts";
import { createVirtualClock } from "../../../support/virtual-clock.ts";

let nodes: TestNodes;
let api: TestApi;
let other: TestApi;
let owner: TestUser;
let workspaceId: string;

beforeAll(async () => {
  nodes = await createTestNodes();
  [api, other] = nodes.nodes;
  owner = await api.makeUser();
  workspaceId = await api.makeWorkspace(owner);
});
afterAll(() => nodes.close());

let keys = 0;
const newKey = () => `a key of these tests: ${++keys}`.replaceAll(" ", "-");
const post = (path: string, body: object, key: string, { at = api, token = owner.token } = {}) =>
  at.client.post(`/api/v1/${path}`, { token, body, headers: { "Idempotency-Key": key } });
const replayed = (answer: { readonly headers: Headers }) => answer.headers.get("idempotency-replayed");
const countOf = async (name: string) => {
  const [row] = await api.deps.sql<[{ count: number }]>`
    select count(*)::integer as count from bots where workspace_id = ${workspaceId} and name = ${name}`;
  return row.count;
};
const stored = (key: string) => api.deps.sql<{ answer: Uint8Array | null; createdAt: Date }[]>`
  select answer, created_at from request_keys where key = ${key}`;

describe("the same idempotency key", () => {
  test("a request repeated with its idempotency key returns the same response", async () => {
    const key = newKey();
    const first = await post("bots", { workspaceId, bot: { name: "Once", icon: "🎈" } }, key);
    const again = await post("bots", { bot: { icon: "🎈", name: "Once" }, workspaceId }, key, { at: other });

    expect(first.status).toBe(200);
    expect([replayed(first), replayed(again)]).toEqual([null, "true"]);
    expect(again.body).toEqual(first.body);
    expect(await countOf("Once")).toBe(1);
    const entries = await api.client.get(`/api/v1/workspaces/${workspaceId}/audit`, {
      token: owner.token,
      query: { subjectId: first.text("bot.id") },
    });
    expect(entries.list("entries")).toHaveLength(1);
  });

  test("ten simultaneous requests with one key create one bot", async () => {
    const key = newKey();
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        post("bots", { workspaceId, bot: { name: "Raced" } }, key, { at: index % 2 === 0 ? api : other }),
      ),
    );

    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(new Set(answers.map((answer) => answer.text("bot.id"))).size).toBe(1);
    expect(answers.filter((answer) => replayed(answer) === null)).toHaveLength(1);
    expect(await countOf("Raced")).toBe(1);
  });

  test("an idempotency key is rejected with 422 for another body, query or path", async () => {
    const key = newKey();
    await post("bots", { workspaceId, bot: { name: "First" } }, key);
    const body = await post("bots", { workspaceId, bot: { name: "Second" } }, key);
    const path = await post("folders", { workspaceId, folderName: "First" }, key);
    const query = await post("bots?x=1", { workspaceId, bot: { name: "First" } }, key);

    for (const answer of [body, path, query])
      expect(answer).toMatchObject({ status: 422, body: { code: "idempotency.key_reused" } });
    expect(await countOf("Second")).toBe(0);
  });

  test("an idempotency key that is sent with another token counts as another key", async () => {
    const key = newKey();
    const token = await api.makeToken(owner.userId);
    const first = await post("bots", { workspaceId, bot: { name: "Two tokens" } }, key);
    const second = await post("bots", { workspaceId, bot: { name: "Two tokens" } }, key, { token });

    expect(replayed(second)).toBeNull();
    expect(second.text("bot.id")).not.toBe(first.text("bot.id"));
  });

  test("the same idempotency key can be used again after a refusal", async () => {
    const key = newKey();
    const folder = await api.client.post("/api/v1/folders", { token: owner.token, body: { workspaceId } });
    const place = `folders/${folder.text("folder.id")}/restore`;
    const erase = `folders/${folder.text("folder.id")}/erase`;
    const refused = await post(erase, {}, key);
    await api.client.delete(`/api/v1/folders/${folder.text("folder.id")}`, { token: owner.token });
    const erased = await post(erase, {}, key);
    const again = await post(erase, {}, key);

    expect(refused.at("code")).toBe("bin.not_there");
    expect([erased.status, replayed(erased)]).toEqual([200, null]);
    expect([again.status, replayed(again)]).toEqual([200, "true"]);
    expect((await post(place, {}, newKey())).at("code")).toBe("folder.not_found");
  });

  test("a revoked token gets no stored response for its idempotency key", async () => {
    const key = newKey();
    const token = await api.makeToken(owner.userId);
    await post("bots", { workspaceId, bot: { name: "Revoked" } }, key, { token });
    await api.deps.sql`delete from api_tokens where user_id = ${owner.userId} and id = (
      select owner_id from request_keys where key = ${key})`;

    expect((await post("bots", { workspaceId, bot: { name: "Revoked" } }, key, { token })).at("code")).toBe(
      "token.invalid",
    );
  });
});

describe("a stored response", () => {
  test("a stored response does not contain a new token in plain text", async () => {
    const key = newKey();
    const made = await post("users/me/api-tokens", { name: "Secret" }, key);
    const again = await post("users/me/api-tokens", { name: "Secret" }, key, { at: other });
    const [row] = await stored(key);

    expect(again.text("apiToken.token")).toBe(made.text("apiToken.token"));
    const kept = Buffer.from(row?.answer ?? []);
    expect(kept.length).toBeGreaterThan(100);
    expect(kept.includes(made.text("apiToken.token"))).toBe(false);
    expect(kept.includes("apiToken")).toBe(false);
  });

  test("a large stored response is returned completely, and is stored compressed", async () => {
    const key = newKey();
    const variables = Array.from({ length: 2_000 }, (_, index) => ({
      id: idOf(`v${index}`),
      name: `Variable ${index}`,
    }));
    const first = await post("bots", { workspaceId, bot: { name: "Large", variables } }, key);
    const again = await post("bots", { workspaceId, bot: { name: "Large", variables } }, key);

    expect(again.body).toEqual(first.body);
    expect((await stored(key))[0]?.answer?.length).toBeLessThan(JSON.stringify(first.body).length);
  });

  test("a stored response expires after a day, and is removed by a job", async () => {
    const key = newKey();
    const age = () => api.deps.sql`
      update request_keys set created_at = clock() - interval '25 hours' where key = ${key}`;
    const first = await post("bots", { workspaceId, bot: { name: "Old" } }, key);
    await age();
    const second = await post("bots", { workspaceId, bot: { name: "Old" } }, key);
    await age();
    const removal = oldRows(api.deps.sql).find(({ name }) => name === "old-request-keys");

    expect(replayed(second)).toBeNull();
    expect(second.text("bot.id")).not.toBe(first.text("bot.id"));
    expect(await removal?.removeSome()).toBe(1);
    expect(await stored(key)).toHaveLength(0);
  });
});

test("a key that is claimed again after a day loses its stored response", async () => {
  const { sql } = api.deps;
  const request = { ownerId: owner.userId, key: newKey(), requestHash: Buffer.from("hash") };
  expect(await claimRequestKey(sql, request)).toBe(true);
  await keepAnswer(sql, request, { answer: Buffer.from("of before") });
  await sql`update request_keys set created_at = clock() - interval '25 hours' where key = ${request.key}`;

  expect(await claimRequestKey(sql, request)).toBe(true);
  expect(await findRequestKey(sql, request)).toMatchObject({ answer: null, isCutOff: false });
});

describe("an interrupted request", () => {
  const cutOff = async (key: string, seconds: number) => {
    await post("bots", { workspaceId, bot: { name: "Cut" } }, key);
    await api.deps.sql`
      update request_keys set answer = null, created_at = clock() - make_interval(secs => ${seconds}) where key = ${key}`;
  };

  test("an interrupted request is not executed again", async () => {
    const key = newKey();
    await cutOff(key, limits.idempotency.requestSeconds + 1);

    const answer = await post("bots", { workspaceId, bot: { name: "Cut" } }, key);
    expect(answer).toMatchObject({ status: 409, body: { code: "idempotency.in_doubt" } });
  });

  test("a repetition of an interrupted request is refused with Retry-After", async () => {
    const key = newKey();
    await cutOff(key, 0);
    const clock = createVirtualClock();
    const app = createApp({ ...api.deps, clock });
    const client = createClient({ handle: (request) => app.handle(request) });
    let isAnswered = false;
    const asked = client
      .post("/api/v1/bots", {
        token: owner.token,
        body: { workspaceId, bot: { name: "Cut" } },
        headers: { "Idempotency-Key": key },
      })
      .finally(() => {
        isAnswered = true;
      });
    while (!isAnswered) {
      await clock.advance(1_000);
      await new Promise((resolve) => setImmediate(resolve));
    }

    const answer = await asked;
    expect(answer).toMatchObject({ status: 409, body: { code: "idempotency.busy" } });
    expect(answer.headers.get("retry-after")).toBe("2");
  });
});

describe("an idempotency key", () => {
  test("an idempotency key is rejected if it is invalid", async () => {
    for (const key of ["", "x".repeat(256), "a b", "ä"]) {
      const answer = await api.handle(
        new Request("http://localhost/api/v1/workspaces", {
          method: "POST",
          headers: {
            Authorization: `Bearer ${owner.token}`,
            "Content-Type": "application/json",
            "Idempotency-Key": key,
          },
          body: '{"name":"x"}',
        }),
      );
      expect([answer.status, (await answer.json()).code]).toEqual([400, "idempotency.key_invalid"]);
    }
  });

  test("a request without a token requires a long idempotency key", async () => {
    const invited = await api.client.post(`/api/v1/workspaces/${workspaceId}/invitations`, {
      token: owner.token,
      body: { email: "new@example.com" },
    });
    const body = { code: invited.text("invitation.code"), name: "New" };
    const accept = (key: string, at = api) =>
      at.client.post("/api/v1/invitations/accept", { body, headers: { "Idempotency-Key": key } });
    const key = newKey();

    expect((await accept("short")).at("code")).toBe("idempotency.key_too_short");
    const first = await accept(key);
    const again = await accept(key, other);
    expect(replayed(again)).toBe("true");
    expect(again.text("apiToken.token")).toBe(first.text("apiToken.token"));
    const guess = await api.client.post("/api/v1/invitations/accept", {
      body: { code: "guessed", name: "New" },
      headers: { "Idempotency-Key": key },
    });
    expect(guess.at("code")).toBe("idempotency.key_reused");
  });

  test("an idempotency key is ignored in a PATCH", async () => {
    const headers = { "Idempotency-Key": newKey() };
    const path = `/api/v1/workspaces/${workspaceId}`;
    for (const name of ["One", "Two"]) {
      const answer = await api.client.patch(path, { token: owner.token, body: { name }, headers });
      expect(answer.at("workspace.name")).toBe(name);
    }
  });
});
