import type { CredentialsData } from "../../core/credentials/kind.ts";
import type { PaymentStatus } from "../../core/interpreter/program/effect.ts";
import type { Clock } from "../../platform/concurrency/clock.ts";

/** A payment of a visitor, as it is stored. Its amount is in the smallest unit of its currency. */
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
  /** Counts the payment's objects at the provider: at most one of them can be paid at a time. */
  readonly attempt: number;
  /** Whether the provider's hosted page takes the payment in place of a form of ours. */
  readonly isCheckout: boolean;
  readonly intentId: string | null;
  readonly checkoutId: string | null;
  /** The revision of the step that continued with this payment. */
  readonly takenRevision: number | null;
};

/** Further facts that the provider gets. */
export type PaymentDetails = { readonly description?: string; readonly receiptEmail?: string };

export type Charged = Pick<Payment, "amount" | "currency" | "details">;

/** Changes of a stored payment. A change that names an attempt is made only while that attempt is the current one. */
export type PaymentStore = {
  find(paymentId: string): Promise<Payment | undefined>;
  /** Begins the next attempt; undefined if another has begun meanwhile, or no more are allowed. */
  begin(payment: Payment, next: Charged & { readonly isCheckout: boolean }): Promise<Payment | undefined>;
  /** Keeps the provider's object of the attempt; undefined if another attempt has begun meanwhile. */
  keep(
    payment: Payment,
    made: { readonly intentId?: string; readonly checkoutId?: string },
  ): Promise<Payment | undefined>;
  /** Records the provider's status, and returns whether it is new. Success is final, and its event is written once. */
  note(payment: Payment, status: PaymentStatus): Promise<boolean>;
  /**
   * Records that the payment can no longer be made; false if another attempt has begun meanwhile, or the payment
   * succeeded.
   */
  end(payment: Payment): Promise<boolean>;
};

/** The payments of a step's session. */
export type StepPayments = PaymentStore & {
  /** A preview pays with test keys, or not at all. */
  readonly isLive: boolean;
  /** A payment of the step's block that no step has continued with. */
  findOpen(): Promise<Payment | undefined>;
  /** Returns undefined if the session has had too many payments. */
  insert(charged: Charged & Pick<Payment, "credentialsId" | "isTest">): Promise<Payment | undefined>;
  /** Records that this step continues with the payment. */
  take(payment: Payment): Promise<void>;
  /** The address of a page that takes only this payment. */
  pageUrl(payment: Payment): Promise<string>;
  /**
   * The credentials that the payment was prepared with, even if its bot has moved; undefined if they no longer exist.
   */
  credentialsOf(payment: Payment): Promise<CredentialsData | undefined>;
  /** Schedules another question to the provider, which is away, so that the chat continues without its visitor. */
  checkSoon(payment: Payment): Promise<void>;
  /**
   * Lets the chat continue on its own with a payment that was made. If the chat has continued without the payment, the
   * result's log notes it.
   */
  goOn(payment: Payment): Promise<void>;
  /** The time that the step has left for its provider. */
  readonly time: PaymentTime;
};

export type PaymentTime = { readonly clock: Clock; leftMs: number };
