import english from "./en/template.json";
import { area } from "./language.ts";

type Told = { readonly name: string; readonly about: string };

/**
 * The gallery's description of each template, by its id. The words of their bots are English: authors make them their
 * own.
 */
export const templateWords = area<"template", { readonly told: Readonly<Record<string, Told>> }>("template", english);
