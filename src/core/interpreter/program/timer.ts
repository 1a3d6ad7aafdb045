import { type TObject, Type } from "@sinclair/typebox";
import { limits } from "../../../limits/index.ts";
import { type FlowBlock, textAt, valueAt } from "../flow.ts";
import { marked, option, section, titled } from "../schemas/fields.ts";
import { readKnown } from "../schemas/schema.ts";
import type { StepLog } from "./outcome.ts";
import type { Timer } from "./state.ts";
import type { View } from "./view.ts";
import type { Ways } from "./ways.ts";

/** The number of seconds that a block waits, or a log entry with the reason why the block waits indefinitely. */
export type TimerWish =
  | { readonly kind: Timer["kind"]; readonly seconds: number; readonly log?: StepLog }
  | { readonly kind: "none"; readonly log: StepLog };

const fields = {
  after: marked(
    { title: "After", widget: "duration", help: "In seconds, up to 30 days." },
    option.numberOrVariable(
      "Number of seconds, from 1 to 2,592,000 (30 days), or a variable that contains it. Without it, there is no time limit.",
    ),
  ),
  outgoingEdgeId: titled(
    "Leads to",
    option.edge(
      "Id of the edge to follow when the time limit expires. Without it, the flow continues as after a skipped reply.",
    ),
  ),
};

/** The option for the time limit of an answer, and for the edge to follow when the time limit expires. */
const timeoutOption = marked(
  { title: "If nobody answers", isAdvanced: true },
  section(fields, { description: "The time limit for an answer." }),
);

const TimeoutSchema = Type.Object(fields);

/** Returns the time-out of a stored block, or undefined if the block has no time-out. */
function timeoutOf(stored: FlowBlock, view: View): TimerWish | undefined {
  const after = readKnown(TimeoutSchema, valueAt(stored.options, "timeout"))?.after;
  if (after === undefined) return undefined;
  const written = typeof after === "string" ? view.text(after).trim() : after;
  const seconds = written === "" ? Number.NaN : Number(written);
  if (!(seconds >= 1)) return { kind: "none", log: log("The time limit is not a number of seconds", `${written}`) };
  return timerOf("timeout", seconds);
}

/** Returns a timer for the given number of seconds, limited to the longest permitted time. */
export function timerOf(kind: Timer["kind"], seconds: number): TimerWish {
  if (seconds <= limits.timers.longestSeconds) return { kind, seconds };
  return {
    kind,
    seconds: limits.timers.longestSeconds,
    log: log("The time limit was shortened to 30 days", `${seconds}`, "info"),
  };
}

function log(description: string, details: string, status = "error"): StepLog {
  return { status, description, details, context: "Time" };
}

function hasTimeout(stored: FlowBlock): boolean {
  const after = valueAt(stored.options, "timeout", "after");
  return after !== undefined && after !== null;
}

function timeoutEdgeOf(stored: FlowBlock): string | undefined {
  return textAt(stored, "options", "timeout", "outgoingEdgeId");
}

/** Adds the time-out's continuation to those of a waiting block, if the author has set a time-out. */
export function withTimeoutWay(stored: FlowBlock, found: Ways): Ways {
  if (!found.waits || !hasTimeout(stored)) return found;
  const edgeId = timeoutEdgeOf(stored);
  const at = "options.timeout";
  const way = edgeId === undefined ? ({ kind: "on", at } as const) : ({ kind: "edge", edgeId, at } as const);
  return { ...found, ways: [...found.ways, way] };
}

type Timed = { readonly timeoutEdgeId?: string; timer?(view: View): TimerWish | undefined };

/** Adds the time-out to the options in a waiting block's schema. The block itself reads only the other options. */
export function withTimeout(schema: TObject): TObject {
  const { options } = schema.properties;
  const fields = { ...options?.["properties"], timeout: timeoutOption };
  return Type.Object({ ...schema.properties, options: Type.Optional(Type.Object(fields)) });
}

/** Returns the time-out properties of a prepared block. */
export function timed(stored: FlowBlock): Timed {
  if (!hasTimeout(stored)) return {};
  const timeoutEdgeId = timeoutEdgeOf(stored);
  return { ...(timeoutEdgeId !== undefined && { timeoutEdgeId }), timer: (view) => timeoutOf(stored, view) };
}
