import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { limits } from "../../../src/limits/index.ts";
import { newId } from "../../../src/platform/ids.ts";
import { createTestApi, type TestApi, type TestUser } from "../../support/api.ts";
import { idOf } from "../../support/builder-ids.ts";

let api: TestApi;
let owner: TestUser;
let stranger: TestUser;
let workspaceId: string;

beforeAll(async () => {
  api = await createTestApi();
  owner = await api.makeUser();
  stranger = await api.makeUser();
  workspaceId = await api.makeWorkspace(owner);
});
afterAll(() => api.close());

describe("creating a bot", () => {
  test("a new bot without fields has every documented key and a start event", async () => {
    const { body, ...answer } = await makeBot({});
    expect(body).toEqual({
      bot: {
        version: "6",
        id: expect.stringMatching(/^[0-9a-z]{26}$/),
        name: "My bot",
        events: [{ id: expect.stringMatching(/^[0-9a-z]{26}$/), type: "start", graphCoordinates: { x: 0, y: 0 } }],
        groups: [],
        edges: [],
        variables: [],
        theme: {},
        selectedThemeTemplateId: null,
        settings: {},
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        updatedAt: answer.at("bot.createdAt"),
        icon: null,
        folderId: null,
        publicId: null,
        customDomain: null,
        workspaceId,
        resultsTablePreferences: null,
        isArchived: false,
        isClosed: false,
        messengerCredentialsId: null,
        riskLevel: null,
        publicationNumber: null,
        revision: 0,
        editor: null,
      },
    });
  });

  test("POST /bots stores every field that is sent", async () => {
    const folderId = await makeFolder(workspaceId);
    const fields = {
      version: "6.1",
      name: "Everything",
      icon: "🎈",
      selectedThemeTemplateId: "template",
      events: [{ id: "e", type: "start", graphCoordinates: { x: 1.5, y: -2 }, outgoingEdgeId: "ed" }],
      groups: [
        {
          id: "g",
          title: "G",
          graphCoordinates: { x: 0, y: 0 },
          blocks: [{ id: "b", type: "text", content: { html: "<b>", plainText: "b" } }],
        },
      ],
      edges: [{ id: "ed", from: { eventId: "e" }, to: { groupId: "g", blockId: "b" } }],
      variables: [{ id: idOf("v"), name: "V", value: "1", isSessionVariable: true }],
      theme: { general: { font: "Lora", background: { type: "Color", content: "#fff" } }, mine: { a: [] } },
      settings: {
        messenger: { isEnabled: true, sessionExpiryTimeout: 0.5 },
        metadata: { tagManagerId: "GTM-1", x: 1 },
      },
      folderId,
      resultsTablePreferences: { columnsOrder: ["a"], columnsVisibility: { a: false }, columnsWidth: { a: 120.5 } },
      publicId: "Every-Thing.1",
      customDomain: "chat.example.com/every-thing",
    };
    const { bot } = botOf(await makeBot(fields));
    expect(bot).toMatchObject(fields);
    expect(JSON.stringify(bot["settings"])).toBe(JSON.stringify(fields.settings));
  });

  test.each(["lead-generation", "nps", "customer-support", "quiz", "legacy"])(
    "POST /bots stores the flow %s unchanged",
    async (name) => {
      const { folderId: _, whatsAppCredentialsId: __, ...file } = await readFlow(name);
      const made = await makeBot(file);
      const got = await get(made.text("bot.id"));
      for (const key of ["version", "events", "groups", "edges", "variables", "theme"]) {
        expect(JSON.stringify(got.at(`bot.${key}`))).toBe(JSON.stringify(file[key]));
      }
      const [row] = await api.deps.sql`select settings::text, theme::text from bots where id = ${made.text("bot.id")}`;
      expect(row).toEqual({ settings: JSON.stringify(file["settings"]), theme: JSON.stringify(file["theme"]) });
    },
  );

  test("POST /bots adds no start event to a flow that has a start block", async () => {
    const groups = [{ id: "g", blocks: [{ id: "s", type: "start", label: "Start" }] }];
    const made = await makeBot({ groups });
    expect([made.at("bot.version"), made.at("bot.events")]).toEqual(["3", null]);
    expect((await makeBot({ groups, version: "4" })).at("bot.version")).toBe("4");
    expect((await makeBot({ version: "3" })).at("bot.version")).toBe("3");
  });

  test("POST /bots ignores fields that only the service may set", async () => {
    const made = await makeBot({
      events: [],
      id: "mine",
      isArchived: true,
      createdAt: "2000-01-01T00:00:00.000Z",
      riskLevel: 5,
    });
    expect(made.at("bot.events")).toEqual([]);
    expect(made.at("bot.id")).not.toBe("mine");
    expect([made.at("bot.isArchived"), made.at("bot.riskLevel")]).toEqual([false, null]);
    expect(made.text("bot.createdAt").slice(0, 4)).not.toBe("2000");
  });

  test("POST /bots stores an empty list of column widths as an empty object", async () => {
    const made = await makeBot({ resultsTablePreferences: { columnsWidth: [] } });
    expect(made.at("bot.resultsTablePreferences")).toEqual({ columnsWidth: {} });
  });

  test.each([
    ["a name that is not a string", { name: 5 }, "bot.name"],
    ["an empty name", { name: "" }, "bot.name"],
    ["a blank name", { name: " \n" }, "bot.name"],
    ["a name that is too long", { name: "n".repeat(limits.fields.nameCharacters + 1) }, "bot.name"],
    [
      "a preference of the wrong type",
      { resultsTablePreferences: { columnsVisibility: { a: "yes" } } },
      "bot.resultsTablePreferences.columnsVisibility.a",
    ],
    [
      "an option of the wrong type",
      { groups: [{ id: "g", blocks: [{ id: "b", type: "Wait", options: { secondsToWaitFor: 1 } }] }] },
      "bot.groups[0].blocks[0].options.secondsToWaitFor",
    ],
    ["an unknown version", { version: "2" }, "bot.version"],
    ["an empty public id", { publicId: "" }, "bot.publicId"],
    ["a public id with an invalid character", { publicId: "a_b" }, "bot.publicId"],
    ["a public id that is too long", { publicId: "a".repeat(256) }, "bot.publicId"],
    ["a reserved public id", { publicId: "Embed.js" }, "bot.publicId"],
    ["a public id that begins with a dot", { publicId: ".well-known" }, "bot.publicId"],
    ["a domain without a dot", { customDomain: "localhost" }, "bot.customDomain"],
    ["a domain that ends in digits", { customDomain: "a.b1" }, "bot.customDomain"],
    ["an address instead of a domain", { customDomain: "https://a.example" }, "bot.customDomain"],
  ])("POST /bots rejects %s", async (_what, bot, path) => {
    const before = await countBots();
    const answer = await makeBot(bot);
    expect([answer.status, answer.at("code"), answer.at("data.issues.0.path")]).toEqual([400, "request.invalid", path]);
    expect(await countBots()).toBe(before);
  });

  test("POST /bots rejects a body without bot or workspace", async () => {
    expect(
      (await api.client.post("/api/v1/bots", { token: owner.token, body: { workspaceId } })).at("data.issues.0.path"),
    ).toBe("bot");
    expect(
      (await api.client.post("/api/v1/bots", { token: owner.token, body: { bot: {} } })).at("data.issues.0.path"),
    ).toBe("workspaceId");
  });

  test("POST /bots rejects JSON that nests too deeply", async () => {
    const deep = `${'{"a":'.repeat(1_000_000)}1${"}".repeat(1_000_000)}`;
    const rawBody = `{"workspaceId":"${workspaceId}","bot":{"theme":${deep}}}`;
    const answer = await api.client.post("/api/v1/bots", { token: owner.token, rawBody });
    expect(answer.status).toBe(400);
  });

  test("POST /bots rejects another bot's public id or domain", async () => {
    await makeBot({ publicId: "taken-1", customDomain: "taken.example.com" });
    const before = await countBots();
    expect((await makeBot({ publicId: "TAKEN-1" })).at("code")).toBe("bot.public_id_taken");
    expect((await makeBot({ customDomain: "Taken.example.com" })).at("code")).toBe("bot.custom_domain_taken");
    expect(await countBots()).toBe(before);
  });

  test("POST /bots assigns a public id to only one of eight concurrent requests", async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => makeBot({ publicId: "wanted" })));
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409, 409, 409, 409, 409, 409, 409]);
  });

  test("POST /bots rejects a folder that is not in the workspace", async () => {
    const elsewhere = await makeFolder(await api.makeWorkspace(owner));
    for (const folderId of [elsewhere, newId(), "nonsense"]) {
      expect((await makeBot({ folderId })).at("code")).toBe("folder.not_found");
    }
  });
});

describe("reading a bot", () => {
  test("GET /bots/{botId} converts the flow on request", async () => {
    const { folderId: _, ...file } = await readFlow("legacy");
    const botId = (await makeBot(file)).text("bot.id");
    for (const migrateToLatestVersion of ["true", "1"]) {
      const converted = await get(botId, { query: { migrateToLatestVersion } });
      expect([converted.at("bot.version"), converted.at("bot.events.0.id")]).toEqual(["6.1", "l-start"]);
    }
    for (const migrateToLatestVersion of ["false", "0"]) {
      const stored = await get(botId, { query: { migrateToLatestVersion } });
      expect([stored.at("bot.version"), stored.at("bot.events")]).toEqual(["5", null]);
    }
    expect((await get(botId)).at("currentUserMode")).toBe("write");
  });

  test("GET /bots/{botId} cannot convert an old flow without a start", async () => {
    const botId = (await makeBot({ version: "5", events: [] })).text("bot.id");
    expect((await get(botId, { query: { migrateToLatestVersion: true } })).at("code")).toBe("flow.no_start");
    expect((await get(botId)).status).toBe(200);
  });

  test("GET /bots/{botId} returns the access mode of READ and WRITE collaborators", async () => {
    const botId = (await makeBot({})).text("bot.id");
    for (const [type, mode] of [
      ["READ", "read"],
      ["WRITE", "write"],
    ] as const) {
      const friend = await api.makeUser();
      await collaborate(botId, friend, type);
      expect((await get(botId, { token: friend.token })).at("currentUserMode")).toBe(mode);
    }
  });

  test("GET /bots/{botId} hides credential ids from a stranger", async () => {
    const block = { id: "b", type: "Email", options: { credentialsId: "secret-1", subject: "S" } };
    const made = await makeBot({
      groups: [{ id: "g", title: "G", graphCoordinates: { x: 0, y: 0 }, blocks: [block] }],
      settings: {
        publicShare: { isEnabled: true },
        security: { allowedOrigins: ["https://a.example"] },
        messenger: {},
      },
    });
    const botId = made.text("bot.id");
    await patch(botId, { bot: { messengerCredentialsId: "secret-2" } });
    const seen = await get(botId, { token: stranger.token });
    expect(seen.at("currentUserMode")).toBe("guest");
    expect(JSON.stringify(seen.body)).not.toContain("secret");
    expect(seen.at("bot.groups.0.blocks.0.options")).toEqual({ subject: "S" });
    expect(seen.at("bot.settings")).toEqual({ publicShare: { isEnabled: true }, messenger: {} });
    expect((await get(botId)).at("bot.messengerCredentialsId")).toBe("secret-2");
  });

  test("GET /bots/{botId} hides requests and code from a guest", async () => {
    const blocks = [
      { id: "says", type: "text", content: { richText: [{ type: "p", children: [{ text: "For everybody" }] }] } },
      {
        id: "call",
        type: "Webhook",
        options: {
          webhook: {
            url: "https://api.example/secret-1",
            headers: [{ id: "h", key: "Authorization", value: "Bearer secret-2" }],
            queryParams: [{ id: "q", key: "key", value: "secret-3" }],
            body: '{ "pin": "secret-4" }',
          },
        },
      },
      { id: "code", type: "Code", options: { content: "const key = 'secret-5'" } },
      {
        id: "set",
        type: "Set variable",
        options: { variableId: idOf("v"), expressionToEvaluate: "secret-6()", isCode: true },
      },
    ];
    const made = await makeBot({
      groups: [{ id: "g", title: "G", graphCoordinates: { x: 0, y: 0 }, blocks }],
      variables: [{ id: idOf("v"), name: "Key", value: "secret-7" }],
      settings: { publicShare: { isEnabled: true } },
    });
    const botId = made.text("bot.id");
    await api.client.post(`/api/v1/bots/${botId}/publish`, { token: owner.token, body: { force: true } });
    const published = (token: string) => api.client.get(`/api/v1/bots/${botId}/publishedBot`, { token });
    const secretsIn = ({ body }: { body: unknown }) =>
      [...new Set(JSON.stringify(body).match(/secret-\d/g))].toSorted();

    const seen = [await get(botId, { token: stranger.token }), await published(stranger.token)];

    expect(seen.map(({ status }) => status)).toEqual([200, 200]);
    expect(seen.map(secretsIn)).toEqual([[], []]);
    for (const { body } of seen) expect(JSON.stringify(body)).toContain("For everybody");
    for (const own of [await get(botId), await published(owner.token)]) expect(secretsIn(own)).toHaveLength(7);
  });

  test("GET /bots/{botId} returns the same error for hidden and missing bots", async () => {
    const botId = (await makeBot({})).text("bot.id");
    expect((await get(botId, { token: stranger.token })).at("code")).toBe("bot.not_found");
    expect((await get(newId())).at("code")).toBe("bot.not_found");
    expect((await get("nonsense")).at("code")).toBe("bot.not_found");
    expect((await api.client.get(`/api/v1/bots/${botId}`)).at("code")).toBe("token.missing");
  });

  test("GET and PATCH /bots/{botId} are refused in a suspended workspace", async () => {
    for (const column of ["is_suspended", "is_past_due"]) {
      const suspended = await api.makeWorkspace(owner);
      const body = { workspaceId: suspended, bot: {} };
      const botId = (await api.client.post("/api/v1/bots", { token: owner.token, body })).text("bot.id");
      await api.deps.sql`update workspaces set ${api.deps.sql(column)} = true where id = ${suspended}`;
      expect((await get(botId)).at("code")).toBe("workspace.suspended");
      expect((await patch(botId, { bot: { name: "N" } })).at("code")).toBe("workspace.suspended");
    }
  });
});

describe("changing a bot", () => {
  const fields = {
    version: "6.1",
    name: "Renamed",
    icon: "🎈",
    selectedThemeTemplateId: "template",
    groups: [{ id: "g", title: "G", graphCoordinates: { x: 0, y: 0 }, blocks: [] }],
    events: [{ id: "other", type: "start", graphCoordinates: { x: 9, y: 9 } }],
    edges: [{ id: "ed", from: { blockId: "b", itemId: "i" }, to: { groupId: "g" } }],
    variables: [{ id: idOf("v"), name: "V" }],
    theme: { chat: { inputs: { placeholderColor: "#999" } } },
    settings: { messenger: { isEnabled: false }, general: { isBrandingEnabled: false } },
    resultsTablePreferences: { columnsOrder: ["b"] },
    publicId: "renamed-bot",
    customDomain: "renamed.example.com",
    isClosed: true,
    messengerCredentialsId: "m",
    riskLevel: 80,
    editor: { notes: [{ id: "n", text: "Look" }], colors: { g: "red" } },
  };
  const ofDraft = ["version", "groups", "events", "edges", "variables", "theme", "settings", "editor"];

  test.each(Object.entries(fields))(
    "PATCH /bots/{botId} writes %s, and keeps all other fields except updatedAt and the revision",
    async (key, value) => {
      const made = botOf(await makeBot({}));
      const changed = botOf(await patch(made.id, { bot: { [key]: value } }));
      const revision = ofDraft.includes(key) ? 1 : 0;
      expect(changed.bot).toEqual({ ...made.bot, [key]: value, updatedAt: changed.bot["updatedAt"], revision });
      expect(await stored(made.id)).toEqual(changed.bot);
      await patch(made.id, { bot: { publicId: null, customDomain: null } });
    },
  );

  test("PATCH /bots/{botId} replaces a field completely", async () => {
    const made = await makeBot({ theme: { general: { font: "A" }, chat: {} } });
    const changed = await patch(made.text("bot.id"), { bot: { theme: { customCss: "x" } } });
    expect(changed.at("bot.theme")).toEqual({ customCss: "x" });
  });

  test("PATCH /bots/{botId} clears optional fields with null", async () => {
    const folderId = await makeFolder(workspaceId);
    const { id } = botOf(
      await makeBot({ ...fields, publicId: "clear-me", customDomain: "clear.example.com", folderId }),
    );
    const empty = {
      icon: null,
      selectedThemeTemplateId: null,
      folderId: null,
      resultsTablePreferences: null,
      publicId: null,
      customDomain: null,
      messengerCredentialsId: null,
      riskLevel: null,
    };
    await patch(id, { bot: { messengerCredentialsId: "m", riskLevel: 1 } });
    expect(botOf(await patch(id, { bot: empty })).bot).toMatchObject(empty);
  });

  test("PATCH /bots/{botId} keeps the version if the new version is null", async () => {
    const { id } = botOf(await makeBot({ version: "6.1" }));
    const groups = [{ id: "g", blocks: [{ id: "s", type: "start" }] }];
    const changed = await patch(id, { bot: { version: null, events: null, groups } });
    expect([changed.at("bot.version"), changed.at("bot.events")]).toEqual(["6.1", null]);
  });

  test.each(["name", "groups", "edges", "variables", "theme", "settings", "isClosed"])(
    "PATCH /bots/{botId} rejects null for %s",
    async (key) => {
      const { id, bot } = botOf(await makeBot({}));
      expect((await patch(id, { bot: { [key]: null } })).at("data.issues.0.path")).toBe(`bot.${key}`);
      expect(await stored(id)).toEqual(bot);
    },
  );

  test("PATCH /bots/{botId} ignores fields that only the service may set", async () => {
    const { id, bot } = botOf(await makeBot({}));
    const changed = botOf(
      await patch(id, {
        bot: { id: "x", isArchived: true, workspaceId: newId(), createdAt: "2000-01-01T00:00:00.000Z", unknown: 1 },
      }),
    );
    expect(changed.bot).toEqual({ ...bot, updatedAt: changed.bot["updatedAt"] });
  });

  test("PATCH /bots/{botId} increases updatedAt with each write", async () => {
    const { id } = botOf(await makeBot({}));
    const times: string[] = [];
    for (const name of ["a", "b", "c", "d", "e"])
      times.push((await patch(id, { bot: { name } })).text("bot.updatedAt"));
    expect([...times].sort()).toEqual(times);
    expect(new Set(times).size).toBe(5);
  });

  test("PATCH /bots/{botId} with an outdated updatedAt is refused", async () => {
    const { id, bot } = botOf(await makeBot({}));
    const first = await patch(id, { bot: { name: "first", updatedAt: bot["updatedAt"] } });
    expect(first.status).toBe(200);
    const second = await patch(id, { bot: { name: "second", updatedAt: bot["updatedAt"] } });
    expect([second.status, second.at("code"), second.at("data")]).toEqual([
      409,
      "bot.conflict",
      { updatedAt: first.at("bot.updatedAt") },
    ]);
    expect((await get(id)).at("bot.name")).toBe("first");
    const third = await patch(id, { bot: { name: "third", updatedAt: first.at("bot.updatedAt") } });
    expect(third.at("bot.name")).toBe("third");
    const forced = await patch(id, { bot: { name: "forced", updatedAt: bot["updatedAt"] }, overwrite: true });
    expect(forced.at("bot.name")).toBe("forced");
    expect((await patch(id, { bot: { name: "unseen", updatedAt: null } })).at("bot.name")).toBe("unseen");
  });

  test("PATCH /bots/{botId} accepts one of several concurrent changes", async () => {
    const { id, bot } = botOf(await makeBot({}));
    const names = ["one", "two", "three", "four"];
    const answers = await Promise.all(names.map((name) => patch(id, { bot: { name, updatedAt: bot["updatedAt"] } })));
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 409, 409, 409]);
    const winner = answers.find((answer) => answer.status === 200);
    expect((await get(id)).at("bot.name")).toBe(winner?.at("bot.name"));
    const losers = answers.filter((answer) => answer.status === 409);
    expect(losers.map((answer) => answer.at("data.updatedAt"))).toEqual(losers.map(() => winner?.at("bot.updatedAt")));
  });

  test("PATCH /bots/{botId} rejects an updatedAt that is not a time", async () => {
    const { id } = botOf(await makeBot({}));
    expect((await patch(id, { bot: { updatedAt: "yesterday" } })).at("data.issues.0.path")).toBe("bot.updatedAt");
  });

  test("PATCH /bots/{botId} rejects another bot's public id or domain", async () => {
    const { id, bot } = botOf(await makeBot({ publicId: "mine-1" }));
    await makeBot({ publicId: "theirs-1", customDomain: "theirs.example.com" });
    expect((await patch(id, { bot: { publicId: "theirs-1" } })).at("code")).toBe("bot.public_id_taken");
    expect((await patch(id, { bot: { customDomain: "THEIRS.example.com" } })).at("code")).toBe(
      "bot.custom_domain_taken",
    );
    expect((await patch(id, { bot: { publicId: "admin" } })).at("code")).toBe("request.invalid");
    expect(await stored(id)).toEqual(bot);
    expect((await patch(id, { bot: { publicId: "MINE-1" } })).at("bot.publicId")).toBe("MINE-1");
  });

  test("PATCH /bots/{botId} rejects a folder that is not in the bot's workspace", async () => {
    const { id, bot } = botOf(await makeBot({}));
    const elsewhere = await makeFolder(await api.makeWorkspace(owner));
    expect((await patch(id, { bot: { folderId: elsewhere } })).at("code")).toBe("folder.not_found");
    expect(await stored(id)).toEqual(bot);
    const folderId = await makeFolder(workspaceId);
    expect((await patch(id, { bot: { folderId } })).at("bot.folderId")).toBe(folderId);
  });

  test("PATCH /bots/{botId} rejects a flow larger than 10 MB", async () => {
    const halfText = "x".repeat(6 * 1024 * 1024);
    const { id } = botOf(await makeBot({ theme: { customCss: halfText } }));
    const answer = await patch(id, { bot: { settings: { metadata: { customHeadCode: halfText } } } });
    expect([answer.at("code"), answer.at("data.issues.0.path")]).toEqual(["request.invalid", "bot"]);
    expect((await get(id)).at("bot.settings")).toEqual({});
    expect((await patch(id, { bot: { theme: { customCss: "y".repeat(6 * 1024 * 1024) } } })).status).toBe(200);
  });
});

describe("listing bots", () => {
  test("GET /bots lists bots in pages, newest first", async () => {
    const place = await api.makeWorkspace(owner);
    const made: string[] = [];
    for (const name of ["a", "b", "c", "d", "e"]) made.unshift((await makeBot({ name }, place)).text("bot.id"));
    await spread(made);
    await api.client.post(`/api/v1/bots/${made[0]}/publish`, { token: owner.token, body: { force: true } });

    const first = await list({ workspaceId: place, limit: 2 });
    const second = await list({ workspaceId: place, limit: 2, cursor: first.text("nextCursor") });
    const third = await list({ workspaceId: place, limit: 2, cursor: second.text("nextCursor") });

    expect([first, second, third].flatMap(idsOf)).toEqual(made);
    expect(third.body).not.toHaveProperty("nextCursor");
    expect(first.at("bots.0")).toEqual({
      id: made[0],
      name: "e",
      icon: null,
      workspaceId: place,
      folderId: null,
      publicId: expect.stringMatching(/^e-[0-9a-z]{7}$/),
      address: `http://localhost/${first.text("bots.0.publicId")}`,
      isClosed: false,
      isArchived: false,
      publishedBotId: expect.stringMatching(/^[0-9a-z]{26}$/),
      publicationNumber: 1,
      lastAnsweredAt: null,
      accessRight: "write",
      state: "live",
      errorCount: 0,
      lastChange: { at: expect.any(String), by: null },
      lastSevenDays: { startedCount: 0, completedCount: 0 },
      startsByDay: Array.from({ length: 14 }, () => 0),
      picture: null,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    expect(first.at("bots.1")).toMatchObject({ publicId: null, publishedBotId: null, address: null });
  });

  test("GET /bots can be limited to one folder, or to bots without a folder", async () => {
    const place = await api.makeWorkspace(owner);
    const folderId = await makeFolder(place);
    const inside = (await makeBot({ folderId }, place)).text("bot.id");
    const outside = (await makeBot({}, place)).text("bot.id");
    await spread([outside, inside]);
    expect(idsOf(await list({ workspaceId: place }))).toEqual([outside, inside]);
    expect(idsOf(await list({ workspaceId: place, folderId }))).toEqual([inside]);
    expect(idsOf(await list({ workspaceId: place, folderId: "root" }))).toEqual([outside]);
    expect((await list({ workspaceId: place, folderId: newId() })).at("code")).toBe("folder.not_found");
  });

  test("GET /bots shows a GUEST only the bots that the GUEST collaborates on", async () => {
    const guest = await api.makeUser();
    const place = await api.makeWorkspace(owner, { [guest.userId]: "GUEST" });
    const folderId = await makeFolder(place);
    const [readable, writable] = [
      (await makeBot({}, place)).text("bot.id"),
      (await makeBot({ folderId }, place)).text("bot.id"),
    ];
    await makeBot({}, place);
    await collaborate(readable, guest, "READ");
    await collaborate(writable, guest, "WRITE");
    await spread([writable, readable]);
    const seen = await list({ workspaceId: place }, guest.token);
    expect(seen.list("bots")).toMatchObject([
      { id: writable, accessRight: "write" },
      { id: readable, accessRight: "read" },
    ]);
    expect(idsOf(await list({ workspaceId: place, folderId: "root" }, guest.token))).toEqual([readable]);
    const page = await list({ workspaceId: place, limit: 1 }, guest.token);
    expect(idsOf(await list({ workspaceId: place, limit: 1, cursor: page.text("nextCursor") }, guest.token))).toEqual([
      readable,
    ]);
    const administrator = await api.makeUser({ scope: "admin" });
    expect((await list({ workspaceId: place }, administrator.token)).list("bots")).toHaveLength(3);
  });

  test("GET /bots rejects callers without access and invalid queries", async () => {
    expect((await list({ workspaceId }, stranger.token)).at("code")).toBe("workspace.not_found");
    expect((await list({ workspaceId: newId() })).at("code")).toBe("workspace.not_found");
    expect((await list({ workspaceId, cursor: "nonsense" })).at("code")).toBe("cursor.invalid");
    expect((await list({})).at("data.issues.0.path")).toBe("workspaceId");
    expect((await list({ workspaceId, limit: 101 })).at("data.issues.0.path")).toBe("limit");
    expect((await list({ workspaceId, limit: 0 })).at("data.issues.0.path")).toBe("limit");
  });
});

describe("importing a bot", () => {
  const importBot = (body: Record<string, unknown>, token = owner.token) =>
    api.client.post("/api/v1/bots/import", { token, body: { workspaceId, ...body } });

  test("an import of an old flow creates a bot of the latest version", async () => {
    const file = await readFlow("legacy");
    const imported = await importBot({
      bot: { ...file, publicId: "cinema", customDomain: "cinema.example.com", isClosed: true, riskLevel: 9 },
    });
    expect(imported.at("bot")).toMatchObject({
      version: "6.1",
      name: "Cinema seats",
      icon: "🎬",
      events: [{ id: "l-start" }],
      variables: file["variables"],
      publicId: null,
      customDomain: null,
      isClosed: false,
      riskLevel: null,
      messengerCredentialsId: null,
      folderId: null,
      workspaceId,
    });
    expect(imported.at("bot.id")).not.toBe(file["id"]);
    expect(await stored(imported.text("bot.id"))).toEqual(imported.at("bot"));
  });

  test("an import keeps the version of a flow of version 6", async () => {
    expect((await importBot({ bot: await readFlow("nps") })).at("bot.version")).toBe("6");
  });

  test("an import keeps the file's folder if it is in the workspace", async () => {
    const own = await makeFolder(workspaceId);
    const other = await makeFolder(workspaceId);
    const elsewhere = await makeFolder(await api.makeWorkspace(owner));
    expect((await importBot({ bot: { version: "6", folderId: own } })).at("bot.folderId")).toBe(own);
    expect((await importBot({ bot: { version: "6", folderId: elsewhere } })).at("bot.folderId")).toBeNull();
    expect((await importBot({ bot: { version: "6", folderId: own }, folderId: other })).at("bot.folderId")).toBe(other);
    expect((await importBot({ bot: { version: "6", folderId: own }, folderId: null })).at("bot.folderId")).toBeNull();
    expect((await importBot({ bot: { version: "6" }, folderId: elsewhere })).at("code")).toBe("folder.not_found");
  });

  test("an import marks code as unsafe on request", async () => {
    const groups = [{ id: "g", blocks: [{ id: "b", type: "Code", options: { content: "alert()" } }] }];
    const imported = await importBot({ bot: { version: "6", groups }, enableSafetyFlags: true });
    expect(imported.at("bot.groups.0.blocks.0.options.isUnsafe")).toBe(true);
    const trusted = await importBot({ bot: { version: "6", groups } });
    expect(trusted.at("bot.groups.0.blocks.0.options")).toEqual({ content: "alert()" });
  });

  test("an import rejects an old file without a start", async () => {
    const before = await countBots();
    expect((await importBot({ bot: { version: "5", groups: [] } })).at("code")).toBe("flow.no_start");
    expect((await importBot({ bot: { name: "Nothing" } })).at("code")).toBe("flow.no_start");
    expect((await importBot({ bot: { version: "9" } })).at("code")).toBe("request.invalid");
    expect((await importBot({ bot: { version: "6" } }, stranger.token)).at("code")).toBe("workspace.not_found");
    expect(await countBots()).toBe(before);
  });
});

function makeBot(bot: Record<string, unknown>, place = workspaceId) {
  return api.client.post("/api/v1/bots", { token: owner.token, body: { workspaceId: place, bot } });
}

function get(
  botId: string,
  { token = owner.token, query = {} }: { token?: string; query?: Record<string, string | boolean> } = {},
) {
  return api.client.get(`/api/v1/bots/${botId}`, { token, query });
}

function patch(botId: string, body: Record<string, unknown>, token = owner.token) {
  return api.client.patch(`/api/v1/bots/${botId}`, { token, body });
}

function list(query: Record<string, string | number>, token = owner.token) {
  return api.client.get("/api/v1/bots", { token, query });
}

async function stored(botId: string): Promise<unknown> {
  return (await get(botId)).at("bot");
}

async function makeFolder(place: string): Promise<string> {
  const id = newId();
  await api.deps.sql`insert into folders (id, workspace_id, name) values (${id}, ${place}, 'F')`;
  return id;
}

async function collaborate(botId: string, user: TestUser, type: "READ" | "WRITE"): Promise<void> {
  await api.deps.sql`insert into collaborators (bot_id, user_id, type) values (${botId}, ${user.userId}, ${type})`;
}

/**
 * Sets the times of bots one second apart, starting with the newest, because several bots may be created in one
 * millisecond.
 */
async function spread(botIds: readonly string[]): Promise<void> {
  for (const [index, botId] of botIds.entries()) {
    await api.deps.sql`
      update bots set created_at = created_at - ${index} * interval '1 second' where id = ${botId}`;
  }
}

async function countBots(): Promise<number> {
  const [row] = await api.deps.sql<{ count: number }[]>`select count(*)::int as count from bots`;
  return row?.count ?? 0;
}

function idsOf(answer: { list(path: string): readonly unknown[] }): unknown[] {
  return answer
    .list("bots")
    .map((bot) => (typeof bot === "object" && bot !== null && "id" in bot ? bot.id : undefined));
}

function botOf(answer: { at(path: string): unknown; text(path: string): string }): {
  id: string;
  bot: Record<string, unknown>;
} {
  const bot = answer.at("bot");
  if (typeof bot !== "object" || bot === null) throw new Error("a bot was expected");
  return { id: answer.text("bot.id"), bot: Object.fromEntries(Object.entries(bot)) };
}

async function readFlow(name: string): Promise<Record<string, unknown>> {
  return Bun.file(`${import.meta.dir}/../../flows/${name}.json`).json();
}
