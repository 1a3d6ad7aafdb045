import { RefusedCall, readTarget, type Trusted } from "../../core/flow/outgoing-rules.ts";
import { limits } from "../../limits/index.ts";
import { percentDecoded } from "../../platform/http/percent-decoded.ts";
import type { Hops } from "./hops.ts";
import type { HttpProxy } from "./proxy-tunnel.ts";
import { acceptedEncodings } from "./safe-fetch-body.ts";
import { FailedCall, type Headers, type Hop, type RawAnswer, type SizedBody } from "./safe-fetch-exchange.ts";

/** The chain of chats that call each other is too long for another call. */
export class EndlessCall extends RefusedCall {}

/** A call to a server outside. */
export type OutgoingRequest = {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  readonly body?: string;
  /** Sent in place of `body`, without a kept connection. */
  readonly upload?: SizedBody;
  /** Limit of the body; absent: the limit of any outgoing call. */
  readonly maxSentBytes?: number;
  /** Names, in lower case, of headers that must not go to another origin. */
  readonly secretHeaders?: ReadonlySet<string>;
  /** Whether the body must not go to another origin. */
  readonly isBodySecret?: boolean;
  /** Whether the servers that the operator lists for this purpose may be called, even at private addresses. */
  readonly trusted?: Trusted;
  /** The timeout of the whole call: resolving, connecting, redirects, reading. */
  readonly timeoutMs: number;
  /** The call's number in a chain of chats that call each other, and the workspace that makes the call. */
  readonly hops: Hops;
  /** Each request goes through this proxy, even after a redirect. The proxy gets none of the headers. */
  readonly proxy?: HttpProxy;
  /** As in `fetch`: `manual` returns the redirect itself. */
  readonly redirect?: "follow" | "manual";
  /** Read only this many bytes of the response. */
  readonly excerptBytes?: number;
  /**
   * Keeps the connection for later requests under the same key. For requests that may be sent twice: if a server closes
   * a kept connection instead of answering, the request is sent again over a new one.
   */
  readonly keepAliveKey?: string;
  /** Called with the headers of the response, before its body is read. */
  readonly onHeaders?: (headers: Headers) => void;
  /** Aborts the call. */
  readonly signal?: AbortSignal;
};

/** The parts of a call's first request. */
export type FirstRequest = Pick<OutgoingRequest, "url" | "method" | "headers" | "hops" | "trusted"> & {
  readonly body?: string | Uint8Array;
  readonly upload?: SizedBody;
  /** Limit of the body; absent: the limit of any outgoing call. */
  readonly maxSentBytes?: number;
};

/** The first request of a call. */
export function firstHop(
  {
    url: address,
    method: named,
    headers: given,
    body,
    upload,
    hops,
    maxSentBytes = limits.outgoing.bytes,
  }: FirstRequest,
  trustedOrigins: ReadonlySet<string> | undefined,
): Hop {
  if (hops.count > limits.outgoing.hops) {
    throw new EndlessCall(`Chats called each other ${limits.outgoing.hops} times in a row: this call was not made`);
  }
  const method = named.toUpperCase();
  if (!token.test(method)) throw new FailedCall("answer", "This is not an HTTP method");
  if (method === "CONNECT" || method === "TRACK") throw new FailedCall("answer", `${method} requests are not made`);
  const sentBytes = upload?.bytes ?? (body === undefined ? 0 : Buffer.byteLength(body));
  if (sentBytes > maxSentBytes) {
    throw new FailedCall("answer", `The request is larger than ${maxSentBytes} bytes`);
  }
  const url = readTarget(address, undefined, trustedOrigins);
  /** By their names in lower case; if a header has several values, the last one counts. */
  const headers = new Map(given.map((header) => [header[0].toLowerCase(), header]));
  for (const [name, [written]] of headers) {
    if (ownHeaders.has(name)) headers.delete(name);
    else if (metadataHeaders.has(name)) throw new RefusedCall(`The header "${written}" cannot be sent`);
  }
  const added: [string, string][] = [];
  if (!headers.has("user-agent")) added.push(["User-Agent", "Parley"]);
  if (!headers.has("accept")) added.push(["Accept", "application/json, text/plain, */*"]);
  if (!headers.has("accept-encoding")) added.push(["Accept-Encoding", acceptedEncodings]);
  if (body !== undefined && !headers.has("content-type")) added.push(["Content-Type", "text/plain;charset=UTF-8"]);
  if (url.username !== "" && !headers.has("authorization")) added.push(["Authorization", basicOf(url)]);
  return { url, method, headers: [...headers.values(), ...added], body, upload };
}

/**
 * The request after a redirect: it follows browsers' rules on methods, and for another origin has no header that could
 * hold a secret. A trusted server may redirect to itself; any other target must be public.
 */
export function nextHop(
  { url, method, headers, body, upload }: Hop,
  { status, location }: RawAnswer & { location: string },
  {
    secretHeaders,
    isBodySecret,
    isTrusted,
  }: Pick<OutgoingRequest, "secretHeaders" | "isBodySecret"> & { readonly isTrusted: boolean },
): Hop {
  const target = readTarget(location, url, isTrusted ? new Set([url.origin]) : undefined);
  const isPostMoved = (status === 301 || status === 302) && method === "POST";
  const becomesGet = isPostMoved || (status === 303 && method !== "GET" && method !== "HEAD");
  const isElsewhere = target.origin !== url.origin;
  const kept = headers.filter(([given]) => {
    const name = given.toLowerCase();
    const mayHave = !isElsewhere || (describingHeaders.has(name) && !secretHeaders?.has(name));
    return mayHave && !(becomesGet && name.startsWith("content-"));
  });
  if (isElsewhere && isBodySecret && !becomesGet) {
    throw new RefusedCall("A redirect would have taken a secret to another origin");
  }
  return {
    url: target,
    method: becomesGet ? "GET" : method,
    headers: kept,
    body: becomesGet ? undefined : body,
    upload: becomesGet ? undefined : upload,
  };
}

/** Credentials in a redirect's address, as a header. */
function basicOf({ username, password }: URL): string {
  return `Basic ${Buffer.from(`${percentDecoded(username)}:${percentDecoded(password)}`).toString("base64")}`;
}

const token = /^[!#$%&'*+.^_`|~0-9A-Z-]+$/;

/**
 * This client sets the framing of a message, its connection, its number and its trace; authors paste these headers from
 * other programs.
 */
const ownHeaders = new Set(
  "parley-hops parley-root connection content-length expect http2-settings keep-alive proxy-connection te trailer traceparent tracestate trailer transfer-encoding upgrade".split(
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

/**
 * The headers that another origin gets: how to read the request and what to answer. Any other header may be a key, a
 * signature or a cookie.
 */
const describingHeaders = new Set(
  "accept accept-encoding accept-language content-encoding content-language content-type user-agent".split(" "),
);
