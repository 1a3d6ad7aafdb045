import type { Entry } from "./history.ts";
import type { Remains } from "./saving.ts";
import type { WorkingCopy } from "./working-copy.ts";

/**
 * A key-value store for JSON in this browser, such as IndexedDB. Its methods reject if the browser refuses access or
 * has no room.
 */
export type Shelf = {
  /** Stores the entries, and removes those without a value, in one transaction. */
  write(entries: readonly { readonly key: string; readonly value?: unknown }[]): Promise<void>;
  /** Returns the entries whose keys have the prefix, in the order of the keys. */
  list(prefix: string): Promise<readonly { readonly key: string; readonly value: unknown }[]>;
};

type Stack = "undo" | "redo";
type State = Pick<Remains, "revision" | "pending" | "held" | "texts">;

/**
 * Stores the work that must survive a reload, under the keys of one tab: `…/state`, and an entry for each action that
 * can be undone or redone. An action therefore writes only a few entries, not the whole history. `onBroken` is called
 * when storing begins to fail, and when it succeeds again.
 */
export function createKeeper(shelf: Shelf, prefix: string, onBroken: (isBroken: boolean) => void) {
  let written: Record<Stack, readonly Entry[]> = { undo: [], redo: [] };
  let wanted: WorkingCopy | undefined;
  let writing: Promise<void> | undefined;
  let isBroken = false;

  const write = async (): Promise<void> => {
    while (wanted) {
      const copy = wanted;
      wanted = undefined;
      const { undo, redo } = copy.history();
      const state: State = {
        revision: copy.revision(),
        pending: copy.pending(),
        held: copy.held(),
        texts: copy.texts(),
      };
      const entries = [
        { key: `${prefix}/state`, value: state },
        ...changedEntries("undo", written.undo, undo),
        ...changedEntries("redo", written.redo, redo),
      ];
      try {
        await shelf.write(entries);
        written = { undo, redo };
        setBroken(false);
      } catch {
        setBroken(true);
      }
    }
  };

  /** Reports whether the last write failed. The next write repeats a failed write, because there may be room again. */
  const setBroken = (isNow: boolean): void => {
    if (isNow !== isBroken) onBroken(isNow);
    isBroken = isNow;
  };

  const changedEntries = (stack: Stack, before: readonly Entry[], now: readonly Entry[]) => {
    const [old, current] = [new Set(before), new Set(now)];
    const keyOf = (entry: Entry) => `${prefix}/${stack}/${String(entry.number).padStart(9, "0")}`;
    const numbers = new Set(now.map(({ number }) => number));
    return [
      ...before
        .filter((entry) => !current.has(entry) && !numbers.has(entry.number))
        .map((entry) => ({ key: keyOf(entry) })),
      ...now.filter((entry) => !old.has(entry)).map((entry) => ({ key: keyOf(entry), value: entry })),
    ];
  };

  return {
    /** Stores the unsaved work of a copy. Changes during a write are stored as soon as the write ends. */
    note(copy: WorkingCopy): void {
      wanted = copy;
      writing ??= write().finally(() => {
        writing = undefined;
      });
    },
    /** Resolves when all noted work is stored or cannot be stored. */
    async settled(): Promise<void> {
      while (writing) await writing;
    },
  };
}

/** Returns the stored work of a tab; undefined if there is none. */
export async function recallTab(shelf: Shelf, prefix: string): Promise<Remains | undefined> {
  const found = await shelf.list(`${prefix}/`);
  const state = found.find(({ key }) => key === `${prefix}/state`)?.value;
  if (!isState(state)) return undefined;
  const entries = (stack: Stack) =>
    found.flatMap(({ key, value }) => (key.startsWith(`${prefix}/${stack}/`) && isEntry(value) ? [value] : []));
  return { ...state, undo: entries("undo"), redo: entries("redo") };
}

export async function forgetTab(shelf: Shelf, prefix: string): Promise<void> {
  const found = await shelf.list(`${prefix}/`);
  await shelf.write(found.map(({ key }) => ({ key })));
}

function isState(value: unknown): value is State {
  return typeof value === "object" && value !== null && "revision" in value && "pending" in value && "held" in value;
}

function isEntry(value: unknown): value is Entry {
  return typeof value === "object" && value !== null && "inverse" in value && "number" in value && "title" in value;
}
