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

/** The address to which a provider reports payments, and the modes of the provider that use the address. */
export type PaymentWebhook = { readonly url: string; readonly modes: Mode[] };
type Mode = "live" | "test";

/**
 * Registers a webhook, so that the provider reports the payments of these credentials, and stores its signing secrets.
 * A mode that already has its secret does not change, so this can run any number of times. If one mode fails, the other
 * mode's secret is still stored.
 */
export async function registerPaymentWebhook(
  deps: ManagementDependencies,
  caller: Caller,
  place: CredentialsPlace,
): Promise<PaymentWebhook> {
  const { row, kind, data } = await openCredentials(deps, caller, place);
  if (kind.type !== stripe.type) throw new AppError("credentials.no_webhook");
  // Releases the slot at the database, because other servers may respond slowly.
  caller.place.end();
  const url = `${chatOrigin(deps)}/api/v1/payments/stripe/${row.id}`;
  const known = modes.filter((mode) => textIn(data, secretOf(mode)) !== undefined);
  const missing = modes.filter((mode) => !known.includes(mode) && keysOf(data, { isTest: mode === "test" }));
  const made = await Promise.allSettled(missing.map((mode) => register(deps, { row, data, mode, url })));
  const news = Object.fromEntries(made.flatMap((one) => (one.status === "fulfilled" ? [one.value] : [])));
  // A single change stores both secrets, so a concurrent request sees either both secrets or neither. If it sees
  // neither, it registers the same webhooks.
  if (Object.keys(news).length > 0) await updateCredentials(deps, caller, place, { data: news });
  for (const one of made) if (one.status === "rejected") throw one.reason;
  return { url, modes: modes.filter((mode) => known.includes(mode) || missing.includes(mode)) };
}

const modes: readonly Mode[] = ["live", "test"];

function secretOf(mode: Mode): string {
  return `${mode}WebhookSecret`;
}

/** Registers a webhook for a mode. Returns the name of the field for the secret, and the new secret. */
async function register(
  deps: ManagementDependencies,
  { row, data, mode, url }: Pick<OpenCredentials, "row" | "data"> & { readonly mode: Mode; readonly url: string },
): Promise<[string, string]> {
  const keys = keysOf(data, { isTest: mode === "test" });
  const provider = await createPaymentProvider(keys?.secretKey ?? "", wayFor(deps, row.workspaceId));
  // All attempts with unchanged credentials use the same key, so that a crash does not cause a second registration.
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
