import type { ServerAddress } from "./address.ts";
import { createPrimaryMemory, type PrimaryMemory } from "./primary-judgement.ts";
import type { Findings } from "./primary-search.ts";

/**
 * The shared knowledge of all pools of a process about the database's servers. One pool watches the servers, and
 * notifies the others when a server must be left.
 */
export type WriteWatch = {
  readonly memory: PrimaryMemory;
  /** A statement has shown that the server accepts writes, so the server need not be asked for some time. */
  confirm(): void;
  /** The time of that statement. */
  readonly confirmedAt: number;
  left(server: ServerAddress): void;
  onLeft(listener: (server: ServerAddress) => void): void;
  /** The servers' facts about themselves, and the conclusions from them. */
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

/** One pool of a node watches, so that the others need no connection for this. */
export type WatchRole = { readonly leads: WriteWatch } | { readonly follows: WriteWatch };
