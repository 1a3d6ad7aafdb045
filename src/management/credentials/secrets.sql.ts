import { ownedRows } from "../../platform/database/owned-rows.sql.ts";
import { first, type Sql } from "../../platform/database/sql.ts";

/** A secret of a workspace, which its flows refer to. */
export type SecretRow = {
  readonly id: string;
  readonly workspaceId: string;
  readonly name: string;
  readonly sealed: Uint8Array;
  readonly hosts: string[] | null;
  readonly note: string | null;
  readonly lastUsedAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

export type SecretPlace = { readonly workspaceId: string; readonly name: string };

/** The rows of workspaces' secrets, which are identified by their names. */
export const secretRows = ownedRows<SecretRow>({ table: "secrets", owner: "workspace_id", key: "name", columns });

/** Returns the names of all secrets of a workspace. */
export async function findSecretNames(sql: Sql, workspaceId: string): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select name
    from secrets
    where workspace_id = ${workspaceId}`;
  return rows.map(({ name }) => name);
}

/**
 * Returns the secrets with these names, which are about to be used. Records the time of use, truncated to the minute.
 */
export async function useSecrets(
  sql: Sql,
  { workspaceId, names }: { workspaceId: string; names: readonly string[] },
): Promise<Pick<SecretRow, "id" | "name" | "sealed" | "hosts">[]> {
  return sql<Pick<SecretRow, "id" | "name" | "sealed" | "hosts">[]>`
    with used as (
      update secrets
      set last_used_at = date_trunc('minute', clock())
      where workspace_id = ${workspaceId}
        and name = any(${[...names]}::text[])
        and last_used_at is distinct from date_trunc('minute', clock())
    )
    select id, name, sealed, hosts
    from secrets
    where workspace_id = ${workspaceId}
      and name = any(${[...names]}::text[])`;
}

/**
 * Inserts a secret. Returns undefined if the name is already used, or if the workspace has `most` secrets. Concurrent
 * requests may exceed this number.
 */
export async function insertSecret(
  sql: Sql,
  { id, workspaceId, name, sealed, hosts, note }: Omit<SecretRow, "lastUsedAt" | "createdAt" | "updatedAt">,
  { most }: { most: number },
): Promise<SecretRow | undefined> {
  return first(sql<SecretRow[]>`
    insert into secrets (id, workspace_id, name, sealed, hosts, note)
    select
      ${id}::uuid,
      ${workspaceId}::uuid,
      ${name}::text,
      ${sealed}::bytea,
      ${hosts}::text[],
      ${note}::text
    where (
      select count(*)
      from secrets
      where workspace_id = ${workspaceId}
    ) < ${most}::integer
    on conflict (workspace_id, name) do nothing
    returning ${columns(sql)}`);
}

/**
 * Changes a secret. Returns undefined if the secret was deleted, or if its value or its hosts have changed since it was
 * read.
 */
export async function updateSecret(
  sql: Sql,
  before: Pick<SecretRow, "id" | "workspaceId" | "sealed" | "hosts">,
  { sealed, hosts, note }: Pick<SecretRow, "sealed" | "hosts" | "note">,
): Promise<SecretRow | undefined> {
  return first(sql<SecretRow[]>`
    update secrets
    set sealed = ${sealed},
      hosts = ${hosts}::text[],
      note = ${note},
      updated_at = greatest(clock(), updated_at + interval '1 millisecond')
    where id = ${before.id}
      and workspace_id = ${before.workspaceId}
      and sealed = ${before.sealed}
      and hosts is not distinct from ${before.hosts}::text[]
    returning ${columns(sql)}`);
}

function columns(sql: Sql) {
  return sql`id, workspace_id, name, sealed, hosts, note, last_used_at, created_at, updated_at`;
}
