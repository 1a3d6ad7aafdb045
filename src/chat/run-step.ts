import { createHash } from "node:crypto";
import type { Dependencies } from "../dependencies.ts";
import type { EffectContext } from "../effects/effect-context.ts";
import { isHarmless, perform } from "../effects/index.ts";
import { AppError } from "../errors.ts";
import type { Effect, Report } from "../interpreter/effect.ts";
import { limits } from "../limits.ts";
import { loadFlow } from "../store/flows.ts";
import type { AdvanceTask, FinishedStep, ProgramName, TaskInput } from "../threads/messages.ts";
import { type HeldClaim, holdClaim, type StepClaim } from "./claims.ts";

export type StepToRun = {
  readonly task: Omit<AdvanceTask, "programs">;
  readonly sessionId: string;
  readonly revision: number;
  readonly isAnonymous: boolean;
  /** Held from the first effect on, so that nobody else performs the step too. */
  readonly claim: StepClaim;
};

/** Thinks a step through, performing what it asks for, until the flow waits or ends. */
export async function runStep(
  deps: Dependencies,
  { task, sessionId, revision, isAnonymous, claim }: StepToRun,
): Promise<FinishedStep> {
  let input: TaskInput = task.input;
  let held: HeldClaim | undefined;
  const deadline = performance.now() + limits.step.effectsMs;
  try {
    for (let round = 0; round <= limits.step.effects; round++) {
      const answer = await deps.threads.advance(
        { ...task, input, programs: [] },
        { loadFlow: (name) => readFlow(deps, name), isAnonymous },
      );
      if (answer.kind === "stepped") return answer.step;
      if (answer.kind === "refused") throw new AppError(answer.code, { data: answer.data });
      const { effect, continuation } = answer;
      if (performance.now() > deadline) throw overBudget("effect time", limits.step.effectsMs);
      if (!isHarmless(effect) && !isAnonymous) {
        if (held) await held.require();
        else held = await holdClaim(claim, deps.claimTimes);
      }
      const context: Performing = {
        sessionId,
        idempotencyKey: effectKey({ sessionId, revision, round, effect }),
        timeLeftMs: deadline - performance.now(),
        ...(held && { mayGoOn: held.isHeld }),
        isAnonymous,
      };
      input = { kind: "report", continuation, report: await performFor(deps, effect, context) };
    }
    throw overBudget("effects", limits.step.effects);
  } finally {
    held?.letGo();
  }
}

type Performing = Pick<EffectContext, "sessionId" | "idempotencyKey" | "timeLeftMs" | "mayGoOn"> & {
  readonly isAnonymous: boolean;
};

async function performFor(deps: Dependencies, effect: Effect, performing: Performing): Promise<Report> {
  const { isAnonymous, ...rest } = performing;
  if (isAnonymous && !isHarmless(effect))
    return { kind: "refused", reason: "A preview without a token performs no effects" };
  return perform(effect, { sql: deps.sql, safeFetch: deps.safeFetch, ...rest });
}

function effectKey({
  sessionId,
  revision,
  round,
  effect,
}: {
  sessionId: string;
  revision: number;
  round: number;
  effect: Effect;
}): string {
  return createHash("sha256")
    .update(JSON.stringify([sessionId, revision, round, effect]))
    .digest("hex")
    .slice(0, 32);
}

function overBudget(limit: string, most: number): AppError {
  return new AppError("step.over_budget", { data: { limit, most, blockIds: [] } });
}

/** How a flow version is named across the thread wall. */
export function programName(botId: string, flowHash: string): ProgramName {
  return { key: `${botId}:${flowHash}`, botId };
}

/** The content of a flow version that a session or a publication names. */
export async function readFlow(deps: Dependencies, { key, botId }: ProgramName): Promise<string> {
  const flow = await loadFlow(deps.sql, botId, key.slice(botId.length + 1));
  if (flow === undefined) throw new Error("A session names a flow that is not stored");
  return flow;
}
