import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { copyBot, copyResults } from "../../../src/management/bots/places/bot-copies.sql.ts";
import { readResultValues } from "../../../src/management/counts/result-values.sql.ts";
import { listBotsAfterCopies } from "../../../src/management/person-erasures/person-erasures.sql.ts";
import { eraseNamedResults } from "../../../src/management/row-erasure/bin-erasure.ts";
import { inTurn } from "../../../src/platform/database/turns.sql.ts";
import { newId, shardOf } from "../../../src/platform/ids.ts";
import { createTestApi, type TestApi, type TestUser } from "../../support/api.ts";
import { idOf } from "../../support/builder-ids.ts";
import { putResult } from "../../support/results.ts";
import { waitFor } from "../../support/wait.ts";

let api: TestApi;
let owner: TestUser;
let workspaceId: string;
let botId: string;
let resultId: string;

beforeAll(async () => {
  api = await createTestApi();
  owner = await api.makeUser();
});
afterAll(() => api.close());

const email = { id: idOf("e"), name: "Email" };

async function putPerson(): Promise<void> {
  workspaceId = await api.makeWorkspace(owner);
  const made = await api.client.post("/api/v1/bots", {
    token: owner.token,
    body: { workspaceId, bot: { variables: [email] } },
  });
  botId = made.text("bot.id");
  const variables = [{ ...email, value: "ada" }];
  ({ resultId } = await putResult(api.deps.sql, botId, { variables, answers: [{ content: "ada" }] }));
}

/** Runs the work in a transaction, and commits it once `meanwhile` waits for a lock in a matching statement. */
async function held<Value>(
  work: (sql: Parameters<Parameters<typeof inTurn>[1]>[0]) => Promise<unknown>,
  { meanwhile, statement }: { meanwhile: () => Promise<Value>; statement: string },
): Promise<Value> {
  let waiting: Promise<Value> | undefined;
  await inTurn(api.deps.sql, async (transaction) => {
    await work(transaction);
    waiting = meanwhile();
    await waitFor(async () => {
      const rows = await api.deps.sql`
        select
        from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query like ${`%${statement}%`}`;
      return rows.length > 0;
    });
  });
  if (!waiting) throw new Error("Something was to be done meanwhile");
  return waiting;
}

describe("a copy of a bot with its results", () => {
  const copy = (salt = crypto.randomUUID()) => {
    const id = newId();
    const work = async (sql: Parameters<typeof copyBot>[0]) => {
      expect(await copyBot(sql, { fromBotId: botId, id, name: "Copy", folderId: undefined })).toBe(true);
      const copied = await copyResults(sql, { fromBotId: botId, toBotId: id, salt }, { after: null, limit: 10 });
      expect(copied.count).toBe(1);
    };
    return { id, work };
  };

  test("an erasure waits for a running copy of a bot", async () => {
    await putPerson();
    const { id, work } = copy();
    const body = { variable: "Email", value: "ada" };
    const erased = await held(work, {
      meanwhile: () =>
        api.client.post(`/api/v1/workspaces/${workspaceId}/person-erasures`, { token: owner.token, body }),
      statement: "for no key update",
    });

    expect(erased.at("personErasure")).toMatchObject({ outcome: "erased", isComplete: true, results: 2 });
    expect(erased.at("personErasure.bots")).toEqual([
      expect.objectContaining({ botId, results: 1 }),
      expect.objectContaining({ botId: id, name: "Copy", results: 1 }),
    ]);
    const left = await api.deps.sql`select from answers where bot_id = any(${[botId, id]}::uuid[])`;
    expect(left).toHaveLength(0);
  });

  test("an erasure does not wait for a copy of a bot beyond a time limit", async () => {
    await putPerson();
    const { sql } = api.deps;
    await inTurn(sql, async (transaction) => {
      await copy().work(transaction);
      expect(await listBotsAfterCopies(sql, { workspaceId, ms: 20 })).toBeUndefined();
    });
    expect(await listBotsAfterCopies(sql, { workspaceId, ms: 20 })).toHaveLength(2);
  });
});

describe("values of a result", () => {
  const values = async () => [...(await api.deps.sql`select value from result_values where result_id = ${resultId}`)];

  test("values of a result are not indexed while the result is locked", async () => {
    await putPerson();
    const { sql } = api.deps;
    await sql`insert into results_to_read (shard, result_id) select shard, id from results where id = ${resultId}`;
    await inTurn(sql, async (transaction) => {
      await transaction`select from results where id = ${resultId} for update`;
      await readResultValues(sql, [{ shard: shardOf(resultId), resultId }]);
    });
    expect(await values()).toEqual([]);

    await readResultValues(sql, [{ shard: shardOf(resultId), resultId }]);
    expect(await values()).toEqual([{ value: "ada" }]);
  });
});

test("texts of a running step are erased with their result", async () => {
  await putPerson();
  const { sql } = api.deps;
  await sql`
    insert into answers_under_way (session_id, step_id, said, content, written_at)
    select id, id, 'ada', 'ada', clock() from sessions where result_id = ${resultId}`;
  await eraseNamedResults(sql, { botId, resultIds: [resultId] });

  expect([...(await sql`select from answers_under_way`)]).toEqual([]);
});
