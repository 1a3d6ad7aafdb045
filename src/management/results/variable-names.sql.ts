import { bulk, hex, uuid } from "../../platform/database/bulk.ts";
import type { Sql } from "../../platform/database/sql.ts";

/** The variables of a bot's draft, in their stored form, and the hashes of the flows that the bot has published. */
export type VersionsRow = { readonly botId: string; readonly variables: unknown; readonly flowHashes: string[] };

export async function listVersions(sql: Sql, botIds: readonly string[]): Promise<VersionsRow[]> {
  return sql<VersionsRow[]>`
    select
      id as bot_id,
      variables,
      array(select distinct encode(flow_hash, 'hex') from publications where publications.bot_id = bots.id) as flow_hashes
    from bots
    where id = any(${[...botIds]}::uuid[])`;
}

export type FlowPlace = { readonly botId: string; readonly hash: string };

const flowPlaces = bulk<FlowPlace>({
  bot_id: uuid(({ botId }) => botId),
  hash: hex(({ hash }) => hash),
});

/** Returns the variables of these flows, in their stored form. */
export async function listFlowVariables(
  sql: Sql,
  flows: readonly FlowPlace[],
): Promise<(FlowPlace & { readonly variables: unknown })[]> {
  return sql<(FlowPlace & { variables: unknown })[]>`
    select flows.bot_id, wanted.hash, flows.content -> 'variables' as variables
    from ${flowPlaces(sql, flows)} as wanted
    join flows on flows.bot_id = wanted.bot_id and flows.hash = decode(wanted.hash, 'hex')`;
}

/**
 * Returns the distinct names of variables in a bot's results, according to the index. Each name costs one look-up.
 * Names that begin with one of these marks are left out.
 */
export async function listNamesOfResults(
  sql: Sql,
  { botId, marks, limit }: { botId: string; marks: readonly string[]; limit: number },
): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    with recursive names as (
      (
        select name
        from result_values
        where bot_id = ${botId}
        order by name
        limit 1
      )
      union all
      select (
        select result_values.name
        from result_values
        where result_values.bot_id = ${botId}
          and result_values.name > names.name
        order by result_values.name
        limit 1
      )
      from names
      where names.name is not null
    )
    select name
    from names
    where name is not null
      and left(name, 1) <> all(${[...marks]})
    limit ${limit}`;
  return rows.map(({ name }) => name);
}
