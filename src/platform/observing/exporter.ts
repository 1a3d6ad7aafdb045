import type { CurrentRequest } from "./current-request.ts";
import { newTrace } from "./current-request.ts";
import type { Log } from "./log.ts";
import { type AnsweredRequest, attributesOf, type OtlpSpan, spansOf } from "./spans.ts";

/** The maximum number of waiting spans, about 2 MB. Further spans are dropped. */
const maxWaiting = 4_096;
/** The maximum number of spans in one POST. */
const maxBatch = 512;
/** How long a span waits for further spans. */
const everyMs = 2_000;
/** The time limit for a whole POST. */
const answersWithinMs = 5_000;

export type TraceSettings = {
  readonly OTEL_EXPORTER_OTLP_ENDPOINT: string;
  readonly OTEL_EXPORTER_OTLP_HEADERS?: string;
  readonly OTEL_TRACES_SAMPLER_ARG: string;
};

/** Exports the traces of requests through OTLP over HTTP, as JSON. */
export type Traces = {
  /**
   * Decides whether a request is traced. The decision of the request's caller applies. If there is none, the decision
   * is random.
   */
  begin(request: CurrentRequest): void;
  end(request: CurrentRequest, answered: AnsweredRequest): void;
  /** Sends one batch of the waiting spans without a retry, unless the receiver is failing. */
  stop(): Promise<void>;
};

/**
 * No request waits for the receiver, and only a limited number of spans is stored. A span changes its state as follows:
 *
 *     (new) ───────────────────────────────────────────────→ waiting, or dropped if 4,096 spans wait
 *     waiting ─ 2 s, or 512 spans wait; one POST at a time ─→ sent
 *     sent ─ the receiver accepts it ──────────────────────→ delivered
 *     sent ─ the receiver rejects it or is silent for 5 s ──→ dropped; logged when this begins and ends
 *
 * The SDK of OpenTelemetry would add seven packages and a second mechanism to track requests, instead of two small
 * files.
 */
export function createTraces(
  settings: TraceSettings,
  { log, process: name, times = { everyMs, answersWithinMs } }: { log: Log; process?: string; times?: Times },
): Traces {
  const url = `${settings.OTEL_EXPORTER_OTLP_ENDPOINT.replace(/\/+$/, "")}/v1/traces`;
  const headers = { "Content-Type": "application/json", ...headersOf(settings.OTEL_EXPORTER_OTLP_HEADERS) };
  const share = Number(settings.OTEL_TRACES_SAMPLER_ARG);
  const resource = {
    attributes: attributesOf({ "service.name": "parley", ...(name !== undefined && { "service.instance.id": name }) }),
  };
  const waiting: OtlpSpan[] = [];
  let sending: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let dropped = 0;
  let isFailing = false;

  const post = async (spans: readonly OtlpSpan[]): Promise<void> => {
    const body = JSON.stringify({ resourceSpans: [{ resource, scopeSpans: [{ scope: { name: "parley" }, spans }] }] });
    const response = await fetch(url, {
      ...{ method: "POST", headers, body, redirect: "error" },
      signal: AbortSignal.timeout(times.answersWithinMs),
    });
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`The receiver responded with status ${response.status}`);
  };
  const sendBatch = async (): Promise<void> => {
    const batch = waiting.splice(0, maxBatch);
    try {
      await post(batch);
      if (isFailing) log.info("Traces are delivered again", { droppedSpans: dropped });
      isFailing = false;
      dropped = 0;
    } catch (error) {
      dropped += batch.length;
      if (!isFailing)
        log.warn("Traces cannot be delivered and are dropped: check OTEL_EXPORTER_OTLP_ENDPOINT and its receiver", {
          reason: error instanceof Error ? error.message : String(error),
        });
      isFailing = true;
    }
  };
  const schedule = (): void => {
    if (sending || waiting.length === 0) return;
    if (waiting.length >= maxBatch) send();
    else timer ??= setTimeout(send, times.everyMs).unref();
  };
  const send = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (sending) return;
    sending = sendBatch().finally(() => {
      sending = undefined;
      schedule();
    });
  };
  return {
    begin(request) {
      request.trace ??= newTrace({ isSampled: Math.random() < share });
      if (request.trace.isSampled) request.spans = [];
    },
    end(request, answered) {
      if (!request.trace?.isSampled) return;
      const spans = spansOf(request, request.trace, answered);
      if (waiting.length + spans.length > maxWaiting) dropped += spans.length;
      else waiting.push(...spans);
      schedule();
    },
    async stop() {
      await sending;
      clearTimeout(timer);
      if (waiting.length > 0 && !isFailing) await sendBatch();
    },
  };
}

type Times = { readonly everyMs: number; readonly answersWithinMs: number };

/** Parses headers such as `api-key=secret,other=more`, in the format of OpenTelemetry. */
function headersOf(setting = ""): Record<string, string> {
  const entries = setting.split(",").filter((entry) => entry.includes("="));
  return Object.fromEntries(
    entries.map((entry) => {
      const at = entry.indexOf("=");
      return [entry.slice(0, at).trim(), decodeURIComponent(entry.slice(at + 1).trim())];
    }),
  );
}
