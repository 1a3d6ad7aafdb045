import { hostOf, isPublicAddress, isTrustedAddress } from "../../core/flow/outgoing-rules.ts";
import { limits } from "../../limits/index.ts";
import { systemClock } from "../../platform/concurrency/clock.ts";
import { createFairShare } from "../../platform/concurrency/fair-share.ts";
import type { HoldMs } from "./arrived-bytes.ts";
import { createConnectionPool, type Lease } from "./connection-pool.ts";
import { createHopsCodec } from "./hops.ts";
import { type OutgoingRequest, resolveBySystem, type SafeFetchOptions, trustedOrigins } from "./safe-fetch.ts";
import {
  asCallError,
  BusyCall,
  FailedCall,
  type Hop,
  type OpenRules,
  permittedAddresses,
} from "./safe-fetch-exchange.ts";
import { type ReadTimes, readAnswer, type StreamedResponse } from "./safe-fetch-reading.ts";
import { type FirstRequest, firstHop } from "./safe-fetch-requests.ts";

export type StreamRequest = Pick<OutgoingRequest, "url" | "method" | "headers" | "hops" | "trusted" | "signal"> &
  ReadTimes & {
    readonly body?: string | Uint8Array;
    /** `manual` returns a redirect, for calls without a key. By default a redirect is a failure. */
    readonly redirect?: "manual";
    /** The maximum size of the response. Defaults to the limit for models. */
    readonly maxBytes?: number;
    /** The maximum size of the body. Defaults to the limit of outgoing calls. */
    readonly maxSentBytes?: number;
    /** Whether the connection is kept open for the workspace's next calls to this origin. */
    readonly keepsConnection?: boolean;
    /**
     * Returns how long bytes may be delayed so that they are delivered together with later bytes. If absent, bytes are
     * not delayed.
     */
    readonly holdMs?: HoldMs;
  };

export type { StreamedResponse };

/** Makes a call. Throws a RefusedCall if the call is not allowed, or a FailedCall for any other failure. */
export type SafeStream = (request: StreamRequest) => Promise<StreamedResponse>;

/**
 * Creates the streaming variant of `safeFetch`, with the same address checks. The response is delivered as it arrives,
 * uncompressed. Redirects are not followed because such calls may contain a key. Workspaces share the concurrent calls,
 * which are counted separately from the calls of `createSafeFetch`.
 */
export function createSafeStream(options: SafeFetchOptions = {}): SafeStream {
  const { clock = systemClock } = options;
  const judge = createJudge(options);
  const connections = createConnectionPool();
  const calls = createFairShare({
    total: options.atOnce ?? limits.streams.calls,
    shares: { workspace: 2 / 3 },
    maxWaiting: limits.streams.waiting,
    maxWaitMs: limits.streams.waitMs,
    refuse: () => new BusyCall(),
    clock,
  });
  const call = async (request: StreamRequest): Promise<StreamedResponse> => {
    const { firstByteMs, silenceMs, timeoutMs, signal, headers, hops } = request;
    const { hop, rules } = judge({ ...request, headers: [...headers, ["Accept-Encoding", "identity"]] });
    const release = await calls.acquire({ workspace: hops.workspaceId ?? undefined }, 1, signal);
    const times = { firstByteMs, silenceMs, timeoutMs };
    const { redirect, maxBytes = limits.streams.answerBytes, holdMs = () => 0 } = request;
    const givesRedirects = redirect === "manual";
    const reading = { ...rules, times, clock, signal, givesRedirects, maxBytes, holdMs };
    if (request.keepsConnection !== true) return await readAnswer(hop, { ...reading, onEnd: release });
    const isSecure = hop.url.protocol === "https:";
    const place = { key: `${hops.workspaceId} ${hop.url.origin}`, isSecure };
    const addresses = () => permittedAddresses(hostOf(hop.url), rules);
    const over = (lease: Lease, mayBeStale: boolean) =>
      readAnswer(hop, {
        ...reading,
        agent: lease.agent,
        onEnd({ error, address }) {
          if (address === undefined) lease.close();
          else lease.keep(address);
          if (!(mayBeStale && isStale(error))) release();
        },
      });
    try {
      return await over(await connections.acquire({ ...place, addresses }), true);
    } catch (error) {
      if (!isStale(error)) throw error;
      // The server closed the reused connection without a response while the request was being sent.
      return await over(connections.open(place), false);
    }
  };
  return (request) =>
    call(request).catch((error: unknown) => {
      // For example, the caller aborted the call while it was queued. The error is converted as in `createSafeFetch`.
      throw asCallError(error, "network");
    });
}

function isStale(error: unknown): boolean {
  return error instanceof FailedCall && error.kind === "stale";
}

/**
 * Returns a function that checks a request and determines the addresses to which it may connect. The request follows no
 * redirects.
 */
function createJudge(options: SafeFetchOptions) {
  const { permits = isPublicAddress, resolve = resolveBySystem, hops: codec = createHopsCodec({}) } = options;
  const { allowedHosts = [] } = options;
  return (request: FirstRequest): { readonly hop: Hop; readonly rules: OpenRules } => {
    const origins = trustedOrigins(options, request);
    const hop = firstHop(request, origins);
    const headers = [...hop.headers, ...codec.write(request.hops, hop.url)];
    return {
      hop: { ...hop, headers },
      rules: {
        resolve,
        permits: origins?.has(hop.url.origin) ? isTrustedAddress : permits,
        isHostAllowed: allowedHosts.includes(hostOf(hop.url)),
      },
    };
  };
}
