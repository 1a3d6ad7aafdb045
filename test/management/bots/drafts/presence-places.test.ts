import { afterAll, beforeAll, expect, test } from "bun:test";
import { limits } from "../../../../src/limits/index.ts";
import { newId } from "../../../../src/platform/ids.ts";
import { smallDraft } from "../../../core/editing/commands.ts";
import { createTestApi, type TestApi, type TestUser } from "../../../support/api.ts";
import { watchLive } from "../../../support/live-draft.ts";

let api: TestApi;
let ada: TestUser;
let grace: TestUser;
let botId: string;

beforeAll(async () => {
  api = await createTestApi({ config: { RATE_LIMITS: "off" } });
  ada = await api.makeUser({ name: "Ada" });
  grace = await api.makeUser({ name: "Grace" });
  const workspaceId = await api.makeWorkspace(ada, { [grace.userId]: "MEMBER" });
  const made = await api.client.post("/api/v1/bots", { token: ada.token, body: { workspaceId, bot: smallDraft() } });
  botId = made.text("bot.id");
});
afterAll(() => api.close());

const id = newId();
const put = (body: object) =>
  api.client.put(`/api/v1/bots/${botId}/presence`, { token: ada.token, body: { id, at: "b1", ...body } });

const pointer = { x: -128, y: 64 };
const text = { path: ["content", "richText"], at: 3, to: 9, revision: 0 };
const camera = { x: 12.5, y: -40, zoom: 0.75 };

test("watchers see another person's pointer, caret and camera", async () => {
  const live = await watchLive(api, grace, botId, 0);
  const row = { id, userId: ada.userId, name: "Ada", at: "b1" };
  expect((await put({ pointer, text, camera })).at("present")).toEqual([{ ...row, pointer, text, camera }]);
  expect(await live.next()).toEqual({
    event: "presence",
    data: { present: [{ ...row, pointer, text, camera }] },
  });
  await put({ pointer: { x: 8, y: 8 } });
  expect(await live.next()).toEqual({ event: "presence", data: { present: [{ ...row, pointer: { x: 8, y: 8 } }] } });
  await put({});
  expect(await live.next()).toEqual({ event: "presence", data: { present: [row] } });
  await live.stop();
  expect((await api.client.get(`/api/v1/bots/${botId}`, { token: grace.token })).at("bot.revision")).toBe(0);
});

const { coordinate, zoom, textUnits, pathSteps, pathStepCharacters } = limits.editing;
const refusals: readonly (readonly [string, object, string])[] = [
  ["a pointer above the maximum coordinate", { pointer: { x: coordinate + 1, y: 0 } }, "pointer.x"],
  ["a pointer below the minimum coordinate", { pointer: { x: 0, y: -coordinate - 1 } }, "pointer.y"],
  ["a pointer without a y coordinate", { pointer: { x: 1 } }, "pointer.y"],
  ["a caret beyond the maximum length of a text", { text: { ...text, at: textUnits + 1 } }, "text.at"],
  ["a selection that ends before its text", { text: { ...text, to: -1 } }, "text.to"],
  ["a selection that ends at a fractional position", { text: { ...text, to: 1.5 } }, "text.to"],
  ["a caret with an empty path", { text: { ...text, path: [] } }, "text.path"],
  ["a path with too many steps", { text: { ...text, path: Array(pathSteps + 1).fill("a") } }, "text.path"],
  ["a path with an overlong step", { text: { ...text, path: ["a".repeat(pathStepCharacters + 1)] } }, "text.path[0]"],
  ["a path with an object as a step", { text: { ...text, path: [{}] } }, "text.path[0]"],
  ["a caret without a revision", { text: { path: ["content"], at: 0, to: 0 } }, "text.revision"],
  ["a camera with a zoom of 0", { camera: { ...camera, zoom: 0 } }, "camera.zoom"],
  ["a camera above the maximum zoom", { camera: { ...camera, zoom: zoom.most + 1 } }, "camera.zoom"],
];

test.each(refusals)("%s is rejected with the path of the invalid field", async (_, body, path) => {
  const refused = await put(body);
  expect([refused.status, refused.at("code"), refused.at("data.issues.0.path")]).toEqual([
    400,
    "request.invalid",
    path,
  ]);
});
