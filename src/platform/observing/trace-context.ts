import { currentRequest, type Trace } from "./current-request.ts";

export const traceHeader = "traceparent";

/** Continues the trace that a caller's header names; undefined if it names none. */
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

/** The header for a server that is called now; undefined if the call is not made for a request. */
export function traceToSend(): string | undefined {
  const request = currentRequest();
  if (!request) return undefined;
  request.trace ??= newTrace({ isSampled: false });
  const { traceId, spanId, isSampled } = request.trace;
  return `00-${traceId}-${spanId}-${isSampled ? "01" : "00"}`;
}

/** A later version may have more fields after these. */
const notation = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Not all zeros, which means none. */
function randomHex(bytes: number): string {
  const random = Buffer.from(crypto.getRandomValues(new Uint8Array(bytes)));
  random[0] = (random[0] ?? 0) | 1;
  return random.toString("hex");
}
