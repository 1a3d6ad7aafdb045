import { afterAll, beforeAll, expect, test } from "bun:test";
import { limits } from "../../../src/limits/index.ts";
import { newId } from "../../../src/platform/ids.ts";
import { createTestApi, type TestApi, type TestUser } from "../../support/api.ts";

let api: TestApi;
let owner: TestUser;

beforeAll(async () => {
  api = await createTestApi();
  owner = await api.makeUser();
});
afterAll(() => api.close());

const theme = { general: { font: "Lato" }, customCss: "a {}", own: { kept: [1] } };
const at = (workspaceId: string, id = "") => `/api/v1/workspaces/${workspaceId}/theme-templates${id && `/${id}`}`;
const call = (method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE", path: string, body?: object) =>
  api.client.send(method, path, { token: owner.token, ...(body && { body }) });

test("a theme can be stored, listed, changed and deleted", async () => {
  const workspaceId = await api.makeWorkspace(owner);
  const made = await call("POST", at(workspaceId), { name: "Autumn", theme });
  const id = made.text("themeTemplate.id");
  expect(made.at("themeTemplate")).toMatchObject({ workspaceId, name: "Autumn", theme });
  const renamed = await call("PATCH", at(workspaceId, id), { name: "Winter" });
  expect(renamed.at("themeTemplate")).toMatchObject({ name: "Winter", theme });
  expect((await call("PATCH", at(workspaceId, id), { theme: {} })).at("themeTemplate.theme")).toEqual({});
  const got = await call("GET", at(workspaceId, id));
  expect((await call("GET", at(workspaceId))).at("themeTemplates")).toEqual([got.at("themeTemplate")]);
  const elsewhere = await api.makeWorkspace(owner);
  expect((await call("GET", at(elsewhere, id))).at("code")).toBe("theme_template.not_found");
  expect((await call("DELETE", at(workspaceId, id))).body).toEqual(got.body);
  expect((await call("DELETE", at(workspaceId, id))).at("code")).toBe("theme_template.not_found");
  expect((await call("PATCH", at(workspaceId, id), {})).status).toBe(404);
});

test("existing clients can list, save and delete themes at their own paths", async () => {
  const workspaceId = await api.makeWorkspace(owner);
  const saved = await call("PUT", "/api/v1/themeTemplates/cuid-of-their-own", { workspaceId, name: "", theme });
  const id = saved.text("themeTemplate.id");
  expect(saved.at("themeTemplate")).toEqual({ id, name: "", theme });
  const changed = await call("PUT", `/api/v1/themeTemplates/${id}`, { workspaceId, name: "Two", theme: {} });
  expect(changed.at("themeTemplate")).toEqual({ id, name: "Two", theme: {} });
  await call("PUT", `/api/v1/themeTemplates/${newId()}`, { workspaceId, name: "Newest", theme: {} });
  const listed = await call("GET", `/api/v1/themeTemplates?workspaceId=${workspaceId}`);
  expect(listed.at("themeTemplates.*.name")).toEqual(["Newest", "Two"]);
  const other = await api.makeWorkspace(owner);
  expect((await call("DELETE", `/api/v1/themeTemplates/${id}?workspaceId=${other}`)).status).toBe(404);
  expect((await call("DELETE", `/api/v1/themeTemplates/${id}`)).at("code")).toBe("workspace.not_found");
  expect((await call("DELETE", `/api/v1/themeTemplates/${id}`, { workspaceId })).body).toEqual(changed.body);
});

test("an invalid change to a theme is rejected, and the stored theme is kept", async () => {
  const workspaceId = await api.makeWorkspace(owner);
  const id = (await call("POST", at(workspaceId), { name: "One", theme })).text("themeTemplate.id");

  const wrong = await call("PATCH", `${at(workspaceId)}/${id}`, { theme: { general: [] } });

  expect(wrong.at("data.issues.*.path")).toEqual(["theme.general"]);
  expect((await call("GET", `${at(workspaceId)}/${id}`)).at("themeTemplate.theme")).toEqual(theme);
});

test("invalid, oversized or excess themes are rejected, and GUESTs have no access", async () => {
  const guest = await api.makeUser();
  const workspaceId = await api.makeWorkspace(owner, { [guest.userId]: "GUEST" });
  const wrong = await call("POST", at(workspaceId), { name: "x", theme: { chat: { roundness: 5 }, general: [] } });
  expect(wrong.at("data.issues.*.path")).toEqual(["theme.general", "theme.chat.roundness"]);
  const large = { customCss: "x".repeat(limits.themeTemplates.bytes) };
  expect((await call("POST", at(workspaceId), { name: "x", theme: large })).at("data.issues.0.path")).toBe("theme");
  expect((await call("POST", at(workspaceId), { name: " ", theme })).at("data.issues.0.path")).toBe("name");
  const asGuest = { token: guest.token };
  const stored = await call("POST", at(workspaceId), { name: "x", theme });
  const one = at(workspaceId, stored.text("themeTemplate.id"));
  for (const refused of [
    await api.client.get(at(workspaceId), asGuest),
    await api.client.get(one, asGuest),
    await api.client.post(at(workspaceId), { ...asGuest, body: { name: "x", theme } }),
    await api.client.patch(one, { ...asGuest, body: { name: "y" } }),
    await api.client.delete(one, asGuest),
    await api.client.put("/api/v1/themeTemplates/new", { ...asGuest, body: { workspaceId, name: "x", theme } }),
  ])
    expect(refused.at("code")).toBe("workspace.forbidden");
  expect((await call("GET", at(workspaceId))).at("themeTemplates.*.name")).toEqual(["x"]);
  await call("DELETE", one);
  await api.deps.sql`
    insert into theme_templates (id, workspace_id, name, theme)
    select gen_random_uuid(), ${workspaceId}, 'One of many', '{}'
    from generate_series(1, ${limits.themeTemplates.perWorkspace})`;
  expect((await call("POST", at(workspaceId), { name: "x", theme })).at("code")).toBe("theme_template.too_many");
  const late = await call("PUT", "/api/v1/themeTemplates/new", { workspaceId, name: "x", theme });
  expect(late.at("code")).toBe("theme_template.too_many");
  const page = await call("GET", `${at(workspaceId)}?limit=100`);
  expect(page.list("themeTemplates")).toHaveLength(100);
  const next = page.text("nextCursor");
  expect((await call("GET", `${at(workspaceId)}?limit=100&cursor=${next}`)).list("themeTemplates")).toHaveLength(100);
  expect((await call("GET", `${at(await api.makeWorkspace(owner))}?cursor=${next}`)).at("code")).toBe("cursor.invalid");
});
