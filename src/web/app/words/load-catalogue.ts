import type { Catalogue } from "./catalogue/catalogue.ts";
import { english } from "./catalogue/en.ts";
import { type Language, loadTranslation } from "./index.ts";

const none: Catalogue = { texts: {}, choices: {}, search: {}, findings: {} };

/** The catalogue of a language; it comes with the language's words. */
export async function loadCatalogue(language: Language): Promise<Catalogue> {
  if (language === "en") return english;
  return { ...none, ...(await loadTranslation(language)).catalogue };
}
