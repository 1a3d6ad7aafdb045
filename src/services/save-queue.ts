import { limits } from "../limits.ts";

/** Takes rows one by one and saves them in groups. */
export type SaveQueue<Row> = {
  /** Resolves to whether the row was saved (false: somebody else was first). Rejects with the row's own error. */
  save(row: Row): Promise<boolean>;
};

type Waiting<Row> = { readonly row: Row; resolve(isSaved: boolean): void; reject(error: unknown): void };

/**
 * Rows that become ready while saves are under way travel together in the next statement; a lone row is saved at once.
 * When a statement fails for a reason of its rows, each is tried alone. `idOf` names a row: two of one name never
 * travel together.
 */
export function createSaveQueue<Row>(options: {
  saveRows(rows: readonly Row[]): Promise<ReadonlySet<string>>;
  idOf(row: Row): string;
  /** Whether an error says nothing about the rows (a lost connection): trying each alone would not help. */
  isShared(error: unknown): boolean;
}): SaveQueue<Row> {
  const { saveRows, idOf, isShared } = options;
  let waiting: Waiting<Row>[] = [];
  let inFlight = 0;

  const attempt = async (group: readonly Waiting<Row>[]): Promise<void> => {
    try {
      const saved = await saveRows(group.map(({ row }) => row));
      for (const { row, resolve } of group) resolve(saved.has(idOf(row)));
    } catch (error) {
      if (group.length === 1 || isShared(error)) for (const { reject } of group) reject(error);
      else for (const lone of group) await attempt([lone]);
    }
  };
  const next = (): void => {
    if (inFlight >= limits.savesInFlight || waiting.length === 0) return;
    const group = waiting.slice(0, limits.saveGroup);
    waiting = waiting.slice(limits.saveGroup);
    inFlight++;
    void attempt(group).finally(() => {
      inFlight--;
      next();
    });
  };
  return {
    save: (row) =>
      new Promise((resolve, reject) => {
        waiting.push({ row, resolve, reject });
        next();
      }),
  };
}
