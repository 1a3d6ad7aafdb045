import type { Log } from "../log.ts";

/** Says once that the database cannot be reached, however many ask, and once that it can again. */
export type Outage = {
  failed(error: unknown): void;
  passed(): void;
};

export function createOutage(log: Log): Outage {
  let isFailing = false;
  return {
    failed(error) {
      if (!isFailing) log.warn("Jobs wait: the queue cannot be reached at the moment", { error });
      isFailing = true;
    },
    passed() {
      if (isFailing) log.info("Jobs go on: the queue can be reached again");
      isFailing = false;
    },
  };
}
