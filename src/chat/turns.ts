import { AppError } from "../errors.ts";
import { limits } from "../limits.ts";

/** One step at a time for each session, within this process. */
export type Turns = {
  /**
   * Runs the task when all earlier ones of the same name have ended. Refuses with `session.busy` when too many wait or
   * the wait is too long.
   */
  take<T>(name: string, task: () => Promise<T>): Promise<T>;
};

type Line = { readonly waiters: Set<() => void> };

export function createTurns({ queue = limits.session.queue, waitMs = limits.session.waitMs } = {}): Turns {
  const lines = new Map<string, Line>();

  const leave = (name: string, line: Line): void => {
    const [next] = line.waiters;
    if (!next) {
      lines.delete(name);
      return;
    }
    line.waiters.delete(next);
    next();
  };
  return {
    async take(name, task) {
      const line = lines.get(name);
      if (!line) lines.set(name, { waiters: new Set() });
      else if (line.waiters.size >= queue) throw new AppError("session.busy", { data: { waiting: line.waiters.size } });
      else await wait(line, waitMs);
      const own = lines.get(name);
      try {
        return await task();
      } finally {
        if (own) leave(name, own);
      }
    },
  };
}

function wait(line: Line, waitMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const turn = (): void => {
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(() => {
      line.waiters.delete(turn);
      reject(new AppError("session.busy", { data: { waitedMs: waitMs } }));
    }, waitMs);
    line.waiters.add(turn);
  });
}
