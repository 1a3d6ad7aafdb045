import type { Span } from "../../core/measures/spans.ts";
import { bulk, text } from "../../platform/database/bulk.ts";

/**
 * Passes spans of time as a table with `unit`, `starts_from` and `starts_before`. The caller must cast the last two
 * columns.
 */
export const spanRows = bulk<Span>({
  unit: text(({ unit }) => unit),
  starts_from: text(({ from }) => from?.toISOString() ?? "-infinity"),
  starts_before: text(({ to }) => to?.toISOString() ?? "infinity"),
});
