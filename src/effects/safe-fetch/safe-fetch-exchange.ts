import { type IncomingHttpHeaders, type IncomingMessage, request as requestPlain } from "node:http";
import { request as requestSecure } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { pipeline, Readable } from "node:stream";
import { type AddressRule, hostOf, notPublic, RefusedCall, requirePermitted } from "../../core/flow/outgoing-rules.ts";
import type { Agent } from "./connection-pool.ts";
import type { Pace } from "./long-answers.ts";

/** Header names and values, each name once, compared without case. */
export type Headers = readonly (readonly [name: string, value: string])[];

/** One request to one server. */
export type Hop = {
  readonly url: URL;
  readonly method: string;
  readonly headers: Headers;
  readonly body: string | Uint8Array | undefined;
  /** Sent in place of `body`. */
  readonly upload?: SizedBody | undefined;
};

/**
 * A body that is read while it is sent, and whose length is known in advance. Each request opens the body for itself.
 */
export type SizedBody = { readonly bytes: number; open(): AsyncIterable<Uint8Array> };

/** A server's response; its body is unchanged, and empty if it is a redirect. */
export type RawAnswer = {
  readonly status: number;
  readonly location: string | undefined;
  readonly retryAfter: string | undefined;
  readonly encoding: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
};

/** A call that was made and failed. */
export class FailedCall extends Error {
  override readonly name = "FailedCall";
  readonly kind: "network" | "timeout" | "answer" | "stale";

  /**
   * `network`: the same call may succeed later. `timeout`: the call's time is over. `answer`: the response cannot be
   * used. `stale`: the server closed a kept connection instead of answering.
   */
  constructor(kind: FailedCall["kind"], message: string, options?: { cause: unknown }) {
    super(message, options);
    this.kind = kind;
  }
}

/** A call that was not made, since too many calls are under way. */
export class BusyCall extends FailedCall {
  constructor() {
    super("network", "Too many calls are under way");
  }
}

/** All addresses of a host. */
export type Resolve = (host: string) => Promise<readonly { readonly address: string; readonly family: number }[]>;

/** The rules by which the address of a new connection is checked. */
export type OpenRules = {
  readonly resolve: Resolve;
  readonly permits: AddressRule;
  readonly isHostAllowed: boolean;
  /** Keeps the connection afterwards. Absent: the request has a connection of its own. */
  readonly agent?: Agent | undefined;
  /** A socket in the file system that leads to the checked address of the host: the request connects to this socket. */
  readonly socketPath?: string | undefined;
};

export type ExchangeRules = OpenRules & {
  readonly maxBytes: number;
  /** Waits for room for this many bytes, unless this call has already waited. */
  reserve(bytes: number): Promise<void>;
  /** When the next piece of a long answer may be taken. */
  readonly pace: Pace;
  /** After this many bytes the response counts as read. */
  readonly excerptBytes?: number | undefined;
  readonly signal: AbortSignal;
};

/**
 * Sends one request and reads the response. The host's addresses are resolved and checked as part of connecting, so the
 * checked address is the one connected to. Throws a RefusedCall or a FailedCall.
 */
export function exchange(hop: Hop, rules: ExchangeRules): Promise<RawAnswer> {
  const host = hostOf(hop.url);
  return new Promise((resolve, reject) => {
    requirePermitted(host, rules);
    const request = open(hop, host, rules);
    let received: IncomingMessage | undefined;
    let isSettled = false;
    const end = (settle: () => void, { keeps = false } = {}): void => {
      // A kept connection may already belong to another request.
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
      // The body has arrived, so the rest of the reading needs no connection.
      if (!received?.complete) fail(new Error("The connection was closed before the answer was complete"));
    });
    request.on("upgrade", (_, socket) => {
      socket.destroy();
      fail(new FailedCall("answer", "The server wants to change the protocol"));
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

/** This much of each response is read without waiting for room: most responses are shorter. */
export const uncountedBytes = 128 * 1024;

export const redirectStatuses: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** A request that is not sent yet. The host's addresses are checked as part of connecting. */
export function open({ url, method }: Hop, host: string, rules: OpenRules): ReturnType<typeof requestPlain> {
  const request = url.protocol === "https:" ? requestSecure : requestPlain;
  const { agent = false, socketPath } = rules;
  return request({
    // Without a name the certificate is checked against `host`, even if a socket leads there.
    ...{ host, port: portOf(url) },
    ...(socketPath !== undefined && { socketPath, headers: { Host: url.host } }),
    path: `${url.pathname}${url.search}`,
    method,
    agent,
    // Called when a connection is opened: a kept connection leads to the address that was checked when it was opened.
    lookup: guardedLookup(rules),
    ...(isIP(host) === 0 && { servername: host }),
  });
}

/** The port of an address. */
export function portOf({ port, protocol }: URL): number {
  return port === "" ? (protocol === "https:" ? 443 : 80) : Number(port);
}

/** Sends the request, or fails the call if a header's name or value is invalid. */
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

/** The addresses of a host that may be called now; an empty list if one of them is forbidden, or none is known. */
export async function permittedAddresses(host: string, rules: OpenRules): Promise<readonly string[]> {
  const known = isIP(host) === 0 ? await rules.resolve(host).catch(() => []) : [{ address: host }];
  return known.every(({ address }) => rules.permits(address, rules)) ? known.map(({ address }) => address) : [];
}

type Judging = Pick<OpenRules, "resolve" | "permits" | "isHostAllowed">;

/** The addresses of a host. Throws unless the host has addresses, and every one of them may be called. */
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
    // The sender keeps the rest, which it cannot send until this part is read.
    response.pause();
    wait.then(() => response.resume(), fail);
  });
  response.on("end", () => done(Buffer.concat(parts), true));
}

/** Reserves the room for a whole response at once, because a call that waits halfway would keep others from ending. */
export function bytesToHold(headers: IncomingHttpHeaders, maxBytes: number): number {
  const length = Number(headers["content-length"] ?? maxBytes);
  return (isPlain(encodingOf(headers)) ? 0 : maxBytes) + Math.min(length, maxBytes);
}

export function tooLarge(maxBytes: number): FailedCall {
  return new FailedCall("answer", `The answer is larger than ${maxBytes} bytes`);
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

/** Whether a body of this encoding is the text itself. */
export function isPlain(encoding: string): boolean {
  return encoding === "" || encoding === "identity";
}

/** Turns any failure into one of the errors that calls throw. */
export function asCallError(error: unknown, kind: "network" | "stale"): Error {
  if (error instanceof RefusedCall || error instanceof FailedCall) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new FailedCall(kind, message, { cause: error });
}
