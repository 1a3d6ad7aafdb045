/** What one key of one rule has used. */
export type Usage = {
  readonly key: string;
  /** The theoretical arrival time (`gcra.ts`). */
  tat: number;
  /** Milliseconds of intervals that the other processes have not been told of, and when they were last added to. */
  untoldMs: number;
  untoldAt: number;
  /** Requests that wait for this key. */
  waiting: number;
};

/**
 * The keys of one rule. Their number is bounded whatever comes: who was not seen while as many others came is forgotten, but for
 * those who are shared with the other processes, which have used much. They have room of their own, so that no flood of other keys
 * frees them.
 */
export type Keys = {
  find(key: string): Usage;
  /** The keys that are shared with the other processes. */
  readonly shared: Map<string, Usage>;
  share(usage: Usage): void;
  /** Keys that are held. */
  size(): number;
};

export type MaxKeys = { readonly keys: number; readonly shared: number };

/** Of 200 bytes each: visitors of an hour, and those of them who use much. */
const maxByDefault: MaxKeys = { keys: 100_000, shared: 10_000 };

export function createKeys(max = maxByDefault): Keys {
  // Two generations in place of an order by use: a hit moves nothing, and the older half goes at once.
  let young = new Map<string, Usage>();
  let old = new Map<string, Usage>();
  const shared = new Map<string, Usage>();
  return {
    shared,
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
    share(usage) {
      if (shared.has(usage.key)) return;
      const [first] = shared.keys();
      if (shared.size >= max.shared && first !== undefined) shared.delete(first);
      shared.set(usage.key, usage);
    },
    size: () => new Set([...young.keys(), ...old.keys(), ...shared.keys()]).size,
  };
}

function newUsage(key: string): Usage {
  return { key, tat: Number.NEGATIVE_INFINITY, untoldMs: 0, untoldAt: 0, waiting: 0 };
}
