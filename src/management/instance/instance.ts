import { ConfigError } from "../../config.ts";
import { boundAnswers } from "../../platform/database/primary/answer-bound.ts";
import { type Transaction, withMigrationLock } from "../../platform/database/schema/migrate.sql.ts";
import type { Sql } from "../../platform/database/sql.ts";
import { newId } from "../../platform/ids.ts";
import {
  deleteInstanceToken,
  findFirstAdministrator,
  findTokenByHash,
  insertAdministrator,
  insertInstanceToken,
} from "../access/instance.sql.ts";
import { hashToken, newToken } from "../access/tokens.ts";

export type InstanceOptions = {
  /** The setting ADMIN_TOKEN. */
  readonly adminToken: string | undefined;
  /**
   * Stores a new token where the operator finds it. Called before the token becomes valid, so that it cannot be lost.
   */
  readonly keepToken: (token: string) => Promise<void>;
  /** Called if this start created the administrator, which means that it is the first start. */
  readonly onFirst?: (administratorId: string) => void;
};

/**
 * Creates the instance's administrator with a token, once per database, even if several nodes start at the same time.
 * Returns the token only if it was generated, because the operator cannot see it later. If ADMIN_TOKEN is set, it is
 * used as the token and replaces an earlier token. Without ADMIN_TOKEN, an administrator who has lost the token gets no
 * new token. Throws a ConfigError if ADMIN_TOKEN is another API token. If nothing must be written, this function does
 * not acquire the migration lock, and throws if the database does not respond.
 */
export async function openInstance(sql: Sql, options: InstanceOptions): Promise<string | undefined> {
  if (await boundAnswers()(isOpen(sql, options))) return undefined;
  return await withMigrationLock(sql, async (transaction) => {
    const administrator = await findFirstAdministrator(transaction);
    if (options.adminToken !== undefined) {
      const userId = administrator ?? (await makeAdministrator(transaction, options));
      await setInstanceToken(transaction, userId, options.adminToken);
      return undefined;
    }
    if (administrator !== undefined) return undefined;
    const token = newToken();
    await setInstanceToken(transaction, await makeAdministrator(transaction, options), token);
    await options.keepToken(token);
    return token;
  });
}

async function isOpen(sql: Sql, { adminToken }: InstanceOptions): Promise<boolean> {
  if ((await findFirstAdministrator(sql)) === undefined) return false;
  if (adminToken === undefined) return true;
  const known = await findTokenByHash(sql, hashToken(adminToken));
  return known?.isInstanceToken ?? false;
}

async function makeAdministrator(transaction: Transaction, { onFirst }: InstanceOptions): Promise<string> {
  const id = newId();
  await insertAdministrator(transaction, { id, name: "Administrator" });
  onFirst?.(id);
  return id;
}

async function setInstanceToken(transaction: Transaction, userId: string, token: string): Promise<void> {
  const hash = hashToken(token);
  const known = await findTokenByHash(transaction, hash);
  if (known?.isInstanceToken) return;
  if (known) throw new ConfigError("ADMIN_TOKEN is already another API token in this database. Choose a new value.");
  await deleteInstanceToken(transaction);
  await insertInstanceToken(transaction, { id: newId(), userId, name: "First token", hash });
}
