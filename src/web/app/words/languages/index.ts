import type { Catalogue } from "../catalogue/catalogue.ts";

/** The builder in another language, area by area; a word that is absent is said in English. */
export type Translation = { readonly [area: string]: object } & { readonly catalogue?: Partial<Catalogue> };

type Entry = {
  /** In this language. */
  readonly name: string;
  readonly load: () => Promise<Translation>;
};

/**
 * The builder's languages by their tags, in the order in which they are offered. One language = one file, loaded when
 * it is chosen; English is always there.
 */
export const translations = {
  en: { name: "English", load: async () => ({}) },
  de: { name: "Deutsch", load: async () => (await import("./de.json")).default },
  fr: { name: "Français", load: async () => (await import("./fr.json")).default },
  "pt-BR": { name: "Português (Brasil)", load: async () => (await import("./pt-BR.json")).default },
} as const satisfies Readonly<Record<string, Entry>>;
