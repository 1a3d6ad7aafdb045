import type { PaymentStatus } from "../../core/interpreter/program/effect.ts";
import { labelOfUnits } from "../../core/payments/currencies.ts";
import { keysOf, wayFor } from "../../effects/payments/account.ts";
import { NoFurtherAttempt, openPayment, type Wanted } from "../../effects/payments/open-payment.ts";
import { createPaymentProvider } from "../../effects/payments/stripe.ts";
import { limits } from "../../limits/index.ts";
import { credentialsOfAny } from "../../management/credentials/credentials-of-step.ts";
import { findRecentPayment } from "../../management/payments/payments.sql.ts";
import { paymentPageUrl, paymentStore } from "../../management/payments/payments-of-step.ts";
import type { ChatDependencies } from "../steps/dependencies.ts";
import { isUnanswered, settlePayment } from "./settle-payment.ts";

/**
 * A payment as its own page shows it. `over`: the URL is old or invalid, or the chat has ended the payment. The chat
 * creates a new payment when it asks again.
 */
export type ShownPayment =
  | { readonly kind: "form"; readonly amount: string; readonly secret: string; readonly publicKey: string }
  | { readonly kind: "hosted"; readonly url: string }
  | { readonly kind: "paid" | "processing" | "failed" | "over" };

/**
 * Returns the payment of a token as its page shows it. An open payment is shown as a form or, with `isHosted`, as the
 * URL of the provider's page.
 */
export async function showPayment(
  deps: ChatDependencies,
  token: string,
  { isHosted }: { readonly isHosted: boolean },
): Promise<ShownPayment> {
  const payment = await paymentOf(deps, token);
  if (!payment || payment.status === "canceled") return { kind: "over" };
  const found = await credentialsOfAny(deps, { type: "stripe", credentialsId: payment.credentialsId });
  const keys = found && keysOf(found.data, payment);
  if (!keys) return { kind: "failed" };
  return answered(async () => {
    const provider = await createPaymentProvider(keys.secretKey, wayFor(deps, found.workspaceId));
    const opened = await openPayment(payment, await wantedOf(deps, payment, isHosted), {
      provider,
      store: paymentStore(deps),
    });
    if ("checkoutUrl" in opened) return { kind: "hosted", url: opened.checkoutUrl };
    const { intent } = opened;
    if (intent.status === "succeeded" || intent.status === "processing") return checked(deps, token);
    if (intent.secret === null) return { kind: "failed" };
    const amount = labelOfUnits({ currency: opened.payment.currency, units: opened.payment.amount });
    return { kind: "form", amount, secret: intent.secret, publicKey: keys.publicKey };
  });
}

/** Checks whether a token's payment was made. If so, its chat continues. */
export function checkPaymentPage(deps: ChatDependencies, token: string): Promise<ShownPayment> {
  return answered(() => checked(deps, token));
}

async function checked(deps: ChatDependencies, token: string): Promise<ShownPayment> {
  const payment = await paymentOf(deps, token);
  if (!payment) return { kind: "over" };
  return { kind: shownStates[(await settlePayment(deps, payment)) ?? "canceled"] };
}

const shownStates: Readonly<Record<PaymentStatus | "other", Exclude<ShownPayment["kind"], "form" | "hosted">>> = {
  succeeded: "paid",
  processing: "processing",
  open: "failed",
  canceled: "failed",
  other: "failed",
};

async function paymentOf(deps: ChatDependencies, token: string) {
  const paymentId = await deps.paymentTokens.paymentOf(token);
  return paymentId === undefined
    ? undefined
    : findRecentPayment(deps.sql, paymentId, { seconds: limits.payments.pageSeconds });
}

async function wantedOf(
  deps: ChatDependencies,
  payment: NonNullable<Awaited<ReturnType<typeof paymentOf>>>,
  isHosted: boolean,
): Promise<Wanted> {
  const { amount, currency, details } = payment;
  if (!isHosted) return { amount, currency, details };
  const back = await paymentPageUrl(deps, payment);
  return { amount, currency, details, returns: { paid: `${back}/done`, back } };
}

async function answered(show: () => Promise<ShownPayment>): Promise<ShownPayment> {
  try {
    return await show();
  } catch (error) {
    if (error instanceof NoFurtherAttempt) return { kind: "over" };
    if (!isUnanswered(error)) throw error;
    return { kind: "failed" };
  }
}
