/** Takes rows one by one and works on them in groups. */
export type Groups<Row, Answer> = {
  /** Resolves to the row's answer. Rejects with the row's own error. */
  add(row: Row): Promise<Answer>;
};

type Waiting<Row, Answer> = { readonly row: Row; resolve(answer: Answer): void; reject(error: unknown): void };

/**
 * Rows that become ready while statements are under way travel together in the next one; a lone row is not kept waiting
 * by any timer, only until the events that are due now have been heard. When a statement fails for a reason of its
 * rows, each is tried alone.
 */
export function createGroups<Row, Answer>(options: {
  /** The answers in the order of the rows. */
  run(rows: readonly Row[]): Promise<readonly Answer[]>;
  /** Whether an error says nothing about the rows (a lost connection): trying each alone would not help. */
  isShared(error: unknown): boolean;
  most: number;
  inFlight: number;
}): Groups<Row, Answer> {
  const { run, isShared, most } = options;
  let waiting: Waiting<Row, Answer>[] = [];
  let inFlight = 0;
  let isScheduled = false;

  const attempt = async (group: readonly Waiting<Row, Answer>[]): Promise<void> => {
    try {
      const answers = await run(group.map(({ row }) => row));
      for (const [index, { resolve, reject }] of group.entries()) {
        const answer = answers[index];
        if (answer === undefined) reject(new Error("A group gave fewer answers than it has rows"));
        else resolve(answer);
      }
    } catch (error) {
      if (group.length === 1 || isShared(error)) for (const { reject } of group) reject(error);
      else for (const lone of group) await attempt([lone]);
    }
  };
  const next = (): void => {
    isScheduled = false;
    while (inFlight < options.inFlight && waiting.length > 0) {
      const group = waiting.slice(0, most);
      waiting = waiting.slice(most);
      inFlight++;
      void attempt(group).finally(() => {
        inFlight--;
        schedule();
      });
    }
  };
  const schedule = (): void => {
    if (isScheduled || waiting.length === 0 || inFlight >= options.inFlight) return;
    isScheduled = true;
    setImmediate(next);
  };
  return {
    add: (row) =>
      new Promise((resolve, reject) => {
        waiting.push({ row, resolve, reject });
        schedule();
      }),
  };
}
