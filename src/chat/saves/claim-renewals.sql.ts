import { limits } from "../../limits/index.ts";
import { type Batcher, createBatcher, type OnBatch } from "../../platform/concurrency/batcher.ts";
import { bulk, double, smallint, uuid } from "../../platform/database/bulk.ts";
import { endedClaim } from "../../platform/database/ended-claim.ts";
import { maySucceedAlone } from "../../platform/database/primary/outage.ts";
import type { Sql } from "../../platform/database/sql.ts";
import { shardOf } from "../../platform/ids.ts";

/** A claim of a session, and how many seconds it should last from now. */
export type ClaimRenewal = { readonly sessionId: string; readonly stepId: string; readonly seconds: number };

/**
 * Renews claims. Renewals that are due at the same moment share a statement. Returns false if this process no longer
 * has the claim.
 */
export type ClaimRenewals = Batcher<ClaimRenewal, boolean>;

/**
 * The maximum number of claims in a statement. It is higher than the number of model calls that a process makes
 * concurrently.
 */
const maxBatch = 500;

export function createClaimRenewals(sql: Sql, onBatch?: OnBatch): ClaimRenewals {
  return createBatcher({
    name: "claim_renewals",
    onBatch,
    run: (claims) => renewClaims(sql, claims),
    isTriedAlone: (error, failedAlone) => failedAlone === 0 && maySucceedAlone(error),
    maxBatch,
    inFlight: 2,
    maxWaiting: limits.database.readQueue,
  });
}

const renewalRows = bulk<ClaimRenewal>({
  shard: smallint(({ sessionId }) => shardOf(sessionId)),
  id: uuid(({ sessionId }) => sessionId),
  step_id: uuid(({ stepId }) => stepId),
  seconds: double(({ seconds }) => seconds),
});

/**
 * Extends claims. An expired claim that no other process has taken is extended too: its holder is still running after
 * the clock jumped forward. Returns false for each claim that was ended or taken over.
 */
async function renewClaims(sql: Sql, claims: readonly ClaimRenewal[]): Promise<boolean[]> {
  // The claims are sorted by id, like saves, to prevent deadlocks.
  const ordered = [...claims].sort((a, b) => (a.sessionId < b.sessionId ? -1 : 1));
  const rows = await sql<{ stepId: string }[]>`
    update sessions s
    set claim_until = clock() + make_interval(secs => i.seconds)
    from (
      select *
      from ${renewalRows(sql, ordered)} as i
      limit ${ordered.length}::integer
    ) i
    where s.shard = i.shard
      and s.id = i.id
      and s.claim_step_id = i.step_id
      and s.claim_until > ${endedClaim}
    returning s.claim_step_id as step_id`;
  const renewed = new Set(rows.map(({ stepId }) => stepId));
  return claims.map(({ stepId }) => renewed.has(stepId));
}
