import { validateHeaderName, validateHeaderValue } from "node:http";
import { connect as connectPlain, isIP, type Socket } from "node:net";
import { connect as connectSecure } from "node:tls";
import { hostOf, requirePermitted } from "../../core/flow/outgoing-rules.ts";
import { backgroundClock, type Clock } from "../../platform/concurrency/clock.ts";
import { type AnswerReader, createAnswerReader } from "./answer-reader.ts";
import {
  asCallError,
  type ExchangeRules,
  encodingOf,
  FailedCall,
  guardedLookup,
  type Hop,
  type OpenRules,
  portOf,
  type RawAnswer,
  redirectStatuses,
  uncountedBytes,
} from "./safe-fetch-exchange.ts";

/**
 * Requests over connections that are kept for later requests of the same key and origin. A connection leads to the address that was checked
 * when it was opened, and carries one request at a time. It is
 *
 *     opening ─ connected, and its certificate is verified ─→ in use: the request is sent
 *     in use ─ the response is whole ───────────────────────→ idle; closed when `mostIdle` of the key are idle already
 *     in use ─ a part was enough, or the call has failed ───→ closed
 *     idle ─ a request comes, `maxAgeMs` after the opening ─→ closed: the host is looked up anew
 *     idle ─ a request comes before ────────────────────────→ in use
 *     idle ─ `idleMs` have passed, or the server says something ─→ closed
 */
export type KeptExchanges = {
  /**
   * Sends one request and reads the beginning of the response, `uncountedBytes` at most. A request may be sent twice: where the server closed
   * the kept connection instead of answering. Throws a RefusedCall or a FailedCall.
   */
  exchange(key: string, hop: Hop, rules: ExchangeRules): Promise<RawAnswer>;
};

/** Shorter than servers keep connections (Node 5 s, nginx 75 s), so that they seldom close one that is just being used. */
const idleMs = 4_000;
/** One timer closes all that are idle for too long: a timer of each would be set and stopped for each request. */
const sweepMs = 500;
/** A host whose addresses change is found again after this time. */
const maxAgeMs = 60_000;
/** Idle connections of a key. */
const mostIdle = 128;

type Wire = {
  readonly socket: Socket;
  readonly openedAt: number;
  /** Undefined while it opens. */
  idleSince: number | undefined;
  use: Use | undefined;
};

/** The exchange under way. */
type Use = { add(part: Buffer): void; end(error: unknown): void };

export function createKeptExchanges(clock: Clock = backgroundClock): KeptExchanges {
  /** By key and origin; the one used last is the last. */
  const idle = new Map<string, Wire[]>();
  let isSweeping = false;

  const sweep = (): void => {
    const latest = clock.now() - idleMs;
    for (const [place, wires] of idle) {
      while (wires[0] && (wires[0].idleSince ?? 0) <= latest) wires.shift()?.socket.destroy();
      if (wires.length === 0) idle.delete(place);
    }
    isSweeping = idle.size > 0;
    if (isSweeping) clock.startTimer(sweepMs, sweep);
  };
  const keep = (place: string, wire: Wire): void => {
    const wires = idle.get(place) ?? [];
    if (wires.length >= mostIdle) {
      wire.socket.destroy();
      return;
    }
    wire.idleSince = clock.now();
    wires.push(wire);
    idle.set(place, wires);
    if (isSweeping) return;
    isSweeping = true;
    clock.startTimer(sweepMs, sweep);
  };
  const takeIdle = (place: string): Wire | undefined => {
    const wires = idle.get(place) ?? [];
    for (let wire = wires.pop(); wire; wire = wires.pop()) {
      if (clock.now() - wire.openedAt < maxAgeMs && wire.socket.writable) return wire;
      wire.socket.destroy();
    }
    return undefined;
  };
  const openWire = (place: string, url: URL, rules: OpenRules): Wire => {
    const socket = connect(url, rules);
    const wire: Wire = { socket, openedAt: clock.now(), idleSince: undefined, use: undefined };
    const end = (error: unknown): void => {
      const wires = idle.get(place);
      if (wires?.includes(wire)) wires.splice(wires.indexOf(wire), 1);
      wire.use?.end(error);
    };
    socket.on("data", (part: Buffer) => {
      // Nobody asked for it: read as the response to a later request it would be a wrong one.
      if (wire.use) wire.use.add(part);
      else socket.destroy();
    });
    socket.on("error", end);
    socket.on("close", () => end(new Error("The connection was closed before the answer was complete")));
    return wire;
  };
  const run = (place: string, wire: Wire, { hop, bytes, rules }: Exchange): Promise<RawAnswer> =>
    new Promise((resolve, reject) => {
      const { signal, excerptBytes = uncountedBytes } = rules;
      const reader = createAnswerReader({ method: hop.method, most: Math.min(excerptBytes, uncountedBytes) });
      const { socket } = wire;
      const isReused = wire.idleSince !== undefined;
      const leave = (isReusable: boolean): void => {
        wire.use = undefined;
        signal.removeEventListener("abort", onAbort);
        if (isReusable && !socket.destroyed) keep(place, wire);
        else socket.destroy();
      };
      const succeed = (): void => {
        const answer = answerOf(reader);
        leave(answer.isReusable);
        resolve(answer);
      };
      const fail = (error: unknown): void => {
        leave(false);
        reject(asCallError(error, isReused && !reader.hasBegun() ? "stale" : "network"));
      };
      const onAbort = (): void => fail(signal.reason);
      wire.use = {
        add(part) {
          try {
            if (reader.add(part)) succeed();
          } catch (error) {
            fail(error);
          }
        },
        end: (error) => (reader.close() ? succeed() : fail(error)),
      };
      if (signal.aborted) return onAbort();
      signal.addEventListener("abort", onAbort);
      if (isReused) socket.write(bytes);
      else socket.once(hop.url.protocol === "https:" ? "secureConnect" : "connect", () => socket.write(bytes));
    });
  return {
    async exchange(key, hop, rules) {
      requirePermitted(hostOf(hop.url), rules);
      const place = `${key} ${hop.url.origin}`;
      const exchange = { hop, bytes: bytesOf(hop), rules };
      const kept = takeIdle(place);
      if (!kept) return await run(place, openWire(place, hop.url, rules), exchange);
      try {
        return await run(place, kept, exchange);
      } catch (error) {
        if (!(error instanceof FailedCall && error.kind === "stale")) throw error;
        return await run(place, openWire(place, hop.url, rules), exchange);
      }
    },
  };
}

type Exchange = { readonly hop: Hop; readonly bytes: Buffer; readonly rules: ExchangeRules };

/** The addresses of the host are checked within the connecting. */
function connect(url: URL, rules: OpenRules): Socket {
  const host = hostOf(url);
  const place = { host, port: portOf(url), lookup: guardedLookup(rules) };
  const socket =
    url.protocol === "https:"
      ? connectSecure({ ...place, ALPNProtocols: ["http/1.1"], ...(isIP(host) === 0 && { servername: host }) })
      : connectPlain(place);
  // A call keeps the process alive by its timeout, an idle connection does not.
  return socket.setNoDelay(true).unref();
}

/** The request as it is sent. */
function bytesOf({ url, method, headers, body = "" }: Hop): Buffer {
  const length = Buffer.byteLength(body);
  let head = `${method} ${url.pathname}${url.search} HTTP/1.1\r\nHost: ${url.host}\r\nContent-Length: ${length}\r\n`;
  try {
    for (const [name, value] of headers) {
      if (name.toLowerCase() === "host") continue;
      validateHeaderName(name);
      validateHeaderValue(name, value);
      head += `${name}: ${value}\r\n`;
    }
  } catch (error) {
    throw asCallError(error, "answer");
  }
  head += "\r\n";
  const bytes = Buffer.allocUnsafe(head.length + length);
  bytes.write(head, "latin1");
  if (typeof body === "string") bytes.write(body, head.length);
  else bytes.set(body, head.length);
  return bytes;
}

function answerOf(reader: AnswerReader): RawAnswer & { readonly isReusable: boolean } {
  const answer = reader.result();
  const { status, headers } = answer;
  return {
    ...answer,
    location: redirectStatuses.has(status) ? headers.location : undefined,
    retryAfter: headers["retry-after"],
    encoding: encodingOf(headers),
  };
}
