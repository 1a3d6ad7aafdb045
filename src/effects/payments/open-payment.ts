import type { MoneyUnits } from "../../core/interpreter/program/effect.ts";
import type { Charged, Payment, PaymentStore } from "./payment-store.ts";
import { type Checkout, type Intent, type PaymentProvider, ProviderFailed } from "./stripe.ts";

/**
 * The way in which a payment can be made now: with an intent (whose status may report it as paid), or at the provider's
 * hosted page.
 */
export type Opened = { readonly payment: Payment } & ({ readonly intent: Intent } | { readonly checkoutUrl: string });

/** The purpose of a payment: a form of ours, or the hosted page with its return addresses. */
export type Wanted = Charged & {
  readonly returns?: { readonly paid: string; readonly back: string };
};

/** Two clients that request different forms of one payment take turns; more tries than this are not an accident. */
const tries = 6;

/**
 * Opens a stored payment, so that at most one object of the provider can be paid at any time:
 *
 *     no object ─ made, and kept under its attempt ──────────────→ open
 *     no object ─ made, but another attempt has begun ───────────→ read again; its secret was never shown
 *     open ─ of the wanted form and amount ──────────────────────→ given
 *     open ─ otherwise, and the provider cancels it ─────────────→ next attempt
 *     open ─ otherwise, and the provider does not: it is paid ───→ given
 *     cancelled ─────────────────────────────────────────────────→ next attempt
 *     next attempt ─ somebody else has begun one ────────────────→ read again
 *     next attempt ─ the chat has had too many, or it is over ───→ thrown: NoFurtherAttempt
 *     next attempt ─ otherwise ──────────────────────────────────→ no object
 *
 * Only the provider decides whether an object was cancelled or paid, and a new one is made only after the one before
 * was cancelled. The calls of one attempt have one key, so a crash in between makes nothing twice.
 */
export async function openPayment(
  stored: Payment,
  wanted: Wanted,
  { provider, store }: { readonly provider: PaymentProvider; readonly store: PaymentStore },
): Promise<Opened> {
  const isCheckout = wanted.returns !== undefined;
  let payment = stored;
  for (let attempt = 0; attempt < tries; attempt++) {
    const found = await findObjects(payment, provider);
    const { intent, checkout } = found;
    if (intent && isTaken(intent)) return { payment: await keeping(store, payment, intent), intent };
    const isWanted = payment.isCheckout === isCheckout && isSameCharge(payment, wanted);
    if (isWanted) {
      const open = await openObject(payment, wanted, found, { provider, store });
      if (open) return open;
    } else if (!(await isEnded(found, provider))) {
      continue;
    }
    const isOver = !isWanted || intent?.status === "canceled" || checkout?.status === "expired";
    const next = isOver ? await store.begin(payment, { ...wanted, isCheckout }) : undefined;
    const { attempt: before } = payment;
    payment = next ?? (await store.find(payment.id)) ?? payment;
    if (isOver && payment.attempt === before) throw new NoFurtherAttempt();
  }
  throw changedByOthers();
}

/** No further object may be made for a payment. */
export class NoFurtherAttempt extends Error {
  override readonly name = "NoFurtherAttempt";
}

/**
 * Ends a stored payment, so that nobody can make it any more. Gives the intent where it was made or is being made: that
 * stays.
 *
 *     open, cancelled ─ the provider has cancelled it, and no other attempt has begun ─→ ended
 *     open, cancelled ─ another attempt has begun ─────────────────────────────────────→ read again
 *     open ─ the provider does not cancel it ──────────────────────────────────────────→ read again: it is paid
 */
export async function endPayment(
  stored: Payment,
  { provider, store }: { readonly provider: PaymentProvider; readonly store: PaymentStore },
): Promise<"ended" | { readonly payment: Payment; readonly intent: Intent }> {
  let payment = stored;
  for (let attempt = 0; attempt < tries; attempt++) {
    const found = await findObjects(payment, provider);
    const { intent } = found;
    if (intent && isTaken(intent)) return { payment: await keeping(store, payment, intent), intent };
    if ((await isEnded(found, provider)) && (await store.end(payment))) return "ended";
    payment = (await store.find(payment.id)) ?? payment;
  }
  throw changedByOthers();
}

function changedByOthers(): ProviderFailed {
  return new ProviderFailed("The payment is being changed by somebody else", { code: "busy", isAway: true });
}

/** The objects of the current attempt at the provider. A hosted page makes its intent when a visitor pays there. */
export async function findObjects(
  payment: Pick<Payment, "intentId" | "checkoutId">,
  provider: PaymentProvider,
): Promise<{ readonly intent?: Intent; readonly checkout?: Checkout }> {
  const checkout = payment.checkoutId === null ? undefined : await provider.findCheckout(payment.checkoutId);
  const intentId = checkout?.intentId ?? payment.intentId;
  const intent = intentId === null ? undefined : await provider.findIntent(intentId);
  return { ...(checkout && { checkout }), ...(intent && { intent }) };
}

/** Whether received or pending money covers the requested charge. */
export function covers(intent: Intent, { currency, units }: MoneyUnits): boolean {
  const came = intent.status === "succeeded" ? intent.received : intent.amount;
  return came >= units && intent.currency === currency;
}

/** Whether the payment's money was received or is pending. */
export function isTaken({ status }: Intent): boolean {
  return status === "succeeded" || status === "processing" || status === "requires_capture";
}

export function isSameCharge(payment: Charged, wanted: Charged): boolean {
  return payment.amount === wanted.amount && payment.currency === wanted.currency;
}

/** The intent that a hosted page made becomes the payment's own. */
async function keeping(store: PaymentStore, payment: Payment, intent: Intent): Promise<Payment> {
  if (payment.intentId === intent.id) return payment;
  return (await store.keep(payment, { intentId: intent.id })) ?? payment;
}

/**
 * The object of an attempt in the wanted form: the existing one, or a new one. Undefined if the attempt is over, or its
 * object was not stored.
 */
async function openObject(
  payment: Payment,
  { returns }: Wanted,
  { intent, checkout }: { intent?: Intent; checkout?: Checkout },
  { provider, store }: { provider: PaymentProvider; store: PaymentStore },
): Promise<Opened | undefined> {
  if (returns) {
    if (checkout?.status === "open" && checkout.url) return { payment, checkoutUrl: checkout.url };
    if (checkout) return undefined;
    const made = await provider.createCheckout(payment, returns);
    const kept = await store.keep(payment, { checkoutId: made.id });
    return kept && made.url ? { payment: kept, checkoutUrl: made.url } : undefined;
  }
  if (intent?.status === "canceled") return undefined;
  if (intent) return { payment, intent };
  const made = await provider.createIntent(payment);
  const kept = await store.keep(payment, { intentId: made.id });
  return kept && { payment: kept, intent: made };
}

/** Ends the open object; returns false if the provider refuses because a visitor is paying. */
async function isEnded(
  { intent, checkout }: { intent?: Intent; checkout?: Checkout },
  provider: PaymentProvider,
): Promise<boolean> {
  if (checkout?.status === "open" && !(await provider.expireCheckout(checkout.id))) return false;
  if (intent && intent.status !== "canceled") return provider.cancelIntent(intent.id);
  return true;
}
