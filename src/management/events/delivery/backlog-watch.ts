import type { Mailer } from "../../../effects/mail/email.ts";
import { limits } from "../../../limits/index.ts";
import type { Clock } from "../../../platform/concurrency/clock.ts";
import { startPollLoop } from "../../../platform/concurrency/poll-loop.ts";
import { boundAnswers } from "../../../platform/database/primary/answer-bound.ts";
import type { Sql } from "../../../platform/database/sql.ts";
import { newId } from "../../../platform/ids.ts";
import type { Log } from "../../../platform/observing/log.ts";
import { listAdminAddresses } from "../../access/admin-addresses.sql.ts";
import { type Backlog, type BacklogMark, listBacklogs, markBacklog } from "./backlog.sql.ts";
import type { EventMetrics } from "./metrics.ts";

const everyMs = 30_000;
/** The timeout of the query, which counts up to 100,000 events of each endpoint that has pending events. */
const answerMs = 120_000;

export type BacklogWatchParts = {
  readonly sql: Sql;
  readonly log: Log;
  readonly mailer: Mailer;
  readonly metrics: EventMetrics;
  readonly outage: { failed(error: unknown): void };
  readonly clock?: Clock;
};

export type BacklogWatch = {
  /** Called when there are pending events. */
  wake(): void;
  stop(): Promise<void>;
};

/**
 * Checks the backlogs of endpoints twice a minute, while there are any. Notifies the workspace with a log line, in the
 * endpoint itself and with a mail to its ADMINs. The states of an endpoint are:
 *
 *     keeping up ─ the oldest event reaches `fallingBehindSeconds` ──────→ falling behind: a notice is sent
 *     falling behind ─ the oldest event is abandoned within a day ───────→ giving up: another notice is sent
 *     falling behind or giving up ─ oldest < `fallingBehindSeconds` / 2 ─→ keeping up
 *
 * The node that first marks the endpoint sends the notice. If this node dies before it sends the mail, the log and the
 * endpoint still show the notice.
 */
export function startBacklogWatch(parts: BacklogWatchParts): BacklogWatch {
  const { sql, metrics, outage, clock } = parts;
  const answered = boundAnswers(answerMs);
  let isIdle = false;
  let isWoken = false;
  const loop = startPollLoop({
    everyMs: () => (isIdle ? Number.POSITIVE_INFINITY : everyMs),
    maxPauseMs: everyMs,
    ...(clock && { clock }),
    onFailure: outage.failed,
    async run() {
      const wasWoken = isWoken;
      isWoken = false;
      const backlogs = await answered(listBacklogs(sql));
      for (const backlog of backlogs) {
        const mark = judge(backlog);
        if (mark && (await answered(markBacklog(sql, backlog.endpointId, mark)))) await notify(parts, backlog, mark);
      }
      metrics.setBacklog({
        pending: backlogs.reduce((sum, { pending }) => sum + pending, 0),
        oldestSeconds: Math.max(0, ...backlogs.map(({ oldestSeconds }) => oldestSeconds ?? 0)),
        fallingBehind: backlogs.filter((backlog) => isBehind(backlog)).length,
      });
      // The first check after a wake-up is followed by another check, which finds events that arrived during the first.
      isIdle = backlogs.length === 0 && !wasWoken;
    },
  });
  return {
    wake() {
      if (!isIdle) return;
      isIdle = false;
      isWoken = true;
      loop.wake();
    },
    stop: loop.stop,
  };
}

/** Whether an endpoint counts as falling behind, according to its mark and its current backlog. */
function isBehind(backlog: Backlog): boolean {
  const mark = judge(backlog);
  return mark === undefined ? backlog.isFallingBehind : mark !== "caught_up";
}

/** Returns the new mark of an endpoint; undefined if its mark does not change. */
export function judge(backlog: Backlog): BacklogMark | undefined {
  const { oldestSeconds, giveUpSeconds, isFallingBehind, isGivingUpNotified } = backlog;
  const { fallingBehindSeconds } = limits.events;
  if (!isFallingBehind) return (oldestSeconds ?? 0) >= fallingBehindSeconds ? "falling_behind" : undefined;
  if ((oldestSeconds ?? 0) < fallingBehindSeconds / 2) return "caught_up";
  return !isGivingUpNotified && giveUpSeconds !== null && giveUpSeconds <= limits.events.givingUpHours * 3_600
    ? "giving_up"
    : undefined;
}

async function notify({ sql, log, mailer }: BacklogWatchParts, backlog: Backlog, mark: BacklogMark): Promise<void> {
  const { endpointId, workspaceId, pending, oldestSeconds } = backlog;
  const facts = { event: `endpoint.${mark}`, endpointId, workspaceId, pending, oldestSeconds };
  if (mark === "caught_up") {
    log.info("An event endpoint has caught up", facts);
    return;
  }
  log.warn(sentences[mark], facts);
  const to = await boundAnswers()(listAdminAddresses(sql, { workspaceId, limit: limits.mails.recipients }));
  if (to.length === 0) return;
  const body = { text: textOf(backlog, sentences[mark]) };
  const delivery = await mailer.send(
    { to, cc: [], bcc: [], subject: `${sentences[mark]}: ${hostOf(backlog)}`, body },
    newId(),
  );
  if (delivery.kind === "failed")
    log.info("The workspace's ADMINs could not be notified by mail", { endpointId, reason: delivery.reason });
}

const sentences = {
  falling_behind: "An event endpoint is falling behind",
  giving_up: "Events of an endpoint will soon be dropped",
} as const;

function textOf({ url, endpointId, pending, oldestSeconds }: Backlog, sentence: string): string {
  const counted = pending >= limits.events.countedPending ? `${pending} or more` : String(pending);
  return [
    `${sentence}: ${url} (${endpointId}).`,
    `Events that wait for this endpoint: ${counted}. The oldest event has waited for ${Math.round((oldestSeconds ?? 0) / 60)} minutes.`,
    "Parley drops each event about three days after it happened. The endpoint's delivery log shows the receiver's responses.",
    "If the receiver is too slow, allow more concurrent calls (maxConcurrency), or several events per call (batchSize).",
  ].join("\n\n");
}

function hostOf({ url }: Backlog): string {
  return URL.parse(url)?.host ?? url;
}
