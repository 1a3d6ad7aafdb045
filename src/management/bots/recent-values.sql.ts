import { limits } from "../../limits/index.ts";
import type { Sql } from "../../platform/database/sql.ts";
import { mayRead } from "./linking-bots.sql.ts";

type Wanted = {
  /** The workspace of the bots, and the user who reads them. */
  readonly workspaceId: string;
  readonly userId: string;
  /** The block type, and the name of its option. */
  readonly type: string;
  readonly option: string;
};

/**
 * Returns the values of a text option in the most recently changed drafts that a user may read. Values from the most
 * recently changed bot come first.
 */
export async function findRecentValues(sql: Sql, { type, option, workspaceId, userId }: Wanted): Promise<string[]> {
  const rows = await sql<{ value: string }[]>`
    select found.value
    from (
      select recent.updated_at, block -> 'options' ->> ${option} as value
      from (
        select groups, updated_at
        from bots
        where workspace_id = ${workspaceId}
          and ${mayRead(sql, { userId })}
          and not is_archived
        order by updated_at desc
        limit ${limits.credentials.recentBots}
      ) as recent
      cross join lateral json_array_elements(recent.groups) as one_group
      cross join lateral json_array_elements(
        case json_typeof(one_group -> 'blocks') when 'array' then one_group -> 'blocks' else '[]' end
      ) as block
      where block ->> 'type' = ${type}
    ) as found
    where found.value <> ''
    group by found.value
    order by max(found.updated_at) desc, found.value
    limit ${limits.credentials.options}`;
  return rows.map(({ value }) => value);
}
