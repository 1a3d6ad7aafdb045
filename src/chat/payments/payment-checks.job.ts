import type { Payment } from "../../effects/payments/payment-store.ts";
import { limits } from "../../limits/index.ts";
import { deleteOldPreviewPayments, leasePaymentsToCheck } from "../../management/payments/payments.sql.ts";
import type { CleanUp } from "../../platform/queue/clean-up.ts";
import { isChatOver } from "../reads/chats-over.sql.ts";
import { endOpenPayment, isUnanswered, type SettlingDependencies, settlePayment } from "./settle-payment.ts";

/** Small, because each is a call to the provider, one after another. */
const batch = 20;

/**
 * Asks the provider about payments without a report, ends those of chats that are over, and removes those of old
 * previews.
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

/** An hour later the provider is asked again. */
async function unlessUnanswered(settling: Promise<unknown>): Promise<void> {
  try {
    await settling;
  } catch (error) {
    if (!isUnanswered(error)) throw error;
  }
}
