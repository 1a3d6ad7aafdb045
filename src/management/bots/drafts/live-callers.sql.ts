import type { Sql } from "../../../platform/database/sql.ts";
import { isAlive } from "../../access/sign-ins.sql.ts";

/** The tokens and sign-ins among these that are valid for an active user: not revoked, expired or ended. */
export async function listLiveCallers(sql: Sql, ids: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await sql<{ id: string }[]>`
    select api_tokens.id
    from api_tokens
    join users on users.id = api_tokens.user_id and users.deactivated_at is null
    where api_tokens.id = any(${ids}::uuid[])
      and (api_tokens.expires_at is null or api_tokens.expires_at > clock())
    union all
    select sign_ins.id
    from sign_ins
    join users on users.id = sign_ins.user_id and users.deactivated_at is null
    left join api_tokens on api_tokens.id = sign_ins.token_id
    where sign_ins.id = any(${ids}::uuid[])
      and ${isAlive(sql)}
      and (api_tokens.expires_at is null or api_tokens.expires_at > clock())`;
  return new Set(rows.map(({ id }) => id));
}
