import { boundAnswers } from "../../platform/database/primary/answer-bound.ts";
import type { Sql } from "../../platform/database/sql.ts";
import { findInstanceKey, insertInstanceKey } from "./instance.sql.ts";

/**
 * A key that all nodes share. The first node that needs it creates it, and it never changes. It is cached after the
 * first read.
 */
export function createInstanceKey(sql: Sql, name: string): () => Promise<Uint8Array> {
  let key: Promise<Uint8Array> | undefined;
  return () => {
    // Failed reads are not cached. Reads without an answer are not cached either, because all other callers would wait
    // for them.
    key ??= boundAnswers()(sharedKey(sql, name)).catch((error) => {
      key = undefined;
      throw error;
    });
    return key;
  };
}

async function sharedKey(sql: Sql, name: string): Promise<Uint8Array> {
  await insertInstanceKey(sql, { name, candidate: crypto.getRandomValues(new Uint8Array(32)) });
  const key = await findInstanceKey(sql, name);
  if (!key) throw new Error(`The key "${name}" of this instance is gone`);
  return key;
}
