import { googleServer } from "../../core/credentials/google.ts";
import { atProvider, type Providers } from "../providers/provider-urls.ts";
import type { Hops } from "../safe-fetch/hops.ts";
import type { OutgoingResponse, SafeFetch } from "../safe-fetch/safe-fetch.ts";

/** A request to Google. `url` is Google's own URL. */
export type GoogleRequest = {
  readonly url: string;
  readonly method: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: string;
};

/** Sends a single request within the remaining time of its caller. */
export type GoogleSend = (request: GoogleRequest) => Promise<OutgoingResponse>;

/**
 * Creates a function that sends requests to Google. The operator can replace the origins of all Google services with
 * one other origin.
 */
export function createGoogleSend({
  safeFetch,
  hops,
  providers,
  timeLeftMs,
}: {
  readonly safeFetch: SafeFetch;
  readonly hops: Hops;
  readonly providers: Pick<Providers, "urls"> | undefined;
  timeLeftMs(): number;
}): GoogleSend {
  return ({ url, ...request }) =>
    safeFetch({
      ...request,
      ...atProvider(providers?.urls, { name: googleServer, url }),
      timeoutMs: Math.max(1, timeLeftMs()),
      hops,
      // Redirects are not followed because a key must be sent only to Google.
      redirect: "manual",
    });
}
