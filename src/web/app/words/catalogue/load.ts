import type { Language } from "../language.ts";
import type { Catalogue } from "./catalogue.ts";
import { english } from "./en.ts";

/** The catalogue of a language; it comes with the first form that is shown in it. */
export async function loadCatalogue(language: Language): Promise<Catalogue> {
  switch (language) {
    case "en":
      return english;
    case "de":
      return (await import("./de/index.ts")).german;
    case "pt-BR":
      return (await import("./pt-BR/index.ts")).portuguese;
  }
}
