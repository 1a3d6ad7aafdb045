import { limits } from "../../limits/index.ts";
import type { CurrentRequest } from "../../platform/observing/current-request.ts";
import { type Log, shortId } from "../../platform/observing/log.ts";
import type { CountedRequest } from "./metrics.ts";

/** Paths that balancers and monitoring request every few seconds. */
const routine = new Set(["/api/healthz", "/api/readyz", "/metrics"]);

/**
 * Logs one line for each answered request: the operation, the outcome, the duration and the chat, never the content.
 * `ACCESS_LOG` samples successful requests; failed or slow requests always get a line, unless it is off.
 */
export function createAccessLines(
  { ACCESS_LOG }: { readonly ACCESS_LOG: string },
  log: Log,
  chance: () => number = Math.random,
): (answered: CountedRequest, request: CurrentRequest) => void {
  const share = shareOf(ACCESS_LOG);
  if (share === undefined) return () => {};
  return ({ route, operation, status, ms }, { requestId, botId, sessionId, trace }) => {
    const isNotable = status >= 400 || ms >= limits.request.slowMs;
    if (!isNotable && share < 1 && chance() >= share) return;
    // Internal errors have a line of their own, an outage one line for all of its requests.
    log[!isNotable && routine.has(route) ? "debug" : "info"]("request", {
      requestId,
      operation,
      status,
      ms: Math.round(ms * 100) / 100,
      // JSON omits undefined facts.
      bot: botId && shortId(botId),
      session: sessionId && shortId(sessionId),
      traceId: trace?.traceId,
    });
  };
}

/** Undefined: no line at all. */
function shareOf(setting: string): number | undefined {
  if (setting === "off") return undefined;
  return setting === "on" ? 1 : Number(setting.slice(0, -1)) / 100;
}
