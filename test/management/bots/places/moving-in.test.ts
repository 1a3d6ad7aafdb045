import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createTestApi, type TestApi, type TestUser } from "../../../support/api.ts";
import { asks, flowOf, say, says, start } from "../../../support/chat.ts";
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

/** Two groups of one id, each with a block of one id, and two edges of one id. */
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
  test("is refused unless its repair is asked for, and by a plain creation always", async () => {
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

  test("is a bot that runs, in both spellings", async () => {
    const made = await post("typebots/import", { workspaceId, typebot: copied(), repair: true });
    const botId = made.text("typebot.id");
    const published = await post(`bots/${botId}/publish`, { force: true });
    const started = await start(api.client, published.text("publicId"));
    const next = await say(api.client, started.text("sessionId"), "Hello");
    expect(JSON.stringify(started.at("messages"))).toContain("One?");
    expect(JSON.stringify(next.at("messages"))).toContain("One?");
  });

  test("updates a bot so that stored ids stay, however often it comes", async () => {
    const made = await post("bots/import", { workspaceId, bot: copied(), repair: true });
    const botId = made.text("bot.id");
    const again = await post(`bots/${botId}/import`, { bot: copied(), repair: true });
    expect(again.at("bot.groups")).toEqual(made.at("bot.groups"));
    const turned = { ...copied(), groups: copied().groups.toReversed() };
    const changed = await post(`bots/${botId}/import`, { bot: turned, repair: true });
    expect(changed.list("bot.groups").toReversed()).toEqual([...made.list("bot.groups")]);
  });

  test("is read in the same way where it is large", async () => {
    const bot = { ...copied(), theme: { unknown: "x".repeat(600_000) } };
    const made = await post("bots/import", { workspaceId, bot, repair: true });
    expect(made.list("report.repairs")).toHaveLength(4);
    expect((await post("bots/import", { workspaceId, bot })).status).toBe(400);
    const broken = {
      ...bot,
      variables: [
        { id: "v", name: "A" },
        { id: "v", name: "B" },
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

describe("the report", () => {
  test("of 40 HTTP blocks of the old form has at most six lines, and says first what will not work", async () => {
    const calls = Array.from({ length: 40 }, (_, index) => ({
      ...{ id: `call-${index}`, type: "Webhook", webhookId: `w${index}` },
      options: { isAdvancedConfig: true, isCustomBody: true, variablesForTest: [] },
    }));
    const odd = { id: "odd", type: "Telepathy" };
    const input = asks("text input", { isPrefillDisabled: true, sparkle: 1, credentialsId: "x" });
    const flow = { ...flowOf([...calls, odd, input]), name: "Calls" };
    const { at } = await post("bots/import/check", { workspaceId, bot: flow, repair: true });

    const lines = ["willNotWork", "toEnter", "different"].map((part) => Object(at(`report.${part}`)));
    expect(lines.flat().length).toBeLessThanOrEqual(6);
    expect(at("report.willNotWork")).toEqual([
      {
        kind: "unknown_type",
        message: "1 block is of a type that Parley does not run, and is skipped: Telepathy.",
        count: 1,
        names: ["Telepathy"],
        places: [{ groupId: flow.groups[0]?.id, blockId: "odd", groupTitle: "Group 0", blockName: "Telepathy" }],
      },
    ]);
    expect(at("report.toEnter.0")).toMatchObject({
      kind: "address",
      count: 40,
      message: "40 blocks have no address to call, and do nothing until you enter one: HTTP request.",
    });
    expect(at("report.different")).toMatchObject([{ kind: "unknown_key", count: 2 }]);
  });
});

function post(path: string, body: object) {
  return api.client.post(`/api/v1/${path}`, { token: owner.token, body });
}
