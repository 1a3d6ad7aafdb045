import { boundAnswers } from "../../platform/database/primary/answer-bound.ts";
import type { Sql } from "../../platform/database/sql.ts";
import { findInstanceKey, insertInstanceKey } from "./instance.sql.ts";

/**
 * Returns a function that reads a key that all nodes share. The first node that needs the key creates it, and the key
 * never changes. The function caches the key after the first read.
 */
export function createInstanceKey(sql: Sql, name: string): () => Promise<Uint8Array> {
  let key: Promise<Uint8Array> | undefined;
  return () => {
    // A failed read is not cached. A read to which the database does not respond also fails, because all later callers
    // would otherwise wait for it.
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
  if (!key) throw new Error(`This instance has lost its key "${name}"`);
  return key;
}
