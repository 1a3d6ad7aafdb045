import type { Effect, Report } from "../../core/interpreter/program/effect.ts";
import type { AdvanceTask, FinishedStep, ProgramName, TaskInput } from "../../core/tasks/messages.ts";
import { AppError } from "../../errors.ts";
import { limits } from "../../limits/index.ts";
import { loadFlow } from "../../management/bots/versions/flows.sql.ts";
import type { Session } from "../reads/sessions.sql.ts";
import type { StepPlace, ThreadAnswer } from "../threads/threads.ts";
import type { ChatDependencies } from "./dependencies.ts";
import type { PhaseFacts } from "./step-watch.ts";

/** An effect that a step waits for. */
export type WantedEffect = {
  readonly effect: Effect;
  readonly blockId: string;
  /** The number of effects that the step wanted before this one. */
  readonly round: number;
  /** The time left for the step's effects. */
  timeLeftMs(): number;
  /** The messages before it, as JSON text; only for effects that take time. */
  readonly said: string | undefined;
  /** The response with the messages before it, as JSON text; only when the step is shown without performing effects. */
  readonly saidSoFar: string | undefined;
};

/** The result of an effect: a report for the interpreter, or a reason to stop the step. */
export type Performed<Stop> = { readonly report: Report } | { readonly stop: Stop };

/** A flow version that is not stored yet, with the key of its program. */
export type SuppliedFlow = { readonly key: string; readonly text: string };

/** Runs a step, with its effects, until the flow waits for the visitor or ends, or until `performEffect` stops it. */
export async function runStep<Stop = never>(
  deps: ChatDependencies,
  task: Omit<AdvanceTask, "programs">,
  options: {
    /** The workspace whose turn on a thread the step takes; null: the bot's own. */
    workspaceId: string | null;
    isAnonymous: boolean;
    /** A flow that is stored with the step. */
    suppliedFlow?: SuppliedFlow | undefined;
    performEffect(wanted: WantedEffect): Promise<Performed<Stop>>;
  },
): Promise<FinishedStep | Stop> {
  const { workspaceId, isAnonymous, suppliedFlow, performEffect } = options;
  let input: TaskInput = task.input;
  const deadline = deps.clock.now() + limits.step.effectsMs;
  const timeLeftMs = (): number => deadline - deps.clock.now();
  for (let round = 0; round <= limits.step.effects; round++) {
    const answer = await advance(
      deps,
      { ...task, input, programs: [] },
      {
        loadFlow: async (name) => (name.key === suppliedFlow?.key ? suppliedFlow.text : await readFlow(deps, name)),
        workspaceId,
        isAnonymous,
      },
    );
    if (answer.kind === "stepped") return answer.step;
    if (answer.kind === "refused") throw new AppError(answer.code, { data: answer.data });
    const { effect, blockId, continuation, said, saidSoFar } = answer;
    if (timeLeftMs() < 0) throw overBudget("effect time", limits.step.effectsMs);
    const performed = await performEffect({ effect, blockId, round, timeLeftMs, said, saidSoFar });
    if ("stop" in performed) return performed.stop;
    input = { kind: "report", continuation, report: performed.report };
  }
  throw overBudget("effects", limits.step.effects);
}

/** One run of the interpreter, inline or on a thread. */
async function advance(
  { threads, stepWatch }: ChatDependencies,
  task: AdvanceTask,
  options: Parameters<ChatDependencies["threads"]["advance"]>[1],
): Promise<ThreadAnswer> {
  let place: StepPlace = "inline";
  const facts: PhaseFacts = {};
  const onPlace = (tried: StepPlace): void => {
    place = tried;
    facts["place"] = tried;
  };
  try {
    const answer = await stepWatch.during("run", () => threads.advance(task, { ...options, onPlace }), facts);
    stepWatch.ran({ place, outcome: answer.kind });
    return answer;
  } catch (error) {
    stepWatch.ran({ place, outcome: error instanceof AppError ? error.code : "failed" });
    throw error;
  }
}

/** Runs a large read of a chat when its workspace has its turn at the database. */
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

/** The name under which threads cache a flow version: the content behind a key never changes. */
export function programName({ botId, flowHash }: { botId: string; flowHash: string }): ProgramName {
  return { key: `${botId}:${flowHash}`, botId };
}

/** The content of a flow version that a session or a publication names. */
async function readFlow(deps: ChatDependencies, { key, botId }: ProgramName): Promise<string> {
  const flow = await loadFlow(deps.sql, botId, key.slice(botId.length + 1));
  if (flow === undefined) throw new Error("A session names a flow that is not stored");
  return flow;
}
