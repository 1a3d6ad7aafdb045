import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { limits } from "../../../src/limits/index.ts";
import { credentialsRows, updateCredentials } from "../../../src/management/credentials/credentials.sql.ts";
import { resealAll } from "../../../src/management/credentials/key-rotation.ts";
import { createSecrets, credentialsPlace } from "../../../src/platform/secrets.ts";
import { createTestApi, type TestApi, type TestUser } from "../../support/api.ts";
import { testKey } from "../../support/events.ts";

let api: TestApi;
let admin: TestUser;
let member: TestUser;
let workspaceId: string;
let base: string;

beforeAll(async () => {
  api = await createTestApi({ config: { ENCRYPTION_KEY: testKey, OUTGOING_ALLOW: "models.internal" } });
  [admin, member] = [await api.makeUser(), await api.makeUser()];
  workspaceId = await api.makeWorkspace(admin, { [member.userId]: "MEMBER" });
  base = `/api/v1/workspaces/${workspaceId}/credentials`;
});
afterAll(() => api.close());

const apiKey = "sk-planted-0123456789-4f2a";
const create = (body: object = {}) =>
  api.client.post(base, { token: admin.token, body: { type: "openai", name: "Ours", data: { apiKey }, ...body } });
const created = async (body: object = {}) => (await create(body)).text("credentials.id");
const get = (id: string) => api.client.get(`${base}/${id}`, { token: member.token });
const patch = (id: string, body: object) => api.client.patch(`${base}/${id}`, { token: member.token, body });

async function sealedData(id: string, key = testKey): Promise<unknown> {
  const [row] = await api.deps.sql`select sealed from credentials where id = ${id}`;
  const text = await createSecrets({ current: key }).open(row?.["sealed"], credentialsPlace(id));
  return text === undefined ? undefined : JSON.parse(text);
}

describe("creating credentials", () => {
  test("creating credentials shows only the end of the key", async () => {
    const made = await create({ data: { apiKey, baseUrl: "https://models.example.com/openai/v1/" } });

    expect(made.body).toEqual({
      credentials: {
        id: expect.any(String),
        workspaceId,
        type: "openai",
        name: "Ours",
        isReadable: true,
        lastUsedAt: null,
        lastProblem: null,
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
        data: { apiKey: { isSet: true, ends: "4f2a" }, baseUrl: "https://models.example.com/openai/v1" },
      },
    });
    const id = made.text("credentials.id");
    expect((await get(id)).at("credentials")).toEqual({ ...Object(made.at("credentials")), usedBy: [] });
    const [row] = await api.deps.sql`select row_to_json(credentials)::text as text from credentials where id = ${id}`;
    expect(row?.["text"]).not.toContain(Buffer.from(apiKey).toString("hex"));
    expect(row?.["text"]).not.toContain(apiKey);
    expect(await sealedData(id)).toEqual({ apiKey, baseUrl: "https://models.example.com/openai/v1" });
  });

  test("the end of a short key is hidden", async () => {
    const made = await create({ type: "anthropic", name: "Short", data: { apiKey: "0123456789a" } });
    expect(made.at("credentials.data")).toEqual({ apiKey: { isSet: true } });

    const list = await api.client.get(`${base}?limit=1`, { token: member.token });
    expect(list.at("credentials.0.name")).toBe("Short");
    expect(list.at("credentials.0.data")).toBeUndefined();
    expect(list.text("nextCursor")).not.toBe("");
  });

  test("the credentials of a mail server hide only the password", async () => {
    const data = {
      host: "mail.example.com",
      port: 587,
      username: "bots",
      password: "a long password",
      from: { name: "Our bots", email: "bots@example.com" },
    };
    const made = await create({ type: "smtp", data });

    expect(made.at("credentials.data")).toEqual({ ...data, password: { isSet: true, ends: "word" } });
    expect(await sealedData(made.text("credentials.id"))).toEqual(data);
  });

  test.each<[string, object, string, string]>([
    ["an unknown type", { type: "telepathy" }, "type", "openai"],
    ["an account of a messenger", { type: "whatsApp" }, "type", "connect a messenger with POST"],
    ["a missing key", { data: {} }, "data.apiKey", "required"],
    ["a key with a line break", { data: { apiKey: "sk-1\nHost: evil" } }, "data.apiKey", "visible ASCII"],
    ["the masked form of a key", { data: { apiKey: { isSet: true } } }, "data.apiKey", "visible ASCII"],
    [
      "an address for a type without an address",
      { type: "mistral", data: { apiKey, baseUrl: "https://a.example" } },
      "data.baseUrl",
      "mistral",
    ],
    ["an invalid address", { data: { apiKey, baseUrl: "models" } }, "data.baseUrl", "an address such as"],
    [
      "an address with a query",
      { data: { apiKey, baseUrl: "https://a.example/v1?key=1" } },
      "data.baseUrl",
      "must not contain a query",
    ],
    [
      "an address with a fragment",
      { data: { apiKey, baseUrl: "https://a.example/v1#x" } },
      "data.baseUrl",
      "must not contain a fragment",
    ],
    [
      "an address with a user name",
      { data: { apiKey, baseUrl: "https://me@a.example/v1" } },
      "data.baseUrl",
      "must not contain a user name",
    ],
    [
      "an address of this machine",
      { data: { apiKey, baseUrl: "http://127.0.0.1:11434/v1" } },
      "data.baseUrl",
      "OUTGOING_ALLOW",
    ],
    ["a private address", { data: { apiKey, baseUrl: "http://10.0.0.5/v1" } }, "data.baseUrl", "OUTGOING_ALLOW"],
    [
      "a cloud's metadata address",
      { data: { apiKey, baseUrl: "http://169.254.169.254/" } },
      "data.baseUrl",
      "is refused",
    ],
    [
      "a mail server without a sender",
      { type: "smtp", data: { host: "a.example", port: 25 } },
      "data.from",
      "required",
    ],
  ])("creating credentials rejects %s", async (_, body, path, words) => {
    const answer = await create(body);

    expect(answer.at("code")).toBe("request.invalid");
    expect(answer.at("data.issues.0.path")).toBe(path);
    expect(answer.text("data.issues.0.message")).toContain(words);
    expect(JSON.stringify(answer.body)).not.toContain(apiKey);
  });

  test("creating credentials accepts an internal host that the operator has allowed", async () => {
    expect((await create({ data: { apiKey, baseUrl: "http://models.internal:8000/v1" } })).status).toBe(200);
  });

  test("creating credentials is refused at the limit or without an encryption key", async () => {
    const full = await api.makeWorkspace(admin);
    await api.deps.sql`
      insert into credentials (id, workspace_id, type, name, sealed, hint)
      select new_id(), ${full}, 'openai', 'One of many', ''::bytea, '{}'
      from generate_series(1, ${limits.credentials.perWorkspace})`;
    const body = { type: "openai", name: "One more", data: { apiKey } };
    const more = await api.client.post(`/api/v1/workspaces/${full}/credentials`, { token: admin.token, body });
    expect(more.at("code")).toBe("credentials.too_many");

    const keyless = await createTestApi();
    const owner = await keyless.makeUser();
    const path = `/api/v1/workspaces/${await keyless.makeWorkspace(owner)}/credentials`;
    expect((await keyless.client.post(path, { token: owner.token, body })).at("code")).toBe("secret.no_key");
    await keyless.close();
  });
});

describe("changing credentials", () => {
  test("changing credentials keeps omitted fields", async () => {
    const id = await created({ data: { apiKey, baseUrl: "https://models.example.com/v1" } });

    await patch(id, { name: "Renamed" });
    const kept = await patch(id, {
      data: { apiKey: { isSet: true, ends: "4f2a" }, baseUrl: "https://models.example.com/v2" },
    });

    expect(kept.at("credentials")).toMatchObject({
      name: "Renamed",
      data: { apiKey: { isSet: true, ends: "4f2a" }, baseUrl: "https://models.example.com/v2" },
    });
    expect(await sealedData(id)).toEqual({ apiKey, baseUrl: "https://models.example.com/v2" });
  });

  test("changing credentials replaces a key, and removes a field that is null", async () => {
    const id = await created({ data: { apiKey, baseUrl: "https://api.openai.com/v1/extra" } });

    const changed = await patch(id, { data: { apiKey: "sk-another-key-of-ours-9e9e", baseUrl: null } });

    expect(changed.at("credentials.data")).toEqual({ apiKey: { isSet: true, ends: "9e9e" } });
    expect(await sealedData(id)).toEqual({ apiKey: "sk-another-key-of-ours-9e9e" });
    expect((await patch(id, { data: { apiKey: null } })).at("data.issues.0.message")).toBe("is required");
  });

  test("changing the address of credentials requires the key again", async () => {
    const id = await created();
    const other = { baseUrl: "https://collector.example/v1" };

    for (const data of [other, { ...other, apiKey: { isSet: true, ends: "4f2a" } }]) {
      const answer = await patch(id, { data });
      expect(answer.at("data.issues.0.path")).toBe("data.apiKey");
      expect(answer.text("data.issues.0.message")).toContain("must be sent again");
    }
    expect(await sealedData(id)).toEqual({ apiKey });
    expect((await patch(id, { data: { ...other, apiKey: "sk-for-the-other-server" } })).status).toBe(200);
  });

  test("concurrent changes to different fields of credentials are both kept", async () => {
    const id = await created();

    await Promise.all([
      patch(id, { data: { apiKey: "sk-written-at-the-same-time" } }),
      patch(id, { data: { baseUrl: "https://api.openai.com/v1/at-once" } }),
    ]);

    expect(await sealedData(id)).toEqual({
      apiKey: "sk-written-at-the-same-time",
      baseUrl: "https://api.openai.com/v1/at-once",
    });
  });

  test("changing credentials does not overwrite a more recent change", async () => {
    const id = await created();
    const before = await credentialsRows.find(api.deps.sql, { ownerId: workspaceId, key: id });
    if (!before) throw new Error("The credentials are gone");
    await patch(id, { data: { apiKey: "sk-written-in-between" } });

    expect(await updateCredentials(api.deps.sql, before, { ...before, name: "Late" })).toBeUndefined();
    expect((await get(id)).at("credentials.name")).toBe("Ours");
  });

  test("deleted credentials cannot be read, changed or deleted again", async () => {
    const id = await created();
    expect((await api.client.delete(`${base}/${id}`, { token: member.token })).at("credentials.id")).toBe(id);

    expect((await get(id)).at("code")).toBe("credentials.not_found");
    expect((await patch(id, { name: "Gone" })).at("code")).toBe("credentials.not_found");
    expect((await api.client.delete(`${base}/${id}`, { token: member.token })).at("code")).toBe(
      "credentials.not_found",
    );
  });

  test("credentials cannot be read, changed or deleted from another workspace", async () => {
    const id = await created();
    const elsewhere = `/api/v1/workspaces/${await api.makeWorkspace(member)}/credentials/${id}`;

    expect((await api.client.get(elsewhere, { token: member.token })).at("code")).toBe("credentials.not_found");
    const change = { token: member.token, body: { name: "Mine" } };
    expect((await api.client.patch(elsewhere, change)).at("code")).toBe("credentials.not_found");
    expect((await api.client.delete(elsewhere, { token: member.token })).at("code")).toBe("credentials.not_found");
  });
});

test("credentials that cannot be decrypted are marked as unreadable", async () => {
  const id = await created({ name: "Sealed elsewhere" });
  const strange = await createSecrets({ current: "a key of somebody else, of 32 characters" }).seal(
    "{}",
    credentialsPlace(id),
  );
  await api.deps.sql`update credentials set sealed = ${strange} where id = ${id}`;

  expect((await get(id)).at("credentials")).toMatchObject({
    name: "Sealed elsewhere",
    isReadable: false,
    data: { apiKey: { isSet: true, ends: "4f2a" } },
  });
  expect((await patch(id, { name: "Still sealed elsewhere" })).at("credentials.isReadable")).toBe(false);
  expect((await patch(id, { data: { baseUrl: "https://a.example" } })).at("code")).toBe("credentials.unreadable");
  const mended = await patch(id, { data: { apiKey: "sk-given-anew-under-our-key" } });
  expect(mended.at("credentials.isReadable")).toBe(true);
  expect(await sealedData(id)).toEqual({ apiKey: "sk-given-anew-under-our-key" });
});

test("an interrupted key rotation can be continued", async () => {
  const nextKey = "the next key of this instance, 32 characters";
  const rotating = createSecrets({ current: nextKey, old: [testKey] });
  const ids = [await created(), await created(), await created()];
  let sealed = 0;
  const breakingOff = {
    ...rotating,
    async seal(text: string, place: string) {
      if (++sealed > 2) throw new Error("The process was killed");
      return rotating.seal(text, place);
    },
  };

  await expect(resealAll(api.deps.sql, breakingOff)).rejects.toThrow("killed");
  const rows = await api.deps.sql<{ id: string; sealed: Uint8Array }[]>`
    select id, sealed from credentials where id = any(${ids}::uuid[])`;
  for (const row of rows) expect(await rotating.open(row.sealed, credentialsPlace(row.id))).toBeDefined();

  const { unreadable } = await resealAll(api.deps.sql, rotating);
  expect(unreadable.filter(({ id }) => ids.includes(id))).toEqual([]);
  for (const id of ids) expect(await sealedData(id, nextKey)).toEqual({ apiKey });
  await resealAll(api.deps.sql, createSecrets({ current: testKey, old: [nextKey] }));
});
