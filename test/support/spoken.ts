import type { Page } from "playwright-core";
import { events } from "../../src/events.ts";
import { type Language, loadTranslation } from "../../src/web/app/words/index.ts";
import { loadCatalogue } from "../../src/web/app/words/load-catalogue.ts";
import { builder } from "../tools/words/files.ts";

/** The builder in a language, for tests that read its texts. */
export type Spoken = {
  /**
   * Translates an English text of the builder or its catalogue. For a message such as `Add to {title}`, `values`
   * contains the parameters.
   */
  (english: string, values?: Readonly<Record<string, string>>): string;
  /** Translates a text that has several translations, by the part of the builder. */
  by(area: string, english: string): string;
  /** Returns the English texts and names on the page that have a translation in this language. */
  leftInEnglish(page: Page): Promise<readonly string[]>;
};

const somebody = "Somebody";

/**
 * Loads all plain texts of the builder with their translations. Except in English, the result throws for a text that
 * has several translations or does not exist.
 */
export async function spokenIn(language: Language): Promise<Spoken> {
  /** Translations by the English text and the part of the builder. */
  const said = new Map<string, Map<string, string>>();
  const noteFor = (area: string) => (english: string, there: string) => {
    const found = said.get(english) ?? new Map<string, string>();
    said.set(english, found.set(area, there));
  };
  const translation = await loadTranslation(language);
  const parts = Object.entries(builder.readEnglish());
  for (const [part, english] of parts) noteAll(Object(english), Reflect.get(translation, part), noteFor(part));
  // The English texts of event types are defined with the events.
  const eventTypes = Object.fromEntries(Object.entries(events).map(([type, { title }]) => [type, title]));
  noteAll({ eventTypes }, translation["workspace"], noteFor("workspace"));
  const { texts, choices } = await loadCatalogue(language);
  for (const [english, there] of Object.entries({ ...choices, ...texts })) noteFor("catalogue")(english, there);
  const theOne = (english: string, all: readonly string[]): string => {
    if (language === "en") return english;
    const [only, ...others] = new Set(all);
    if (only !== undefined && others.length === 0) return only;
    throw new Error(`“${english}” is ${JSON.stringify([only, ...others])} in ${language}`);
  };
  const speak = (english: string, values: Readonly<Record<string, string>> = {}): string =>
    Object.entries(values).reduce(
      (text, [name, value]) => text.replaceAll(`{${name}}`, value),
      theOne(english, [...(said.get(english)?.values() ?? [])]),
    );
  const everything = new Set([...said.values()].flatMap((all) => [...all.values()]));
  const foreign = [...said.keys()].filter((english) => !everything.has(english) && english !== somebody);
  return Object.assign(speak, {
    by: (area: string, english: string) => theOne(english, [said.get(english)?.get(area) ?? ""]),
    leftInEnglish: (page: Page) => (language === "en" ? Promise.resolve([]) : shownOf(page, foreign)),
  });
}

function noteAll(english: object, there: unknown, note: (english: string, there: string) => void): void {
  for (const [key, text] of Object.entries(english)) {
    const other: unknown = Reflect.get(Object(there), key);
    if (typeof text === "string") note(text, typeof other === "string" ? other : text);
    else if (typeof text === "object" && text !== null) noteAll(text, other, note);
  }
}

/** Returns the texts that the page contains as content, name or hint. */
function shownOf(page: Page, texts: readonly string[]): Promise<readonly string[]> {
  return page.evaluate((wanted) => {
    const known = new Set(wanted);
    const found = new Set<string>();
    const look = (text: string | null) => {
      if (text !== null && known.has(text.trim())) found.add(text.trim());
    };
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (!(node instanceof Element)) look(node.textContent);
      else for (const name of ["aria-label", "title", "placeholder"]) look(node.getAttribute(name));
    }
    return [...found];
  }, texts);
}
