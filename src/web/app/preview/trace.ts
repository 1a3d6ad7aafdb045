import type { Answer } from "../api/index.ts";

/** A step of a traced preview, in the format of the service. */
export type TracedStep = Answer<"GET /api/v1/sessions/:sessionId/trace">["steps"][number];
export type TraceEntry = TracedStep["entries"][number];
export type TracedEffect = Extract<TraceEntry, { kind: "effect" }>;
export type TracedValue = Extract<TraceEntry, { kind: "variable" }>["value"];

/** A variable with its current value. */
export type TracedVariable = {
  readonly name: string;
  readonly value: TracedValue;
  readonly isCut: boolean;
  /** Whether the last step set this value. */
  readonly isChanged: boolean;
};

/** The visited blocks and edges and the block at which the chat waits, which an editor marks. Excludes linked bots. */
export type Walked = {
  readonly blockIds: ReadonlySet<string>;
  readonly edgeIds: ReadonlySet<string>;
  readonly waitsAt: string | undefined;
  /** The values of variables by name. */
  readonly values: ReadonlyMap<string, TracedValue>;
};

/** Returns the steps that are still valid. Steps that were undone by going back are left out. */
export function standing(steps: readonly TracedStep[]): readonly TracedStep[] {
  let kept: readonly TracedStep[] = [];
  for (const step of steps) {
    const { wentBackTo } = step;
    kept = [...(wentBackTo === null ? kept : kept.filter(({ revision }) => revision <= wentBackTo)), step];
  }
  return kept;
}

/** Returns the current values of variables, in the order in which they were first set. */
export function variablesIn(steps: readonly TracedStep[]): readonly TracedVariable[] {
  const found = new Map<string, TracedVariable>();
  const kept = standing(steps);
  for (const step of kept) {
    for (const entry of step.entries) {
      if (entry.kind !== "variable") continue;
      const { name, value, isCut = false } = entry;
      found.set(name, { name, value, isCut, isChanged: step === kept.at(-1) });
    }
  }
  return [...found.values()];
}

export function walkedIn(steps: readonly TracedStep[]): Walked {
  const entries = standing(steps).flatMap((step) => step.entries);
  const blocks = entries.flatMap((entry) => (entry.kind === "block" && entry.botId === undefined ? [entry] : []));
  return {
    blockIds: new Set(blocks.map(({ blockId }) => blockId)),
    edgeIds: new Set(blocks.flatMap(({ edgeId }) => edgeId ?? [])),
    waitsAt: steps.at(-1)?.waitsAt ?? undefined,
    values: new Map(variablesIn(steps).map(({ name, value }) => [name, value])),
  };
}

/**
 * Returns all calls of the steps, including reads of linked bots and transcripts, which are internal and can be
 * repeated without harm.
 */
export function callsIn(steps: readonly TracedStep[]): readonly TracedEffect[] {
  return steps.flatMap(({ entries }) => entries.flatMap((entry) => (entry.kind === "effect" ? [entry] : [])));
}

export function isHarmless({ effect }: TracedEffect): boolean {
  return effect === "linkedFlow" || effect === "transcript";
}
