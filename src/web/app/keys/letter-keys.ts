import { type ReadonlySignal, signal } from "@preact/signals";
import { keep, read } from "../session/local-storage.ts";

const storageKey = "parley.keys.letters";

const areOn = signal(read(storageKey) !== "off");

/**
 * Whether single letters are shortcuts. People who use dictation or often press keys by accident can switch them off.
 */
export const letterKeys: ReadonlySignal<boolean> = areOn;

export function setLetterKeys(isOn: boolean): void {
  areOn.value = isOn;
  keep(storageKey, isOn ? "on" : "off");
}

type Pressed = Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey">;

/**
 * Whether the key is a single character other than a space, without modifiers, and letter shortcuts are off. Such a key
 * runs no command.
 */
export function isSilent({ key, ctrlKey, metaKey, altKey }: Pressed): boolean {
  return key.length === 1 && key !== " " && !ctrlKey && !metaKey && !altKey && !letterKeys.value;
}

/** Whether the list of shortcuts is open. */
export const areKeysShown = signal(false);

export function showKeys(): void {
  areKeysShown.value = true;
}
