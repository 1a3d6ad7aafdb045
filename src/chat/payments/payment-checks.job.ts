import type { Payment } from "../../effects/payments/payment-store.ts";
import { limits } from "../../limits/index.ts";
import { deleteOldPreviewPayments, leasePaymentsToCheck } from "../../management/payments/payments.sql.ts";
import type { CleanUp } from "../../platform/queue/clean-up.ts";
import { isChatOver } from "../reads/chats-over.sql.ts";
import { endOpenPayment, isUnanswered, type SettlingDependencies, settlePayment } from "./settle-payment.ts";

/** The batch is small, because each payment needs a call to the provider, and the calls run in sequence. */
const batch = 20;

/**
 * Checks payments for which no report arrived, cancels open payments of chats that have ended, and deletes payments of
 * old previews.
 */
export function paymentChecks(deps: SettlingDependencies): readonly CleanUp[] {
  const againSeconds = limits.payments.checkAgainSeconds;
  const daySeconds = limits.payments.checkDaySeconds;
  const days = limits.payments.checkDays;
  return [
    {
      name: "payment-checks",
      cron: "* * * * *",
      did: "Checked",
      async removeSome() {
        const due = await leasePaymentsToCheck(deps.sql, { limit: batch, againSeconds, daySeconds, days });
        for (const payment of due) await unlessUnanswered(check(deps, payment));
        return due.length;
      },
    },
    {
      name: "old-preview-payments",
      cron: "50 4 * * *",
      removeSome: () => deleteOldPreviewPayments(deps.sql, limits.cleanUp.batch),
    },
  ];
}

async function check(deps: SettlingDependencies, payment: Payment): Promise<void> {
  const status = await settlePayment(deps, payment);
  if (status === "open" && (await isChatOver(deps.sql, payment.sessionId))) await endOpenPayment(deps, payment);
}

/** Ignores a provider that does not answer or rejects the call. The payment is checked again later. */
async function unlessUnanswered(settling: Promise<unknown>): Promise<void> {
  try {
    await settling;
  } catch (error) {
    if (!isUnanswered(error)) throw error;
  }
}
