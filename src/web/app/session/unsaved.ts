import { type ReadonlySignal, signal } from "@preact/signals";

/** Work on the page that the service does not have yet. */
export type Unsaved = {
  /** The subject of the work: a bot's name. */
  readonly name: string;
  download(): void;
};

const holders = new Set<() => Unsaved | undefined>();
const left = signal<readonly Unsaved[]>([]);

/** The unsaved work of a person when another person signed in: it is offered as files. */
export const leftBehind: ReadonlySignal<readonly Unsaved[]> = left;

/**
 * Makes `giveUp` return unsaved work when another person signs in; none of it is sent from then on. Returns the
 * function that ends this.
 */
export function holdUnsaved(giveUp: () => Unsaved | undefined): () => void {
  holders.add(giveUp);
  return () => holders.delete(giveUp);
}

/** Another person has signed in: nothing on the page belongs to them. */
export function leaveBehind(): void {
  left.value = [...holders].flatMap((giveUp) => giveUp() ?? []);
}

export function forgetLeftBehind(): void {
  left.value = [];
}
