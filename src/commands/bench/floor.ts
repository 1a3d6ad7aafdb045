import type { Sql } from "../../platform/database/sql.ts";
import { cpuMs } from "../../platform/processes/processor-time.ts";
import { createFloorTable, floorRows, updateFloorRow } from "./leftovers.sql.ts";
import { openWindow } from "./window.ts";

/** The rate and the latencies of a statement, with the processor time of the database and its client. */
export type Floor = Awaited<ReturnType<typeof hammer>>;

export type FloorOrder = {
  readonly concurrency: number;
  readonly seconds: number;
  readonly warmUpSeconds: number;
  /** Aborting this signal ends the measurement early. */
  readonly signal?: AbortSignal;
};

/**
 * Creates the fixed floor, a baseline for the database. It measures a prepared update of one row with 1 kB of state in
 * a table of 100,000 rows. The floor is the same in every release, so that ratios to it remain comparable.
 */
export function createFixedFloor(sql: Sql, databasePid: number) {
  const revisions = new Int32Array(floorRows + 1).fill(1);
  const state = "y".repeat(1024);
  let isMade = false;
  return async (order: FloorOrder): Promise<Floor> => {
    if (!isMade) await createFloorTable(sql);
    isMade = true;
    return hammer(order, databasePid, (worker) => {
      const id = 1 + ((worker * 7919 + Math.floor(Math.random() * 1_000_000) * order.concurrency) % floorRows);
      const revision = revisions[id] ?? 1;
      revisions[id] = revision + 1;
      return updateFloorRow(sql, { id, revision, state });
    });
  };
}

/** Runs a statement repeatedly with the given concurrency and measures it. */
export async function hammer(
  { concurrency, seconds, warmUpSeconds, signal }: FloorOrder,
  databasePid: number,
  once: (worker: number) => Promise<unknown>,
) {
  const window = openWindow(performance.now(), { warmUpSeconds, seconds });
  let before: ReturnType<typeof used> | undefined;
  const used = () => {
    const own = process.cpuUsage();
    return { database: cpuMs(databasePid, { withChildren: true }), client: (own.user + own.system) / 1_000 };
  };
  const work = async (_: unknown, worker: number): Promise<void> => {
    for (;;) {
      let from = performance.now();
      if (window.isOver(from) || signal?.aborted) return;
      if (window.hasBegun(from) && !before) {
        before = used();
        from = performance.now();
      }
      await once(worker);
      window.take(from, performance.now());
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  const after = used();
  return {
    ...window.result(),
    cpuMs: {
      database: after.database - (before?.database ?? 0),
      client: after.client - (before?.client ?? 0),
    },
  };
}
