import { type Signal, signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { ApiFailure } from "./failure.ts";

type State<Value> = {
  /** The last answer; it is kept until a newer answer arrives. */
  readonly value: Value | undefined;
  readonly failure: ApiFailure | undefined;
  readonly isLoading: boolean;
};

/** The known state of one requested resource, and the way to request it again. */
export type Query<Value> = State<Value> & { readonly again: () => Promise<void> };

type Entry = {
  readonly state: Signal<State<unknown>>;
  load: () => Promise<unknown>;
  /** Counts the requests: only the answer to the last request is used. */
  turn: number;
  /** How many components show the resource. */
  users: number;
};

const entries = new Map<string, Entry>();

/**
 * One resource of the service, by a key. Components that show the same key share one request. The value is kept for the
 * next screen that shows it, which requests it again in the background. The component is drawn again when the answer
 * arrives. A value that never changes while the page is open (`isLasting`) is requested until it arrives, and not
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
 * Requests every value whose key begins with this text: `refresh("bots")` after a bot was made; without a text, every
 * known value.
 */
export async function refresh(prefix: string): Promise<void> {
  const matching = [...entries].filter(([key]) => prefix === "" || key === prefix || key.startsWith(`${prefix}/`));
  // A value that no component shows is dropped, and requested again when it is shown again.
  for (const [key, { users }] of matching) if (users === 0) entries.delete(key);
  await Promise.all(matching.flatMap(([, entry]) => (entry.users > 0 ? [run(entry)] : [])));
}

/** Stores a known value in place of a request's answer, such as the answer of a write. */
export function setKnown<Value>(key: string, value: Value): void {
  const entry = entries.get(key);
  if (!entry) return;
  entry.turn += 1;
  entry.state.value = { value, failure: undefined, isLoading: false };
}

/** Forgets everything: another person has signed in. */
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
