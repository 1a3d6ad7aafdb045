import { readConfig, StartError } from "../../config.ts";
import { openDatabase } from "../../embedded/database.ts";
import { addEncryptionKey, forgetOldKeys, isOurs, withEncryptionKey } from "../../embedded/encryption-key.ts";
import { createLog } from "../../log.ts";
import { createSecrets, operatorKeys } from "../../secrets.ts";
import { type Rotation, resealAll } from "../../services/key-rotation.ts";
import { connect } from "../../store/database/sql.ts";
import { asStartError } from "../../store/database/start-error.ts";
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
