import { createHmac } from "node:crypto";
import type { Sql } from "../../platform/database/sql.ts";
import { createInstanceKey } from "../access/instance-keys.ts";

/**
 * Hashes addresses, in order to recognize the addresses of erased contacts who had opted out. Only equal addresses of
 * the same connection have equal hashes.
 */
export type OptOuts = {
  hashOf(connectionId: string, address: { readonly kind: string; readonly value: string }): Promise<Uint8Array>;
};

/** Uses a key of the instance that is never rotated, so that the hashes still match after a restore. */
export function createOptOuts(sql: Sql): OptOuts {
  const key = createInstanceKey(sql, "channel-opt-outs");
  return {
    hashOf: async (connectionId, { kind, value }) =>
      createHmac("sha256", await key())
        .update(JSON.stringify([connectionId, kind, value]))
        .digest(),
  };
}
