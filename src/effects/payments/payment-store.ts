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
  /** Counts the provider's objects for it: at most one of them can be paid at a time. */
  readonly attempt: number;
  /** Whether the provider's hosted page takes it in place of a form of ours. */
  readonly isCheckout: boolean;
  readonly intentId: string | null;
  readonly checkoutId: string | null;
  /** The revision of the step that continued with it. */
  readonly takenRevision: number | null;
};

/** Facts that the provider gets besides. */
export type PaymentDetails = { readonly description?: string; readonly receiptEmail?: string };

export type Charged = Pick<Payment, "amount" | "currency" | "details">;

/** Changes of a stored payment. Those that name an attempt are made only while it is the current one. */
export type PaymentStore = {
  find(paymentId: string): Promise<Payment | undefined>;
  /** Begins the next attempt; undefined if another has begun meanwhile, or none may. */
  begin(payment: Payment, next: Charged & { readonly isCheckout: boolean }): Promise<Payment | undefined>;
  /** Keeps the provider's object of the attempt; undefined if another attempt has begun meanwhile. */
  keep(
    payment: Payment,
    made: { readonly intentId?: string; readonly checkoutId?: string },
  ): Promise<Payment | undefined>;
  /**
   * Notes what the provider says, and tells whether it is new. That it succeeded is final, and its event is written
   * once.
   */
  note(payment: Payment, status: PaymentStatus): Promise<boolean>;
  /** Notes that nobody can make it any more; false if another attempt has begun meanwhile, or it succeeded. */
  end(payment: Payment): Promise<boolean>;
};

/** The payments of a step's session. */
export type StepPayments = PaymentStore & {
  /** A preview pays with test keys, or not at all. */
  readonly isLive: boolean;
  /** One of the step's block that no step continued with. */
  findOpen(): Promise<Payment | undefined>;
  /** Undefined if the session has had too many. */
  insert(charged: Charged & Pick<Payment, "credentialsId" | "isTest">): Promise<Payment | undefined>;
  /** Notes that this step continues with it. */
  take(payment: Payment): Promise<void>;
  /** The address of a page that takes this payment alone. */
  pageUrl(payment: Payment): Promise<string>;
  /** The credentials that it was prepared with, even if its bot has moved; undefined if they are gone. */
  credentialsOf(payment: Payment): Promise<CredentialsData | undefined>;
  /** Has the provider, which is away, asked again soon, so that the chat continues without its visitor. */
  checkSoon(payment: Payment): Promise<void>;
  /**
   * Has the chat continue on its own with a payment that was made; if it has continued without it, the result's log
   * notes it.
   */
  goOn(payment: Payment): Promise<void>;
  /** The time that the step has left for its provider. */
  readonly time: PaymentTime;
};

export type PaymentTime = { readonly clock: Clock; leftMs: number };
