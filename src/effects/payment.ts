import type { CredentialsData } from "../core/credentials/kind.ts";
import type { Effect, MoneyUnits, Report } from "../core/interpreter/program/effect.ts";
import type { EffectContext } from "./effect-context.ts";
import { checkPayment, keysOf, type PaymentKeys, statusOf } from "./payments/account.ts";
import {
  covers,
  endPayment,
  isSameCharge,
  isTaken,
  NoFurtherAttempt,
  type Opened,
  openPayment,
} from "./payments/open-payment.ts";
import type { Charged, Payment, PaymentDetails, StepPayments } from "./payments/payment-store.ts";
import { createPaymentProvider, type Intent, type PaymentProvider, ProviderFailed } from "./payments/stripe.ts";
import { FailedCall, RefusedCall } from "./safe-fetch/safe-fetch.ts";

type PaymentContext = Pick<
  EffectContext,
  "payments" | "credentials" | "safeFetch" | "providers" | "hops" | "timeLeftMs" | "mayGoOn"
>;

/** The charge that the block requests and the account to use. */
type Wanted = Charged & { readonly credentialsId: string; readonly isTest: boolean };

/** Prepares the payment for a visit of an input. An existing payment is reused if possible. */
export async function performPayment(
  effect: Extract<Effect, { kind: "payment" }>,
  context: PaymentContext,
): Promise<Report> {
  const { payments } = context;
  const { credentialsId, amount, currency } = effect;
  if (!payments) return refused("Payments are not available on this instance");
  const isTest = !payments.isLive;
  const wanted = { amount, currency, details: detailsOf(effect), credentialsId, isTest };
  const shown = effect.paymentId === undefined ? undefined : await payments.find(effect.paymentId);
  const own = shown ?? (await payments.findOpen());
  const isSame = own?.credentialsId === credentialsId && own.isTest === isTest;
  const data = (isSame && (await payments.credentialsOf(own))) || (await credentialsNamed(effect, context));
  if (data === undefined) return refused("The workspace does not have these Stripe credentials");
  if (data === "unreadable") return refused("No key of this instance decrypts the credentials: enter them again");
  const keys = keysOf(data, { isTest });
  if (!keys) return isTest ? { kind: "payment", isSimulated: true } : refused("The credentials have no live keys");
  await context.credentials?.noteUse({ credentialsId });
  return inTime(payments, async () => {
    const visit = { wanted, isOfVisit: own === shown && !effect.isNewVisit };
    const before =
      own && (isSame ? await shownAgain(own, visit, keys, context) : await leftBehind(own, visit, context));
    if (before) return before;
    const made = await payments.insert(wanted);
    if (!made) return refused(tooMany);
    context.providers?.metrics.payment(made, "open");
    const provider = await providerOf(keys, context);
    return reportOf(await openPayment(made, wanted, { provider, store: payments }), { wanted, keys, payments });
  });
}

/**
 * Returns the existing payment in the requested account, opened with the requested charge. Returns undefined if the
 * payment was already made but cannot be used for the charge.
 */
async function shownAgain(
  own: Payment,
  { wanted, isOfVisit }: { readonly wanted: Wanted; readonly isOfVisit: boolean },
  keys: PaymentKeys,
  context: PaymentContext,
): Promise<Report | undefined> {
  const { payments } = context;
  if (!payments) return undefined;
  const provider = await providerOf(keys, context);
  const opened = await openPayment(own, wanted, { provider, store: payments });
  const isForeign = (intent: Intent) =>
    !covers(intent, moneyOf(wanted)) || (!isOfVisit && !isSameCharge(opened.payment, wanted));
  if ("intent" in opened && isTaken(opened.intent) && isForeign(opened.intent)) {
    await noteForeign(opened.payment, opened.intent, context);
    return undefined;
  }
  return reportOf(opened, { wanted, keys, payments });
}

/**
 * Cancels a payment that was prepared with other keys, if those keys still exist. Returns a report if the payment was
 * already made in this visit and covers the charge.
 */
async function leftBehind(
  own: Payment,
  { wanted, isOfVisit }: { readonly wanted: Wanted; readonly isOfVisit: boolean },
  context: PaymentContext,
): Promise<Report | undefined> {
  const { payments } = context;
  const account = await accountOf(own, context);
  if (!payments || !account) return undefined;
  const { provider, keys } = account;
  const ended = await endPayment(own, { provider, store: payments });
  if (ended === "ended") return undefined;
  if (isOfVisit && covers(ended.intent, moneyOf(wanted))) return reportOf(ended, { wanted, keys, payments });
  await noteForeign(ended.payment, ended.intent, context);
  return undefined;
}

/** Records a payment that was made but is not used by this step. */
async function noteForeign(payment: Payment, intent: Intent, { payments, providers }: PaymentContext): Promise<void> {
  const status = statusOf(payment, intent);
  if (status === "other") return;
  if (await payments?.note(payment, status)) providers?.metrics.payment(payment, status);
  if (status === "succeeded") await payments?.goOn(payment);
}

async function reportOf(
  opened: Opened,
  { wanted, keys, payments }: { wanted: Wanted; keys: PaymentKeys; payments: StepPayments },
): Promise<Report> {
  const secret = "intent" in opened ? opened.intent.secret : null;
  if (secret === null) return refused("The provider's response has no payment intent");
  const { payment: shown } = opened;
  const isOther = shown.amount !== wanted.amount || shown.currency !== wanted.currency;
  return {
    kind: "payment",
    paymentIntentSecret: secret,
    publicKey: keys.publicKey,
    paymentId: shown.id,
    ...(isOther && { charged: moneyOf(shown) }),
    pageUrl: await payments.pageUrl(shown),
  };
}

/**
 * Requests the state of a payment of this session from the provider. If the payment was made and covers the charge, the
 * payment is assigned to this step.
 */
export async function performPaymentCheck(
  { paymentId, asked }: Extract<Effect, { kind: "paymentCheck" }>,
  context: PaymentContext,
): Promise<Report> {
  const { payments } = context;
  const payment = await payments?.find(paymentId);
  if (!payments || !payment) return refused("There is no such payment");
  const report = await inTime(payments, async () => {
    const account = await accountOf(payment, context);
    if (!account) return refused("The credentials of the payment no longer exist");
    const { status, intent } = await checkPayment(payment, account.provider);
    const paid = intent?.status === "succeeded" ? { currency: intent.currency, units: intent.received } : undefined;
    if (status === "other") return { kind: "paymentCheck", status: "open", ...(paid && { paid }) };
    if (await payments.note(payment, status)) context.providers?.metrics.payment(payment, status);
    if (status !== "succeeded" || !intent || !paid) return { kind: "paymentCheck", status };
    const due = asked ?? moneyOf(payment);
    if (!covers(intent, due)) return { kind: "paymentCheck", status: "open", paid };
    await payments.take(payment);
    return { kind: "paymentCheck", status, ...(paid.units > due.units && { paid }) };
  });
  if (report.kind === "refused" && report.isAway) await payments.checkSoon(payment);
  return report;
}

/**
 * Cancels the given payments of this session, but stops at a payment that was already made. If the chat is waiting for
 * that payment, the chat continues on its own.
 */
export async function performPaymentCancel(
  { paymentIds }: Extract<Effect, { kind: "paymentCancel" }>,
  context: PaymentContext,
): Promise<Report> {
  const { payments } = context;
  if (!payments) return refused("Payments are not available on this instance");
  return inTime(payments, async () => {
    for (const paymentId of paymentIds) {
      const payment = await payments.find(paymentId);
      if (!payment) continue;
      if (payment.status === "succeeded") {
        await payments.goOn(payment);
        return { kind: "paymentCancel", status: "made" };
      }
      const account = await accountOf(payment, context);
      if (!account) return { ...refused("The credentials of the payment no longer exist"), isAway: true };
      const ended = await endPayment(payment, { provider: account.provider, store: payments });
      if (ended === "ended") {
        context.providers?.metrics.payment(payment, "canceled");
        continue;
      }
      await noteForeign(ended.payment, ended.intent, context);
      return { kind: "paymentCancel", status: "made" };
    }
    return { kind: "paymentCancel", status: "canceled" };
  });
}

async function credentialsNamed(
  { credentialsId }: { readonly credentialsId: string },
  { credentials }: PaymentContext,
): Promise<CredentialsData | "unreadable" | undefined> {
  return credentials?.find({ type: "stripe", credentialsId });
}

/** Returns the account in which a payment was prepared, or undefined if its keys no longer exist. */
async function accountOf(
  payment: Payment,
  context: PaymentContext,
): Promise<{ readonly keys: PaymentKeys; readonly provider: PaymentProvider } | undefined> {
  const data = await context.payments?.credentialsOf(payment);
  const keys = data && keysOf(data, payment);
  return keys && { keys, provider: await providerOf(keys, context) };
}

function providerOf({ secretKey }: PaymentKeys, context: PaymentContext): Promise<PaymentProvider> {
  const { payments, timeLeftMs: stepLeftMs, ...way } = context;
  const time = payments?.time;
  const timeLeftMs = Math.min(time?.leftMs ?? stepLeftMs, stepLeftMs);
  return createPaymentProvider(secretKey, { ...way, timeLeftMs, ...(time && { clock: time.clock }) });
}

const tooMany = "This chat has requested too many payments";

/** Calls the provider and measures the time. A failure of the provider is returned as a report. */
async function inTime({ time }: StepPayments, ask: () => Promise<Report>): Promise<Report> {
  const begun = time.clock.now();
  try {
    return await ask();
  } catch (error) {
    if (error instanceof NoFurtherAttempt) return refused(tooMany);
    if (error instanceof ProviderFailed) return { ...refused(error.message), ...(error.isAway && { isAway: true }) };
    if (error instanceof FailedCall) return { ...refused(error.message), isAway: true };
    if (error instanceof RefusedCall) return refused(error.message);
    throw error;
  } finally {
    time.leftMs -= time.clock.now() - begun;
  }
}

function moneyOf({ currency, amount }: Pick<Payment, "currency" | "amount">): MoneyUnits {
  return { currency, units: amount };
}

function detailsOf({ description, receiptEmail }: PaymentDetails): PaymentDetails | null {
  if (description === undefined && receiptEmail === undefined) return null;
  return { ...(description !== undefined && { description }), ...(receiptEmail !== undefined && { receiptEmail }) };
}

function refused(reason: string): Extract<Report, { kind: "refused" }> {
  return { kind: "refused", reason };
}
