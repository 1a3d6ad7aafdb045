import { effect, type ReadonlySignal, signal } from "@preact/signals";
import { ApiFailure, call } from "../api/index.ts";
import { isLanguage, type Language, language, languageFor, setLanguage } from "../words/index.ts";
import { keep, read } from "./local-storage.ts";
import { me, setMe } from "./session.ts";

/**
 * The look and the language of the builder. The browser's own choice is used until a person has signed in. From then on
 * the person's choice is used, which the service stores for other browsers. A choice that could not be sent to the
 * service is sent after the next sign-in.
 */

export type Scheme = "system" | "light" | "dark";

export const schemes: readonly Scheme[] = ["system", "light", "dark"];

const chosenScheme = signal<Scheme>(schemes.find((each) => each === read("parley.scheme")) ?? "system");

/** Light, dark, or the system's choice. */
export const scheme: ReadonlySignal<Scheme> = chosenScheme;

export type BotsView = "cards" | "list";

const viewKey = "parley.bots-view";
const chosenView = signal<BotsView>(read(viewKey) === "list" ? "list" : "cards");

/** How the bots of a workspace are shown. */
export const botsView: ReadonlySignal<BotsView> = chosenView;

/** Shows bots as cards or as rows, at once and from now on. */
export function setBotsView(next: BotsView): void {
  showView(next);
  tellService();
}

function showView(next: BotsView): void {
  chosenView.value = next;
  keep(viewKey, next === "cards" ? null : next);
}

/** Chooses the colours, at once and from now on. */
export function setScheme(next: Scheme): void {
  showScheme(next);
  tellService();
}

/** Chooses the language, at once and from now on. */
export async function chooseLanguage(next: Language): Promise<void> {
  await showLanguage(next);
  tellService();
}

/**
 * The initial language: the one that was chosen in this browser, otherwise the first of the browser's languages that
 * the builder supports.
 */
export function firstLanguage(): Language {
  return languageFor([read("parley.language") ?? "", ...navigator.languages].filter((tag) => tag !== ""));
}

/** Applies the choices that the person made in other browsers; called once. */
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
    // If the words cannot be loaded, the language does not change.
    if (isLanguage(spoken) && spoken !== language.value) showLanguage(spoken).catch(() => {});
  });
}

const workspaceKey = "parley.workspace";

/** The workspace that was last open in this browser. */
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

/** The person whose choices the service does not have yet. */
const unsentKey = "parley.untold";
let telling: Promise<void> = Promise.resolve();

/** One after another, each with the current choice: the last one is valid. */
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
    // Sent later. A read-only sign-in stores its choices only in this browser.
    if (!(error instanceof ApiFailure)) throw error;
  }
}
