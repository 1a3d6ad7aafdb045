import type { Answer } from "../api/index.ts";

/** One step of a traced preview, in the service's form. */
export type TracedStep = Answer<"GET /api/v1/sessions/:sessionId/trace">["steps"][number];
export type TraceEntry = TracedStep["entries"][number];
export type TracedEffect = Extract<TraceEntry, { kind: "effect" }>;
export type TracedValue = Extract<TraceEntry, { kind: "variable" }>["value"];

/** A variable after the last steps. */
export type TracedVariable = {
  readonly name: string;
  readonly value: TracedValue;
  readonly isCut: boolean;
  /** Whether the last step gave the variable this value. */
  readonly isChanged: boolean;
};

/** The walked path, and where the chat waits: an editor marks both. Only for the bot itself, not for linked bots. */
export type Walked = {
  readonly blockIds: ReadonlySet<string>;
  readonly edgeIds: ReadonlySet<string>;
  readonly waitsAt: string | undefined;
  /** The values of variables, by their names. */
  readonly values: ReadonlyMap<string, TracedValue>;
};

/** The steps that are still valid: going back has undone those in between. */
export function standing(steps: readonly TracedStep[]): readonly TracedStep[] {
  let kept: readonly TracedStep[] = [];
  for (const step of steps) {
    const { wentBackTo } = step;
    kept = [...(wentBackTo === null ? kept : kept.filter(({ revision }) => revision <= wentBackTo)), step];
  }
  return kept;
}

/** The current values of variables, in the order in which they first got a value. */
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

/** The calls to other services: reads of linked bots and transcripts are internal, and can be repeated without harm. */
export function callsIn(steps: readonly TracedStep[]): readonly TracedEffect[] {
  return steps.flatMap(({ entries }) => entries.flatMap((entry) => (entry.kind === "effect" ? [entry] : [])));
}

export function isHarmless({ effect }: TracedEffect): boolean {
  return effect === "linkedFlow" || effect === "transcript";
}
