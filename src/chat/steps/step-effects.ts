import { createHash } from "node:crypto";
import type { Effect, Report, SaidBubble } from "../../core/interpreter/program/effect.ts";
import type { StepTrace } from "../../core/interpreter/program/trace.ts";
import type { ContentFormat } from "../../core/interpreter/program/view.ts";
import { NeedsRead } from "../../core/interpreter/step-errors.ts";
import { effectHash, type RecordedReport } from "../../core/replay/inputs.ts";
import type { EffectContext } from "../../effects/effect-context.ts";
import { isPaid, isReadOnly, perform } from "../../effects/index.ts";
import type { StepPayments } from "../../effects/payments/payment-store.ts";
import { type Hops, rootOf } from "../../effects/safe-fetch/hops.ts";
import type { StepSecrets } from "../../effects/secret-values.ts";
import { AppError } from "../../errors.ts";
import { limits } from "../../limits/index.ts";
import { isNews } from "../../management/credentials/author-news.ts";
import { credentialsOfStep } from "../../management/credentials/credentials-of-step.ts";
import { secretsOfStep } from "../../management/credentials/secrets.ts";
import { modelUseOfStep } from "../../management/models/model-use-of-step.ts";
import { type PaymentDependencies, paymentsOfStep } from "../../management/payments/payments-of-step.ts";
import { type Lazy, lazily } from "../../platform/concurrency/lazily.ts";
import { filesOfStep } from "../files/files-of-step.ts";
import { callbackAddresses } from "../reads/callback-addresses.ts";
import { readDatabaseTime } from "../reads/database-time.ts";
import { effectReads } from "../reads/effect-reads.ts";
import type { Session } from "../reads/sessions.sql.ts";
import { addDueStep, addLaterStep } from "../saves/added-steps.sql.ts";
import type { StepUnderWay } from "./answers-under-way.ts";
import { type ClaimStatements, createClaim, type StepClaim } from "./claims.ts";
import type { ChatDependencies } from "./dependencies.ts";
import { createLostWords, type LostWords, nothingLost } from "./lost-words.ts";
import { type Performed, readOf, type WantedEffect } from "./run-step.ts";
import type { SharedStep } from "./shared-step.ts";
import { createStepReporter, type StepReporter } from "./step-reporter.ts";
import { createStoredReports, type StoredReports } from "./stored-reports.ts";
import { traceEffects } from "./traced-effects.ts";

/** A step that requests effects. */
type Wanting = {
  readonly session: Session;
  /** Whether the session comes from this process' cache. */
  readonly isCached: boolean;
  readonly stepId: string;
  readonly seed: string;
  readonly hops: Hops;
  /** Whether an earlier attempt claimed the step and did not finish it. */
  readonly isResumed: boolean;
  readonly contentFormat: ContentFormat;
  readonly statements: ClaimStatements;
  readonly shared: Lazy<SharedStep>;
};

/** A step's effects, with the claim under which they are performed, and their reports. */
export type StepEffects = {
  perform(wanted: WantedEffect): Promise<Performed<never>>;
  isClaimed(): boolean;
  /** The time at which the last effect ended, by the database's clock. Undefined if no such time is known. */
  askedAt(): number | undefined;
  /** The reports in order, for a replay of the step. */
  readonly reports: readonly RecordedReport[];
  traceText(trace: StepTrace): string;
  /** Stops renewing the claim. Saving the step ends the claim; otherwise, the claim expires. */
  stop(): void;
  /** Ends the claim of a failed step immediately. `isForgotten`: a retry of the request starts again. */
  end(options: { readonly isForgotten: boolean }): Promise<void>;
  /** Called after the step is saved. */
  forgetReports(): Promise<void>;
};

/** Creates the effects of a step that requests an effect or is traced. Most steps need neither. */
export function createStepEffects(deps: ChatDependencies, wanting: Wanting): StepEffects {
  const { session, isCached, stepId, isResumed, contentFormat, statements } = wanting;
  const claiming = async (): Promise<boolean> => {
    // Only a read detects an unfinished attempt of a crashed process, so a cached session must be read before its first
    // effect.
    if (isCached) throw new NeedsRead();
    const isOurs = await statements.take();
    deps.stepWatch.claimed(isOurs);
    return isOurs;
  };
  const claim = createClaim({ ...statements, take: claiming }, deps);
  const kept = createStoredReports(deps.reports, { sessionId: session.id, isResumed });
  // A messenger contact has not read the lost text, because drafts disappear automatically.
  const mayHaveRead = isResumed && session.contactId === null;
  const lostStepId = mayHaveRead ? (session.claim?.stepId ?? undefined) : undefined;
  const lostWords =
    lostStepId === undefined
      ? nothingLost
      : createLostWords(deps.sql, { ...{ lostStepId, stepId, contentFormat }, session });
  const performing = performer(deps, wanting, { claim, kept, lostWords });
  const traced = traceEffects(deps.clock, performing);
  // Live chats are never traced.
  const performEffect = session.resultId === null ? traced.performEffect : performing;
  const reports: RecordedReport[] = [];
  let askedAt: number | undefined;
  return {
    async perform(wanted) {
      const performed = await performEffect(wanted);
      const { effect, blockId } = wanted;
      if (!("report" in performed)) return performed;
      reports.push({ effect: effectHash(effect), blockId, report: performed.report });
      askedAt = (await readDatabaseTime(deps))?.getTime() ?? askedAt;
      return { ...performed, askedAt };
    },
    askedAt: () => askedAt,
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

/**
 * Returns a function that performs one effect of a step. Except for effects that only read Parley's own data, effects
 * are performed under the step's claim.
 */
function performer(
  deps: ChatDependencies,
  { session, stepId, hops, seed, shared }: Wanting,
  { claim, kept: reports, lostWords }: { claim: StepClaim; kept: StoredReports; lostWords: LostWords },
) {
  const { id, botId, flowHash, resultId, revision, workspaceId, isAnonymous, previewedBy } = session;
  let secrets: StepSecrets | undefined;
  let step: StepUnderWay | undefined;
  let reporter: StepReporter | undefined;
  const nested = lazily(
    (): Hops => ({ count: hops.count + 1, workspaceId, root: hops.root ?? rootOf({ id, revision }) }),
  );
  const extraModelCalls = { left: limits.models.extraCalls };
  const paymentTime = { clock: deps.clock, leftMs: limits.payments.stepMs };
  return async ({
    effect,
    blockId,
    linkedResultId,
    round,
    timeLeftMs,
    said,
  }: WantedEffect): Promise<Performed<never>> => {
    const idempotencyKey = effectKey([id, revision, round, effect]);
    if (hops.caller?.aborted && !step?.isAwaited()) throw callerGone();
    const isKept = !isReadOnly(effect);
    if (isKept) {
      if (isAnonymous) return { report: { kind: "refused", reason: "An anonymous preview performs no effects" } };
      await claim.require();
      await reports.flush();
      step ??= shared.get().stepOf(session, { stepId, isHeld: claim.mayGoOn });
      reporter ??= createStepReporter(step);
      const kept = await reports.find(idempotencyKey);
      if (kept) {
        reporter.repeats({ effect, said, ...interruptedIn(kept) }, kept);
        await lostWords.repeated(reporter.answered());
        return { report: kept };
      }
    }
    const isShown = effect.kind === "model" && effect.show !== undefined;
    const interrupted = isShown ? await lostWords.take({ blockId, show: effect.show, said }) : [];
    secrets ??= secretsOfStep(deps, { workspaceId, seed });
    const files = filesOfStep(deps, { id, botId, resultId });
    const context: EffectContext = {
      ...effectReads(deps.sql, id),
      addressOfBlock: callbackAddresses(deps, session),
      partsOfSuggestion: ({ token, ...chosen }) => deps.suggestionTokens.partsOf({ ...chosen, sessionId: id }, token),
      // Preparing an effect may take long, for example to read a credential or file. A process that lost its claim in
      // the meantime must not send or store anything.
      safeFetch: (request) => claim.require().then(() => deps.safeFetch(request)),
      safeStream: (request) => claim.require().then(() => deps.safeStream(request)),
      providers: deps.providers,
      google: deps.google,
      // Also true if a different request runs after a crash, such as a visitor's reply instead of an expired time
      // limit.
      isResumed: session.claim !== null,
      credentials: credentialsOfStep(deps, { workspaceId, isLive: resultId !== null }),
      models: modelUseOfStep(deps, {
        ...{ workspaceId, botId, resultId, sessionId: id, isNewChat: revision === 0, blockId },
      }),
      payments: {
        ...paymentsOfChat(deps, { id, botId, resultId, linkedResultId, revision, blockId }),
        time: paymentTime,
      },
      files: { ...files, keep: (file) => claim.require().then(() => files.keep(file)) },
      secrets,
      sessionId: id,
      hops: nested.get(),
      previewedBy,
      idempotencyKey,
      timeLeftMs: timeLeftMs(),
      extraModelCalls,
      mayGoOn: claim.mayGoOn,
      // Previews report every notice. Live chats report each notice once per flow version and process.
      ...(resultId !== null && { isNews: (sentence) => isNews({ botId, flowHash }, sentence) }),
      ...(isKept && reporter?.begins({ effect, said, interrupted })),
    };
    const act = () => perform(effect, context);
    const performed = await deps.stepWatch.during(
      "effect",
      () => (isReadOnly(effect) ? readOf(deps, { workspaceId, botId }, act) : act()),
      { kind: effect.kind },
    );
    const report = interrupted.length === 0 ? performed : withInterrupted(performed, interrupted);
    deps.stepWatch.performed(effect.kind, report.kind);
    if (isKept) {
      await claim.requireUnlessAway();
      await reports.add(idempotencyKey, report, { isPaid: isPaid(effect, report) });
    }
    return { report };
  };
}

/**
 * Returns the error for a step whose caller has gone. The chat that sent the request ended without waiting for the
 * response, so further effects would be useless.
 */
function callerGone(): AppError {
  return new AppError("request.incomplete", {
    message: "The chat that sent this request did not wait for the response.",
  });
}

function interruptedIn(report: Report): { interrupted?: readonly SaidBubble[] } {
  return report.kind === "model" && report.interrupted ? { interrupted: report.interrupted } : {};
}

function withInterrupted(report: Report, interrupted: readonly SaidBubble[]): Report {
  if (report.kind !== "model") return report;
  const note = "The node stopped during the model's answer. The text so far was kept, and the model was called again";
  return { ...report, interrupted, notes: [...(report.notes ?? []), note] };
}

/** Computes the key of an effect. A retry after a crash computes the same key. */
function effectKey(parts: readonly [sessionId: string, revision: number, round: number, effect: Effect]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 32);
}

function paymentsOfChat(
  deps: PaymentDependencies,
  session: Parameters<typeof paymentsOfStep>[1],
): Omit<StepPayments, "time"> {
  const { id: sessionId, botId } = session;
  const row = { sessionId, botId, kind: "payment" };
  const [seconds = 0] = limits.payments.awayPausesSeconds;
  return {
    ...paymentsOfStep(deps, session),
    checkSoon: ({ id: paymentId }) =>
      addLaterStep(deps.sql, { ...row, content: { paymentId, isCheck: true } }, { seconds }),
    goOn: ({ id: paymentId }) => addDueStep(deps.sql, { ...row, content: { paymentId } }),
  };
}
