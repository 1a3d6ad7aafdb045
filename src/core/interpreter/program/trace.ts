import { limits } from "../../../limits/index.ts";
import { withSecretNames } from "../language/secret-tokens.ts";
import type { Value } from "../language/values.ts";
import type { WalkWatch } from "../meter.ts";
import { authorsDetails, type StepLog } from "./outcome.ts";
import type { Program } from "./program.ts";
import type { Variables } from "./variables.ts";

/** A single move of a traced step. For a move in a linked flow, `botId` is the bot of the linked flow. */
export type TraceEntry =
  /** A reply was passed to the waiting block. */
  | { readonly kind: "reply"; readonly blockId: string }
  /** A block was run. `edgeId` is the edge that led to the block, if any. */
  | { readonly kind: "block"; readonly blockId: string; readonly edgeId?: string; readonly botId?: string }
  /** The value of a variable changed. Only the beginning of a long value is recorded. */
  | {
      readonly kind: "variable";
      readonly variableId: string;
      readonly name: string;
      readonly value: Value;
      readonly isCut?: true;
      readonly botId?: string;
    }
  /** The block requested an effect. `chat/steps/traced-effects.ts` adds the details when the effect is performed. */
  | { readonly kind: "effect"; readonly blockId: string }
  | {
      readonly kind: "log";
      readonly status: string;
      readonly description: string;
      readonly details?: string;
      readonly context?: string;
      /** See `StepLog`. */
      readonly textInsteadAt?: string;
    };

/** The moves of a traced step in order. The record is preserved while an effect is performed. */
export type TraceRecord = { readonly entries: TraceEntry[]; characters: number; isCut?: true };

/** The trace of a completed step. */
export type StepTrace = {
  readonly entries: readonly TraceEntry[];
  /** Whether moves were omitted because the trace would be too large. */
  readonly isCut?: true;
  /** The block at which the chat waits. */
  readonly waitsAt?: string;
  readonly isEnded: boolean;
};

export function traceOf(
  { record, blockId }: { readonly record: { readonly trace?: TraceRecord }; readonly blockId: string | undefined },
  { isEnded }: { isEnded: boolean },
): StepTrace | undefined {
  if (!record.trace) return undefined;
  const { entries, isCut } = record.trace;
  return { entries, ...(isCut && { isCut }), ...(!isEnded && blockId !== undefined && { waitsAt: blockId }), isEnded };
}

/** Records the moves of the current step. A trace is used only in sessions that were started with tracing. */
export type Trace = WalkWatch & {
  replied(blockId: string): void;
  wants(blockId: string): void;
  /** Records the variable changes and log entries since the last call. */
  settle(): void;
  /** Must be called when a linked flow starts, so that existing values of its variables are not recorded as changes. */
  entered(): void;
};

type Frame = { readonly program: Program; readonly variables: Variables };

type Traced = { readonly frames: readonly Frame[]; readonly record: { readonly logs: readonly StepLog[] } };

/** Watches a newly opened step and adds its moves to the record. */
export function createTrace(step: Traced, record: TraceRecord, also: WalkWatch | undefined): Trace {
  const outer = step.frames.at(-1)?.program.botId;
  let edgeId: string | undefined;
  let logs = step.record.logs.length;
  const seen = new Map(step.frames.map((frame) => [frame.program.botId, valuesOf(frame)]));

  const add = (entry: TraceEntry): void => {
    if (record.isCut) return;
    const characters = JSON.stringify(entry).length;
    if (record.entries.length >= limits.traces.entries || record.characters + characters > limits.traces.characters) {
      record.isCut = true;
      return;
    }
    record.characters += characters;
    record.entries.push(entry);
  };
  const ofBot = (botId: string | undefined) => (botId === undefined || botId === outer ? {} : { botId });
  const noteVariables = (): void => {
    const [frame] = step.frames;
    if (!frame) return;
    const { botId } = frame.program;
    const now = valuesOf(frame);
    const before = seen.get(botId) ?? now;
    seen.set(botId, now);
    for (const [variableId, value] of now) {
      if (same(before.get(variableId) ?? initialOf(frame, variableId), value)) continue;
      const name = frame.variables.nameOf(variableId);
      add({ kind: "variable", variableId, name, ...shortened(value), ...ofBot(botId) });
    }
  };
  const settle = (): void => {
    if (record.isCut) return;
    noteVariables();
    for (const log of step.record.logs.slice(logs)) {
      const { status = "error", description, context, textInsteadAt } = log;
      const details = authorsDetails(log);
      add({
        kind: "log",
        status,
        description: cut(description),
        ...(details !== undefined && { details: cut(details) }),
        ...(context !== undefined && { context }),
        ...(textInsteadAt !== undefined && { textInsteadAt }),
      });
    }
    logs = step.record.logs.length;
  };
  return {
    settle,
    entered() {
      const [frame] = step.frames;
      if (frame) seen.set(frame.program.botId, valuesOf(frame));
    },
    block(blockId) {
      also?.block(blockId);
      settle();
      add({ kind: "block", blockId, ...(edgeId !== undefined && { edgeId }), ...ofBot(step.frames[0]?.program.botId) });
      edgeId = undefined;
    },
    edge(id) {
      also?.edge(id);
      edgeId = id;
    },
    replied: (blockId) => add({ kind: "reply", blockId }),
    wants(blockId) {
      settle();
      add({ kind: "effect", blockId });
    },
  };
}

function valuesOf({ variables }: Frame): ReadonlyMap<string, Value> {
  return new Map(variables.entries().map(([id, value]) => [id, value]));
}

function initialOf({ program }: Frame, variableId: string): Value {
  return program.variables.byId.get(variableId)?.value ?? null;
}

function same(before: Value, now: Value): boolean {
  return (
    before === now || (Array.isArray(before) && Array.isArray(now) && JSON.stringify(before) === JSON.stringify(now))
  );
}

function shortened(value: Value): { readonly value: Value; readonly isCut?: true } {
  if (value === null) return { value };
  if (typeof value === "string") {
    const isLong = value.length > limits.traces.valueCharacters;
    return { value: cut(value), ...(isLong && { isCut: true as const }) };
  }
  const kept: (string | null)[] = [];
  let left: number = limits.traces.valueCharacters;
  for (const element of value) {
    left -= (element?.length ?? 0) + 3;
    if (left < 0) return { value: kept, isCut: true };
    kept.push(element === null ? null : withSecretNames(element));
  }
  return { value: kept };
}

/** Returns the beginning of a text. Tokens of secrets are replaced with the secrets' names. */
function cut(text: string): string {
  return withSecretNames(text).slice(0, limits.traces.valueCharacters).toWellFormed();
}
