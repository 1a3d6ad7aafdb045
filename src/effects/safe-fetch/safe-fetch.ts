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

/** The response, with any status; its text can be stored. */
export type OutgoingResponse = {
  readonly status: number;
  readonly text: string;
  /** The header `Retry-After`, unchanged. */
  readonly retryAfter?: string;
  /** Absent: the response is not known to come from this instance. */
  readonly isOwn?: true;
};

/** Makes a call. Throws a RefusedCall if it must not be made, or a FailedCall if it was made and failed. */
export type SafeFetch = (request: OutgoingRequest) => Promise<OutgoingResponse>;

export type SafeFetchOptions = {
  /** Hosts whose private IPv4 addresses may be called, in lower case. */
  readonly allowedHosts?: readonly string[];
  /** Origins at ports of this machine that flows may call. */
  readonly ownMachine?: ReadonlySet<string>;
  /** Origins of the operator's own model servers. */
  readonly modelServers?: ReadonlySet<string>;
  /** Origins that the operator gives providers. */
  readonly providerServers?: ReadonlySet<string>;
  /** Origins of the servers of messengers. */
  readonly channelServers?: ReadonlySet<string>;
  /** Which addresses may be called; by default public ones. */
  readonly permits?: AddressRule;
  readonly resolve?: Resolve;
  /** Absent: calls are numbered, but not signed. */
  readonly hops?: HopsCodec;
  /** The most concurrent calls: this process' share of the node's. */
  readonly atOnce?: number;
  readonly metrics?: OutgoingMetrics;
  /** The clock for waits. */
  readonly clock?: Clock;
  readonly pace?: Pace;
};

/**
 * Every request that a flow can cause uses this function. It allows only http and https, and only public addresses,
 * which it checks at the connection, and again at each redirect; size and time are bounded. Workspaces, and each event
 * endpoint, share the calls under way, and the memory for their responses. A call that finds no room waits for a
 * limited time.
 */
export function createSafeFetch(options: SafeFetchOptions = {}): SafeFetch {
  const { permits = isPublicAddress, resolve = resolveBySystem, atOnce = limits.outgoing.calls } = options;
  const { hops: codec = createHopsCodec({}), metrics = createOutgoingMetrics(), clock, pace = createPace() } = options;
  const allowedHosts = new Set(options.allowedHosts);
  const { calls, bytes } = createOutgoingShares({ atOnce, metrics, clock });

  const connections = createConnections();

  /** Sends one request, over a kept connection if the caller has a key for it and there is room. */
  const exchangeOnce = (hop: Hop, rules: ExchangeRules, keepAliveKey: string | undefined): Promise<RawAnswer> => {
    if (keepAliveKey === undefined || !connections.hasRoom()) return exchange(hop, rules);
    return connections.exchange(keepAliveKey, hop, rules).catch((error) => {
      if (error instanceof FailedCall && error.kind === "stale") return exchange(hop, rules);
      throw error;
    });
  };

  /** Sends one request through a proxy; the target is checked before the proxy is asked. */
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

  /** Set for each request: a redirect can lead to our own host, or away from it. */
  const numbered = (hop: Hop, hops: Hops): Hop => {
    const trace = traceToSend();
    const traced = trace === undefined ? [] : [[traceHeader, trace] as const];
    return { ...hop, headers: [...hop.headers, ...codec.write(hops, hop.url), ...traced] };
  };

  const callWithTimeout = async (hop: Hop, request: OutgoingRequest): Promise<OutgoingResponse> => {
    const controller = new AbortController();
    const timer = setTimeout(() => {
      controller.abort(new FailedCall("timeout", `There was no complete answer within ${request.timeoutMs} ms`));
    }, request.timeoutMs);
    const breakOff = () => controller.abort(new FailedCall("network", "The call was broken off"));
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
      // The call may still wait for room.
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
      // Any failure here belongs to this call, and callers distinguish the failure of a call from other errors by its
      // class.
      throw asCallError(error, "network");
    }
  };
}

/** The origins that this request may call, even at private addresses. */
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

/** An excerpt of a compressed answer cannot be decompressed: its text is empty. */
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

/** Resolves names by the resolver of this machine. */
export const resolveBySystem: Resolve = (host) => lookup(host, { all: true });
