import { type ReadonlySignal, signal } from "@preact/signals";

/** Work on the page that has not been saved by the service. */
export type Unsaved = {
  /** The subject of the work, such as a bot's name. */
  readonly name: string;
  download(): void;
};

const holders = new Set<() => Unsaved | undefined>();
const left = signal<readonly Unsaved[]>([]);

/** The unsaved work of a person after another person signed in. The work can be downloaded. */
export const leftBehind: ReadonlySignal<readonly Unsaved[]> = left;

/**
 * Registers a function that gives up unsaved work and returns it. It is called when another person signs in. The work
 * must never be sent afterwards. Returns a function that removes the registration.
 */
export function holdUnsaved(giveUp: () => Unsaved | undefined): () => void {
  holders.add(giveUp);
  return () => holders.delete(giveUp);
}

/** Sets the unsaved work aside after another person has signed in. */
export function leaveBehind(): void {
  left.value = [...holders].flatMap((giveUp) => giveUp() ?? []);
}

export function forgetLeftBehind(): void {
  left.value = [];
}
