import { type CredentialsData, textIn } from "../../core/credentials/kind.ts";
import type { PaymentStatus } from "../../core/interpreter/program/effect.ts";
import { noHops } from "../safe-fetch/hops.ts";
import { covers, findObjects } from "./open-payment.ts";
import type { Payment } from "./payment-store.ts";
import type { Intent, PaymentProvider, ProviderWay } from "./stripe.ts";

/** The keys of an account for one mode (live or test). */
export type PaymentKeys = { readonly secretKey: string; readonly publicKey: string };

/** Returns the state of a payment at its provider. `other`: the paid money does not cover the payment's amount. */
export async function checkPayment(
  payment: Payment,
  provider: PaymentProvider,
): Promise<{ readonly status: PaymentStatus | "other"; readonly intent?: Intent }> {
  const { intent } = await findObjects(payment, provider);
  return intent ? { status: statusOf(payment, intent), intent } : { status: "open" };
}

/** Returns the keys for live chats or for previews, or undefined if the credentials do not contain them. */
export function keysOf(data: CredentialsData, { isTest }: { readonly isTest: boolean }): PaymentKeys | undefined {
  const mode = isTest ? "test" : "live";
  const [secretKey, publicKey] = [textIn(data, `${mode}SecretKey`), textIn(data, `${mode}PublicKey`)];
  return secretKey === undefined || publicKey === undefined ? undefined : { secretKey, publicKey };
}

/** Creates the dependencies for calls that belong to no step. */
export function wayFor(
  deps: Pick<ProviderWay, "safeFetch" | "providers" | "clock">,
  workspaceId: string | null,
): ProviderWay {
  const { safeFetch, providers, clock } = deps;
  const hops = { ...noHops, workspaceId };
  return { safeFetch, hops, ...(providers && { providers }), ...(clock && { clock }) };
}

/** Returns the state of a payment, given its intent at the provider. */
export function statusOf({ amount: units, currency }: Payment, intent: Intent): PaymentStatus | "other" {
  switch (intent.status) {
    case "succeeded":
      return covers(intent, { currency, units }) ? "succeeded" : "other";
    case "processing":
    case "canceled":
      return intent.status;
    default:
      return "open";
  }
}
