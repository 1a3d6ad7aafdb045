import type { ServerAddress } from "./address.ts";
import { createPrimaryMemory, type PrimaryMemory } from "./primary-judgement.ts";
import type { Findings } from "./primary-search.ts";

/**
 * The knowledge about the database's servers that all pools of a process share. One pool watches the servers and
 * notifies the other pools when a server must no longer be used.
 */
export type WriteWatch = {
  readonly memory: PrimaryMemory;
  /**
   * Records that a statement has just shown that the server accepts writes. The server is not probed again for some
   * time.
   */
  confirm(): void;
  /** The time of the last `confirm` call. */
  readonly confirmedAt: number;
  left(server: ServerAddress): void;
  onLeft(listener: (server: ServerAddress) => void): void;
  /** Reports the state of the servers and the choice of the primary. */
  report(findings: Findings): void;
};

export function createWriteWatch({
  memory = createPrimaryMemory(),
  onReport = () => {},
}: {
  readonly memory?: PrimaryMemory;
  readonly onReport?: (findings: Findings) => void;
} = {}): WriteWatch {
  const listeners: ((server: ServerAddress) => void)[] = [];
  let confirmedAt = Number.NEGATIVE_INFINITY;
  return {
    memory,
    confirm() {
      confirmedAt = performance.now();
    },
    get confirmedAt() {
      return confirmedAt;
    },
    left(server) {
      for (const listener of listeners) listener(server);
    },
    onLeft: (listener) => void listeners.push(listener),
    report: onReport,
  };
}

/** One pool of a process watches the servers, so that the other pools need no connection for this. */
export type WatchRole = { readonly leads: WriteWatch } | { readonly follows: WriteWatch };
