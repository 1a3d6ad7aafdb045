import { signal } from "@preact/signals";
import { type HeldKeys, holdKeys } from "../../../keys/hold-keys.ts";
import { rememberFocus } from "../../../ui/index.ts";

/** A request to show a variable in the panel. */
export type Wanted = {
  readonly id: string;
  readonly mayMoveTo: ReturnType<typeof rememberFocus>;
  readonly keys: HeldKeys;
};

/** The pending request. The caller that opens the panel sets it, and the panel clears it. */
export const wantedVariable = signal<Wanted | undefined>(undefined);

/** Expands a variable as soon as the panel is rendered, and moves the focus to the variable's name. */
export function wantVariable(id: string): void {
  wantedVariable.value = { id, mayMoveTo: rememberFocus(), keys: holdKeys() };
}
