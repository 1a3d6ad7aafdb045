import type { CredentialsData } from "../../core/credentials/kind.ts";
import type { PaymentStatus } from "../../core/interpreter/program/effect.ts";
import type { Clock } from "../../platform/concurrency/clock.ts";

/** A stored payment of a visitor. The amount is in the smallest unit of the currency. */
export type Payment = {
  readonly id: string;
  readonly sessionId: string;
  readonly botId: string;
  /** Null in previews. */
  readonly resultId: string | null;
  readonly blockId: string;
  readonly credentialsId: string;
  readonly isTest: boolean;
  readonly amount: number;
  readonly currency: string;
  readonly details: PaymentDetails | null;
  readonly status: PaymentStatus;
  /**
   * The number of attempts. Each attempt has one object at the provider, and at most one attempt can be paid at a time.
   */
  readonly attempt: number;
  /** Whether the payment is made on the provider's hosted page instead of in our own form. */
  readonly isCheckout: boolean;
  readonly intentId: string | null;
  readonly checkoutId: string | null;
  /** The revision of the step that accepted the payment. */
  readonly takenRevision: number | null;
};

/** Additional data for the provider. */
export type PaymentDetails = { readonly description?: string; readonly receiptEmail?: string };

export type Charged = Pick<Payment, "amount" | "currency" | "details">;

/** Changes to stored payments. Any change except a success is made only while its attempt is the current one. */
export type PaymentStore = {
  find(paymentId: string): Promise<Payment | undefined>;
  /**
   * Starts the next attempt. Returns undefined if another attempt was started in the meantime, or if no further
   * attempts are allowed.
   */
  begin(payment: Payment, next: Charged & { readonly isCheckout: boolean }): Promise<Payment | undefined>;
  /** Stores the provider's object for the attempt. Returns undefined if another attempt was started in the meantime. */
  keep(
    payment: Payment,
    made: { readonly intentId?: string; readonly checkoutId?: string },
  ): Promise<Payment | undefined>;
  /**
   * Records the provider's status and returns whether the status is new. Success is final, and the event of a
   * successful payment is written only once.
   */
  note(payment: Payment, status: PaymentStatus): Promise<boolean>;
  /**
   * Records that the payment can no longer be made. Returns false if another attempt was started in the meantime, or if
   * the payment succeeded.
   */
  end(payment: Payment): Promise<boolean>;
};

/** The payments of a step's session. */
export type StepPayments = PaymentStore & {
  /** False for previews, in which payments are made with test keys or simulated. */
  readonly isLive: boolean;
  /** Returns the newest payment of the step's block that no step has accepted, if any. */
  findOpen(): Promise<Payment | undefined>;
  /** Inserts a payment. Returns undefined if the session already had the maximum number of attempts. */
  insert(charged: Charged & Pick<Payment, "credentialsId" | "isTest">): Promise<Payment | undefined>;
  /** Records that this step accepts the payment. */
  take(payment: Payment): Promise<void>;
  /** Returns the URL of a page for this payment only. */
  pageUrl(payment: Payment): Promise<string>;
  /**
   * Returns the credentials with which the payment was prepared, even if the bot has moved to another workspace.
   * Returns undefined if the credentials no longer exist.
   */
  credentialsOf(payment: Payment): Promise<CredentialsData | undefined>;
  /** Schedules another check with a provider that is unavailable, so that the chat continues without its visitor. */
  checkSoon(payment: Payment): Promise<void>;
  /**
   * Continues the chat after a payment was made. If the chat has already continued without the payment, the result's
   * log records the payment.
   */
  goOn(payment: Payment): Promise<void>;
  /** The time that the step has left for calls to the provider. */
  readonly time: PaymentTime;
};

export type PaymentTime = { readonly clock: Clock; leftMs: number };
