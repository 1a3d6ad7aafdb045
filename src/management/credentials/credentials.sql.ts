import { ownedRows } from "../../platform/database/owned-rows.sql.ts";
import { first, type Sql } from "../../platform/database/sql.ts";

/** The credentials with which a workspace calls another service. */
export type CredentialsRow = {
  readonly id: string;
  readonly workspaceId: string;
  readonly type: string;
  readonly name: string;
  readonly sealed: Uint8Array;
  /** The visible parts of the credentials' fields. */
  readonly hint: Readonly<Record<string, unknown>>;
  readonly lastUsedAt: Date | null;
  /** The message with which a provider rejected the credentials in a live chat. */
  readonly lastProblem: string | null;
  readonly lastProblemAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

export type CredentialsPlace = { readonly workspaceId: string; readonly credentialsId: string };

export const credentialsRows = ownedRows<CredentialsRow>({ table: "credentials", owner: "workspace_id", columns });

/** Returns credentials of any workspace, or undefined. */
export async function findCredentials(sql: Sql, credentialsId: string): Promise<CredentialsRow | undefined> {
  return first(sql<CredentialsRow[]>`
    select ${columns(sql)}
    from credentials
    where id = ${credentialsId}`);
}

/**
 * Inserts credentials. Returns undefined if the workspace already has `most` credentials. Concurrent requests may
 * exceed this number.
 */
export async function insertCredentials(
  sql: Sql,
  row: Pick<CredentialsRow, "id" | "workspaceId" | "type" | "name" | "sealed" | "hint">,
  { most }: { most: number },
): Promise<CredentialsRow | undefined> {
  const { id, workspaceId, type, name, sealed, hint } = row;
  return first(sql<CredentialsRow[]>`
    insert into credentials (id, workspace_id, type, name, sealed, hint)
    select
      ${id}::uuid,
      ${workspaceId}::uuid,
      ${type}::text,
      ${name}::text,
      ${sealed}::bytea,
      ${JSON.stringify(hint)}::text::json
    where (
      select count(*)
      from credentials
      where workspace_id = ${workspaceId}
    ) < ${most}::integer
    returning ${columns(sql)}`);
}

/**
 * Changes credentials. Returns undefined if the credentials were deleted, or if their data has changed since it was
 * read.
 */
export async function updateCredentials(
  sql: Sql,
  before: Pick<CredentialsRow, "id" | "workspaceId" | "sealed">,
  { name, sealed, hint }: Pick<CredentialsRow, "name" | "sealed" | "hint">,
): Promise<CredentialsRow | undefined> {
  return first(sql<CredentialsRow[]>`
    update credentials
    set name = ${name},
      sealed = ${sealed},
      hint = ${JSON.stringify(hint)}::text::json,
      last_problem = case when sealed = ${sealed} then last_problem end,
      last_problem_at = case when sealed = ${sealed} then last_problem_at end,
      updated_at = greatest(clock(), updated_at + interval '1 millisecond')
    where id = ${before.id}
      and workspace_id = ${before.workspaceId}
      and sealed = ${before.sealed}
    returning ${columns(sql)}`);
}

/** Records the time of last use, truncated to the minute. */
export async function noteUse(sql: Sql, { workspaceId, credentialsId }: CredentialsPlace): Promise<void> {
  await sql`
    update credentials
    set last_used_at = date_trunc('minute', clock())
    where id = ${credentialsId}
      and workspace_id = ${workspaceId}
      and last_used_at is distinct from date_trunc('minute', clock())`;
}

function columns(sql: Sql) {
  return sql`id, workspace_id, type, name, sealed, hint, last_used_at, last_problem, last_problem_at, created_at, updated_at`;
}
