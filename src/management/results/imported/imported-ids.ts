import { createHmac } from "node:crypto";
import { derivedId } from "../../../platform/ids.ts";
import type { ManagementDependencies } from "../../access/dependencies.ts";
import { findInstanceKey, insertInstanceKey } from "../../access/instance.sql.ts";

/** A result with its id and time at the source. */
export type ForeignResult = { readonly id: string; readonly createdAt: string };

/** Creates the ids on this instance for objects that a bot imports from a source. */
export type ImportedIds = {
  ofResult(result: ForeignResult): string;
  /** Returns the new id of a file of this result, in the result's shard. */
  ofFile(result: ForeignResult, fileId: string): string;
  /** Returns the new id of one of this result's chats, in the result's shard. Ratings refer to this id. */
  ofSession(result: ForeignResult, sessionId: string): string;
};

/**
 * Returns functions that derive new ids from the ids at the source. A secret of this instance is part of the
 * derivation, so that nobody can guess the ids of results and files.
 */
export async function importedIds(
  deps: ManagementDependencies,
  { botId, source }: { readonly botId: string; readonly source: string },
): Promise<ImportedIds> {
  const key = await sharedKey(deps);
  const idOf = ({ id, createdAt }: ForeignResult, ...rest: readonly string[]) => {
    const facts = JSON.stringify([botId, source, id, ...rest]);
    return derivedId(new Date(createdAt), createHmac("sha256", key).update(facts).digest());
  };
  const ofResult = (result: ForeignResult) => idOf(result);
  const inItsShard = (result: ForeignResult, ...rest: readonly string[]) =>
    idOf(result, ...rest).slice(0, 24) + ofResult(result).slice(24);
  return {
    ofResult,
    ofFile: (result, fileId) => inItsShard(result, "file", fileId),
    ofSession: (result, sessionId) => inItsShard(result, "session", sessionId),
  };
}

const keyName = "brought-results";

/**
 * Returns the key, which is the same on all nodes and in all backups. It is created when the first results are
 * imported.
 */
async function sharedKey({ sql }: ManagementDependencies): Promise<Uint8Array> {
  const known = await findInstanceKey(sql, keyName);
  if (known) return known;
  await insertInstanceKey(sql, { name: keyName, candidate: crypto.getRandomValues(new Uint8Array(32)) });
  const key = await findInstanceKey(sql, keyName);
  if (!key) throw new Error("This instance has lost its key for imported results");
  return key;
}
