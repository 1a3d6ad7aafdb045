import { ProviderFailed } from "../../effects/payments/stripe.ts";
import { FailedCall, RefusedCall } from "../../effects/safe-fetch/safe-fetch.ts";
import { limits } from "../../limits/index.ts";
import { deleteOldPreviewPayments, leasePaymentsToCheck } from "../../management/payments/payments.sql.ts";
import type { CleanUp } from "../../platform/queue/clean-up.ts";
import { type SettlingDependencies, settlePayment } from "./settle-payment.ts";

/** Few: each is a call of the provider, one after the other. */
const batch = 20;

/** Asks the provider about payments of which no report came, and forgets those of old previews. */
export function paymentChecks(deps: SettlingDependencies): readonly CleanUp[] {
  const againSeconds = limits.payments.checkAgainSeconds;
  const daySeconds = limits.payments.checkDaySeconds;
  return [
    {
      name: "payment-checks",
      cron: "* * * * *",
      did: "Checked",
      async removeSome() {
        const due = await leasePaymentsToCheck(deps.sql, { limit: batch, againSeconds, daySeconds });
        for (const payment of due) await unlessUnanswered(settlePayment(deps, payment));
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

/** An hour later the provider is asked again. */
async function unlessUnanswered(settling: Promise<unknown>): Promise<void> {
  try {
    await settling;
  } catch (error) {
    if (!(error instanceof ProviderFailed || error instanceof FailedCall || error instanceof RefusedCall)) throw error;
  }
}
