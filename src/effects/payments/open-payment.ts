import type { MoneyUnits } from "../../core/interpreter/program/effect.ts";
import type { Charged, Payment, PaymentStore } from "./payment-store.ts";
import { type Checkout, type Intent, type PaymentProvider, ProviderFailed } from "./stripe.ts";

/**
 * How a payment can be made: with an intent, which may already be paid, or on the provider's hosted page at
 * `checkoutUrl`.
 */
export type Opened = { readonly payment: Payment } & ({ readonly intent: Intent } | { readonly checkoutUrl: string });

/** The charge, and the form of the payment: our own form, or the hosted page with its return URLs. */
export type Wanted = Charged & {
  readonly returns?: { readonly paid: string; readonly back: string };
};

/**
 * The maximum number of attempts. Two clients that request different forms of a payment may replace each other's
 * attempts, but hardly six times by accident.
 */
const tries = 6;

/**
 * Opens a stored payment, so that a visitor can pay at most one object of the provider at any time:
 *
 *     no object ─ created and stored with its attempt ──────────→ open
 *     no object ─ created, but another attempt has started ─────→ read again; the secret of the object was never shown
 *     open ─ has the wanted form and amount ────────────────────→ returned
 *     open ─ otherwise, and the provider cancels it ────────────→ next attempt
 *     open ─ otherwise, and it is already paid ─────────────────→ returned
 *     cancelled ────────────────────────────────────────────────→ next attempt
 *     next attempt ─ another caller has started one ────────────→ read again
 *     next attempt ─ too many attempts, or the payment is over ─→ throws NoFurtherAttempt
 *     next attempt ─ otherwise ─────────────────────────────────→ no object
 *     any ─ read six times ─────────────────────────────────────→ throws ProviderFailed
 *
 * Only the provider decides whether an object was cancelled or paid. A new object is created only after the previous
 * object was cancelled. All calls of an attempt have the same key, so a crash between the calls does not create an
 * object twice.
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

/** Thrown if no further attempt may be created for a payment. */
export class NoFurtherAttempt extends Error {
  override readonly name = "NoFurtherAttempt";
}

/**
 * Cancels a stored payment, so that the visitor can no longer make it. Returns the intent if the payment was made or is
 * being made. Such a payment is not cancelled.
 *
 *     open, cancelled ─ the provider has cancelled it, and no other attempt has started ─→ ended
 *     open, cancelled ─ another attempt has started ─────────────────────────────────────→ read again
 *     open ─ the provider does not cancel it ────────────────────────────────────────────→ read again: it is paid
 *     any ─ read six times ──────────────────────────────────────────────────────────────→ throws ProviderFailed
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
  return new ProviderFailed("Another request is changing the payment", { code: "busy", isAway: true });
}

/**
 * Returns the provider's objects for the current attempt. A hosted page creates its intent when a visitor pays on it.
 */
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

/** Whether the money was received or is pending. */
export function isTaken({ status }: Intent): boolean {
  return status === "succeeded" || status === "processing" || status === "requires_capture";
}

export function isSameCharge(payment: Charged, wanted: Charged): boolean {
  return payment.amount === wanted.amount && payment.currency === wanted.currency;
}

/** Stores the intent of a hosted page as the intent of the payment. */
async function keeping(store: PaymentStore, payment: Payment, intent: Intent): Promise<Payment> {
  if (payment.intentId === intent.id) return payment;
  return (await store.keep(payment, { intentId: intent.id })) ?? payment;
}

/**
 * Returns the checkout page of an attempt if `returns` is set, otherwise its payment intent. Creates it if the attempt
 * has none. Returns undefined if it cannot be used.
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

/**
 * Cancels the open object. Returns false if the provider refuses because the object is no longer open, for example
 * because a visitor has just paid.
 */
async function isEnded(
  { intent, checkout }: { intent?: Intent; checkout?: Checkout },
  provider: PaymentProvider,
): Promise<boolean> {
  if (checkout?.status === "open" && !(await provider.expireCheckout(checkout.id))) return false;
  if (intent && intent.status !== "canceled") return provider.cancelIntent(intent.id);
  return true;
}
