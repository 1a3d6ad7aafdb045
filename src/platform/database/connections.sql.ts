import { newId } from "../ids.ts";
import { migrations } from "./migrations.ts";
import type { Sql, Statements } from "./sql.ts";

/**
 * The connections that a node opens besides its pools: two for the queue, one for the watch, and short-lived
 * connections for rare transactions and for finding the primary server.
 */
const besidePools = 5;
/** The number of connections reserved for people and their tools. */
const spare = 3;

/** The number of the newest migration that this program knows. */
const newestMigration = Number(migrations.at(-1)?.name.slice(0, 4));

/**
 * Returns the `application_name` by which the server identifies a node's connections, and the URL with this name. The
 * name contains the number of connections that the node may open, so that other nodes can add up these numbers. The
 * number of the newest migration that the node knows follows after an "m".
 */
export function nameConnections(
  databaseUrl: string,
  pools: number,
  newest = newestMigration,
): { readonly url: string; readonly name: string } {
  const name = `parley ${pools + besidePools} ${newId().slice(-8)}m${String(newest).padStart(4, "0")}`;
  // A name set by the operator is not replaced, and the connections of such a node are not counted.
  if (/[?&]application_name=/.test(databaseUrl)) return { url: databaseUrl, name };
  const joined = `${databaseUrl}${databaseUrl.includes("?") ? "&" : "?"}application_name=${encodeURIComponent(name)}`;
  return { url: joined, name };
}

/**
 * Returns a warning for the operator if all nodes together may open more connections than the server allows, and
 * undefined otherwise.
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
    `The database accepts ${free} connections, but this node may open ${own}${beside}: ` +
    `set its max_connections to ${own + others + reserved + spare} or more, or lower DATABASE_POOL`
  );
}

/**
 * Returns the number of the newest migration that every node on this database knows. Returns 0 if a node's release is
 * older than migration 0053, and infinity if no node has a name.
 */
export async function findOldestMigration(sql: Statements): Promise<number> {
  const [row] = await sql<[{ oldest: number | null }]>`
    select min(coalesce(substring(application_name from '^parley [0-9]+ [0-9a-z]{8}m([0-9]{4,6})$')::int, 0)) as oldest
    from pg_stat_activity
    where datname = current_database() and application_name ~ '^parley [0-9]{1,6} [0-9a-z]+$'`;
  return row.oldest ?? Number.POSITIVE_INFINITY;
}

/**
 * Returns the nodes on this database that do not know the migration with this number. Releases before 0053 report no
 * migration. `idleSeconds` is the time since the last statement of a node.
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
