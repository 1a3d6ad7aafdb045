import { AsyncLocalStorage } from "node:async_hooks";

/** A request's place in a trace, by W3C Trace Context. */
export type Trace = {
  readonly traceId: string;
  /** The id of our own span. */
  readonly spanId: string;
  /** The id of its parent span. */
  readonly parentId?: string;
  readonly isSampled: boolean;
};

/** A part of a request, by the clock of `performance.now`. */
export type Span = {
  readonly name: string;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly facts?: Readonly<Record<string, string>>;
};

/** The request that is being served. */
export type CurrentRequest = {
  readonly requestId: string;
  /** The bot or chat that the request is about, once known. */
  botId?: string | undefined;
  sessionId?: string | undefined;
  /** Absent until the trace is needed. */
  trace?: Trace | undefined;
  /** The parts of the request's time, if it is traced. */
  spans?: Span[];
  /** The request was answered: later work that it caused runs on its own. */
  isOver?: boolean;
};

// Adds no measurable cost to a step (below 0.1 µs with 15 awaits, Bun 1.4.4).
const storage = new AsyncLocalStorage<CurrentRequest>();

/**
 * Runs work for a request: everything that the work causes finds the request by `currentRequest`, until `isOver` is
 * set.
 */
export function asRequest<Result>(request: CurrentRequest, work: () => Result): Result {
  return storage.run(request, work);
}

/** The request that the caller works for, if any: connections and timers that outlive the request do not find it. */
export function currentRequest(): CurrentRequest | undefined {
  const request = storage.getStore();
  return request?.isOver ? undefined : request;
}

/** Records whose chat the current request is about. */
export function isAbout({ botId, id }: { readonly botId: string; readonly id: string }): void {
  const request = currentRequest();
  if (!request) return;
  request.botId = botId;
  request.sessionId = id;
}

export const traceHeader = "traceparent";

/** Continues the trace that a caller's header names; undefined if the header names none. */
export function continuedTrace(header: string | null): Trace | undefined {
  if (header === null) return undefined;
  const [, version, traceId = "", parentId = "", flags = "", more = ""] = notation.exec(header) ?? [];
  if (version === undefined || version === "ff" || (version === "00" && more !== "")) return undefined;
  if (/^0+$/.test(traceId) || /^0+$/.test(parentId)) return undefined;
  return { traceId, spanId: newSpanId(), parentId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

export function newTrace({ isSampled }: { readonly isSampled: boolean }): Trace {
  return { traceId: randomHex(16), spanId: newSpanId(), isSampled };
}

export function newSpanId(): string {
  return randomHex(8);
}

/** The header for a server that is called now; undefined if the call does not belong to a request. */
export function traceToSend(): string | undefined {
  const request = currentRequest();
  if (!request) return undefined;
  request.trace ??= newTrace({ isSampled: false });
  const { traceId, spanId, isSampled } = request.trace;
  return `00-${traceId}-${spanId}-${isSampled ? "01" : "00"}`;
}

/** A later version may have more fields after these. */
const notation = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Never all zeros, which mean no trace. */
function randomHex(bytes: number): string {
  const random = Buffer.from(crypto.getRandomValues(new Uint8Array(bytes)));
  random[0] = (random[0] ?? 0) | 1;
  return random.toString("hex");
}
