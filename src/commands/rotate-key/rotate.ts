import { readConfig, StartError } from "../../config.ts";
import { type Rotation, resealAll } from "../../management/credentials/key-rotation.ts";
import { requireMigrated } from "../../platform/database/schema/migrate.sql.ts";
import type { Sql } from "../../platform/database/sql.ts";
import { openDatabase } from "../../platform/embedded/database.ts";
import { addEncryptionKey, forgetOldKeys, isOurs, withEncryptionKey } from "../../platform/embedded/encryption-key.ts";
import { createSecrets, operatorKeys } from "../../platform/secrets.ts";
import type { Tools } from "../command.ts";
import { withDatabase } from "../database.ts";

/**
 * Seals all readable secrets again, either with ENCRYPTION_KEY, or with a new generated key that replaces the keys in
 * DATA_DIR. The old keys in DATA_DIR are kept if any secret cannot be read.
 */
export async function rotateKey({ environment, tell }: Pick<Tools, "environment" | "tell">): Promise<Rotation> {
  const config = readConfig(environment);
  if (!isOurs(config) && config.ENCRYPTION_KEY === undefined) {
    throw new StartError("There is no key: set ENCRYPTION_KEY, and ENCRYPTION_KEY_OLD to the previous key.");
  }
  const work = async (sql: Sql): Promise<Rotation> => {
    // Requires the tables of this release. Secrets in tables that this release does not contain would not be sealed
    // again, and would be lost with the old key.
    await requireMigrated(sql);
    if (isOurs(config)) await addEncryptionKey(config);
    const keys = operatorKeys(await withEncryptionKey(config));
    const rotation = await resealAll(sql, createSecrets(keys));
    if (isOurs(config) && rotation.unreadable.length === 0) await forgetOldKeys(config);
    return rotation;
  };
  // A service that runs on an embedded database would not have the new key. `openDatabase` therefore fails while a
  // service runs.
  return await withDatabase(environment, work, { open: openDatabase, tell });
}
