import { area } from "./language.ts";

/** The labels of keys that are not the same on all keyboards. */
export const keyNames = area<Readonly<Record<string, string>>>({
  en: { Mod: "Ctrl" },
  de: { Mod: "Strg", Shift: "Umschalt", Del: "Entf", Enter: "Eingabe", Space: "Leertaste" },
  "pt-BR": { Mod: "Ctrl", Space: "Espaço" },
});
