import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { eventBody } from "../../../src/management/events/delivery/event-body.ts";
import { flowOf, publish } from "../../support/chat.ts";
import { dueMessages } from "../../support/events.ts";
import { createModelChats, type ModelChats, plantedKey } from "../../support/model-chats.ts";

let chats: ModelChats;
let endpointId: string;
let place: string;

beforeAll(async () => {
  chats = await createModelChats();
  const body = { url: "https://events.example.com/", eventTypes: ["credentials.failing"] };
  const made = await post(`/api/v1/workspaces/${chats.workspaceId}/event-endpoints`, body);
  endpointId = made.text("eventEndpoint.id");
});
beforeEach(async () => {
  const credentialsId = await chats.makeCredentials("openai", { apiKey: plantedKey, baseUrl: chats.model.baseUrl });
  place = `/api/v1/workspaces/${chats.workspaceId}/credentials/${credentialsId}`;
});
afterAll(() => chats.close());

const get = (path: string) => chats.api.client.get(path, { token: chats.token });
const post = (path: string, body: object = {}) => chats.api.client.post(path, { token: chats.token, body });
const remove = (path: string) => chats.api.client.delete(path, { token: chats.token });
const credentialsId = () => place.split("/").at(-1);
const asksModel = (more: object = {}) => chats.answers({ credentialsId: credentialsId(), ...more });
const publishOne = (blocks: readonly object[]) => publish(chats.api.client, chats, flowOf(blocks));

describe("credentials in use", () => {
  test("credentials in use are listed with each bot that references them", async () => {
    const { botId } = await publishOne(asksModel());
    const bot = { name: "Of a draft", ...flowOf(asksModel()) };
    const draft = await post("/api/v1/bots", { workspaceId: chats.workspaceId, bot });
    await remove(`/api/v1/bots/${draft.text("bot.id")}`);
    const other = await publishOne(chats.answers({}));

    const usedBy = (await get(place)).at("credentials.usedBy");

    expect(usedBy).toEqual([
      { id: botId, name: expect.any(String), isPublished: true, isDeleted: false },
      { id: draft.text("bot.id"), name: "Of a draft", isPublished: false, isDeleted: true },
    ]);
    expect(JSON.stringify(usedBy)).not.toContain(other.botId);
  });

  test("credentials in a published version are not deleted without force", async () => {
    const { botId } = await publishOne(asksModel());

    const refused = await remove(place);

    expect([refused.status, refused.at("code")]).toEqual([409, "credentials.in_use"]);
    expect(refused.at("data.bots.*.id")).toEqual([botId]);
    expect((await remove(`${place}?force=true`)).status).toBe(200);
    expect((await get(place)).at("code")).toBe("credentials.not_found");
  });

  test("credentials in use can be deleted if only a draft references them", async () => {
    await post("/api/v1/bots", { workspaceId: chats.workspaceId, bot: { name: "Draft", ...flowOf(asksModel()) } });

    expect((await remove(place)).status).toBe(200);
  });
});

describe("a key that the provider rejects", () => {
  const refused = { model: "fails-401" };
  const problem = async () => (await get(place)).at("credentials.lastProblem");
  const events = async () => {
    const messages = await dueMessages(chats.api.deps.sql, endpointId);
    const contents = messages.map((message) => JSON.parse(eventBody(message, chats.workspaceId)).data);
    return contents.filter((data) => data.credentialsId === credentialsId());
  };

  test("the rejection of a key in a live chat is reported once an hour", async () => {
    expect(await problem()).toBeNull();
    await chats.hold(asksModel(refused));
    await chats.hold(asksModel(refused));

    expect(await problem()).toEqual({ message: expect.stringContaining("•••"), at: expect.any(String) });
    expect(await events()).toEqual([
      {
        ...{ workspaceId: chats.workspaceId, credentialsId: credentialsId(), type: "openai", name: "Ours" },
        problem: expect.stringContaining("•••"),
      },
    ]);
    await chats.api.deps.sql`update credentials set last_problem_at = last_problem_at - interval '61 minutes'`;
    await chats.hold(asksModel(refused));
    expect(await events()).toHaveLength(2);
  });

  test("the problem of a rejected key is cleared when a new key is stored", async () => {
    const path = { token: chats.token, body: { data: { apiKey: plantedKey } } };
    await chats.hold(asksModel(refused));
    await chats.api.client.patch(place, { token: chats.token, body: { name: "Renamed" } });
    expect(await problem()).not.toBeNull();
    await chats.api.client.patch(place, path);
    expect(await problem()).toBeNull();

    await chats.hold(asksModel(refused));
    expect((await post(`${place}/test`)).at("test.isAccepted")).toBe(true);
    expect(await problem()).toBeNull();
  });

  test("only a key that is rejected in a live chat is recorded as a problem", async () => {
    await chats.hold(asksModel({ model: "fails-402" }));
    const bot = await publishOne(asksModel(refused));
    const started = await post(`/api/v1/bots/${bot.botId}/preview/startChat`);
    const said = await post(`/api/v1/sessions/${started.text("sessionId")}/continueChat`, { message: "Ana" });

    expect(said.status).toBe(200);
    expect(await problem()).toBeNull();
  });
});
