import type { Catalogue } from "./catalogue/catalogue.ts";
import { type Language, loadTranslation } from "./index.ts";

const none: Catalogue = { texts: {}, choices: {}, search: {}, findings: {} };

/** The catalogue of a language; it is loaded with the language's words. */
export async function loadCatalogue(language: Language): Promise<Catalogue> {
  if (language === "en") return english;
  return { ...none, ...(await loadTranslation(language)).catalogue };
}

/**
 * English sentences are the catalogue's own. A few words that flows store are unclear to people, and get other texts.
 */
const english: Catalogue = {
  texts: {},
  choices: {
    AND: "All (and)",
    OR: "One of them (or)",
    Color: "Colour",
    absolute: "Scrolls along",
    array: "List",
    boolean: "Yes or no",
    "capture: user": "Front camera",
    enum: "One of several",
    environment: "Back camera",
    fixed: "Stays in sight",
    lg: "Large",
    local: "For good",
    md: "Medium",
    session: "Until the tab is closed",
    sm: "Small",
    string: "Text",
    tel: "Telephone",
    url: "Address",
    user: "Visitor",
    vertical: "Below each other",
    wrap: "Side by side",
    xl: "Very large",
    "2xl": "Largest",
  },
  search: {},
  findings: {},
};
