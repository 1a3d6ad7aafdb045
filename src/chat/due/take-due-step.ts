import type { StepLog } from "../../core/interpreter/program/outcome.ts";
import type { SessionState } from "../../core/interpreter/program/state.ts";
import { noHops } from "../../effects/safe-fetch/hops.ts";
import { AppError, errorCatalogue } from "../../errors.ts";
import { limits } from "../../limits/index.ts";
import { noOrigins } from "../../management/access/origins.ts";
import { storedSession } from "../continue-chat.ts";
import { appendLogs } from "../saves/logs.sql.ts";
import type { ChatDependencies } from "../steps/dependencies.ts";
import { requestHash } from "../steps/replies.ts";
import type { LoadedSession, SessionSource } from "../steps/session-source.ts";
import { takeStep } from "../steps/take-step.ts";
import { call, keptCall } from "./call.ts";
import { type DueRow, removeDueStep } from "./due-steps.sql.ts";
import { type DueKind, ownKeyOf } from "./kind.ts";
import { payment } from "./payment.ts";

/**
 * `taken`: the row's step was saved, in the row's own chat or another. `gone`: the row's step is no longer needed.
 * `late`: for a day, all attempts failed or no process was running. `acted`: the row is not a step, and its action was
 * performed. `early`: the chat may still reach the block. With `againSeconds`, the row is kept and retried after this
 * time.
 */
export type DueOutcome = "taken" | "gone" | "late" | "acted" | "early";
export type DueEnd = { readonly outcome: DueOutcome; readonly againSeconds?: number };

/**
 * Runs the step or action of a row, and deletes the row unless the result contains `againSeconds`. Throws if the row
 * should be retried.
 */
export async function takeDueStep(deps: ChatDependencies, row: DueRow): Promise<DueEnd> {
  const kind = dueKinds.get(row.kind);
  if (!kind) throw new Error(`A newer release wrote a step of the unknown kind "${row.kind}"`);
  const acting = kind.act?.(deps, row);
  if (acting) {
    const againSeconds = await acting;
    if (againSeconds !== undefined) return { outcome: "acted", againSeconds };
    await removeDueStep(deps.sql, row);
    return { outcome: "acted" };
  }
  if (row.lateSeconds > limits.timers.triedHours * 3_600 && !kind.isPatient) {
    await noteLate(deps, row);
    await removeDueStep(deps.sql, row);
    return { outcome: "late" };
  }
  // Another process may have passed the row to another chat and stopped before it deleted the row.
  if (isOverTime(kind, row) && (await offer(deps, kind, row, { mayTake: false }))) return { outcome: "gone" };
  const ownKey = ownKeyOf(row);
  const { key, hash } = kind.keyed?.(row) ?? { key: ownKey, hash: requestHash([ownKey]) };
  const request = {
    reply: kind.reply(row),
    contentFormat: "richText",
    key,
    hash,
    origins: noOrigins,
    hops: noHops,
    dueId: row.id,
    called: kind.called?.(row),
  } as const;
  try {
    const { isReplayed } = await takeStep(deps, dueSource(deps, { row, kind, key, hash }), request);
    if (!isReplayed) return { outcome: "taken" };
  } catch (error) {
    if (!isFinal(error)) throw error;
    if (kind.isPatient && mayComeBack(error)) return { outcome: "early", againSeconds: limits.timers.lastPauseSeconds };
    if (kind.triedSeconds !== undefined && isElsewhere(error) && !isOverTime(kind, row))
      return { outcome: "early", againSeconds: limits.timers.firstPauseSeconds };
    if (await offer(deps, kind, row, { mayTake: true })) return { outcome: "taken" };
    if (kind.dropped) await note(deps, row, kind.dropped(row));
  }
  await kind.gone?.(deps, row);
  await removeDueStep(deps.sql, row);
  return { outcome: "gone" };
}

function isOverTime({ triedSeconds }: DueKind, { lateSeconds }: DueRow): boolean {
  return triedSeconds !== undefined && lateSeconds >= triedSeconds;
}

/** Passes the row to another chat. Returns true, after deleting the row, if another chat ran the row's step. */
async function offer(
  deps: ChatDependencies,
  kind: DueKind,
  row: DueRow,
  options: { readonly mayTake: boolean },
): Promise<boolean> {
  try {
    if (!(await kind.offer?.(deps, row, options))) return false;
  } catch (error) {
    if (isFinal(error)) return false;
    throw error;
  }
  await removeDueStep(deps.sql, row);
  return true;
}

/**
 * Returns the source of a row's session. The session is always read, because a cached session does not show whether it
 * still waits for the row. `taskFor` throws `session.moved_on` if the session no longer waits for the row.
 */
function dueSource(
  deps: ChatDependencies,
  { row, kind, key, hash }: { row: DueRow; kind: DueKind; key: string; hash: string },
): SessionSource<LoadedSession> {
  const stored = storedSession(deps, { id: row.sessionId, key, movesFor: hash, sender: "other" });
  return {
    ...stored,
    find: () => stored.find({ mayBeCached: false }),
    taskFor(found, reply) {
      const state: SessionState = JSON.parse(found.session.state);
      if (!kind.isAwaited(row, state)) throw new AppError("session.moved_on");
      return stored.taskFor(found, reply);
    },
  };
}

/**
 * Whether a retry of the step would fail too. This is the case for every client error except a busy session or a
 * suspended workspace.
 */
function isFinal(error: unknown): boolean {
  if (!(error instanceof AppError) || error.code === "session.busy" || error.code === "workspace.suspended")
    return false;
  return errorCatalogue[error.code].status < 500;
}

/**
 * Whether the chat has not reached the block, or its first step is not saved yet. The session cannot have been erased,
 * because its rows would be deleted too.
 */
function isElsewhere(error: unknown): boolean {
  return error instanceof AppError && (error.code === "session.moved_on" || error.code === "session.not_found");
}

/** Whether the chat may reach the block later. This includes a chat that has ended, because its visitor may go back. */
function mayComeBack(error: unknown): boolean {
  return error instanceof AppError && (error.code === "session.moved_on" || error.code === "session.ended");
}

async function noteLate(deps: ChatDependencies, row: DueRow): Promise<void> {
  const { triedHours } = limits.timers;
  await note(deps, row, {
    status: "error",
    description: `The chat could not continue on its own for ${triedHours} hours, and now waits for its visitor`,
    details: row.kind,
    context: "Time",
  });
}

async function note(deps: ChatDependencies, { sessionId, botId }: DueRow, log: StepLog): Promise<void> {
  const session = await deps.reads.sessions.add({ id: sessionId, key: null });
  if (session?.resultId) await appendLogs(deps.sql, { resultId: session.resultId, botId, logs: [log] });
}

/** Continues a chat when the time of a `Wait` block has passed and the client has not returned earlier. */
const wait: DueKind = {
  reply: () => ({ type: "wait" }),
  isAwaited: ({ kind, visit }, { timer }) => timer?.kind === kind && timer.visit === visit,
};

/**
 * Continues a chat after a time limit has expired, either at an unanswered input or at a block that waits for a call or
 * for an event of a page.
 */
const timeout: DueKind = {
  reply: () => ({ type: "timeout" }),
  isAwaited: ({ kind, visit }, { timer }) => timer?.kind === kind && timer.visit === visit,
};

/** All kinds, by the name that the rows store. */
export const dueKinds: ReadonlyMap<string, DueKind> = new Map(
  Object.entries({ timeout, wait, call, keptCall, payment }),
);
