import { createHash } from "node:crypto";
import type { Rule } from "../../limits/rate-rules.ts";
import { type Clock, systemClock } from "../concurrency/clock.ts";
import { type PollLoop, startPollLoop } from "../concurrency/poll-loop.ts";
import type { Usage } from "./keys.ts";
import type { AddedDebt } from "./rate-limits.sql.ts";
import type { CountedRule } from "./rate-limits.ts";

/**
 * The interval of the reports to other processes, and the most keys in a report: the rest waits for the next report.
 */
const everyMs = 1_000;
const maxKeys = 1_000;
/** While the database does not answer, each process decides by itself. */
const maxPauseMs = 30_000;

export type SharingParts = {
  readonly counted: readonly CountedRule[];
  /** Adds to the common debts of all processes, and returns the sum for each key, in the same order. */
  addDebts(added: readonly AddedDebt[]): Promise<readonly number[]>;
  onFailure(error: unknown): void;
  readonly clock?: Clock;
};

/**
 * Shares the use of busy keys with the processes of all nodes, once a second and outside of requests. The messages
 * contain durations, which shrink by the database's clock there and by this process' here, so no clock has to be right.
 *
 * In `t` seconds `P` processes admit at most `P × (1.25 × burst + rate) + rate × (t + 1) × (1 + P / 64)` acts of a key:
 * each decides by itself for a second, and does not report a quarter of the burst and a 64th of the rate. Acts that
 * were admitted beyond the limit become a debt, and fewer are admitted later on. A client within the limit is never
 * refused: all acts of a report count as if they had arrived with the first of them.
 */
export function startSharing({
  counted,
  addDebts,
  onFailure,
  clock = systemClock,
}: SharingParts): Pick<PollLoop, "stop"> {
  return startPollLoop({
    ...{ everyMs, maxPauseMs, onFailure, clock },
    startsWaiting: true,
    async run() {
      const unreported = findUnreported(counted, clock.now());
      if (unreported.length === 0) return;
      const sentAt = clock.now();
      const added = unreported.map(({ rule, usage }) => ({
        key: nameOf(rule, usage),
        addedMs: usage.unreportedMs,
        agoMs: sentAt - usage.unreportedSince,
      }));
      for (const { usage } of unreported) usage.unreportedMs = 0;
      const sums = await addDebts(added).catch((error: unknown) => {
        for (const [index, { usage }] of unreported.entries()) {
          usage.unreportedMs += added[index]?.addedMs ?? 0;
          usage.unreportedSince = sentAt - (added[index]?.agoMs ?? 0);
        }
        throw error;
      });
      // Acts that were admitted meanwhile are added, and included in the next report.
      for (const [index, { usage }] of unreported.entries()) {
        usage.tat = Math.max(usage.tat, sentAt + (sums[index] ?? 0) + usage.unreportedMs);
      }
    },
  });
}

type UnreportedUse = { readonly rule: Rule; readonly usage: Usage };

function findUnreported(counted: readonly CountedRule[], now: number): UnreportedUse[] {
  const unreported: UnreportedUse[] = [];
  for (const { rule, keys } of counted) {
    for (const usage of keys.unreported(now, maxKeys - unreported.length)) unreported.push({ rule, usage });
  }
  return unreported;
}

/** Addresses are personal, and session ids are secrets: the database gets neither. */
function nameOf({ scope, act }: Rule, { key }: Usage): string {
  return createHash("sha256").update(`${scope}.${act}:${key}`).digest("base64url");
}
