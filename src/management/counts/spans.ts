import type { Span } from "../../core/measures/spans.ts";
import { bulk, text } from "../../platform/database/bulk.ts";

/** Spans of time as a table with `unit`, `starts_from` and `starts_before`; the caller casts the last two. */
export const spanRows = bulk<Span>({
  unit: text(({ unit }) => unit),
  starts_from: text(({ from }) => from?.toISOString() ?? "-infinity"),
  starts_before: text(({ to }) => to?.toISOString() ?? "infinity"),
});
