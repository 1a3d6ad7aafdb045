import { type IncomingHttpHeaders, type IncomingMessage, request as requestPlain } from "node:http";
import { request as requestSecure } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { pipeline, Readable } from "node:stream";
import { type AddressRule, hostOf, notPublic, RefusedCall, requirePermitted } from "../../core/flow/outgoing-rules.ts";
import type { Agent } from "./connection-pool.ts";
import type { Pace } from "./long-answers.ts";

export type Headers = readonly (readonly [name: string, value: string])[];

export type Hop = {
  readonly url: URL;
  readonly method: string;
  readonly headers: Headers;
  readonly body: string | Uint8Array | undefined;
  /** Sent instead of `body`. */
  readonly upload?: SizedBody | undefined;
};

/**
 * A body that is read while it is sent, with a length that is known in advance. Each request opens the body separately.
 */
export type SizedBody = { readonly bytes: number; open(): AsyncIterable<Uint8Array> };

/** A server's response with an unprocessed body. The body is empty for a redirect. */
export type RawAnswer = {
  readonly status: number;
  readonly location: string | undefined;
  readonly retryAfter: string | undefined;
  readonly encoding: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
};

/** Thrown if a call failed or its request is invalid. */
export class FailedCall extends Error {
  override readonly name = "FailedCall";
  readonly kind: "network" | "timeout" | "answer" | "stale";

  /**
   * `network`: a repeated call may succeed. `timeout`: the call timed out. `answer`: the response is unusable. `stale`:
   * the server closed a reused connection without a response.
   */
  constructor(kind: FailedCall["kind"], message: string, options?: { cause: unknown }) {
    super(message, options);
    this.kind = kind;
  }
}

/** Thrown if a call was not made because too many calls are in progress. */
export class BusyCall extends FailedCall {
  constructor() {
    super("network", "Too many calls are running");
  }
}

/** Returns all addresses of a host. */
export type Resolve = (host: string) => Promise<readonly { readonly address: string; readonly family: number }[]>;

/** The rules for opening a connection. */
export type OpenRules = {
  readonly resolve: Resolve;
  readonly permits: AddressRule;
  readonly isHostAllowed: boolean;
  /** Keeps the connection open after the request. If absent, the request has its own connection. */
  readonly agent?: Agent | undefined;
  /**
   * The path of a Unix socket that is connected to the checked address of the host. The request connects to this
   * socket.
   */
  readonly socketPath?: string | undefined;
};

export type ExchangeRules = OpenRules & {
  readonly maxBytes: number;
  /** Waits until memory for the given number of bytes is available, unless the call has already waited. */
  reserve(bytes: number): Promise<void>;
  /** Limits the rate at which a long response is read. */
  readonly pace: Pace;
  /** The number of bytes after which reading stops. */
  readonly excerptBytes?: number | undefined;
  readonly signal: AbortSignal;
};

/**
 * Sends a single request and reads the response. The host is resolved and its addresses are checked while connecting,
 * so that the connection uses a checked address. Throws a RefusedCall or a FailedCall.
 */
export function exchange(hop: Hop, rules: ExchangeRules): Promise<RawAnswer> {
  const host = hostOf(hop.url);
  return new Promise((resolve, reject) => {
    requirePermitted(host, rules);
    const request = open(hop, host, rules);
    let received: IncomingMessage | undefined;
    let isSettled = false;
    const end = (settle: () => void, { keeps = false } = {}): void => {
      // A reused connection may already belong to another request.
      if (isSettled) return;
      isSettled = true;
      rules.signal.removeEventListener("abort", onAbort);
      settle();
      if (!keeps) request.destroy();
    };
    const fail = (error: unknown): void =>
      end(() => reject(asCallError(error, request.reusedSocket && !received ? "stale" : "network")));
    const onAbort = (): void => fail(rules.signal.reason);
    request.on("error", fail);
    if (rules.signal.aborted) return onAbort();
    rules.signal.addEventListener("abort", onAbort, { once: true });
    request.on("close", () => {
      // If the body is complete, the rest of it can be read without the connection.
      if (!received?.complete) fail(new Error("The connection was closed before the response was complete"));
    });
    request.on("upgrade", (_, socket) => {
      socket.destroy();
      fail(new FailedCall("answer", "The server requests another protocol"));
    });
    request.on("response", (response) => {
      received = response;
      response.on("error", fail);
      const location = redirectStatuses.has(response.statusCode ?? 0) ? response.headers.location : undefined;
      if (location !== undefined) return end(() => resolve(answerOf(response, { location, body: Buffer.alloc(0) })));
      collect(response, rules, {
        done: (body, isWhole) =>
          end(() => resolve(answerOf(response, { location, body })), { keeps: isWhole && rules.agent !== undefined }),
        fail,
      });
    });
    return send(request, hop, fail);
  });
}

/** The number of bytes of each response that are read without reserving memory. Most responses are shorter. */
export const uncountedBytes = 128 * 1024;

export const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Creates a request without sending it. The host's addresses are checked while connecting. */
export function open({ url, method }: Hop, host: string, rules: OpenRules): ReturnType<typeof requestPlain> {
  const request = url.protocol === "https:" ? requestSecure : requestPlain;
  const { agent = false, socketPath } = rules;
  return request({
    // If no server name is set, the certificate is verified against `host`, even for a Unix socket.
    ...{ host, port: portOf(url) },
    ...(socketPath !== undefined && { socketPath, headers: { Host: url.host } }),
    path: `${url.pathname}${url.search}`,
    method,
    agent,
    // Called when a connection is opened. A reused connection leads to the address that was checked when it was opened.
    lookup: guardedLookup(rules),
    ...(isIP(host) === 0 && { servername: host }),
  });
}

export function portOf({ port, protocol }: URL): number {
  return port === "" ? (protocol === "https:" ? 443 : 80) : Number(port);
}

/** Sends the request, or fails the call if the name or value of a header is invalid. */
export function send(
  request: ReturnType<typeof requestPlain>,
  { headers, body, upload }: Hop,
  fail: (error: unknown) => void,
): void {
  try {
    for (const [name, value] of headers) request.setHeader(name, value);
    if (upload) {
      request.setHeader("Content-Length", upload.bytes);
      pipeline(Readable.from(upload.open(), { objectMode: false }), request, (error) => {
        if (error) fail(error);
      });
      return;
    }
    if (body !== undefined) request.setHeader("Content-Length", Buffer.byteLength(body));
    request.end(body);
  } catch (error) {
    fail(new FailedCall("answer", error instanceof Error ? error.message : String(error), { cause: error }));
  }
}

/**
 * Returns the addresses of a host that may be called at present. The list is empty if one address is forbidden or the
 * host cannot be resolved.
 */
export async function permittedAddresses(host: string, rules: OpenRules): Promise<readonly string[]> {
  const known = isIP(host) === 0 ? await rules.resolve(host).catch(() => []) : [{ address: host }];
  return known.every(({ address }) => rules.permits(address, rules)) ? known.map(({ address }) => address) : [];
}

type Judging = Pick<OpenRules, "resolve" | "permits" | "isHostAllowed">;

/** Returns the addresses of a host. Throws if the host has no addresses or if an address may not be called. */
export async function judgedAddresses(host: string, rules: Judging) {
  requirePermitted(host, rules);
  const family = isIP(host);
  if (family !== 0) return [{ address: host, family }];
  const addresses = await rules.resolve(host);
  if (addresses.length === 0) throw new FailedCall("network", "The host has no address");
  if (!addresses.every(({ address }) => rules.permits(address, rules))) throw new RefusedCall(notPublic.host);
  return addresses;
}

function guardedLookup(rules: OpenRules): LookupFunction {
  return (host, options, callback) => {
    judgedAddresses(host, rules).then(
      (addresses) => {
        const [first] = addresses;
        if (options.all || !first) callback(null, [...addresses]);
        else callback(null, first.address, first.family);
      },
      (error: Error) => callback(error, []),
    );
  };
}

function collect(
  response: IncomingMessage,
  { maxBytes, excerptBytes = Number.POSITIVE_INFINITY, reserve, pace }: ExchangeRules,
  { done, fail }: { done(body: Buffer, isWhole: boolean): void; fail(error: unknown): void },
): void {
  const parts: Buffer[] = [];
  let bytes = 0;
  let isReserved = false;
  response.on("data", (part: Buffer) => {
    bytes += part.byteLength;
    if (bytes >= excerptBytes) done(Buffer.concat([...parts, part]).subarray(0, excerptBytes), false);
    else if (bytes > maxBytes) fail(tooLarge(maxBytes));
    else parts.push(part);
    if (bytes <= uncountedBytes) return;
    const wait = isReserved ? pace(part.byteLength) : reserve(bytesToHold(response.headers, maxBytes));
    isReserved = true;
    if (!wait) return;
    // Pauses the sender until the memory is reserved or the rate allows this part.
    response.pause();
    wait.then(() => response.resume(), fail);
  });
  response.on("end", () => done(Buffer.concat(parts), true));
}

/**
 * Returns the number of bytes to reserve for the entire response. The memory is reserved in one step, because a call
 * that waits halfway would prevent other calls from finishing.
 */
export function bytesToHold(headers: IncomingHttpHeaders, maxBytes: number): number {
  const length = Number(headers["content-length"] ?? maxBytes);
  return (isPlain(encodingOf(headers)) ? 0 : maxBytes) + Math.min(length, maxBytes);
}

export function tooLarge(maxBytes: number): FailedCall {
  return new FailedCall("answer", `The response is larger than ${maxBytes} bytes`);
}

function answerOf(
  response: IncomingMessage,
  { location, body }: { location: string | undefined; body: Buffer },
): RawAnswer {
  return {
    status: response.statusCode ?? 0,
    location,
    retryAfter: response.headers["retry-after"],
    encoding: encodingOf(response.headers),
    headers: response.headers,
    body,
  };
}

export function encodingOf(headers: IncomingHttpHeaders): string {
  return headers["content-encoding"]?.trim().toLowerCase() ?? "";
}

/** Whether a body with this encoding is uncompressed. */
export function isPlain(encoding: string): boolean {
  return encoding === "" || encoding === "identity";
}

/** Converts any failure to one of the errors that calls throw. */
export function asCallError(error: unknown, kind: "network" | "stale"): Error {
  if (error instanceof RefusedCall || error instanceof FailedCall) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new FailedCall(kind, message, { cause: error });
}
