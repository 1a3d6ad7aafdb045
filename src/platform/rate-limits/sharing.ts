import { createHash } from "node:crypto";
import type { Rule } from "../../limits/rate-rules.ts";
import { type Clock, systemClock } from "../concurrency/clock.ts";
import { type PollLoop, startPollLoop } from "../concurrency/poll-loop.ts";
import type { Usage } from "./keys.ts";
import type { AddedDebt } from "./rate-limits.sql.ts";
import type { CountedRule } from "./rate-limits.ts";

/**
 * The interval of the reports to other processes, and the maximum number of keys in a report. Further keys wait for the
 * next report.
 */
const everyMs = 1_000;
const maxKeys = 1_000;
/**
 * The longest pause between reports while the database is unavailable. During the pause, each process uses only its own
 * counts.
 */
const maxPauseMs = 30_000;

export type SharingParts = {
  readonly counted: readonly CountedRule[];
  /** Adds to the debts that all processes share, and returns the new sum of each key in the same order. */
  addDebts(added: readonly AddedDebt[]): Promise<readonly number[]>;
  onFailure(error: unknown): void;
  readonly clock?: Clock;
};

/**
 * Shares the usage of busy keys between the processes of all nodes, once a second and outside of requests. The messages
 * contain durations, which decrease by the database's clock in the database and by the process's clock in each process,
 * so no clock needs to be correct.
 *
 * In `t` seconds, `P` processes admit at most `P × (1.25 × burst + rate) + rate × (t + 1) × (1 + P / 64)` actions of a
 * key. Each process decides alone for a second, and does not report a quarter of the burst and a 64th of the rate.
 * Excess actions become a debt, so that fewer actions are admitted later. A client within the limit is never rejected,
 * because all actions of a report count as if they had arrived with the first action.
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
      // Actions that were admitted in the meantime are added to the sum and included in the next report.
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

/**
 * Returns the hash under which a key is shared. Addresses are personal data and session ids are secrets, so the
 * database must contain neither.
 */
function nameOf({ scope, act }: Rule, { key }: Usage): string {
  return createHash("sha256").update(`${scope}.${act}:${key}`).digest("base64url");
}
