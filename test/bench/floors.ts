import { newId, shardOf, toUuid } from "../../src/ids.ts";
import { type StepToSave, saveSteps } from "../../src/store/save-steps.ts";
import { connect, type Sql } from "../../src/store/sql.ts";
import { type Latencies, summarise } from "./numbers.ts";

/** How fast the database itself does something, asked by this many at once over this many connections. */
export type Floor = { readonly perSecond: number; readonly latencies: Latencies };
type FloorOrder = {
  readonly url: string;
  readonly concurrency: number;
  readonly connections: number;
  readonly seconds: number;
};

/**
 * The fixed floor: one row a statement, 1 kB of state, 100,000 rows, prepared, fsync on. No later change of ours moves it.
 */
export async function fixedFloor(order: FloorOrder): Promise<Floor> {
  const sql = connect(order.url, { connections: order.connections });
  const rows = 100_000;
  await sql`drop table if exists floor`;
  await sql`create table floor (id integer primary key, revision integer not null, state text not null) with (fillfactor = 70)`;
  await sql`insert into floor select id, 1, repeat('x', 1024) from generate_series(1, ${rows}) as id`;
  await sql`vacuum analyze floor`;
  const revisions = new Int32Array(rows + 1).fill(1);
  const state = "y".repeat(1024);
  const found = await hammer(order, async (worker) => {
    const id = 1 + ((worker * 7919 + Math.floor(Math.random() * 1_000_000) * order.concurrency) % rows);
    const revision = revisions[id] ?? 1;
    revisions[id] = revision + 1;
    await sql`update floor set revision = revision + 1, state = ${state} where id = ${id} and revision = ${revision}`;
  });
  await sql`drop table floor`;
  await sql.end();
  return found;
}

/** Our own save, one step a statement: what the whole HTTP step is measured against. */
export async function saveFloor(order: FloorOrder): Promise<Floor> {
  const sql = connect(order.url, { connections: order.connections });
  const botId = newId();
  const found = await hammer(order, async (_worker, memory) => {
    const step = memory.step ?? (await newSession(sql, botId));
    await saveSteps(sql, [step]);
    memory.step = step.revision < 5 ? { ...step, revision: step.revision + 1, stepId: newId() } : undefined;
  });
  await sql.end();
  return found;
}

type Memory = { step?: StepToSave | undefined };

async function hammer(order: FloorOrder, once: (worker: number, memory: Memory) => Promise<void>): Promise<Floor> {
  const warmUpMs = 1_000;
  const begin = performance.now() + warmUpMs;
  const end = begin + order.seconds * 1_000;
  const taken: number[] = [];
  const work = async (_: unknown, worker: number): Promise<void> => {
    const memory: Memory = {};
    while (performance.now() < end) {
      const from = performance.now();
      await once(worker, memory);
      if (from >= begin) taken.push(performance.now() - from);
    }
  };
  await Promise.all(Array.from({ length: order.concurrency }, work));
  return { perSecond: taken.length / order.seconds, latencies: summarise(taken) };
}

/** A session as a chat of five questions leaves it; inserted outside of what is measured as one save in five. */
async function newSession(sql: Sql, botId: string): Promise<StepToSave> {
  const resultId = newId();
  const sessionId = newId(shardOf(resultId));
  await sql`
    insert into sessions (shard, id, bot_id, flow_hash, result_id, revision, state, lifetime_minutes, expires_at, expires_hour, dialect)
    values (${shardOf(sessionId)}, ${toUuid(sessionId)}, ${toUuid(botId)}, '\\x00', ${toUuid(resultId)}, 1, ${state}, 1440,
      clock() + interval '1 day', clock() + interval '1 day', 'bot')`;
  return {
    sessionId,
    botId,
    resultId,
    revision: 1,
    stepId: newId(),
    key: null,
    requestHash: "00".repeat(32),
    reply: JSON.stringify({ type: "text", text: "Bread and butter" }),
    response,
    state,
    isEnded: false,
    answers: [
      {
        resultId,
        botId,
        blockId: "in2",
        groupId: "gr2",
        variableId: "va2",
        content: "Bread and butter",
        attachedFileUrls: null,
      },
    ],
    results: [{ resultId, botId, variables, hasStarted: true, isCompleted: false }],
    logs: [],
    jobs: [],
    visitedEdgeIds: [],
    visitedBefore: 0,
  };
}

const variables = [
  { id: "va0", name: "Name", value: "Ada Lovelace" },
  { id: "va1", name: "City", value: "London" },
  { id: "va2", name: "Food", value: "Bread and butter" },
];

const state = JSON.stringify({
  format: 1,
  queue: [
    {
      program: `${"0".repeat(26)}:${"0".repeat(64)}`,
      botId: "0".repeat(26),
      resultId: "0".repeat(26),
      written: variables.map(({ id, value }) => [id, value]),
      answers: variables.map(({ name, value }) => [name, value]),
      queuedHops: [],
      isMerging: false,
    },
  ],
  blockId: "in3",
  visitedEdges: 0,
  totalAnswers: 3,
  progress: 60,
  isStreamEnabled: false,
});

const words = "Thank you, Bread and butter. And your colour, Ada Lovelace?";
const response = JSON.stringify({
  messages: [
    {
      id: "tx3",
      type: "text",
      content: {
        type: "richText",
        richText: [{ type: "p", children: [{ text: words }] }],
        html: `<p>${words}</p>`,
        plainText: words,
      },
    },
  ],
  input: { id: "in3", outgoingEdgeId: "ed4", type: "text input", options: { variableId: "va3" } },
  clientSideActions: [],
  logs: [],
  progress: 60,
});
