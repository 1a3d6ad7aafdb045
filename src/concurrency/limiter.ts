import { AppError } from "../errors.ts";

/** Lets a bounded number of tasks run at once, and a bounded number wait, in the order they came. */
export type Lane = {
  /** Runs the task when its turn comes. Refuses with `server.overloaded` when too many wait already. */
  run<T>(task: () => Promise<T>): Promise<T>;
  readonly waiting: number;
};

export function createLane({ width, queue }: { width: number; queue: number }): Lane {
  const waiters: (() => void)[] = [];
  let running = 0;

  const leave = (): void => {
    const next = waiters.shift();
    if (next) next();
    else running--;
  };
  return {
    get waiting() {
      return waiters.length;
    },
    async run(task) {
      if (running < width) running++;
      else if (waiters.length < queue) await new Promise<void>((resolve) => waiters.push(resolve));
      else throw new AppError("server.overloaded", { data: { waiting: waiters.length } });
      try {
        return await task();
      } finally {
        leave();
      }
    },
  };
}
