import { afterAll, beforeAll, expect, test } from "bun:test";
import { returnReservations } from "../../../src/management/models/left-reservations.sql.ts";
import {
  findSpending,
  type ModelReservation,
  makeSpending,
  reserveSpending,
  settleSpending,
} from "../../../src/management/models/model-spending.sql.ts";
import { newId } from "../../../src/platform/ids.ts";
import { createTestDatabase, type TestDatabase } from "../../support/database.ts";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase({ connections: 16 });
});
afterAll(() => database.close());

const none = { tokens: null, money: null };
const unbounded = { day: none, month: none };

async function makeWorkspace(): Promise<string> {
  const id = newId();
  await database.sql`insert into workspaces (id, name) values (${id}, 'Spends')`;
  return id;
}

const sent = { tokens: 0, money: 0 };

function callOf(workspaceId: string, botId: string): ModelReservation {
  return { id: newId(), workspaceId, botId, type: "openai", model: "echo", tokens: 100, money: 1, sent };
}

async function reserve(call: ModelReservation, budgets: Parameters<typeof reserveSpending>[2]) {
  const first = await reserveSpending(database.sql, call, budgets);
  if (first.kind !== "missing") return first.kind;
  await makeSpending(database.sql, call);
  return (await reserveSpending(database.sql, call, budgets)).kind;
}

test("six hundred simultaneous calls of three bots exceed no budget", async () => {
  const { sql } = database;
  const workspaceId = await makeWorkspace();
  const botIds = [newId(), newId(), newId()];
  const budgets = {
    ofWorkspace: { day: { tokens: 3_000, money: null }, month: none },
    ofBot: { day: none, month: { tokens: 1_500, money: 14 } },
  };
  for (const botId of botIds) await makeSpending(sql, { workspaceId, botId });
  const outcomes = await Promise.all(
    Array.from({ length: 600 }, async (_, index) => {
      const call = callOf(workspaceId, botIds[index % 3] ?? "");
      const kind = await reserve(call, budgets);
      if (kind === "refused" && index % 5 === 0) await returnReservations(sql, workspaceId);
      if (kind !== "taken") return kind;
      if (index % 7 === 0) {
        await sql`update model_reservations set created_at = created_at - interval '10 minutes' where id = ${call.id}`;
        return "died";
      }
      const spent = await settleSpending(sql, call, { isMade: true, in: 60, cached: 0, out: 40, money: 1 });
      return spent.every(({ botId, day, month }) => day.tokens <= 3_000 && (botId === null || month.money <= 14))
        ? "settled"
        : "passed a budget";
    }),
  );
  await returnReservations(sql, undefined);

  const count = (wanted: string) => outcomes.filter((outcome) => outcome === wanted).length;
  expect([...new Set(outcomes)].toSorted()).toEqual(["died", "refused", "settled"]);
  const spent = { tokens: count("settled") * 100, money: count("settled") };
  expect(await findSpending(sql, workspaceId)).toMatchObject({ day: spent, reserved: { tokens: 0, money: 0 } });
  const left = await sql`select from model_spending where reserved_tokens <> 0 or reserved_money <> 0`;
  expect(left).toHaveLength(0);
  const [used] = await sql`
    select sum(calls)::integer as calls, sum(tokens_in + tokens_out)::integer as tokens
    from model_usage
    where workspace_id = ${workspaceId}`;
  expect(used).toEqual({ calls: count("settled") + count("died"), tokens: spent.tokens });
});

test("a budget of zero refuses even a call that costs nothing", async () => {
  const free = { ...callOf(await makeWorkspace(), newId()), tokens: 0, money: 0 };
  const ofWorkspace = { day: { tokens: null, money: 0 }, month: none };
  expect(await reserve(free, { ofWorkspace, ofBot: unbounded })).toBe("refused");
  expect(await reserve(free, { ofWorkspace: unbounded, ofBot: unbounded })).toBe("taken");
});

test("spending of another month does not count in the current month", async () => {
  const { sql } = database;
  const call = callOf(await makeWorkspace(), newId());
  const settle = async (one: ModelReservation) => {
    await reserve(one, { ofWorkspace: unbounded, ofBot: unbounded });
    return settleSpending(sql, one, { isMade: true, in: 60, cached: 0, out: 40, money: null });
  };
  await settle(call);
  await sql`update model_spending set day = day - 40 where workspace_id = ${call.workspaceId}`;
  const nothing = { tokens: 0, money: 0 };

  expect(await findSpending(sql, call.workspaceId)).toMatchObject({ day: nothing, month: nothing });
  const [ofWorkspace] = await settle({ ...call, id: newId() });
  expect(ofWorkspace).toMatchObject({ botId: null, day: { tokens: 100 }, month: { tokens: 100 }, reserved: nothing });
});
