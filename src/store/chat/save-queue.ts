import { createGroups } from "../../concurrency/batcher.ts";
import type { Road } from "../../concurrency/statement-gate.ts";

/** Steps saved in one statement. Groups of 16 to 32 measured best; more only makes the statement longer. */
const maxRows = 32;

/** Statements under way at once: they keep a few connections busy and leave the rest to reads. */
const maxInFlight = 4;

/** Takes rows one by one and saves them in groups. */
export type SaveQueue<Row> = {
  /** Resolves to whether the row was saved (false: somebody else was first). Rejects with the row's own error. */
  save(row: Row): Promise<boolean>;
};

/** A queue of rows to be saved; `idOf` names a row in what `saveRows` says it saved. */
export function createSaveQueue<Row>(options: {
  saveRows(rows: readonly Row[]): Promise<ReadonlySet<string>>;
  idOf(row: Row): string;
  isShared(error: unknown): boolean;
  road?: Road;
}): SaveQueue<Row> {
  const { saveRows, idOf, isShared, road } = options;
  const groups = createGroups<Row, boolean>({
    isShared,
    ...(road && { road }),
    most: maxRows,
    inFlight: maxInFlight,
    // Whoever comes here has had a read or a thread's time, which are bounded, and may have performed effects.
    queue: Number.POSITIVE_INFINITY,
    async run(rows) {
      const saved = await saveRows(rows);
      return rows.map((row) => saved.has(idOf(row)));
    },
  });
  return { save: groups.add };
}
