import { limits } from "../../limits/index.ts";
import type { Clock } from "../../platform/concurrency/clock.ts";
import { createKeyedLimiter, type KeyedLimiter } from "../../platform/concurrency/limiter.ts";
import type { OutgoingRequest } from "../safe-fetch/safe-fetch.ts";
import { BusyCall } from "../safe-fetch/safe-fetch-exchange.ts";
import type { ProviderMetrics } from "./provider-metrics.ts";

/** The origins that the operator has configured in place of providers' own origins, by provider name. */
export type ProviderUrls = ReadonlyMap<string, string>;

/** The addresses of providers, and the metrics and limits of calls to providers. */
export type Providers = {
  readonly urls: ProviderUrls;
  readonly metrics: ProviderMetrics;
  /** Limits concurrent calls of steps by credentials id. If absent, there is no limit. */
  readonly calls?: KeyedLimiter;
};

/** Creates a limiter for concurrent calls with the same credentials, because services limit calls per account. */
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
 * Returns the target of a call to a provider, to be spread into the request. The provider's own URL is moved to the
 * origin that the operator configured. Any other URL, such as the URL of the author's own server, is not changed. A
 * target at the configured origin is marked as trusted.
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
    // A base URL has no trailing slash.
    return { url: `${origin}${rest === "/" && !url.endsWith("/") ? "" : rest}`, trusted: "providers" };
  }
  return given.origin === origin ? { url, trusted: "providers" } : { url };
}
