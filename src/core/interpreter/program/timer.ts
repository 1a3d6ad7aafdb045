import { type TObject, Type } from "@sinclair/typebox";
import { limits } from "../../../limits/index.ts";
import { type FlowBlock, textAt, valueAt } from "../flow.ts";
import { marked, option, section, titled } from "../schemas/fields.ts";
import { readKnown } from "../schemas/schema.ts";
import type { StepLog } from "./outcome.ts";
import type { Timer } from "./state.ts";
import type { View } from "./view.ts";
import type { Ways } from "./ways.ts";

/** How long a block waits: seconds, or a log with the reason why it waits forever. */
export type TimerWish =
  | { readonly kind: Timer["kind"]; readonly seconds: number; readonly log?: StepLog }
  | { readonly kind: "none"; readonly log: StepLog };

const fields = {
  after: marked(
    { title: "After", widget: "duration", help: "In seconds, up to 30 days." },
    option.numberOrVariable("Seconds, from 1 to 2,592,000 (30 days), or a variable that holds them. Absent: no end."),
  ),
  outgoingEdgeId: titled(
    "Leads to",
    option.edge("Id of the edge that the flow takes then. Without it, the flow goes on as after a skipped reply."),
  ),
};

/** The option of every block that waits: where the flow continues after a time without an answer. */
const timeoutOption = marked(
  { title: "When nobody answers", isAdvanced: true },
  section(fields, { description: "The end of the wait for an answer." }),
);

const TimeoutSchema = Type.Object(fields);

/** The time-out that a stored block requests; undefined if it has no time-out. */
function timeoutOf(stored: FlowBlock, view: View): TimerWish | undefined {
  const after = readKnown(TimeoutSchema, valueAt(stored.options, "timeout"))?.after;
  if (after === undefined) return undefined;
  const written = typeof after === "string" ? view.text(after).trim() : after;
  const seconds = written === "" ? Number.NaN : Number(written);
  if (!(seconds >= 1)) return { kind: "none", log: log("The time-out is not a number of seconds", `${written}`) };
  return timerOf("timeout", seconds);
}

/** A time of this many seconds, bounded by the longest time. */
export function timerOf(kind: Timer["kind"], seconds: number): TimerWish {
  if (seconds <= limits.timers.longestSeconds) return { kind, seconds };
  return {
    kind,
    seconds: limits.timers.longestSeconds,
    log: log("The time was shortened to 30 days", `${seconds}`, "info"),
  };
}

function log(description: string, details: string, status = "error"): StepLog {
  return { status, description, details, context: "Time" };
}

/** Whether the author has set a time-out. */
function hasTimeout(stored: FlowBlock): boolean {
  const after = valueAt(stored.options, "timeout", "after");
  return after !== undefined && after !== null;
}

/** The edge of a block's time-out. */
function timeoutEdgeOf(stored: FlowBlock): string | undefined {
  return textAt(stored, "options", "timeout", "outgoingEdgeId");
}

/** The ways of a block that waits, including its time-out's. */
export function withTimeoutWay(stored: FlowBlock, found: Ways): Ways {
  if (!found.waits || !hasTimeout(stored)) return found;
  const edgeId = timeoutEdgeOf(stored);
  const at = "options.timeout";
  const way = edgeId === undefined ? ({ kind: "on", at } as const) : ({ kind: "edge", edgeId, at } as const);
  return { ...found, ways: [...found.ways, way] };
}

/** The time-out of a block. */
type Timed = { readonly timeoutEdgeId?: string; timer?(view: View): TimerWish | undefined };

/**
 * The schema of a block that waits, with the time-out among its options. The block itself reads only the other options.
 */
export function withTimeout(schema: TObject): TObject {
  const { options } = schema.properties;
  const fields = { ...options?.["properties"], timeout: timeoutOption };
  return Type.Object({ ...schema.properties, options: Type.Optional(Type.Object(fields)) });
}

/** The parts of a prepared block that waits. */
export function timed(stored: FlowBlock): Timed {
  if (!hasTimeout(stored)) return {};
  const timeoutEdgeId = timeoutEdgeOf(stored);
  return { ...(timeoutEdgeId !== undefined && { timeoutEdgeId }), timer: (view) => timeoutOf(stored, view) };
}
