import { continueChat } from "../../chat/continue-chat.ts";
import { appendLogs } from "../../chat/saves/logs.sql.ts";
import { startChat } from "../../chat/start-chat.ts";
import type { ChatAnswer, StepReader } from "../../chat/steps/answers-under-way.ts";
import type { Content } from "../../core/channels/channel.ts";
import { textAt } from "../../core/interpreter/flow.ts";
import { noHops } from "../../effects/safe-fetch/hops.ts";
import { AppError, errorCatalogue } from "../../errors.ts";
import { limits } from "../../limits/index.ts";
import { noOrigins } from "../../management/access/origins.ts";
import { isOutage } from "../../platform/database/primary/outage.ts";
import { shardOf } from "../../platform/ids.ts";
import { shortId } from "../../platform/observing/log.ts";
import { unknownAddress } from "../../platform/rate-limits/client-address.ts";
import { connectionTexts } from "../connection-texts.ts";
import { changeSign, decide, ended, type Plan, type RowsEnd, started } from "./decide.ts";
import type { Decision } from "./decision.ts";
import { showDrafts } from "./drafts.ts";
import { endChat, optIn } from "./end-turn.sql.ts";
import { postponeRow, releaseRows } from "./rows.sql.ts";
import { saveChoiceState } from "./taps.sql.ts";
import { ageOf, noticesFor, placeOf, type QueuedRow, receivedRow, type TurnTools } from "./turn.ts";
import type { TurnFacts } from "./turn-facts.sql.ts";

/**
 * The ended rows, or the time after which the first row is checked again. `gone` rows are merged into the first row.
 */
export type TurnOutcome =
  | { readonly kind: "ended"; readonly rowIds: readonly string[]; readonly isStep: boolean }
  | { readonly kind: "wait"; readonly ms: number; readonly gone?: readonly string[] };

/**
 * Takes a contact's turn for its first row, or for its first rows if they belong together. The states of a row:
 *
 *     waiting ─ it needs no answer, or concerns the connection ────→ done or dropped, with the reason
 *     waiting ─ it needs an answer ────────────────────────────────→ decided and stored; gathered rows merge
 *     waiting ─ its file does not arrive ──────────────────────────→ waiting, for two more attempts; then done without it
 *     waiting ─ the chat does not wait for an input ───────────────→ waiting, for at most a minute
 *     decided ─ its step was run, now or by a process that died ───→ done, with the step; the contact's chat is set
 *     decided ─ its chat has ended in the meantime ────────────────→ decided again, as a start
 *     decided ─ a temporary failure of the step ───────────────────→ decided, retried after a pause, for an hour
 *     decided ─ a permanent failure of the step ───────────────────→ done, as failed; later rows are answered
 *
 * The row's id is the step's key, so a repetition on any process returns the same step.
 */
export async function takeTurn(tools: TurnTools, contactId: string, rows: readonly QueuedRow[]): Promise<TurnOutcome> {
  const { deps, connection } = tools;
  const [head] = rows;
  if (!head) return { kind: "wait", ms: Number.POSITIVE_INFINITY };
  const facts = await tools.store.facts({ contactId, shard: shardOf(connection.id) });
  if (!facts) {
    const rowIds = rows.map(({ id }) => id);
    await releaseRows(deps.sql, rowIds, contactId);
    return { kind: "ended", rowIds, isStep: false };
  }
  if (head.decision) return await perform(tools, facts, { row: head, decision: head.decision, merged: [] });
  try {
    return await carryOut(tools, facts, { plan: await decide(tools, facts, rows), rows });
  } catch (error) {
    if (isOutage(error) || head.decision) throw error;
    // Without this retry, the row would block its contact forever.
    return await later(tools, facts, { row: head, decision: undefined, merged: [], error });
  }
}

async function carryOut(
  tools: TurnTools,
  facts: TurnFacts,
  { plan, rows }: { readonly plan: Plan; readonly rows: readonly QueuedRow[] },
): Promise<TurnOutcome> {
  const { deps } = tools;
  switch (plan.kind) {
    case "wait":
      return plan;
    case "end":
      return await endWith(tools, facts, { end: plan.end, rows });
    case "again": {
      const { row } = plan;
      const seconds = await postpone(tools, row);
      return { kind: "wait", ms: seconds * 1_000 };
    }
    case "shown": {
      const { rowId, sending, press } = plan;
      const isSaved = await saveChoiceState(deps.sql, { sending, rowId, choices: press.choices });
      const sign = changeSign(tools, plan);
      if (sign && isSaved) tools.sign(facts.id, sign);
      count(tools, rows, [rowId], "done");
      return { kind: "ended", rowIds: [rowId], isStep: false };
    }
    case "step": {
      const row = rows.find(({ id }) => id === plan.rowId);
      if (!row) throw new Error("A decision refers to a row that does not exist");
      const { merged, decision } = plan;
      const written = await tools.store.decide(row.id, {
        ...{ merged: merged.map(receivedRow), replaces: false, place: placeOf(tools, facts.id) },
        holder: tools.held.holder,
        ...{ decision: JSON.stringify(decision), sessionId: decision.sessionId ?? null },
      });
      const gone = merged.map(({ id }) => id);
      // Another process has taken over the row. The row is read again if it still waits.
      if (written === undefined) return { kind: "ended", rowIds: [row.id, ...gone], isStep: false };
      count(tools, rows, gone, "merged");
      row.decision = JSON.parse(written);
      return await perform(tools, facts, { row, decision: JSON.parse(written), merged: gone });
    }
    default:
      return plan satisfies never;
  }
}

async function endWith(
  tools: TurnTools,
  facts: TurnFacts,
  { end, rows }: { readonly end: RowsEnd; readonly rows: readonly QueuedRow[] },
): Promise<TurnOutcome> {
  const { state, reason } = end;
  const rowIds = end.rows.map(({ id }) => id);
  const isUndecided = rows.every((row) => row.decision === undefined || !rowIds.includes(row.id));
  const { holder } = tools.held;
  const isEnded = await tools.store.end({ ...placeOf(tools, facts.id), ...end, isUndecided, holder });
  // Rows that another process now has are read again, with the decision of that process.
  if (!isEnded) return { kind: "ended", rowIds, isStep: false };
  count(tools, rows, rowIds, state === "dropped" ? `dropped:${kindOf(reason)}` : "done");
  return { kind: "ended", rowIds, isStep: end.notices.length > 0 };
}

/** Returns the reason without the id that may follow it, because a metric stores every distinct outcome. */
function kindOf(reason: string | null): string {
  return reason?.split(" ")[0] ?? "";
}

type Decided = {
  readonly row: QueuedRow;
  readonly decision: Decision;
  readonly merged: readonly string[];
};

/** `decision` is undefined if making a decision failed. */
type Tried = Omit<Decided, "decision"> & { readonly decision: Decision | undefined };

async function perform(tools: TurnTools, facts: TurnFacts, decided: Decided): Promise<TurnOutcome> {
  const { deps } = tools;
  const stopTyping = showTyping(tools, facts);
  try {
    return await takeDecided(tools, facts, decided);
  } catch (error) {
    switch (judge(error)) {
      case "later":
        if (isOutage(error)) deps.outage.failed(error);
        return await later(tools, facts, { ...decided, error });
      case "over":
        return await decideAgain(tools, facts, { ...decided, error });
      case "nobody":
        return await endWith(tools, facts, {
          end: ended([decided.row], "dropped", "no_bot").end,
          rows: [decided.row],
        });
      case "final":
        return await failed(tools, facts, decided);
    }
  } finally {
    stopTyping();
  }
}

/** Runs the step of a decision, and ends the decision's row. */
async function takeDecided(
  tools: TurnTools,
  facts: TurnFacts,
  { row, decision, merged }: Decided,
): Promise<TurnOutcome> {
  const { deps } = tools;
  const begunAt = deps.clock.now();
  const { ends, bot, expiryHours, optedOut } = decision;
  if (optedOut === false) await optIn(deps.sql, { contactId: facts.id, rowId: row.id });
  if (ends !== undefined) await endChat(deps.sql, { contactId: facts.id, sessionId: ends });
  const drafts = showDrafts(tools, facts, row);
  // The final message follows, so no draft may be shown after this point.
  const answer = await stepOf(tools, row, { decision, reader: drafts?.reader }).finally(() => drafts?.end());
  const first: unknown = JSON.parse(answer.response);
  const sessionId = decision.sessionId ?? textAt(first, "sessionId") ?? "";
  const revision = answer.revision ?? 1;
  const isEnded = await tools.store.end({
    ...placeOf(tools, facts.id),
    ...{ rows: [receivedRow(row)], state: "done", reason: decision.reason ?? null, notices: [] },
    step: { sessionId, revision },
    tellsExpiry: connectionTexts(tools.connection.settings).expired !== null,
    ...(bot &&
      expiryHours !== undefined && {
        chat: { resultId: textAt(first, "resultId") ?? null, botId: bot.id, expiryHours },
      }),
  });
  if (isEnded) {
    if (decision.isCut) await noteCut(tools, facts, { botId: bot?.id, resultId: textAt(first, "resultId") });
    count(tools, [row], [row.id], "done");
    deps.channelMetrics.stepped((ageOf(facts, row) + deps.clock.now() - begunAt) / 1_000);
  }
  return { kind: "ended", rowIds: [row.id, ...merged], isStep: true };
}

/** Logs for the bot's authors that a message was truncated. */
async function noteCut(
  { deps, connection }: TurnTools,
  facts: TurnFacts,
  {
    botId = facts.botId ?? "",
    resultId = facts.resultId ?? "",
  }: { botId: string | undefined; resultId: string | undefined },
): Promise<void> {
  if (botId === "" || resultId === "") return;
  const description = "A message of the contact was cut: it is longer than a reply may be";
  const logs = [{ status: "warning", description, context: connection.channel.name } as const];
  await appendLogs(deps.sql, { resultId, botId, logs });
}

type Asked = { readonly decision: Decision; readonly reader: StepReader | undefined };

function stepOf(tools: TurnTools, row: QueuedRow, { decision, reader }: Asked): Promise<ChatAnswer> {
  const { deps, connection } = tools;
  const { act, sessionId = "", bot, resultId = null, message, contact } = decision;
  const request = { message, contact, contentFormat: "richText", origins: noOrigins, hops: noHops, reader } as const;
  // Clients cannot send a key that contains a space, so this key is unique to the inbox.
  if (act === "continue") return continueChat(deps, { ...request, sessionId, key: `in ${row.id}` });
  return startChat(deps, {
    ...request,
    ...{ publicId: bot?.publicId ?? "", resultId, key: `${connection.id} in ${row.id}`, dialect: "bot" },
    ...{ isStreamEnabled: false, isOnlyRegistering: false, prefilledVariables: {} },
    admission: deps.rateLimits.admission(() => unknownAddress),
  });
}

/** Classifies a step's failure: worth a retry, the chat has ended, no bot was found, or a retry would fail again. */
function judge(error: unknown): "later" | "over" | "nobody" | "final" {
  if (!(error instanceof AppError)) return "later";
  const { code } = error;
  if (code === "session.not_found" || code === "session.ended" || code === "session.expired") return "over";
  if (code === "bot.not_found" || code === "bot.closed") return "nobody";
  const passes = ["session.busy", "rate_limit.exceeded", "workspace.suspended", "idempotency.key_reused"];
  return errorCatalogue[code].status >= 500 || passes.includes(code) ? "later" : "final";
}

/** The minimum number of attempts before a message fails because of its age. */
const leastAttempts = 3;

async function later(
  tools: TurnTools,
  facts: TurnFacts,
  { row, decision, merged, error }: Tried & { readonly error: unknown },
): Promise<TurnOutcome> {
  const { deps } = tools;
  const isBug = !isOutage(error) && (!(error instanceof AppError) || error.code === "idempotency.key_reused");
  if (isBug) deps.log.error("A message from a contact could not be answered yet", { error, row: shortId(row.id) });
  // During an outage, a row can age without being tried, so its age alone must not end it.
  const isOver = ageOf(facts, row) > limits.channels.triedSeconds * 1_000 && row.attempts >= leastAttempts;
  const mayFail = !(
    error instanceof AppError && ["idempotency.key_reused", "workspace.suspended"].includes(error.code)
  );
  if (isOver && mayFail) return await failed(tools, facts, { row, decision, merged });
  const seconds = await postpone(tools, row);
  return { kind: "wait", ms: seconds * 1_000, gone: merged };
}

/**
 * Delays a row's next attempt, and returns the delay in seconds. Each delay is twice as long as the previous delay, up
 * to a maximum.
 */
async function postpone({ deps, held }: TurnTools, row: QueuedRow): Promise<number> {
  const seconds = Math.min(
    limits.channels.lastPauseSeconds,
    limits.channels.firstPauseSeconds * 2 ** Math.min(row.attempts, 20),
  );
  row.attempts++;
  row.notBeforeAt = deps.clock.now() + seconds * 1_000;
  const by = { connectionId: held.id, holder: held.holder };
  await postponeRow(deps.sql, row.id, { seconds, ...by }).catch(deps.outage.failed);
  return seconds;
}

/**
 * Starts a new chat with the message of a row whose chat has ended. If the decision was already a start, the row is
 * retried later. A press on a button is dropped.
 */
async function decideAgain(
  tools: TurnTools,
  facts: TurnFacts,
  { row, decision, merged, error }: Decided & { readonly error: unknown },
): Promise<TurnOutcome> {
  if (decision.act === "start") return await later(tools, facts, { row, decision, merged, error });
  if (row.event.kind === "tap") {
    return await endWith(tools, facts, { end: ended([row], "dropped", "stale_tap").end, rows: [row] });
  }
  // Only the decision contains the texts that were gathered with the row.
  const content = gatheredText(row, decision);
  const plan = await started(tools, facts, { row, open: undefined, isRestart: false, ...(content && { content }) });
  if (plan.kind !== "step") return await carryOut(tools, facts, { plan, rows: [row] });
  const written = await tools.store.decide(row.id, {
    ...{ merged: [], replaces: true, place: placeOf(tools, facts.id), holder: tools.held.holder },
    ...{ decision: JSON.stringify(plan.decision), sessionId: null },
  });
  if (written === undefined) return { kind: "ended", rowIds: [row.id, ...merged], isStep: false };
  row.decision = JSON.parse(written);
  return await perform(tools, facts, { row, decision: JSON.parse(written), merged });
}

function gatheredText({ event }: QueuedRow, { message }: Decision): Content | undefined {
  if (event.kind !== "message" || event.content.kind !== "text") return undefined;
  const text = typeof message === "string" ? message : textAt(message, "text");
  return text === undefined ? undefined : { kind: "text", text };
}

/**
 * Handles a row whose step failed permanently or too often. The contact is informed once per chat, and the contact's
 * next message is processed.
 */
async function failed(tools: TurnTools, facts: TurnFacts, { row, decision, merged }: Tried): Promise<TurnOutcome> {
  const place = decision?.sessionId ?? decision?.bot?.id ?? null;
  const isTold = place !== null && facts.failedSessionId === place;
  const notices = isTold ? [] : await noticesFor(tools, facts, "failed");
  const isEnded = await tools.store.end({
    ...placeOf(tools, facts.id),
    ...{ rows: [receivedRow(row)], state: "done", reason: "failed", notices },
    ...{ isUndecided: decision === undefined, holder: tools.held.holder },
    ...(place !== null && { toldFailedIn: place }),
  });
  if (isEnded) count(tools, [row], [row.id], "failed");
  return { kind: "ended", rowIds: [row.id, ...merged], isStep: notices.length > 0 };
}

const typingAfterMs = 1_000;

/** Shows that the bot is typing while a step runs for long. Returns a function that stops the sign. */
function showTyping({ deps, connection, sign }: TurnTools, facts: TurnFacts): () => void {
  const message = connection.channel.signs.typing?.();
  if (!message || connection.settings["typing"] === false) return () => {};
  const show = (): void => {
    sign(facts.id, message);
    stopTimer = deps.clock.startTimer(limits.channels.typingAgainMs, show);
  };
  let stopTimer = deps.clock.startTimer(typingAfterMs, show);
  return () => stopTimer();
}

function count(
  { deps, connection }: TurnTools,
  rows: readonly QueuedRow[],
  ids: readonly string[],
  outcome: string,
): void {
  for (const id of ids) {
    const kind = rows.find((row) => row.id === id)?.event.kind ?? "message";
    deps.channelMetrics.count(connection.channel.type, kind, outcome);
  }
}
