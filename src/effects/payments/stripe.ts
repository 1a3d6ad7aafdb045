import type Stripe from "stripe";
import { stripeServer } from "../../core/credentials/stripe.ts";
import { withoutKeys } from "../../core/credentials/without-keys.ts";
import { textAt } from "../../core/interpreter/flow.ts";
import { limits } from "../../limits/index.ts";
import { type Clock, systemClock } from "../../platform/concurrency/clock.ts";
import { atProvider, type Providers } from "../providers/provider-urls.ts";
import type { Hops } from "../safe-fetch/hops.ts";
import { isPassingStatus, withRetries } from "../safe-fetch/retries.ts";
import { FailedCall, type SafeFetch } from "../safe-fetch/safe-fetch.ts";
import type { Headers } from "../safe-fetch/safe-fetch-exchange.ts";
import type { Charged, Payment } from "./payment-store.ts";

/** The dependencies of calls to a payment provider. */
export type ProviderWay = {
  readonly safeFetch: SafeFetch;
  readonly providers?: Providers;
  readonly hops: Hops;
  /** The total time for all calls, including retries and pauses. Defaults to `limits.payments.stepMs`. */
  readonly timeLeftMs?: number;
  /** Returns false after the step's claim was lost. No further request may then be sent. */
  readonly mayGoOn?: () => boolean;
  /** Defaults to the system clock. */
  readonly clock?: Clock;
};

/** A payment intent at the provider. The status shows whether the payment is open, pending or paid. */
export type Intent = {
  readonly id: string;
  readonly status: string;
  readonly amount: number;
  readonly received: number;
  /** The currency code in upper case. */
  readonly currency: string;
  readonly secret: string | null;
};

/** A hosted page at the provider. The page creates its own intent when a visitor pays on it. */
export type Checkout = {
  readonly id: string;
  readonly status: string;
  readonly url: string | null;
  readonly intentId: string | null;
};

/** Thrown if the provider returned an error or no answer. The message contains no key. */
export class ProviderFailed extends Error {
  /** The provider's error code. */
  readonly code: string | undefined;
  /**
   * Whether the provider was unavailable: there was no answer, a temporary failure, or a rejected key. If false, the
   * provider rejected the request itself.
   */
  readonly isAway: boolean;

  constructor(
    message: string,
    { code, isAway, cause }: { code?: string | undefined; isAway: boolean; cause?: unknown },
  ) {
    super(message, { cause });
    this.code = code;
    this.isAway = isAway;
  }
}

/** The calls for a single Stripe account. */
export type PaymentProvider = {
  createIntent(payment: Payment): Promise<Intent>;
  findIntent(id: string): Promise<Intent>;
  /** Returns false if the payment is no longer open. */
  cancelIntent(id: string): Promise<boolean>;
  createCheckout(payment: Payment, returns: { readonly paid: string; readonly back: string }): Promise<Checkout>;
  findCheckout(id: string): Promise<Checkout>;
  /** Returns false if the payment is no longer open. */
  expireCheckout(id: string): Promise<boolean>;
  /** Registers a webhook for payment events, once per key. Returns the secret with which the events are signed. */
  registerWebhook(options: { readonly url: string; readonly key: string }): Promise<string>;
};

/** The metadata key that contains the payment's id. The session's id is not included because it is a secret. */
const metadataKey = "parley_payment";

/** The webhook events that this service processes. */
const reported: Stripe.WebhookEndpointCreateParams.EnabledEvent[] = [
  ...(["payment_intent.succeeded", "payment_intent.processing"] as const),
  ...(["payment_intent.payment_failed", "payment_intent.canceled"] as const),
];

export async function createPaymentProvider(secretKey: string, way: ProviderWay): Promise<PaymentProvider> {
  const { default: StripeClient } = await import("stripe");
  const { stepMs } = limits.payments;
  const { clock = systemClock } = way;
  const time = { clock, leftMs: way.timeLeftMs ?? stepMs };
  const stripe = new StripeClient(secretKey, {
    // Bun's `fetch` also has `preconnect`, which is never called.
    httpClient: StripeClient.createFetchHttpClient(Object.assign(fetchOver(way, time), { preconnect: () => {} })),
    // `fetchOver` handles retries and timeouts. The idempotency key of each attempt makes repeated calls safe.
    maxNetworkRetries: 0,
    timeout: 2 * stepMs,
    telemetry: false,
  });
  const asking = async <Answer>(ask: () => Promise<Answer>): Promise<Answer> => {
    const begun = performance.now();
    let ended = "2xx";
    try {
      return await ask();
    } catch (error) {
      const status: unknown = Object(error)["statusCode"];
      ended = typeof status === "number" ? `${Math.floor(status / 100)}xx` : "failed";
      throw failureOf(error, secretKey);
    } finally {
      way.providers?.metrics.ended(stripeServer, { ended, seconds: (performance.now() - begun) / 1_000 });
    }
  };
  const unlessOver = async (ask: () => Promise<unknown>): Promise<boolean> => {
    try {
      await asking(ask);
      return true;
    } catch (error) {
      if (error instanceof ProviderFailed && error.code !== undefined && overCodes.has(error.code)) return false;
      throw error;
    }
  };
  return {
    createIntent: (payment) =>
      asking(async () =>
        intentOf(
          await stripe.paymentIntents.create(
            {
              ...{ amount: payment.amount, currency: payment.currency.toLowerCase() },
              ...intentDetails(payment),
              automatic_payment_methods: { enabled: true },
            },
            { idempotencyKey: keyOf(payment) },
          ),
        ),
      ),
    findIntent: (id) => asking(async () => intentOf(await stripe.paymentIntents.retrieve(id))),
    cancelIntent: (id) => unlessOver(() => stripe.paymentIntents.cancel(id)),
    createCheckout: (payment, { paid, back }) =>
      asking(async () =>
        checkoutOf(
          await stripe.checkout.sessions.create(
            {
              ...{ mode: "payment", success_url: paid, cancel_url: back },
              line_items: [
                {
                  quantity: 1,
                  price_data: {
                    currency: payment.currency.toLowerCase(),
                    unit_amount: payment.amount,
                    product_data: { name: payment.details?.description ?? "Payment" },
                  },
                },
              ],
              payment_intent_data: intentDetails(payment),
            },
            { idempotencyKey: keyOf(payment) },
          ),
        ),
      ),
    findCheckout: (id) => asking(async () => checkoutOf(await stripe.checkout.sessions.retrieve(id))),
    expireCheckout: (id) => unlessOver(() => stripe.checkout.sessions.expire(id)),
    registerWebhook: ({ url, key }) =>
      asking(async () => {
        const { secret } = await stripe.webhookEndpoints.create(
          { url, enabled_events: reported },
          { idempotencyKey: key },
        );
        if (!secret) throw new ProviderFailed("The provider returned no secret for its webhook", { isAway: false });
        return secret;
      }),
  };
}

/**
 * Wraps outgoing calls as `fetch`, with retries within the available time. Redirects are not followed because requests
 * contain a key.
 */
function fetchOver(
  { safeFetch, providers, hops, mayGoOn }: ProviderWay,
  time: { readonly clock: Clock; leftMs: number },
) {
  const { clock } = time;
  return async (input: Request | URL | string, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init);
    const body = await request.text();
    let answered: Headers = [];
    const call = async (leftMs: number) => {
      if (leftMs <= 0) throw new FailedCall("timeout", "There was no time left to call the provider");
      const timeoutMs = Math.min(limits.payments.callMs, leftMs);
      const late = new AbortController();
      const endTimer = clock.startTimer(timeoutMs, () => late.abort());
      try {
        const response = await safeFetch({
          ...atProvider(providers?.urls, { name: stripeServer, url: request.url }),
          method: request.method,
          headers: [...request.headers],
          ...(body !== "" && { body }),
          ...{ redirect: "manual", timeoutMs: limits.payments.stepMs, hops },
          signal: AbortSignal.any([request.signal, late.signal]),
          onHeaders: (headers) => {
            answered = headers;
          },
        });
        // Another call with the same key may still be in progress.
        if (response.status === 409) throw new FailedCall("network", "Another call about this payment is running");
        return response;
      } catch (error) {
        // A retry may succeed, so this failure is not final.
        if (late.signal.aborted)
          throw new FailedCall("network", `The provider did not respond within ${Math.ceil(timeoutMs)} ms`);
        throw error;
      } finally {
        endTimer();
      }
    };
    const begunAt = clock.now();
    const retrying = { retries: limits.outgoing.retries, deadline: begunAt + time.leftMs, mayGoOn, clock };
    const result = await withRetries(call, retrying).finally(() => {
      time.leftMs -= clock.now() - begunAt;
    });
    if (result instanceof Error) throw result;
    const { status, text } = result;
    const kept = answered.filter(([name]) => /^(content-type|request-id|retry-after|stripe-.*)$/i.test(name));
    return new Response(text, { status, headers: kept.map(([name, value]) => [name, value]) });
  };
}

/**
 * Returns the type and the ids of an event. Returns undefined if the event is unreadable, or if none of the secrets
 * signed it within the tolerated time.
 */
export async function readReport(
  { body, signature }: { readonly body: string; readonly signature: string },
  secrets: readonly string[],
): Promise<{ readonly type: string; readonly intentId?: string; readonly paymentId?: string } | undefined> {
  const { default: StripeClient } = await import("stripe");
  for (const secret of secrets) {
    try {
      const event = await StripeClient.webhooks.constructEventAsync(
        body,
        signature,
        secret,
        limits.payments.toleranceSeconds,
      );
      const intentId = textAt(event, "data", "object", "id");
      const paymentId = textAt(event, "data", "object", "metadata", metadataKey);
      return {
        type: event.type,
        ...(intentId !== undefined && { intentId }),
        ...(paymentId !== undefined && { paymentId }),
      };
    } catch (error) {
      if (!(error instanceof StripeClient.errors.StripeSignatureVerificationError) && !(error instanceof SyntaxError))
        throw error;
    }
  }
  return undefined;
}

/**
 * Returns the idempotency key of an attempt. All calls that create the object of an attempt use the same key, so the
 * object is created only once.
 */
function keyOf({ id, attempt }: Payment): string {
  return `parley-${id}-${attempt}`;
}

function intentDetails({ id, details }: Pick<Payment, "id"> & Pick<Charged, "details">) {
  return {
    metadata: { [metadataKey]: id },
    ...(details?.description !== undefined && { description: details.description }),
    ...(details?.receiptEmail !== undefined && { receipt_email: details.receiptEmail }),
  };
}

/** Error codes for cancelling an object that has already ended. */
const overCodes = new Set(["payment_intent_unexpected_state", "checkout_session_not_open"]);

function intentOf(intent: Stripe.PaymentIntent): Intent {
  return {
    ...{ id: intent.id, status: intent.status, amount: intent.amount, received: intent.amount_received },
    ...{ currency: intent.currency.toUpperCase(), secret: intent.client_secret },
  };
}

function checkoutOf({ id, status, url, payment_intent: intent }: Stripe.Checkout.Session): Checkout {
  const intentId = typeof intent === "string" ? intent : (intent?.id ?? null);
  return { id, status: status ?? "open", url, intentId };
}

function failureOf(error: unknown, secretKey: string): unknown {
  if (error instanceof ProviderFailed || !(error instanceof Error)) return error;
  // The library puts its own sentence before the error message of the call.
  const said = textAt(error, "detail", "message") ?? error.message;
  const sentence = said.replaceAll(/\s+/g, " ").slice(0, limits.credentials.sentenceCharacters);
  const status: unknown = Object(error)["statusCode"];
  const isAway = typeof status !== "number" || isPassingStatus(status) || unasked.has(status) || status < 400;
  return new ProviderFailed(withoutKeys(sentence, [secretKey]), { code: textAt(error, "code"), isAway, cause: error });
}

/** Statuses of a rejected key. The provider is treated as unavailable. */
const unasked = new Set([401, 403]);
