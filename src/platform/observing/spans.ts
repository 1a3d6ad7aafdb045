import type { CurrentRequest, Trace } from "./current-request.ts";
import { newSpanId } from "./current-request.ts";
import { shortId } from "./log.ts";

/** A span in the JSON format of OTLP. */
export type OtlpSpan = Readonly<Record<string, unknown>>;

/** An answered request, with times by the clock of `performance.now`. */
export type AnsweredRequest = {
  readonly operation: string;
  readonly route: string;
  readonly method: string;
  readonly status: number;
  readonly startedAt: number;
  readonly endedAt: number;
};

const server = 2;
const internal = 1;
const isError = 2;

/**
 * Returns the spans of a request: one for the request, and one for each part of its step. The spans contain no text of
 * the chat.
 */
export function spansOf(
  { requestId, botId, sessionId, spans = [] }: CurrentRequest,
  { traceId, spanId, parentId }: Trace,
  { operation, route, method, status, startedAt, endedAt }: AnsweredRequest,
): OtlpSpan[] {
  const facts = {
    "http.request.method": method,
    "http.route": route,
    "http.response.status_code": status,
    "parley.request_id": requestId,
    ...(botId !== undefined && { "parley.bot": shortId(botId) }),
    ...(sessionId !== undefined && { "parley.session": shortId(sessionId) }),
  };
  const own = {
    traceId,
    spanId,
    ...(parentId !== undefined && { parentSpanId: parentId }),
    name: operation,
    kind: server,
    startTimeUnixNano: unixNanos(startedAt),
    endTimeUnixNano: unixNanos(endedAt),
    attributes: attributesOf(facts),
    ...(status >= 500 && { status: { code: isError } }),
  };
  const parts = spans.map(({ name, facts: said = {}, ...times }) => ({
    traceId,
    spanId: newSpanId(),
    parentSpanId: spanId,
    name: `step ${name}`,
    kind: internal,
    startTimeUnixNano: unixNanos(times.startedAt),
    endTimeUnixNano: unixNanos(times.endedAt),
    attributes: attributesOf(Object.fromEntries(Object.entries(said).map(([key, value]) => [`parley.${key}`, value]))),
  }));
  return [own, ...parts];
}

export function attributesOf(facts: Readonly<Record<string, string | number>>): readonly object[] {
  return Object.entries(facts).map(([key, value]) => ({
    key,
    value: typeof value === "number" ? { intValue: String(value) } : { stringValue: value },
  }));
}

/**
 * Returns a time in nanoseconds since 1970 as text. Times are rounded to microseconds, because nanoseconds since 1970
 * exceed the precision of a number.
 */
function unixNanos(at: number): string {
  return `${Math.round((performance.timeOrigin + at) * 1_000)}000`;
}
