import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { apply } from "../../../../src/core/editing/changes/apply.ts";
import type { Change, ChangeSet, DraftDocument } from "../../../../src/core/editing/changes/change.ts";
import { nameConnections } from "../../../../src/platform/database/connections.sql.ts";
import { createOlderNodes } from "../../../../src/platform/database/schema/older-nodes.ts";
import { connect } from "../../../../src/platform/database/sql.ts";
import { newId } from "../../../../src/platform/ids.ts";
import { asDraft, createDice } from "../../../core/editing/commands.ts";
import type { TestApi, TestUser } from "../../../support/api.ts";
import { idOf } from "../../../support/builder-ids.ts";
import { asks, flowOf, says } from "../../../support/chat.ts";
import type { Answer } from "../../../support/client.ts";
import { watchLive } from "../../../support/live-draft.ts";
import { createTestNodes, type TestNodes } from "../../../support/nodes.ts";
import { createVirtualClock } from "../../../support/virtual-clock.ts";

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

// The node of this test caches the result of the check, so the other tests use the other node.
test("text edits are refused while a node of an earlier release is connected", async () => {
  const botId = await makeBot("One");
  const endNode = await connectNode(52);
  const edit = typed(3, " two");
  const refused = await send(botId, 1, [edit], { node: 1 });
  expect([refused.status, refused.at("code")]).toEqual([400, "request.invalid"]);
  expect(refused.at("data.issues.*.path")).toEqual(["changeSets[0].changes[0].op"]);
  expect((await send(botId, 1, [whole("One two")])).status).toBe(200);

  await endNode();
  const endNewer = await connectNode(53);
  const answer = await send(botId, 2, [typed(7, " three")]);
  expect(answer.at("revision")).toBe(3);
  expect(await titleOf(botId)).toBe("One two three");
  await endNewer();
});

test("the check for older nodes runs at most once in 15 seconds", async () => {
  const clock = createVirtualClock();
  const nodes = createOlderNodes({ sql: api.deps.sql, clock });
  const endNode = await connectNode(52);
  expect(await nodes.areConnected("edits")).toBe(true);
  await endNode();
  await clock.advance(14_000);
  expect(await nodes.areConnected("edits")).toBe(true);
  await clock.advance(1_000);
  expect(await nodes.areConnected("edits")).toBe(false);
});

describe("an editor that does not support edits", () => {
  test("an older editor's replaced text is merged as edits", async () => {
    const botId = await makeBot("One");
    await send(botId, 1, [typed(0, "The ", 3)], { user: friend });
    const mine = whole("One two");
    const answer = await send(botId, 1, [mine]);
    expect(answer.at("revision")).toBe(3);
    expect(await titleOf(botId)).toBe("The One two");
    const changes = [{ op: "set", of: "group", id: idOf("g0"), path: ["title"], value: "The One two" }];
    expect(answer.at("others")).toMatchObject([
      { revision: 2, by: { userId: friend.userId }, changes },
      { revision: 3, id: mine.id, changes },
    ]);
    const log = await read(botId, { after: 2, knows: "edit" });
    expect(log.at("changeSets.*.changes.*.op")).toEqual([["edit"]]);
  });

  test("an older editor's replaced paragraph is merged as letter edits", async () => {
    const botId = await makeBot("One");
    const bot = await get(botId);
    const blockId = bot.text("bot.groups.0.blocks.0.id");
    const text = bot.text("bot.groups.0.blocks.0.content.richText.0.children.0.text");
    const path = ["content", "richText"];
    const ops = [{ put: [{ text: "Oh, " }] }, { keep: text.length + 1 }];
    const edit = act({ op: "edit", of: "block", id: blockId, path, text: "rich", ops });
    expect((await send(botId, 1, [edit], { user: friend })).status).toBe(200);
    const leaf = [...path, 0, "children", 0, "text"];
    const answer = await send(botId, 1, [act({ op: "set", of: "block", id: blockId, path: leaf, value: `${text}!` })]);
    expect(answer.status).toBe(200);
    expect((await get(botId)).at("bot.groups.0.blocks.0.content.richText.0.children.0.text")).toBe(`Oh, ${text}!`);
  });

  test("an older editor must read the draft again after a conflict", async () => {
    const botId = await makeBot("One");
    const note = act({ op: "add", of: "note", value: { id: "n1", text: "Look" } });
    await send(botId, 1, [note, typed(0, "The ", 3)], { user: friend });
    const variable = act({ op: "add", of: "variable", value: { id: "v9", name: "v9" } });
    const removal = act({ op: "remove", of: "group", id: idOf("g0") });
    const clash = await send(botId, 1, [variable, removal]);
    expect([clash.status, clash.at("code")]).toEqual([409, "bot.conflict"]);
    expect([clash.at("data.others"), clash.at("data.conflicts")]).toEqual([[], []]);

    const written = await send(botId, 1, [variable]);
    expect(written.at("others.*.changes.0.op")).toEqual(["add", "set"]);
    const again = await send(botId, 1, [variable]);
    expect([again.status, again.at("data.others"), again.at("data.conflicts")]).toEqual([409, [], []]);
    expect((await send(botId, 4, [variable])).at("others")).toEqual([]);
  });

  test("an older editor gets no log entries that contain edits", async () => {
    const botId = await makeBot("One");
    const [older, newer] = [await watchLive(api, owner, botId, 1), await watchLive(api, owner, botId, 1, "edit")];
    await send(botId, 1, [typed(3, " two")], { user: friend });
    expect(await older.next()).toEqual({ event: "closed", data: { reason: "behind" } });
    expect(await older.next()).toBeUndefined();
    expect(await newer.next()).toMatchObject({ event: "changes", id: "2" });
    await newer.stop();

    expect((await read(botId, { after: 1 })).at("code")).toBe("revision.not_found");
    expect((await read(botId, { after: 1, knows: "edit" })).at("changeSets.*.revision")).toEqual([2]);
    expect((await read(botId, { after: 2 })).list("changeSets")).toEqual([]);
    const late = await api.client.get(`/api/v1/bots/${botId}/live`, { token: owner.token, query: { after: 1 } });
    expect(late.at("code")).toBe("revision.not_found");
  });

  test("an older editor loses no letters when others type too", async () => {
    let merged = 0;
    for (let seed = 1; seed <= 4; seed++) {
      const botId = await makeBot("");
      const dice = createDice(seed);
      const old = await openOldPage(botId);
      let [letters, before] = ["", await titleOf(botId)];
      for (const letter of "abcdefghijkl") {
        letters += letter;
        if (dice.oneIn(2)) {
          const at = dice.below(before.length + 1);
          const { revision, title } = await newest(botId);
          const place = Math.min(at, title.length);
          expect(
            (await send(botId, revision, [typed(place, letter, title.length - place)], { user: friend })).status,
          ).toBe(200);
          if (dice.oneIn(3)) await old.catchUp();
        } else if (await old.type(letter, dice.below(old.title().length + 1))) merged++;
        before = await titleOf(botId);
        expect([...before].sort().join("")).toBe(letters);
      }
      await old.catchUp();
      expect(old.title()).toBe(before);
    }
    expect(merged).toBeGreaterThan(0);
  });
});

/**
 * Opens a page of a release that does not support the change `edit`. The page sends whole texts, and ignores unknown
 * changes of the log.
 */
async function openOldPage(botId: string) {
  let { draft, revision } = await newest(botId);
  const title = () => titleIn(draft);
  const take = (log: readonly { readonly revision: number; readonly changes: readonly Change[] }[]): void => {
    for (const set of log) {
      if (set.revision !== revision + 1) throw new Error("A set is missing");
      draft = asDraft(
        apply(
          draft,
          set.changes.filter(({ op }) => op !== "edit"),
        ),
      );
      revision = set.revision;
    }
  };
  const catchUp = async (): Promise<void> => {
    const log = await read(botId, { after: revision });
    if (log.at("code") === "revision.not_found") ({ draft, revision } = await newest(botId));
    else take(setsIn(log.list("changeSets")));
  };
  return {
    title,
    catchUp,
    /** Types a letter. Returns whether other editors had written in the meantime, so that the text was merged. */
    async type(letter: string, at: number): Promise<boolean> {
      const set = whole(`${title().slice(0, at)}${letter}${title().slice(at)}`);
      const answer = await send(botId, revision, [set]);
      if (answer.status === 200) {
        const others = setsIn(answer.list("others"));
        const isOwn = others.some(({ id }) => id === set.id);
        take(isOwn ? others : [...others, { ...set, revision: Number(answer.at("revision")) }]);
        return others.length > 0;
      }
      // The author decides to keep both texts.
      expect([answer.at("data.others"), answer.at("data.conflicts")]).toEqual([[], []]);
      await catchUp();
      return this.type(letter, Math.min(at, title().length));
    },
  };
}

type Told = { readonly id: string; readonly revision: number; readonly changes: readonly Change[] };

function setsIn(list: readonly unknown[]): readonly Told[] {
  return list.filter(isTold);
}

function isTold(value: unknown): value is Told {
  return typeof value === "object" && value !== null && "id" in value && "changes" in value;
}

async function newest(botId: string): Promise<{ draft: DraftDocument; revision: number; title: string }> {
  const bot = await get(botId);
  const draft = asDraft(Object(bot.at("bot")));
  return { draft, revision: Number(bot.at("bot.revision")), title: titleIn(draft) };
}

function titleIn({ groups }: DraftDocument): string {
  return Array.isArray(groups) ? String(groups[0]?.title ?? "") : "";
}

async function titleOf(botId: string): Promise<string> {
  return (await newest(botId)).title;
}

/** Opens a database connection like a node whose newest migration is `newest`. */
async function connectNode(newest: number): Promise<() => Promise<void>> {
  const node = connect(nameConnections(api.databaseUrl, 1, newest).url, { connections: 1 });
  await node`select 1`;
  return () => node.end();
}

async function makeBot(title: string): Promise<string> {
  const bot = flowOf([says("Hello"), asks("text input")], [says("Bye")]);
  const made = await api.client.post("/api/v1/bots", { token: owner.token, body: { workspaceId, bot } });
  const botId = made.text("bot.id");
  await send(botId, 0, [whole(title)]);
  return botId;
}

function act(change: Change): ChangeSet {
  return { id: newId(), title: "Act", changes: [change] };
}

function whole(value: string): ChangeSet {
  return act({ op: "set", of: "group", id: idOf("g0"), path: ["title"], value });
}

function typed(keep: number, put: string, rest = 0): ChangeSet {
  const ops = [...(keep > 0 ? [{ keep }] : []), { put }, ...(rest > 0 ? [{ keep: rest }] : [])];
  return act({ op: "edit", of: "group", id: idOf("g0"), path: ["title"], text: "plain", ops });
}

type Sender = { readonly user?: TestUser; readonly node?: 0 | 1 };

function send(botId: string, base: number, changeSets: ChangeSet[], { user = owner, node = 0 }: Sender = {}) {
  const { client } = place.nodes[node];
  return client.post(`/api/v1/bots/${botId}/changes`, { token: user.token, body: { base, changeSets } });
}

function read(botId: string, query: Record<string, number | string>): Promise<Answer> {
  return api.client.get(`/api/v1/bots/${botId}/changes`, { token: owner.token, query });
}

function get(botId: string): Promise<Answer> {
  return api.client.get(`/api/v1/bots/${botId}`, { token: owner.token });
}
