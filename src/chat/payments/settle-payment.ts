import type { PaymentStatus } from "../../core/interpreter/program/effect.ts";
import type { OutgoingDependencies } from "../../effects/dependencies.ts";
import { checkPayment, keysOf, wayFor } from "../../effects/payments/account.ts";
import type { Payment } from "../../effects/payments/payment-store.ts";
import { createPaymentProvider } from "../../effects/payments/stripe.ts";
import { credentialsOfAny } from "../../management/credentials/credentials-of-step.ts";
import { endPaymentChecks, notePayment } from "../../management/payments/payments.sql.ts";
import type { PlatformDependencies } from "../../platform/dependencies.ts";
import { addDueStep } from "../due/due-steps.sql.ts";

/** The dependencies of calls about payments that no step makes. */
export type SettlingDependencies = Pick<PlatformDependencies, "sql" | "secrets"> &
  Pick<OutgoingDependencies, "safeFetch" | "providers">;

/**
 * Asks the provider for a payment, and lets its chat go on by itself if it was made. That may happen any number of times: the chat goes on once. Throws
 * where the provider does not answer; undefined where its credentials are gone.
 */
export async function settlePayment(
  deps: SettlingDependencies,
  payment: Payment,
): Promise<PaymentStatus | "other" | undefined> {
  const status = await statusOf(deps, payment);
  if (status === undefined || status === "other") return status;
  if (await notePayment(deps.sql, payment, status)) deps.providers.metrics.payment(payment, status);
  if (status !== "succeeded") return status;
  const { sessionId, botId, id: paymentId } = payment;
  // Also where a step has taken the payment: it may have died before it was saved. A chat that has gone on drops this one.
  await addDueStep(deps.sql, { sessionId, botId, kind: "payment", content: { paymentId } });
  await endPaymentChecks(deps.sql, payment);
  return status;
}

async function statusOf(deps: SettlingDependencies, payment: Payment): Promise<PaymentStatus | "other" | undefined> {
  if (payment.status === "succeeded") return payment.status;
  const found = await credentialsOfAny(deps, { type: "stripe", credentialsId: payment.credentialsId });
  const keys = found && keysOf(found.data, payment);
  if (!keys) return undefined;
  const provider = await createPaymentProvider(keys.secretKey, wayFor(deps, found.workspaceId));
  return checkPayment(payment, provider);
}
