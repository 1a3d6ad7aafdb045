import { AppError } from "../../errors.ts";
import { limits } from "../../limits/index.ts";
import { type Act, holdsEverywhere, type Rule, type Scope } from "../../limits/rate-rules.ts";
import { type Clock, pause, systemClock } from "../concurrency/clock.ts";
import type { ClientAddress } from "./client-address.ts";
import { createKeys, type Keys, type MaxKeys, type Usage } from "./keys.ts";

/** The scopes in which an action is counted, with the key of each scope. */
export type CountedFor = Readonly<Partial<Record<Scope, string | undefined>>>;

/**
 * Applies the limits to one request.
 *
 *     admitted ─ an action is within all its limits ────────────→ admitted: the action is counted for each limit
 *     admitted ─ it exceeds a limit, and the request may wait ──→ waiting, unless too many requests wait
 *     admitted ─ it exceeds a limit otherwise ──────────────────→ rejected: the request's earlier actions are not counted either
 *     waiting ─ the limit admits the action again ──────────────→ admitted
 *     waiting ─ `limits.rateLimits.waitMs` have passed ─────────→ rejected
 */
export type Admission = {
  /**
   * The address for which the action is counted. Absent in the cases described at `ClientAddress`, and if there are no
   * limits.
   */
  readonly address: string | undefined;
  /** Returns the address if it belongs to this machine. */
  ownAddress(): string | undefined;
  /**
   * Counts an action as `amount` units. Returns a promise only if a patient request has to wait. Throws
   * `rate_limit.exceeded`.
   */
  admit(this: Admission, act: Act, countedFor: CountedFor, amount?: number): Promise<void> | undefined;
  /** Like `admit`, but without counting and without waiting. Used for actions that are counted only when they fail. */
  check(this: Admission, act: Act, countedFor: CountedFor): void;
  /**
   * Returns headers with the remaining quota of the tightest limit that applies to the request. Empty if no limit
   * applies.
   */
  left(): Readonly<Record<string, string>>;
};

/**
 * Applies the rules to requests, with counts in the memory of this process. `sharing.ts` exchanges the counts with
 * other processes.
 */
export type RateLimits = {
  /**
   * Creates the counter of a request. With `isPatient`, the request waits for a limited time before it is rejected,
   * because its client cannot retry it.
   */
  admission(client: () => ClientAddress, options?: { readonly isPatient?: boolean }): Admission;
  /** All rules with their current usage. */
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
  const common: Common = { byAct: Map.groupBy(counted, ({ rule }) => rule.act), clock, waiting: 0 };
  const admission: RateLimits["admission"] = (readClient, { isPatient = false } = {}) =>
    new CountingAdmission(common, readClient(), isPatient);
  return {
    admission: counted.length === 0 ? (client) => ({ ...admitsAll, ownAddress: () => client().own }) : admission,
    counted,
  };
}

/** The fields that the counters of all requests share. */
type Common = {
  readonly byAct: ReadonlyMap<Act, readonly CountedRule[]>;
  readonly clock: Clock;
  waiting: number;
};

/** This is a class because each request needs an instance, and closures would have to be created for each request. */
class CountingAdmission implements Admission {
  readonly address: string | undefined;
  readonly #common: Common;
  readonly #client: ClientAddress;
  readonly #isPatient: boolean;
  /** The counted actions of this request, which a rejection reverts. */
  #counted: readonly Counting[] = nothing;

  constructor(common: Common, client: ClientAddress, isPatient: boolean) {
    this.address = client.address;
    this.#common = common;
    this.#client = client;
    this.#isPatient = isPatient;
  }

  ownAddress(): string | undefined {
    return this.#client.own;
  }

  admit(act: Act, countedFor: CountedFor, amount = 1): Promise<void> | undefined {
    const countings = this.#countingsOf(act, countedFor, amount);
    const refusal = this.#tryOnce(countings);
    if (!refusal) return undefined;
    return this.#isPatient ? this.#wait(countings, refusal) : this.#refuse(refusal);
  }

  check(act: Act, countedFor: CountedFor): void {
    const refusal = refusalOf(this.#countingsOf(act, countedFor, 1), this.#common.clock.now());
    if (refusal) this.#refuse(refusal);
  }

  left(): Readonly<Record<string, string>> {
    const now = this.#common.clock.now();
    let [tightest, remaining] = [this.#counted[0], Number.POSITIVE_INFINITY];
    for (const counting of this.#counted) {
      const left = remainingOf(counting.rule, counting.usage.tat, now);
      if (left < remaining) [tightest, remaining] = [counting, left];
    }
    return tightest ? headersOf(tightest, { remaining, resetSeconds: resetSecondsOf(tightest.usage.tat, now) }) : {};
  }

  #countingsOf(act: Act, countedFor: CountedFor, amount: number): readonly Counting[] {
    const countings: Counting[] = [];
    for (const { rule, keys } of this.#common.byAct.get(act) ?? []) {
      const key = countedFor[rule.scope];
      const isFree = this.#client.isThisMachine && !holdsEverywhere(rule);
      if (key !== undefined && !isFree) countings.push({ rule, keys, usage: keys.find(key), amount });
    }
    return countings;
  }

  /** Counts the action in all scopes. Counts nothing if any scope rejects the action. */
  #tryOnce(countings: readonly Counting[]): Refusal | undefined {
    const now = this.#common.clock.now();
    const refusal = refusalOf(countings, now);
    if (refusal) return refusal;
    for (const { rule, keys, usage, amount } of countings) {
      keys.count(usage, nextArrival(rule, usage.tat, now, amount), now, amount);
    }
    this.#counted = this.#counted.length === 0 ? countings : [...this.#counted, ...countings];
    return undefined;
  }

  #refuse(refusal: Refusal, waitedMs?: number): never {
    for (const { keys, usage, amount } of this.#counted) keys.uncount(usage, amount);
    this.#counted = nothing;
    throw errorOf(refusal, this.#common.clock.now(), waitedMs);
  }

  async #wait(countings: readonly Counting[], first: Refusal): Promise<void> {
    const common = this.#common;
    const { clock } = common;
    const since = clock.now();
    for (let refusal: Refusal | undefined = first; refusal; refusal = this.#tryOnce(countings)) {
      const { usage, waitMs } = refusal;
      const waitedMs = clock.now() - since;
      if (waitedMs >= limits.rateLimits.waitMs) this.#refuse(refusal, waitedMs);
      if (common.waiting >= limits.rateLimits.waiting || usage.waiting >= limits.rateLimits.waitingPerKey)
        this.#refuse(refusal);
      common.waiting++;
      usage.waiting++;
      await pause(clock, Math.min(waitMs, limits.rateLimits.waitMs - waitedMs));
      common.waiting--;
      usage.waiting--;
    }
  }
}

const nothing: readonly Counting[] = [];

const admitsAll = { address: undefined, admit: () => undefined, check: () => {}, left: () => ({}) };

/** Returns the violated limit with the longest wait, if any. */
function refusalOf(countings: readonly Counting[], now: number): Refusal | undefined {
  let longest: Refusal | undefined;
  for (const counting of countings) {
    const { rule, usage, amount } = counting;
    const waitMs = waitMsOf(rule, nextArrival(rule, usage.tat, now, amount), now);
    if (waitMs > (longest?.waitMs ?? 0)) longest = { ...counting, waitMs };
  }
  return longest;
}

function errorOf(refusal: Refusal, now: number, waitedMs: number | undefined): AppError {
  const { rule, usage, waitMs } = refusal;
  const { scope, act } = rule;
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000));
  return new AppError("rate_limit.exceeded", {
    data: { scope, act, retryAfterSeconds, ...(waitedMs !== undefined && { waitedMs: Math.round(waitedMs) }) },
    headers: {
      "Retry-After": String(retryAfterSeconds),
      ...headersOf(refusal, {
        remaining: 0,
        resetSeconds: Math.max(retryAfterSeconds, resetSecondsOf(usage.tat, now)),
      }),
    },
  });
}

function headersOf({ rule }: CountedRule, { remaining, resetSeconds }: { remaining: number; resetSeconds: number }) {
  return {
    "RateLimit-Limit": String(rule.burst),
    "RateLimit-Remaining": String(remaining),
    "RateLimit-Reset": String(resetSeconds),
  };
}

/**
 * Implements the generic cell rate algorithm. The only state of a key is its theoretical arrival time (`tat`). This is
 * the time of the next action if all actions so far had arrived evenly, at the rate of the rule. Each action advances
 * this time by one interval, or by several if it has an amount. An action is admitted if the resulting time is at most
 * a burst's intervals ahead of `now`. `now` counts milliseconds from any origin.
 */
export function nextArrival({ intervalMs }: Rule, tat: number, now: number, amount = 1): number {
  return Math.max(tat, now) + amount * intervalMs;
}

/** Returns the time until an action with this arrival time is admitted, or 0 if it is admitted now. */
export function waitMsOf({ burst, intervalMs }: Rule, arrival: number, now: number): number {
  const waitMs = arrival - now - burst * intervalMs;
  // Sums of intervals such as 16.67 ms have a rounding error below this value.
  return waitMs < 0.001 ? 0 : waitMs;
}

/** Returns the number of actions that are currently admitted without waiting. */
function remainingOf({ burst, intervalMs }: Rule, tat: number, now: number): number {
  return Math.max(0, Math.floor(burst - Math.max(0, tat - now) / intervalMs + 0.001));
}

/** Returns the seconds until a whole burst is admitted again. */
export function resetSecondsOf(tat: number, now: number): number {
  return Math.ceil(Math.max(0, tat - now) / 1000);
}
