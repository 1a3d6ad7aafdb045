import { area } from "./language.ts";

const english: Readonly<Record<string, string>> = { Mod: "Ctrl" };

/** The labels of keys that are not the same on all keyboards. */
export const keyNames = area("keyNames", english);
