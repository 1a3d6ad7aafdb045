import { effect, type ReadonlySignal, signal } from "@preact/signals";
import { ApiFailure, call } from "../api/index.ts";
import { isLanguage, type Language, language, languageFor, setLanguage } from "../words/index.ts";
import { keep, read } from "./local-storage.ts";
import { me, setMe } from "./session.ts";

/**
 * How the builder looks and speaks. The browser's own choice counts until somebody has signed in; from then on the
 * person's, which the service keeps, so that it follows them to other browsers. A choice that could not be sent to the
 * service is sent after the next sign-in.
 */

export type Scheme = "system" | "light" | "dark";

export const schemes: readonly Scheme[] = ["system", "light", "dark"];

const chosenScheme = signal<Scheme>(schemes.find((each) => each === read("parley.scheme")) ?? "system");

/** Light, dark, or as the system has it. */
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
 * The language to begin with: the one that was chosen here, else the first of the browser's that the builder speaks.
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
    // Words that do not load leave the language as it is.
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

/** Whose choices the service does not know yet. */
const unsentKey = "parley.untold";
let telling: Promise<void> = Promise.resolve();

/** One after another, each with the choice of that moment: the last one counts. */
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
    // Sent later. A read-only sign-in keeps its choices only in this browser.
    if (!(error instanceof ApiFailure)) throw error;
  }
}
