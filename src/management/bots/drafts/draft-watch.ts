import { hasEdit } from "../../../core/editing/changes/older-editors.ts";
import { AppError } from "../../../errors.ts";
import { limits } from "../../../limits/index.ts";
import type { Clock } from "../../../platform/concurrency/clock.ts";
import { type PollLoop, startPollLoop } from "../../../platform/concurrency/poll-loop.ts";
import type { Sql } from "../../../platform/database/sql.ts";
import type { Log } from "../../../platform/observing/log.ts";
import { type ChangeSetRow, presentIn, readWatched, type WatchedRow } from "./bot-changes.sql.ts";
import { listLiveWatchers, watcherKey } from "./live-callers.sql.ts";
import type { PresenceRow } from "./presences.sql.ts";

/** An event for a watcher of a bot. `closed` is the last event. */
export type DraftEvent =
  | { readonly kind: "changes"; readonly sets: readonly ChangeSetRow[] }
  | { readonly kind: "presence"; readonly present: readonly PresenceRow[] }
  | { readonly kind: "published"; readonly number: number | null }
  /** Sent after a change of the bot's comments. */
  | { readonly kind: "comments"; readonly revision: number }
  /**
   * `behind`: the log starts after the watcher's revision, or contains a kind of change that the watcher does not
   * support. `elsewhere`: a newer watcher displaced this watcher (`displacedBy`). `stopping`: this process ends.
   */
  | { readonly kind: "closed"; readonly reason: "archived" | "forbidden" | "behind" | "elsewhere" | "stopping" };

/**
 * Reports changes of drafts to their watchers. Changes by this process are reported immediately, and changes by other
 * processes within a second. One statement reads all watched bots, and another checks the watchers' rights. A watcher
 * whose token was revoked or whose user was removed before a change gets no report of this change. The states are:
 *
 *     idle ─ the first watcher starts ──────────→ polling
 *     polling ─ wake(), or a second has passed ─→ polling: reads and reports changes
 *     polling ─ the last watcher has ended ─────→ idle
 *     any ─ close() ────────────────────────────→ closed: all watchers are notified
 */
export type DraftWatch = {
  /**
   * Reports the events after a revision until the watch ends. Returns a function that ends the watch. A new watcher may
   * end the watch of another watcher (`displacedBy`). Throws `server.overloaded` if this bot has too many watchers, or
   * after `close`.
   */
  watch(place: WatchedPlace, send: (event: DraftEvent) => void): () => void;
  /** Called when this process has changed something that watchers are notified of. */
  wake(): void;
  close(): Promise<void>;
};

export type WatchedPlace = {
  readonly botId: string;
  readonly userId: string;
  /** The watcher's token or sign-in. If it ends or loses the right to read the bot, the watch ends. */
  readonly callerId: string;
  readonly after: number;
  /** Whether the watcher supports edits of texts. */
  readonly knowsEdits: boolean;
};

const everyMs = 1_000;
const longestPauseMs = 10_000;

type Watcher = {
  readonly userId: string;
  readonly callerId: string;
  readonly knowsEdits: boolean;
  /** The people present that were last reported to the watcher, as JSON. */
  present: string;
  after: number;
  publicationNumber: number | null | undefined;
  commentRevision: number | undefined;
  readonly send: (event: DraftEvent) => void;
};

export function createDraftWatch({ sql, log, clock }: { sql: Sql; log: Log; clock: Clock }): DraftWatch {
  const watchers = new Map<string, Set<Watcher>>();
  let loop: PollLoop | undefined;
  let isClosed = false;

  const end = (botId: string, watcher: Watcher): void => {
    const ofBot = watchers.get(botId);
    ofBot?.delete(watcher);
    if (ofBot?.size === 0) watchers.delete(botId);
    if (watchers.size > 0 || !loop) return;
    void loop.stop();
    loop = undefined;
  };
  const read = async (): Promise<void> => {
    const watched = [...watchers].map(([botId, ofBot]) => ({
      botId,
      after: Math.min(...[...ofBot].map(({ after }) => after)),
    }));
    if (watched.length === 0) return;
    const limit = limits.lists.pageSize;
    const asked = [...watchers].flatMap(([botId, ofBot]) => [...ofBot].map(({ callerId }) => ({ botId, callerId })));
    const askedKeys = new Set(asked.map(watcherKey));
    const rows = await readWatched(sql, watched, { limit });
    // Rights are checked after the changes are read, so that a user who lost the right before a change was saved does
    // not get this change.
    const live = await listLiveWatchers(sql, asked);
    for (const [botId, ofBot] of watchers) {
      for (const watcher of ofBot) {
        // The query does not contain watchers that were added after it was sent. The next query checks them.
        const key = watcherKey({ botId, callerId: watcher.callerId });
        if (live.has(key) || !askedKeys.has(key)) continue;
        watcher.send({ kind: "closed", reason: "forbidden" });
        end(botId, watcher);
      }
    }
    let isBehind = false;
    for (const [botId, ofBot] of Map.groupBy(rows, (row) => row.botId)) {
      const sets = ofBot.flatMap(setOf);
      const last = sets.at(-1)?.revision ?? 0;
      isBehind ||= ofBot.some(({ draftRevision }) => draftRevision !== null && last > 0 && draftRevision > last);
      for (const watcher of [...(watchers.get(botId) ?? [])]) {
        if (sendNews(watcher, ofBot[0], sets)) end(botId, watcher);
      }
    }
    if (isBehind) loop?.wake();
  };
  return {
    watch({ botId, userId, callerId, after, knowsEdits }, send) {
      if (isClosed) throw new AppError("server.overloaded");
      const ofBot = watchers.get(botId) ?? new Set();
      const displaced = displacedBy(userId, ofBot);
      const watcher: Watcher = {
        userId,
        callerId,
        knowsEdits,
        present: "[]",
        after,
        publicationNumber: undefined,
        commentRevision: undefined,
        send,
      };
      watchers.set(botId, ofBot.add(watcher));
      if (displaced) {
        displaced.send({ kind: "closed", reason: "elsewhere" });
        end(botId, displaced);
      }
      const onFailure = (error: unknown) => log.warn("Changes of drafts could not be read", { error });
      if (loop) loop.wake();
      else loop = startPollLoop({ everyMs, maxPauseMs: longestPauseMs, run: read, onFailure, clock });
      return () => end(botId, watcher);
    },
    wake: () => loop?.wake(),
    async close() {
      isClosed = true;
      for (const [botId, ofBot] of watchers) {
        for (const watcher of [...ofBot]) {
          watcher.send({ kind: "closed", reason: "stopping" });
          end(botId, watcher);
        }
      }
    },
  };
}

/**
 * Returns the watcher to close when a user starts to watch a bot; undefined if no maximum is reached. A user at their
 * own maximum loses their oldest watcher. If the bot is at its maximum, the user with the most watchers loses the
 * oldest one, or else the starting user does. No user loses their only watcher to another user. Throws
 * `server.overloaded` if no watcher can be closed.
 */
function displacedBy(userId: string, ofBot: ReadonlySet<Watcher>): Watcher | undefined {
  const byUser = Map.groupBy(ofBot, (watcher) => watcher.userId);
  const own = byUser.get(userId) ?? [];
  if (own.length >= limits.editing.watchersPerUser) return own[0];
  if (ofBot.size < limits.editing.watchersPerBot) return undefined;
  const most = [...byUser.values()].reduce((one, other) => (other.length > one.length ? other : one), own);
  // The other user must still have at least as many watchers as this user afterwards.
  const [oldest] = most.length > own.length + 1 ? most : own;
  if (!oldest) throw new AppError("server.overloaded");
  return oldest;
}

/** Sends new events to a watcher. Returns whether the last event was `closed`. */
function sendNews(watcher: Watcher, bot: WatchedRow | undefined, sets: readonly ChangeSetRow[]): boolean {
  const news = sets.filter(({ revision }) => revision > watcher.after);
  const [first] = news;
  const isUnknown = !watcher.knowsEdits && news.some(hasEdit);
  if (isUnknown || (first && first.revision > watcher.after + 1)) {
    watcher.send({ kind: "closed", reason: "behind" });
    return true;
  }
  if (first) watcher.send({ kind: "changes", sets: news });
  watcher.after = news.at(-1)?.revision ?? watcher.after;
  const number = bot?.publicationNumber ?? null;
  if (watcher.publicationNumber !== undefined && watcher.publicationNumber !== number) {
    watcher.send({ kind: "published", number });
  }
  watcher.publicationNumber = number;
  const revision = bot?.commentRevision ?? 0;
  if (watcher.commentRevision !== undefined && watcher.commentRevision !== revision) {
    watcher.send({ kind: "comments", revision });
  }
  watcher.commentRevision = revision;
  const present = bot ? presentIn(bot) : [];
  const isNew = watcher.present !== JSON.stringify(present);
  watcher.present = JSON.stringify(present);
  if (isNew) watcher.send({ kind: "presence", present });
  if (bot?.isOpen) return false;
  watcher.send({ kind: "closed", reason: "archived" });
  return true;
}

function setOf({ revision, id, title, changes, origin, userId, userName, createdAt }: WatchedRow): ChangeSetRow[] {
  const isThere = revision !== null && id !== null && title !== null && changes && createdAt;
  return isThere ? [{ revision, id, title, changes, origin, userId, userName, createdAt }] : [];
}
