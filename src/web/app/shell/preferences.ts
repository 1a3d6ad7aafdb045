import { type ReadonlySignal, signal } from "@preact/signals";
import { type Language, languageFor, setLanguage } from "../words/index.ts";

export type Scheme = "system" | "light" | "dark";

const chosenScheme = signal<Scheme>(readScheme());

/** Light, dark, or as the system has it. */
export const scheme: ReadonlySignal<Scheme> = chosenScheme;

/** Chooses the colours of this browser, at once and from now on. */
export function setScheme(next: Scheme): void {
  chosenScheme.value = next;
  if (next === "system") document.documentElement.removeAttribute("data-scheme");
  else document.documentElement.setAttribute("data-scheme", next);
  keep("parley.scheme", next === "system" ? null : next);
}

/** Chooses the language of this browser, at once and from now on. */
export async function chooseLanguage(next: Language): Promise<void> {
  await setLanguage(next);
  keep("parley.language", next);
}

/** The language to begin with: the one that was chosen here, else the first of the browser's that the builder speaks. */
export function firstLanguage(): Language {
  return languageFor([read("parley.language") ?? "", ...navigator.languages].filter((tag) => tag !== ""));
}

const workspaceKey = "parley.workspace";

/** The workspace that was last open in this browser. */
export function lastWorkspace(): string | undefined {
  return read(workspaceKey) ?? undefined;
}

export function noteWorkspace(workspaceId: string): void {
  keep(workspaceKey, workspaceId);
}

/** Something small that only this browser keeps, such as which folders are open; undefined where there is nothing, or storage is refused. */
export function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    // Storage that is refused: chosen anew each time.
    return null;
  }
}

export function keep(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // As above: nothing depends on it.
  }
}

function readScheme(): Scheme {
  const kept = read("parley.scheme");
  return kept === "light" || kept === "dark" ? kept : "system";
}
