import { afterAll, afterEach, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { migrate } from "../../../src/platform/database/schema/migrate.sql.ts";
import { connect, type Sql } from "../../../src/platform/database/sql.ts";
import { type Pair, pairIsMissing, startPair } from "../../chaos/standby.ts";
import { createTestApi, type TestApi, type TestUser } from "../../support/api.ts";
import { nameAndEmail, publish, say, start } from "../../support/chat.ts";
import { type DatabaseProxy, openDatabaseProxy } from "../../support/database-proxy.ts";
import { longTest } from "../../support/long-test.ts";
import { cleanupStack, runCommand } from "../../support/service.ts";
import { createThreads } from "../../support/threads.ts";
import { waitFor } from "../../support/wait.ts";

const missing = pairIsMissing();
const cleanups = cleanupStack();
const threads = createThreads({ count: 1 });
let pair: Pair;
let standby: Sql;
let replica: DatabaseProxy;
let api: TestApi;
let owner: TestUser;
let bot: { botId: string; publicId: string };

setDefaultTimeout(120_000);

beforeAll(async () => {
  if (missing) return;
  pair = await startPair(cleanups.folder());
  cleanups.add(pair.stop);
  const primary = connect(pair.primaryUrl, { connections: 4 });
  standby = connect(pair.standbyUrl, { connections: 1, isReplica: true });
  await migrate(primary);
  replica = await openDatabaseProxy(pair.standbyUrl);
  cleanups.add(replica.close);
  const replicaSql = connect(replica.url, { connections: 2, isReplica: true });
  cleanups.add(async () => {
    for (const sql of [primary, standby, replicaSql]) await sql.end({ timeout: 0 });
  });
  api = await createTestApi({
    threads,
    replicaSql,
    database: { sql: primary, url: pair.primaryUrl, close: async () => {} },
  });
  cleanups.add(api.close);
  owner = await api.makeUser();
  bot = await publish(api.client, { token: owner.token, workspaceId: await api.makeWorkspace(owner) }, nameAndEmail);
});
afterEach(async () => {
  if (missing) return;
  replica.thaw();
  await standby`select pg_wal_replay_resume()`;
});
afterAll(async () => {
  await cleanups.run();
  await threads.close();
});

async function chat(): Promise<string> {
  const started = await start(api.client, bot.publicId);
  await say(api.client, started.text("sessionId"), "Ana");
  return started.text("resultId");
}

async function listIds(): Promise<unknown> {
  const list = await api.client.get(`/api/v1/bots/${bot.botId}/results?limit=100`, { token: owner.token });
  expect(list.status).toBe(200);
  return list.at("results.*.id");
}

async function readsFrom(server: "replica" | "primary"): Promise<number> {
  const metric = await api.deps.replica.registry.getSingleMetric("parley_replica_reads_total")?.get();
  return metric?.values.find(({ labels }) => labels["from"] === server)?.value ?? 0;
}

/** Lists results until the given server has answered, and returns the list. */
async function listFrom(server: "replica" | "primary"): Promise<unknown> {
  return await waitFor(async () => {
    const before = await readsFrom(server);
    const ids = await listIds();
    return (await readsFrom(server)) > before && ids;
  });
}

test.skipIf(missing !== undefined)(
  "lists of results are read from the replica, and chats from the primary",
  async () => {
    const lists = replica.inject({ statement: /from results\s+where bot_id/, kind: "delay", ms: 0 });
    const others = replica.inject({ statement: /sessions|steps|api_tokens|members/, kind: "delay", ms: 0 });

    const resultId = await chat();
    const ids = await waitFor(async () => {
      const found = await listFrom("replica");
      return Array.isArray(found) && found.includes(resultId) && found;
    });

    expect(ids).toContain(resultId);
    expect(lists.met()).toBeGreaterThan(0);
    expect(others.met()).toBe(0);
  },
);

test.skipIf(missing !== undefined)(
  "lists of results are read from the primary if the replica returns an error or refuses connections",
  async () => {
    const resultId = await chat();

    const fault = replica.inject({ statement: /from results/, kind: "error", sqlState: "40001" });
    expect(await listFrom("primary")).toContain(resultId);
    fault.end();
    await listFrom("replica");
    replica.refuse();
    expect(await listFrom("primary")).toContain(resultId);
    replica.thaw();
    await listFrom("replica");
  },
);

longTest.skipIf(missing !== undefined)(
  "lists of results are read from the primary if the replica stops responding",
  async () => {
    const resultId = await chat();
    await listFrom("replica");

    replica.freeze();

    expect(await listFrom("primary")).toContain(resultId);
  },
);

test.skipIf(missing !== undefined)(
  "deleted results are not shown, although the replica still contains the results",
  async () => {
    const [erased, kept] = [await chat(), await chat()];
    await waitFor(async () => String(await listFrom("replica")).includes(kept));
    await standby`select pg_wal_replay_pause()`;

    const path = `/api/v1/bots/${bot.botId}/results?resultIds=${erased}`;
    expect((await api.client.delete(path, { token: owner.token })).status).toBe(200);

    const ids = await listIds();
    expect(ids).toContain(kept);
    expect(ids).not.toContain(erased);
  },
);

test.skipIf(missing !== undefined)(
  "a replica that falls behind is not used until the replica has caught up",
  async () => {
    await listFrom("replica");
    await standby`select pg_wal_replay_pause()`;
    const resultId = await chat();

    expect(await listFrom("primary")).toContain(resultId);
    await standby`select pg_wal_replay_resume()`;

    expect(await listFrom("replica")).toContain(resultId);
  },
);

test.skipIf(missing !== undefined)(
  "doctor reports a replica as fine, and a server that accepts writes as doubtful",
  async () => {
    const environment = { DATABASE_URL: pair.primaryUrl, DATA_DIR: cleanups.folder() };
    const findingOf = async (url: string) => {
      const { stdout } = await runCommand(["doctor", "--json"], {
        environment: { ...environment, DATABASE_READ_URL: url },
      });
      const { findings }: { findings: { what: string; state: string; says: string }[] } = JSON.parse(stdout);
      return findings.find(({ what }) => what === "Read replica");
    };

    expect(await findingOf(pair.standbyUrl)).toMatchObject({ state: "fine" });
    expect(await findingOf(pair.primaryUrl)).toMatchObject({
      state: "doubtful",
      says: "it accepts writes, so it is not a replica",
    });
  },
);
