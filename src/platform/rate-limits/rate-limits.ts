import { AppError } from "../../errors.ts";
import { limits } from "../../limits/index.ts";
import { type Act, holdsEverywhere, type Rule, type Scope } from "../../limits/rate-rules.ts";
import { type Clock, pause, systemClock } from "../concurrency/clock.ts";
import type { ClientAddress } from "./client-address.ts";
import { nextArrival, resetSecondsOf, waitMsOf } from "./gcra.ts";
import { createKeys, type Keys, type MaxKeys, type Usage } from "./keys.ts";

/** The scopes that an act counts for, with the key of each. */
export type CountedFor = Readonly<Partial<Record<Scope, string | undefined>>>;

/**
 * One request's way through the limits.
 *
 *     admitted ─ an act is below all of its limits ─→ admitted: it counts for each of them
 *     admitted ─ it is beyond one, and may wait ────→ waiting, unless too many wait already
 *     admitted ─ it is beyond one ──────────────────→ refused: nothing of the request counts, not even its admitted acts
 *     waiting ─ there is room again ────────────────→ admitted
 *     waiting ─ `limits.rateLimits.waitMs` are over ─→ refused
 */
export type Admission = {
  /** The address to count for. Absent: see `ClientAddress`. */
  readonly address: string | undefined;
  /** The address where it is one of this machine's own. */
  ownAddress(): string | undefined;
  /** Counts an act, as so many of its units. Throws `rate_limit.exceeded`. */
  admit(act: Act, countedFor: CountedFor, amount?: number): Promise<void> | undefined;
  /** The same without counting: for acts that count only when they fail. */
  check(act: Act, countedFor: CountedFor): void;
};

/** Decides in the memory of this process; `sharing.ts` reports to the other ones. */
export type RateLimits = {
  /** `isPatient`: the request waits a while before it is refused, since its client cannot send it again by itself. */
  admission(client: () => ClientAddress, options?: { readonly isPatient?: boolean }): Admission;
  /** The state of each rule. */
  readonly counted: readonly CountedRule[];
};

export type CountedRule = { readonly rule: Rule; readonly keys: Keys };

type Counting = CountedRule & { readonly usage: Usage; readonly amount: number };
type Refusal = Counting & { readonly waitMs: number };

export function createRateLimits(
  rules: readonly Rule[],
  { clock = systemClock, maxKeys }: { readonly clock?: Clock; readonly maxKeys?: MaxKeys } = {},
): RateLimits {
  const counted = rules.map((rule): CountedRule => ({ rule, keys: createKeys(rule, maxKeys) }));
  const byAct = Map.groupBy(counted, ({ rule }) => rule.act);
  let waiting = 0;

  const countingsOf = (act: Act, client: ClientAddress, countedFor: CountedFor, amount = 1): Counting[] => {
    const countings: Counting[] = [];
    for (const { rule, keys } of byAct.get(act) ?? []) {
      const key = countedFor[rule.scope];
      const isFree = client.isThisMachine && !holdsEverywhere(rule);
      if (key !== undefined && !isFree) countings.push({ rule, keys, usage: keys.find(key), amount });
    }
    return countings;
  };
  const admission: RateLimits["admission"] = (readClient, { isPatient = false } = {}) => {
    const client = readClient();
    const before: Counting[] = [];

    /** Counts the act for all, or for none where one refuses it. */
    const tryOnce = (countings: readonly Counting[]): Refusal | undefined => {
      const now = clock.now();
      const refusal = refusalOf(countings, now);
      if (refusal) return refusal;
      for (const { rule, keys, usage, amount } of countings) {
        keys.count(usage, nextArrival(rule, usage.tat, now, amount), now, amount);
      }
      before.push(...countings);
      return undefined;
    };
    const refuse = (refusal: Refusal, waitedMs?: number): never => {
      for (const { keys, usage, amount } of before.splice(0)) keys.uncount(usage, amount);
      throw errorOf(refusal, clock.now(), waitedMs);
    };
    const wait = async (countings: readonly Counting[], first: Refusal): Promise<void> => {
      const since = clock.now();
      for (let refusal: Refusal | undefined = first; refusal; refusal = tryOnce(countings)) {
        const { usage, waitMs } = refusal;
        const waitedMs = clock.now() - since;
        if (waitedMs >= limits.rateLimits.waitMs) refuse(refusal, waitedMs);
        if (waiting >= limits.rateLimits.waiting || usage.waiting >= limits.rateLimits.waitingPerKey) refuse(refusal);
        waiting++;
        usage.waiting++;
        await pause(clock, Math.min(waitMs, limits.rateLimits.waitMs - waitedMs));
        waiting--;
        usage.waiting--;
      }
    };
    return {
      address: client.address,
      ownAddress: () => client.own,
      admit(act, countedFor, amount) {
        const countings = countingsOf(act, client, countedFor, amount);
        const refusal = tryOnce(countings);
        if (!refusal) return undefined;
        return isPatient ? wait(countings, refusal) : refuse(refusal);
      },
      check(act, countedFor) {
        const refusal = refusalOf(countingsOf(act, client, countedFor), clock.now());
        if (refusal) refuse(refusal);
      },
    };
  };
  return {
    admission: counted.length === 0 ? (client) => ({ ...admitsAll, ownAddress: () => client().own }) : admission,
    counted,
  };
}

const admitsAll = { address: undefined, admit: () => undefined, check: () => {} };

/** The limit with the longest wait. */
function refusalOf(countings: readonly Counting[], now: number): Refusal | undefined {
  let longest: Refusal | undefined;
  for (const counting of countings) {
    const { rule, usage, amount } = counting;
    const waitMs = waitMsOf(rule, nextArrival(rule, usage.tat, now, amount), now);
    if (waitMs > (longest?.waitMs ?? 0)) longest = { ...counting, waitMs };
  }
  return longest;
}

function errorOf({ rule, usage, waitMs }: Refusal, now: number, waitedMs: number | undefined): AppError {
  const { scope, act, burst } = rule;
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000));
  return new AppError("rate_limit.exceeded", {
    data: { scope, act, retryAfterSeconds, ...(waitedMs !== undefined && { waitedMs: Math.round(waitedMs) }) },
    headers: {
      "Retry-After": String(retryAfterSeconds),
      "RateLimit-Limit": String(burst),
      "RateLimit-Remaining": "0",
      "RateLimit-Reset": String(Math.max(retryAfterSeconds, resetSecondsOf(usage.tat, now))),
    },
  });
}
