import type { Catalogue } from "./catalogue/catalogue.ts";
import { type Language, loadTranslation } from "./index.ts";

const none: Catalogue = { texts: {}, choices: {}, search: {}, findings: {} };

/** Returns the catalogue of a language, which is loaded together with the language's texts. */
export async function loadCatalogue(language: Language): Promise<Catalogue> {
  if (language === "en") return english;
  return { ...none, ...(await loadTranslation(language)).catalogue };
}

/** The English catalogue. It replaces only a few stored keywords that people would not understand. */
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
