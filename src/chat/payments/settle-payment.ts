import type { PaymentStatus } from "../../core/interpreter/program/effect.ts";
import type { OutgoingDependencies } from "../../effects/dependencies.ts";
import { checkPayment, keysOf, wayFor } from "../../effects/payments/account.ts";
import { endPayment } from "../../effects/payments/open-payment.ts";
import type { Payment } from "../../effects/payments/payment-store.ts";
import { createPaymentProvider, type PaymentProvider, ProviderFailed } from "../../effects/payments/stripe.ts";
import { FailedCall, RefusedCall } from "../../effects/safe-fetch/safe-fetch.ts";
import { credentialsOfAny } from "../../management/credentials/credentials-of-step.ts";
import { endPaymentChecks, notePayment } from "../../management/payments/payments.sql.ts";
import { paymentStore } from "../../management/payments/payments-of-step.ts";
import type { PlatformDependencies } from "../../platform/dependencies.ts";
import { addDueStep } from "../saves/added-steps.sql.ts";

/** The dependencies of calls to payment providers outside of steps. */
export type SettlingDependencies = Pick<PlatformDependencies, "sql" | "secrets"> &
  Partial<Pick<PlatformDependencies, "clock">> &
  Pick<OutgoingDependencies, "safeFetch" | "providers">;

/**
 * Checks a payment at its provider. If the payment was made, its chat continues without a request, and only once if
 * this function is called repeatedly. Throws if the provider does not answer. Returns undefined if the provider's
 * credentials are missing.
 */
export async function settlePayment(
  deps: SettlingDependencies,
  payment: Payment,
  within: { readonly timeLeftMs?: number } = {},
): Promise<PaymentStatus | "other" | undefined> {
  const status = await statusOf(deps, payment, within);
  if (status === undefined || status === "other") return status;
  if (await notePayment(deps.sql, payment, status)) deps.providers.metrics.payment(payment, status);
  if (status !== "succeeded") return status;
  const { sessionId, botId, id: paymentId } = payment;
  // The due step is added even if a step has already used the payment, because that step may have died before it was
  // saved. A chat that has continued drops the due step.
  await addDueStep(deps.sql, { sessionId, botId, kind: "payment", content: { paymentId } });
  await endPaymentChecks(deps.sql, payment);
  return status;
}

/** Whether the provider did not answer, or rejected the call. */
export function isUnanswered(error: unknown): boolean {
  return error instanceof ProviderFailed || error instanceof FailedCall || error instanceof RefusedCall;
}

/** Cancels a payment for which no chat waits. A payment that was made in the meantime is settled. */
export async function endOpenPayment(deps: SettlingDependencies, payment: Payment): Promise<void> {
  const provider = await providerOf(deps, payment);
  if (!provider) return;
  if ((await endPayment(payment, { provider, store: paymentStore(deps) })) !== "ended")
    await settlePayment(deps, payment);
  else deps.providers.metrics.payment(payment, "canceled");
}

async function statusOf(
  deps: SettlingDependencies,
  payment: Payment,
  within: { readonly timeLeftMs?: number },
): Promise<PaymentStatus | "other" | undefined> {
  if (payment.status === "succeeded") return payment.status;
  const provider = await providerOf(deps, payment, within);
  return provider && (await checkPayment(payment, provider)).status;
}

/** Returns the provider account in which a payment was prepared, or undefined if its credentials are missing. */
async function providerOf(
  deps: SettlingDependencies,
  payment: Payment,
  within: { readonly timeLeftMs?: number } = {},
): Promise<PaymentProvider | undefined> {
  const found = await credentialsOfAny(deps, { type: "stripe", credentialsId: payment.credentialsId });
  const keys = found && keysOf(found.data, payment);
  return keys && createPaymentProvider(keys.secretKey, { ...wayFor(deps, found.workspaceId), ...within });
}
