import type { Config } from "../../config.ts";
import { countSealed } from "../../management/credentials/key-rotation.ts";
import { findMigrationState } from "../../platform/database/schema/migrate.sql.ts";
import type { Sql } from "../../platform/database/sql.ts";
import { withKeptKey } from "../../platform/embedded/encryption-key.ts";
import { createSecrets, operatorKeys } from "../../platform/secrets.ts";
import { about, type Finding } from "./finding.ts";

/** Whether the keys open all that is stored encrypted; nothing before its tables are there. */
export async function examineSealed(sql: Sql, config: Config): Promise<Finding[]> {
  const { fine, wrong } = about("Stored secrets");
  const { missing } = await findMigrationState(sql);
  if (missing.length > 0) return [];
  const { total, unreadable } = await countSealed(sql, createSecrets(operatorKeys(await withKeptKey(config))));
  if (unreadable === 0) return [fine(total === 0 ? "none" : `all ${total} can be opened`)];
  const todo = "Set ENCRYPTION_KEY or ENCRYPTION_KEY_OLD to the key that encrypted them, or enter these secrets again.";
  return [wrong(`no key opens ${unreadable} of ${total}`, todo)];
}
