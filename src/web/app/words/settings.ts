import english from "./en/settings.json";
import { area } from "./language.ts";

export const settingsWords = area("settings", english);
