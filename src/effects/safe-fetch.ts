import { lookup } from "node:dns/promises";
import type { Clock } from "../concurrency/clock.ts";
import type { FairShare } from "../concurrency/fair-share.ts";
import { limits } from "../limits.ts";
import { createHopsCodec, type Hops, type HopsCodec, hopsHeader } from "./hops.ts";
import { createOutgoingMetrics, type OutgoingMetrics } from "./outgoing-metrics.ts";
import { createOutgoingShares } from "./outgoing-shares.ts";
import { percentDecoded } from "./percent-decoded.ts";
import { type AddressRule, hostOf, isPublicAddress, RefusedCall, readTarget } from "./safe-fetch-addresses.ts";
import { acceptedEncodings, readText } from "./safe-fetch-body.ts";
import { createConnections } from "./safe-fetch-connections.ts";
import {
  type ExchangeRules,
  exchange,
  FailedCall,
  type Headers,
  type Hop,
  isPlain,
  type RawAnswer,
  type Resolve,
} from "./safe-fetch-exchange.ts";

export { FailedCall, RefusedCall };

/** One call too many in a row of chats that call each other. */
export class EndlessCall extends RefusedCall {}

/** A call to a server outside. */
export type OutgoingRequest = {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  readonly body?: string;
  /** For all of it: looking up, connecting, redirects, reading. */
  readonly timeoutMs: number;
  /** Its number in a row of chats that call each other, and the workspace that makes it. */
  readonly hops: Hops;
  /** As of `fetch`: `manual` returns the redirect itself. */
  readonly redirect?: "follow" | "manual";
  /** Read only so many bytes of the answer. */
  readonly excerptBytes?: number;
  /**
   * Keeps the connection for a while, for later requests under the same key. For requests that bear being sent twice: where a
   * server closes a kept connection instead of answering, the request is sent again over a new one.
   */
  readonly keepAliveKey?: string;
  /** Breaks the call off. */
  readonly signal?: AbortSignal;
};

/** What came back, whatever its status; the text holds nothing that cannot be stored. */
export type OutgoingResponse = {
  readonly status: number;
  readonly text: string;
  /** The header `Retry-After`, as it came. */
  readonly retryAfter?: string;
};

/** Makes a call, or throws a RefusedCall (it must not be made) or a FailedCall (it was made and failed). */
export type SafeFetch = (request: OutgoingRequest) => Promise<OutgoingResponse>;

export type SafeFetchOptions = {
  /** Hosts whose private IPv4 addresses may be called, in lower case. */
  readonly allowedHosts?: readonly string[];
  /** Which addresses may be called; public ones unless told. */
  readonly permits?: AddressRule;
  readonly resolve?: Resolve;
  /** Absent: calls are numbered, and not signed. */
  readonly hops?: HopsCodec;
  /** Calls under way at once: this process' share of the node's. */
  readonly atOnce?: number;
  readonly metrics?: OutgoingMetrics;
  /** The clock of waits for room. */
  readonly clock?: Clock;
};

/**
 * The one way out: every request that a flow can cause goes through here. Only http and https, only to public addresses,
 * judged at the connection, and again at each redirect; bounded in size and time. Calls under way, and the memory that their answers take,
 * are parted among workspaces, and each event endpoint; who finds no room waits for a while.
 */
export function createSafeFetch(options: SafeFetchOptions = {}): SafeFetch {
  const { permits = isPublicAddress, resolve = resolveBySystem, atOnce = limits.outgoing.calls } = options;
  const { hops: codec = createHopsCodec({}), metrics = createOutgoingMetrics(), clock } = options;
  const allowedHosts = new Set(options.allowedHosts);
  const { calls, bytes } = createOutgoingShares({ atOnce, metrics, clock });

  const connections = createConnections();

  /** One request; over a kept connection, where the caller has a key for it. */
  const exchangeOnce = async (hop: Hop, rules: ExchangeRules, keepAliveKey: string | undefined): Promise<RawAnswer> => {
    if (keepAliveKey === undefined) return await exchange(hop, rules);
    const { agent, release } = connections.acquire(keepAliveKey, hop.url.protocol === "https:");
    try {
      return await exchange(hop, { ...rules, agent });
    } catch (error) {
      if (!(error instanceof FailedCall && error.kind === "stale")) throw error;
      return await exchange(hop, rules);
    } finally {
      release();
    }
  };

  const followRedirects = async (
    first: Hop,
    request: OutgoingRequest,
    { signal, reserve }: Pick<ExchangeRules, "signal" | "reserve">,
  ): Promise<OutgoingResponse> => {
    const { redirect = "follow", excerptBytes } = request;
    let hop = first;
    for (let redirects = 0; redirects <= limits.outgoing.redirects; redirects++) {
      const isHostAllowed = allowedHosts.has(hostOf(hop.url));
      const bounds = { maxBytes: limits.outgoing.bytes, excerptBytes, signal, reserve };
      const rules = { resolve, permits, isHostAllowed, ...bounds };
      const answer = await exchangeOnce(numbered(hop, request.hops), rules, request.keepAliveKey);
      if (answer.location === undefined || redirect === "manual") return await responseOf(answer, bounds);
      hop = nextHop(hop, { ...answer, location: answer.location });
    }
    throw new FailedCall("answer", `There were more than ${limits.outgoing.redirects} redirects`);
  };

  /** Set for each request anew: a redirect can lead to our own host, or away from it. */
  const numbered = (hop: Hop, hops: Hops): Hop => ({
    ...hop,
    headers: [...hop.headers, [hopsHeader, codec.write(hops, hop.url)]],
  });

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
    const hold = async (from: FairShare, amount: number): Promise<void> => {
      const release = await from.acquire(sharer, amount, signal);
      if (isOver) release();
      else releases.push(release);
    };
    const reserve = (amount: number): Promise<void> => {
      room ??= hold(bytes, amount);
      return room;
    };
    try {
      await hold(calls, 1);
      return await followRedirects(hop, request, { signal, reserve });
    } finally {
      isOver = true;
      for (const release of releases) release();
      // Where the call failed in another way, it may still wait for room.
      controller.abort();
      clearTimeout(timer);
      request.signal?.removeEventListener("abort", breakOff);
    }
  };

  return async (request) => {
    const hop = firstHop(request);
    return await callWithTimeout(hop, request);
  };
}

/** An excerpt of a compressed answer cannot be decompressed: its text is empty. */
async function responseOf(
  answer: RawAnswer,
  rules: Pick<ExchangeRules, "maxBytes" | "excerptBytes" | "reserve">,
): Promise<OutgoingResponse> {
  const { status, retryAfter, encoding } = answer;
  const isReadable = rules.excerptBytes === undefined || isPlain(encoding);
  const text = isReadable ? await readText(answer, rules) : "";
  return { status, text, ...(retryAfter !== undefined && { retryAfter }) };
}

const resolveBySystem: Resolve = (host) => lookup(host, { all: true });

function firstHop({ url: address, method: named, headers: given, body, hops }: OutgoingRequest): Hop {
  if (hops.count > limits.outgoing.hops) {
    throw new EndlessCall(`Chats called each other ${limits.outgoing.hops} times in a row: this call was not made`);
  }
  const method = named.toUpperCase();
  if (!token.test(method)) throw new FailedCall("answer", "This is not an HTTP method");
  if (method === "CONNECT" || method === "TRACK") throw new FailedCall("answer", `${method} requests are not made`);
  if (body !== undefined && Buffer.byteLength(body) > limits.outgoing.bytes) {
    throw new FailedCall("answer", `The request is larger than ${limits.outgoing.bytes} bytes`);
  }
  const url = readTarget(address);
  const headers = withoutDuplicates(given).filter(([name]) => !ownHeaders.has(name.toLowerCase()));
  for (const [name] of headers) {
    if (metadataHeaders.has(name.toLowerCase())) throw new RefusedCall(`The header "${name}" cannot be sent`);
  }
  const has = (wanted: string): boolean => headers.some(([name]) => name.toLowerCase() === wanted);
  const added: [string, string][] = [];
  if (!has("user-agent")) added.push(["User-Agent", "Parley"]);
  if (!has("accept")) added.push(["Accept", "application/json, text/plain, */*"]);
  if (!has("accept-encoding")) added.push(["Accept-Encoding", acceptedEncodings]);
  if (body !== undefined && !has("content-type")) added.push(["Content-Type", "text/plain;charset=UTF-8"]);
  if (url.username !== "" && !has("authorization")) added.push(["Authorization", basicOf(url)]);
  return { url, method, headers: [...headers, ...added], body };
}

/** What a redirect is followed with: browsers' rules on methods, and for another origin no header that could hold a secret. */
function nextHop({ url, method, headers, body }: Hop, { status, location }: RawAnswer & { location: string }): Hop {
  const target = readTarget(location, url);
  const isPostMoved = (status === 301 || status === 302) && method === "POST";
  const becomesGet = isPostMoved || (status === 303 && method !== "GET" && method !== "HEAD");
  const isElsewhere = target.origin !== url.origin;
  const kept = headers.filter(([given]) => {
    const name = given.toLowerCase();
    return (!isElsewhere || describingHeaders.has(name)) && !(becomesGet && name.startsWith("content-"));
  });
  return {
    url: target,
    method: becomesGet ? "GET" : method,
    headers: kept,
    body: becomesGet ? undefined : body,
  };
}

function withoutDuplicates(headers: Headers): Headers {
  return [...new Map(headers.map((header) => [header[0].toLowerCase(), header])).values()];
}

/** Credentials in an address followRedirects as a header. */
function basicOf({ username, password }: URL): string {
  return `Basic ${Buffer.from(`${percentDecoded(username)}:${percentDecoded(password)}`).toString("base64")}`;
}

const token = /^[!#$%&'*+.^_`|~0-9A-Z-]+$/;

/** The framing of a message, its connection and its number are up to this client; authors paste these headers from other programs. */
const ownHeaders = new Set(
  "parley-hops connection content-length expect http2-settings keep-alive proxy-connection te trailer transfer-encoding upgrade".split(
    " ",
  ),
);

/** The headers that metadata services of clouds require: no other server does. */
const metadataHeaders = new Set([
  "metadata",
  "metadata-flavor",
  "x-google-metadata-request",
  "x-aws-ec2-metadata-token",
  "x-aws-ec2-metadata-token-ttl-seconds",
]);

/** What another origin is told: how to read the request and what to answer. Any other header may be a key, a signature or a cookie. */
const describingHeaders = new Set(
  "accept accept-encoding accept-language content-encoding content-language content-type user-agent".split(" "),
);
