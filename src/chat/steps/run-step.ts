import { createHash } from "node:crypto";
import type { Effect, Report, SaidBubble } from "../../core/interpreter/program/effect.ts";
import type { AdvanceTask, FinishedStep, ProgramName, TaskInput } from "../../core/tasks/messages.ts";
import type { EffectContext } from "../../effects/effect-context.ts";
import { isPaid, isReadOnly, perform } from "../../effects/index.ts";
import { type Hops, rootOf } from "../../effects/safe-fetch/hops.ts";
import type { StepSecrets } from "../../effects/secret-values.ts";
import { AppError } from "../../errors.ts";
import { limits } from "../../limits/index.ts";
import { loadFlow } from "../../management/bots/versions/flows.sql.ts";
import { isNews } from "../../management/credentials/author-news.ts";
import { credentialsOfStep } from "../../management/credentials/credentials-of-step.ts";
import { secretsOfStep } from "../../management/credentials/secrets.ts";
import { modelUseOfStep } from "../../management/models/model-use-of-step.ts";
import { lazily } from "../../platform/concurrency/lazily.ts";
import { filesOfStep } from "../files/files-of-step.ts";
import { effectReads } from "../reads/effect-reads.ts";
import type { Session } from "../reads/sessions.sql.ts";
import type { StepPlace, ThreadAnswer } from "../threads/threads.ts";
import type { StepUnderWay } from "./answers-under-way.ts";
import type { StepClaim } from "./claims.ts";
import type { ChatDependencies } from "./dependencies.ts";
import type { KeptReports } from "./kept-reports.ts";
import type { LostWords } from "./lost-words.ts";
import { createStepReporter, type StepReporter } from "./step-reporter.ts";
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

type Stepped = Pick<
  Session,
  "id" | "botId" | "flowHash" | "resultId" | "revision" | "workspaceId" | "isAnonymous" | "previewedBy"
>;

/** Performs the effects of a session's step, under its claim. `hops` are those of the request; `shared` returns the step that others can join. */
export function effectsOf(
  deps: ChatDependencies,
  { id, botId, flowHash, resultId, revision, workspaceId, isAnonymous, previewedBy }: Stepped,
  {
    claim,
    reports,
    hops,
    seed,
    lostWords,
    shared,
  }: {
    claim: StepClaim;
    reports: KeptReports;
    hops: Hops;
    seed: string;
    lostWords: LostWords;
    shared: () => StepUnderWay;
  },
) {
  let secrets: StepSecrets | undefined;
  let step: StepUnderWay | undefined;
  let reporter: StepReporter | undefined;
  const nested = lazily(
    (): Hops => ({
      count: hops.count + 1,
      workspaceId,
      root: hops.root ?? rootOf({ id, revision }),
    }),
  );
  const extraModelCalls = { left: limits.models.extraCalls };
  return async ({ effect, blockId, round, timeLeftMs, said }: WantedEffect): Promise<Performed<never>> => {
    const idempotencyKey = effectKey([id, revision, round, effect]);
    if (hops.caller?.aborted && !step?.isAwaited()) throw callerGone();
    const isKept = !isReadOnly(effect);
    if (isKept) {
      if (isAnonymous) return { report: { kind: "refused", reason: "A preview without a token performs no effects" } };
      await claim.require();
      await reports.flush();
      step ??= shared();
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
      // Preparing an effect may take long (a credential, a file). A process that lost its claim meanwhile must send and store nothing.
      safeFetch: (request) => claim.require().then(() => deps.safeFetch(request)),
      safeStream: (request) => claim.require().then(() => deps.safeStream(request)),
      credentials: credentialsOfStep(deps, { workspaceId }),
      models: modelUseOfStep(deps, { workspaceId, botId, resultId, sessionId: id, blockId }),
      files: { ...files, keep: (file) => claim.require().then(() => files.keep(file)) },
      secrets,
      sessionId: id,
      hops: nested.get(),
      previewedBy,
      idempotencyKey,
      timeLeftMs: timeLeftMs(),
      extraModelCalls,
      mayGoOn: claim.mayGoOn,
      // Previews report every notice, live chats each notice once per flow version.
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
      await reports.add(idempotencyKey, report, { isPaid: isPaid(effect) });
    }
    return { report };
  };
}

/** The chat that made this step's request ended without waiting for its answer, so further effects would be useless. */
function callerGone(): AppError {
  return new AppError("request.incomplete", {
    message: "The chat that made this request did not wait for its answer.",
  });
}

function interruptedIn(report: Report): { interrupted?: readonly SaidBubble[] } {
  return report.kind === "model" && report.interrupted ? { interrupted: report.interrupted } : {};
}

function withInterrupted(report: Report, interrupted: readonly SaidBubble[]): Report {
  if (report.kind !== "model") return report;
  const note =
    "The node that asked the model died while it answered: what was said until then stays, and the model was asked again";
  return { ...report, interrupted, notes: [...(report.notes ?? []), note] };
}

/** Runs a large read of a chat when its workspace has its turn at the database. */
export function readOf<Read>(
  { databasePlaces }: ChatDependencies,
  { workspaceId, botId }: Pick<Session, "workspaceId" | "botId">,
  read: () => Promise<Read>,
): Promise<Read> {
  return databasePlaces.run({ sharer: workspaceId ?? botId }, read);
}

/** The key of an effect; a retry after a crash computes the same key. */
function effectKey(parts: readonly [sessionId: string, revision: number, round: number, effect: Effect]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 32);
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
