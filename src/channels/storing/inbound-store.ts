import { type Batcher, createBatcher } from "../../platform/concurrency/batcher.ts";
import type { Clock } from "../../platform/concurrency/clock.ts";
import { maySucceedAlone } from "../../platform/database/primary/outage.ts";
import type { Sql } from "../../platform/database/sql.ts";
import { type Reported, storeInbound } from "./inbox.sql.ts";

/** Stores the events of webhook calls. Calls of the same connection that arrive during a write are stored together. */
export type InboundStore = {
  /** Resolves when the events are stored, with the ids of the new rows. */
  store(connectionId: string, reported: Reported, bytes: number): Promise<readonly string[]>;
};

type Lane = { readonly calls: Batcher<Reported, readonly string[]>; underWay: number };

/** The size above which a call is stored by a separate statement. */
const mostBytes = 64 * 1024;
const callsAtOnce = 50;
/** A second statement can run while the first waits for a lock. */
const statementsAtOnce = 2;
const mostWaiting = 2_000;

export function createInboundStore({ sql, clock }: { readonly sql: Sql; readonly clock: Clock }): InboundStore {
  /** Connections whose events are being stored. */
  const lanes = new Map<string, Lane>();
  const laneOf = (connectionId: string): Lane => {
    const known = lanes.get(connectionId);
    if (known) return known;
    const calls = createBatcher<Reported, readonly string[]>({
      run: (all) => storeAll(sql, connectionId, all),
      isTriedAlone: (error, failedAlone) => failedAlone === 0 && maySucceedAlone(error),
      maxBatch: callsAtOnce,
      inFlight: statementsAtOnce,
      maxWaiting: mostWaiting,
      clock,
    });
    const made = { calls, underWay: 0 };
    lanes.set(connectionId, made);
    return made;
  };
  return {
    async store(connectionId, reported, bytes) {
      // In one statement, only one of two status reports on the same message would be applied.
      const isAlone = bytes > mostBytes || reported.statuses.length > 0;
      if (isAlone) return await storeInbound(sql, connectionId, reported);
      const lane = laneOf(connectionId);
      lane.underWay++;
      try {
        return await lane.calls.add(reported);
      } finally {
        lane.underWay--;
        if (lane.underWay === 0) lanes.delete(connectionId);
      }
    },
  };
}

async function storeAll(
  sql: Sql,
  connectionId: string,
  calls: readonly Reported[],
): Promise<readonly (readonly string[])[]> {
  const rows = calls.flatMap((call) => call.rows);
  const stored = new Set(await storeInbound(sql, connectionId, { rows, statuses: [] }));
  return calls.map((call) => call.rows.flatMap(({ id }) => (stored.has(id) ? [id] : [])));
}
