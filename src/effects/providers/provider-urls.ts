import { limits } from "../../limits/index.ts";
import type { Clock } from "../../platform/concurrency/clock.ts";
import { createKeyedLimiter, type KeyedLimiter } from "../../platform/concurrency/limiter.ts";
import type { OutgoingRequest } from "../safe-fetch/safe-fetch.ts";
import { BusyCall } from "../safe-fetch/safe-fetch-exchange.ts";
import type { ProviderMetrics } from "./provider-metrics.ts";

/** The origins that the operator gives providers in place of their own, by name. */
export type ProviderUrls = ReadonlyMap<string, string>;

/** The addresses of providers, and the counts of their calls. */
export type Providers = {
  readonly urls: ProviderUrls;
  readonly metrics: ProviderMetrics;
  /** The current calls of steps, by the id of their credentials. Absent: there is no bound. */
  readonly calls?: KeyedLimiter;
};

/** How many calls with the same credentials run at once: services count calls by account, and refuse more. */
export function createServiceLimiter(clock?: Clock): KeyedLimiter {
  return createKeyedLimiter({
    width: limits.outgoing.callsOfCredentials,
    maxWaiting: limits.outgoing.waitingOfCredentials,
    maxWaitMs: limits.outgoing.serviceSeconds * 1_000,
    refuse: () => new BusyCall(),
    ...(clock && { clock }),
  });
}

/**
 * The target of a call to this provider, to be spread into the request. An address of the provider's own is moved to
 * the origin that the operator names; any other address, such as that of the author's own server, stays. Only the
 * provider's own calls may reach that origin.
 */
export function atProvider(
  urls: ProviderUrls | undefined,
  { name, url, isOwn = true }: { readonly name: string; readonly url: string; readonly isOwn?: boolean },
): Pick<OutgoingRequest, "url" | "trusted"> {
  const origin = urls?.get(name);
  const given = URL.parse(url);
  if (origin === undefined || !given) return { url };
  if (isOwn && given.origin !== origin) {
    const rest = given.href.slice(given.origin.length);
    // A base address has no slash at its end.
    return { url: `${origin}${rest === "/" && !url.endsWith("/") ? "" : rest}`, trusted: "providers" };
  }
  return given.origin === origin ? { url, trusted: "providers" } : { url };
}
