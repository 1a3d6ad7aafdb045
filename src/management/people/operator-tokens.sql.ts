import type { Sql } from "../../platform/database/sql.ts";
import type { Scope } from "../access/tokens.sql.ts";

export type OperatorTokenRow = {
  readonly id: string;
  readonly name: string;
  readonly scope: Scope;
  readonly userName: string;
  readonly lastUsedAt: Date | null;
};

/** Returns all API tokens of the instance, newest first, for the operator's commands. */
export async function listAllTokens(sql: Sql): Promise<OperatorTokenRow[]> {
  return sql<OperatorTokenRow[]>`
    select
      api_tokens.id,
      api_tokens.name,
      api_tokens.scope,
      users.name as user_name,
      api_tokens.last_used_at
    from api_tokens
    join users on users.id = api_tokens.user_id
    order by api_tokens.created_at desc, api_tokens.id desc`;
}
