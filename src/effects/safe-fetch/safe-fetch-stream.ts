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

/** A call whose response is streamed. */
export type StreamRequest = Pick<OutgoingRequest, "url" | "method" | "headers" | "hops" | "trusted" | "signal"> &
  ReadTimes & {
    readonly body?: string | Uint8Array;
    /** `manual` returns a redirect, for calls that carry no key; otherwise a redirect is a failure. */
    readonly redirect?: "manual";
    /** Limit of the response; absent: the limit for a model. */
    readonly maxBytes?: number;
    /** Limit of the body; absent: the limit of any outgoing call. */
    readonly maxSentBytes?: number;
    /** Keeps the connection for the workspace's next calls to this origin. */
    readonly keepsConnection?: boolean;
    /** How long bytes may be held back, to be delivered together with later ones; absent: bytes are not held back. */
    readonly holdMs?: HoldMs;
  };

export type { StreamedResponse };

/** Makes a call. Throws a RefusedCall if it must not be made, or a FailedCall if it was made and failed. */
export type SafeStream = (request: StreamRequest) => Promise<StreamedResponse>;

/**
 * The streaming form of `safeFetch`, with the same check of addresses. The response is delivered as it arrives,
 * uncompressed. No redirect is followed, since such calls carry a key. Workspaces share the calls under way, which do
 * not count towards those of `createSafeFetch`.
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
      // The server closed the kept connection while the request was being sent, and had not sent a byte of a response.
      return await over(connections.open(place), false);
    }
  };
  return (request) =>
    call(request).catch((error: unknown) => {
      // For example, the caller aborted the call while it waited for its turn. As in `createSafeFetch`, this is an
      // error of the call.
      throw asCallError(error, "network");
    });
}

function isStale(error: unknown): boolean {
  return error instanceof FailedCall && error.kind === "stale";
}

/** Checks a request that follows no redirect: how to send it, and which addresses it may connect to. */
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
