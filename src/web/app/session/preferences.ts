import { effect, type ReadonlySignal, signal } from "@preact/signals";
import { ApiFailure, call } from "../api/index.ts";
import { isLanguage, type Language, language, languageFor, setLanguage } from "../words/index.ts";
import { keep, read } from "./local-storage.ts";
import { me, setMe } from "./session.ts";

export type Scheme = "system" | "light" | "dark";

export const schemes: readonly Scheme[] = ["system", "light", "dark"];

const chosenScheme = signal<Scheme>(schemes.find((each) => each === read("parley.scheme")) ?? "system");

/** The colour scheme: light, dark, or that of the system. */
export const scheme: ReadonlySignal<Scheme> = chosenScheme;

export type BotsView = "cards" | "list";

const viewKey = "parley.bots-view";
const chosenView = signal<BotsView>(read(viewKey) === "list" ? "list" : "cards");

/** Whether the bots of a workspace are displayed as cards or as a list. */
export const botsView: ReadonlySignal<BotsView> = chosenView;

/** Sets how bots are displayed, as cards or as rows, and stores the setting. */
export function setBotsView(next: BotsView): void {
  showView(next);
  tellService();
}

function showView(next: BotsView): void {
  chosenView.value = next;
  keep(viewKey, next === "cards" ? null : next);
}

/** Applies and stores the colour scheme. */
export function setScheme(next: Scheme): void {
  showScheme(next);
  tellService();
}

/** Applies and stores the language. */
export async function chooseLanguage(next: Language): Promise<void> {
  await showLanguage(next);
  tellService();
}

/**
 * Returns the initial language: the one that was selected in this browser, or else the first of the browser's languages
 * that the builder supports. Defaults to English.
 */
export function firstLanguage(): Language {
  return languageFor([read("parley.language") ?? "", ...navigator.languages].filter((tag) => tag !== ""));
}

/**
 * Applies the settings of the person who signs in, which the service stores for all browsers. If the person's settings
 * in this browser have not been sent yet, they are sent instead. Called once.
 */
export function followPerson(): void {
  let known: string | undefined;
  effect(() => {
    const person = me.value;
    if (person?.id === known) return;
    known = person?.id;
    if (!person) return;
    if (read(unsentKey) === person.id) {
      tellService();
      return;
    }
    const { scheme: theirs, language: spoken, botsView: view } = person.preferences;
    if (view === "cards" || view === "list") showView(view);
    const wanted = schemes.find((each) => each === theirs);
    if (wanted) showScheme(wanted);
    // If the texts cannot be loaded, the language does not change.
    if (isLanguage(spoken) && spoken !== language.value) showLanguage(spoken).catch(() => {});
  });
}

const workspaceKey = "parley.workspace";

/** Returns the workspace that was last open in this browser, if any. */
export function lastWorkspace(): string | undefined {
  return read(workspaceKey) ?? undefined;
}

export function noteWorkspace(workspaceId: string): void {
  keep(workspaceKey, workspaceId);
}

function showScheme(next: Scheme): void {
  chosenScheme.value = next;
  if (next === "system") document.documentElement.removeAttribute("data-scheme");
  else document.documentElement.setAttribute("data-scheme", next);
  keep("parley.scheme", next === "system" ? null : next);
}

async function showLanguage(next: Language): Promise<void> {
  await setLanguage(next);
  keep("parley.language", next);
}

/** The storage key for the person whose settings have not been sent to the service yet. */
const unsentKey = "parley.untold";
let telling: Promise<void> = Promise.resolve();

/**
 * Sends one request after another, each with the current settings, so that the service ends up with the latest ones.
 */
function tellService(): void {
  const person = me.value;
  if (!person) return;
  keep(unsentKey, person.id);
  const next = () => tell(person.id);
  telling = telling.then(next, next);
}

async function tell(userId: string): Promise<void> {
  const person = me.value;
  if (person?.id !== userId) return;
  const chosen = { scheme: scheme.value, language: language.value, botsView: botsView.value };
  const preferences = { ...person.preferences, ...chosen };
  try {
    const { user } = await call("PATCH /api/v1/users/me", { body: { preferences } });
    if (me.value?.id === userId) setMe(user);
    const isLast =
      chosen.scheme === scheme.value && chosen.language === language.value && chosen.botsView === botsView.value;
    if (isLast) keep(unsentKey, null);
  } catch (error) {
    // The settings are sent later. With a read-only sign-in, they are stored only in this browser.
    if (!(error instanceof ApiFailure)) throw error;
  }
}
