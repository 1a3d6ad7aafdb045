import { isRecent } from "../../platform/database/spans.sql.ts";
import { first, type Sql } from "../../platform/database/sql.ts";

/** A person who is connecting an account at its provider. */
export type OauthState = {
  /** SHA-256 of the `state` that comes back with the person. */
  readonly hash: Uint8Array;
  readonly workspaceId: string;
  readonly userId: string;
  /** The credentials that get the account; null: new credentials. */
  readonly credentialsId: string | null;
  readonly sealed: Uint8Array;
};

/** Stores a state. Only the newest `most` - 1 of the user's other unexpired states are kept. */
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

/** Uses up a state that its own user began in this workspace at most `seconds` ago. It works only once. */
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
