import { AsyncLocalStorage } from "node:async_hooks";

/** The trace context of a request, by W3C Trace Context. */
export type Trace = {
  readonly traceId: string;
  /** The id of this service's span. */
  readonly spanId: string;
  /** The id of the parent span. */
  readonly parentId?: string;
  readonly isSampled: boolean;
};

/** A timed part of a request, by the clock of `performance.now`. */
export type Span = {
  readonly name: string;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly facts?: Readonly<Record<string, string>>;
};

export type CurrentRequest = {
  readonly requestId: string;
  /** The bot of the request, once it is known. */
  botId?: string | undefined;
  sessionId?: string | undefined;
  /** Absent until the trace is needed. */
  trace?: Trace | undefined;
  /** The timed parts of the request. Absent if the request is not traced. */
  spans?: Span[];
  /** Whether the request was answered. Later work that the request caused is not attributed to the request. */
  isOver?: boolean;
};

// This storage adds no measurable cost to a step (below 0.1 µs with 15 awaits, Bun 1.4.4).
const storage = new AsyncLocalStorage<CurrentRequest>();

/**
 * Runs work for a request. All code that runs within the work can access the request by `currentRequest`, until
 * `isOver` is set.
 */
export function asRequest<Result>(request: CurrentRequest, work: () => Result): Result {
  return storage.run(request, work);
}

/**
 * Returns the request for which the caller runs, if any. Returns undefined in connections and timers that outlive the
 * request.
 */
export function currentRequest(): CurrentRequest | undefined {
  const request = storage.getStore();
  return request?.isOver ? undefined : request;
}

/** Records the bot and the session of the current request. */
export function isAbout({ botId, id }: { readonly botId: string; readonly id: string }): void {
  const request = currentRequest();
  if (!request) return;
  request.botId = botId;
  request.sessionId = id;
}

export const traceHeader = "traceparent";

/** Parses the trace context in a client's header. Returns undefined if the header is invalid. */
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

/** Returns the trace header for an outgoing call. Returns undefined if the call does not belong to a request. */
export function traceToSend(): string | undefined {
  const request = currentRequest();
  if (!request) return undefined;
  request.trace ??= newTrace({ isSampled: false });
  const { traceId, spanId, isSampled } = request.trace;
  return `00-${traceId}-${spanId}-${isSampled ? "01" : "00"}`;
}

/** Later versions may append further fields. */
const notation = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Returns random hexadecimal digits that are not all zero, because W3C Trace Context defines zeros as invalid. */
function randomHex(bytes: number): string {
  const random = Buffer.from(crypto.getRandomValues(new Uint8Array(bytes)));
  random[0] = (random[0] ?? 0) | 1;
  return random.toString("hex");
}
