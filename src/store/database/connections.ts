import { newId } from "../../ids.ts";
import type { Sql } from "./sql.ts";

/** The queue's two, the watch's one, and what is opened for moments: for a rare transaction, to look for a server. */
const besidePools = 5;
/** What people and their tools are left. */
const spare = 3;

/** A node's connections are known to the server by a name that says how many the node may open, so that others can add them up. */
export function nameConnections(databaseUrl: string, pools: number): { readonly url: string; readonly name: string } {
  const name = `parley ${pools + besidePools} ${newId().slice(-8)}`;
  // What the operator has named is left as it is, and not counted.
  if (/[?&]application_name=/.test(databaseUrl)) return { url: databaseUrl, name };
  const joined = `${databaseUrl}${databaseUrl.includes("?") ? "&" : "?"}application_name=${encodeURIComponent(name)}`;
  return { url: joined, name };
}

/** A sentence for the operator where this node and the others may open more connections than the server takes; else nothing. */
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
