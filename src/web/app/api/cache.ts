import { type Signal, signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { ApiFailure } from "./failure.ts";

type State<Value> = {
  /** The last response. Unchanged while a new request runs and when it fails. */
  readonly value: Value | undefined;
  readonly failure: ApiFailure | undefined;
  readonly isLoading: boolean;
};

/** The current state of a requested resource, and a function that requests the resource again. */
export type Query<Value> = State<Value> & { readonly again: () => Promise<void> };

type Entry = {
  readonly state: Signal<State<unknown>>;
  load: () => Promise<unknown>;
  /** Counts the requests. Only the response to the latest request is used. */
  turn: number;
  /** The number of components that show the resource. */
  users: number;
};

const entries = new Map<string, Entry>();

/**
 * Returns a resource of the service by its key, and renders the component again when the response arrives. Components
 * with the same key share one request. Without a key, nothing is requested.
 *
 * The value stays in the cache for the next screen, which shows the cached value and requests the resource again in the
 * background. With `isLasting`, for values that never change while the page is open, a loaded value is not requested
 * again.
 */
export function useQuery<Value>(
  key: string | undefined,
  load: () => Promise<Value>,
  { isLasting = false }: { readonly isLasting?: boolean } = {},
): Query<Value> {
  useEffect(() => {
    if (key === undefined) return;
    const entry = entryOf(key, load);
    entry.load = load;
    entry.users += 1;
    const { isLoading, value } = entry.state.value;
    const isKnown = isLasting && value !== undefined;
    if (!isKnown && (!isLoading || entry.turn === 0)) void run(entry);
    return () => {
      entry.users -= 1;
    };
  }, [key]);
  if (key === undefined) return { value: undefined, failure: undefined, isLoading: false, again: async () => {} };
  return { ...typed<Value>(entryOf(key, load).state.value), again: () => refresh(key) };
}

/**
 * Requests the visible resources whose key equals the prefix or is below the prefix, for example `refresh("bots")`
 * after a bot was created. An empty prefix matches every key.
 */
export async function refresh(prefix: string): Promise<void> {
  const matching = [...entries].filter(([key]) => prefix === "" || key === prefix || key.startsWith(`${prefix}/`));
  // Deletes matching values that no component shows. A deleted value is requested again when a component shows it.
  for (const [key, { users }] of matching) if (users === 0) entries.delete(key);
  await Promise.all(matching.flatMap(([, entry]) => (entry.users > 0 ? [run(entry)] : [])));
}

/**
 * Replaces the value of a key, for example with the response of a write request. Does nothing if the key is not in the
 * cache.
 */
export function setKnown<Value>(key: string, value: Value): void {
  const entry = entries.get(key);
  if (!entry) return;
  entry.turn += 1;
  entry.state.value = { value, failure: undefined, isLoading: false };
}

/** Clears the cache, for example after another person has signed in. */
export function forgetAll(): void {
  entries.clear();
}

function entryOf(key: string, load: () => Promise<unknown>): Entry {
  const found = entries.get(key);
  if (found) return found;
  const made: Entry = {
    state: signal<State<unknown>>({ value: undefined, failure: undefined, isLoading: true }),
    load,
    turn: 0,
    users: 0,
  };
  entries.set(key, made);
  return made;
}

async function run(entry: Entry): Promise<void> {
  const turn = ++entry.turn;
  entry.state.value = { ...entry.state.value, isLoading: true };
  const next = await entry.load().then(
    (value): State<unknown> => ({ value, failure: undefined, isLoading: false }),
    (error: unknown): State<unknown> => {
      if (!(error instanceof ApiFailure)) throw error;
      return { value: entry.state.value.value, failure: error, isLoading: false };
    },
  );
  if (turn === entry.turn) entry.state.value = next;
}

/** Each key is used for one type of value only, which the compiler cannot check. */
function typed<Value>(state: State<unknown>): State<Value>;
function typed(state: State<unknown>): State<unknown> {
  return state;
}
