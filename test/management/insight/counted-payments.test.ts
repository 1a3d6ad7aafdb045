import { afterAll, beforeAll, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { insight } from "../../../src/management/insight/insight.job.ts";
import { findPayment, notePayment } from "../../../src/management/payments/payments.sql.ts";
import { nameConnections } from "../../../src/platform/database/connections.sql.ts";
import { migrations } from "../../../src/platform/database/migrations.ts";
import { createOlderNodes } from "../../../src/platform/database/schema/older-nodes.ts";
import { connect } from "../../../src/platform/database/sql.ts";
import { openShop, type Shop } from "../../chat/payments/shop.ts";
import { createVirtualClock } from "../../support/virtual-clock.ts";
import { forgetMeasures } from "./forgotten-measures.ts";

setDefaultTimeout(60_000);

let shop: Shop;
let job: ReturnType<typeof insight>;
beforeAll(async () => {
  shop = await openShop();
  job = insight(shop.api.deps.sql);
});
beforeEach(() => count());
afterAll(() => shop.close());

async function count(by = job): Promise<void> {
  while ((await by.removeSome()) > 0);
}

async function paidIn(botId: string, query: Readonly<Record<string, string>> = {}) {
  const { client } = shop.api;
  const asked = { token: shop.owner.token, query: { timeFilter: "allTime", ...query } };
  return (await client.get(`/api/v1/bots/${botId}/insight`, asked)).at("insight.payments");
}

const euros = (count: number, amount: number) => [{ currency: "EUR", count, amount }];

async function asked(price: number, flow?: object) {
  const chat = await shop.asked(price, flow);
  const [row] = await shop.payments(chat.sessionId);
  const payment = row && (await findPayment(shop.api.deps.sql, row.id));
  if (!payment) throw new Error("No payment is asked for");
  return { ...chat, payment };
}

/** Postpones the next check of a chat's result by an hour, so that the job does not find the result. */
async function rest(resultId: string): Promise<void> {
  await shop.api.deps
    .sql`update insight_results set next_at = clock() + interval '1 hour' where result_id = ${resultId}`;
}

async function revisionOf(resultId: string): Promise<number | undefined> {
  const rows = await shop.api.deps.sql<{ revision: number }[]>`
    select revision from insight_results where result_id = ${resultId}`;
  return rows[0]?.revision;
}

describe("the payments of a result", () => {
  test("a late payment is counted once, and not again by later reports", async () => {
    const { sql } = shop.api.deps;
    const { botId, resultId, payment } = await asked(10);
    await count();
    await rest(resultId);
    expect(await paidIn(botId)).toEqual([]);

    expect(await notePayment(sql, payment, "succeeded")).toBe(true);
    await count();
    expect(await paidIn(botId)).toEqual(euros(1, 10));
    await rest(resultId);
    const before = await revisionOf(resultId);

    expect(await notePayment(sql, payment, "succeeded")).toBe(false);
    expect(await notePayment(sql, payment, "processing")).toBe(false);
    await count();
    expect(await revisionOf(resultId)).toBe(before);
    expect(await paidIn(botId)).toEqual(euros(1, 10));
  });

  test("a payment is counted even if its result is not indexed yet", async () => {
    const { sql } = shop.api.deps;
    const { botId, resultId, payment } = await asked(10);
    await sql`delete from insight_results where result_id = ${resultId}`;
    expect(await revisionOf(resultId)).toBeUndefined();

    await notePayment(sql, payment, "succeeded");

    expect(await revisionOf(resultId)).toBe(0);
    await count();
    expect(await paidIn(botId)).toEqual(euros(1, 10));
  });

  test("a payment is counted only for its messenger, its version and its period", async () => {
    const { sql } = shop.api.deps;
    const { botId, resultId, payment } = await asked(10);
    await notePayment(sql, payment, "succeeded");
    await sql`update results set channel = 'telegram', updated_at = updated_at where id = ${resultId}`;
    await count();

    expect(await paidIn(botId, { channel: "telegram" })).toEqual(euros(1, 10));
    expect(await paidIn(botId, { channel: "webhook" })).toEqual([]);
    expect(await paidIn(botId, { timeFilter: "lastMonth" })).toEqual([]);
    expect(await paidIn(botId, { version: "1" })).toEqual(euros(1, 10));
    expect(await paidIn(botId, { version: "2" })).toEqual([]);
  });

  test("a payment is not counted while its result is in the bin", async () => {
    const { client, deps } = shop.api;
    const { token } = shop.owner;
    const { botId, resultId, payment } = await asked(10);
    const path = `/api/v1/bots/${botId}/results`;
    const body = { resultIds: [resultId] };
    await count();
    await client.delete(path, { token, body });
    // Report the payment while its result is in the bin.
    await notePayment(deps.sql, payment, "succeeded");
    await count();
    expect(await paidIn(botId)).toEqual([]);

    expect((await client.post(`${path}/restore`, { token, body })).status).toBe(200);
    await count();
    expect(await paidIn(botId)).toEqual(euros(1, 10));

    await client.delete(path, { token, body });
    expect((await client.post(`${path}/erase`, { token, body })).status).toBe(200);
    await count();
    expect(await paidIn(botId)).toEqual([]);
  });
});

describe("payments that a node of an earlier release left uncounted", () => {
  /** Opens a connection like an older node, which does not count payments. `end` closes the connection. */
  async function connectOlder() {
    const clock = createVirtualClock();
    Object.assign(shop.api.deps, { olderNodes: createOlderNodes({ sql: shop.api.deps.sql, clock }) });
    const newest = migrations.findIndex(({ name }) => name.endsWith("_counted_payments"));
    const older = connect(nameConnections(shop.api.databaseUrl, 1, newest).url, { connections: 1 });
    await older`select 1`;
    return {
      async end(): Promise<void> {
        await older.end();
        await clock.advance(15_000);
      },
    };
  }

  test("payments of an earlier release are counted after its node stops", async () => {
    const { sql } = shop.api.deps;
    const { botId, resultId, payment } = await asked(10);
    await notePayment(sql, payment, "succeeded");
    const untouched = await asked(20);
    await count();
    await rest(untouched.resultId);
    const before = await revisionOf(untouched.resultId);

    const older = await connectOlder();
    await forgetMeasures(sql, { botId, kinds: ["paid", "paidPart"] });
    await rest(resultId);
    expect(await paidIn(botId)).toEqual(euros(1, 10));
    await count();
    expect(await sql`select from counted_kinds`).toHaveLength(0);
    await older.end();
    expect(await paidIn(botId)).toEqual(euros(1, 10));
    await count();

    expect(await sql`select from counted_kinds where kind = 'paid'`).toHaveLength(1);
    expect(await paidIn(botId)).toEqual(euros(1, 10));
    expect(await revisionOf(untouched.resultId)).toBe(before);
    // Another process finds no further payment.
    const after = await revisionOf(resultId);
    await count(insight(sql));
    expect(await revisionOf(resultId)).toBe(after);
  });

  test("the next process counts payments that an earlier release left out", async () => {
    const { sql } = shop.api.deps;
    const { botId, resultId, payment, secret } = await asked(10);
    shop.stripe.confirm(secret);
    await notePayment(sql, payment, "succeeded");
    await shop.command(payment.sessionId, "dear");
    await shop.say(payment.sessionId, "ada@example.com");
    await count();
    await rest(resultId);
    expect(await paidIn(botId)).toEqual(euros(1, 10));
    // Updates the payment as an older release does. The sum of the amounts exceeds the range of an integer column.
    await sql`update payments set status = 'succeeded', amount = 2000000000 where result_id = ${resultId}`;
    await count();
    expect(await paidIn(botId)).toEqual(euros(1, 10));

    const next = insight(sql);
    await next.removeSome();
    // The payments are read one by one until this process has examined all of them.
    expect(await paidIn(botId)).toEqual(euros(2, 40_000_000));
    await count(next);

    expect(await sql`select from counted_kinds where kind = 'paid'`).toHaveLength(1);
    expect(await paidIn(botId)).toEqual(euros(2, 40_000_000));
  });
});
