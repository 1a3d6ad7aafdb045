import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { createTestApi, type TestApi, type TestUser } from "../../../support/api.ts";
import { idOf } from "../../../support/builder-ids.ts";
import { asks, flowOf, say, says, start } from "../../../support/chat.ts";
import { fortyCalls } from "../../../support/forty-calls.ts";
import { createThreads } from "../../../support/threads.ts";

const threads = createThreads({ count: 1 });
let api: TestApi;
let owner: TestUser;
let workspaceId: string;

beforeAll(async () => {
  api = await createTestApi({ threads });
  owner = await api.makeUser();
  workspaceId = await api.makeWorkspace(owner);
});
afterAll(async () => {
  await threads.close();
  await api.close();
});

function copied() {
  const flow = flowOf([says("One?", "says"), asks("text input", {}, { id: "asks", outgoingEdgeId: "on" })]);
  const [first] = flow.groups;
  const second = { ...first, title: "Copy", blocks: [says("Two?", "says"), asks("text input", {}, { id: "asks" })] };
  const from = { blockId: "asks" };
  const on = [
    { id: "on", from, to: { groupId: first?.id, blockId: "says" } },
    { id: "on", from, to: { groupId: first?.id, blockId: "asks" } },
  ];
  return { ...flow, name: "Copied", groups: [first, second], edges: [...flow.edges, ...on] };
}

describe("a file with repeated ids", () => {
  test("a file with repeated ids is imported only if a repair is requested", async () => {
    for (const path of ["bots", "bots/import", "bots/import/check"]) {
      const refused = await post(path, { workspaceId, bot: copied() });
      expect([refused.status, refused.at("code")]).toEqual([400, "request.invalid"]);
    }
    expect((await post("bots", { workspaceId, bot: copied(), repair: true })).status).toBe(400);
    const repaired = await post("bots/import", { workspaceId, bot: copied(), repair: true });
    const checked = await post("bots/import/check", { workspaceId, bot: copied(), repair: true });
    expect([repaired.status, checked.status]).toEqual([200, 200]);
    expect(checked.at("report")).toEqual(repaired.at("report"));
    expect(repaired.list("report.repairs")).toHaveLength(4);
    expect(repaired.at("report.repairs.1")).toEqual({
      ...{ kind: "block", was: "says", id: "says-2", groupTitle: "Copy", blockName: "Text" },
    });
  });

  test("a repaired file with repeated ids becomes a bot that runs", async () => {
    const made = await post("typebots/import", { workspaceId, typebot: copied(), repair: true });
    const botId = made.text("typebot.id");
    const published = await post(`bots/${botId}/publish`, { force: true });
    const started = await start(api.client, published.text("publicId"));
    const next = await say(api.client, started.text("sessionId"), "Hello");
    expect(JSON.stringify(started.at("messages"))).toContain("One?");
    expect(JSON.stringify(next.at("messages"))).toContain("One?");
  });

  test("a second import of a file with repeated ids keeps the bot's ids", async () => {
    const made = await post("bots/import", { workspaceId, bot: copied(), repair: true });
    const botId = made.text("bot.id");
    const again = await post(`bots/${botId}/import`, { bot: copied(), repair: true });
    expect(again.at("bot.groups")).toEqual(made.at("bot.groups"));
    const turned = { ...copied(), groups: copied().groups.toReversed() };
    const changed = await post(`bots/${botId}/import`, { bot: turned, repair: true });
    expect(changed.list("bot.groups").toReversed()).toEqual([...made.list("bot.groups")]);
  });

  test("a large file with repeated ids is repaired like a small file", async () => {
    const bot = { ...copied(), theme: { unknown: "x".repeat(600_000) } };
    const made = await post("bots/import", { workspaceId, bot, repair: true });
    expect(made.list("report.repairs")).toHaveLength(4);
    expect((await post("bots/import", { workspaceId, bot })).status).toBe(400);
    const broken = {
      ...bot,
      variables: [
        { id: idOf("v"), name: "A" },
        { id: idOf("v"), name: "B" },
      ],
    };
    const refused = await post("bots/import", { workspaceId, bot: broken, repair: true });
    expect(refused.text("message")).toStartWith('Variable "B": id must not occur twice. Correct it in the file');
    expect(refused.at("data.issues.0")).toEqual({
      path: "bot.variables[1].id",
      message: "must not occur twice",
      place: 'Variable "B"',
    });
  });
});

function faulty(version: string, seed: number): Record<string, unknown> {
  const isOld = Number(version) < 6;
  const at = { x: seed, y: -1.5 };
  const items = [
    { id: "yes", content: "Yes", outgoingEdgeId: "go" },
    { id: seed % 2 === 0 ? "yes" : "no", content: "No", mine: [seed, null] },
  ];
  const choice = { id: "asks", type: "choice input", items, options: { isAdvancedConfig: true } };
  const groups = [
    { id: "one", title: "One", graphCoordinates: at, blocks: [says("One?", "says"), choice] },
    { id: seed % 3 === 0 ? "one" : "two", title: "Two", graphCoordinates: at, blocks: [says("Two", "says")] },
    { id: "three", title: "Three", graphCoordinates: at, blocks: [says("Three", seed % 2 === 0 ? "third" : "says")] },
  ];
  const start = { id: "start", type: "start", label: "Start", outgoingEdgeId: "first" };
  const edges = [
    { id: "first", from: isOld ? { groupId: "sg", blockId: "start" } : { eventId: "start" }, to: { groupId: "one" } },
    { id: "go", from: { blockId: "asks", itemId: "yes" }, to: { groupId: "three" } },
    { id: seed % 3 === 0 ? "odd" : "go", from: { blockId: "gone" }, to: { groupId: "two" } },
  ];
  return {
    ...{ version, id: "theirs", name: `Faulty ${seed}`, icon: seed % 2 === 0 ? null : "🦉", folderId: "elsewhere" },
    events: isOld ? null : [{ id: "start", type: "start", graphCoordinates: at, outgoingEdgeId: "first" }],
    groups: isOld ? [{ id: "sg", title: "Start", graphCoordinates: at, blocks: [start] }, ...groups] : groups,
    ...{ edges, variables: [{ id: idOf("v"), name: "V", isSessionVariable: true, value: null }] },
    ...{ theme: { general: { font: "Lora" }, seed }, selectedThemeTemplateId: null, resultsTablePreferences: null },
    settings: { metadata: { googleTagManagerId: "GTM-1" }, whatsApp: { isEnabled: false }, own: { seed } },
    ...{ spaceId: null, workspaceId: "clx1", publicId: "their-id", customDomain: null, whatsAppCredentialsId: "w" },
    ...{ isArchived: false, isClosed: seed % 2 === 0, riskLevel: seed, future: { deep: [seed, { "": null }] } },
  };
}

const ownOfBots = ["id", "createdAt", "updatedAt"];
const converted = ["version", "events", "groups", "edges"];

function without(file: unknown, keys: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(Object(file)).filter(([key]) => !keys.includes(key)));
}

function nameless(part: unknown): unknown {
  const names = ["id", "groupId", "blockId", "itemId", "outgoingEdgeId", "eventId"];
  return JSON.parse(JSON.stringify(part, (key, value: unknown) => (names.includes(key) ? undefined : value)));
}

describe("an export", () => {
  const versions = ["3", "4", "5", "6", "6.1"];
  const made = versions.flatMap((version) => [0, 3].map((seed): [string, number] => [version, seed]));

  test.each(made)(
    "an export of a repaired file of version %s (seed %i) differs only by the repairs, and the bot's chat runs",
    async (version, seed) => {
      const file = faulty(version, seed);
      const imported = await post("typebots/import", { workspaceId, typebot: file, repair: true });
      const botId = imported.text("typebot.id");
      expect(imported.list("report.repairs").length).toBeGreaterThanOrEqual(2);
      const exported = await get(`typebots/${botId}/export`);

      expect(without(exported.body, [...ownOfBots, ...converted])).toEqual(without(file, [...ownOfBots, ...converted]));
      const groups: unknown = file["groups"];
      const kept = Array.isArray(groups) && Number(version) < 6 ? groups.slice(1) : groups;
      expect(nameless(exported.at("groups"))).toEqual(nameless(kept));
      expect(exported.list("edges")).toHaveLength(3);
      const again = await post("typebots/import", { workspaceId, typebot: exported.body });
      const second = await get(`typebots/${again.text("typebot.id")}/export`);
      expect(without(second.body, ownOfBots)).toEqual(without(exported.body, ownOfBots));

      const { publicId } = Object((await post(`bots/${botId}/publish`, { force: true })).body);
      const started = await start(api.client, publicId);
      const next = await say(api.client, started.text("sessionId"), "Yes");
      expect([started, next].map((answer) => JSON.stringify(answer.at("messages")))).toEqual([
        expect.stringContaining("One?"),
        expect.stringContaining("Three"),
      ]);
    },
  );

  test("an export contains all keys of the imported file", async () => {
    const keys = fc
      .string({ unit: "grapheme", minLength: 1, maxLength: 20 })
      .filter((key) => !Object.hasOwn(flowOf(), key));
    const values = fc.jsonValue({ maxDepth: 3 }).map((value): unknown => JSON.parse(JSON.stringify(value)));
    const extras = fc.dictionary(keys, values, { maxKeys: 6 }).map((extra) => without(extra, named));
    await fc.assert(
      fc.asyncProperty(extras, fc.dictionary(keys, values, { maxKeys: 4 }), async (extra, theme) => {
        const file = {
          ...flowOf([says("Hi"), asks("text input", { mine: extra })]),
          ...extra,
          name: "Any",
          theme: { mine: theme },
          settings: { mine: theme },
        };
        const botId = (await post("bots/import", { workspaceId, bot: file })).text("bot.id");
        const exported = Object((await get(`bots/${botId}/export`)).body);
        for (const [key, value] of Object.entries(file)) expect([key, exported[key]]).toEqual([key, value]);
      }),
      { numRuns: 25 },
    );
  });

  test("an unknown top-level key appears only in exports", async () => {
    const plain = { ...flowOf([says("Hi")]), name: "Plain" };
    const [one, other] = [
      (await post("bots/import", { workspaceId, bot: { ...plain, spaceId: "secret-space" } })).text("bot.id"),
      (await post("bots/import", { workspaceId, bot: plain })).text("bot.id"),
    ];
    for (const botId of [one, other]) await post(`bots/${botId}/publish`, { force: true });
    const flows = await api.deps.sql<
      { hash: Uint8Array }[]
    >`select hash from flows where bot_id = any(${[one, other]}::uuid[])`;
    expect(new Set(flows.map(({ hash }) => Buffer.from(hash).toString("hex"))).size).toBe(1);
    for (const path of [
      `bots/${one}`,
      `bots/${one}/publishedBot`,
      `bots?workspaceId=${workspaceId}`,
      `bots/${one}/publications/1`,
    ])
      expect(JSON.stringify((await get(path)).body)).not.toContain("secret-space");
    await api.client.patch(`/api/v1/bots/${one}`, {
      token: owner.token,
      body: { bot: { name: "Renamed", groups: [] } },
    });
    const copy = (await post(`bots/${one}/duplicate`, {})).text("bot.id");
    for (const botId of [one, copy]) expect((await get(`bots/${botId}/export`)).at("spaceId")).toBe("secret-space");
    await post(`bots/${one}/import`, { bot: { ...plain, spaceId: "another" } });
    expect((await get(`bots/${one}/export`)).at("spaceId")).toBe("another");
    await post(`bots/${one}/import`, { bot: plain });
    expect((await get(`bots/${one}/export`)).at("spaceId")).toBeUndefined();
  });

  test("an export omits unknown keys beyond 8 kB in total", async () => {
    const file = { ...flowOf([says("Hi")]), name: "Large", a: "x".repeat(5_000), b: "x".repeat(5_000), c: 1 };
    const imported = await post("bots/import", { workspaceId, bot: file });
    expect(imported.at("report.lostKeys")).toEqual(["b"]);
    expect(imported.at("report.different.0")).toMatchObject({
      kind: "lost_key",
      message: "1 key of the file is too large to keep: b.",
    });
    const exported = await get(`bots/${imported.text("bot.id")}/export`);
    expect([exported.at("a"), exported.at("b"), exported.at("c")]).toEqual([file.a, undefined, 1]);
  });
});

/** Keys that have a meaning in a request. */
const named = [
  "version",
  "id",
  "name",
  "icon",
  "folderId",
  "createdAt",
  "updatedAt",
  "editor",
  "resultsTablePreferences",
  "selectedThemeTemplateId",
  "publicId",
  "customDomain",
  "messengerCredentialsId",
];

describe("the import report", () => {
  test("an import report on 40 old HTTP blocks has at most six lines", async () => {
    const flow = fortyCalls();
    const { at } = await post("bots/import/check", { workspaceId, bot: flow, repair: true });

    const lines = ["willNotWork", "toEnter", "different"].map((part) => Object(at(`report.${part}`)));
    expect(lines.flat().length).toBeLessThanOrEqual(6);
    expect(at("report.willNotWork")).toEqual([
      {
        kind: "unknown_type",
        message: "1 block has a type that Parley does not support, and is skipped: Telepathy.",
        count: 1,
        names: ["Telepathy"],
        places: [{ groupId: flow.groups[0]?.id, blockId: "odd", groupTitle: "Group 0", blockName: "Telepathy" }],
      },
    ]);
    expect(at("report.toEnter.0")).toMatchObject({
      kind: "address",
      count: 40,
      message: "40 blocks have no URL to call, and have no effect until you enter one: HTTP request.",
    });
    expect(at("report.different")).toMatchObject([{ kind: "unknown_key", count: 2 }]);
  });
});

function get(path: string) {
  return api.client.get(`/api/v1/${path}`, { token: owner.token });
}

function post(path: string, body: object) {
  return api.client.post(`/api/v1/${path}`, { token: owner.token, body });
}
