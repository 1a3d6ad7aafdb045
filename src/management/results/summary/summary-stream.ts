import { type EventSource, eventStream, type StreamedEvent } from "../../../platform/http/event-stream.ts";
import type { ManagementDependencies } from "../../access/dependencies.ts";
import type { Summary, SummaryProgress } from "./summary.ts";

type Watch = { readonly tell: (progress: SummaryProgress) => void; readonly signal: AbortSignal };

/**
 * Returns a stream of the progress of a summary, which ends with the summary or an error. The states are:
 *
 *     reading ─ a page is counted ─────────────────────────→ reading: the progress is sent
 *     reading ─ everything is counted, or an error occurs ─→ ended
 *     reading ─ the reader disconnects ────────────────────→ ended, at the next page
 */
export function summaryStream(
  deps: Pick<ManagementDependencies, "clock">,
  read: (watch: Watch) => Promise<Summary>,
  failure: (error: unknown) => Response,
): Response {
  const left = new AbortController();
  const events: StreamedEvent[] = [];
  let isOver = false;
  let wake = (): void => {};
  const put = (event: string, data: string): void => {
    events.push({ event, data });
    wake();
  };
  const end = (event: string, data: string): void => {
    isOver = true;
    put(event, data);
  };
  read({ tell: (progress) => put("progress", JSON.stringify(progress)), signal: left.signal }).then(
    (summary) => end("summary", JSON.stringify({ summary })),
    async (error: unknown) => left.signal.aborted || end("error", await failure(error).text()),
  );
  const source: EventSource = {
    more: () =>
      events.length > 0
        ? Promise.resolve()
        : new Promise((resolve) => {
            wake = resolve;
          }),
    take: () => events.splice(0),
    hasEnded: () => isOver && events.length === 0,
    leave: () => left.abort(),
  };
  return eventStream(source, deps);
}
