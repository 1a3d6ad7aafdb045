import { createHmac, timingSafeEqual } from "node:crypto";
import type { Sql } from "../../platform/database/sql.ts";
import { isId } from "../../platform/ids.ts";
import { createInstanceKey } from "../access/instance-keys.ts";

/** Signs the addresses of pages that accept one payment each. */
export type PaymentTokens = {
  /** Returns the token of a payment. Only this service can create it. */
  tokenFor(paymentId: string): Promise<string>;
  /** Returns the payment of a token; undefined if this service did not create the token. */
  paymentOf(token: string): Promise<string | undefined>;
};

export function createPaymentTokens(sql: Sql): PaymentTokens {
  const readKey = createInstanceKey(sql, "payment-pages");
  const sign = async (text: string): Promise<string> =>
    createHmac("sha256", await readKey())
      .update(text)
      .digest("base64url");

  return {
    tokenFor: async (paymentId) => `${paymentId}.${await sign(paymentId)}`,
    async paymentOf(token) {
      const [paymentId = "", signature = ""] = token.split(".");
      if (!isId(paymentId) || token !== `${paymentId}.${signature}`) return undefined;
      const [expected, given] = [Buffer.from(await sign(paymentId)), Buffer.from(signature)];
      return given.length === expected.length && timingSafeEqual(given, expected) ? paymentId : undefined;
    },
  };
}
