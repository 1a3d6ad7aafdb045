import type { Clock } from "../../concurrency/clock.ts";
import { findOldestMigration } from "../connections.sql.ts";
import { migrations } from "../migrations.ts";
import { boundAnswers } from "../primary/answer-bound.ts";
import type { Sql } from "../sql.ts";

/**
 * What nodes of earlier releases do not know, by the number of a migration that came with the same release: they ignore edits of texts in the log of
 * a draft, and find nothing at sealed addresses of callbacks.
 */
const firstMigrations = {
  edits: 53,
  sealedCallbacks: numberOf("sealed_callback_addresses"),
} as const;

export type Novelty = keyof typeof firstMigrations;

/** Whether nodes of earlier releases run on this database: during a rolling upgrade, nothing is written or handed out that they would misread. */
export type OlderNodes = {
  /** Whether a node is connected that does not know this. The answer of the last 15 seconds. */
  areConnected(novelty: Novelty): Promise<boolean>;
};

/** Typing authors ask for it with each request, but the database is asked seldom. */
const keptMs = 15_000;

export function createOlderNodes({ sql, clock }: { sql: Sql; clock: Clock }): OlderNodes {
  const answered = boundAnswers();
  let asked: { readonly at: number; readonly oldest: Promise<number> } | undefined;
  const ask = async (): Promise<number> => {
    try {
      return await answered(findOldestMigration(sql));
    } catch (error) {
      // A failure gives no answer: the next caller asks again.
      asked = undefined;
      throw error;
    }
  };
  return {
    async areConnected(novelty) {
      if (!asked || clock.now() - asked.at >= keptMs) asked = { at: clock.now(), oldest: ask() };
      return (await asked.oldest) < firstMigrations[novelty];
    },
  };
}

/** By its name, since its number may change until it is released. */
function numberOf(name: string): number {
  const migration = migrations.find((one) => one.name.slice(5) === name);
  if (!migration) throw new Error(`There is no migration "${name}"`);
  return Number(migration.name.slice(0, 4));
}
