import { googleServer } from "../../core/credentials/google.ts";
import { atProvider, type Providers } from "../providers/provider-urls.ts";
import type { Hops } from "../safe-fetch/hops.ts";
import type { OutgoingResponse, SafeFetch } from "../safe-fetch/safe-fetch.ts";

/** A request to Google, at its own address. */
export type GoogleRequest = {
  readonly url: string;
  readonly method: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body?: string;
};

/** Sends one request within the rest of its caller's time. */
export type GoogleSend = (request: GoogleRequest) => Promise<OutgoingResponse>;

/** All of Google's services are one provider, which the operator may move to another origin. */
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
      // A key goes only to Google.
      redirect: "manual",
    });
}
