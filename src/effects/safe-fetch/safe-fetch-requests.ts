import { RefusedCall, readTarget, type Trusted } from "../../core/flow/outgoing-rules.ts";
import { limits } from "../../limits/index.ts";
import { percentDecoded } from "../../platform/http/percent-decoded.ts";
import type { Hops } from "./hops.ts";
import type { HttpProxy } from "./proxy-tunnel.ts";
import { acceptedEncodings } from "./safe-fetch-body.ts";
import { FailedCall, type Headers, type Hop, type RawAnswer, type SizedBody } from "./safe-fetch-exchange.ts";

/** Thrown if a chain of chats that call each other is too long for another call. */
export class EndlessCall extends RefusedCall {}

/** A call to an external server. */
export type OutgoingRequest = {
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  readonly body?: string;
  /** Sent instead of `body`, on a new connection. */
  readonly upload?: SizedBody;
  /** The maximum size of the body. Defaults to the limit of outgoing calls. */
  readonly maxSentBytes?: number;
  /** Lower-case names of headers that must not be sent to another origin. */
  readonly secretHeaders?: ReadonlySet<string>;
  /** Whether the body must not be sent to another origin. */
  readonly isBodySecret?: boolean;
  /** The operator's list of servers that may be called, even at private addresses. */
  readonly trusted?: Trusted;
  /**
   * The timeout of the entire call, including the wait for capacity, DNS look-up, connecting, redirects and reading.
   */
  readonly timeoutMs: number;
  readonly hops: Hops;
  /** The proxy for all requests of the call, also after redirects. The proxy receives none of the headers. */
  readonly proxy?: HttpProxy;
  /** As in `fetch`: `manual` returns the redirect itself. */
  readonly redirect?: "follow" | "manual";
  /** Reads only this number of bytes of the response. */
  readonly excerptBytes?: number;
  /**
   * Keeps the connection open for later requests with the same key. The key is only for requests that are safe to
   * repeat: if a server closes a reused connection without a response, the request is sent again on a new connection.
   */
  readonly keepAliveKey?: string;
  /** Called with the headers of the response, but not of redirects that are followed. */
  readonly onHeaders?: (headers: Headers) => void;
  readonly signal?: AbortSignal;
};

/** The parts of a call that its first request uses. */
export type FirstRequest = Pick<OutgoingRequest, "url" | "method" | "headers" | "hops" | "trusted"> & {
  readonly body?: string | Uint8Array;
  readonly upload?: SizedBody;
  /** The maximum size of the body. Defaults to the limit of outgoing calls. */
  readonly maxSentBytes?: number;
};

/**
 * Returns the first request of a call. Throws an EndlessCall, a RefusedCall or a FailedCall if the request must not be
 * sent.
 */
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
  if (!token.test(method)) throw new FailedCall("answer", "The method is not an HTTP method");
  if (method === "CONNECT" || method === "TRACK")
    throw new FailedCall("answer", `${method} requests are not supported`);
  const sentBytes = upload?.bytes ?? (body === undefined ? 0 : Buffer.byteLength(body));
  if (sentBytes > maxSentBytes) {
    throw new FailedCall("answer", `The request is larger than ${maxSentBytes} bytes`);
  }
  const url = readTarget(address, undefined, trustedOrigins);
  /** Headers are unique by lower-case name. If a header is given several times, the last value is used. */
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
 * Returns the request after a redirect. The method is changed as in browsers. For another origin, headers that could
 * contain a secret are removed. A trusted server may redirect to itself. Any other target is checked as untrusted.
 *
 * Throws a RefusedCall if the target is forbidden or a secret would be sent to another origin.
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
    throw new RefusedCall("A redirect would have sent a secret to another origin");
  }
  return {
    url: target,
    method: becomesGet ? "GET" : method,
    headers: kept,
    body: becomesGet ? undefined : body,
    upload: becomesGet ? undefined : upload,
  };
}

/** Converts the user name and the password in a URL to the value of an `Authorization` header. */
function basicOf({ username, password }: URL): string {
  return `Basic ${Buffer.from(`${percentDecoded(username)}:${percentDecoded(password)}`).toString("base64")}`;
}

const token = /^[!#$%&'*+.^_`|~0-9A-Z-]+$/;

/**
 * Headers for framing, connection, hops and tracing that this client sets itself. Authors sometimes copy these headers
 * from other programs.
 */
const ownHeaders = new Set(
  "parley-hops parley-root connection content-length expect http2-settings keep-alive proxy-connection te trailer traceparent tracestate trailer transfer-encoding upgrade".split(
    " ",
  ),
);

/** Headers that cloud metadata services require. No other server requires these headers. */
const metadataHeaders = new Set([
  "metadata",
  "metadata-flavor",
  "x-google-metadata-request",
  "x-aws-ec2-metadata-token",
  "x-aws-ec2-metadata-token-ttl-seconds",
]);

/**
 * The headers that may be sent to another origin, because they only describe the request and the expected response. Any
 * other header may be a key, a signature or a cookie.
 */
const describingHeaders = new Set(
  "accept accept-encoding accept-language content-encoding content-language content-type user-agent".split(" "),
);
