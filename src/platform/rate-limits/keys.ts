import type { Rule } from "../../limits/rate-rules.ts";

/** The usage of one key of a rule. */
export type Usage = {
  readonly key: string;
  /** The theoretical arrival time (`rate-limits.ts`). */
  tat: number;
  /** A decaying sum of the key's intervals, and the time of the last addition. A large sum makes the key shared. */
  usedMs: number;
  usedAt: number;
  isShared: boolean;
  /** For a shared key, the sum of the intervals of admitted actions since the last report to other processes. */
  unreportedMs: number;
  /** The time when the first unreported action was admitted. */
  unreportedSince: number;
  /** The number of requests that wait for this key. */
  waiting: number;
};

/**
 * The keys of one rule. A key changes its state as follows:
 *
 *     (unknown) ─ it is used ─────────────────────────────────────────────────→ local
 *     local ─ its usage exceeds a 64th of the rate by a quarter of a burst ───→ shared with other processes (`sharing.ts`)
 *     local ─ half to all of `max.keys` other keys were used after it ────────→ (unknown)
 *     shared ─ all is reported, no debt is left, and its usage is low ────────→ local
 *     shared ─ too many keys are shared ──────────────────────────────────────→ local, for the key with the oldest report
 *
 * The number of keys is therefore limited, and a flood of new keys never removes a key with high usage.
 */
export type Keys = {
  find(key: string): Usage;
  /** Counts an admitted action and sets the key's arrival time to `arrival`. */
  count(usage: Usage, arrival: number, now: number, amount?: number): void;
  /** Reverts the count of one action. */
  uncount(usage: Usage, amount?: number): void;
  /**
   * Returns the shared keys with unreported actions, starting with the oldest report. Keys that are no longer busy
   * cease to be shared.
   */
  unreported(now: number, max: number): readonly Usage[];
  size(): number;
};

export type MaxKeys = { readonly keys: number; readonly shared: number };

/**
 * The maximum number of keys, of 200 bytes each. It suffices for the visitors of an hour and the heavy users among
 * them.
 */
const maxByDefault: MaxKeys = { keys: 100_000, shared: 10_000 };

const sharedBurst = 1 / 4;
const leak = 1 / 64;

export function createKeys({ burst, intervalMs }: Rule, max = maxByDefault): Keys {
  const sharedFromMs = sharedBurst * burst * intervalMs;
  // Two generations instead of a list sorted by use: a hit in the young generation moves nothing, and the old
  // generation is removed as a whole.
  let young = new Map<string, Usage>();
  let old = new Map<string, Usage>();
  const shared = new Map<string, Usage>();

  const use = (usage: Usage, now: number, addedMs: number): void => {
    const restMs = Math.max(0, usage.usedMs - (now - usage.usedAt) * leak);
    usage.usedMs = Math.min(restMs + addedMs, 2 * sharedFromMs);
    usage.usedAt = now;
  };
  const share = (usage: Usage, now: number): void => {
    const [first] = shared.values();
    if (first && shared.size >= max.shared) unshare(first);
    shared.set(usage.key, usage);
    usage.isShared = true;
    usage.unreportedMs = usage.tat - now;
    usage.unreportedSince = now;
  };
  const unshare = (usage: Usage): void => {
    shared.delete(usage.key);
    usage.isShared = false;
    usage.unreportedMs = 0;
  };
  return {
    find(key) {
      const known = young.get(key);
      if (known) return known;
      const usage = old.get(key) ?? shared.get(key) ?? newUsage(key);
      if (young.size >= max.keys / 2) {
        old = young;
        young = new Map();
      }
      young.set(key, usage);
      return usage;
    },
    count(usage, arrival, now, amount = 1) {
      usage.tat = arrival;
      use(usage, now, amount * intervalMs);
      if (usage.isShared) {
        if (usage.unreportedMs <= 0) usage.unreportedSince = now;
        usage.unreportedMs += amount * intervalMs;
      } else if (usage.usedMs > sharedFromMs) share(usage, now);
    },
    uncount(usage, amount = 1) {
      usage.tat -= amount * intervalMs;
      usage.unreportedMs -= usage.isShared ? amount * intervalMs : 0;
    },
    unreported(now, most) {
      const unreported: Usage[] = [];
      for (const usage of shared.values()) {
        if (usage.unreportedMs > 0) {
          if (unreported.length < most) unreported.push(usage);
          continue;
        }
        use(usage, now, 0);
        if (usage.tat <= now && usage.usedMs < sharedFromMs / 2) unshare(usage);
      }
      for (const usage of unreported) {
        shared.delete(usage.key);
        shared.set(usage.key, usage);
      }
      return unreported;
    },
    size: () => new Set([...young.keys(), ...old.keys(), ...shared.keys()]).size,
  };
}

function newUsage(key: string): Usage {
  return {
    key,
    tat: Number.NEGATIVE_INFINITY,
    usedMs: 0,
    usedAt: 0,
    isShared: false,
    unreportedMs: 0,
    unreportedSince: 0,
    waiting: 0,
  };
}
