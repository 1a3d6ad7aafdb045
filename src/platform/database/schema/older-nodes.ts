import type { Clock } from "../../concurrency/clock.ts";
import { findOlderNodes, findOldestMigration } from "../connections.sql.ts";
import { migrations } from "../migrations.ts";
import { boundAnswers } from "../primary/answer-bound.ts";
import type { Sql } from "../sql.ts";

/**
 * What nodes of earlier releases do not know, by the number of a migration that came with the same release: they ignore
 * edits of texts in the log of a draft, find nothing at sealed addresses of callbacks, do not name the chat that writes
 * a result, know no messengers, and count results without their payments.
 */
const firstMigrations = {
  edits: 53,
  sealedCallbacks: numberOf("sealed_callback_addresses"),
  writers: numberOf("writers_of_results"),
  channels: numberOf("channels"),
  countedPayments: numberOf("counted_payments"),
} as const;

export type Novelty = keyof typeof firstMigrations;

/**
 * Whether nodes of earlier releases run on this database: during a rolling upgrade, nothing is written or handed out
 * that they would misread.
 */
export type OlderNodes = {
  /** Whether a node is connected that does not know this. The answer of the last 15 seconds. */
  areConnected(novelty: Novelty): Promise<boolean>;
  /** The last answer, for callers that cannot wait. They have `look` called when it is old. */
  readonly last: LastAnswer;
  /** Asks again, and waits for nothing. */
  look(): void;
};

/** `at` is the time of this clock. Before the first answer each novelty counts as unknown to some node. */
export type LastAnswer = { readonly at: number; readonly areConnected: Readonly<Record<Novelty, boolean>> };

/** Typing authors ask for it with each request, but the database is asked seldom. */
const keptMs = 15_000;

export function createOlderNodes({ sql, clock }: { sql: Sql; clock: Clock }): OlderNodes {
  const answered = boundAnswers();
  let asked: { readonly at: number; readonly oldest: Promise<number> } | undefined;
  const ask = async (): Promise<number> => {
    const at = clock.now();
    try {
      const oldest = await answered(findOldestMigration(sql));
      olderNodes.last = { at, areConnected: lacksOf(oldest) };
      return oldest;
    } catch (error) {
      // A failure gives no answer: the next caller asks again.
      asked = undefined;
      throw error;
    }
  };
  const askSeldom = (): Promise<number> => {
    if (!asked || clock.now() - asked.at >= keptMs) asked = { at: clock.now(), oldest: ask() };
    return asked.oldest;
  };
  const first: LastAnswer = { at: Number.NEGATIVE_INFINITY, areConnected: lacksOf(0) };
  const olderNodes = {
    areConnected: async (novelty: Novelty) => (await askSeldom()) < firstMigrations[novelty],
    last: first,
    look() {
      // Without an answer the last one grows too old to be used.
      askSeldom().catch(() => undefined);
    },
  };
  return olderNodes;
}

/** Which novelties a node lacks that knows the migrations up to this one. */
function lacksOf(oldest: number): LastAnswer["areConnected"] {
  const { edits, sealedCallbacks, writers, channels, countedPayments } = firstMigrations;
  return {
    edits: oldest < edits,
    sealedCallbacks: oldest < sealedCallbacks,
    writers: oldest < writers,
    channels: oldest < channels,
    countedPayments: oldest < countedPayments,
  };
}

/** The names of the nodes that do not know this, as the database has them. */
export async function nameOlderNodes(sql: Sql, novelty: Novelty): Promise<string[]> {
  return (await findOlderNodes(sql, firstMigrations[novelty])).map(({ name }) => name);
}

/** By its name, since its number may change until it is released. */
function numberOf(name: string): number {
  const migration = migrations.find((one) => one.name.slice(5) === name);
  if (!migration) throw new Error(`There is no migration "${name}"`);
  return Number(migration.name.slice(0, 4));
}
