import { textAt, valueAt } from "../../core/interpreter/flow.ts";
import { isInputMessage } from "../../core/interpreter/program/outcome.ts";
import { notAsking, type SeedOfQuestion, type SessionState } from "../../core/interpreter/program/state.ts";
import { readInputs, type StepInputs } from "../../core/replay/inputs.ts";
import type { SpokenStep } from "../../effects/effect-context.ts";
import { limits } from "../../limits/index.ts";
import type { Sql } from "../../platform/database/sql.ts";
import { listInputsFrom } from "../reads/steps.sql.ts";
import type { KeptCall } from "../saves/postponed-calls.sql.ts";

/** The parts of undone steps that were not caused by the visitor. `goBack` keeps these parts. */
export type FromOutside = {
  /** Calls of other programs, in the order of their steps. */
  readonly calls: readonly KeptCall[];
  /**
   * The seeds of the undone steps, in order. Each comes with the id of the input that was open before the step, or
   * `notAsking`.
   */
  readonly seeds: readonly SeedOfQuestion[];
};

/**
 * Reads the parts of the undone steps that the visitor did not cause. `asked` is the step whose question the first
 * undone step answered. The call of a step from an earlier release is lost, because such a step does not name the
 * call's block.
 */
export async function fromOutside(
  sql: Sql,
  sessionId: string,
  { asked, takenBack }: { readonly asked: SpokenStep; readonly takenBack: readonly SpokenStep[] },
): Promise<FromOutside> {
  const revision = takenBack[0]?.revision ?? 0;
  const inputs = await listInputsFrom(sql, sessionId, { revision, limit: limits.session.transcriptSteps });
  const steps = takenBack.flatMap((step, index) => {
    const text = inputs.get(step.revision);
    return text === undefined ? [] : [{ step, inputs: readInputs(text), before: takenBack[index - 1] ?? asked }];
  });
  return {
    calls: steps.flatMap((one) => callOf(one) ?? []),
    seeds: steps.map(({ before, inputs: { seed } }) => [openIn(before), seed]),
  };
}

function callOf({ step, inputs }: { step: SpokenStep; inputs: StepInputs }): KeptCall | undefined {
  const { called: blockId } = inputs;
  const message = textAt(step.reply, "text");
  if (blockId === undefined || message === undefined) return undefined;
  return { revision: step.revision, content: { blockId, message } };
}

/** Returns the id of the input that a step left open, or `notAsking` if the step left no input open. */
function openIn({ response }: SpokenStep): string {
  const input = valueAt(response, "input");
  return isInputMessage(input) ? input.id : notAsking;
}

/**
 * Returns the state `before` with the kept seeds. If calls are kept, the state is marked. `now` is the current state,
 * or empty if an earlier release ended the chat.
 */
export function stateThatKeeps(
  before: SessionState,
  now: Partial<SessionState>,
  { calls, seeds }: FromOutside,
): SessionState {
  const all = [...seeds, ...(now.seeds ?? [])].slice(0, limits.session.keptSeeds);
  const hasKeptCalls = calls.length > 0 || now.hasKeptCalls || before.hasKeptCalls ? true : undefined;
  return { ...before, hasKeptCalls, seeds: all.length > 0 ? all : undefined, nextSeed: undefined };
}
