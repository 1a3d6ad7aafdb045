import type { Catalogue } from "./catalogue.ts";

/** English sentences are the catalogue's own. Of the words that flows store, a few tell people nothing. */
export const english: Catalogue = {
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
