import type { Clock } from "../../concurrency/clock.ts";
import { findOlderNodes, findOldestMigration } from "../connections.sql.ts";
import { migrations } from "../migrations.ts";
import { boundAnswers } from "../primary/answer-bound.ts";
import type { Sql } from "../sql.ts";

/**
 * Novelties that nodes of earlier releases do not know, by the number of a migration of the same release. Such nodes
 * ignore edits of texts in the log of a draft, find nothing at sealed addresses of callbacks, and do not name the chat
 * that writes a result. They know no messengers, and count results without their payments.
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
 * Whether nodes of earlier releases run on this database: during a rolling upgrade, nothing is written or returned that
 * they would misread.
 */
export type OlderNodes = {
  /** Whether a connected node does not know this novelty. Returns the answer of the last 15 seconds. */
  areConnected(novelty: Novelty): Promise<boolean>;
  /** The last answer, for callers that cannot wait. They have `look` called when the answer is old. */
  readonly last: LastAnswer;
  /** Starts another look, and does not wait. */
  look(): void;
};

/** `at` is a time of this clock. Before the first answer each novelty counts as unknown to some node. */
export type LastAnswer = { readonly at: number; readonly areConnected: Readonly<Record<Novelty, boolean>> };

/** Authors ask for it with each request while they type, but the database is asked seldom. */
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
      // Without a newer answer the last one becomes too old to be used.
      askSeldom().catch(() => undefined);
    },
  };
  return olderNodes;
}

/** The novelties that a node lacks if it knows the migrations up to this one. */
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

/** The names of the nodes that do not know this novelty, as the database has them. */
export async function nameOlderNodes(sql: Sql, novelty: Novelty): Promise<string[]> {
  return (await findOlderNodes(sql, firstMigrations[novelty])).map(({ name }) => name);
}

/** The number of the migration with this name; the number may change until its release. */
function numberOf(name: string): number {
  const migration = migrations.find((one) => one.name.slice(5) === name);
  if (!migration) throw new Error(`There is no migration "${name}"`);
  return Number(migration.name.slice(0, 4));
}
