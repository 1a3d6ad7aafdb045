import { createHmac } from "node:crypto";
import type { Sql } from "../../platform/database/sql.ts";
import { createInstanceKey } from "../access/instance-keys.ts";

/** Tells addresses of erased contacts who had asked for no more messages: nothing but the same address has the hash. */
export type OptOuts = {
  hashOf(connectionId: string, address: { readonly kind: string; readonly value: string }): Promise<Uint8Array>;
};

/** Under a key of the instance, which is never rotated: it is known after a restore, too. */
export function createOptOuts(sql: Sql): OptOuts {
  const key = createInstanceKey(sql, "channel-opt-outs");
  return {
    hashOf: async (connectionId, { kind, value }) =>
      createHmac("sha256", await key())
        .update(JSON.stringify([connectionId, kind, value]))
        .digest(),
  };
}
