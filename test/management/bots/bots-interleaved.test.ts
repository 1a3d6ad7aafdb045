import { afterEach, beforeEach, expect, test } from "bun:test";
import fc from "fast-check";
import type { TestApi, TestUser } from "../../support/api.ts";
import { idOf } from "../../support/builder-ids.ts";
import type { Answer } from "../../support/client.ts";
import { actAtOnce, createInterleavings, type Interleavings, limitMsOf } from "../../support/interleavings.ts";

let cluster: Interleavings;
let api: TestApi;
let owner: TestUser;

beforeEach(async () => {
  cluster = await createInterleavings();
  [api] = cluster.nodes;
  owner = await api.makeUser();
});
afterEach(() => cluster.close());

const runs = 6;
const folderCount = 4;
const botCount = 3;

type Act = {
  readonly verb: (typeof verbs)[number];
  readonly one: number;
  readonly other: number;
  readonly flag: boolean;
};

const verbs = [
  "move folder",
  "delete folder",
  "restore folder",
  "place bot",
  "rename bot",
  "delete bot",
  "restore bot",
  "archive bot",
  "move bot",
  "duplicate bot",
  "import into bot",
  "bulk delete",
  "bulk move",
  "new folder",
  "delete workspace",
  "restore workspace",
  "restore workspace",
] as const;

const act: fc.Arbitrary<Act> = fc.record({
  verb: fc.constantFrom(...verbs),
  one: fc.nat(11),
  other: fc.nat(11),
  flag: fc.boolean(),
});

test(
  "concurrent operations on folders and bots leave a valid tree",
  async () => {
    const story = fc.tuple(fc.array(act, { minLength: 20, maxLength: 40 }), fc.integer({ min: 2, max: 6 }));
    await cluster.check(
      story,
      async ([acts, writers]) => {
        const place = await makePlace();
        const faults: string[] = [];
        await actAtOnce(acts, writers, async (next) => {
          const { status, body } = await perform(place, next);
          if (status >= 500) faults.push(`${next.verb}: ${JSON.stringify(body)}`);
        });

        expect(faults).toEqual([]);
        expect(await oddities(place)).toEqual([]);
        await restoreEverything(place);
        expect(await oddities(place)).toEqual([]);
      },
      runs,
    );
  },
  limitMsOf(runs),
);

test("concurrent changes of a bot are each stored or refused with 409", async () => {
  const { botIds } = await makePlace();
  const [botId = ""] = botIds;
  const names = Array.from({ length: 12 }, (_, index) => `v${index}`);
  const seen = await get(`bots/${botId}`);
  const answers = await Promise.all([
    ...names.map((name) =>
      send("PATCH", `bots/${botId}`, { bot: { variables: [{ id: name, name }], updatedAt: seen.at("bot.updatedAt") } }),
    ),
    ...["🎈", "🎺"].map((icon) => send("PATCH", `bots/${botId}`, { bot: { icon } })),
    send("POST", `bots/${botId}/import`, { bot: { version: "6", theme: { imported: true } } }),
  ]);

  const won = answers.slice(0, names.length).filter(({ status }) => status === 200);
  expect(won.length).toBeLessThanOrEqual(1);
  expect(answers.slice(0, names.length).every(({ status }) => status === 200 || status === 409)).toBe(true);
  expect(answers.slice(names.length).map(({ status }) => status)).toEqual([200, 200, 200]);
  const now = await get(`bots/${botId}`);
  expect(["🎈", "🎺"]).toContain(now.text("bot.icon"));
  expect(now.at("bot.theme")).toMatchObject({ imported: true });
  const versions = await get(`bots/${botId}/publications`);
  expect(versions.list("publications")).toHaveLength(1);
});

type Place = {
  readonly workspaceId: string;
  readonly otherId: string;
  readonly folderIds: string[];
  readonly botIds: readonly string[];
};

async function makePlace(): Promise<Place> {
  const [workspaceId, otherId] = [await api.makeWorkspace(owner), await api.makeWorkspace(owner)];
  const folderIds: string[] = [];
  for (let index = 0; index < folderCount; index++) {
    const parentFolderId = folderIds.at(-1) ?? null;
    folderIds.push((await send("POST", "folders", { workspaceId, parentFolderId })).text("folder.id"));
  }
  const botIds: string[] = [];
  for (let index = 0; index < botCount; index++) {
    const bot = { name: `B${index}`, publicId: `${workspaceId}-${index}`, folderId: folderIds[index] };
    botIds.push((await send("POST", "bots", { workspaceId, bot })).text("bot.id"));
  }
  return { workspaceId, otherId, folderIds, botIds };
}

function perform({ workspaceId, otherId, folderIds, botIds }: Place, { verb, one, other, flag }: Act): Promise<Answer> {
  const folderId = folderIds[one % folderIds.length] ?? "";
  const target = flag ? null : (folderIds[other % folderIds.length] ?? null);
  const botId = botIds[one % botIds.length] ?? "";
  const call = {
    "move folder": () => send("PATCH", `folders/${folderId}`, { folder: { parentFolderId: target } }),
    "delete folder": () => send("DELETE", `folders/${folderId}`, { withContent: flag }),
    "restore folder": () => send("POST", `folders/${folderId}/restore`, {}),
    "place bot": () => send("PATCH", `bots/${botId}`, { bot: { folderId: target } }),
    "rename bot": () => send("PATCH", `bots/${botId}`, { bot: { name: `N${other}` } }),
    "delete bot": () => send("DELETE", `bots/${botId}`, {}),
    "restore bot": () => send("POST", `bots/${botId}/restore`, {}),
    "archive bot": () => send("POST", `bots/${botId}/archive`, {}),
    "move bot": () =>
      send("POST", `bots/${botId}/move`, { workspaceId: flag ? otherId : workspaceId, folderId: flag ? null : target }),
    "duplicate bot": () => send("POST", `bots/${botId}/duplicate`, other < 3 ? {} : { folderId: target }),
    "import into bot": () =>
      send("POST", `bots/${botId}/import`, {
        bot: { version: "6", variables: [{ id: idOf("v"), name: `V${other}` }] },
      }),
    "bulk delete": () => send("POST", "bots/bulk", { action: "delete", botIds: botIds.slice(0, 2) }),
    "bulk move": () =>
      send("POST", "bots/bulk", { action: "move", botIds: botIds.toReversed(), folderId: target, workspaceId }),
    "new folder": () => send("POST", "folders", { workspaceId, parentFolderId: target }),
    "delete workspace": () => send("DELETE", `workspaces/${workspaceId}`, {}),
    "restore workspace": () => send("POST", `workspaces/${workspaceId}/restore`, {}),
  }[verb];
  return call();
}

/**
 * Returns states that must never occur, for example cycles of folders, active objects in a folder of the bin, or bots
 * without their address.
 */
async function oddities({ workspaceId, otherId, botIds }: Place): Promise<string[]> {
  const { sql } = api.deps;
  const rows = await sql<{ what: string }[]>`
    with recursive up (id, parent, depth) as (
      select id, parent_folder_id, 0 from folders where workspace_id = ${workspaceId} and deleted_at is null
      union all
      select up.id, folders.parent_folder_id, depth + 1 from up join folders on folders.id = up.parent where depth < 100
    )
    select 'a cycle of folders' as what from up where depth >= 100
    union all
    select 'a folder in one of the bin'
    from folders join folders as parents on parents.id = folders.parent_folder_id
    where folders.workspace_id = ${workspaceId} and folders.deleted_at is null and parents.deleted_at is not null
    union all
    select 'a bot in a folder of the bin'
    from bots join folders on folders.id = bots.folder_id
    where bots.workspace_id in (${workspaceId}, ${otherId}) and bots.deleted_at is null and folders.deleted_at is not null
    union all
    select 'a bot in a folder of another workspace'
    from bots join folders on folders.id = bots.folder_id
    where bots.workspace_id in (${workspaceId}, ${otherId}) and bots.deleted_at is null and folders.workspace_id <> bots.workspace_id
    union all
    select 'a deleted bot that is not archived, or has an address'
    from bots
    where workspace_id in (${workspaceId}, ${otherId}) and deleted_at is not null and (not is_archived or public_id is not null)
    union all
    select 'a bot in use in a workspace of the bin'
    from bots join workspaces on workspaces.id = bots.workspace_id
    where bots.workspace_id in (${workspaceId}, ${otherId}) and bots.deleted_at is null and workspaces.deleted_at is not null
    union all
    select 'a bot in use without its address'
    from bots
    where id = any(${[...botIds]}::uuid[]) and deleted_at is null and public_id is null`;
  const [count] = await sql<
    { count: number }[]
  >`select count(*)::integer as count from bots where id = any(${[...botIds]}::uuid[])`;
  return [...rows.map(({ what }) => what), ...(count?.count === botIds.length ? [] : ["a bot is lost"])];
}

async function restoreEverything({ workspaceId, otherId, folderIds, botIds }: Place): Promise<void> {
  await send("POST", `workspaces/${workspaceId}/restore`, {});
  for (const folderId of folderIds) await send("POST", `folders/${folderId}/restore`, {});
  // The first restore moves a bot from the bin to the archive if it was archived before, and the second restores it
  // from the archive.
  for (const botId of [...botIds, ...botIds]) await send("POST", `bots/${botId}/restore`, {});
  const listed = await Promise.all(
    [workspaceId, otherId].map((id) =>
      api.client.get("/api/v1/bots", { token: owner.token, query: { workspaceId: id, limit: 100 } }),
    ),
  );
  const ids = listed.flatMap((answer) => answer.list("bots").map((_, index) => answer.text(`bots.${index}.id`)));
  expect(ids).toEqual(expect.arrayContaining([...botIds]));
}

let turn = 0;

function send(method: string, path: string, body: object) {
  return cluster.send(turn++, method, `/api/v1/${path}`, { token: owner.token, body });
}

function get(path: string) {
  return api.client.get(`/api/v1/${path}`, { token: owner.token });
}
