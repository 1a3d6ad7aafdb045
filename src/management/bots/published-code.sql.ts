import type { Sql } from "../../platform/database/sql.ts";

type UnreadFlow = { readonly botId: string; readonly hash: string; readonly content: string };

/** The number of flows that are read together. A large flow has several megabytes. */
const batch = 10;
/** The maximum number of bots that are counted. */
const most = 10_000;

/**
 * Returns up to `batch` published flows and canaries from earlier releases, which did not record whether a flow
 * contains code.
 */
export async function listUnreadFlows(sql: Sql): Promise<UnreadFlow[]> {
  return sql<UnreadFlow[]>`
    select distinct on (flows.bot_id, flows.hash)
      flows.bot_id,
      encode(flows.hash, 'hex') as hash,
      flows.content::text as content
    from bots
    join publications on publications.bot_id = bots.id
      and publications.number in (bots.publication_number, bots.canary_number)
    join flows on flows.bot_id = publications.bot_id and flows.hash = publications.flow_hash
    where flows.facts ->> 'bringsCode' is null
    order by flows.bot_id, flows.hash
    limit ${batch}`;
}

/** Records with the flow whether it contains code. */
export async function noteCode(
  sql: Sql,
  { botId, hash, bringsCode }: { botId: string; hash: string; bringsCode: boolean },
): Promise<void> {
  await sql`
    update flows
    set facts = (facts::jsonb || jsonb_build_object('bringsCode', ${bringsCode}::boolean))::json
    where bot_id = ${botId}
      and hash = decode(${hash}, 'hex')`;
}

/** Returns the public ids of bots whose published flow or canary contains code, sorted. */
export async function listBotsWithCode(sql: Sql): Promise<string[]> {
  const rows = await sql<{ publicId: string }[]>`
    select bots.public_id
    from bots
    where bots.public_id is not null
      and exists (
        select
        from publications
        join flows on flows.bot_id = publications.bot_id and flows.hash = publications.flow_hash
        where publications.bot_id = bots.id
          and publications.number in (bots.publication_number, bots.canary_number)
          and (flows.facts ->> 'bringsCode')::boolean
      )
    order by bots.public_id
    limit ${most}`;
  return rows.map(({ publicId }) => publicId);
}
