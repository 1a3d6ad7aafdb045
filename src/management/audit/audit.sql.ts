import type { Position } from "../../platform/database/owned-rows.sql.ts";
import type { Sql } from "../../platform/database/sql.ts";
import type { AuditSubject } from "./audit-subjects.sql.ts";

/**
 * The outcome of a write. `begun` means that no end of the write was recorded, so it is unknown whether the write was
 * done.
 */
export const auditOutcomes = ["begun", "done", "failed"] as const;
export type AuditOutcome = (typeof auditOutcomes)[number];

export type AuditRow = {
  readonly id: string;
  readonly createdAt: Date;
  readonly workspaceId: string | null;
  readonly userId: string | null;
  readonly userName: string | null;
  readonly tokenId: string | null;
  readonly tokenName: string | null;
  readonly address: string | null;
  readonly requestId: string;
  readonly operation: string;
  readonly subject: AuditSubject | null;
  readonly subjectIds: string[];
  readonly outcome: AuditOutcome;
  readonly beforeHash: string | null;
  readonly afterHash: string | null;
  readonly changedPaths: string[];
  readonly changedCount: number;
};

export type NewAuditEntry = {
  readonly id: string;
  readonly workspaceId: string | null;
  readonly userId: string | null;
  readonly tokenId: string | null;
  readonly address: string | null;
  readonly requestId: string;
  readonly operation: string;
  readonly subject: AuditSubject | null;
  readonly subjectIds: readonly string[];
  readonly beforeHash: string | null;
};

/** Records that a write begins. */
export async function insertAuditEntry(sql: Sql, entry: NewAuditEntry): Promise<void> {
  await sql`
    insert into audit_entries (
      id, workspace_id, user_id, token_id, token_name, address, request_id, operation, subject, subject_ids, before_hash
    )
    values (
      ${entry.id}, ${entry.workspaceId}, ${entry.userId}, ${entry.tokenId},
      coalesce(
        (select name from api_tokens where id = ${entry.tokenId}),
        (select 'Sign-in: ' || browser from sign_ins where id = ${entry.tokenId})
      ),
      ${entry.address}, ${entry.requestId}, ${entry.operation},
      ${entry.subject}, ${[...entry.subjectIds]}::text[], decode(${entry.beforeHash}::text, 'hex')
    )`;
}

export type AuditEnd = {
  readonly id: string;
  readonly outcome: AuditOutcome;
  readonly userId: string | null;
  readonly workspaceId: string | null;
  readonly subject: AuditSubject | null;
  readonly subjectIds: readonly string[];
  readonly beforeHash: string | null;
  readonly afterHash: string | null;
  readonly changedPaths: readonly string[];
  readonly changedCount: number;
  /**
   * The workspace to which the object moved, and the id of this entry's copy in the log of that workspace. Null if the
   * object did not move.
   */
  readonly arrival: { readonly id: string; readonly workspaceId: string } | null;
};

/** Records the outcome of a write. */
export async function completeAuditEntry(sql: Sql, end: AuditEnd): Promise<void> {
  await sql`
    with completed as (
      update audit_entries
      set outcome = ${end.outcome},
        user_id = coalesce(user_id, ${end.userId}),
        workspace_id = coalesce(workspace_id, ${end.workspaceId}),
        subject = ${end.subject},
        subject_ids = ${[...end.subjectIds]}::text[],
        before_hash = decode(${end.beforeHash}::text, 'hex'),
        after_hash = decode(${end.afterHash}::text, 'hex'),
        changed_paths = ${[...end.changedPaths]}::text[],
        changed_count = ${end.changedCount}
      where id = ${end.id}
      returning *
    )
    insert into audit_entries (
      id, created_at, workspace_id, user_id, token_id, token_name, address, request_id, operation, subject, subject_ids,
      outcome, before_hash, after_hash, changed_paths, changed_count
    )
    select
      ${end.arrival?.id ?? null}::uuid, created_at, ${end.arrival?.workspaceId ?? null}::uuid, user_id, token_id,
      token_name, address, request_id, operation, subject, subject_ids, outcome, before_hash, after_hash, changed_paths,
      changed_count
    from completed
    where ${end.arrival !== null}`;
}

/** Deletes the entry of a write that changed nothing, such as a rejected write. */
export async function deleteAuditEntry(sql: Sql, id: string): Promise<void> {
  await sql`
    delete from audit_entries
    where id = ${id}`;
}

export type AuditFilter = {
  readonly workspaceId?: string | undefined;
  readonly userId?: string | undefined;
  readonly tokenId?: string | undefined;
  readonly operation?: string | undefined;
  readonly subject?: AuditSubject | undefined;
  readonly subjectId?: string | undefined;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
};

/** Returns entries of the audit log, newest first. */
export async function listAuditEntries(
  sql: Sql,
  { filter, after, limit }: { filter: AuditFilter; after: Position | undefined; limit: number },
): Promise<AuditRow[]> {
  const { workspaceId, userId, tokenId, operation, subject, subjectId, from, to } = filter;
  return sql<AuditRow[]>`
    select
      e.id,
      e.created_at,
      e.workspace_id,
      e.user_id,
      users.name as user_name,
      e.token_id,
      e.token_name,
      e.address,
      e.request_id,
      e.operation,
      e.subject,
      e.subject_ids,
      e.outcome,
      encode(e.before_hash, 'hex') as before_hash,
      encode(e.after_hash, 'hex') as after_hash,
      e.changed_paths,
      e.changed_count
    from audit_entries e
    left join users on users.id = e.user_id
    where true
      ${workspaceId === undefined ? sql`` : sql`and e.workspace_id = ${workspaceId}`}
      ${userId === undefined ? sql`` : sql`and e.user_id = ${userId}`}
      ${tokenId === undefined ? sql`` : sql`and e.token_id = ${tokenId}`}
      ${operation === undefined ? sql`` : sql`and e.operation = ${operation}`}
      ${subject === undefined ? sql`` : sql`and e.subject = ${subject}`}
      ${subjectId === undefined ? sql`` : sql`and ${subjectId} = any(e.subject_ids)`}
      ${from === undefined ? sql`` : sql`and e.created_at >= ${from}`}
      ${to === undefined ? sql`` : sql`and e.created_at < ${to}`}
      ${after ? sql`and (e.created_at, e.id) < (${after.createdAt}, ${after.id})` : sql``}
    order by e.created_at desc, e.id desc
    limit ${limit}`;
}
