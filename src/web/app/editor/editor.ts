import { batch, type ReadonlySignal, signal } from "@preact/signals";
import { ChangeMisses } from "../../../core/editing/changes/apply.ts";
import type { Change, DraftDocument } from "../../../core/editing/changes/change.ts";
import commandWords from "../words/en/command.json";
import flowWords from "../words/en/flow.json";
import { currentWords } from "../words/language.ts";
import type { Thing } from "./commands/arrange.ts";
import { type Command, isRefused } from "./commands/command.ts";
import { touchesLocked } from "./commands/locks.ts";
import { newId } from "./ids.ts";
import { createSelected, type Selected } from "./selection.ts";
import { createStore, type Store } from "./store.ts";
import { type Decision, decisionsOf, type Ending } from "./working-copy/decisions.ts";
import type { Held, Others, Step } from "./working-copy/replica.ts";
import type { SavingState } from "./working-copy/saving.ts";
import type { Stop } from "./working-copy/transport.ts";
import { createWorkingCopy, type Making, type Undone, type WorkingCopy } from "./working-copy/working-copy.ts";

/**
 * The reason why nothing can be edited: no right to write, a flow in an older format, or the reason why saving has
 * stopped.
 */
export type ReadOnly = "right" | "older" | Exclude<Stop, "signed-out">;

/** An open draft, with its contents and the functions that change it. */
export type Editor = {
  readonly [Name in keyof Signals]: ReadonlySignal<Signals[Name]["value"]>;
} & {
  readonly store: Store;
  readonly copy: WorkingCopy;
  readonly selection: Selected;
  /** Shows the blocks and edges that a preview has visited; undefined clears them. */
  mark(walked: Walked | undefined): void;
  /** Runs a command. Returns the reason if the command is refused. */
  run<Args>(command: Command<Args>, args: Args): Done;
  undo(): Undone | undefined;
  redo(): Undone | undefined;
  resolve(held: Held, choice: "mine" | "theirs" | readonly Change[]): void;
  close(): void;
};

export type Walked = {
  readonly blockIds: ReadonlySet<string>;
  readonly edgeIds: ReadonlySet<string>;
  readonly waitsAt: string | undefined;
  readonly values?: ReadonlyMap<string, unknown>;
};

/** `refused`: the sentence that explains the refusal. */
export type Done =
  | { readonly kind: "done"; readonly title: string; readonly made?: Thing }
  | { readonly kind: "refused"; readonly sentence: string };

export type EditorMaking = Pick<Making, "opened" | "clock" | "remains" | "userId" | "isShared" | "transport"> & {
  readonly mode: "write" | "read" | "guest";
  /** Called when the copy or its saving state has changed, and once after the creation. */
  onChange?(copy: WorkingCopy): void;
};

export function createEditor({ mode, onChange, ...making }: EditorMaking): Editor {
  const state = createSignals();
  const store = createStore(making.opened.draft);
  const selection = createSelected(store);
  let isOpening = true;
  const copy = createWorkingCopy({
    ...making,
    newId,
    chance: Math.random,
    names: {
      undo: (title) => currentWords(flowWords).bar.undoOf({ title }),
      redo: (title) => currentWords(flowWords).bar.redoOf({ title }),
      restored: () => currentWords(commandWords).acts.restore,
    },
    listener: {
      onView: (view) => store.show(view),
      onSteps: (steps) => {
        state.steps.value = [...state.steps.value, ...steps].slice(-mostSteps);
      },
      onEnded: (how) => {
        state.lastEnded.value = { how };
      },
      onOthers: (others) => {
        state.lastOthers.value = others;
        const removing = others.filter(({ changes }) => changes.some(({ op }) => op === "remove"));
        if (removing.length > 0) state.removals.value = [...state.removals.value, ...removing].slice(-mostRemovals);
      },
      onState: () => {
        if (!isOpening) updateState();
      },
    },
  });

  function updateState(): void {
    batch(() => {
      const saving = copy.saving();
      const history = copy.history();
      // Read without a subscription. Otherwise, an effect that stops the copy would run again for its own change, and a
      // component that opens a copy would open it again for each save.
      if (!isSameState(saving, state.saving.peek())) state.saving.value = saving;
      state.held.value = copy.held();
      state.decisions.value = decisionsOf(copy.held(), copy.view());
      state.isMuchWaiting.value = bytesOf(copy.pending()) > muchBytes;
      state.saved.value = copy.pending().length > 0 ? undefined : copy.revision();
      state.undoTitle.value = copy.undoTitle();
      state.redoTitle.value = history.redo.at(-1)?.title;
      state.readOnly.value = readOnlyFor(mode, copy.view(), saving);
    });
    onChange?.(copy);
  }

  isOpening = false;
  store.show(copy.view());
  updateState();

  return {
    ...state,
    store,
    selection,
    copy,
    run(command, args) {
      const words = currentWords(commandWords);
      if (state.readOnly.value) return { kind: "refused", sentence: words.refusals.readOnly };
      const draft = copy.view();
      const made = command.make(draft, args, { newId });
      if (isRefused(made)) return { kind: "refused", sentence: words.refusals[made.refused] };
      if (touchesLocked(draft, made.changes)) return { kind: "refused", sentence: words.refusals.locked };
      const title = command.name(words, args, draft);
      try {
        copy.act(title, made.changes, made.field === undefined ? {} : { field: made.field });
      } catch (error) {
        if (!(error instanceof ChangeMisses)) throw error;
        return { kind: "refused", sentence: words.refusals.cannotBeMade };
      }
      if (made.selects) selection.select(made.selects);
      return { kind: "done", title, ...(made.made && { made: made.made }) };
    },
    mark(walked) {
      state.walked.value = walked;
      if (walked?.values) state.lastValues.value = walked.values;
    },
    undo: () => (state.readOnly.value ? undefined : copy.undo()),
    redo: () => (state.readOnly.value ? undefined : copy.redo()),
    resolve: (held, choice) => copy.resolve(held, choice),
    close: () => copy.close(),
  };
}

const muchBytes = 2_000_000;
const mostRemovals = 20;
/**
 * The number of revisions that are kept to translate other people's carets, which usually refer to a slightly older
 * revision.
 */
const mostSteps = 64;
const sizes = new WeakMap<object, number>();

/** Returns the approximate size of change sets in bytes as they are sent. The size of each set is computed once. */
function bytesOf(sets: readonly object[]): number {
  return sets.reduce((sum, set) => {
    const bytes = sizes.get(set) ?? JSON.stringify(set).length;
    sizes.set(set, bytes);
    return sum + bytes;
  }, 0);
}

type Signals = ReturnType<typeof createSignals>;

function createSignals() {
  return {
    /** Whether the unsent changes exceed 2 MB. The author is then warned. */
    isMuchWaiting: signal(false),
    /** The service's revision of the shown draft; undefined while changes wait to be saved. */
    saved: signal<number | undefined>(undefined),
    saving: signal<SavingState>({ kind: "saved" }),
    held: signal<readonly Held[]>([]),
    /** The conflicts that the author must decide, with both current values. */
    decisions: signal<readonly Decision[]>([]),
    /** How the last conflict that required a decision ended. Each ending is a new object. */
    lastEnded: signal<{ readonly how: Ending } | undefined>(undefined),
    /** The names of the next undo and redo. */
    undoTitle: signal<string | undefined>(undefined),
    redoTitle: signal<string | undefined>(undefined),
    readOnly: signal<ReadOnly | undefined>(undefined),
    /** The blocks and edges that a preview has visited, and the block at which it waits. */
    walked: signal<Walked | undefined>(undefined),
    /** The values of variables by name, in the open preview or at the end of the last preview. */
    lastValues: signal<ReadonlyMap<string, unknown>>(new Map()),
    /** The latest changes of other people. */
    lastOthers: signal<readonly Others[]>([]),
    /** The latest changes of other people that removed something. */
    removals: signal<readonly Others[]>([]),
    /** The last change sets of the service's draft, in order. */
    steps: signal<readonly Step[]>([]),
  };
}

function readOnlyFor(mode: EditorMaking["mode"], { events }: DraftDocument, saving: SavingState): ReadOnly | undefined {
  if (mode !== "write") return "right";
  // Change sets describe flows in the current format. Flows of versions 3 to 5 have no events.
  if (!Array.isArray(events) || events.length === 0) return "older";
  return saving.kind === "stopped" && saving.why !== "signed-out" ? saving.why : undefined;
}

function isSameState(one: SavingState, other: SavingState): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
