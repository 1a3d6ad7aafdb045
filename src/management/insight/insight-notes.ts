import { limits } from "../../limits/index.ts";
import { type Clock, systemClock } from "../../platform/concurrency/clock.ts";
import { type PollLoop, startPollLoop } from "../../platform/concurrency/poll-loop.ts";
import type { Sql } from "../../platform/database/sql.ts";
import { noteChangedResults } from "../counts/counted-results.sql.ts";
import { addPageViews } from "../counts/page-views.sql.ts";

/** The interval at which a process writes its notes, and the longest wait during an outage of the database. */
const everyMs = 10_000;
const maxPauseMs = 60_000;
/** The number of results in one statement, which is small so that the statement holds its locks only briefly. */
const batch = 500;

/**
 * The page views and changed results that a process has noted. They are stored only in memory, so that a note takes no
 * time.
 */
export type InsightNotes = {
  /** Records that a chat page was shown at this bot's public id. */
  notePageView(publicId: string): void;
  /**
   * Records that steps have changed or created these results. Without this call, the results would be counted later.
   */
  noteChanged(resultIds: readonly string[]): void;
  /** Returns and removes the notes since the last call. */
  take(): Noted;
};

type Noted = { readonly pageViews: ReadonlyMap<string, number>; readonly changed: readonly string[] };

export function createInsightNotes(): InsightNotes {
  let pageViews = new Map<string, number>();
  let changed = new Set<string>();
  return {
    notePageView(publicId) {
      const key = publicId.toLowerCase();
      const count = pageViews.get(key);
      if (count === undefined && pageViews.size >= limits.insight.notedBots) return;
      pageViews.set(key, (count ?? 0) + 1);
    },
    noteChanged(resultIds) {
      for (const resultId of resultIds) if (changed.size < limits.insight.notedResults) changed.add(resultId);
    },
    take() {
      const noted = { pageViews, changed: [...changed] };
      pageViews = new Map();
      changed = new Set();
      return noted;
    },
  };
}

export type NoteWriter = Pick<PollLoop, "stop">;

/**
 * Writes the notes every ten seconds, if there are any. A failed write is not repeated, because it may have succeeded.
 * The page views of ten seconds may be lost, but no page view is counted twice.
 */
export function startNoteWriter(
  sql: Sql,
  notes: InsightNotes,
  { onFailure, clock = systemClock }: { onFailure: (error: unknown) => void; clock?: Clock },
): NoteWriter {
  const write = () => writeNotes(sql, notes);
  const loop = startPollLoop({ everyMs, maxPauseMs, startsWaiting: true, run: write, onFailure, clock });
  return {
    async stop() {
      await loop.stop();
      await write().catch(onFailure);
    },
  };
}

async function writeNotes(sql: Sql, notes: InsightNotes): Promise<void> {
  const { pageViews, changed } = notes.take();
  if (pageViews.size > 0) {
    await addPageViews(
      sql,
      [...pageViews].map(([publicId, count]) => ({ publicId, count })),
    );
  }
  for (let at = 0; at < changed.length; at += batch) await noteChangedResults(sql, changed.slice(at, at + batch));
}
