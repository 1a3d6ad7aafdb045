import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createTestApi, type TestApi, type TestUser } from "../../../support/api.ts";
import { idOf } from "../../../support/builder-ids.ts";

let api: TestApi;
let owner: TestUser;
let stranger: TestUser;
let workspaceId: string;

const flow = {
  events: [{ id: "e", type: "start", graphCoordinates: { x: 0, y: 0 }, outgoingEdgeId: "ed" }],
  groups: [{ id: "g", title: "G", graphCoordinates: { x: 1, y: 2 }, blocks: [{ id: "b", type: "text", content: {} }] }],
  edges: [{ id: "ed", from: { eventId: "e" }, to: { groupId: "g" } }],
  variables: [{ id: idOf("v"), name: "V" }],
  theme: { customCss: "a {}" },
  settings: { messenger: { isEnabled: true }, security: { allowedOrigins: ["https://a.example"] } },
};

beforeAll(async () => {
  api = await createTestApi();
  owner = await api.makeUser();
  stranger = await api.makeUser();
  workspaceId = await api.makeWorkspace(owner);
});
afterAll(() => api.close());

describe("publishing", () => {
  test("the first publication derives the public id from the bot's name", async () => {
    const botId = await makeBot({ ...flow, name: "Déjà vu & Söhne!" });
    const published = await publish(botId);
    expect(published.body).toEqual({
      message: "success",
      publishedBot: { id: expect.stringMatching(/^[0-9a-z]{26}$/), version: "6", updatedAt: expect.any(String) },
      number: 1,
      publicId: expect.stringMatching(/^deja-vu-sohne-[0-9a-z]{7}$/),
      updatedAt: expect.any(String),
      warnings: [],
    });
    const bot = await get(botId);
    expect([bot.at("bot.publicId"), bot.at("bot.updatedAt")]).toEqual([
      published.at("publicId"),
      published.at("updatedAt"),
    ]);
    const copy = await api.client.get(`/api/v1/bots/${botId}/publishedBot`, { token: owner.token });
    expect(copy.body).toEqual({
      publishedBot: {
        id: published.at("publishedBot.id"),
        version: "6",
        createdAt: published.at("publishedBot.updatedAt"),
        updatedAt: published.at("publishedBot.updatedAt"),
        botId,
        ...flow,
      },
      version: "3",
    });
  });

  test("publishing generates a valid public id for a non-Latin or a very long name", async () => {
    const published = await publish(await makeBot({ name: "你好 ☂" }));
    expect(published.text("publicId")).toMatch(/^[0-9a-z]{7}$/);
    const long = await publish(await makeBot({ name: "n".repeat(255) }));
    expect(long.text("publicId")).toHaveLength(255);
  });

  test("publishing keeps the bot's own public id", async () => {
    const botId = await makeBot({ publicId: "own-id" });
    const before = await get(botId);
    const published = await publish(botId);
    expect([published.at("publicId"), published.at("updatedAt")]).toEqual(["own-id", before.at("bot.updatedAt")]);
    expect((await get(botId)).at("bot")).toEqual({ ...Object(before.at("bot")), publicationNumber: 1 });
  });

  test("the published copy changes only when the flow is published again", async () => {
    const botId = await makeBot(flow);
    await publish(botId);
    await api.client.patch(`/api/v1/bots/${botId}`, { token: owner.token, body: { bot: { variables: [] } } });
    expect((await publishedBot(botId)).at("publishedBot.variables")).toEqual(flow.variables);
    await publish(botId);
    expect((await publishedBot(botId)).at("publishedBot.variables")).toEqual([]);
  });

  test("publishing an unchanged flow again stores no second copy", async () => {
    const botId = await makeBot({ theme: { a: 1, b: 2 } });
    await publish(botId);
    await api.client.patch(`/api/v1/bots/${botId}`, { token: owner.token, body: { bot: { theme: { b: 2, a: 1 } } } });
    await publish(botId);
    expect(await countFlows(botId)).toBe(1);
    const history = await publications(botId);
    expect(history.at("publications.0.hash")).toBe(history.at("publications.1.hash"));
  });

  test("publishing stores the facts that are needed to start a chat", async () => {
    const botId = await makeBot(flow);
    await publish(botId);
    const [row] = await api.deps.sql`select facts from flows where bot_id = ${botId}`;
    expect(row).toEqual({
      facts: {
        allowedOrigins: ["https://a.example"],
        remembersUser: false,
        rememberStorage: "session",
        lifetimeMinutes: 1440,
        closedMessage: null,
        isAuthorCodeDisabled: false,
        bringsCode: false,
      },
    });
  });

  test("publishing stores the settings under the names of the exchange format", async () => {
    const botId = await makeBot(flow);
    await publish(botId);
    const [row] = await api.deps
      .sql`select content -> 'settings' -> 'whatsApp' as section from flows where bot_id = ${botId}`;
    expect(row).toEqual({ section: { isEnabled: true } });
  });

  test("concurrent publications get consecutive numbers and one public id", async () => {
    const botId = await makeBot(flow);
    const answers = await Promise.all(Array.from({ length: 6 }, () => publish(botId)));
    expect(answers.map((answer) => answer.at("number")).sort()).toEqual([1, 2, 3, 4, 5, 6]);
    expect(new Set(answers.map((answer) => answer.at("publicId"))).size).toBe(1);
    const history = await publications(botId);
    expect(history.list("publications")).toHaveLength(6);
    expect(history.at("publications.0.isCurrent")).toBe(true);
  });

  test("publishing warns about edges that lead to a missing group", async () => {
    const edges = [...flow.edges, { id: "gone", from: { blockId: "b" }, to: { groupId: "gone" } }];
    const published = await publish(await makeBot({ ...flow, edges }));
    expect(published.at("warnings")).toEqual([
      {
        rule: "unknown_target",
        severity: "info",
        path: "edges[1]",
        edgeId: "gone",
        message: "The edge leads to a group that does not exist.",
        isFixable: true,
        advice: "Connect the edge to an existing group, or remove it.",
        help: "docs/lint.md#unknown_target",
      },
    ]);
  });

  test("publishing warns about unknown keys and values", async () => {
    const events = [
      ...flow.events,
      { id: "command", type: "command", options: { command: "help", speed: 1 }, outgoingEdgeId: "ed" },
    ];
    const theme = {
      gloom: {},
      general: { font: { type: "Letters", family: "Lato", weight: 3 }, background: null, gone: null },
      chat: { hostBubbles: { shadow: "huge", color: "#000000" }, roundness: "large" },
    };
    const settings = {
      general: { isBrandingEnabled: false, colour: "red" },
      messenger: { startCondition: { comparisons: [{ id: "c", value: "x" }] }, webhookForwardingEventTypes: [1] },
    };
    const published = await publish(await makeBot({ ...flow, events, theme, settings }));
    const unknown = (rule: string, path: string) => expect.objectContaining({ rule, path });
    expect(published.at("warnings")).toEqual([
      unknown("unknown_word", "theme.general.font.type"),
      unknown("unknown_word", "theme.chat.hostBubbles.shadow"),
      unknown("unknown_key", "theme.gloom"),
      unknown("unknown_key", "theme.general.font.weight"),
      unknown("unknown_key", "settings.general.colour"),
      unknown("unknown_key", "events[1].options.speed"),
    ]);
  });

  test("publishing warns about colours with a low contrast", async () => {
    const theme = { chat: { buttons: { backgroundColor: "#ff5924", color: "#ffffff" } } };
    const published = await publish(await makeBot({ ...flow, theme }));
    expect(published.at("warnings")).toEqual([
      {
        rule: "low_contrast",
        severity: "warning",
        advice: "Choose a darker or a lighter colour.",
        help: "docs/lint.md#low_contrast",
        path: "theme.chat.buttons.color",
        message: "#ffffff on #ff5924 has a contrast of 3.1:1. Text needs 4.5:1 to be legible for everybody.",
      },
    ]);
  });

  test("publishing warns about a low contrast in a dark theme", async () => {
    const dark = { chat: { buttons: { backgroundColor: "#ff5924", color: "#ffffff" } } };
    const published = await publish(await makeBot({ ...flow, theme: { dark } }));
    expect(published.at("warnings")).toEqual([
      expect.objectContaining({ rule: "low_contrast", path: "theme.dark.chat.buttons.color" }),
    ]);
  });
});

test("a flow whose chats always break off is published with a warning", async () => {
  const [group] = flow.groups;
  const lost = { id: "l", type: "text", outgoingEdgeId: "gone" };
  const unknown = { id: "h", type: "hologram" };
  const botId = await makeBot({ ...flow, groups: [{ ...group, blocks: [unknown, lost] }] });
  const published = await publish(botId, owner.token, {});
  expect(published.status).toBe(200);
  expect([0, 1, 2].map((index) => published.at(`warnings.${index}.rule`))).toEqual([
    ...["always_breaks_off", "unknown_edge", "unknown_block_type"],
  ]);
  expect((await publications(botId)).at("publications.0.overruledRules")).toEqual([]);
});

describe("a flow that cannot start a chat", () => {
  const broken = { ...flow, groups: [] };

  test("publishing a flow that cannot start a chat is refused with the reasons", async () => {
    const botId = await makeBot(broken);
    const refused = await publish(botId, owner.token, {});
    expect([refused.status, refused.at("code")]).toEqual([422, "flow.broken"]);
    expect(refused.at("data.findings.0")).toMatchObject({ rule: "empty_bot", severity: "error", path: "events" });
    expect((await publications(botId)).list("publications")).toEqual([]);
  });

  test("a flow that cannot start a chat can be published with `force`", async () => {
    const botId = await makeBot(broken);
    const forced = await publish(botId, owner.token, { force: true });
    expect(forced.at("warnings.0.rule")).toBe("empty_bot");
    await republish(botId, 1);
    await api.client.patch(`/api/v1/bots/${botId}`, { token: owner.token, body: { bot: flow } });
    await publish(botId, owner.token, { force: true });
    const history = await publications(botId);
    expect(history.list("publications").map((_, index) => history.at(`publications.${index}.overruledRules`))).toEqual([
      [],
      ["empty_bot"],
      ["empty_bot"],
    ]);
  });

  test("`/typebots` publishes a flow that cannot start a chat with a warning", async () => {
    const botId = await makeBot(broken);
    const published = await api.client.post(`/api/v1/typebots/${botId}/publish`, { token: owner.token });
    expect([published.status, published.at("warnings.0.rule")]).toEqual([200, "empty_bot"]);
    expect((await publications(botId)).at("publications.0.overruledRules")).toEqual(["empty_bot"]);
  });
});

describe("the published copy", () => {
  test("the published copy is null while nothing is published", async () => {
    expect((await publishedBot(await makeBot({}))).body).toEqual({ publishedBot: null, version: "3" });
  });

  test("the published copy is converted to the latest format version on request", async () => {
    const botId = await makeBot({
      version: "5",
      groups: [
        {
          id: "g",
          blocks: [
            { id: "s", type: "start" },
            { id: "t", type: "text" },
          ],
        },
      ],
    });
    await publish(botId);
    expect((await publishedBot(botId)).at("publishedBot.events")).toBeNull();
    const converted = await publishedBot(botId, { query: { migrateToLatestVersion: true } });
    expect([
      converted.at("publishedBot.version"),
      converted.at("publishedBot.events.0.id"),
      converted.at("version"),
    ]).toEqual(["6.1", "g", "3"]);
  });

  test("converting a published copy fails if its flow has no start", async () => {
    const botId = await makeBot({ version: "4", events: [] });
    await publish(botId);
    expect((await publishedBot(botId, { query: { migrateToLatestVersion: true } })).at("code")).toBe("flow.no_start");
  });

  test("the published copy of a shared bot hides security settings", async () => {
    const botId = await makeBot({ ...flow, settings: { ...flow.settings, publicShare: { isEnabled: true } } });
    await publish(botId);
    expect((await publishedBot(botId, { token: stranger.token })).at("publishedBot.settings")).toEqual({
      messenger: { isEnabled: true },
      publicShare: { isEnabled: true },
    });
    expect((await publishedBot(await makeBot({}), { token: stranger.token })).at("code")).toBe("bot.not_found");
  });
});

describe("unpublishing", () => {
  test("unpublishing removes the published copy and keeps the history", async () => {
    const botId = await makeBot(flow);
    const { publicId } = { publicId: (await publish(botId)).at("publicId") };
    expect((await unpublish(botId)).body).toEqual({ message: "success" });
    expect((await publishedBot(botId)).at("publishedBot")).toBeNull();
    expect((await publications(botId)).at("publications.0.isCurrent")).toBe(false);
    expect((await get(botId)).at("bot.publicId")).toBe(publicId);
    expect((await publish(botId)).at("number")).toBe(2);
  });

  test("unpublishing is refused if nothing is published", async () => {
    const botId = await makeBot({});
    expect((await unpublish(botId)).at("code")).toBe("bot.not_published");
    await publish(botId);
    expect((await unpublish(botId, stranger.token)).at("code")).toBe("bot.not_found");
    expect((await publishedBot(botId)).at("publishedBot")).not.toBeNull();
  });
});

describe("the history of publications", () => {
  test("the history of publications is listed newest first", async () => {
    const botId = await makeBot({});
    for (const note of ["one", "two", "three"]) await publish(botId, owner.token, { note, force: true });
    const first = await publications(botId, { limit: 2 });
    expect(first.at("publications.0")).toEqual({
      id: expect.any(String),
      number: 3,
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      note: "three",
      overruledRules: ["empty_bot"],
      publishedBy: owner.userId,
      publishedByName: "Somebody",
      isCurrent: true,
      isCanary: false,
      isDraft: false,
      isOnlyCanary: false,
      figures: { views: 0, starts: 0, completions: 0 },
      createdAt: expect.any(String),
    });
    const second = await publications(botId, { limit: 2, cursor: first.text("nextCursor") });
    expect(second.at("publications")).toMatchObject([{ number: 1, note: "one", isCurrent: false }]);
    expect(second.body).not.toHaveProperty("nextCursor");
  });

  test("the history of publications has no cursor on a full last page", async () => {
    const botId = await makeBot({});
    for (const note of ["one", "two"]) await publish(botId, owner.token, { note, force: true });

    const page = await publications(botId, { limit: 2 });
    expect(page.at("publications.*.number")).toEqual([2, 1]);
    expect(page.body).not.toHaveProperty("nextCursor");
  });

  test("the history of publications rejects an invalid cursor", async () => {
    const botId = await makeBot({});
    expect((await publications(botId, { cursor: "0" })).at("code")).toBe("cursor.invalid");
    expect((await publications(botId, {}, stranger.token)).at("code")).toBe("bot.not_found");
  });
});

describe("publishing an earlier publication again", () => {
  test("publishing an earlier publication again creates a new publication", async () => {
    const botId = await makeBot({ ...flow, version: "6.1" });
    await publish(botId);
    await api.client.patch(`/api/v1/bots/${botId}`, { token: owner.token, body: { bot: { variables: [] } } });
    await publish(botId);
    const again = await republish(botId, 1, { note: "back" });
    expect(again.body).toMatchObject({ message: "success", number: 3, publishedBot: { version: "6.1" } });
    expect((await publishedBot(botId)).at("publishedBot")).toMatchObject({
      id: again.at("publishedBot.id"),
      variables: flow.variables,
    });
    expect((await get(botId)).at("bot.variables")).toEqual([]);
    expect((await publications(botId)).at("publications.0")).toMatchObject({
      number: 3,
      note: "back",
      isCurrent: true,
    });
  });

  test("publishing again assigns a new public id to a bot without one", async () => {
    const botId = await makeBot({ name: "Lost" });
    await publish(botId);
    await api.client.patch(`/api/v1/bots/${botId}`, { token: owner.token, body: { bot: { publicId: null } } });
    expect((await republish(botId, 1)).text("publicId")).toMatch(/^lost-[0-9a-z]{7}$/);
  });

  test("publishing again is refused for a missing publication", async () => {
    const botId = await makeBot({});
    await publish(botId);
    expect((await republish(botId, 2)).at("code")).toBe("publication.not_found");
    expect((await republish(botId, "x")).at("code")).toBe("publication.not_found");
    expect((await republish(botId, 1, {}, stranger.token)).at("code")).toBe("bot.not_found");
    expect((await publications(botId)).list("publications")).toHaveLength(1);
  });
});

async function makeBot(bot: Record<string, unknown>): Promise<string> {
  return (await api.client.post("/api/v1/bots", { token: owner.token, body: { workspaceId, bot } })).text("bot.id");
}

function get(botId: string) {
  return api.client.get(`/api/v1/bots/${botId}`, { token: owner.token });
}

function publish(botId: string, token = owner.token, body: Record<string, unknown> = { force: true }) {
  return api.client.post(`/api/v1/bots/${botId}/publish`, { token, body });
}

function republish(botId: string, number: number | string, body: Record<string, unknown> = {}, token = owner.token) {
  return api.client.post(`/api/v1/bots/${botId}/publications/${number}/publish`, { token, body });
}

function unpublish(botId: string, token = owner.token) {
  return api.client.post(`/api/v1/bots/${botId}/unpublish`, { token });
}

function publications(botId: string, query: Record<string, string | number> = {}, token = owner.token) {
  return api.client.get(`/api/v1/bots/${botId}/publications`, { token, query });
}

function publishedBot(
  botId: string,
  { token = owner.token, query = {} }: { token?: string; query?: Record<string, boolean> } = {},
) {
  return api.client.get(`/api/v1/bots/${botId}/publishedBot`, { token, query });
}

async function countFlows(botId: string): Promise<number> {
  const [row] = await api.deps.sql<
    { count: number }[]
  >`select count(*)::int as count from flows where bot_id = ${botId}`;
  return row?.count ?? 0;
}
