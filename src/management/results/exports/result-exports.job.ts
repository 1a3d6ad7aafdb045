import { type Static, Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { AppError } from "../../../errors.ts";
import { limits } from "../../../limits/index.ts";
import { type Clock, systemClock } from "../../../platform/concurrency/clock.ts";
import type { Sql } from "../../../platform/database/sql.ts";
import { type Log, shortId } from "../../../platform/observing/log.ts";
import type { CleanUp } from "../../../platform/queue/clean-up.ts";
import type { OutboxRow } from "../../../platform/queue/outbox.sql.ts";
import type { Handler, JobOutcome } from "../../../platform/queue/workers.ts";
import { discard, receiveFile } from "../../../platform/storage/arrival.ts";
import type { Storage } from "../../../platform/storage/storage.ts";
import { findBot } from "../../bots/bots.sql.ts";
import { countExpected } from "../result-search.sql.ts";
import { AttemptOver, createExportParts, removeParts } from "./export-parts.ts";
import {
  beginExport,
  deleteExports,
  type ExportAttempt,
  type ExportParts,
  giveUpExport,
  isLastAttempt,
  listEndedExports,
  markReady,
  noteAsOf,
  noteProgress,
} from "./result-exports.sql.ts";
import { awaitIndex, exportTypes, writeResults } from "./result-exports.ts";

/** The maximum number of exports that the clean-up deletes before it looks for more. */
const batch = 20;

/** The interval for recording progress, and for checking whether the export was deleted. */
const noteMs = 1_000;

const ExportJob = Type.Object({ exportId: Type.String() });
type ExportJob = Static<typeof ExportJob>;

/** Creates the job of an export in the outbox. */
export function exportJob({ id }: OutboxRow): ExportJob {
  return { exportId: id };
}

type Tools = {
  readonly sql: Sql;
  readonly log: Log;
  readonly storage: Storage;
  readonly clock?: Clock;
  readonly noteEveryMs?: number;
  readonly partCharacters?: number;
};

/**
 * Creates exports: writes the results to a temporary file, moves the file to the storage, and reports it. The pages of
 * a large export are also stored in parts. A later attempt reads these parts and continues after them, so that it
 * produces the same file.
 */
export function makeExports({
  sql,
  log,
  storage,
  clock = systemClock,
  noteEveryMs = noteMs,
  partCharacters = limits.resultExports.partCharacters,
}: Tools): Handler {
  return async ({ data, signal }) => {
    const { exportId } = Value.Parse(ExportJob, data);
    const wanted = await beginExport(sql, exportId);
    if (!wanted) return await dropped(storage, exportId, null);
    const bot = await findBot(sql, wanted.botId);
    if (!bot) {
      await giveUpExport(sql, exportId, binned);
      return await dropped(storage, exportId, wanted.parts);
    }
    const { format, list, attempt } = wanted;
    const parts = createExportParts({
      sql,
      storage,
      exportId,
      attempt,
      parts: wanted.parts,
      characters: partCharacters,
    });
    const expected = await countExpected(sql, list);
    const written = wanted.parts?.results ?? 0;
    const progress = createProgress({ sql, exportId, attempt, expected, everyMs: noteEveryMs, written });
    let isWanted = true;
    const over = async (): Promise<JobOutcome> => {
      // Another attempt may be creating the export now. The file then belongs to that attempt.
      if (!(await isLastAttempt(sql, { exportId, attempt })))
        return { kind: "done", message: "Another process is creating this export" };
      await parts.remove();
      return await dropped(storage, exportId, null);
    };
    const onResults = async (count: number): Promise<void> => {
      signal.throwIfAborted();
      isWanted = await progress.add(count);
      if (!isWanted) throw new Error(nobody);
    };
    try {
      const reads = {
        ...{ sql, clock, signal },
        replica: { read: <Found>(work: (from: Sql) => Promise<Found>) => work(sql), mayBeOlder: false },
      };
      const asOf = await awaitIndex(reads, list, wanted.createdAt);
      await noteAsOf(sql, { exportId, attempt }, asOf);
      const { earlier, add: onPage } = parts;
      const file = { bot, list, format, asOf, onResults, onPage, ...(earlier && { earlier }) };
      const content = await writeResults(reads, file);
      const arrival = await receiveFile(content, { folder: storage.arrivals, maxBytes: limits.resultExports.bytes });
      if (arrival === "too large") {
        await parts.remove();
        return await tooLarge(sql, exportId);
      }
      try {
        await storage.keep(exportId, {
          path: arrival.path,
          type: exportTypes[format],
          timeoutMs: limits.resultExports.keepMs,
        });
      } finally {
        await discard(arrival);
      }
      const written = progress.count();
      const { hours } = limits.resultExports;
      const isReady = await markReady(sql, { exportId, attempt, written, bytes: arrival.bytes, hours });
      if (!isReady) return await over();
      await parts.remove();
      return { kind: "done", message: `Wrote ${written} results, ${arrival.bytes} bytes` };
    } catch (error) {
      if (!isWanted || isOver(error)) return await over();
      const isAwaited = error instanceof AppError && error.code === "results.not_counted";
      if (!signal.aborted && !isAwaited) log.error("An export failed", { error, export: shortId(exportId) });
      const problem = isAwaited
        ? messageOf(error)
        : "The export failed several times. Request it again, or ask the operator for the reason.";
      return {
        kind: "failed",
        message: signal.aborted ? "The process is stopping, and another process will continue" : messageOf(error),
        isRetryable: true,
        async onGivenUp() {
          await giveUpExport(sql, exportId, problem);
          await parts.remove();
        },
      };
    }
  };
}

/** Deletes exports that have expired or were deleted, with their files. */
export function endedExports(sql: Sql, storage: Storage): CleanUp {
  return {
    name: "ended-exports",
    cron: "* * * * *",
    async removeSome() {
      const ended = await listEndedExports(sql, batch);
      for (const { id, parts } of ended) {
        await storage.remove(id);
        await removeParts(storage, parts);
      }
      if (ended.length > 0) {
        await deleteExports(
          sql,
          ended.map(({ id }) => id),
        );
      }
      return ended.length;
    },
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

const nobody = "The export was deleted";
const binned = "The bot is in the bin. Restore it, and request the export again.";

/** Deletes the file and the parts of a deleted export, which a process may have stored just before it died. */
async function dropped(storage: Storage, exportId: string, parts: ExportParts | null): Promise<JobOutcome> {
  await storage.remove(exportId);
  await removeParts(storage, parts);
  return { kind: "done", message: nobody };
}

async function tooLarge(sql: Sql, exportId: string): Promise<JobOutcome> {
  const problem = "The file would be larger than 4 GB. Request a shorter window of time.";
  await giveUpExport(sql, exportId, problem);
  return { kind: "done", message: problem };
}

/**
 * Whether the error means that the export has ended. If the reader of pages throws this error, the reader of the file
 * wraps it.
 */
function isOver(error: unknown): boolean {
  return error instanceof AttemptOver || (error instanceof Error && error.cause instanceof AttemptOver);
}

type Export = ExportAttempt & {
  readonly sql: Sql;
  /** The number of results that earlier attempts have written. */
  readonly written: number;
  readonly expected: number | null;
  readonly everyMs: number;
};

/** Counts results, and records their number at intervals. */
function createProgress({ sql, exportId, attempt, expected, everyMs, written: before }: Export) {
  let written = before;
  let notedAt = Number.NEGATIVE_INFINITY;
  return {
    count: () => written,
    /**
     * Counts results, and records their number if the interval has passed. Returns false if it then finds that the
     * export was deleted, or that another attempt creates it.
     */
    async add(count: number): Promise<boolean> {
      written += count;
      const now = performance.now();
      if (now - notedAt < everyMs) return true;
      notedAt = now;
      return await noteProgress(sql, { exportId, attempt, written, expected });
    },
  };
}
