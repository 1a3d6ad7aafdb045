import type { Payment, PaymentStore, StepPayments } from "../../effects/payments/payment-store.ts";
import { limits } from "../../limits/index.ts";
import type { Sql } from "../../platform/database/sql.ts";
import type { ManagementDependencies } from "../access/dependencies.ts";
import { credentialsOfAny } from "../credentials/credentials-of-step.ts";
import { ownOrigin } from "../files/file-addresses.ts";
import type { PaymentTokens } from "./payment-tokens.ts";
import {
  beginAttempt,
  endAttempt,
  findOpenPayment,
  findPayment,
  insertPayment,
  keepObjects,
  notePayment,
  takePayment,
} from "./payments.sql.ts";

export type PaymentDependencies = ManagementDependencies & { readonly paymentTokens: PaymentTokens };

const bounds = { most: limits.payments.perChat, checkSeconds: limits.payments.checkSeconds };

/** Accesses the stored payments of all sessions. */
export function paymentStore({ sql }: { readonly sql: Sql }, { isOfStep = false } = {}): PaymentStore {
  return {
    find: (paymentId) => findPayment(sql, paymentId),
    begin: (payment, next) => beginAttempt(sql, payment, next, { ...bounds, isOfStep }),
    keep: (payment, made) => keepObjects(sql, payment, made),
    note: (payment, status) => notePayment(sql, payment, status),
    end: (payment) => endAttempt(sql, payment),
  };
}

/** Accesses the payments of a step's session at the block that requests a payment. */
export function paymentsOfStep(
  deps: PaymentDependencies,
  session: {
    readonly id: string;
    readonly botId: string;
    readonly resultId: string | null;
    /** The result of the linked bot that requests the payment, if it is not the chat's own result. */
    readonly linkedResultId: string | undefined;
    readonly revision: number;
    readonly blockId: string;
  },
): Omit<StepPayments, "checkSoon" | "goOn" | "time"> {
  const { id: sessionId, botId, resultId, linkedResultId = null, revision, blockId } = session;
  const store = paymentStore(deps, { isOfStep: true });
  return {
    ...store,
    isLive: resultId !== null,
    async find(paymentId) {
      const payment = await store.find(paymentId);
      return payment?.sessionId === sessionId ? payment : undefined;
    },
    findOpen: () => findOpenPayment(deps.sql, { sessionId, blockId }),
    insert: (charged) =>
      insertPayment(deps.sql, { sessionId, botId, resultId, linkedResultId, blockId, ...charged }, bounds),
    take: (payment) => takePayment(deps.sql, payment, { revision: revision + 1, linkedResultId }),
    pageUrl: (payment) => paymentPageUrl(deps, payment),
    credentialsOf: async ({ credentialsId }) => (await credentialsOfAny(deps, { type: "stripe", credentialsId }))?.data,
  };
}

/** Returns the address of a page that accepts only this payment. */
export async function paymentPageUrl(deps: PaymentDependencies, { id }: Pick<Payment, "id">): Promise<string> {
  return `${chatOrigin(deps)}/.pay/${await deps.paymentTokens.tokenFor(id)}`;
}

/** Returns the address at which visitors and providers reach chats. */
export function chatOrigin(deps: Pick<ManagementDependencies, "config" | "ports">): string {
  return (deps.config.CHAT_URL ?? deps.config.PUBLIC_URL ?? ownOrigin(deps)).replace(/\/$/, "");
}
