import type { Effect, Report } from "../../core/interpreter/program/effect.ts";
import type { AdvanceTask, FinishedStep, ProgramName, TaskInput } from "../../core/tasks/messages.ts";
import { AppError } from "../../errors.ts";
import { limits } from "../../limits/index.ts";
import { loadFlow } from "../../management/bots/versions/flows.sql.ts";
import { boundAnswers } from "../../platform/database/primary/answer-bound.ts";
import type { Session } from "../reads/sessions.sql.ts";
import type { StepPlace, ThreadAnswer } from "../threads/threads.ts";
import type { ChatDependencies } from "./dependencies.ts";
import type { PhaseFacts } from "./step-watch.ts";

/** An effect for which a step waits. */
export type WantedEffect = {
  readonly effect: Effect;
  readonly blockId: string;
  /** The result of the linked bot that requests the effect, if it is not the chat's own result. */
  readonly linkedResultId?: string | undefined;
  /** The number of effects that the step has requested before. */
  readonly round: number;
  /** Milliseconds left for the effects of the step. */
  timeLeftMs(): number;
  /** The preceding messages of the step, as JSON text. Only present for effects that take time. */
  readonly said: string | undefined;
  /**
   * The response with the preceding messages, as JSON text. Only present if a page shows the step before its chat
   * starts.
   */
  readonly saidSoFar: string | undefined;
};

/**
 * The outcome of an effect: a report for the interpreter, or a reason to stop the step. `askedAt`: the time by the
 * database's clock from which a question's time limit counts. Absent if the step is not stored or the clock cannot be
 * read.
 */
export type Performed<Stop> =
  | { readonly report: Report; readonly askedAt?: number | undefined }
  | { readonly stop: Stop };

/** A flow version that is not yet stored, with the key of its program. */
export type SuppliedFlow = { readonly key: string; readonly text: string };

type RunOptions<Stop> = {
  /** The workspace in whose turn the step runs on a thread. Null if the bot takes its own turn. */
  workspaceId: string | null;
  isAnonymous: boolean;
  /** A flow to store together with the step. */
  suppliedFlow?: SuppliedFlow | undefined;
  performEffect(wanted: WantedEffect): Promise<Performed<Stop>>;
};

/**
 * Runs a step with its effects until the flow waits for the visitor or ends, or until `performEffect` stops the step.
 * Most steps request no effect and run on this thread; their outcome is returned synchronously.
 */
export function runStep<Stop = never>(
  deps: ChatDependencies,
  task: AdvanceTask,
  options: RunOptions<Stop>,
): FinishedStep | Promise<FinishedStep | Stop> {
  const answer = advance(deps, task, options);
  return "kind" in answer && answer.kind === "stepped" ? answer.step : performEffects(deps, task, options, answer);
}

async function performEffects<Stop>(
  deps: ChatDependencies,
  task: AdvanceTask,
  options: RunOptions<Stop>,
  first: ThreadAnswer | Promise<ThreadAnswer>,
): Promise<FinishedStep | Stop> {
  const deadline = deps.clock.now() + limits.step.effectsMs;
  const timeLeftMs = (): number => deadline - deps.clock.now();
  let answer = await first;
  let { context } = task;
  for (let round = 0; round <= limits.step.effects; round++) {
    if (answer.kind === "stepped") return answer.step;
    if (answer.kind === "refused") throw new AppError(answer.code, { data: answer.data });
    const { effect, blockId, linkedResultId, continuation, said, saidSoFar } = answer;
    if (timeLeftMs() < 0) throw overBudget("effect time", limits.step.effectsMs);
    const wanted = { effect, blockId, linkedResultId, round, timeLeftMs, said, saidSoFar };
    const performed = await options.performEffect(wanted);
    if ("stop" in performed) return performed.stop;
    if (round === limits.step.effects) break;
    const input: TaskInput = { kind: "report", continuation, report: performed.report };
    if (performed.askedAt !== undefined) context = { ...context, askedAt: performed.askedAt };
    answer = await advance(deps, { ...task, context, input }, options);
  }
  throw overBudget("effects", limits.step.effects);
}

/** Runs the interpreter once, on this thread or on a worker thread. */
function advance(
  deps: ChatDependencies,
  task: AdvanceTask,
  { suppliedFlow, workspaceId, isAnonymous }: Omit<RunOptions<unknown>, "performEffect">,
): ThreadAnswer | Promise<ThreadAnswer> {
  const { threads, stepWatch } = deps;
  const loadFlow = async (name: ProgramName): Promise<string> =>
    name.key === suppliedFlow?.key ? suppliedFlow.text : await readFlow(deps, name);
  const startedAt = performance.now();
  if (isAnonymous) return advanceOnThread(deps, task, { loadFlow, workspaceId, isAnonymous, startedAt });
  let outcome = "failed";
  let isRun = true;
  try {
    const answer = threads.advanceHere(task, loadFlow);
    isRun = answer !== undefined;
    if (!answer) return advanceOnThread(deps, task, { loadFlow, workspaceId, isTriedHere: true, startedAt });
    outcome = answer.kind;
    return answer;
  } catch (error) {
    if (error instanceof AppError) outcome = error.code;
    throw error;
  } finally {
    if (isRun) {
      stepWatch.passed("run", startedAt, inlineFacts);
      stepWatch.ran("inline", outcome);
    }
  }
}

const inlineFacts: PhaseFacts = { place: "inline" };

async function advanceOnThread(
  { threads, stepWatch }: ChatDependencies,
  task: AdvanceTask,
  {
    startedAt,
    ...options
  }: Omit<Parameters<ChatDependencies["threads"]["advance"]>[1], "onPlace"> & { readonly startedAt: number },
): Promise<ThreadAnswer> {
  let place: StepPlace = "inline";
  let outcome = "failed";
  const onPlace = (tried: StepPlace): void => {
    place = tried;
  };
  try {
    const answer = await threads.advance(task, { ...options, onPlace });
    outcome = answer.kind;
    return answer;
  } catch (error) {
    if (error instanceof AppError) outcome = error.code;
    throw error;
  } finally {
    stepWatch.passed("run", startedAt, { place });
    stepWatch.ran(place, outcome);
  }
}

/** Runs a read when it is the workspace's turn at the database. A bot without a workspace takes its own turn. */
export function readOf<Read>(
  { databasePlaces }: ChatDependencies,
  { workspaceId, botId }: Pick<Session, "workspaceId" | "botId">,
  read: () => Promise<Read>,
): Promise<Read> {
  return databasePlaces.run({ sharer: workspaceId ?? botId }, read);
}

function overBudget(limit: string, most: number): AppError {
  return new AppError("step.over_budget", { data: { limit, most, blockIds: [] } });
}

/** Returns the name under which threads cache a flow version. The content of a key never changes. */
export function programName({ botId, flowHash }: { botId: string; flowHash: string }): ProgramName {
  return { key: `${botId}:${flowHash}`, botId };
}

/**
 * Reads the content of a flow version to which a session or publication refers. Throws if the version is not stored.
 */
async function readFlow(deps: ChatDependencies, { key, botId }: ProgramName): Promise<string> {
  // All steps of this flow wait for this read, so its time is limited.
  const flow = await boundAnswers()(loadFlow(deps.sql, botId, key.slice(botId.length + 1)));
  if (flow === undefined) throw new Error("A session refers to a flow that is not stored");
  return flow;
}
