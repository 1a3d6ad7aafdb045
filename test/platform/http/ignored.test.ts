import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createTestApi, type TestApi, type TestUser } from "../../support/api.ts";

let api: TestApi;
let user: TestUser;
let workspaceId: string;

beforeAll(async () => {
  api = await createTestApi();
  user = await api.makeUser();
  workspaceId = await api.makeWorkspace(user);
});
afterAll(() => api.close());

const strict = { Prefer: "handling=strict" };
const get = (path: string, headers = {}) => api.client.get(path, { token: user.token, headers });
const post = (path: string, body: unknown, headers = {}) => api.client.post(path, { token: user.token, body, headers });
const told = ({ headers }: { headers: Headers }) => headers.get("parley-ignored");

describe("an unknown query parameter", () => {
  test.each([
    ["?limt=1", '"limt";in=query;nearest="limit"'],
    ["?Cursor=&limit=1", '"Cursor";in=query;nearest="cursor"'],
    ["?pageSize=1", '"pageSize";in=query'],
    ["?a=1&a=2&limitt=3", '"a";in=query, "limitt";in=query;nearest="limit"'],
    ["?%00%F0%9F%98%80%22=1", '"%EF%BF%BD%F0%9F%98%80\\"";in=query'],
    ["?limit=1", null],
    ["?&&=", null],
  ])(
    "the header Parley-Ignored lists exactly the unknown query parameters, with similar valid parameters: %s",
    async (search, header) => {
      const answer = await get(`/api/v1/workspaces${search}`);
      expect([answer.status, told(answer)]).toEqual([200, header]);
    },
  );

  test("an unknown query parameter is reported, even on Typebot-compatible paths", async () => {
    expect(told(await get(`/api/v1/workspaces/${workspaceId}?nmae=x`))).toBe('"nmae";in=query');
    const list = await get(`/api/v1/typebots?workspaceId=${workspaceId}&folderld=root`);
    expect([list.status, told(list)]).toEqual([200, '"folderld";in=query;nearest="folderId"']);
  });

  test("an unknown query parameter is reported in a header of limited length", async () => {
    const search = Array.from({ length: 500 }, (_, index) => `${"x".repeat(90)}${index}=1`).join("&");
    const header = told(await get(`/api/v1/workspaces?${search}`)) ?? "";
    expect(header.length).toBeLessThan(2_000);
    expect(header).toEndWith(', "";more=4');
  });

  test("an unknown query parameter is rejected in strict validation", async () => {
    const answer = await get("/api/v1/workspaces?limt=1", strict);
    expect(answer.at("data.issues")).toEqual([
      { path: "limt", message: "is not a known query parameter: did you mean limit" },
    ]);
    expect([answer.status, answer.at("code")]).toEqual([400, "request.invalid"]);
  });
});

describe("an unknown field of a body", () => {
  const bot = {
    nmae: "Typo",
    groups: [{ id: "g", title: "G", graphCoordinates: { x: 0, y: 0 }, blocks: [], color: "red" }],
    settings: { general: { isBrandingEnabledd: true } },
    resultsTablePreferences: { columnOrder: [] },
  };

  test("an unknown field of a body is reported with its path", async () => {
    const answer = await post("/api/v1/bots", { workspaceId, bot, folder: 1 });
    expect(told(answer)).toBe(
      '"bot.nmae";in=body;nearest="name", ' +
        '"bot.resultsTablePreferences.columnOrder";in=body;nearest="columnsOrder", "folder";in=body',
    );
    expect(answer.at("bot.groups.0.color")).toBe("red");
  });

  test("an unknown field of a command message is rejected in strict validation", async () => {
    const session = "06ey3k2m5q8r1t4v7x0z9w2b5d";
    const say = (message: object) => post(`/api/v1/sessions/${session}/continueChat`, { message }, strict);

    expect((await say({ type: "command", command: "restart" })).status).toBe(404);
    expect((await say({ type: "audio", url: "https://example.com/a.mp3" })).status).toBe(404);
    const wrong = await say({ type: "command", command: "restart", text: "x" });
    expect(wrong.at("data.issues.0.path")).toBe("message.text");
  });

  test("an unknown field of a body is reported by the name that the client sent", async () => {
    const answer = await post("/api/v1/typebots", { workspaceId, typebot: { whatsAppCredentialId: "x" }, bot: {} });
    expect([answer.status, told(answer)]).toEqual([200, '"typebot.whatsAppCredentialId";in=body, "bot";in=body']);
  });

  test("an unknown field of a body is rejected in strict validation", async () => {
    const before = (await get("/api/v1/workspaces?limit=100")).list("workspaces").length;
    const answer = await post("/api/v1/workspaces", { name: "Strict", icno: "x", __proto: 1 }, strict);
    expect(answer.at("data.issues")).toEqual([
      { path: "icno", message: "is not a known key: did you mean icon" },
      { path: "__proto", message: "is not a known key" },
    ]);
    expect((await get("/api/v1/workspaces?limit=100")).list("workspaces").length).toBe(before);
  });

  test("the import of an exported file reports no unknown field", async () => {
    const made = await post("/api/v1/bots", { workspaceId, bot: { name: "File" } }, strict);
    const { body: file } = await get(`/api/v1/bots/${made.text("bot.id")}/export`, strict);
    const imported = await post("/api/v1/bots/import", { workspaceId, bot: file }, strict);
    expect([imported.status, told(imported)]).toEqual([200, null]);
    expect(imported.headers.get("preference-applied")).toBe("handling=strict");
  });

  test("an unknown field in a chat is rejected only in strict validation", async () => {
    const body = { mesage: "hello" };
    const lenient = await api.client.post("/api/v1/bots/none/startChat", { body });
    expect(lenient.at("code")).toBe("bot.not_found");
    const refused = await api.client.post("/api/v1/bots/none/startChat", { body, headers: strict });
    expect(refused.at("data.issues.0")).toEqual({
      path: "mesage",
      message: "is not a known key: did you mean message",
    });
  });
});

test.each(["handling=lenient", "respond-async", "handling=stricter", ""])(
  "the value %p of the header Prefer does not request strict validation",
  async (prefer) => {
    expect((await get("/api/v1/workspaces?limt=1", { Prefer: prefer })).status).toBe(200);
  },
);

test.each(["respond-async, handling=strict; x=1", 'Handling="strict"'])(
  "the value %p of the header Prefer requests strict validation",
  async (prefer) => {
    expect((await get("/api/v1/workspaces?limt=1", { Prefer: prefer })).status).toBe(400);
  },
);
