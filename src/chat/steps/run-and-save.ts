import { LostRace } from "../../core/interpreter/step-errors.ts";
import { writeInputs } from "../../core/replay/inputs.ts";
import { mayNameFiles, withStrangeFiles } from "../../management/files/file-addresses.ts";
import type { Lazy } from "../../platform/concurrency/lazily.ts";
import type { StepToSave } from "../saves/records.ts";
import type { ChatDependencies } from "./dependencies.ts";
import { programName, runStep, type WantedEffect } from "./run-step.ts";
import { saveOnce } from "./save-once.ts";
import type { LoadedSession, SessionSource, StepRequest } from "./session-source.ts";
import type { SharedStep } from "./shared-step.ts";
import { isSameRequest, type StepAttempt } from "./step-attempt.ts";
import { createStepEffects, type StepEffects } from "./step-effects.ts";

type Attempted<Found> = {
  readonly request: StepRequest;
  readonly found: Found;
  readonly attempt: StepAttempt;
};

export function effectsOfAttempt<Found extends LoadedSession>(
  deps: ChatDependencies,
  source: SessionSource<Found>,
  { request, found, attempt, shared }: Attempted<Found> & { readonly shared: SharedStep },
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

/** Runs the step, saves it, and returns its response. Throws `LostRace` when the session has changed since it was read. */
export async function runAndSave<Found extends LoadedSession>(
  deps: ChatDependencies,
  source: SessionSource<Found>,
  { request, found, attempt, effects }: Attempted<Found> & { readonly effects: Lazy<StepEffects> },
): Promise<string> {
  const { session, isCached } = found;
  const { reply, contentFormat, key } = request;
  const { stepId, requestHash, now, seed } = attempt;
  const { botId, resultId, revision, workspaceId, isAnonymous } = session;
  const checkedReply = mayNameFiles(reply) ? await withStrangeFiles(deps, reply, session) : reply;
  const task = {
    program: programName(session),
    context: { now: now.getTime(), seed, isLive: resultId !== null, contentFormat },
    ...source.taskFor(found, checkedReply),
  };
  const { suppliedFlow } = source;
  const performEffect = (wanted: WantedEffect) => effects.get().perform(wanted);
  const run = () => runStep(deps, task, { workspaceId, isAnonymous, suppliedFlow, performEffect });
  // The first step of an anonymous preview already got its turn before its first read or write.
  const inTurn = isAnonymous && revision > 0 ? deps.threads.inAnonymousLane(botId, run) : run();
  const step = await inTurn.finally(() => effects.made()?.stop());
  const { response, state, isEnded, trace } = step;
  const performed = effects.made();
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
    // Previews are not replayed.
    inputs:
      resultId === null
        ? undefined
        : writeInputs(task, { reports: performed?.reports ?? [], movedFrom: found.moved?.from }),
    // Live chats are not traced.
    traceText: trace && resultId === null ? effects.get().traceText(trace) : undefined,
    moved: found.moved,
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
    // A step that performed effects cannot be repeated for an endpoint that was created meanwhile.
    hasEventEndpoints: session.hasEventEndpoints || hasClaimed,
  };
  const statements = {
    save: ({ isInDoubt }: { isInDoubt: boolean }) => source.save(found, toSave, { seed, isInDoubt }),
    isSaved: () => source.isSaved(toSave),
  };
  const isSaved = await deps.stepWatch.during("save", () =>
    saveOnce(deps.clock, statements, { hasEffects: hasClaimed }),
  );
  if (!isSaved) {
    deps.stepWatch.ended("again");
    throw new LostRace();
  }
  // No one waits for this: the clean-up removes reports that remain.
  void performed?.forgetReports().catch((error: unknown) => deps.outage.failed(error));
  deps.sessionCache.keep({ ...session, revision: revision + 1, lastStepId: stepId, state, isEnded }, key);
  return response;
}
