import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Clock, systemClock } from "../../src/platform/concurrency/clock.ts";
import { connect, type Sql } from "../../src/platform/database/sql.ts";
import { createLog } from "../../src/platform/observing/log.ts";
import { createApp } from "../../src/service/app.ts";
import { createDependencies } from "../../src/service/dependencies.ts";
import { createTestApi, type TestApi, type TestUser } from "../support/api.ts";
import { idOf } from "../support/builder-ids.ts";
import { isLong, sizeOf } from "../support/campaigns.ts";
import { asks, flowOf, publish, say, says, start } from "../support/chat.ts";
import { type Answer, type Client, createClient } from "../support/client.ts";
import { type DatabaseProxy, openDatabaseProxy, type StatementFault } from "../support/database-proxy.ts";
import { type OutsideServer, outsideFetch, startOutside } from "../support/outside.ts";
import { createThreads, type Threads } from "../support/threads.ts";

/** A clock that runs twenty times as fast, because an uncertain step is retried for seconds. */
const hasty: Clock = {
  ...systemClock,
  now: () => systemClock.now() * 20,
  startTimer: (ms, callback) => systemClock.startTimer(ms / 20, callback),
};
/** The number of visitors. They arrive at the same moment, so that their statements are batched. */
const visitors = 2;
/**
 * The number of connections of each pool. It is small, because every connection plans each statement separately, which
 * was much of the cost of a visit.
 */
const connections = 2;
/** The number of concurrent nodes. Each node mostly waits. */
const nodesAtOnce = 6;
/** Far more attempts than a response needs. */
const maxTries = 500;
/** The minimum number of statements that a node sends for the chats of one visit. */
const leastStatements = 15;
/** Every n-th statement fails. Different statements fail for each kind of failure. */
const everyStatement = sizeOf({ short: 12, long: 1 });
const pauseMs = 10;

let api: TestApi;
/** A direct connection to the database, which never fails. */
let sql: Sql;
let threads: Threads;
let owner: TestUser;
let workspaceId: string;
let outside: OutsideServer;

beforeAll(async () => {
  threads = createThreads({ count: 1 });
  outside = await startOutside((_, response) => response.end("{}"));
  api = await createTestApi({ threads, safeFetch: outsideFetch() });
  ({ sql } = api.deps);
  owner = await api.makeUser();
  workspaceId = await api.makeWorkspace(owner);
});
afterAll(async () => {
  await api.close();
  await threads.close();
  await outside.close();
});

type Node = {
  readonly client: Client;
  readonly proxy: DatabaseProxy;
  /** The error lines of the node's log. */
  readonly errors: readonly string[];
  close(): Promise<void>;
};

/** Starts a node that has no open connections and no cached bots. */
async function startNode(): Promise<Node> {
  const proxy = await openDatabaseProxy(api.databaseUrl);
  const general = connect(proxy.url, { connections });
  const steps = connect(proxy.url, { connections, isBrief: true });
  const errors: string[] = [];
  const log = {
    ...createLog("silent"),
    error: (message: string, facts?: object) => void errors.push(`${message} ${Bun.inspect(facts)}`),
  };
  const deps = createDependencies({
    ...api.deps,
    ...{ sql: general, stepSql: steps, log, claimTimes: { seconds: 1, renewMs: 5_000 } },
  });
  const app = createApp({ ...deps, clock: hasty });
  return {
    client: createClient({ handle: (request) => app.handle(request) }),
    proxy,
    errors,
    async close() {
      await Promise.all([general.end({ timeout: 0 }), steps.end({ timeout: 0 })]);
      await proxy.close();
    },
  };
}

/** Publishes a bot that no thread has compiled yet. */
async function publishBot(isCalling: boolean): Promise<{ botId: string; publicId: string }> {
  const webhook = { url: outside.url(), method: "POST", body: "{}" };
  const call = (id: string) => ({
    id,
    type: "Webhook",
    options: { isAdvancedConfig: true, isCustomBody: true, webhook },
  });
  const calls = (id: string) => (isCalling ? [call(id)] : []);
  const name = asks("text input", { variableId: idOf("Name") });
  const flow = flowOf([...calls("c1"), says("Name?"), name, ...calls("c2"), says("And?"), { ...name, id: "else" }]);
  return await publish(api.client, { token: owner.token, workspaceId }, flow);
}

type Told = { readonly wrong: readonly string[]; readonly last: Answer };

/**
 * Repeats a request with one key until it is answered, as clients do. Every other response must be 503, or 409 for the
 * same request, with `Retry-After`.
 */
async function insist(send: () => Promise<Answer>): Promise<Told> {
  const wrong: string[] = [];
  for (let tries = 1; ; tries++) {
    const last = await send();
    if (last.status === 200) return { wrong, last };
    const isPassing = (last.status === 503 || last.status === 409) && last.headers.has("retry-after");
    if (!isPassing) wrong.push(`${last.status} ${JSON.stringify(last.body)}`);
    if (!isPassing || tries === maxTries) return { wrong: [...wrong, `no answer after ${tries} tries`], last };
    await Bun.sleep(pauseMs);
  }
}

async function chat(client: Client, publicId: string): Promise<string[]> {
  const key = () => ({ headers: { "Idempotency-Key": crypto.randomUUID() } });
  const [startKey, replyKey] = [key(), key()];
  const begin = () => start(client, publicId, {}, startKey);
  const started = await insist(begin);
  if (started.wrong.length > 0) return started.wrong.map((what) => `start: ${what}`);
  const reply = () => say(client, started.last.text("sessionId"), "Ana", replyKey);
  const replied = await insist(reply);
  if (replied.wrong.length > 0) return replied.wrong.map((what) => `reply: ${what}`);
  const again = [await insist(begin), await insist(reply)];
  const isSame = Bun.deepEquals(
    again.map(({ last }) => last.body),
    [started.last.body, replied.last.body],
  );
  return isSame ? [] : ["the same key had two answers"];
}

async function stored(botId: string): Promise<unknown> {
  const [row] = await sql`
    select
      (select count(*) from results where bot_id = ${botId})::int as results,
      (select count(*) from sessions where bot_id = ${botId})::int as sessions,
      (select count(*) from steps where bot_id = ${botId})::int as steps,
      (select count(*) from answers where bot_id = ${botId})::int as answers`;
  return row;
}

type Visited = {
  readonly wrong: readonly string[];
  /** The statements that the fault hit. */
  readonly statements: readonly string[];
};

/**
 * Lets visitors start chats at a new node at the same moment. Returns the problems of their chats, and of the stored
 * data.
 */
async function visit(
  isCalling: boolean,
  fault: StatementFault,
  { endsAfterMs }: { endsAfterMs?: number } = {},
): Promise<Visited> {
  const { botId, publicId } = await publishBot(isCalling);
  const node = await startNode();
  const injected = node.proxy.inject(fault);
  if (endsAfterMs !== undefined) setTimeout(injected.end, endsAfterMs);
  const talks = await Promise.all(
    Array.from({ length: visitors }, () => chat(node.client, publicId).catch((error: unknown) => [String(error)])),
  );
  const wrong = [...new Set(talks.flat()), ...node.errors.slice(0, 1)];
  const expected = { results: visitors, sessions: visitors, steps: 2 * visitors, answers: visitors };
  const found = await stored(botId);
  if (!Bun.deepEquals(found, expected)) wrong.push(`stored: ${JSON.stringify(found)}`);
  await node.close();
  return { wrong, statements: injected.statements() };
}

type Failure =
  | Omit<Extract<StatementFault, { kind: "error" }>, "statement">
  | { kind: "cut"; when: "before" | "after" };

const failures: readonly (readonly [string, Failure])[] = [
  ["53100", { kind: "error", sqlState: "53100" }],
  ["57014", { kind: "error", sqlState: "57014" }],
  ["26000 and the end of the connection", { kind: "error", sqlState: "26000", isCut: true }],
  ["57P01 and the end of the connection", { kind: "error", sqlState: "57P01", isFatal: true }],
  ["a connection that is cut before the execution", { kind: "cut", when: "before" }],
  ["a connection that is cut after the execution", { kind: "cut", when: "after" }],
];

/**
 * In the long run, three kinds of failures: rejected, rejected with a closed connection, and executed without a
 * response. In other runs, only the last kind.
 */
const ofEachKind = failures.filter(([what]) => (isLong ? /57014|57P01|after/ : /after/).test(what));

describe.each([
  { what: "chats", isCalling: false, kinds: failures },
  { what: "chats with calls", isCalling: true, kinds: ofEachKind },
])("$what with a node that has just started", ({ isCalling, kinds }) => {
  test.each(kinds.map(([what, failure], index) => [what, failure, index % everyStatement] as const))(
    "chats are saved if a single statement fails with %s",
    async (_, failure, least) => {
      const wrong: string[] = [];
      const tryEach = async (_: unknown, first: number): Promise<number> => {
        for (let after = least + everyStatement * first; ; after += everyStatement * nodesAtOnce) {
          const visited = await visit(isCalling, { ...failure, statement: /./, after, times: 1 });
          if (visited.statements.length === 0) return after;
          if (visited.wrong.length > 0) wrong.push(`${after}: ${visited.statements[0]}: ${visited.wrong.join("; ")}`);
        }
      };
      const ends = await Promise.all(Array.from({ length: nodesAtOnce }, tryEach));

      expect(wrong).toEqual([]);
      expect(Math.min(...ends)).toBeGreaterThan(leastStatements);
    },
    120_000,
  );

  test.each(kinds)("chats are saved after all statements fail with %s for a while", async (_, failure) => {
    const { wrong } = await visit(isCalling, { ...failure, statement: /./ }, { endsAfterMs: 60 });

    expect(wrong).toEqual([]);
  });
});
