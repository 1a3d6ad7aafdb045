import type { Catalogue } from "../catalogue/catalogue.ts";

/** The builder's texts in another language, by area. A missing text is shown in English. */
export type Translation = { readonly [area: string]: object } & { readonly catalogue?: Partial<Catalogue> };

type Entry = {
  /** The language's name, in the language itself. */
  readonly name: string;
  readonly load: () => Promise<Translation>;
};

/**
 * The builder's languages by tag, in display order. Each language is one file, which is loaded when the language is
 * selected. English is always available.
 */
export const translations = {
  en: { name: "English", load: async () => ({}) },
  de: { name: "Deutsch", load: async () => (await import("./de.json")).default },
  fr: { name: "Français", load: async () => (await import("./fr.json")).default },
  "pt-BR": { name: "Português (Brasil)", load: async () => (await import("./pt-BR.json")).default },
} as const satisfies Readonly<Record<string, Entry>>;
