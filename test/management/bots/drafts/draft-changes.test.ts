import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Change, ChangeSet } from "../../../../src/core/editing/changes/change.ts";
import { limits } from "../../../../src/limits/index.ts";
import { deleteOldSets } from "../../../../src/management/bots/drafts/bot-changes.sql.ts";
import { newId } from "../../../../src/platform/ids.ts";
import type { TestApi, TestUser } from "../../../support/api.ts";
import { idOf } from "../../../support/builder-ids.ts";
import { asks, flowOf, says } from "../../../support/chat.ts";
import type { Answer } from "../../../support/client.ts";
import { createTestNodes, type TestNodes } from "../../../support/nodes.ts";

let place: TestNodes;
let api: TestApi;
let owner: TestUser;
let friend: TestUser;
let workspaceId: string;

beforeAll(async () => {
  place = await createTestNodes();
  [api] = place.nodes;
  owner = await api.makeUser({ name: "Ada" });
  friend = await api.makeUser({ name: "Grace" });
  workspaceId = await api.makeWorkspace(owner, { [friend.userId]: "MEMBER" });
});
afterAll(() => place.close());

const settings = { messenger: { isEnabled: true }, general: {} };
const flow = { ...flowOf([says("Hello"), asks("text input")], [says("Bye")]), settings };

describe("change sets", () => {
  test("change sets use the service's own paths for settings", async () => {
    const botId = await makeBot();
    const set = (path: readonly string[], value: unknown): ChangeSet => ({
      id: newId(),
      title: "Set",
      changes: [{ op: "set", of: "settings", path, value }],
    });
    await change(botId, 0, [set(["metadata"], { tagManagerId: "GTM-1" }), set(["messenger", "isEnabled"], false)]);
    expect((await getBot(botId)).at("bot.settings")).toEqual({
      ...{ messenger: { isEnabled: false }, general: {} },
      metadata: { tagManagerId: "GTM-1" },
    });
    const theirs = await api.client.get(`/api/v1/typebots/${botId}`, { token: owner.token });
    expect(theirs.at("typebot.settings")).toMatchObject({
      whatsApp: { isEnabled: false },
      metadata: { googleTagManagerId: "GTM-1" },
    });
    const schemas = await api.client.get("/api/v1/flow-schemas", { token: owner.token });
    expect(Object.keys(Object(schemas.at("settings.properties")))).toContain("messenger");
    expect(Object.keys(Object(schemas.at("settings.properties")))).not.toContain("whatsApp");
  });

  test("change sets are applied in order, and returned to later readers", async () => {
    const botId = await makeBot();
    const before = await getBot(botId);
    expect([before.at("bot.revision"), before.at("bot.editor")]).toEqual([0, null]);
    const answer = await change(botId, 0, [rename("One"), rename("Two"), note("n1")]);
    expect(answer.body).toEqual({ revision: 3, updatedAt: expect.any(String), others: [] });

    const bot = await getBot(botId);
    expect(bot.at("bot")).toMatchObject({
      revision: 3,
      updatedAt: answer.text("updatedAt"),
      editor: { notes: [{ id: "n1", text: "Look" }] },
      settings,
    });
    expect(bot.at("bot.groups.0.title")).toBe("Two");
    const told = await get(`${botId}/changes`, { after: 1 });
    expect(told.at("revision")).toBe(3);
    expect(told.at("changeSets.*.title")).toEqual(["Rename to Two", "Note"]);
    expect(told.at("changeSets.0")).toMatchObject({ revision: 2, by: { userId: owner.userId, name: "Ada" } });
    expect((await get(`${botId}/changes`, { after: 3 })).list("changeSets")).toEqual([]);
    expect((await get(`${botId}/changes`, { after: 4 })).at("code")).toBe("revision.not_found");
  });

  test("change sets from other authors to other fields are merged and reported", async () => {
    const botId = await makeBot();
    await change(botId, 0, [rename("Theirs")], friend);
    const mine = await change(botId, 0, [
      variable("v9"),
      set("Colour", { of: "editor", path: ["colors", idOf("g0")], value: "red" }),
    ]);
    expect(mine.at("revision")).toBe(3);
    expect(mine.at("others")).toMatchObject([
      { revision: 1, title: "Rename to Theirs", by: { userId: friend.userId, name: "Grace" } },
    ]);
    const bot = await getBot(botId);
    expect([bot.at("bot.groups.0.title"), bot.at("bot.variables.*.id"), bot.at("bot.editor")]).toEqual([
      "Theirs",
      [idOf("Name"), idOf("Email"), "v9"],
      { colors: { [idOf("g0")]: "red" } },
    ]);
  });

  test("conflicting change sets are refused completely", async () => {
    const botId = await makeBot();
    const theirs = await change(botId, 0, [rename("Theirs")], friend);
    const clash = await change(botId, 0, [variable("v9"), rename("Mine")]);
    expect([clash.status, clash.at("code")]).toEqual([409, "bot.conflict"]);
    expect(clash.at("data")).toEqual({
      revision: 1,
      updatedAt: theirs.text("updatedAt"),
      others: [expect.objectContaining({ revision: 1, title: "Rename to Theirs" })],
      conflicts: [
        {
          of: "group",
          id: idOf("g0"),
          path: ["title"],
          theirs: "Theirs",
          mine: "Mine",
          by: { userId: friend.userId, name: "Grace" },
          at: theirs.text("updatedAt"),
        },
      ],
    });
    expect((await getBot(botId)).at("bot.variables.*.id")).not.toContain("v9");
    const removal = set("Remove", { op: "remove", of: "group", id: idOf("g0") });
    expect((await change(botId, 0, [removal])).at("data.conflicts.0.theirs.title")).toBe("Theirs");
    expect((await change(botId, 1, [rename("Mine")])).at("revision")).toBe(2);
  });

  test("edits of one text by several authors are merged", async () => {
    const botId = await makeBot();
    const typed = (keep: number, put: string, rest: number): ChangeSet =>
      set("Type", {
        op: "edit",
        of: "group",
        id: idOf("g0"),
        path: ["title"],
        text: "plain",
        ops: [{ keep }, { put }, { keep: rest }].filter((op) => op.keep !== 0),
      });
    await change(botId, 0, [rename("One")]);
    const [first, second] = [typed(3, " two", 0), typed(7, " three", 0)];
    expect((await change(botId, 1, [typed(0, "The ", 3)], friend, 1)).status).toBe(200);
    expect((await change(botId, 1, [first])).status).toBe(200);
    expect((await change(botId, 3, [typed(11, "!", 0)], friend, 1)).status).toBe(200);
    // Send both sets with the old base, like a client that lost the response to the first set.
    const again = await change(botId, 1, [first, second]);
    expect(again.at("others.*.revision")).toEqual([2, 4]);
    expect((await getBot(botId)).at("bot.groups.0.title")).toBe("The One two! three");
    const log = (await get(`${botId}/changes`, { after: 4, knows: "edit" })).at("changeSets.0.changes");
    expect(log).toEqual([
      {
        op: "edit",
        of: "group",
        id: idOf("g0"),
        path: ["title"],
        text: "plain",
        ops: [{ keep: 12 }, { put: " three" }],
      },
    ]);
    const then = await get(`${botId}/history/3`);
    expect(then.at("draft.groups.0.title")).toBe("The One two");
  });

  test("text edits that do not fit the text are refused", async () => {
    const botId = await makeBot();
    const refused = async (ops: readonly object[], path = ["title"]) => {
      const edit = { op: "edit", of: "group", id: idOf("g0"), path, text: "plain", ops };
      const body = { base: 0, changeSets: [{ id: newId(), title: "Type", changes: [edit] }] };
      return (await send("POST", `${botId}/changes`, body)).at("data.issues");
    };
    expect(await refused([{ keep: 99 }])).toEqual([
      { path: "changeSets[0].changes[0]", message: expect.stringContaining("covers 99 units of a text of") },
    ]);
    expect(await refused([{ put: [{ text: "a" }] }])).toEqual([
      { path: "changeSets[0].changes[0].ops", message: "inserts something other than a string into a plain text" },
    ]);
    const many = Array.from({ length: limits.editing.editSteps + 1 }, () => ({ put: "a" }));
    expect(JSON.stringify(await refused(many))).toContain("changeSets[0].changes[0].ops");
    expect((await getBot(botId)).at("bot.revision")).toBe(0);
  });

  test("change sets that arrive twice are written once", async () => {
    const botId = await makeBot();
    const [one, two, three] = [rename("One"), variable("v9"), rename("Three")];
    const first = await change(botId, 0, [one, two]);
    await change(botId, 2, [note("n1")], friend);
    expect((await change(botId, 0, [one, two], owner, 1)).body).toEqual(first.body);
    expect((await change(botId, 0, [one])).body).toMatchObject({ revision: 1, others: [] });
    // The known part stays at its position, and the new part is added at the end.
    const more = await change(botId, 0, [one, two, three], owner, 1);
    expect([more.at("revision"), more.at("others.*.revision")]).toEqual([4, [3]]);
    expect((await change(botId, 4, [two])).at("revision")).toBe(2);
    const log = await get(`${botId}/changes`, { after: 0 });
    expect(log.at("changeSets.*.id")).toEqual([one.id, two.id, expect.any(String), three.id]);
  });

  test("change sets from many simultaneous requests are stored once", async () => {
    const botId = await makeBot();
    const sets = Array.from({ length: 24 }, (_, index) => variable(`many${index}`));
    const answers = await Promise.all(
      sets.flatMap((one, index) => [change(botId, 0, [one], owner, index), change(botId, 0, [one], friend, index + 1)]),
    );
    expect(answers.filter(({ status }) => status !== 200 && status !== 409)).toEqual([]);
    for (const one of sets) expect((await change(botId, 0, [one])).status).toBe(200);
    const log = await get(`${botId}/changes`, { after: 0 });
    expect(log.at("changeSets.*.revision")).toEqual(sets.map((_, index) => index + 1));
    const bot = await getBot(botId);
    expect(bot.at("bot.revision")).toBe(sets.length);
    expect(
      bot
        .list("bot.variables.*.id")
        .filter((id) => String(id).startsWith("many"))
        .toSorted(),
    ).toEqual(sets.map((_, index) => `many${index}`).toSorted());
    expect(log.at("changeSets.*.changes.0.value.id")).toEqual(
      bot.list("bot.variables.*.id").filter((id) => String(id).startsWith("many")),
    );
  });

  test("change sets that cannot be applied are refused with their position", async () => {
    const botId = await makeBot();
    const blockId = (await getBot(botId)).text("bot.groups.0.blocks.1.id");
    const issuesOf = async (...changes: Change[]) => {
      const answer = await change(botId, 0, [rename("Kept away"), { id: newId(), title: "Wrong", changes }]);
      expect([answer.status, answer.at("code")]).toEqual([400, "request.invalid"]);
      return answer.at("data.issues");
    };
    expect(await issuesOf({ op: "remove", of: "block", id: "gone" })).toEqual([
      { path: "changeSets[1].changes[0]", message: 'refers to a missing block "gone" of this draft' },
    ]);
    expect(
      await issuesOf({ op: "set", of: "block", id: blockId, path: ["options"], value: { labels: { button: 7 } } }),
    ).toEqual([{ path: `blocks.${blockId}.options.labels.button`, message: "must be a string" }]);
    expect(await issuesOf({ op: "set", of: "theme", path: ["chat"], value: 7 })).toEqual([
      { path: "theme.chat", message: "must be an object" },
    ]);
    expect(await issuesOf({ op: "set", of: "bot", path: ["groups"], value: [{ id: "g" }, { id: "g" }] })).toEqual([
      { path: "groups.g.id", message: "must not occur twice" },
    ]);
    expect(await issuesOf({ op: "set", of: "editor", path: ["notes"], value: [{ text: "without id" }] })).toEqual([
      { path: "editor.notes", message: "must be a list of objects, each with a unique `id`" },
    ]);
    const large = "x".repeat(limits.editing.setBytes - 1_000);
    expect((await change(botId, 0, [set("Large", { of: "editor", path: ["more"], value: large })])).status).toBe(200);
    expect(
      (await change(botId, 1, [set("More", { of: "editor", path: ["again"], value: large })])).at("data.issues"),
    ).toEqual([{ path: "editor", message: "must have at most 1 MB as JSON" }]);
    const tooLarge = await change(botId, 1, [
      set("Too large", { of: "editor", path: ["x"], value: `${large}${"x".repeat(2_000)}` }),
    ]);
    expect(tooLarge.at("data.issues")).toEqual([{ path: "changeSets[0]", message: "must have at most 1 MB as JSON" }]);
    const [once] = [rename("Twice")];
    expect((await change(botId, 1, [once, once])).at("data.issues.0.path")).toBe("changeSets[1].id");
    expect((await change(botId, 9, [once])).at("data.issues")).toEqual([
      { path: "base", message: "must be at most 1" },
    ]);
    expect((await getBot(botId)).at("bot.groups.0.title")).not.toBe("Kept away");
  });

  test("change sets preserve all other data of the draft", async () => {
    const botId = await makeBot();
    const odd = [
      { id: idOf("g0"), title: "Odd", blocks: [{ id: "b-odd", type: "text input", options: { labels: 7 } }] },
    ];
    await api.deps.sql`update bots set groups = ${JSON.stringify(odd)}::text::json where id = ${botId}`;
    expect((await change(botId, 0, [rename("Renamed")])).status).toBe(200);
    const bot = await getBot(botId);
    expect(bot.at("bot.groups")).toEqual([{ ...odd[0], title: "Renamed" }]);
  });

  test("change sets on a base older than the log are refused", async () => {
    const botId = await makeBot();
    for (let base = 0; base < 3; base++) await change(botId, base, [rename(`Name ${base}`)]);
    const { sql } = api.deps;
    await sql`update bot_changes set created_at = created_at - interval '91 days' where bot_id = ${botId} and revision < 3`;
    expect(await deleteOldSets(sql, { days: limits.editing.logDays, sets: limits.editing.logSets, limit: 500 })).toBe(
      2,
    );
    const late = await change(botId, 1, [variable("late")]);
    expect([late.at("code"), late.at("data.revision"), late.at("data.conflicts")]).toEqual(["bot.conflict", 3, []]);
    expect((await get(`${botId}/changes`, { after: 0 })).at("code")).toBe("revision.not_found");
    expect((await change(botId, 2, [variable("in time")])).status).toBe(200);
  });

  test("a bot's oldest change sets are deleted above the maximum", async () => {
    const botId = await makeBot();
    for (let base = 0; base < 4; base++) await change(botId, base, [rename(`Name ${base}`)]);
    const { sql } = api.deps;
    await sql`update bot_changes set revision = revision + 10000 where bot_id = ${botId}`;
    await sql`update bots set revision = revision + 10000 where id = ${botId}`;
    const last = { days: limits.editing.logDays, sets: 1, limit: 500 };
    expect(await deleteOldSets(sql, last)).toBe(3);
    expect(await deleteOldSets(sql, last)).toBe(0);
    expect((await get(`${botId}/changes`, { after: 10_003 })).at("changeSets.*.revision")).toEqual([10_004]);
  });
});

describe("other writes of a draft", () => {
  test("a PATCH, an import and a restore of a draft are stored as change sets", async () => {
    const botId = await makeBot();
    const groups = [{ ...flow.groups[0], title: "Patched" }, flow.groups[1]];
    const patched = await send("PATCH", botId, { bot: { name: "Named", groups, editor: { notes: [{ id: "n" }] } } });
    expect(patched.at("bot")).toMatchObject({ revision: 1, name: "Named", editor: { notes: [{ id: "n" }] } });
    const named = await send("PATCH", botId, { bot: { name: "Another", groups } });
    expect(named.at("bot.revision")).toBe(1);
    expect(named.text("bot.updatedAt") > patched.text("bot.updatedAt")).toBe(true);
    const imported = await send("POST", `${botId}/import`, { bot: { ...flow, editor: { notes: [{ id: "m" }] } } });
    expect(imported.at("bot")).toMatchObject({ revision: 2, editor: { notes: [{ id: "m" }] } });
    const restored = await send("POST", `${botId}/publications/${imported.at("replacedNumber")}/restore`, {});
    expect(restored.at("bot")).toMatchObject({ revision: 3, editor: { notes: [{ id: "m" }] } });
    expect(restored.at("bot.groups.0.title")).toBe("Patched");
    const log = await get(`${botId}/changes`, { after: 0 });
    expect(log.at("changeSets.*.title")).toEqual(["Changed by a program", "Import", "Restored version 1"]);
    const back = await send("POST", `${botId}/history/2/restore`, {});
    expect(back.at("revision")).toBe(4);
    // A client's set is not marked as a restore, even if the client sends this origin.
    await change(botId, 4, [Object.assign(rename("By hand"), { origin: "restore", title: "Restored version 1" })]);
    const told = (await get(`${botId}/changes`, { after: 0 })).list("changeSets");
    expect(told.map((set) => [Object(set).title, Object(set).origin])).toEqual([
      ["Changed by a program", undefined],
      ["Import", undefined],
      ["Restored version 1", "restore"],
      ["Restored revision 2", "restore"],
      ["Restored version 1", undefined],
    ]);
    // This release ignores an origin of a later release. Older rows have no origin.
    await api.deps.sql`update bot_changes set origin = 'future' where bot_id = ${botId} and revision = 3`;
    await api.deps.sql`update bot_changes set origin = null where bot_id = ${botId} and revision = 4`;
    const later = (await get(`${botId}/changes`, { after: 0 })).list("changeSets");
    expect(later.filter((set) => "origin" in Object(set))).toEqual([]);
    expect(log.at("changeSets.0.changes")).toEqual([
      { op: "set", of: "group", id: idOf("g0"), path: ["title"], value: "Patched" },
      { op: "add", of: "note", value: { id: "n" } },
    ]);
  });

  test("concurrent writes without updatedAt are all stored", async () => {
    const botId = await makeBot();
    const seen = (await getBot(botId)).text("bot.updatedAt");
    await change(botId, 0, [rename("Theirs")], friend);
    const refused = await send("PATCH", botId, { bot: { variables: [], updatedAt: seen } });
    expect([refused.status, refused.at("data.updatedAt")]).toEqual([409, (await getBot(botId)).at("bot.updatedAt")]);
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        place.nodes[index % 2 === 0 ? 0 : 1].client.patch(`/api/v1/bots/${botId}`, {
          token: owner.token,
          body: { bot: { variables: [{ id: `p${index}`, name: "P" }] } },
        }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(answers.map((answer) => answer.at("bot.revision")).toSorted()).toEqual([2, 3, 4, 5, 6, 7, 8, 9]);
  });

  test("the editor's own data is in exports but not in versions", async () => {
    const botId = await makeBot();
    const published = await send("POST", `${botId}/publish`, {});
    await change(botId, 0, [note("n1")]);
    const again = await send("POST", `${botId}/publish`, { revision: 1 });
    expect([published.at("number"), again.at("number")]).toEqual([1, 2]);
    expect((await get(`${botId}/publications`)).at("publications.*.hash")).toEqual(
      Array(2).fill((await get(`${botId}/publications`)).at("publications.0.hash")),
    );
    expect(JSON.stringify((await get(`${botId}/publications/2`)).body)).not.toContain("Look");
    const file = await get(`${botId}/export`);
    expect(file.at("editor")).toEqual({ notes: [{ id: "n1", text: "Look" }] });
    const copied = await send("POST", `${botId}/duplicate`, {});
    expect(copied.at("bot")).toMatchObject({ revision: 0, editor: file.at("editor") });
    const imported = await api.client.post("/api/v1/bots/import", {
      token: owner.token,
      body: { workspaceId, bot: file.body },
    });
    expect(imported.at("bot.editor")).toEqual(file.at("editor"));
    const existing = await api.client.get(`/api/v1/typebots/${botId}`, { token: owner.token });
    expect(Object.keys(Object(existing.at("typebot")))).not.toContain("editor");
    expect(Object.keys(Object(existing.at("typebot")))).not.toContain("revision");
    await send("PATCH", botId, { bot: { settings: { publicShare: { isEnabled: true } } } });
    const stranger = await api.makeUser();
    const glanced = await api.client.get(`/api/v1/bots/${botId}`, { token: stranger.token });
    expect([glanced.at("currentUserMode"), glanced.at("bot.editor")]).toEqual(["guest", null]);
  });

  test("a publication that requests an earlier revision of the draft is refused", async () => {
    const botId = await makeBot();
    await change(botId, 0, [rename("Newer")]);
    const refused = await send("POST", `${botId}/publish`, { revision: 0 });
    expect([refused.status, refused.at("code"), refused.at("data.revision")]).toEqual([409, "bot.conflict", 1]);
  });
});

function rename(title: string): ChangeSet {
  return set(`Rename to ${title}`, { of: "group", id: idOf("g0"), path: ["title"], value: title });
}

function variable(id: string): ChangeSet {
  return set("Variable", { op: "add", of: "variable", value: { id, name: id } });
}

function note(id: string): ChangeSet {
  return set("Note", { op: "add", of: "note", value: { id, text: "Look" } });
}

type Value = Omit<Extract<Change, { op: "set" }>, "op">;

function set(title: string, change: Change | Value): ChangeSet {
  return { id: newId(), title, changes: ["op" in change ? change : { op: "set", ...change }] };
}

async function makeBot(): Promise<string> {
  const made = await api.client.post("/api/v1/bots", { token: owner.token, body: { workspaceId, bot: flow } });
  return made.text("bot.id");
}

function change(botId: string, base: number, changeSets: ChangeSet[], user = owner, node = 0): Promise<Answer> {
  const { client } = place.nodes[node % 2 === 0 ? 0 : 1];
  return client.post(`/api/v1/bots/${botId}/changes`, { token: user.token, body: { base, changeSets } });
}

function getBot(botId: string): Promise<Answer> {
  return get(botId);
}

function get(path: string, query: Record<string, number | string> = {}): Promise<Answer> {
  return api.client.get(`/api/v1/bots/${path}`, { token: owner.token, query });
}

function send(method: string, path: string, body: object): Promise<Answer> {
  return api.client.send(method, `/api/v1/bots/${path}`, { token: owner.token, body });
}
