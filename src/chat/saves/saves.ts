import { createBatcher, type OnBatch } from "../../platform/concurrency/batcher.ts";
import { type Clock, systemClock } from "../../platform/concurrency/clock.ts";
import type { StatementGate } from "../../platform/concurrency/statement-gate.ts";
import { maySucceedAlone } from "../../platform/database/primary/outage.ts";
import type { OlderNodes } from "../../platform/database/schema/older-nodes.ts";
import type { Sql } from "../../platform/database/sql.ts";
import type { SessionReaders } from "../reads/session-readers.ts";
import type { Beside, StartToSave, StepToSave } from "./records.ts";
import { saveStarts } from "./save-starts.sql.ts";
import { saveSteps } from "./save-steps.sql.ts";

/**
 * The maximum number of steps that one statement saves. Batches of 16 to 32 were the fastest; larger batches only make
 * the statement longer.
 */
const maxBatch = 32;
/** The maximum number of concurrent statements. They use a few connections, and reads use the other connections. */
const inFlight = 4;

/**
 * After `askAgainMs`, the process checks again whether older nodes are connected. After `tooOldMs` without a result,
 * saves assume that older nodes are connected.
 */
const askAgainMs = 15_000;
const tooOldMs = 60_000;

/** Saves steps and starts in batches. */
export type Saves = { readonly steps: Saver<StepToSave>; readonly starts: Saver<StartToSave> };

export type Saver<Row> = {
  /**
   * Saves a row. Resolves to false if the session or bot has changed since it was read. Rejects with the row's own
   * error.
   */
  save(row: Row): Promise<boolean>;
};

/**
 * Creates the batched saves. `readers` receive the saved steps. The callbacks are called after each batch, even for
 * rows that were not saved: `onJobs` if there are jobs, `onChanged` with ids of results, `onTimer` with the ms until a
 * step is due, and `onChannelSteps` with ids of contacts.
 */
export function createSaves(
  sql: Sql,
  {
    onJobs,
    gate,
    onBatch,
    onChanged,
    readers,
    onTimer,
    onChannelSteps,
    olderNodes,
    clock = systemClock,
  }: {
    onJobs?: (() => void) | undefined;
    gate?: StatementGate;
    onBatch?: OnBatch | undefined;
    onChanged?: ((resultIds: readonly string[]) => void) | undefined;
    readers?: Pick<SessionReaders, "watched" | "saved"> | undefined;
    onTimer?: ((inMs: number) => void) | undefined;
    onChannelSteps?: ((contactIds: readonly string[]) => void) | undefined;
    olderNodes?: Pick<OlderNodes, "last" | "look"> | undefined;
    clock?: Clock;
  } = {},
): Saves {
  const beside = (): Beside => {
    const { last } = olderNodes ?? { last: undefined };
    const ageMs = last ? clock.now() - last.at : Number.POSITIVE_INFINITY;
    if (ageMs >= askAgainMs) olderNodes?.look();
    return { isBesideOlder: ageMs >= tooOldMs || last?.areConnected.writers !== false };
  };
  const createSaver = <Row extends StepToSave>(
    name: string,
    saveRows: (sql: Sql, rows: readonly Row[], beside: Beside) => Promise<ReadonlySet<string>>,
  ): Saver<Row> => {
    const batcher = createBatcher<Row, boolean>({
      name,
      onBatch,
      async run(waiting) {
        const rows = untilSameResult(waiting);
        const savedIds = await saveRows(sql, rows, beside());
        if (rows.some(({ jobs }) => jobs.length > 0)) onJobs?.();
        for (const { resultId, results, timer, wakesKeptCalls } of rows) {
          if (timer?.open?.inMs !== undefined) onTimer?.(timer.open.inMs);
          if (wakesKeptCalls) onTimer?.(0);
          if (resultId !== null) onChanged?.([resultId, ...results.map((result) => result.resultId)]);
        }
        const contactIds = contactsOf(rows);
        if (contactIds.length > 0) onChannelSteps?.(contactIds);
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
      // The queue has no limit: the reads and threads before a save are already limited, and the step may have
      // performed effects.
      maxWaiting: Number.POSITIVE_INFINITY,
      ...(gate && { gate }),
    });
    return { save: batcher.add };
  };
  return { steps: createSaver("step_saves", saveSteps), starts: createSaver("start_saves", saveStarts) };
}

const nobody: readonly string[] = [];

function contactsOf(rows: readonly StepToSave[]): readonly string[] {
  if (!rows.some(({ contactId }) => contactId !== undefined)) return nobody;
  return rows.flatMap(({ contactId }) => contactId ?? []);
}

/**
 * Returns the first rows whose results are all different, because a statement changes a row only once. If two steps in
 * different sessions have the same result, the second step waits for the next statement.
 */
function untilSameResult<Row extends StepToSave>(waiting: readonly Row[]): readonly Row[] {
  if (waiting.length === 1) return waiting;
  const resultIds = new Set<string>();
  const again = waiting.findIndex(({ resultId }) => {
    if (resultId === null) return false;
    if (resultIds.has(resultId)) return true;
    resultIds.add(resultId);
    return false;
  });
  return again === -1 ? waiting : waiting.slice(0, again);
}
