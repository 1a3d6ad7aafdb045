import { ownedRows } from "../../platform/database/owned-rows.sql.ts";
import { first, type Sql } from "../../platform/database/sql.ts";

/** A workspace's claim to a domain. */
export type CustomDomainRow = {
  readonly id: string;
  readonly workspaceId: string;
  readonly name: string;
  readonly proof: string;
  readonly state: "pending" | "verified" | "failed";
  readonly provedBy: "dns" | "file" | null;
  readonly unprovedSince: Date | null;
  readonly problem: string | null;
  readonly verifiedAt: Date | null;
  readonly checkedAt: Date | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
};

export type CustomDomainPlace = { readonly workspaceId: string; readonly customDomainId: string };

/**
 * The rows of workspaces' claims. To delete a claim, use `deleteCustomDomain`, which also removes the domain from the
 * workspace's bots.
 */
export const customDomainRows = ownedRows<CustomDomainRow>({ table: "custom_domains", owner: "workspace_id", columns });

/**
 * The workspace of a verified domain, and the public id of the bot at the requested address; null if there is no bot at
 * this address.
 */
export type DomainHome = { readonly workspaceId: string; readonly publicId: string | null };

/**
 * Returns the workspace of a host, and the bot at a path of the host; undefined unless the host is a verified domain.
 * The path is not case-sensitive.
 */
export async function findDomainHome(
  sql: Sql,
  { host, path }: { host: string; path: string },
): Promise<DomainHome | undefined> {
  return first(sql<DomainHome[]>`
    select custom_domains.workspace_id, bots.public_id
    from custom_domains
    left join bots on bots.workspace_id = custom_domains.workspace_id
      and lower(bots.custom_domain) = lower(${host + path})
      and not bots.is_archived
    where custom_domains.name = lower(${host})
      and custom_domains.state = 'verified'`);
}

/** Returns the verified claim to a domain, of any workspace; undefined if no workspace has verified the domain. */
export async function findVerifiedDomain(sql: Sql, name: string): Promise<CustomDomainRow | undefined> {
  return first(sql<CustomDomainRow[]>`
    select ${columns(sql)}
    from custom_domains
    where name = ${name}
      and state = 'verified'`);
}

/**
 * Claims a domain for a workspace, or returns the existing claim. Returns undefined if the workspace has `most` other
 * claims. Concurrent requests may exceed this number.
 */
export async function claimCustomDomain(
  sql: Sql,
  { id, workspaceId, name, proof }: Pick<CustomDomainRow, "id" | "workspaceId" | "name" | "proof">,
  { most }: { most: number },
): Promise<CustomDomainRow | undefined> {
  return first(sql<CustomDomainRow[]>`
    with claimed as (
      insert into custom_domains (id, workspace_id, name, proof)
      select ${id}::uuid, ${workspaceId}::uuid, ${name}::text, ${proof}::text
      where (
        select count(*)
        from custom_domains
        where workspace_id = ${workspaceId}
      ) < ${most}::integer
      on conflict (workspace_id, name) do update
      set name = excluded.name
      returning ${columns(sql)}
    )
    select * from claimed
    union all
    select ${columns(sql)}
    from custom_domains
    where workspace_id = ${workspaceId}
      and name = ${name}`);
}

/** Deletes a claim and returns it; undefined if there is no such claim. The workspace's bots lose the domain. */
export async function deleteCustomDomain(
  sql: Sql,
  { workspaceId, customDomainId }: CustomDomainPlace,
): Promise<CustomDomainRow | undefined> {
  return first(sql<CustomDomainRow[]>`
    with gone as (
      delete from custom_domains
      where id = ${customDomainId}
        and workspace_id = ${workspaceId}
      returning ${columns(sql)}
    ),
    freed as (
      update bots
      set custom_domain = null,
        updated_at = greatest(clock(), bots.updated_at + interval '1 millisecond')
      from gone
      where bots.workspace_id = gone.workspace_id
        and split_part(lower(bots.custom_domain), '/', 1) = gone.name
    )
    select *
    from gone`);
}

export type CheckedDomain = Pick<CustomDomainRow, "state" | "unprovedSince" | "provedBy" | "problem"> & {
  readonly nextCheckSeconds: number;
};

/**
 * Saves the finding of a check. Returns undefined if the claim was checked or deleted since it was read. Violates
 * `custom_domains_verified` if another workspace has verified the domain.
 */
export async function saveDomainCheck(
  sql: Sql,
  { id, checkedAt }: Pick<CustomDomainRow, "id" | "checkedAt">,
  { state, unprovedSince, provedBy, problem, nextCheckSeconds }: CheckedDomain,
): Promise<CustomDomainRow | undefined> {
  return first(sql<CustomDomainRow[]>`
    update custom_domains
    set state = ${state},
      unproved_since = ${unprovedSince},
      proved_by = ${provedBy},
      problem = ${problem},
      verified_at = case
        when ${unprovedSince === null} and (verified_at is null or state <> 'verified') then clock()
        else verified_at
      end,
      checked_at = greatest(clock(), checked_at + interval '1 millisecond'),
      next_check_at = clock() + make_interval(secs => ${nextCheckSeconds}),
      updated_at = greatest(clock(), updated_at + interval '1 millisecond')
    where id = ${id}
      and checked_at is not distinct from ${checkedAt}
    returning ${columns(sql)}`);
}

/**
 * Reserves claims that are due for a check, so that other processes skip them for some time. A check time further in
 * the future than `longestSeconds` was set before the clock was set back, so it also counts as due.
 */
export async function takeDueDomains(
  sql: Sql,
  { limit, seconds, longestSeconds }: { limit: number; seconds: number; longestSeconds: number },
): Promise<CustomDomainRow[]> {
  return sql<CustomDomainRow[]>`
    update custom_domains
    set next_check_at = clock() + make_interval(secs => ${seconds})
    where id in (
        select id
        from custom_domains
        where state <> 'failed'
          and (next_check_at <= clock() or next_check_at > clock() + make_interval(secs => ${longestSeconds}))
        order by next_check_at
        limit ${limit}
        for update skip locked
      )
    returning ${columns(sql)}`;
}

/** The columns in the order of the API. */
function columns(sql: Sql) {
  return sql`
    id,
    workspace_id,
    name,
    proof,
    state,
    proved_by,
    unproved_since,
    problem,
    verified_at,
    checked_at,
    created_at,
    updated_at`;
}
