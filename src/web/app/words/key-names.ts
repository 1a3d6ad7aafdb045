import english from "./en/key-names.json";
import { area } from "./language.ts";

/** The labels of keys that are not the same on all keyboards. */
export const keyNames = area<"keyNames", Readonly<Record<string, string>>>("keyNames", english);
