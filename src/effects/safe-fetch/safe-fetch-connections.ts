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
 * Connections that are kept for later requests, separate for each key, over the runtime's own client: a request takes
 * 16 µs of processor time where `node:http` takes 44 to 50. A route leads to an address that was checked, by its
 * number, so no connection looks a name up. It is
 *
 *     (none) ─ a request ─────────────────────────────→ open: the host is looked up, and every address of it checked
 *     open ─ a request ───────────────────────────────→ open, over a connection that is idle, or one more
 *     open ─ its address takes no connection ─────────→ open, to the host's next address; if it was the last one, closed
 *     open ─ `idleMs` without requests, or `maxAgeMs` ─→ closed: its connections end with the requests under way, and
 *                                                       later ones look the host up again
 */
export type Connections = {
  /** Whether another request may use the connection: see `mostAtOnce`. */
  hasRoom(): boolean;
  /**
   * Sends one request, like `exchange`. A FailedCall is `stale` if the server closed a kept connection instead of
   * answering.
   */
  exchange(key: string, hop: Hop, rules: ExchangeRules): Promise<RawAnswer>;
};

/**
 * Shorter than servers keep connections (Node 5 s, nginx 75 s), so that servers seldom close a connection that is just
 * being used.
 */
const idleMs = 4_000;
/** The time after which a host is resolved again, since its addresses may have changed. */
const maxAgeMs = 60_000;
/**
 * The most concurrent requests. The runtime's client allows 256 in a process, to all servers together; the rest is for
 * the file storage, which would otherwise wait for receivers that do not answer. Only the environment of the process
 * could raise the limit.
 */
const mostAtOnce = 128;
/** The greatest number of idle connections for each key. */
const mostIdle = 128;

type Route = {
  readonly session: Bun.FetchSession;
  readonly since: number;
  /** Pending until the host was resolved. */
  opening: Promise<void> | undefined;
  addresses: Awaited<ReturnType<typeof judgedAddresses>>;
  /** The address that requests are sent to. */
  at: number;
  underWay: number;
  /** The server has answered before, so a connection may be a kept one. */
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
      // The certificate is checked against this name.
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

/** The host has no address that accepts a connection, or no address. */
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
  if (!place) throw new FailedCall("network", "No address of the host takes a connection");
  return session.fetch(addressOf(hop.url, place), {
    method: hop.method,
    headers: Object.fromEntries([["Host", hop.url.host], ...hop.headers]),
    body: typeof hop.body === "object" ? Buffer.from(hop.body) : (hop.body ?? null),
    protocol: "http1.1",
    redirect: "manual",
    decompress: false,
    // The environment's proxies are not used: the address was checked here.
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
  /** The address accepted no connection, or sent nothing in time: another address may work. */
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
    const message = "The connection was closed before the answer was complete";
    return { failure: failed(isKept && !isAnswered ? "stale" : "network", message), isUnopened: false };
  }
  const unusable = code === "" ? messageOf(error) : unusableAnswers.get(code);
  if (unusable !== undefined) return { failure: failed("answer", unusable), isUnopened: false };
  return { failure: failed("network", connectProblems.get(code) ?? messageOf(error)), isUnopened: !isAnswered };
}

/** Judged by the runtime's codes. A request without a code was not sent, since one of its headers is invalid. */
const unusableAnswers = new Map([
  ["UnrequestedUpgrade", "The server wants to change the protocol"],
  ["Malformed_HTTP_Response", "The answer is not HTTP"],
]);
const connectProblems = new Map([
  ["ECONNREFUSED", "The connection was refused"],
  ["ERR_TLS_CERT_ALTNAME_INVALID", "The server's certificate is for another host"],
]);

/** The message without the address, which is the checked one, and without the runtime's advice to programmers. */
function messageOf(error: unknown): string {
  return error instanceof Error ? error.message.replace(/ fetching ".*|\. For more information.*/s, "") : String(error);
}

/** Resolves with the work, or rejects when the call is aborted earlier; the work itself continues. */
function unlessAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const onAbort = (): void => reject(signal.reason);
  if (signal.aborted) onAbort();
  signal.addEventListener("abort", onAbort, { once: true });
  work.then(resolve, reject).finally(() => signal.removeEventListener("abort", onAbort));
  return promise;
}
