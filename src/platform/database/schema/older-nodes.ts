import type { Clock } from "../../concurrency/clock.ts";
import { findOlderNodes } from "../connections.sql.ts";
import type { Sql } from "../sql.ts";

/** Nodes that do not know this migration ignore edits of texts in the log of a draft: it came with the same release. */
export const firstMigrationWithEdits = 53;

/** Whether nodes of earlier releases run on this database: during a rolling upgrade, writes that they would misread are forbidden. */
export type OlderNodes = {
  /** The answer of the last 15 seconds. */
  areConnected(): Promise<boolean>;
};

/** Typing authors ask for it with each request, but the database is asked seldom. */
const keptMs = 15_000;

export function createOlderNodes({ sql, clock, migration }: { sql: Sql; clock: Clock; migration: number }): OlderNodes {
  let asked: { readonly at: number; readonly answer: Promise<boolean> } | undefined;
  const ask = async (): Promise<boolean> => {
    try {
      return (await findOlderNodes(sql, migration)).length > 0;
    } catch (error) {
      // A failure gives no answer: the next caller asks again.
      asked = undefined;
      throw error;
    }
  };
  return {
    areConnected() {
      if (!asked || clock.now() - asked.at >= keptMs) asked = { at: clock.now(), answer: ask() };
      return asked.answer;
    },
  };
}
