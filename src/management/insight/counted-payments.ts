import { findOlderNodes } from "../../platform/database/connections.sql.ts";
import { migrations } from "../../platform/database/migrations.ts";
import type { Sql } from "../../platform/database/sql.ts";
import type { ManagementDependencies } from "../access/dependencies.ts";
import {
  forgetCountedKind,
  isCountedKind,
  noteCountedKind,
  type PaymentPlace,
  recountPayments,
} from "../counts/paid-results.sql.ts";

/** The number of the migration with which nodes began to count payments. */
const withPayments = Number(migrations.find(({ name }) => name.endsWith("_counted_payments"))?.name.slice(0, 4));

/** All payments are checked again after this time, so that no wrong sum lasts longer. */
const againMs = 24 * 3_600_000;

/** Whether the counts include all payments. If not, payments must be read one by one. */
export async function arePaymentsCounted(deps: Pick<ManagementDependencies, "sql" | "olderNodes">): Promise<boolean> {
  const [isCounted, isBesideOlder] = await Promise.all([
    isCountedKind(deps.sql, "paid"),
    deps.olderNodes.areConnected("countedPayments"),
  ]);
  return isCounted && !isBesideOlder;
}

export type PaymentSearch = {
  /**
   * Must be called before anything is counted. Counts may lack payments at this time, because nodes of an earlier
   * release may have run until now.
   */
  begin(): Promise<void>;
  searchSome(now: Date): Promise<number>;
};

/**
 * Returns a function that finds results whose count lacks their payments or contains wrong sums, some at a time. Nodes
 * of an earlier release count results without payments, and do not queue a result when they record a payment. The
 * function is called while no result waits to be counted. It returns the number of queued results, 1 if there may be
 * more, and 0 at the end. Its states are:
 *
 *     starting ─────────────────────────────────────────→ searching, from the first payment on: counts may lack some
 *     waiting ─ no older node is connected ─────────────────────→ searching, from the first payment
 *     searching ─ some payments were examined ──────────────────→ searching
 *     searching ─ all were examined, and their results counted ─→ over: the counts contain all payments
 *     over ─ a day has passed ──────────────────────────────────→ searching
 *     any ─ an older node is connected ─────────────────────────→ waiting: the counts may lack payments
 */
export function createPaymentSearch(sql: Sql): PaymentSearch {
  type State = "starting" | "waiting" | "searching" | "counting" | "over";
  let state: State = "starting";
  let after: PaymentPlace | undefined;
  let overAt = 0;
  const search = (): void => {
    state = "searching";
    after = undefined;
  };
  return {
    async begin() {
      if (state !== "starting") return;
      await forgetCountedKind(sql, "paid");
      search();
    },
    async searchSome(now) {
      const older = await findOlderNodes(sql, withPayments);
      if (older.length > 0) {
        if (state !== "waiting") await forgetCountedKind(sql, "paid");
        state = "waiting";
        return 0;
      }
      if (state === "waiting" || (state === "over" && now.getTime() >= overAt + againMs)) search();
      if (state === "searching") {
        const { count, last } = await recountPayments(sql, { after });
        if (last) after = last;
        else state = "counting";
        return Math.max(1, count);
      }
      if (state === "counting") {
        await noteCountedKind(sql, "paid");
        state = "over";
        overAt = now.getTime();
      }
      return 0;
    },
  };
}
