import { afterAll, beforeAll, expect, test } from "bun:test";
import { insight } from "../../../src/management/insight/insight.job.ts";
import { createTestApi, type TestApi, type TestUser } from "../../support/api.ts";
import { idOf } from "../../support/builder-ids.ts";
import { asks, flowOf, publish, say, says, start } from "../../support/chat.ts";
import { putResult } from "../../support/results.ts";
import { createThreads, type Threads } from "../../support/threads.ts";
import { forgetMeasures } from "./forgotten-measures.ts";

let api: TestApi;
let threads: Threads;
let owner: TestUser;
let workspaceId: string;

beforeAll(async () => {
  threads = createThreads({ count: 1 });
  api = await createTestApi({ threads });
  owner = await api.makeUser();
  workspaceId = await api.makeWorkspace(owner);
});
afterAll(async () => {
  await threads.close();
  await api.close();
});

const flow = flowOf([says("Hello"), asks("text input", {}, { id: "word" }), asks("text input", {}, { id: "why" })]);

async function count(): Promise<void> {
  const job = insight(api.deps.sql);
  while ((await job.removeSome()) > 0);
}

async function figuresOf(botId: string) {
  const answer = await api.client.get(`/api/v1/bots/${botId}/insight`, { token: owner.token });
  const { asOf: _, ...figures } = Object(answer.at("insight"));
  return figures;
}

/** Creates the counts of a release that did not count silent chats, and deletes the chats' steps. */
async function countAsBefore(botId: string): Promise<void> {
  const { sql } = api.deps;
  await forgetMeasures(sql, { botId, kinds: ["silent"] });
  // Postpone the results, so that the search for new chats does not find them.
  await sql`update insight_results set next_at = clock() + interval '1 hour' where bot_id = ${botId}`;
  await sql`delete from steps where bot_id = ${botId}`;
  await sql`update sessions set expires_at = clock() where bot_id = ${botId}`;
}

async function revisionsOf(botId: string): Promise<readonly number[]> {
  const rows = await api.deps.sql<{ revision: number }[]>`
    select revision from insight_results where bot_id = ${botId} order by result_id`;
  return rows.map(({ revision }) => revision);
}

test("unanswered chats of an earlier release are counted as silent only once", async () => {
  const place = { token: owner.token, workspaceId };
  const bot = await publish(api.client, place, flow);
  for (const said of [[], [], [], ["so"], ["so"], ["so", "because"]]) {
    const started = await start(api.client, bot.publicId);
    for (const reply of said) await say(api.client, started.text("sessionId"), reply);
  }
  // Add an imported result, which waits at no question.
  await putResult(api.deps.sql, bot.botId, {});
  const other = await publish(api.client, place, flow);
  await start(api.client, other.publicId);
  await count();
  const figures = await figuresOf(bot.botId);
  const word = { blockId: "word", reached: 6, answered: 3, left: 3, silent: 3 };
  const why = { blockId: "why", reached: 3, answered: 1, left: 2, silent: 0 };
  expect(figures).toMatchObject({ views: 7, starts: 3, completions: 1 });
  expect(figures.blocks).toMatchObject([{ blockId: idOf("says Hello"), reached: 6 }, word, why]);

  await countAsBefore(bot.botId);
  expect((await figuresOf(bot.botId)).blocks).toMatchObject([{ reached: 6 }, { ...word, silent: 0 }, why]);
  const before = await revisionsOf(bot.botId);
  const untouched = await revisionsOf(other.botId);
  await count();
  expect(await figuresOf(bot.botId)).toEqual(figures);
  const after = await revisionsOf(bot.botId);
  expect(after.filter((revision, index) => revision !== before[index])).toHaveLength(3);

  // Another process finds no further result.
  await count();
  expect(await revisionsOf(bot.botId)).toEqual(after);
  expect(await revisionsOf(other.botId)).toEqual(untouched);
});
