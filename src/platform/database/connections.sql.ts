import { newId } from "../ids.ts";
import { migrations } from "./migrations.ts";
import type { Sql, Statements } from "./sql.ts";

/**
 * Two connections of the queue, one of the watch, and short-lived ones for rare transactions and for the search for a
 * server.
 */
const besidePools = 5;
/** The connections that are left to people and their tools. */
const spare = 3;

/** The migrations up to this number are those that this program knows. */
const newestMigration = Number(migrations.at(-1)?.name.slice(0, 4));

/**
 * The server knows a node's connections by a name. The name contains the number of connections that the node may open,
 * so that others can add them up, and after an "m" the number of the newest migration that the node knows.
 */
export function nameConnections(
  databaseUrl: string,
  pools: number,
  newest = newestMigration,
): { readonly url: string; readonly name: string } {
  const name = `parley ${pools + besidePools} ${newId().slice(-8)}m${String(newest).padStart(4, "0")}`;
  // A name that the operator has set stays, and its connections are not counted.
  if (/[?&]application_name=/.test(databaseUrl)) return { url: databaseUrl, name };
  const joined = `${databaseUrl}${databaseUrl.includes("?") ? "&" : "?"}application_name=${encodeURIComponent(name)}`;
  return { url: joined, name };
}

/**
 * A warning for the operator if this node and the others may open more connections than the server allows; undefined
 * otherwise.
 */
export async function findShortage(sql: Sql, name: string): Promise<string | undefined> {
  const [row] = await sql<[{ most: number; reserved: number; own: number; nodes: number; others: number }]>`
    with nodes as (
      select distinct application_name, substring(application_name from '^parley ([0-9]+) ')::int as connections
      from pg_stat_activity
      where application_name ~ '^parley [0-9]{1,6} [0-9a-z]+$' and application_name <> ${name}
    )
    select
      current_setting('max_connections')::int as most,
      current_setting('superuser_reserved_connections')::int
        + coalesce(current_setting('reserved_connections', true), '0')::int as reserved,
      substring(${name}::text from '^parley ([0-9]+) ')::int as own,
      count(*)::int as nodes,
      coalesce(sum(connections), 0)::int as others
    from nodes`;
  const { most, reserved, own, nodes, others } = row;
  const free = most - reserved;
  if (own + others <= free) return undefined;
  const beside = nodes === 0 ? "" : ` and ${nodes} other ${nodes === 1 ? "node" : "nodes"} ${others}`;
  return (
    `The database takes ${free} connections, but this node may open ${own}${beside}: ` +
    `set its max_connections to ${own + others + reserved + spare} or more, or DATABASE_POOL to less`
  );
}

/**
 * The newest migration that the oldest node on this database knows: 0 for releases before 0053, and infinity where no
 * node is named.
 */
export async function findOldestMigration(sql: Statements): Promise<number> {
  const [row] = await sql<[{ oldest: number | null }]>`
    select min(coalesce(substring(application_name from '^parley [0-9]+ [0-9a-z]{8}m([0-9]{4,6})$')::int, 0)) as oldest
    from pg_stat_activity
    where datname = current_database() and application_name ~ '^parley [0-9]{1,6} [0-9a-z]+$'`;
  return row.oldest ?? Number.POSITIVE_INFINITY;
}

/**
 * The nodes on this database that do not know the migration of this number: releases before 0053 name none.
 * `idleSeconds` is the time since their last statement.
 */
export async function findOlderNodes(
  sql: Statements,
  number: number,
): Promise<readonly { readonly name: string; readonly address: string | null; readonly idleSeconds: number }[]> {
  return await sql`
    select
      application_name as name,
      min(host(client_addr)) as address,
      coalesce(extract(epoch from clock_timestamp() - max(state_change)), 0)::int as idle_seconds
    from pg_stat_activity
    where
      datname = current_database()
      and application_name ~ '^parley [0-9]{1,6} [0-9a-z]+$'
      and coalesce(substring(application_name from '^parley [0-9]+ [0-9a-z]{8}m([0-9]{4,6})$')::int, 0) < ${number}
    group by application_name
    order by application_name`;
}
