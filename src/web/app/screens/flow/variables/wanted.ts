import { signal } from "@preact/signals";
import { type HeldKeys, holdKeys } from "../../../keys/hold-keys.ts";
import { rememberFocus } from "../../../ui/index.ts";

/** A variable that the panel is to show. */
export type Wanted = {
  readonly id: string;
  readonly mayMoveTo: ReturnType<typeof rememberFocus>;
  readonly keys: HeldKeys;
};

/** Set by the caller that opens the panel, and cleared by the panel. */
export const wantedVariable = signal<Wanted | undefined>(undefined);

/** Makes the panel open a variable as soon as the panel is drawn, with the focus in the variable's name. */
export function wantVariable(id: string): void {
  wantedVariable.value = { id, mayMoveTo: rememberFocus(), keys: holdKeys() };
}
