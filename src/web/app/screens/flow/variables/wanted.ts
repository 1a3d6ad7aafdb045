import { signal } from "@preact/signals";

/** The variable that the panel is to show, by its id: set by who leads there, and taken by the panel. */
export const wantedVariable = signal<string | undefined>(undefined);
