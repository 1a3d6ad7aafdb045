import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import canonicalize from "canonicalize";
import { createTestApi, type TestApi, type TestUser } from "../../../support/api.ts";
import { idOf } from "../../../support/builder-ids.ts";
import { asks, flowOf, publish, say, says, start } from "../../../support/chat.ts";
import { createThreads, type Threads } from "../../../support/threads.ts";

let api: TestApi;
let threads: Threads;
let owner: TestUser;
let stranger: TestUser;
let workspaceId: string;

beforeAll(async () => {
  threads = createThreads({ count: 1 });
  api = await createTestApi({ threads });
  owner = await api.makeUser();
  stranger = await api.makeUser();
  workspaceId = await api.makeWorkspace(owner);
});
afterAll(async () => {
  await threads.close();
  await api.close();
});

const first = flowOf([says("First"), asks("text input")]);
const second = flowOf([says("Second"), asks("text input")], [says("More")]);
const settings = { messenger: { isEnabled: true }, metadata: { tagManagerId: "GTM-1" } };

describe("a publication", () => {
  test("reading a publication returns its original flow after a later publication", async () => {
    const botId = await makeBot({ ...first, settings });
    await write(botId, second);
    const before = await get(botId, 1);
    expect(before.at("publication")).toEqual({
      ...(await listed(botId)),
      ...first,
      theme: {},
      settings,
    });
    await publishAgain(botId);
    const after = await get(botId, 1);
    expect(after.at("publication")).toEqual({ ...Object(before.at("publication")), isCurrent: false });
  });

  test("a publication is converted on request, unless its flow has no start", async () => {
    const blocks = [{ id: "s", type: "start" }, says("Old")];
    const old = await makeBot({ version: "5", groups: [{ id: "g", blocks }] });
    expect((await get(old, 1, { migrateToLatestVersion: true })).at("publication.version")).toBe("6.1");
    const none = await makeBot({ version: "4", events: [] });
    expect((await get(none, 1, { migrateToLatestVersion: true })).at("code")).toBe("flow.no_start");
  });

  test("reading a publication fails for an unknown number", async () => {
    const botId = await makeBot(first);
    for (const number of ["2", "0", "x", "999999999", "1e3", "-1"]) {
      expect([number, (await get(botId, number)).at("code")]).toEqual([number, "publication.not_found"]);
    }
    expect((await get(botId, 1, {}, stranger.token)).at("code")).toBe("bot.not_found");
  });
});

describe("comparing versions", () => {
  test("comparing versions lists the differences between them", async () => {
    const botId = await makeBot({ ...first, settings });
    const [group] = first.groups;
    const moved = {
      ...group,
      graphCoordinates: { x: 5, y: 6 },
      blocks: [says("Second", idOf("says First")), asks("text input")],
    };
    await write(botId, { groups: [moved], settings: { ...settings, messenger: {} } });
    const compared = await compare(botId, { withChanges: true });
    const richText = ["content", "richText", 0, "children", 0, "text"];
    expect(compared.body).toEqual({
      from: { number: 1, hash: (await listed(botId))["hash"], at: expect.any(String) },
      to: { number: null, hash: expect.stringMatching(/^[0-9a-f]{64}$/), at: await updatedAt(botId) },
      isSame: false,
      differences: [
        {
          is: "movedOnCanvas",
          of: "group",
          id: idOf("g0"),
          name: "Group 0",
          changesMeaning: false,
          values: [
            { path: ["graphCoordinates", "x"], from: 0, to: 5 },
            { path: ["graphCoordinates", "y"], from: 0, to: 6 },
          ],
        },
        {
          is: "changed",
          of: "block",
          id: idOf("says First"),
          in: idOf("g0"),
          name: "text",
          changesMeaning: true,
          values: [{ path: richText, from: "First", to: "Second" }],
        },
        {
          is: "changed",
          of: "settings",
          changesMeaning: true,
          values: [{ path: ["messenger", "isEnabled"], from: true }],
        },
      ],
      changes: [
        { op: "set", of: "group", id: idOf("g0"), path: ["graphCoordinates", "x"], value: 5 },
        { op: "set", of: "group", id: idOf("g0"), path: ["graphCoordinates", "y"], value: 6 },
        { op: "set", of: "block", id: idOf("says First"), path: richText, value: "Second" },
        { op: "set", of: "settings", path: ["messenger", "isEnabled"] },
      ],
    });
  });

  test("comparing equal versions reports no difference", async () => {
    const botId = await makeBot(first);
    await write(botId, second);
    await publishAgain(botId);
    expect((await compare(botId, { from: "2" })).body).toMatchObject({ isSame: true, differences: [] });
    expect((await compare(botId, { from: "2" })).body).not.toHaveProperty("changes");
    const back = await compare(botId, { from: "2", to: "1" });
    expect(back.list("differences").length).toBeGreaterThan(0);
    expect(back.at("from.number")).toBe(2);
  });

  test("comparing versions rejects a missing version and a version of another bot", async () => {
    const [botId, other] = [await makeBot(first), await makeBot(second)];
    const ofTwoBots = await compare(botId, { from: `${other}:1` });
    expect([ofTwoBots.status, ofTwoBots.at("code"), ofTwoBots.at("data.issues.0.path")]).toEqual([
      400,
      "request.invalid",
      "from",
    ]);
    expect(ofTwoBots.text("message")).toContain("`draft` or the number of a publication of this bot");
    expect((await compare(botId, { to: "2" })).at("code")).toBe("publication.not_found");
    expect((await compare(botId, {}, stranger.token)).at("code")).toBe("bot.not_found");
    await api.client.post(`/api/v1/bots/${botId}/unpublish`, { token: owner.token });
    expect((await compare(botId)).at("code")).toBe("bot.not_published");
    expect((await compare(botId, { from: "1" })).status).toBe(200);
  });
});

describe("restoring a version", () => {
  test("restoring a version stores the replaced draft", async () => {
    const botId = await makeBot({ ...first, settings });
    await write(botId, { ...second, events: null });
    const restored = await restore(botId, 1);
    expect(restored.at("replacedNumber")).toBe(2);
    expect(restored.at("bot")).toMatchObject({ ...first, settings, name: "Chat" });
    expect((await api.client.get(`/api/v1/bots/${botId}`, { token: owner.token })).at("bot")).toEqual(
      restored.at("bot"),
    );
    expect((await get(botId, 2)).at("publication")).toMatchObject({
      ...second,
      events: null,
      isDraft: true,
      isCurrent: false,
      publishedBy: owner.userId,
      note: "The draft before version 1 was restored.",
    });
    // Visitors get the same version as before, and the next number is used.
    expect((await listed(botId, 1))["isCurrent"]).toBe(true);
    expect((await publishAgain(botId)).at("number")).toBe(3);
    const undone = await restore(botId, 2);
    expect([undone.at("replacedNumber"), undone.at("bot.events")]).toEqual([3, null]);
  });

  test("restoring a version is refused if the draft was changed after it was read", async () => {
    const botId = await makeBot(first);
    const seen = await updatedAt(botId);
    await write(botId, second);
    const refused = await restore(botId, 1, { updatedAt: seen });
    expect([refused.at("code"), refused.at("data.updatedAt")]).toEqual(["bot.conflict", await updatedAt(botId)]);
    expect((await restore(botId, 1, { updatedAt: await updatedAt(botId) })).status).toBe(200);
  });

  test("the last written draft survives concurrent restores", async () => {
    const botId = await makeBot(first);
    const drafts = Array.from({ length: 6 }, (_, index) => flowOf([says(`Draft ${index}`)]));
    const written: { at: string; groups: unknown }[] = [];
    const answers = await Promise.all(
      drafts.flatMap((draft) => [
        write(botId, draft).then((answer) => {
          written.push({ at: answer.text("bot.updatedAt"), groups: answer.at("bot.groups") });
          return answer;
        }),
        restore(botId, 1),
        publishAgain(botId),
      ]),
    );
    // A writer who lost every race may have given up, and gets `bot.conflict`.
    const given = answers.filter((answer) => answer.status !== 200);
    expect(given.map((answer) => answer.at("code"))).toEqual(given.map(() => "bot.conflict"));
    const list = await api.client.get(`/api/v1/bots/${botId}/publications`, {
      token: owner.token,
      query: { limit: 100 },
    });
    const numbers = list.list("publications").map((_, index) => list.at(`publications.${index}.number`));
    expect(new Set(numbers).size).toBe(numbers.length);
    expect(Math.max(...numbers.map(Number))).toBe(numbers.length);
    const flows = await Promise.all(
      numbers.map(async (number) => (await get(botId, String(number))).at("publication.groups")),
    );
    const kept = new Set([...flows, (await draftOf(botId)).at("bot.groups")].map((groups) => canonicalize(groups)));
    // Check only the last PATCH, because a later PATCH replaces the same fields.
    const last = written.toSorted((a, b) => a.at.localeCompare(b.at)).at(-1);
    expect(kept.has(canonicalize(last?.groups))).toBe(true);
  });

  test("a restore without access or of a missing version changes nothing", async () => {
    const botId = await makeBot(first);
    const seen = await updatedAt(botId);
    expect((await restore(botId, 7)).at("code")).toBe("publication.not_found");
    expect((await restore(botId, 1, {}, stranger.token)).at("code")).toBe("bot.not_found");
    expect(await updatedAt(botId)).toBe(seen);
  });
});

describe("a chat on one version", () => {
  test("a chat can be started on a given version of an unpublished bot", async () => {
    const { botId, publicId } = await publish(api.client, { token: owner.token, workspaceId }, first);
    await write(botId, second);
    await publishAgain(botId);
    await api.client.post(`/api/v1/bots/${botId}/unpublish`, { token: owner.token });
    await api.client.patch(`/api/v1/bots/${botId}`, { token: owner.token, body: { bot: { isClosed: true } } });

    const started = await startVersion(botId, 1);
    expect(started.at("messages.*.content.plainText")).toEqual(["First"]);
    expect((await start(api.client, publicId)).at("code")).toBe("bot.not_found");
    expect((await say(api.client, started.text("sessionId"), "Hello")).status).toBe(200);
    const result = await api.client.get(`/api/v1/bots/${botId}/results/${started.text("resultId")}`, {
      token: owner.token,
    });
    expect(result.at("result")).toMatchObject({ hasStarted: true, isCompleted: true });
    expect((await startVersion(botId, 2)).at("messages.*.content.plainText")).toEqual(["Second"]);
  });

  test("a chat on one version is started once per idempotency key", async () => {
    const botId = await makeBot(first);
    const headers = { "idempotency-key": "one-start-of-one-version" };
    const [one, again] = [await startVersion(botId, 1, { headers }), await startVersion(botId, 1, { headers })];
    expect(again.body).toEqual(one.body);
    await publishAgain(botId);
    expect((await startVersion(botId, 2, { headers })).at("code")).toBe("idempotency.key_reused");
  });

  test("a chat on a missing version or in a suspended workspace is refused", async () => {
    const botId = await makeBot(first);
    expect((await startVersion(botId, 2)).at("code")).toBe("publication.not_found");
    expect((await startVersion(botId, 1, { token: stranger.token })).at("code")).toBe("bot.not_found");
    await api.deps.sql`update workspaces set is_suspended = true where id = ${workspaceId}`;
    expect((await startVersion(botId, 1)).at("code")).toBe("workspace.suspended");
    await api.deps.sql`update workspaces set is_suspended = false where id = ${workspaceId}`;
  });
});

async function makeBot(flow: object): Promise<string> {
  return (await publish(api.client, { token: owner.token, workspaceId }, flow)).botId;
}

function draftOf(botId: string) {
  return api.client.get(`/api/v1/bots/${botId}`, { token: owner.token });
}

async function updatedAt(botId: string): Promise<string> {
  return (await draftOf(botId)).text("bot.updatedAt");
}

function write(botId: string, bot: object) {
  return api.client.patch(`/api/v1/bots/${botId}`, { token: owner.token, body: { bot } });
}

function publishAgain(botId: string) {
  return api.client.post(`/api/v1/bots/${botId}/publish`, { token: owner.token, body: { force: true } });
}

function get(botId: string, number: number | string, query: Record<string, boolean> = {}, token = owner.token) {
  return api.client.get(`/api/v1/bots/${botId}/publications/${number}`, { token, query });
}

async function listed(botId: string, number = 1): Promise<Record<string, unknown>> {
  const list = await api.client.get(`/api/v1/bots/${botId}/publications`, { token: owner.token });
  return Object(list.list("publications").find((_, index) => list.at(`publications.${index}.number`) === number));
}

function compare(botId: string, query: Record<string, string | boolean> = {}, token = owner.token) {
  return api.client.get(`/api/v1/bots/${botId}/compare`, { token, query });
}

function restore(botId: string, number: number, body: object = {}, token = owner.token) {
  return api.client.post(`/api/v1/bots/${botId}/publications/${number}/restore`, { token, body });
}

function startVersion(
  botId: string,
  number: number,
  { token = owner.token, headers = {} }: { token?: string; headers?: Record<string, string> } = {},
) {
  return api.client.post(`/api/v1/bots/${botId}/publications/${number}/startChat`, { token, headers, body: {} });
}
