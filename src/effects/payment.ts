import type { Effect, Report } from "../core/interpreter/program/effect.ts";
import type { EffectContext } from "./effect-context.ts";
import { checkPayment, keysOf } from "./payments/account.ts";
import { openPayment } from "./payments/open-payment.ts";
import type { PaymentDetails } from "./payments/payment-store.ts";
import { createPaymentProvider, ProviderFailed } from "./payments/stripe.ts";
import { FailedCall, RefusedCall } from "./safe-fetch/safe-fetch.ts";

type PaymentContext = Pick<
  EffectContext,
  "payments" | "credentials" | "safeFetch" | "providers" | "hops" | "timeLeftMs"
>;

/** Prepares the payment of a visit of its input: the one there is already, or a new one. */
export async function performPayment(
  effect: Extract<Effect, { kind: "payment" }>,
  context: PaymentContext,
): Promise<Report> {
  const { payments } = context;
  const { credentialsId, amount, currency } = effect;
  if (!payments) return refused("Payments are not available here");
  const data = await context.credentials?.find({ type: "stripe", credentialsId });
  if (data === undefined) return refused("There are no such credentials of Stripe in the workspace");
  if (data === "unreadable") return refused("No key of this instance decrypts the credentials: enter them again");
  const isTest = !payments.isLive;
  const keys = keysOf(data, { isTest });
  if (!keys) return isTest ? { kind: "payment", isSimulated: true } : refused("The credentials have no live keys");
  await context.credentials?.noteUse({ credentialsId });
  const wanted = { amount, currency, details: detailsOf(effect) };
  const kept = effect.paymentId === undefined ? undefined : await payments.find(effect.paymentId);
  const own = (kept ?? (await payments.findOpen())) || undefined;
  const payment =
    own?.credentialsId === credentialsId && own.isTest === isTest
      ? own
      : await payments.insert({ ...wanted, credentialsId, isTest });
  if (!payment) return refused("This chat has asked for too many payments");
  if (payment !== own) context.providers?.metrics.payment(payment, "open");
  return asking(async () => {
    const provider = await createPaymentProvider(keys.secretKey, context);
    const opened = await openPayment(payment, wanted, { provider, store: payments });
    const secret = "intent" in opened ? opened.intent.secret : null;
    if (secret === null) return refused("The provider's answer has no intent");
    const { payment: shown } = opened;
    const isOther = shown.amount !== amount || shown.currency !== currency;
    return {
      kind: "payment",
      paymentIntentSecret: secret,
      publicKey: keys.publicKey,
      paymentId: shown.id,
      ...(isOther && { charged: { currency: shown.currency, units: shown.amount } }),
      pageUrl: await payments.pageUrl(shown),
    };
  });
}

/** Asks the provider for a payment of this session. A payment that was made is taken by this step. */
export async function performPaymentCheck(
  { paymentId }: Extract<Effect, { kind: "paymentCheck" }>,
  context: PaymentContext,
): Promise<Report> {
  const { payments } = context;
  const payment = await payments?.find(paymentId);
  if (!payments || !payment) return refused("There is no such payment");
  const data = await context.credentials?.find({ type: "stripe", credentialsId: payment.credentialsId });
  const keys = data === undefined || data === "unreadable" ? undefined : keysOf(data, payment);
  if (!keys) return refused("The credentials of the payment are gone");
  return asking(async () => {
    const provider = await createPaymentProvider(keys.secretKey, context);
    const status = await checkPayment(payment, provider);
    if (status === "other") return refused("The provider has taken another amount or currency than this payment's");
    if (await payments.note(payment, status)) context.providers?.metrics.payment(payment, status);
    if (status === "succeeded") await payments.take(payment);
    return { kind: "paymentCheck", status };
  });
}

async function asking(ask: () => Promise<Report>): Promise<Report> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof ProviderFailed || error instanceof FailedCall || error instanceof RefusedCall)
      return refused(error.message);
    throw error;
  }
}

function detailsOf({ description, receiptEmail }: PaymentDetails): PaymentDetails | null {
  if (description === undefined && receiptEmail === undefined) return null;
  return { ...(description !== undefined && { description }), ...(receiptEmail !== undefined && { receiptEmail }) };
}

function refused(reason: string): Report {
  return { kind: "refused", reason };
}
