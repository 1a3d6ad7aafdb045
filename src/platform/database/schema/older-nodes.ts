import type { Clock } from "../../concurrency/clock.ts";
import { findOlderNodes, findOldestMigration } from "../connections.sql.ts";
import { migrations } from "../migrations.ts";
import { boundAnswers } from "../primary/answer-bound.ts";
import type { Sql } from "../sql.ts";

/**
 * Features that nodes of earlier releases do not support, with the number of a migration of the same release. Such
 * nodes ignore edits of texts in a draft's log, find nothing at sealed addresses of callbacks, and do not record the
 * chat that writes a result. They support no messengers, and count results without their payments.
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
 * Detects connected nodes of earlier releases. During a rolling upgrade, nothing is written or returned that these
 * nodes would misread.
 */
export type OlderNodes = {
  /** Whether any connected node does not support this feature. The result may be up to 15 seconds old. */
  areConnected(novelty: Novelty): Promise<boolean>;
  /** The last result, for callers that cannot wait for a query. `look` refreshes it. */
  readonly last: LastAnswer;
  /** Refreshes `last` in the background. Does nothing if a query began less than 15 seconds ago and has not failed. */
  look(): void;
};

/** `at` is a time of the given clock. Before the first result, `areConnected` is true for every feature. */
export type LastAnswer = { readonly at: number; readonly areConnected: Readonly<Record<Novelty, boolean>> };

/** Authors trigger this check with each request while they type, so its result is cached. */
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
      // A failure is not cached: the next caller queries the database again.
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
      // After a failure, `last` is unchanged.
      askSeldom().catch(() => undefined);
    },
  };
  return olderNodes;
}

/** Returns the features that a node does not support if `oldest` is its newest migration. */
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

/** Returns the names of the connected nodes that do not support this feature, as listed by the database. */
export async function nameOlderNodes(sql: Sql, novelty: Novelty): Promise<string[]> {
  return (await findOlderNodes(sql, firstMigrations[novelty])).map(({ name }) => name);
}

/** Returns the number of the migration with this name. The number may change until the migration is released. */
function numberOf(name: string): number {
  const migration = migrations.find((one) => one.name.slice(5) === name);
  if (!migration) throw new Error(`There is no migration "${name}"`);
  return Number(migration.name.slice(0, 4));
}
