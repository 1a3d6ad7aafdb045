import type { Log } from "../log.ts";

/** Logs once when the database becomes unreachable, however many loops fail, and once when it is reachable again. */
export type Outage = {
  failed(error: unknown): void;
  recovered(): void;
};

export function createOutage(log: Log): Outage {
  let isFailing = false;
  return {
    failed(error) {
      if (!isFailing) log.warn("Jobs wait: the queue cannot be reached at the moment", { error });
      isFailing = true;
    },
    recovered() {
      if (isFailing) log.info("Jobs go on: the queue can be reached again");
      isFailing = false;
    },
  };
}
