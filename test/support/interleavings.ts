import fc from "fast-check";
import { type Clock, systemClock } from "../../src/platform/concurrency/clock.ts";
import { boundAnswers } from "../../src/platform/database/primary/answer-bound.ts";
import { connect } from "../../src/platform/database/sql.ts";
import { sizeOf } from "./campaigns.ts";
import type { Answer, RequestOptions } from "./client.ts";
import { createTestNodes, type TestNodes } from "./nodes.ts";

/** The default time limit of a test of interleavings. Such a test takes seconds, or a minute on a busy machine. */
const usualLimitMs = 120_000;
/** A story that takes this long hangs. A story usually takes less than one second. */
export const storyMs = 30_000;
/**
 * One node has a single connection, the smallest possible pool. A request that holds the connection and waits for
 * another connection waits forever. The other node has enough connections for all concurrent writers.
 */
const connections = [1, 16] as const;
/** The time limit for the database to report its activity. */
const answerMs = 5_000;
/** The time that a test has to report its open requests and to close its nodes after its last story was aborted. */
const reportMs = 20_000;

/** Returns the number of stories in a test. */
function runsOf(usualRuns: number): number {
  return sizeOf({ short: usualRuns, long: 10 * usualRuns, variable: "PARLEY_INTERLEAVINGS" });
}

/** Returns the time limit of a test that usually runs this number of stories. */
export function limitMsOf(usualRuns: number): number {
  return usualLimitMs * Math.max(1, runsOf(usualRuns) / usualRuns);
}

/** Two nodes that share a separate database, and stories of concurrent requests to both nodes. */
export type Interleavings = TestNodes & {
  /**
   * Sends a request to one of the nodes. If the story is aborted before the response, the story's error lists the
   * request.
   */
  send(node: number, method: string, path: string, options?: RequestOptions): Promise<Answer>;
  /**
   * Runs stories sequentially until one fails. The failed story is printed without shrinking, because a race rarely
   * occurs again, and shrinking would take all the time. A hanging story fails with its open requests and their
   * blockers.
   */
  check<Story>(stories: fc.Arbitrary<Story>, tell: (story: Story) => Promise<void>, usualRuns: number): Promise<void>;
};

type Options = {
  /** The clock for the time limit `storyMs`. */
  readonly clock?: Clock;
};

/**
 * Creates the nodes for one attempt of a test. Each attempt has separate nodes, so that it is not affected by
 * unfinished requests of an earlier attempt.
 */
export async function createInterleavings({ clock = systemClock }: Options = {}): Promise<Interleavings> {
  const place = await createTestNodes({ connections });
  const underWay = new Map<number, { readonly what: string; readonly since: number }>();
  let sent = 0;
  let isClosed = false;

  const describeWait = async (): Promise<string> => {
    const requests = [...underWay.values()].map(
      ({ what, since }) => `- ${what}, for ${Math.round(clock.now() - since)} ms`,
    );
    const statements = await describeDatabase(place.nodes[0].databaseUrl).catch((error: unknown) => [
      `- ${String(error)}`,
    ]);
    return [
      `Requests without an answer (of ${sent}):`,
      ...(requests.length > 0 ? requests : ["- none"]),
      "What the database does:",
      ...(statements.length > 0 ? statements : ["- nothing"]),
    ].join("\n");
  };
  return {
    ...place,
    async send(node, method, path, options) {
      if (isClosed) throw new Error("The nodes are closed.");
      const id = ++sent;
      const name = node % 2 === 0 ? 0 : 1;
      underWay.set(id, { what: `${method} ${path} at node ${name}`, since: clock.now() });
      try {
        return await place.nodes[name].client.send(method, path, options);
      } finally {
        underWay.delete(id);
      }
    },
    async check(stories, tell, usualRuns) {
      const numRuns = runsOf(usualRuns);
      const until = clock.now() + limitMsOf(usualRuns) - reportMs;
      let told = 0;
      const property = fc.asyncProperty(stories, async (story) => {
        const ms = Math.min(storyMs, until - clock.now());
        if (ms <= 0) throw new Error(`Only ${told} of ${numRuns} stories were told in time.`);
        await within(tell(story), { ms, clock, describeWait });
        told++;
      });
      await fc.assert(property, { numRuns, endOnFailure: true });
    },
    async close() {
      isClosed = true;
      await place.close();
    },
  };
}

/**
 * Runs the actions with this number of concurrent writers. A writer starts its next action after the response to its
 * last action. After a failure, no further action starts, and the failure is thrown once the open actions have ended.
 */
export async function actAtOnce<Act>(
  acts: readonly Act[],
  writers: number,
  perform: (act: Act) => Promise<void>,
): Promise<void> {
  const waiting = [...acts];
  const write = async () => {
    try {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await perform(next);
    } catch (error) {
      waiting.length = 0;
      throw error;
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: writers }, write));
  for (const end of ends) if (end.status === "rejected") throw end.reason;
}

/** Returns the result of the work. If the work takes too long, throws an error and ignores the later result. */
async function within<Value>(
  work: Promise<Value>,
  { ms, clock, describeWait }: { ms: number; clock: Clock; describeWait: () => Promise<string> },
): Promise<Value> {
  const late = Promise.withResolvers<"late">();
  const stopTimer = clock.startTimer(ms, () => late.resolve("late"));
  const done = work.then((value) => ({ value }));
  done.catch(() => {});
  try {
    const first = await Promise.race([done, late.promise]);
    if (first !== "late") return first.value;
  } finally {
    stopTimer();
  }
  throw new Error(`The story stood still for ${Math.round(ms)} ms.\n${await describeWait()}`);
}

/**
 * Describes every connection of the database that is not idle, with the connections that block it. Uses a separate
 * pool.
 */
async function describeDatabase(url: string): Promise<string[]> {
  const sql = connect(url, { connections: 1 });
  try {
    const rows = await boundAnswers(answerMs)(sql<
      { pid: number; state: string; ms: number; blockers: number[]; query: string }[]
    >`
      select
        pid,
        state,
        round(extract(epoch from clock_timestamp() - state_change) * 1000)::integer as ms,
        pg_blocking_pids(pid) as blockers,
        left(btrim(regexp_replace(query, '\\s+', ' ', 'g')), 200) as query
      from pg_stat_activity
      where datname = current_database()
        and pid <> pg_backend_pid()
        and state <> 'idle'
      order by state_change`);
    return rows.map(({ pid, state, ms, blockers, query }) => {
      const wait = blockers.length === 0 ? "" : ` waits for ${blockers.join(", ")}`;
      return `- ${pid} is ${state} for ${ms} ms${wait}: ${query}`;
    });
  } finally {
    await sql.end({ timeout: 1 });
  }
}
