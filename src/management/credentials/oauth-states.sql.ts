import { isRecent } from "../../platform/database/spans.sql.ts";
import { first, type Sql } from "../../platform/database/sql.ts";

/** A pending connection of an account at a provider. */
export type OauthState = {
  /** SHA-256 of the `state` with which the provider redirects the person back. */
  readonly hash: Uint8Array;
  readonly workspaceId: string;
  readonly userId: string;
  /** The credentials that get the account; null if new credentials are created. */
  readonly credentialsId: string | null;
  readonly sealed: Uint8Array;
};

/** Stores a state. Deletes expired states, and the user's oldest states so that at most `most` remain. */
export async function keepState(
  sql: Sql,
  { hash, workspaceId, userId, credentialsId, sealed }: OauthState,
  { seconds, most }: { seconds: number; most: number },
): Promise<void> {
  await sql`
    with gone as (
      delete from oauth_states
      where hash in (
        select hash
        from oauth_states
        where user_id = ${userId}
        order by created_at desc, hash
        offset ${most - 1}
      )
      or not ${isRecent(sql, sql`created_at`, seconds)}
    )
    insert into oauth_states (hash, workspace_id, user_id, credentials_id, sealed)
    values (${hash}, ${workspaceId}, ${userId}, ${credentialsId}, ${sealed})`;
}

/**
 * Deletes and returns a state that the same user created in this workspace at most `seconds` ago, so that it can be
 * used only once. Returns undefined for any other state.
 */
export async function takeState(
  sql: Sql,
  { hash, workspaceId, userId }: Pick<OauthState, "hash" | "workspaceId" | "userId">,
  { seconds }: { seconds: number },
): Promise<Pick<OauthState, "credentialsId" | "sealed"> | undefined> {
  return first(sql<Pick<OauthState, "credentialsId" | "sealed">[]>`
    delete from oauth_states
    where hash = ${hash}
      and workspace_id = ${workspaceId}
      and user_id = ${userId}
      and ${isRecent(sql, sql`created_at`, seconds)}
    returning credentials_id, sealed`);
}
