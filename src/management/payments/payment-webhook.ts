import { textIn } from "../../core/credentials/kind.ts";
import { stripe } from "../../core/credentials/stripe.ts";
import { keysOf, wayFor } from "../../effects/payments/account.ts";
import { createPaymentProvider, ProviderFailed } from "../../effects/payments/stripe.ts";
import { FailedCall, RefusedCall } from "../../effects/safe-fetch/safe-fetch.ts";
import { AppError } from "../../errors.ts";
import type { Caller } from "../access/access.ts";
import type { ManagementDependencies } from "../access/dependencies.ts";
import type { CredentialsPlace } from "../credentials/credentials.sql.ts";
import { type OpenCredentials, openCredentials, updateCredentials } from "../credentials/credentials.ts";
import { chatOrigin } from "./payments-of-step.ts";

/** The address for a provider's reports of payments, and the modes of the provider that use it. */
export type PaymentWebhook = { readonly url: string; readonly modes: Mode[] };
type Mode = "live" | "test";

/**
 * Registers a webhook, so that the provider reports the payments of these credentials, and stores its signature
 * secrets. A mode that has its secret is left unchanged, so this may run any number of times; if one mode fails, the
 * other mode's secret is stored.
 */
export async function registerPaymentWebhook(
  deps: ManagementDependencies,
  caller: Caller,
  place: CredentialsPlace,
): Promise<PaymentWebhook> {
  const { row, kind, data } = await openCredentials(deps, caller, place);
  if (kind.type !== stripe.type) throw new AppError("credentials.no_webhook");
  // Other servers may respond slowly.
  caller.place.end();
  const url = `${chatOrigin(deps)}/api/v1/payments/stripe/${row.id}`;
  const known = modes.filter((mode) => textIn(data, secretOf(mode)) !== undefined);
  const missing = modes.filter((mode) => !known.includes(mode) && keysOf(data, { isTest: mode === "test" }));
  const made = await Promise.allSettled(missing.map((mode) => register(deps, { row, data, mode, url })));
  const news = Object.fromEntries(made.flatMap((one) => (one.status === "fulfilled" ? [one.value] : [])));
  // Both secrets are stored in one change: another request sees either none and registers the same webhooks, or both.
  if (Object.keys(news).length > 0) await updateCredentials(deps, caller, place, { data: news });
  for (const one of made) if (one.status === "rejected") throw one.reason;
  return { url, modes: modes.filter((mode) => known.includes(mode) || missing.includes(mode)) };
}

const modes: readonly Mode[] = ["live", "test"];

function secretOf(mode: Mode): string {
  return `${mode}WebhookSecret`;
}

/** Returns the member of the credentials with the new secret. */
async function register(
  deps: ManagementDependencies,
  { row, data, mode, url }: Pick<OpenCredentials, "row" | "data"> & { readonly mode: Mode; readonly url: string },
): Promise<[string, string]> {
  const keys = keysOf(data, { isTest: mode === "test" });
  const provider = await createPaymentProvider(keys?.secretKey ?? "", wayFor(deps, row.workspaceId));
  // Every attempt that finds the credentials unchanged uses the same key, so that a crash causes no double
  // registration.
  const key = `parley-webhook-${row.id}-${mode}-${row.updatedAt.getTime()}`;
  return [secretOf(mode), await answered(provider.registerWebhook({ url, key }))];
}

async function answered(asking: Promise<string>): Promise<string> {
  try {
    return await asking;
  } catch (error) {
    if (!(error instanceof ProviderFailed || error instanceof FailedCall || error instanceof RefusedCall)) throw error;
    throw new AppError("credentials.provider_failed", {
      message: error.message,
      data: { status: null },
      cause: error,
    });
  }
}
