import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { emptyBin } from "../../../src/management/bin/bin.job.ts";
import { createTestApi, type TestApi, type TestUser } from "../../support/api.ts";
import { waitFor } from "../../support/wait.ts";

let api: TestApi;
let owner: TestUser;
let workspaceId: string;

beforeAll(async () => {
  api = await createTestApi();
  owner = await api.makeUser();
  workspaceId = await api.makeWorkspace(owner);
});
afterAll(() => api.close());

const at = (id: string) => `/api/v1/workspaces/${id}/brand`;
const get = (token = owner.token, id = workspaceId) => api.client.get(at(id), { token });
const put = (brand: unknown, { token = owner.token, id = workspaceId, headers = {} } = {}) =>
  api.client.put(at(id), { token, body: { brand }, headers });

const bakery = {
  name: "Bakery",
  logo: { light: "https://example.com/logo.svg", dark: "https://example.com/white.svg" },
  avatar: "https://example.com/face.png",
  colors: [
    { name: "Crust", value: "#8a4b08" },
    { name: "Cream", value: "#FFF4E0" },
  ],
  main: "Crust",
  font: { type: "Google", family: "Lora" },
  roundness: 12,
  tone: "Warm and short.",
};

describe("a brand", () => {
  test("a brand is null at first, is stored as sent, and is removed by null", async () => {
    const id = await api.makeWorkspace(owner);
    expect((await get(owner.token, id)).body).toMatchObject({ brand: null });

    expect((await put(bakery, { id })).at("brand")).toEqual(bakery);
    expect((await put(bakery, { id })).at("brand")).toEqual(bakery);
    expect((await get(owner.token, id)).at("brand")).toEqual(bakery);
    expect((await put({ name: "Other" }, { id })).at("brand")).toEqual({ name: "Other" });
    expect((await put(null, { id })).at("brand")).toBeNull();
  });

  test.each<[string, object]>([
    ["brand.colors", { colors: Array.from({ length: 13 }, (_, index) => ({ name: `${index}`, value: "#000000" })) }],
    ["brand.colors[1].name", { colors: [bakery.colors[0], { name: "Crust", value: "#000000" }] }],
    ["brand.colors[0].value", { colors: [{ name: "Red", value: "red" }] }],
    ["brand.main", { colors: bakery.colors, main: "Butter" }],
    ["brand.main", { main: "Crust" }],
    [
      "brand.logo.light",
      { logo: { light: '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>' } },
    ],
    ["brand.logo.dark", { logo: { dark: "data:image/svg+xml,<svg onload='alert(1)'/>" } }],
    ["brand.avatar", { avatar: "javascript:alert(1)" }],
    ["brand.avatar", { avatar: "https://example.com/a\"onerror='alert(1)'" }],
    ["brand.roundness", { roundness: 41 }],
    ["brand.tone", { tone: "x".repeat(501) }],
    ["brand.slogan", { slogan: "Fresh" }],
    [
      "brand",
      { font: { type: "Custom", family: "Own", css: "€".repeat(4_000) }, name: "é".repeat(100), ...longAddresses() },
    ],
  ])("an invalid %s is rejected, and the previous brand stays", async (path, brand) => {
    await put(bakery);

    const answer = await put(brand);

    expect([answer.status, answer.at("data.issues.0.path")]).toEqual([400, path]);
    expect((await get()).at("brand")).toEqual(bakery);
  });

  test("a brand is not overwritten by a request with an outdated If-Match", async () => {
    await put(bakery);
    const seen = await get();
    const headers = { "If-Match": seen.headers.get("etag") ?? "" };

    expect((await put({ name: "Mine" }, { headers })).status).toBe(200);
    expect((await put({ name: "Theirs" }, { headers })).at("code")).toBe("precondition.failed");
    expect((await get()).at("brand")).toEqual({ name: "Mine" });
  });

  test("a brand can be read by a GUEST, and written by a MEMBER but not by a GUEST", async () => {
    await put(bakery);
    const [guest, member] = [await api.makeUser(), await api.makeUser()];
    expect((await get(guest.token)).at("code")).toBe("workspace.not_found");
    for (const [{ userId }, role] of [
      [guest, "GUEST"],
      [member, "MEMBER"],
    ] as const)
      await api.deps.sql`
        insert into members (workspace_id, user_id, role) values (${workspaceId}, ${userId}, ${role})`;

    expect((await get(guest.token)).at("brand")).toEqual(bakery);
    expect((await put(null, { token: guest.token })).at("code")).toBe("workspace.forbidden");
    expect((await put({ name: "Shop" }, { token: member.token })).at("brand")).toEqual({ name: "Shop" });
  });

  test("a brand is moved to the bin, restored and erased with its workspace", async () => {
    const id = await api.makeWorkspace(owner);
    await put({ name: "Planted brand" }, { id });
    await api.client.delete(`/api/v1/workspaces/${id}`, { token: owner.token });
    expect((await get(owner.token, id)).at("code")).toBe("workspace.not_found");
    await api.client.post(`/api/v1/workspaces/${id}/restore`, { token: owner.token, body: {} });
    expect((await get(owner.token, id)).at("brand")).toEqual({ name: "Planted brand" });

    await api.client.delete(`/api/v1/workspaces/${id}`, { token: owner.token });
    await api.client.post(`/api/v1/workspaces/${id}/erase`, { token: owner.token, body: {} });
    await waitFor(async () => {
      await emptyBin(api.deps.sql).removeSome();
      const [row] = await api.deps.sql<{ brand: unknown }[]>`select brand from workspaces where id = ${id}`;
      return row === undefined;
    });
  });
});

test("an SVG logo is served with a policy that allows no scripts", async () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
  const uploaded = await api.client.post(`/api/v1/workspaces/${workspaceId}/files`, {
    token: owner.token,
    query: { name: "logo.svg" },
    rawBody: svg,
    headers: { "Content-Type": "application/octet-stream" },
  });
  const light = uploaded.text("workspaceFile.url");

  expect((await put({ logo: { light } })).at("brand.logo.light")).toBe(light);
  const shown = await api.handle(new Request(`http://localhost${new URL(light).pathname}`));
  expect(shown.headers.get("content-security-policy")).toContain("sandbox");
  expect(shown.headers.get("content-security-policy")).not.toContain("allow-scripts");
});

test("copies and imports of a bot keep its theme's reference to the brand", async () => {
  const theme = { chat: { roundness: "large" }, brand: { style: "soft", follows: true, of: "1a2b" } };
  const { token } = owner;
  const made = await api.client.post("/api/v1/bots", { token, body: { workspaceId, bot: { name: "Branded", theme } } });
  const botId = made.text("bot.id");
  const elsewhere = await api.makeWorkspace(owner);

  const copy = await api.client.post(`/api/v1/bots/${botId}/duplicate`, { token, body: {} });
  const { body: file } = await api.client.get(`/api/v1/bots/${botId}/export`, { token });
  const bot = Object(file).bot ?? file;
  const imported = await api.client.post("/api/v1/bots/import", { token, body: { workspaceId: elsewhere, bot } });

  expect(copy.at("bot.theme")).toEqual(theme);
  expect(imported.at("bot.theme")).toEqual(theme);
  const wrong = { ...theme, brand: { style: 7 } };
  const refused = await api.client.patch(`/api/v1/bots/${botId}`, { token, body: { bot: { theme: wrong } } });
  expect(refused.at("data.issues.0.path")).toContain("theme.brand.style");
});

function longAddresses() {
  const address = `https://example.com/${"a".repeat(1_900)}`;
  return { avatar: address, logo: { light: address, dark: address } };
}
