import { afterAll, beforeAll, describe, expect, spyOn, test } from "bun:test";
import { parseJson } from "../../../src/core/documents/incoming-json.ts";
import { limits } from "../../../src/limits/index.ts";
import { createTestApi, type TestApi, type TestUser } from "../../support/api.ts";

let api: TestApi;
let user: TestUser;

beforeAll(async () => {
  api = await createTestApi();
  user = await api.makeUser();
});
afterAll(() => api.close());

const path = "/api/v1/workspaces";

async function countWorkspaces(): Promise<number> {
  const [row] = await api.deps.sql<{ count: number }[]>`select count(*)::int as count from workspaces`;
  return row?.count ?? 0;
}

async function expectRefused(
  options: { body?: unknown; rawBody?: string; headers?: Record<string, string> },
  code: string,
) {
  const before = await countWorkspaces();
  const answer = await api.client.post(path, { token: user.token, ...options });
  expect(answer.at("code")).toBe(code);
  expect(await countWorkspaces()).toBe(before);
  return answer;
}

describe("a valid body", () => {
  test("a valid body is accepted", async () => {
    const answer = await api.client.post(path, { token: user.token, body: { name: "Support" } });
    expect(answer.text("workspace.name")).toBe("Support");
  });

  test("a valid body may contain unknown keys, even __proto__ and constructor", async () => {
    const rawBody = '{"name":"Keys","__proto__":{"icon":"stolen"},"constructor":{"prototype":{"icon":"x"}},"other":1}';
    const answer = await api.client.post(path, { token: user.token, rawBody });
    expect(answer.at("workspace.icon")).toBeNull();
    expect({}).not.toHaveProperty("icon");
  });

  test("U+0000 and lone surrogates in a body are stored as U+FFFD", async () => {
    const rawBody = '{"name":"a\\u0000b\\ud83dc\\ude00d😀\\ud83d\\ude00"}';
    const answer = await api.client.post(path, { token: user.token, rawBody });
    expect(answer.text("workspace.name")).toBe("a\uFFFDb\uFFFDc\uFFFDd😀😀");
  });

  test("a valid body may have a JSON content type with a parameter", async () => {
    for (const type of ["application/json; charset=utf-8", "APPLICATION/JSON", "application/merge-patch+json"]) {
      const answer = await api.client.post(path, {
        token: user.token,
        body: { name: "x" },
        headers: { "Content-Type": type },
      });
      expect(answer.status).toBe(200);
    }
  });

  test("a valid body may be empty if every field is optional", async () => {
    const workspaceId = await api.makeWorkspace(user);
    for (const options of [{}, { rawBody: "" }, { rawBody: " \n" }, { body: {} }]) {
      const answer = await api.client.patch(`${path}/${workspaceId}`, { token: user.token, ...options });
      expect(answer.status).toBe(200);
    }
  });
});

describe("a malformed body", () => {
  test.each(["{", "name=x", '{"name": undefined}', "\u0000", "[1,]", '{"name":"\u0000"}'])(
    "a body that is not JSON is rejected as malformed: %p",
    async (rawBody) => {
      await expectRefused({ rawBody }, "request.malformed");
    },
  );

  test.each([
    ["{", 1, 2],
    ["name=x", 1, 1],
    ['{"name": undefined}', 1, 10],
    ["[1,]", 1, 4],
    ['{"name":"x",}', 1, 13],
    ['{"name":"x" "icon":null}', 1, 13],
    ['{\n  "name": "a\\qb"\n}', 2, 13],
    ['{"name":"x"}}', 1, 13],
    ['{"name":01}', 1, 9],
  ])(
    "a body that is not JSON is rejected with the position of its first syntax error: %p",
    async (rawBody, line, column) => {
      const answer = await expectRefused({ rawBody }, "request.malformed");
      expect(answer.at("data")).toEqual({ line, column });
      expect(answer.text("message")).toBe(`The body is not valid JSON: see line ${line}, column ${column}.`);
    },
  );

  test("the rejection of a wrong content type names the accepted content type", async () => {
    const headers = { "Content-Type": "text/plain" };
    const answer = await expectRefused({ rawBody: '{"name":"x"}', headers }, "request.malformed");
    expect(answer.text("message")).toBe(
      'This endpoint accepts JSON: send the header Content-Type: application/json instead of "text/plain".',
    );
  });

  test.each([
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/jsonp",
    "",
  ])("a JSON body is rejected as malformed if its content type is %p", async (type) => {
    await expectRefused({ rawBody: '{"name":"x"}', headers: { "Content-Type": type } }, "request.malformed");
  });

  test("a JSON body is rejected as malformed if it nests too deeply", async () => {
    for (const depth of [limits.request.jsonDepth, 200_000]) {
      const nested = `${"[".repeat(depth)}${"]".repeat(depth)}`;
      await expectRefused({ rawBody: `{"name":"x","other":${nested}}` }, "request.malformed");
    }
  });

  test("a body may nest up to the limit", async () => {
    const depth = limits.request.jsonDepth - 1;
    const rawBody = `{"name":"x","other":${"[".repeat(depth)}${"]".repeat(depth)}}`;
    expect((await api.client.post(path, { token: user.token, rawBody })).status).toBe(200);
  });
});

describe("a body with the wrong structure", () => {
  test.each(["null", "[]", "7", '"text"', "true"])("a body that is not an object is rejected: %s", async (rawBody) => {
    const answer = await expectRefused({ rawBody }, "request.invalid");
    expect(answer.at("data.issues")).toEqual([{ path: "", message: "must be an object" }]);
    expect(answer.text("message")).toBe("Input validation failed: the body must be an object.");
  });

  test("a body without a required field is rejected with the path of the field", async () => {
    const answer = await expectRefused({ body: {} }, "request.invalid");
    expect(answer.at("data.issues")).toEqual([{ path: "name", message: "is required" }]);
  });

  test("a body with the wrong structure is rejected with all invalid fields", async () => {
    const answer = await expectRefused({ body: { name: 7, icon: ["x"] } }, "request.invalid");
    expect(answer.at("data.issues")).toEqual([
      { path: "name", message: "must be a text of 1 to 255 characters that are not only blanks" },
      { path: "icon", message: "must be a string or null" },
    ]);
  });

  test("an error contains the limit that a value violates, even if null is allowed", async () => {
    const answer = await expectRefused({ body: { name: "x", icon: "x".repeat(20_001) } }, "request.invalid");
    expect(answer.at("data.issues")).toEqual([{ path: "icon", message: "must have at most 20000 characters" }]);
    const workspaceId = await api.makeWorkspace(user);
    const refused = async (body: object) =>
      (await api.client.put(`/api/v1/workspaces/${workspaceId}/secrets/KEY`, { token: user.token, body })).at(
        "data.issues",
      );
    expect(await refused({ value: "", hosts: [] })).toEqual([
      { path: "value", message: "must have at least 1 character" },
      { path: "hosts", message: "must have at least 1 entry" },
    ]);
    expect(await refused({ hosts: ["crm.example.com", "https://x"] })).toEqual([
      { path: "hosts[1]", message: "must be the name of a host such as crm.example.com" },
    ]);
    expect(await refused({ hosts: "crm.example.com" })).toEqual([
      { path: "hosts", message: "must be an array or null" },
    ]);
  });

  test.each([
    [{ type: "image" }, "message.type", 'must be "text", "audio" or "command"'],
    [{ type: "audio" }, "message.url", "is required"],
    [7, "message", 'must be a string or null or an object whose type is "text", "audio" or "command"'],
  ])(
    "an invalid chat message is rejected with the accepted types or the missing field: %p",
    async (message, path, sentence) => {
      const answer = await api.client.post("/api/v1/bots/none/startChat", { body: { message } });
      expect(answer.at("data.issues")).toEqual([{ path, message: sentence }]);
    },
  );

  test.each(["", "   ", "x".repeat(256)])("a body with an invalid name is rejected: %p", async (name) => {
    await expectRefused({ body: { name } }, "request.invalid");
  });

  test("a body may have a name of the maximum length", async () => {
    const name = "x".repeat(255);
    expect((await api.client.post(path, { token: user.token, body: { name } })).text("workspace.name")).toBe(name);
  });

  test("a required field of a body is not read from __proto__", async () => {
    const answer = await expectRefused({ rawBody: '{"__proto__":{"name":"x"}}' }, "request.invalid");
    expect(answer.at("data.issues.0.path")).toBe("name");
  });

  test("a body with two invalid fields is rejected with an issue for each field", async () => {
    const members = `${path}/${await api.makeWorkspace(user)}/members`;
    const answer = await api.client.put(members, { token: user.token, body: { email: 1, role: 1 } });
    expect(answer.list("data.issues").length).toBe(2);
    expect(answer.list("data.issues").length).toBeLessThanOrEqual(limits.request.issues);
  });
});

describe("a body that is too large", () => {
  const tooLarge = `{"name":"x","other":"${"x".repeat(limits.request.managementBodyBytes)}"}`;

  test("a body that is too large is rejected because of its announced length", async () => {
    const answer = await expectRefused(
      { rawBody: tooLarge, headers: { "Content-Length": String(tooLarge.length) } },
      "request.too_large",
    );
    expect(answer.at("data.maxBytes")).toBe(limits.request.managementBodyBytes);
  });

  test("a body that is too large is rejected before it has been read completely", async () => {
    let sent = 0;
    const piece = new Uint8Array(1024 * 1024).fill(32);
    const rawBody = new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull(controller) {
        sent += 1;
        controller.enqueue(piece);
      },
    });
    const answer = await api.client.post(path, { token: user.token, rawBody });
    expect(answer.at("code")).toBe("request.too_large");
    expect(sent).toBeLessThan(16);
  });

  test("a body that is too large is rejected even if a smaller length is announced", async () => {
    await expectRefused({ rawBody: tooLarge, headers: { "Content-Length": "2" } }, "request.too_large");
  });

  test("a body may have exactly the maximum number of bytes", async () => {
    const start = '{"name":"x","other":"';
    const rawBody = `${start}${"x".repeat(limits.request.managementBodyBytes - start.length - 2)}"}`;
    expect((await api.client.post(path, { token: user.token, rawBody })).status).toBe(200);
  });
});

test("a list is not copied while the depth of a body is checked", () => {
  const values = spyOn(Object, "values");
  parseJson(JSON.stringify({ list: [Array(1_000).fill(0), Array(1_000).fill([])] }));
  const copied = values.mock.calls.filter(([value]) => Array.isArray(value));
  values.mockRestore();
  expect(copied).toEqual([]);
});
