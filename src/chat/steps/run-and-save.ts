import type { Report } from "../../core/interpreter/program/effect.ts";
import { withoutAnswerMarks } from "../../core/interpreter/step/answer-marks.ts";
import { isDue } from "../../core/interpreter/step/reply.ts";
import { LostRace } from "../../core/interpreter/step-errors.ts";
import { writeInputs } from "../../core/replay/inputs.ts";
import type { AdvanceTask } from "../../core/tasks/messages.ts";
import { AppError } from "../../errors.ts";
import { limits } from "../../limits/index.ts";
import { mayNameFiles, withStrangeFiles } from "../../management/files/file-addresses.ts";
import { type Clock, pause } from "../../platform/concurrency/clock.ts";
import type { Lazy } from "../../platform/concurrency/lazily.ts";
import { isOutage, outageOf } from "../../platform/database/primary/outage.ts";
import type { StepToSave } from "../saves/records.ts";
import type { ChatDependencies } from "./dependencies.ts";
import { type Performed, programName, runStep, type WantedEffect } from "./run-step.ts";
import {
  isSameRequest,
  type LoadedSession,
  type SessionSource,
  type StepAttempt,
  type StepRequest,
  type WantedBefore,
} from "./session-source.ts";
import type { SharedStep } from "./shared-step.ts";
import { createStepEffects, type StepEffects } from "./step-effects.ts";

/** The pause before a failed save is checked or repeated. */
const pauseMs = 500;

type Attempted<Found> = {
  readonly request: StepRequest;
  readonly found: Found;
  readonly attempt: StepAttempt;
};

export function effectsOfAttempt<Found extends LoadedSession>(
  deps: ChatDependencies,
  source: SessionSource<Found>,
  { request, found, attempt, shared }: Attempted<Found> & { readonly shared: Lazy<SharedStep> },
): StepEffects {
  const { session, isCached } = found;
  const { hops } = request;
  return createStepEffects(deps, {
    ...{ session, isCached, shared, hops },
    ...{
      stepId: attempt.stepId,
      seed: attempt.seed,
      isResumed: isSameRequest(session, request),
      contentFormat: request.contentFormat,
    },
    statements: source.claimStatements(found, attempt),
  });
}

/**
 * Runs the step, saves it, and returns its response. Throws `LostRace` if the session has changed since it was read.
 */
export async function runAndSave<Found extends LoadedSession>(
  deps: ChatDependencies,
  source: SessionSource<Found>,
  { request, found, attempt, effects }: Attempted<Found> & { readonly effects: Lazy<StepEffects> },
): Promise<string> {
  const { session, isCached } = found;
  const { reply, contentFormat, key } = request;
  const { stepId, requestHash, now, askedAt, seed } = attempt;
  const { botId, resultId, revision, workspaceId, isAnonymous } = session;
  const checkedReply =
    reply && !isDue(reply) && mayNameFiles(reply) ? await withStrangeFiles(deps, reply, session) : reply;
  const task = {
    program: programName(session),
    programs: [],
    context: {
      now: now.getTime(),
      askedAt: askedAt?.getTime(),
      seed,
      isLive: resultId !== null,
      contentFormat,
      readsGfm: session.dialect === "bot",
      contact: request.contact,
    },
    ...source.taskFor(found, checkedReply),
  };
  const { suppliedFlow } = source;
  const performEffect = (wanted: WantedEffect) => effects.get().perform(wanted);
  const options = { workspaceId, isAnonymous, suppliedFlow, performEffect };
  const before = source.before?.effectFor(found);
  const begun = before ? await takeBefore(deps, before, { task, performEffect, take: source.before?.take }) : task;
  if (before) effects.made()?.stop();
  // The first step of an anonymous preview has already waited for its turn, before it read or wrote data.
  const ran =
    isAnonymous && revision > 0
      ? deps.threads.inAnonymousLane(botId, async () => runStep(deps, begun, options))
      : runStep(deps, begun, options);
  const step = ran instanceof Promise ? await ran.finally(() => effects.made()?.stop()) : ran;
  const { state, isEnded, trace } = step;
  const performed = effects.made();
  // Only a step that performed effects contains a marked answer.
  const response = performed && session.dialect === "typebot" ? withoutAnswerMarks(step.response) : step.response;
  const hasClaimed = performed?.isClaimed() ?? false;
  const toSave: StepToSave = {
    response,
    state,
    isEnded,
    answers: step.answers,
    results: step.results,
    logs: step.logs,
    jobs: step.jobs,
    visitedEdgeIds: step.visitedEdgeIds,
    visitedBefore: step.visitedBefore,
    // Previews are not replayed, but their visitors can go back too.
    inputs:
      resultId === null && !step.keepsStateBefore && request.called === undefined
        ? undefined
        : writeInputs(task, {
            reports: performed?.reports ?? [],
            movedFrom: found.moved?.from,
            askedAt: performed?.askedAt() ?? task.context.askedAt,
            called: request.called,
            linkedAnswers: step.linkedAnswers,
          }),
    // Live chats are not traced.
    traceText: trace && resultId === null ? effects.get().traceText(trace) : undefined,
    moved: found.moved,
    timer: step.timer,
    dueId: request.dueId,
    contactId: session.contactId ?? undefined,
    wakesKeptCalls: step.wakesKeptCalls,
    // A session has no state before its first step.
    stateBefore: step.keepsStateBefore && revision > 0 ? session.state : undefined,
    sessionId: session.id,
    botId,
    resultId,
    revision,
    stepId,
    key,
    requestHash,
    reply: reply && JSON.stringify(reply),
    wasRead: !isCached,
    // A step that performed effects cannot be repeated if an endpoint was created in the meantime, so its workspace is
    // always treated as having endpoints.
    hasEventEndpoints: session.hasEventEndpoints || hasClaimed,
  };
  const statements = {
    save: (options: { isInDoubt: boolean }) => source.save(found, toSave, options),
    isSaved: () => source.isSaved(toSave),
  };
  const startedAt = performance.now();
  let isSaved = false;
  try {
    isSaved = await saveOnce(deps.clock, statements, { hasEffects: hasClaimed });
  } finally {
    deps.stepWatch.passed("save", startedAt);
  }
  if (!isSaved) {
    deps.stepWatch.ended("again");
    throw new LostRace();
  }
  // This promise is not awaited: the clean-up job deletes remaining reports.
  void performed?.forgetReports().catch((error: unknown) => deps.outage.failed(error));
  deps.sessionCache.keep(session, { revision: revision + 1, lastStepId: stepId, state, isEnded }, key);
  return response;
}

type Before = {
  readonly task: AdvanceTask;
  performEffect(wanted: WantedEffect): Promise<Performed<never>>;
  readonly take: ((report: Report) => void) | undefined;
};

/**
 * Performs an effect that must precede the step. Returns the step's task, in which the time limit of the question
 * counts from the end of the effect.
 */
async function takeBefore(
  { clock }: ChatDependencies,
  before: WantedBefore,
  { task, performEffect, take }: Before,
): Promise<AdvanceTask> {
  const deadline = clock.now() + limits.step.effectsMs;
  const timeLeftMs = (): number => deadline - clock.now();
  const performed = await performEffect({ ...before, round: 0, timeLeftMs, said: undefined, saidSoFar: undefined });
  if ("stop" in performed) return performed.stop;
  take?.(performed.report);
  const { askedAt = task.context.askedAt } = performed;
  return { ...task, context: { ...task.context, askedAt } };
}

type Statements = {
  /**
   * Saves the step. Returns false if the session has changed since it was read. `isInDoubt`: an earlier attempt may
   * have saved the step.
   */
  save(options: { isInDoubt: boolean }): Promise<boolean>;
  /** Whether the step's own row exists. */
  isSaved(): Promise<boolean>;
};

/**
 * Saves a step. If the connection breaks, it is in doubt whether the save succeeded; the step's own row decides:
 *
 *     saving ─ answered ─────────────────→ saved, or false if another step was saved first
 *     saving ─ the connection broke ─────→ in doubt
 *     saving ─ rejected, without effects ─→ thrown: nothing was saved
 *     saving ─ rejected, after effects ──→ rejected
 *     rejected ──────────────────────────→ saving again, after a pause; finally thrown
 *     in doubt ─ the row exists ─────────→ saved
 *     in doubt ─ the row does not exist ─→ saving again, and then reading the row again
 *     in doubt ─ still no connection ────→ in doubt, after a pause; finally thrown: `server.save_in_doubt`
 *
 * A retry of the save never repeats effects. A step with effects does not fail at the first rejection, because another
 * attempt at the step could repeat its effects.
 */
export async function saveOnce(
  clock: Clock,
  statements: Statements,
  { hasEffects }: { hasEffects: boolean },
): Promise<boolean> {
  const deadline = clock.now() + limits.step.doubtMs;
  let cause: unknown;
  let isInDoubt = false;
  do {
    try {
      return cause === undefined ? await statements.save({ isInDoubt }) : await saveAgain(statements);
    } catch (error) {
      const outage = outageOf(error);
      isInDoubt ||= outage?.kind === "lost";
      if (!outage || !(isInDoubt || hasEffects)) throw error;
      cause = error;
      await pause(clock, pauseMs);
    }
  } while (clock.now() < deadline);
  throw isInDoubt ? new AppError("server.save_in_doubt", { cause }) : cause;
}

/**
 * Saves a step again unless it was saved, and returns whether it is saved. An earlier attempt may still be running in
 * the database, and may commit before or during this attempt.
 */
async function saveAgain({ save, isSaved }: Statements): Promise<boolean> {
  if (await isSaved()) return true;
  try {
    if (await save({ isInDoubt: true })) return true;
  } catch (error) {
    // Saving a start a second time violates its primary key.
    if (isOutage(error) || !(await isSaved())) throw error;
  }
  return isSaved();
}
