import type { Payment, PaymentStore, StepPayments } from "../../effects/payments/payment-store.ts";
import { limits } from "../../limits/index.ts";
import type { Sql } from "../../platform/database/sql.ts";
import type { ManagementDependencies } from "../access/dependencies.ts";
import { ownOrigin } from "../files/file-addresses.ts";
import type { PaymentTokens } from "./payment-tokens.ts";
import {
  beginAttempt,
  findOpenPayment,
  findPayment,
  insertPayment,
  keepObjects,
  notePayment,
  takePayment,
} from "./payments.sql.ts";

/** The dependencies of payments. */
export type PaymentDependencies = ManagementDependencies & { readonly paymentTokens: PaymentTokens };

/** Stored payments, for a caller that may change any of them. */
export function paymentStore({ sql }: { readonly sql: Sql }): PaymentStore {
  return {
    find: (paymentId) => findPayment(sql, paymentId),
    begin: (payment, next) => beginAttempt(sql, payment, next),
    keep: (payment, made) => keepObjects(sql, payment, made),
    note: (payment, status) => notePayment(sql, payment, status),
  };
}

/** The payments of a step's session, at the block that asks for one. */
export function paymentsOfStep(
  deps: PaymentDependencies,
  session: {
    readonly id: string;
    readonly botId: string;
    readonly resultId: string | null;
    readonly revision: number;
    readonly blockId: string;
  },
): StepPayments {
  const { id: sessionId, botId, resultId, revision, blockId } = session;
  const store = paymentStore(deps);
  const bounds = { most: limits.payments.perChat, checkSeconds: limits.payments.checkSeconds };
  return {
    ...store,
    isLive: resultId !== null,
    async find(paymentId) {
      const payment = await store.find(paymentId);
      return payment?.sessionId === sessionId ? payment : undefined;
    },
    findOpen: () => findOpenPayment(deps.sql, { sessionId, blockId }),
    insert: (charged) => insertPayment(deps.sql, { sessionId, botId, resultId, blockId, ...charged }, bounds),
    take: (payment) => takePayment(deps.sql, payment, revision + 1),
    pageUrl: (payment) => paymentPageUrl(deps, payment),
  };
}

/** The address of a page that takes this payment alone. */
export async function paymentPageUrl(deps: PaymentDependencies, { id }: Pick<Payment, "id">): Promise<string> {
  return `${chatOrigin(deps)}/.pay/${await deps.paymentTokens.tokenFor(id)}`;
}

/** Where visitors and providers find chats. */
export function chatOrigin(deps: Pick<ManagementDependencies, "config" | "ports">): string {
  return (deps.config.CHAT_URL ?? deps.config.PUBLIC_URL ?? ownOrigin(deps)).replace(/\/$/, "");
}
