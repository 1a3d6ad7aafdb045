import { type ReadonlySignal, signal } from "@preact/signals";
import { keep, read } from "../session/kept-here.ts";

const storageKey = "parley.keys.letters";

const areOn = signal(read(storageKey) !== "off");

/** Whether single letters are shortcuts. People who dictate, or often press keys by accident, switch them off. */
export const letterKeys: ReadonlySignal<boolean> = areOn;

export function setLetterKeys(isOn: boolean): void {
  areOn.value = isOn;
  keep(storageKey, isOn ? "on" : "off");
}

/** Whether a key is a character alone, as nobody means who speaks. */
export function isLetterKey({ key, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  return key.length === 1 && key !== " " && !ctrlKey && !metaKey && !altKey;
}
