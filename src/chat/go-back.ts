import { blocks } from "../core/blocks/index.ts";
import { isJsonObject, textAt, valueAt } from "../core/interpreter/flow.ts";
import type { Report } from "../core/interpreter/program/effect.ts";
import { withModelsUsed } from "../core/interpreter/program/model-budget.ts";
import { isInputMessage } from "../core/interpreter/program/outcome.ts";
import type { SessionState } from "../core/interpreter/program/state.ts";
import { withEntriesLeft } from "../core/interpreter/step/linked-flow.ts";
import { moved, obstacleTo } from "../core/interpreter/step/moving.ts";
import { LostRace } from "../core/interpreter/step-errors.ts";
import type { TaskInput } from "../core/tasks/messages.ts";
import type { SpokenStep } from "../effects/effect-context.ts";
import type { Hops } from "../effects/safe-fetch/hops.ts";
import { AppError } from "../errors.ts";
import { limits } from "../limits/index.ts";
import type { Origins } from "../management/access/origins.ts";
import { findNumberOfFlow } from "../management/bots/versions/moves/moving-chats.sql.ts";
import { readMovableFlow } from "../management/bots/versions/moves/moving-flows.ts";
import { listOpenPayments } from "../management/payments/payments.sql.ts";
import { requireRoomForPreview } from "./anonymous-previews.ts";
import { type FromOutside, fromOutside, stateThatKeeps } from "./back/from-outside.ts";
import { storedSession } from "./continue-chat.ts";
import { claimStep, type Session } from "./reads/sessions.sql.ts";
import { listStandingSteps } from "./reads/steps.sql.ts";
import { saveGoBack } from "./saves/save-go-back.sql.ts";
import { findGoingBack } from "./saves/states-before.sql.ts";
import type { ChatAnswer } from "./steps/answers-under-way.ts";
import type { ChatDependencies } from "./steps/dependencies.ts";
import { isRefusalOf } from "./steps/missed-steps.ts";
import { requestHash } from "./steps/replies.ts";
import { programName, readOf } from "./steps/run-step.ts";
import type { LoadedSession, SessionSource, WantedBefore } from "./steps/session-source.ts";
import { takeStep } from "./steps/take-step.ts";

export type GoBackRequest = {
  readonly sessionId: string;
  readonly key: string | null;
  readonly origins: Origins;
  readonly hops: Hops;
  /** The number of the last step that the client has received. The request is rejected if another step followed. */
  readonly afterRevision?: number | undefined;
  /** Goes back only if the latest step can be repeated. Otherwise, `session.nothing_to_repeat` is thrown. */
  readonly isTryingAgain?: boolean;
};

/** A stored session, and the answer to which its visitor can go back. */
type Returning = LoadedSession & {
  /** The current state of the chat, as JSON text. Empty if an earlier release ended the chat. */
  readonly now: string;
  readonly isAllowed: boolean;
  readonly wasEnded: boolean;
  readonly target: Target | null;
  /**
   * Whether no target was found and another step was saved during the read. The read may have missed rows, so it is
   * repeated.
   */
  readonly isOutdated: boolean;
};

/** The answer to undo, and the step that asked for it. */
type Target = {
  readonly state: SessionState;
  /** The step that received the answer. */
  readonly answered: SpokenStep;
  /** The step that asked the question, before any rejected replies. */
  readonly asked: SpokenStep;
  /** The number of undone steps. */
  readonly steps: number;
  /** Open payments that the undone steps requested. These payments are cancelled first. */
  readonly payments: readonly string[];
  /** The calls and random seeds of `answered` and the steps after it. */
  readonly kept: FromOutside;
  /** Whether the step that received the answer is the latest step, and can be repeated without repeating an effect. */
  readonly mayBeRepeated: boolean;
};

/**
 * Goes back to a session's last answer: removes the answer and asks the same question again. This is an ordinary step
 * with its own revision, so it runs once per key and in turn with other requests. A chat that has ended is reopened.
 *
 * Effects since the answer are not undone, except that a payment requested since then is cancelled at its provider. A
 * completed payment prevents going back. Decisions 024 and 046 contain the reasons.
 */
export async function goBack(deps: ChatDependencies, request: GoBackRequest): Promise<ChatAnswer> {
  const { sessionId, key, origins, hops, afterRevision, isTryingAgain = false } = request;
  const hash = requestHash(["go back", ...(afterRevision === undefined ? [] : [afterRevision])]);
  const step = { reply: null, contentFormat: "richText", key, hash, origins, hops, afterRevision } as const;
  return takeStep(deps, returning(deps, { id: sessionId, key, isTryingAgain }), { ...step, drawsAnew: true });
}

/**
 * Returns the source of a stored session that goes back. The session is always read, because the earlier answer is not
 * cached.
 */
function returning(
  deps: ChatDependencies,
  { id, key, isTryingAgain }: { id: string; key: string | null; isTryingAgain: boolean },
): SessionSource<Returning> {
  const stored = storedSession(deps, { id, key, contactId: null });
  return {
    limiterKey: id,
    async find() {
      const { session } = await stored.find({ mayBeCached: false });
      const { isAllowed, revision, state } = await findGoingBack(deps.sql, session);
      const target =
        isAllowed && revision !== null && state !== null ? await findTarget(deps, session, revision, state) : null;
      const isOutdated =
        isAllowed &&
        target === null &&
        (await stored.find({ mayBeCached: false })).session.revision !== session.revision;
      // This step treats a chat that has ended as open.
      const open = { ...session, isEnded: false };
      const found = { isCached: false, isAllowed, wasEnded: session.isEnded, now: session.state, isOutdated };
      if (!target) return { ...found, session: open, target };
      const { state: before, ...inVersion } = await inOneVersion(deps, open, target.state);
      return { ...found, ...inVersion, target: { ...target, state: before } };
    },
    taskFor: (found) => ({ input: taskOf(found, { isTryingAgain }) }),
    before: { effectFor: cancelOf, take: requireCanceled },
    claimStatements(found, attempt) {
      const { session, wasEnded } = found;
      const claim = { ...attempt, sessionId: id, revision: session.revision, seconds: deps.claimTimes.seconds };
      return { ...stored.claimStatements(found, attempt), take: () => claimStep(deps.sql, { ...claim, wasEnded }) };
    },
    async save({ session: { isAnonymous, botId, movingTo }, target, wasEnded }, step, { isInDoubt }) {
      if (!target) throw new TypeError("Going back without a target");
      if (isAnonymous && !isInDoubt) await requireRoomForPreview(deps, { botId, step });
      const revisions = { wentBackTo: target.asked.revision, takenBack: target.answered.revision };
      const isBesideOlder = await deps.olderNodes.areConnected("writers");
      const { calls } = target.kept;
      const goingBack = { ...step, ...revisions, wasEnded, keptCalls: calls, movingTo };
      const isSaved = await saveGoBack(deps.sql, goingBack, { isBesideOlder });
      if (isSaved) deps.insightNotes.noteChanged(step.results.map(({ resultId }) => resultId));
      return isSaved;
    },
    isSaved: stored.isSaved,
  };
}

/**
 * Returns the effect that cancels the payments of the undone steps, under the claim of this step. Returns undefined if
 * there are no such payments.
 */
function cancelOf({ target, session }: Returning): WantedBefore | undefined {
  if (!target || target.payments.length === 0) return undefined;
  const blockId = textAt(JSON.parse(session.state || "{}"), "blockId") ?? "";
  return { effect: { kind: "paymentCancel", paymentIds: target.payments }, blockId };
}

function requireCanceled(report: Report): void {
  if (report.kind !== "paymentCancel")
    throw new AppError("payment.provider_failed", { message: "The payment provider did not respond. Try again." });
  if (report.status === "made") throw new AppError("payment.made");
}

function taskOf(
  { isAllowed, target, isOutdated, now }: Returning,
  { isTryingAgain }: { isTryingAgain: boolean },
): TaskInput {
  if (!isAllowed) throw new AppError("session.go_back_not_allowed");
  if (isOutdated) throw new LostRace();
  if (isTryingAgain && !target?.mayBeRepeated) throw new AppError("session.nothing_to_repeat");
  if (!target) throw new AppError("session.nothing_before");
  const { answered, asked, steps, kept } = target;
  const state = JSON.stringify(stateToGoBackTo(target.state, now, isTryingAgain ? { ...kept, seeds: [] } : kept));
  const input = valueAt(asked.response, "input");
  const reply = isJsonObject(answered.reply) ? answered.reply : null;
  const left = now === "" ? {} : { left: now };
  return { kind: "goBack", state, ...left, input: isInputMessage(input) ? input : null, takenBack: { steps, reply } };
}

/**
 * Returns the state to restore, with the parts in `kept`. Model calls that were made since then remain counted, and the
 * results of linked bots that were entered since then are reused. `now` is empty if an earlier release ended the chat.
 */
function stateToGoBackTo(before: SessionState, now: string, kept: FromOutside): SessionState {
  if (now === "") return stateThatKeeps(before, {}, kept);
  const left: SessionState = JSON.parse(now);
  return withEntriesLeft(withModelsUsed(stateThatKeeps(before, left, kept), left), left);
}

async function findTarget(
  deps: ChatDependencies,
  session: Session,
  revision: number,
  state: string,
): Promise<Target | null> {
  const read = () => listStandingSteps(deps.sql, session.id, limits.session.transcriptSteps);
  const steps = (await readOf(deps, session, read)).reverse();
  const index = steps.findIndex((step) => step.revision === revision);
  let first = index - 1;
  while (isRefusal(steps[first], steps[first - 1])) first--;
  const [answered, asked] = [steps[index], steps[first]];
  if (!answered || !asked) return null;
  const mayBeRepeated = index === steps.length - 1 && valueAt(answered.response, "canTryAgain") === true;
  const takenBack = steps.slice(first + 1);
  const payments = await openPaymentsOf(deps, session.id, takenBack);
  const kept = await fromOutside(deps.sql, session.id, { asked, takenBack: steps.slice(index) });
  return { state: JSON.parse(state), answered, asked, steps: takenBack.length, payments, kept, mayBeRepeated };
}

/** Finds the open payments of these steps. Few chats request payments, so most chats need no read. */
async function openPaymentsOf(
  { sql }: ChatDependencies,
  sessionId: string,
  steps: readonly SpokenStep[],
): Promise<readonly string[]> {
  const asked = steps.flatMap(({ response }) => {
    const input = valueAt(response, "input");
    return blocks.get(textAt(input, "type") ?? "")?.input?.inputType === "payment" ? (textAt(input, "id") ?? []) : [];
  });
  return asked.length === 0 ? [] : listOpenPayments(sql, { sessionId, blockIds: [...new Set(asked)] });
}

/** Whether a step only repeated the question of the previous step. */
function isRefusal(step: SpokenStep | undefined, before: SpokenStep | undefined): boolean {
  const inputId = textAt(before?.response, "input", "id");
  return step !== undefined && inputId !== undefined && isRefusalOf(step, inputId);
}

type InVersion = Pick<LoadedSession, "session" | "moved"> & { readonly state: SessionState };

/**
 * Brings an earlier state and its session to the same flow version. A move between versions does not come from the
 * visitor, so going back keeps the move if the state can be moved immediately. Otherwise, the session returns to the
 * state's version and moves again at its next possible input.
 */
async function inOneVersion(deps: ChatDependencies, session: Session, state: SessionState): Promise<InVersion> {
  const { botId, publicationNumber } = session;
  const { key } = programName(session);
  const root = state.queue.at(-1);
  const flowHash = root?.program.startsWith(`${botId}:`) ? root.program.slice(botId.length + 1) : undefined;
  if (flowHash === undefined || root?.program === key || publicationNumber === null) return { session, state };
  const [from, to] = await Promise.all([readMovableFlow(deps, { botId, flowHash }), readMovableFlow(deps, session)]);
  if (from && to && obstacleTo(state, from, to) === undefined) return { session, state: moved(state, key) };
  const number = (await findNumberOfFlow(deps.sql, { botId, flowHash })) ?? publicationNumber;
  return {
    session: { ...session, flowHash, publicationNumber: number, movingTo: publicationNumber },
    moved: { flowHash, number, from: session.flowHash },
    state,
  };
}
