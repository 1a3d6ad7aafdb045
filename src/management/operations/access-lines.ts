import { limits } from "../../limits/index.ts";
import type { CurrentRequest } from "../../platform/observing/current-request.ts";
import { type Log, shortId } from "../../platform/observing/log.ts";
import type { CountedRequest } from "./metrics.ts";

/** Paths that load balancers and monitoring request every few seconds. */
const routine = new Set(["/api/healthz", "/api/readyz", "/metrics"]);

/**
 * Returns a function that logs one line for each answered request: the operation, the outcome, the duration and the
 * chat, but never the content. `ACCESS_LOG` samples successful requests. Failed and slow requests are always logged,
 * unless `ACCESS_LOG` is `off`.
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
    // The line contains no error, because internal errors are logged separately, and an outage is logged once for all
    // of its requests.
    log[!isNotable && routine.has(route) ? "debug" : "info"]("request", {
      requestId,
      operation,
      status,
      ms: Math.round(ms * 100) / 100,
      // JSON omits undefined values.
      bot: botId && shortId(botId),
      session: sessionId && shortId(sessionId),
      traceId: trace?.traceId,
    });
  };
}

/** Returns the share of successful requests to log; undefined if nothing is logged. */
function shareOf(setting: string): number | undefined {
  if (setting === "off") return undefined;
  return setting === "on" ? 1 : Number(setting.slice(0, -1)) / 100;
}
