import { createBatcher, type OnBatch } from "../../platform/concurrency/batcher.ts";
import type { StatementGate } from "../../platform/concurrency/statement-gate.ts";
import { maySucceedAlone } from "../../platform/database/primary/outage.ts";
import type { Sql } from "../../platform/database/sql.ts";
import type { SessionReaders } from "../reads/session-readers.ts";
import type { StartToSave, StepToSave } from "./records.ts";
import { saveStarts } from "./save-starts.sql.ts";
import { saveSteps } from "./save-steps.sql.ts";

/** Steps saved in one statement. Batches of 16 to 32 measured best; larger ones only make the statement longer. */
const maxBatch = 32;
/** Statements under way at once: they keep a few connections busy and leave the rest to reads. */
const inFlight = 4;

/** Saves steps and starts in batches. */
export type Saves = { readonly steps: Saver<StepToSave>; readonly starts: Saver<StartToSave> };

export type Saver<Row> = {
  /** Resolves to whether the row was saved (false: the session or bot has changed since it was read). Rejects with the row's own error. */
  save(row: Row): Promise<boolean>;
};

/** `onJobs` is called after a save that may have added jobs, `onChanged` with the results that a save has changed, `onTimer` with the times that it has begun; `readers` get its steps. */
export function createSaves(
  sql: Sql,
  {
    onJobs,
    gate,
    onBatch,
    onChanged,
    readers,
    onTimer,
  }: {
    onJobs?: (() => void) | undefined;
    gate?: StatementGate;
    onBatch?: OnBatch | undefined;
    onChanged?: ((resultIds: readonly string[]) => void) | undefined;
    readers?: Pick<SessionReaders, "watched" | "saved"> | undefined;
    onTimer?: ((inMs: number) => void) | undefined;
  } = {},
): Saves {
  const createSaver = <Row extends StepToSave>(
    name: string,
    saveRows: (sql: Sql, rows: readonly Row[]) => Promise<ReadonlySet<string>>,
  ): Saver<Row> => {
    const batcher = createBatcher<Row, boolean>({
      name,
      onBatch,
      async run(rows) {
        const savedIds = await saveRows(sql, rows);
        if (rows.some(({ jobs }) => jobs.length > 0)) onJobs?.();
        for (const { resultId, results, timer } of rows) {
          if (timer?.open?.inMs !== undefined) onTimer?.(timer.open.inMs);
          if (resultId !== null) onChanged?.([resultId, ...results.map((result) => result.resultId)]);
        }
        if (readers && readers.watched.size > 0) {
          for (const { sessionId, revision, response, isEnded } of rows) {
            if (readers.watched.has(sessionId) && savedIds.has(sessionId))
              readers.saved({ sessionId, revision: revision + 1, response, isLast: isEnded });
          }
        }
        return rows.map(({ sessionId }) => savedIds.has(sessionId));
      },
      isTriedAlone: (error, failedAlone) => failedAlone === 0 && maySucceedAlone(error),
      maxBatch,
      inFlight,
      // The reads and threads before a save are bounded, and the step may have performed effects: no save is refused.
      maxWaiting: Number.POSITIVE_INFINITY,
      ...(gate && { gate }),
    });
    return { save: batcher.add };
  };
  return { steps: createSaver("step_saves", saveSteps), starts: createSaver("start_saves", saveStarts) };
}
