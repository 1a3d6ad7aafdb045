import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { newId } from "../../../../src/platform/ids.ts";
import { createTestApi, type TestApi, type TestUser } from "../../../support/api.ts";
import { idOf } from "../../../support/builder-ids.ts";
import { testKey } from "../../../support/events.ts";

let api: TestApi;
let owner: TestUser;
let workspaceId: string;

const start = { id: "s", type: "start", outgoingEdgeId: "e" };
const toGroup = { id: "e", from: { eventId: "s" }, to: { groupId: "g" } };
const hello = { id: "b", type: "text", content: { richText: [{ type: "p", children: [{ text: "Hello" }] }] } };
const whole = { events: [start], edges: [toGroup], groups: [{ id: "g", title: "Hello", blocks: [hello] }] };
const lost = { id: "h", title: "Lost", blocks: [{ id: "c", type: "text" }] };

beforeAll(async () => {
  api = await createTestApi({ config: { ENCRYPTION_KEY: testKey } });
  owner = await api.makeUser();
  workspaceId = await api.makeWorkspace(owner);
});
afterAll(() => api.close());

test("the draft, a publication and a supplied flow each have separate findings", async () => {
  const botId = await makeBot(whole);
  await api.client.post(`/api/v1/bots/${botId}/publish`, { token: owner.token, body: {} });
  await api.client.patch(`/api/v1/bots/${botId}`, {
    token: owner.token,
    body: { bot: { groups: [...whole.groups, lost] } },
  });

  expect((await lint(botId)).body).toEqual({
    findings: [
      {
        rule: "unreachable_group",
        severity: "warning",
        path: "groups[1]",
        groupId: "h",
        groupTitle: "Lost",
        message: "Nothing leads to this group.",
        advice: "Connect an edge to the group, or remove the group.",
        help: "docs/lint.md#unreachable_group",
      },
    ],
    ...{ errors: 0, warnings: 1, infos: 0, linkedFrom: [] },
  });
  expect((await lint(botId, { number: 1 })).at("findings")).toEqual([]);
  expect((await lint(botId, { bot: { ...whole, edges: [] } })).at("errors")).toBe(1);
  expect((await lint(botId, { number: 2 })).at("code")).toBe("publication.not_found");
  expect((await lint(botId, { number: 1, bot: whole })).at("data.issues")).toEqual([
    { path: "number", message: "must not be sent together with a flow" },
  ]);
  expect((await lint(botId, { bot: { groups: [{ id: 1 }] } })).at("code")).toBe("request.invalid");
});

test("a group to which another bot links is not reported as unreachable", async () => {
  const botId = await makeBot({ ...whole, groups: [...whole.groups, lost] });
  const link = { id: "l", type: "Typebot link", options: { typebotId: botId, groupId: "h" } };
  await makeBot({ ...whole, groups: [{ id: "g", blocks: [link] }] });

  expect((await lint(botId)).at("findings")).toEqual([]);
});

test("a block's own setting disables a rule, even in an imported copy of the bot", async () => {
  const items = [{ id: "i", content: { comparisons: [{ variableId: idOf("v"), comparisonOperator: "Is set" }] } }];
  const condition = { id: "c", type: "Condition", items, lint: { ignore: ["dead_end"] } };
  const bot = {
    ...whole,
    variables: [{ id: idOf("v"), name: "V" }],
    groups: [{ id: "g", title: "G", blocks: [condition, hello] }],
  };
  const botId = await makeBot(bot);
  expect((await lint(botId)).at("findings")).toEqual([]);

  const stored = await api.client.get(`/api/v1/bots/${botId}`, { token: owner.token });
  const imported = await api.client.post("/api/v1/bots/import", {
    token: owner.token,
    body: { workspaceId, bot: stored.at("bot") },
  });
  expect((await lint(imported.text("bot.id"))).at("findings")).toEqual([]);
  const { lint: _, ...judged } = condition;
  const told = await lint(botId, { bot: { ...bot, groups: [{ id: "g", blocks: [judged, hello] }] } });
  expect(told.at("findings.0.rule")).toBe("dead_end");
});

async function makeBot(bot: object): Promise<string> {
  return (await api.client.post("/api/v1/bots", { token: owner.token, body: { workspaceId, bot } })).text("bot.id");
}

function lint(botId: string, body: object = {}) {
  return api.client.post(`/api/v1/bots/${botId}/lint`, { token: owner.token, body });
}

describe("resources of the workspace that a flow references", () => {
  const calls = (name: string) => ({
    ...whole,
    groups: [{ id: "g", title: "G", blocks: [{ id: "c", type: "Webhook", options: { webhook: { url: name } } }] }],
  });
  const rulesOf = async (botId: string, bot: object) => (await lint(botId, { bot })).at("findings.*.rule");

  test("a reference to a missing secret is a finding", async () => {
    const at = `/api/v1/workspaces/${workspaceId}/secrets/CRM_KEY`;
    const bot = calls("https://crm.example.com/{{secret.CRM_KEY}}");
    const botId = await makeBot(whole);

    expect((await lint(botId, { bot })).at("findings.*.rule")).toEqual(["secret_missing"]);
    expect((await lint(botId, { bot })).at("findings.0")).toMatchObject({
      severity: "warning",
      path: "groups[0].blocks[0].options.webhook.url",
      message: 'This workspace has no secret "CRM_KEY".',
    });
    const variables = [{ id: idOf("v"), name: "secret.CRM_KEY" }];
    expect(await rulesOf(botId, { ...bot, variables })).not.toContain("secret_missing");
    await api.client.put(at, { token: owner.token, body: { value: "planted-Value_0123456789" } });
    expect(await rulesOf(botId, bot)).toEqual([]);
  });

  test("only a reference to a missing messenger connection is a finding", async () => {
    const botId = await makeBot({ ...whole, settings: { messenger: { isEnabled: true } } });
    const name = (messengerCredentialsId: string | null) =>
      api.client.patch(`/api/v1/bots/${botId}`, { token: owner.token, body: { bot: { messengerCredentialsId } } });
    const { sql } = api.deps;
    const [ours, theirs] = [newId(), newId()];
    const otherId = await api.makeWorkspace(owner);
    for (const [id, place] of [
      [ours, workspaceId],
      [theirs, otherId],
    ] as const) {
      await sql`
        insert into channel_connections (
          id, workspace_id, channel, name, external_id, settings, sealed, hint, bots, is_enabled
        )
        values (${id}, ${place}, 'webhook', 'Ours', ${id}, '{}', '', '{}', '[]', true)`;
    }
    const rules = async () => (await lint(botId)).at("findings.*.rule");
    for (const [named, expected] of [
      ["of another service", ["unknown_connection"]],
      [theirs, ["unknown_connection"]],
      [ours, []],
      [null, []],
    ] as const) {
      await name(named);
      expect(await rules()).toEqual([...expected]);
    }
    await name(ours);
    await sql`update channel_connections set deleted_at = clock() where id = ${ours}`;
    expect(await rules()).toEqual(["unknown_connection"]);
  });

  test("a block that needs a browser is a finding if a messenger uses the bot", async () => {
    const script = { id: "k", type: "Code", options: { content: "alert(1)" } };
    const flow = { ...whole, groups: [{ id: "g", title: "Hello", blocks: [hello, script] }] };
    const messenger = { isEnabled: true };
    const [off, on] = await Promise.all([
      makeBot({ ...flow, settings: {} }),
      makeBot({ ...flow, settings: { messenger } }),
    ]);
    const connectionId = newId();
    const bots = JSON.stringify([{ botId: off, isEnabled: true }]);
    const { sql } = api.deps;
    const rules = async (id: string) => (await lint(id)).at("findings.*.rule");
    await sql`
      insert into channel_connections (
        id, workspace_id, channel, name, external_id, settings, sealed, hint, bots, is_enabled
      )
      values (${connectionId}, ${workspaceId}, 'telegram', 'Ours', ${connectionId}, '{}', '', '{}', ${bots}::text::json, true)`;
    const unasked = [await rules(off), await rules(on)];
    await api.client.patch(`/api/v1/bots/${on}`, {
      token: owner.token,
      body: { bot: { messengerCredentialsId: connectionId } },
    });
    const named = await rules(on);
    await sql`
      update channel_connections
      set bots = ${JSON.stringify([{ botId: on }])}::text::json
      where id = ${connectionId}`;
    await api.client.patch(`/api/v1/bots/${on}`, {
      token: owner.token,
      body: { bot: { messengerCredentialsId: null } },
    });
    const listed = await api.client.post(`/api/v1/bots/${on}/publish`, { token: owner.token, body: {} });

    expect(unasked).toEqual([[], []]);
    expect(named).toEqual(["channel_unsupported"]);
    expect(listed.at("warnings.*.rule")).toEqual(["channel_unsupported"]);
  });

  test("a missing workspace file is a finding", async () => {
    const files = `/api/v1/workspaces/${workspaceId}/files`;
    const rawBody = Uint8Array.from(Buffer.from("\x89PNG\r\n\x1a\nthe rest", "latin1"));
    const made = await api.client.post(files, { token: owner.token, query: { name: "a.png" }, rawBody });
    const url = made.text("workspaceFile.url");
    const shows = (address: string) => ({
      ...whole,
      groups: [{ id: "g", title: "G", blocks: [{ id: "p", type: "image", content: { url: address } }] }],
    });
    const botId = await makeBot(whole);

    expect(await rulesOf(botId, shows(url))).toEqual([]);
    await api.client.delete(`${files}/${made.text("workspaceFile.id")}`, { token: owner.token });
    expect((await lint(botId, { bot: shows(url) })).at("findings")).toMatchObject([
      { rule: "file_missing", path: "groups[0].blocks[0]", blockId: "p" },
    ]);
    const elsewhere = url.replace(/^https?:\/\/[^/]+/, "https://other.example.com");
    expect(await rulesOf(botId, shows(elsewhere))).toEqual([]);
  });

  test("a file of a workspace in the bin counts as missing", async () => {
    const other = await api.makeWorkspace(owner);
    const rawBody = Uint8Array.from(Buffer.from("\x89PNG\r\n\x1a\nthe rest", "latin1"));
    const path = `/api/v1/workspaces/${other}/files`;
    const made = await api.client.post(path, { token: owner.token, query: { name: "a.png" }, rawBody });
    const theme = { chat: { hostAvatar: { isEnabled: true, url: made.text("workspaceFile.url") } } };
    const botId = await makeBot(whole);

    expect(await rulesOf(botId, { ...whole, theme })).toEqual([]);
    await api.client.delete(`/api/v1/workspaces/${other}`, { token: owner.token });
    expect((await lint(botId, { bot: { ...whole, theme } })).at("findings")).toMatchObject([
      { rule: "file_missing", path: "theme" },
    ]);
  });
});
