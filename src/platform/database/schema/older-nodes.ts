import type { Clock } from "../../concurrency/clock.ts";
import { findOlderNodes } from "../connections.sql.ts";
import type { Sql } from "../sql.ts";

/** Nodes that do not know this migration take an edit of a text in the log of a draft for nothing: it came with the same release. */
export const firstMigrationWithEdits = 53;

/** Whether nodes of earlier releases run on this database: during a rolling upgrade nothing may be written that they would misread. */
export type OlderNodes = {
  /** As it was asked within the last 15 seconds. */
  areConnected(): Promise<boolean>;
};

/** Authors who type ask for it with each request, the database is asked seldom. */
const keptMs = 15_000;

export function createOlderNodes({ sql, clock, migration }: { sql: Sql; clock: Clock; migration: number }): OlderNodes {
  let asked: { readonly at: number; readonly answer: Promise<boolean> } | undefined;
  const ask = async (): Promise<boolean> => {
    try {
      return (await findOlderNodes(sql, migration)).length > 0;
    } catch (error) {
      // What failed says nothing: the next one asks again.
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
