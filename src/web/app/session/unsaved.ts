import { type ReadonlySignal, signal } from "@preact/signals";

/** Work on the page that the service does not have yet. */
export type Unsaved = {
  /** The thing that it is a part of: a bot's name. */
  readonly name: string;
  download(): void;
};

const holders = new Set<() => Unsaved | undefined>();
const left = signal<readonly Unsaved[]>([]);

/** The unsaved work of a person when another signed in: it is offered as files. */
export const leftBehind: ReadonlySignal<readonly Unsaved[]> = left;

/**
 * Has `giveUp` hand over unsaved work when somebody else signs in; nothing of it is sent from then on. Returns the way
 * to end that.
 */
export function holdUnsaved(giveUp: () => Unsaved | undefined): () => void {
  holders.add(giveUp);
  return () => holders.delete(giveUp);
}

/** Another person is here: nothing that is on the page is theirs. */
export function leaveBehind(): void {
  left.value = [...holders].flatMap((giveUp) => giveUp() ?? []);
}

export function forgetLeftBehind(): void {
  left.value = [];
}
