import type { Span } from "../../core/measures/spans.ts";
import { bulk, text } from "../../platform/database/bulk.ts";

/** Spans of time as a table: `unit`, `starts_from` and `starts_before`, both to be cast. */
export const spanRows = bulk<Span>({
  unit: text(({ unit }) => unit),
  starts_from: text(({ from }) => from?.toISOString() ?? "-infinity"),
  starts_before: text(({ to }) => to?.toISOString() ?? "infinity"),
});
