import type { StepTrace } from "../../core/interpreter/program/trace.ts";
import type { ContentFormat } from "../../core/interpreter/program/view.ts";
import { NeedsRead } from "../../core/interpreter/step-errors.ts";
import type { RecordedReport } from "../../core/replay/inputs.ts";
import type { Hops } from "../../effects/safe-fetch/hops.ts";
import type { Session } from "../reads/sessions.sql.ts";
import { type ClaimStatements, createClaim } from "./claims.ts";
import type { ChatDependencies } from "./dependencies.ts";
import { createKeptReports } from "./kept-reports.ts";
import { createLostWords, nothingLost } from "./lost-words.ts";
import { recordReports } from "./recorded-reports.ts";
import { effectsOf, type Performed, type WantedEffect } from "./run-step.ts";
import type { SharedStep } from "./shared-step.ts";
import { traceEffects } from "./traced-effects.ts";

/** A step that wants effects. */
type Wanting = {
  readonly session: Session;
  /** Whether the session comes from this process's cache. */
  readonly isCached: boolean;
  readonly stepId: string;
  readonly seed: string;
  readonly hops: Hops;
  /** An earlier attempt claimed the step and did not finish it. */
  readonly isResumed: boolean;
  readonly contentFormat: ContentFormat;
  readonly statements: ClaimStatements;
  readonly shared: SharedStep;
};

/** A step's effects: the claim under which they are performed, and their reports. */
export type StepEffects = {
  perform(wanted: WantedEffect): Promise<Performed<never>>;
  isClaimed(): boolean;
  /** The reports in order, for the step's replay. */
  readonly reports: readonly RecordedReport[];
  traceText(trace: StepTrace): string;
  /** No further effect begins. The claim is no longer renewed: the step's save ends it, or it lapses. */
  stop(): void;
  /** The step failed: ends the claim at once. */
  end(): Promise<void>;
  /** To be called once the step is saved. */
  forgetReports(): Promise<void>;
};

/** Created for a step that wants an effect or is traced. Most steps need neither. */
export function createStepEffects(deps: ChatDependencies, wanting: Wanting): StepEffects {
  const { session, isCached, stepId, seed, hops, isResumed, contentFormat, statements, shared } = wanting;
  const claiming = async (): Promise<boolean> => {
    // Only a read finds the remains of a crash, so effects begin after one.
    if (isCached) throw new NeedsRead();
    const isOurs = await statements.take();
    deps.stepWatch.claimed(isOurs);
    return isOurs;
  };
  const claim = createClaim({ ...statements, take: claiming }, deps);
  const kept = createKeptReports(deps.reports, { sessionId: session.id, isResumed });
  const lostStepId = isResumed ? (session.claim?.stepId ?? undefined) : undefined;
  const lostWords =
    lostStepId === undefined
      ? nothingLost
      : createLostWords(deps.sql, { sessionId: session.id, lostStepId, stepId, contentFormat });
  const performing = effectsOf(deps, session, {
    lostWords,
    ...{ claim, reports: kept, hops, seed },
    shared: () => shared.stepOf(session, { stepId, isHeld: claim.mayGoOn }),
  });
  const traced = traceEffects(deps.clock, performing);
  // Live chats are never traced.
  const { reports, performEffect } = recordReports(session.resultId === null ? traced.performEffect : performing);
  return {
    perform: performEffect,
    isClaimed: claim.isTaken,
    reports,
    traceText: traced.textOf,
    stop: claim.stop,
    end: claim.end,
    forgetReports: async () => {
      await kept.forget();
      await lostWords.forget();
    },
  };
}
