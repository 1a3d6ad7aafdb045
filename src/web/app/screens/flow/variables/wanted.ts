import { signal } from "@preact/signals";
import { type HeldKeys, holdKeys } from "../../../keys/hold-keys.ts";
import { rememberFocus } from "../../../ui/index.ts";

/** A variable that the panel is to show. */
export type Wanted = {
  readonly id: string;
  readonly mayMoveTo: ReturnType<typeof rememberFocus>;
  readonly keys: HeldKeys;
};

/** Set by who leads to the panel, and taken by it. */
export const wantedVariable = signal<Wanted | undefined>(undefined);

/** Has the panel open a variable as soon as it is there itself, with the focus in its name. */
export function wantVariable(id: string): void {
  wantedVariable.value = { id, mayMoveTo: rememberFocus(), keys: holdKeys() };
}
