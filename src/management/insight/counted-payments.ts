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

/** Nodes without this migration count results without their payments. */
const withPayments = Number(migrations.find(({ name }) => name.endsWith("_counted_payments"))?.name.slice(0, 4));

/** After this time all payments are checked again, so that no sum is wrong for longer. */
const againMs = 24 * 3_600_000;

/** Whether the counts include all payments. Otherwise each payment is read. */
export async function arePaymentsCounted(deps: Pick<ManagementDependencies, "sql" | "olderNodes">): Promise<boolean> {
  const [isCounted, isBesideOlder] = await Promise.all([
    isCountedKind(deps.sql, "paid"),
    deps.olderNodes.areConnected("countedPayments"),
  ]);
  return isCounted && !isBesideOlder;
}

/**
 * Looks for results that are counted without their payments, or with others, some at a time, since nodes of an earlier
 * release count so, and queue no result whose payment they note. It is asked when no result waits to be counted.
 * Returns how many results were queued, or 1 if there may be more; 0 at the end.
 *
 *     waiting ─ no older node is connected ─────────────→ searching, from the first payment on
 *     searching ─ some payments were looked at ─────────→ searching
 *     searching ─ all were, and their results counted ──→ over: counts have all payments
 *     over ─ a day has passed ──────────────────────────→ searching
 *     any ─ an older node is connected ─────────────────→ waiting: counts may lack some
 */
export function createPaymentSearch(sql: Sql): (now: Date) => Promise<number> {
  type State = "waiting" | "searching" | "counting" | "over";
  let state: State = "searching";
  let after: PaymentPlace | undefined;
  let overAt = 0;
  const search = (): void => {
    state = "searching";
    after = undefined;
  };
  return async function searchSome(now) {
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
  };
}
