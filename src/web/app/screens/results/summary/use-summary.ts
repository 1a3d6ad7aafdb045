import { useEffect, useState } from "preact/hooks";
import { type Answer, ApiFailure, stream } from "../../../api/index.ts";
import { type Filter, noFilter, queryOf } from "../filter.ts";

export type Summary = Answer<"GET /api/v1/bots/:botId/results/summary">["summary"];
export type ColumnSummary = Summary["columns"][number];
export type Progress = { readonly read: number; readonly of: number };

type State = { readonly value?: Summary; readonly progress?: Progress; readonly failure?: ApiFailure };

/**
 * Returns the summary of the results that match a filter. The service sends its progress as a stream. A change of the
 * filter ends the running request.
 *
 *     reading ─ progress ─→ reading
 *     reading ─ all results are counted ─→ read
 *     reading ─ error or disconnection ─→ failed ─ `again` ─→ reading
 */
export function useSummary(botId: string, filter: Filter, columnIds: readonly string[]) {
  const [state, setState] = useState<State>({});
  const [turn, setTurn] = useState(0);
  const key = JSON.stringify([filter, columnIds]);
  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    const put = (next: State): void => {
      if (!signal.aborted) setState(next);
    };
    put({});
    const query = { ...queryOf({ ...filter, order: noFilter.order }), columns: columnIds.join(",") };
    void read({ botId, query, signal, tell: (progress) => put({ progress }) }).then(
      (value) => put({ value }),
      (error: unknown) => {
        if (signal.aborted) return;
        if (!(error instanceof ApiFailure)) throw error;
        put({ failure: error });
      },
    );
    return () => stop.abort();
  }, [botId, key, turn]);
  return { ...state, again: () => setTurn(turn + 1) };
}

type Reading = {
  readonly botId: string;
  readonly query: object;
  readonly signal: AbortSignal;
  readonly tell: (progress: Progress) => void;
};

async function read({ botId, query, signal, tell }: Reading): Promise<Summary> {
  const events = stream("GET /api/v1/bots/:botId/results/summary", { path: { botId }, query, signal });
  for await (const { event, data } of events) {
    if (event === "progress") tell(JSON.parse(data));
    if (event === "summary") return JSON.parse(data).summary;
    if (event === "error") throw new ApiFailure({ retryAfter: undefined, ...JSON.parse(data) });
  }
  throw new ApiFailure({ ...brokenOff, message: "", data: undefined, requestId: undefined, retryAfter: undefined });
}

/** A stream that ends without a summary counts as a missing response. */
const brokenOff = { status: 0, code: "network.offline" };
