import type { StepPayments } from "../../effects/payments/payment-store.ts";
import { limits } from "../../limits/index.ts";
import { type PaymentDependencies, paymentsOfStep } from "../../management/payments/payments-of-step.ts";
import { addDueStep, addLaterStep } from "../saves/added-steps.sql.ts";

/** The payments of a step's chat. */
export function paymentsOfChat(
  deps: PaymentDependencies,
  session: Parameters<typeof paymentsOfStep>[1],
): Omit<StepPayments, "time"> {
  const { id: sessionId, botId } = session;
  const row = { sessionId, botId, kind: "payment" };
  const [seconds = 0] = limits.payments.awayPausesSeconds;
  return {
    ...paymentsOfStep(deps, session),
    checkSoon: ({ id: paymentId }) =>
      addLaterStep(deps.sql, { ...row, content: { paymentId, isCheck: true } }, { seconds }),
    goOn: ({ id: paymentId }) => addDueStep(deps.sql, { ...row, content: { paymentId } }),
  };
}
