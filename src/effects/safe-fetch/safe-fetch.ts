import { lookup } from "node:dns/promises";
import {
  type AddressRule,
  hostOf,
  isPublicAddress,
  isTrustedAddress,
  RefusedCall,
  type Trusted,
} from "../../core/flow/outgoing-rules.ts";
import { limits } from "../../limits/index.ts";
import type { Clock } from "../../platform/concurrency/clock.ts";
import type { FairShare } from "../../platform/concurrency/fair-share.ts";
import { traceHeader, traceToSend } from "../../platform/observing/current-request.ts";
import { createHopsCodec, type Hops, type HopsCodec, hopsHeader } from "./hops.ts";
import { createPace, type Pace } from "./long-answers.ts";
import { createOutgoingMetrics, type OutgoingMetrics } from "./outgoing-metrics.ts";
import { createOutgoingShares } from "./outgoing-shares.ts";
import { type HttpProxy, openTunnel, ProxyRefusal } from "./proxy-tunnel.ts";
import { readText } from "./safe-fetch-body.ts";
import { createConnections } from "./safe-fetch-connections.ts";
import {
  asCallError,
  type ExchangeRules,
  exchange,
  FailedCall,
  type Headers,
  type Hop,
  isPlain,
  judgedAddresses,
  portOf,
  type RawAnswer,
  type Resolve,
} from "./safe-fetch-exchange.ts";
import { EndlessCall, firstHop, nextHop, type OutgoingRequest } from "./safe-fetch-requests.ts";

export { EndlessCall, FailedCall, type HttpProxy, type OutgoingRequest, ProxyRefusal, RefusedCall, type Trusted };

/** A response with any status, whose text can be stored. */
export type OutgoingResponse = {
  readonly status: number;
  readonly text: string;
  /** The unchanged value of the `Retry-After` header. */
  readonly retryAfter?: string;
  /** Set if the response is known to come from this instance. */
  readonly isOwn?: true;
};

/** Makes a call. Throws a RefusedCall if the call is not allowed, or a FailedCall for any other failure. */
export type SafeFetch = (request: OutgoingRequest) => Promise<OutgoingResponse>;

export type SafeFetchOptions = {
  /** Lower-case names of hosts whose private IPv4 addresses may be called. */
  readonly allowedHosts?: readonly string[];
  /** Origins on ports of this machine that flows may call. */
  readonly ownMachine?: ReadonlySet<string>;
  /** Origins of the operator's own model servers. */
  readonly modelServers?: ReadonlySet<string>;
  /** Origins with which the operator replaces providers' own origins. */
  readonly providerServers?: ReadonlySet<string>;
  /** Origins of messenger servers. */
  readonly channelServers?: ReadonlySet<string>;
  /** The rule that decides which addresses may be called. Defaults to public addresses. */
  readonly permits?: AddressRule;
  readonly resolve?: Resolve;
  /** Writes the hop headers of calls. If absent, calls are numbered but not signed. */
  readonly hops?: HopsCodec;
  /** The maximum number of concurrent calls, which is this process's share of the node's limit. */
  readonly atOnce?: number;
  readonly metrics?: OutgoingMetrics;
  readonly clock?: Clock;
  readonly pace?: Pace;
};

/**
 * Creates the function for outgoing requests. Only HTTP and HTTPS are allowed, and only public addresses unless the
 * operator allows others. Addresses are checked when connecting and again for each redirect. Size and time are limited.
 *
 * Workspaces and event endpoints share the concurrent calls and the memory for responses. If there is no capacity, a
 * call waits for a limited time.
 */
export function createSafeFetch(options: SafeFetchOptions = {}): SafeFetch {
  const { permits = isPublicAddress, resolve = resolveBySystem, atOnce = limits.outgoing.calls } = options;
  const { hops: codec = createHopsCodec({}), metrics = createOutgoingMetrics(), clock, pace = createPace() } = options;
  const allowedHosts = new Set(options.allowedHosts);
  const { calls, bytes } = createOutgoingShares({ atOnce, metrics, clock });

  const connections = createConnections();

  /** Sends a single request. An open connection is reused if the caller provides a key and capacity is available. */
  const exchangeOnce = (hop: Hop, rules: ExchangeRules, keepAliveKey: string | undefined): Promise<RawAnswer> => {
    if (keepAliveKey === undefined || !connections.hasRoom()) return exchange(hop, rules);
    return connections.exchange(keepAliveKey, hop, rules).catch((error) => {
      if (error instanceof FailedCall && error.kind === "stale") return exchange(hop, rules);
      throw error;
    });
  };

  /** Sends a single request through a proxy. The target is checked before the proxy is called. */
  const exchangeThrough = async (proxy: HttpProxy, hop: Hop, rules: ExchangeRules): Promise<RawAnswer> => {
    const [judged] = await judgedAddresses(hostOf(hop.url), rules).catch((error) => {
      throw asCallError(error, "network");
    });
    const place = { address: judged?.address ?? "", port: portOf(hop.url) };
    const trusted = trustedOrigins(options, proxy);
    const judging = { resolve, permits, allowedHosts, trustedOrigins: trusted };
    const tunnel = await openTunnel(place, proxy, { ...judging, signal: rules.signal });
    try {
      return await exchange(hop, { ...rules, socketPath: tunnel.socketPath });
    } finally {
      await tunnel.close();
    }
  };

  const followRedirects = async (
    first: Hop,
    request: OutgoingRequest,
    { signal, reserve }: Pick<ExchangeRules, "signal" | "reserve">,
  ): Promise<OutgoingResponse> => {
    const { redirect = "follow", excerptBytes } = request;
    const trusted = trustedOrigins(options, request);
    let hop = first;
    for (let redirects = 0; redirects <= limits.outgoing.redirects; redirects++) {
      const isHostAllowed = allowedHosts.has(hostOf(hop.url));
      const bounds = { maxBytes: limits.outgoing.bytes, excerptBytes, signal, reserve, pace };
      const isTrusted = hop.url.origin === first.url.origin && trusted?.has(hop.url.origin) === true;
      const rules = { resolve, permits: isTrusted ? isTrustedAddress : permits, isHostAllowed, ...bounds };
      const sent = numbered(hop, request.hops);
      const answer = request.proxy
        ? await exchangeThrough(request.proxy, sent, rules)
        : await exchangeOnce(sent, rules, request.keepAliveKey);
      if (answer.location === undefined || redirect === "manual") {
        request.onHeaders?.(headersOf(answer));
        return await responseOf(answer, bounds);
      }
      hop = nextHop(hop, { ...answer, location: answer.location }, { ...request, isTrusted });
    }
    throw new FailedCall("answer", `There were more than ${limits.outgoing.redirects} redirects`);
  };

  /**
   * Adds the hop and trace headers. These headers are set for each request because a redirect may lead from our own
   * host to another host, or back.
   */
  const numbered = (hop: Hop, hops: Hops): Hop => {
    const trace = traceToSend();
    const traced = trace === undefined ? [] : [[traceHeader, trace] as const];
    return { ...hop, headers: [...hop.headers, ...codec.write(hops, hop.url), ...traced] };
  };

  const callWithTimeout = async (hop: Hop, request: OutgoingRequest): Promise<OutgoingResponse> => {
    const controller = new AbortController();
    const timer = setTimeout(() => {
      controller.abort(new FailedCall("timeout", `The response was not complete within ${request.timeoutMs} ms`));
    }, request.timeoutMs);
    const breakOff = () => controller.abort(new FailedCall("network", "The call was aborted"));
    request.signal?.addEventListener("abort", breakOff);
    if (request.signal?.aborted) breakOff();
    const { signal } = controller;
    const sharer = request.keepAliveKey ?? request.hops.workspaceId ?? "";
    const releases: (() => void)[] = [];
    let isOver = false;
    let room: Promise<void> | undefined;
    const hold = async (from: FairShare<"sharer">, amount: number): Promise<void> => {
      const release = await from.acquire({ sharer }, amount, signal);
      if (isOver) release();
      else releases.push(release);
    };
    const reserve = (amount: number): Promise<void> => {
      room ??= hold(bytes, amount);
      return room;
    };
    try {
      const release = calls.tryAcquire({ sharer }, 1);
      if (release) releases.push(release);
      else await hold(calls, 1);
      return await followRedirects(hop, request, { signal, reserve });
    } catch (error) {
      // Ends a wait for memory that is still in progress.
      controller.abort();
      throw error;
    } finally {
      isOver = true;
      for (const release of releases) release();
      clearTimeout(timer);
      request.signal?.removeEventListener("abort", breakOff);
    }
  };

  return async (request) => {
    try {
      const hop = firstHop(request, trustedOrigins(options, request));
      return await callWithTimeout(hop, request);
    } catch (error) {
      // Every failure at this point belongs to this call. Callers distinguish failed calls from other errors by the
      // error class.
      throw asCallError(error, "network");
    }
  };
}

/** Returns the origins, if any, that this request may call even at private addresses. */
export function trustedOrigins(
  { ownMachine, modelServers, providerServers, channelServers }: SafeFetchOptions,
  { trusted }: { readonly trusted?: Trusted | undefined },
): ReadonlySet<string> | undefined {
  switch (trusted) {
    case undefined:
      return ownMachine;
    case "models":
      return modelServers;
    case "providers":
      return providerServers;
    case "channels":
      return channelServers;
  }
}

/**
 * Reads the text of a response. An excerpt of a compressed response cannot be decompressed, so the text of the excerpt
 * is empty.
 */
async function responseOf(
  answer: RawAnswer,
  rules: Pick<ExchangeRules, "maxBytes" | "excerptBytes" | "reserve" | "pace">,
): Promise<OutgoingResponse> {
  const { status, retryAfter, encoding } = answer;
  const isReadable = rules.excerptBytes === undefined || isPlain(encoding);
  const text = isReadable ? await readText(answer, rules) : "";
  const isOwn = answer.headers[hopsHeader.toLowerCase()] !== undefined;
  return { status, text, ...(retryAfter !== undefined && { retryAfter }), ...(isOwn && { isOwn }) };
}

function headersOf({ headers }: RawAnswer): Headers {
  return Object.entries(headers).flatMap(([name, value = []]) => [value].flat().map((one) => [name, one] as const));
}

/** Resolves names with the resolver of this machine. */
export const resolveBySystem: Resolve = (host) => lookup(host, { all: true });
