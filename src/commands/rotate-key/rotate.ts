import { readConfig, StartError } from "../../config.ts";
import { type Rotation, resealAll } from "../../management/credentials/key-rotation.ts";
import { asStartError } from "../../platform/database/primary/start-error.ts";
import { connect } from "../../platform/database/sql.ts";
import { openDatabase } from "../../platform/embedded/database.ts";
import { addEncryptionKey, forgetOldKeys, isOurs, withEncryptionKey } from "../../platform/embedded/encryption-key.ts";
import { createLog } from "../../platform/observing/log.ts";
import { createSecrets, operatorKeys } from "../../platform/secrets.ts";
import type { Environment } from "../command.ts";

/** Seals everything anew: under ENCRYPTION_KEY, or under a new key of our own that replaces those in DATA_DIR. */
export async function rotateKey(environment: Environment): Promise<Rotation> {
  const config = readConfig(environment);
  if (!isOurs(config) && config.ENCRYPTION_KEY === undefined) {
    throw new StartError("There is no key: set ENCRYPTION_KEY, and ENCRYPTION_KEY_OLD to the one before.");
  }
  const log = createLog(config.LOG_LEVEL);
  // A service that runs on an embedded database would not know the new key.
  const database = await openDatabase(config, { log, onLost: (error) => log.error(error.message) });
  const sql = connect(database.url, { connections: 1 });
  try {
    if (isOurs(config)) await addEncryptionKey(config);
    const keys = operatorKeys(await withEncryptionKey(config));
    const rotation = await resealAll(sql, createSecrets(keys));
    if (isOurs(config) && rotation.unreadable.length === 0) await forgetOldKeys(config);
    return rotation;
  } catch (error) {
    throw asStartError(error);
  } finally {
    await sql.end();
    await database.close();
  }
}
