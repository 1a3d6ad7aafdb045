import type { Rule } from "../../limits/rate-rules.ts";

/** The use of one key of one rule. */
export type Usage = {
  readonly key: string;
  /** The theoretical arrival time (`rate-limits.ts`). */
  tat: number;
  /** A leaky sum of the key's intervals, and the time of the last addition: a large sum makes a key shared. */
  usedMs: number;
  usedAt: number;
  isShared: boolean;
  /** For a shared key: the intervals of acts that were admitted since the last report to other processes. */
  unreportedMs: number;
  /** The time when the first of these acts was admitted. */
  unreportedSince: number;
  /** Requests that wait for this key. */
  waiting: number;
};

/**
 * The keys of one rule. A key is
 *
 *     (unknown) ─ it is asked for ──────────────────────────────────────────────→ own
 *     own ─ it uses more than a quarter of a burst, above a 64th of the rate ───→ shared with the other processes (`sharing.ts`)
 *     own ─ as many others were asked for since it was ─────────────────────────→ (unknown)
 *     shared ─ all is reported and no debt is left, and it has used little ─────→ own
 *     shared ─ more keys are shared than have room ─────────────────────────────→ own, the one whose report is oldest
 *
 * So their number is bounded whatever comes, and no flood of new keys frees one that has used much.
 */
export type Keys = {
  find(key: string): Usage;
  /** Counts an admitted act: moves the key's arrival time to this one. */
  count(usage: Usage, arrival: number, now: number, amount?: number): void;
  /** Reverts one act. */
  uncount(usage: Usage, amount?: number): void;
  /** The shared keys with unreported acts, oldest report first. Releases keys that have become quiet. */
  unreported(now: number, max: number): readonly Usage[];
  /** The number of keys in memory. */
  size(): number;
};

export type MaxKeys = { readonly keys: number; readonly shared: number };

/** The number of keys, of 200 bytes each: the visitors of an hour, and heavy users among them. */
const maxByDefault: MaxKeys = { keys: 100_000, shared: 10_000 };

const sharedBurst = 1 / 4;
const leak = 1 / 64;

export function createKeys({ burst, intervalMs }: Rule, max = maxByDefault): Keys {
  const sharedFromMs = sharedBurst * burst * intervalMs;
  // Two generations in place of an order by use: a hit moves nothing, and the older half is removed at once.
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
