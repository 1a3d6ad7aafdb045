import { AppError } from "../errors.ts";
import { createRoad, type Road } from "./statement-gate.ts";

/** How long a row waits for a statement under way before another one begins beside it: several times what a save takes. */
const patienceMs = 20;

/** Takes rows one by one and works on them in groups. */
export type Groups<Row, Answer> = {
  /** Resolves to the row's answer. Rejects with the row's own error, or `server.overloaded` when too many wait. */
  add(row: Row): Promise<Answer>;
};

type Waiting<Row, Answer> = {
  readonly row: Row;
  readonly since: number;
  resolve(answer: Answer): void;
  reject(error: unknown): void;
};

/**
 * Rows that become ready while a statement is under way travel together in the next one: each statement costs far more
 * than a row. Another one beside it begins when half a group waits, or a row has waited for long. A lone row goes
 * at once, when the events that are due now have been heard. When a statement fails for a reason of its rows, each is tried alone.
 */
export function createGroups<Row, Answer>(options: {
  /** The answers in the order of the rows. */
  run(rows: readonly Row[]): Promise<readonly Answer[]>;
  /** Whether an error says nothing about the rows (a lost connection): trying each alone would not help. */
  isShared(error: unknown): boolean;
  most: number;
  inFlight: number;
  /** Rows that may wait. */
  queue: number;
  /** Shared with other groups whose statements these should wait for. */
  road?: Road;
}): Groups<Row, Answer> {
  const { run, isShared, most, road = createRoad() } = options;
  let waiting: Waiting<Row, Answer>[] = [];
  let inFlight = 0;
  let isScheduled = false;
  let isReminded = false;

  const isDue = (): boolean => {
    const [first] = waiting;
    if (!first || inFlight >= options.inFlight) return false;
    return road.isFree() || waiting.length >= most / 2 || performance.now() - first.since >= patienceMs;
  };
  const remind = (): void => {
    if (isReminded || waiting.length === 0) return;
    isReminded = true;
    setTimeout(() => {
      isReminded = false;
      schedule();
    }, patienceMs);
  };
  /** `depart` lets the next statement go: before the answers are given, so that the database need not wait for what follows from them. */
  const attempt = async (group: readonly Waiting<Row, Answer>[], depart: () => void): Promise<void> => {
    try {
      const answers = await run(group.map(({ row }) => row));
      depart();
      for (const [index, { resolve, reject }] of group.entries()) {
        const answer = answers[index];
        if (answer === undefined) reject(new Error("A group gave fewer answers than it has rows"));
        else resolve(answer);
      }
    } catch (error) {
      if (group.length > 1 && !isShared(error)) for (const lone of group) await attempt([lone], () => {});
      else for (const { reject } of group) reject(error);
      depart();
    }
  };
  const next = (): void => {
    isScheduled = false;
    while (isDue()) {
      const group = waiting.slice(0, most);
      waiting = waiting.slice(most);
      inFlight++;
      const leave = road.enter();
      void attempt(group, () => {
        inFlight--;
        leave();
      });
    }
    remind();
  };
  const schedule = (): void => {
    if (isScheduled || waiting.length === 0 || inFlight >= options.inFlight) return;
    isScheduled = true;
    setImmediate(next);
  };
  // Those who wait look in the order in which they came: the first of them takes the road.
  road.join({
    waitsSince: () => waiting[0]?.since,
    look: next,
  });
  return {
    add: (row) =>
      new Promise((resolve, reject) => {
        if (waiting.length >= options.queue) {
          throw new AppError("server.overloaded", { data: { waiting: waiting.length } });
        }
        waiting.push({ row, since: performance.now(), resolve, reject });
        schedule();
      }),
  };
}
