import { isIP } from "node:net";
import { hostOf } from "../../core/flow/outgoing-rules.ts";
import { backgroundClock, type Clock } from "../../platform/concurrency/clock.ts";
import { receive } from "./safe-fetch-answer.ts";
import {
  type ExchangeRules,
  FailedCall,
  type Hop,
  judgedAddresses,
  portOf,
  type RawAnswer,
} from "./safe-fetch-exchange.ts";

/**
 * The connections that later requests reuse, separate for each key. They use the runtime's own client: a request takes
 * 16 µs of processor time, and with `node:http` it takes 44 to 50 µs. A route leads to a checked IP address, so no
 * connection resolves a host name. The states of a route are:
 *
 *     (none) ─ a request ──────────────────────────────→ open: the host is resolved, and all its addresses are checked
 *     open ─ a request ────────────────────────────────→ open, with an idle connection or a new one
 *     open ─ the address accepts no connection ────────→ open with the next address, or closed after the last one
 *     open ─ `idleMs` without requests, or `maxAgeMs` ─→ closed: current requests finish, later ones resolve again
 */
export type Connections = {
  /** Whether another request may use the connections: see `mostAtOnce`. */
  hasRoom(): boolean;
  /**
   * Sends a single request, like `exchange`. A FailedCall is `stale` if the server closed a reused connection without a
   * response.
   */
  exchange(key: string, hop: Hop, rules: ExchangeRules): Promise<RawAnswer>;
};

/**
 * The maximum idle time, which is shorter than that of servers (Node 5 s, nginx 75 s), so that servers seldom close a
 * connection in use.
 */
const idleMs = 4_000;
/** The time after which a host is resolved again because its addresses may have changed. */
const maxAgeMs = 60_000;
/**
 * The maximum number of concurrent requests. The runtime's client allows 256 requests per process, which only the
 * environment of the process can raise. The rest is reserved for the file storage, which would otherwise wait for
 * unresponsive receivers.
 */
const mostAtOnce = 128;
/** The maximum number of idle connections per route. */
const mostIdle = 128;

type Route = {
  readonly session: Bun.FetchSession;
  readonly since: number;
  /** Pending while the host is being resolved, and undefined afterwards. */
  opening: Promise<void> | undefined;
  addresses: Awaited<ReturnType<typeof judgedAddresses>>;
  /** The index of the address to which requests are sent. */
  at: number;
  underWay: number;
  /** Whether the server has already responded, so that a connection may be reused. */
  hasAnswered: boolean;
  stopTimer(): void;
};

export function createConnections(clock: Clock = backgroundClock): Connections {
  const routes = new Map<string, Route>();
  let underWay = 0;

  const close = (name: string, route: Route): void => {
    if (routes.get(name) === route) routes.delete(name);
    route.session.close();
  };
  const open = (name: string, { url }: Hop, rules: ExchangeRules): Route => {
    const host = hostOf(url);
    const session = new Bun.FetchSession({
      keepAlive: { idleTimeout: idleMs / 1_000, maxIdleSockets: mostIdle },
      // The certificate is verified against this name.
      ...(url.protocol === "https:" && isIP(host) === 0 && { tls: { serverName: host } }),
    });
    const parts = { addresses: [], at: 0, underWay: 0, hasAnswered: false, stopTimer() {} };
    const route: Route = { session, since: clock.now(), opening: undefined, ...parts };
    route.opening = judgedAddresses(host, rules)
      .then((addresses) => {
        route.addresses = addresses;
      })
      .finally(() => {
        route.opening = undefined;
      });
    routes.set(name, route);
    return route;
  };
  const find = (name: string, hop: Hop, rules: ExchangeRules): Route => {
    const known = routes.get(name);
    return known && clock.now() - known.since < maxAgeMs ? known : open(name, hop, rules);
  };
  return {
    hasRoom: () => underWay < mostAtOnce,
    async exchange(key, hop, rules) {
      const name = `${key} ${hop.url.origin}`;
      const route = find(name, hop, rules);
      underWay++;
      route.underWay++;
      route.stopTimer();
      try {
        if (route.opening) await unlessAborted(route.opening, rules.signal);
        return await send(route, hop, rules);
      } finally {
        underWay--;
        route.underWay--;
        if (isSpent(route)) close(name, route);
        else if (route.underWay === 0) route.stopTimer = clock.startTimer(idleMs, () => close(name, route));
      }
    },
  };
}

/** Whether no usable address is left, because no address accepts a connection or the host has no addresses. */
function isSpent({ opening, at, addresses }: Route): boolean {
  return opening === undefined && at >= addresses.length;
}

async function send(route: Route, hop: Hop, rules: ExchangeRules): Promise<RawAnswer> {
  for (;;) {
    const { at, hasAnswered: isKept } = route;
    let response: Response | undefined;
    try {
      response = await request(route, hop, rules);
      route.hasAnswered = true;
      return await receive(response, rules);
    } catch (error) {
      const { failure, isUnopened } = problemOf(error, {
        signal: rules.signal,
        isKept,
        isAnswered: response !== undefined,
      });
      if (isUnopened) route.at = Math.max(route.at, at + 1);
      if (!isUnopened || rules.signal.aborted || isSpent(route)) throw failure;
    }
  }
}

function request({ session, addresses, at }: Route, hop: Hop, { signal }: ExchangeRules): Promise<Response> {
  const place = addresses[at];
  if (!place) throw new FailedCall("network", "No address of the host accepts a connection");
  return session.fetch(addressOf(hop.url, place), {
    method: hop.method,
    headers: Object.fromEntries([["Host", hop.url.host], ...hop.headers]),
    body: typeof hop.body === "object" ? Buffer.from(hop.body) : (hop.body ?? null),
    protocol: "http1.1",
    redirect: "manual",
    decompress: false,
    // Proxies from the environment are not used, because only the checked address may be called.
    proxy: false,
    signal,
  });
}

function addressOf(url: URL, { address, family }: Route["addresses"][number]): string {
  const host = family === 6 ? `[${address}]` : address;
  return `${url.protocol}//${host}:${portOf(url)}${url.pathname}${url.search}`;
}

type Problem = {
  readonly failure: unknown;
  /** Whether the address accepted no connection or sent no data in time, so that another address may work. */
  readonly isUnopened: boolean;
};

function problemOf(
  error: unknown,
  {
    signal,
    isKept,
    isAnswered,
  }: { readonly signal: AbortSignal; readonly isKept: boolean; readonly isAnswered: boolean },
): Problem {
  const isUnopened = !isAnswered && !isKept;
  if (signal.aborted) return { failure: signal.reason, isUnopened };
  if (error instanceof FailedCall) return { failure: error, isUnopened: false };
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const failed = (kind: FailedCall["kind"], message: string) => new FailedCall(kind, message, { cause: error });
  if (code === "ECONNRESET") {
    const message = "The connection was closed before the response was complete";
    return { failure: failed(isKept && !isAnswered ? "stale" : "network", message), isUnopened: false };
  }
  const unusable = code === "" ? messageOf(error) : unusableAnswers.get(code);
  if (unusable !== undefined) return { failure: failed("answer", unusable), isUnopened: false };
  return { failure: failed("network", connectProblems.get(code) ?? messageOf(error)), isUnopened: !isAnswered };
}

/**
 * Messages by the runtime's error code. An error without a code is caused by an invalid header, and no request was
 * sent.
 */
const unusableAnswers = new Map([
  ["UnrequestedUpgrade", "The server requests another protocol"],
  ["Malformed_HTTP_Response", "The response is not HTTP"],
]);
const connectProblems = new Map([
  ["ECONNREFUSED", "The connection was refused"],
  ["ERR_TLS_CERT_ALTNAME_INVALID", "The server's certificate is for another host"],
]);

/**
 * Returns the error message without the URL, which contains the checked address, and without the runtime's advice to
 * programmers.
 */
function messageOf(error: unknown): string {
  return error instanceof Error ? error.message.replace(/ fetching ".*|\. For more information.*/s, "") : String(error);
}

/** Resolves with the work, or rejects if the call is aborted first. The work itself continues. */
function unlessAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const onAbort = (): void => reject(signal.reason);
  if (signal.aborted) onAbort();
  signal.addEventListener("abort", onAbort, { once: true });
  work.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  return promise;
}
